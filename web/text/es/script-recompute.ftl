# Partidas que se vuelven a jugar en la página.

script-recompute-all-identical = Se ha vuelto a jugar con los bytes de los bots: cada acción, el combustible de cada llamada, cada derrota por falta, cada resumen y el resultado son iguales.
script-recompute-all-but-traps = Se ha vuelto a jugar con los bytes de los bots: cada acción, el combustible de cada llamada, cada resumen y el resultado son iguales. Este navegador dice lo mismo de varias clases de fallo, así que no se ha comparado el detalle de una derrota por falta: usa arena verify.
script-recompute-left = Bando { $seat }: { $bytes } bytes de memoria al final, { $lines ->
        [one] 1 línea de registro
       *[other] { $lines } líneas de registro
    }, { $dropped } más descartadas.
script-recompute-not-checked = No comprobada, y sin veredicto:
script-recompute-engine-failed = falló el motor de este navegador ({ $detail }). Usa arena verify.
script-recompute-bot-missing = los bytes de { $detail } no están aquí.
script-recompute-too-long = una llamada de { $detail } tardó más de lo que espera esta página. Usa arena verify.
script-recompute-worker-failed = el worker falló o no se pudo iniciar en este navegador { $detail }.
script-recompute-no-record = esto no es el registro de una partida que esta página conozca { $detail }.
script-recompute-other-release = se jugó con otras reglas, límites o precios, en { $detail }.
script-recompute-rules-disagree = Las reglas no coinciden: { $why }.
script-recompute-bot-refused = La comprobación estática rechaza un bot de este registro: { $why }
script-recompute-differs = { $what } es { $recorded } en el registro, y { $played } al volver a jugar.
script-recompute-differs-at-start = Bando { $seat }: { $what } es { $recorded } en el registro, y { $played } al volver a jugar.
script-recompute-differs-in-turn = Turno { $turn }: { $what } es { $recorded } en el registro, y { $played } al volver a jugar.
script-recompute-differs-for-seat = Turno { $turn }, bando { $seat }: { $what } es { $recorded } en el registro, y { $played } al volver a jugar.
script-recompute-turns-so-far = { $turns ->
        [one] 1 turno de los bots
       *[other] { $turns } turnos de los bots
    } …
script-recompute-stop = Detener
script-recompute-continue = Continuar: { $done } de { $games } están hechas
script-recompute-games-so-far = { $done } de { $games ->
        [one] 1 partida
       *[other] { $games } partidas
    } …
script-recompute-stopped-after = Detenido tras { $done } de { $games ->
        [one] 1 partida
       *[other] { $games } partidas
    }.
script-recompute-all-again =
    { $games ->
        [one] ✓ Se ha vuelto a jugar la partida.
       *[other] ✓ Se han vuelto a jugar las { $games } partidas.
    }
script-recompute-sample-again = Se ha vuelto a jugar una muestra de { $games } de { $all } partidas.
script-recompute-done = Listo: { $games ->
        [one] 1 partida
       *[other] { $games } partidas
    }.
script-recompute-games-by-rules = { $games } más se han repetido solo con las reglas.
script-recompute-chance-missed = Una partida falsificada habría pasado inadvertida con una probabilidad de { $missed }/{ $of } = { $percent } %.
script-recompute-games-untold = { $games ->
        [one] En 1 partida
       *[other] En { $games } partidas
    } este navegador dice lo mismo de varias clases de fallo, así que no se ha comparado el detalle de una derrota por falta: usa arena verify.
script-recompute-games-void = { $games ->
        [one] 1 partida es nula, porque murió el proceso de un bot, y no cuenta para nadie.
       *[other] { $games } partidas son nulas, porque murió el proceso de un bot, y no cuentan para nadie.
    }
script-recompute-games-ended = De ellas, { $games ->
        [one] 1 llega aquí a su final, y no queda confirmada: usa arena verify.
       *[other] { $games } llegan aquí a su final, y no quedan confirmadas: usa arena verify.
    }
script-recompute-unfinished = El torneo no ha terminado, así que no hay clasificación que comparar.
script-recompute-no-results = La carpeta no tiene resultados, así que no se ha comparado ninguna clasificación.
script-recompute-lack = No se ha mirado todo lo que hay en la carpeta: { $why }.
script-recompute-games-identical = { $games } son idénticas, con combustible, derrotas por falta y resúmenes.
script-recompute-games-not-checked = { $games } no se han comprobado aquí, lo que no es un veredicto: usa arena verify.
script-recompute-game-differs = ✗ La partida { $game } es distinta. { $finding }
script-recompute-standings-identical = Aquí se ha calculado la clasificación que se sigue de todos los registros: es la servida, byte por byte.
script-recompute-folder-wrong = ✗ La carpeta se contradice. { $file }: { $why }
script-recompute-fetching-folder = Trayendo la carpeta …
