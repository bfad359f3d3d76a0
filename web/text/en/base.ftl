base-to-the-content = To the content
base-main = Main
base-guide = Guide
base-standings-anyone-can-recompute-bit = Standings anyone can recompute, bit for bit.
base-limits = limits
base-what-is-stored-about-you = what is stored about you
