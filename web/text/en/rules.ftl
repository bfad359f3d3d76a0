rules-the-rules-in-short = The rules in short
rules-rules-of = Rules of { $title }
rules-these-are-the-rules-of-a-tournaments = These are the rules of a tournament’s game. People play in worlds that never end:
rules-the-rules-of-a-world = the rules of a world
rules-rules-of-a-world-of-life2 = Rules of a world of Life2
