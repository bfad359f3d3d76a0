submit-one-wasm-file-of-at-most = Un archivo <code>.wasm</code> de { $module-kib } KiB como máximo, o un script en JavaScript o Python, <code>.js</code> o <code>.py</code>, de { $script-kib } KiB como máximo. Se comprueba y juega una partida en cada bando contra el rival integrado más débil de su juego; el veredicto llega mientras esperas. <a href="/guide">La guía</a> (en inglés) te lleva desde cero hasta un bot que gana, en siete lenguajes.
submit-standing-tournaments-here = Juegos con torneo permanente en este sitio: { $games }. Un bot aceptado juega en él desde la próxima edición, con un máximo de { $places ->
        [one] { $places } bot
       *[other] { $places } bots
    } de una cuenta por edición.
submit-no-standing-tournaments = Este sitio no tiene torneos permanentes: un bot aceptado juega en salas y en los torneos en los que se inscribe.
submit-write-it-in-the-workshop = Escríbelo en el taller
submit-no-compiler-is-needed = No hace falta ningún compilador: el bot se escribe, se prueba y se envía en la página.
submit-name-of-the-bot = Nombre del bot
submit-letters-digits-dots-dashes-and-underscores = Letras, cifras, puntos, guiones y guiones bajos. El nombre de uno de tus bots envía una versión nueva de él; un nombre nuevo crea un bot nuevo.
submit-the-bots-own-game = el juego del bot
submit-a-bot-plays-one-game = Un bot juega a un solo juego, que se elige con su primera versión; sin elegir, { $title }.
submit-the-site-puts-arena-wat = El sitio pone <a href="/guide/files/sdk/wat/arena.wat"><code>arena.wat</code></a> delante y ensambla ambos; un <code>(module …)</code> completo se ensambla tal cual. La guía tiene un capítulo sobre el <a href="/guide/wat">texto WebAssembly</a> (en inglés).
submit-module = Módulo o script
submit-a-script-is-in-its-module = Un script se guarda dentro del módulo que el sitio hace de él, con sus comentarios: una vez aceptado el bot, cualquiera puede descargar el módulo y leerlo.
submit-show-its-source-under = Mostrar su código en su página, para leerlo y partir de él, con la licencia
submit-licence = Licencia
submit-submit = Enviar
submit-your-bots = Tus bots:
submit-claim-a-name-button = Elegir un nombre
submit-anyone-can-download-an-accepted = Cualquiera puede descargar un bot aceptado, para que cualquiera pueda recalcular sus partidas.
submit-what-a-bot-may-use = Qué puede usar un bot
submit-million-units-of-fuel-a-turn = { $fuel-millions } millones de unidades de combustible por turno en { $title }, que cuenta el medidor de la propia arena, igual en todas las máquinas.
submit-how-budgets-work = Cómo funcionan los presupuestos
submit-all-limits = Todos los límites
