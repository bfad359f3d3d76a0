# Replays, tournaments that are opened, and recomputing.

script-replays-column-number = número
script-replays-column-seats = bandos
script-replays-column-ids = ids.
script-replays-column-winner = gana
script-replays-column-reason = motivo
script-replays-column-turns = turnos
script-replays-column-score = tanteo
script-replays-column-marks = marcas
script-replays-archive-too-large = Este archivo es más grande de lo que abre una página; descomprímelo y abre la carpeta.
script-replays-archive-not-unpacked = Este archivo no se puede descomprimir.
script-replays-file-too-large = Este archivo es más grande de lo que abre una página.
script-replays-game-title = Partida { $number }: { $seats }
script-replays-watch = Ver
script-replays-games-left-out = Partidas que no están en la lista, pero sí en la carpeta: { $games }.
script-replays-cannot-be-opened = No se puede abrir: { $why }
script-replays-not-checkable = { $games } no se pueden comprobar aquí: usa arena verify.
script-replays-game-differs = ✗ La partida { $game } es distinta. { $finding } Otras { $others } tienen las mismas acciones y el mismo resultado.{ $more }
script-replays-done = Listo: { $games ->
        [one] 1 partida
       *[other] { $games } partidas
    }.
script-replays-all-games-again =
    { $games ->
        [one] ✓ Se ha vuelto a jugar la partida.
       *[other] ✓ Se han vuelto a jugar las { $games } partidas.
    }
script-replays-games-so-far =
    { $done } de { $games ->
        [one] 1 partida
       *[other] { $games } partidas
    } …
script-replays-stopped-after = Detenido tras { $done } de { $games ->
        [one] 1 partida
       *[other] { $games } partidas
    }.
script-replays-games-identical = { $games } tienen las mismas acciones y el mismo resultado; el combustible lo cuenta arena verify.
script-replays-turn-too-long = un turno tardó demasiado
script-replays-stop = Detener
script-replays-not-recomputed = No se pudo recalcular: { $why }.
script-replays-not-metered = A { $seat } no se le mide el combustible.
script-replays-fuel-of-turn = Combustible del turno: { $fuel }
script-replays-loading-record = Cargando el registro …
script-replays-checking-record = Comprobando el registro con las reglas …
script-replays-the-board = El tablero
script-replays-turn-and-score = turno { $turn } de { $turns }, { $score }
script-replays-rules-agree = Las reglas coinciden en todos los turnos.
script-replays-not-by-the-rules = No es una partida según las reglas: { $why }
script-replays-turn = Turno { $turn } de { $turns }
script-replays-pause = Pausar
script-replays-play = Reproducir
script-replays-verified = Verificada: las reglas de esta página coinciden en cada turno, cada resumen y el resultado.
script-replays-not-verified-because = No verificada: { $why }.
script-replays-record-not-shown = Este registro no se puede mostrar.
script-replays-not-verified = No verificada.
script-replays-identical = ✓ Idéntica.
script-replays-different = ✗ Distinta.
script-replays-not-all = No toda:
script-replays-fetching-bots = Trayendo los bots …
script-replays-stopped-turn = Detenido: un turno tardó más de { $seconds } s. Aquí no se puede comprobar; usa arena verify.
script-replays-no-worker-here = No se pudo iniciar el worker en este navegador.
script-replays-answers-so-far = { $checked } de { $answers } respuestas son iguales …
script-replays-archive-cut-short = Este archivo no está completo.
script-replays-no-manifest = Esto no es la carpeta de un torneo: no tiene manifest.json.
script-replays-no-results-yet = Este torneo todavía no tiene resultados: no se jugó hasta el final.
script-replays-a-tournament = Un torneo
script-replays-all-identical =
    { $answers ->
        [one] La única respuesta es igual, y también todos los resúmenes y el resultado; el combustible lo cuenta arena verify.
       *[other] Las { $answers } respuestas son iguales, y también todos los resúmenes y el resultado; el combustible lo cuenta arena verify.
    }
script-replays-end-not-checkable =
    { $answers ->
        [one] La única respuesta es igual. El final, una derrota por falta ({ $code }), no se puede comprobar aquí, usa arena verify.
       *[other] Las { $answers } respuestas son iguales. El final, una derrota por falta ({ $code }), no se puede comprobar aquí, usa arena verify.
    }
script-replays-answer-differs = La respuesta { $answer } es distinta: el registro dice { $recorded }, esta página obtiene { $found }.
script-replays-answer-not-checkable = La respuesta { $answer } no se puede comprobar aquí, usa arena verify: { $why }.
script-replays-rules-disagree = Las reglas no coinciden: { $why }.
