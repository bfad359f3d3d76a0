base-to-the-content = Ir al contenido
base-main = Principal
base-guide = Guía
base-standings-anyone-can-recompute-bit = Una clasificación que cualquiera puede recalcular, bit a bit.
base-limits = límites
base-what-is-stored-about-you = qué se guarda de ti
