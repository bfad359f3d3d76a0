guide-chapters = Capítulos
guide-which-words = ¿Qué palabras?
guide-no-section-has-all-of-these = Ninguna sección tiene todas estas palabras: { $query }.
guide-the-first-sections-with-the-best = Las primeras { $found } secciones con “{ $query }”, primero las mejores.
guide-sections-with = Secciones con “{ $query }”: { $found }.
