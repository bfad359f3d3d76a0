open-open-a-tournament = Abrir un torneo
open-drop-a-tournaments-folder-or-its = Suelta en esta página la carpeta de un torneo o su archivo: verás su clasificación y todas sus partidas. No se sube nada.
open-an-archive-tar-zst-or-tar = Un archivo, <code>.tar.zst</code> o <code>.tar</code>
open-a-folder = Una carpeta
open-this-page-reads-the-folder = Esta página lee la carpeta con un script. <code>arena tournament standings FOLDER</code> muestra lo mismo en un terminal.
open-these-results-are-the-folders = Estos resultados son lo que afirma la carpeta. Cada partida que mires se comprueba con las reglas; <code>arena verify</code> vuelve a jugar todas con los bots.
