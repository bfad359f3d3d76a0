# What the rules tell in phrases: each id ends with the code of one.

script-phrase-game-over = la partida ha terminado
script-phrase-not-your-turn = le toca al otro jugador
script-phrase-off-board = fila { $row }, columna { $col } no está en el tablero (filas 0-{ $bottom }, columnas 0-{ $right })
script-phrase-cell-alive = la célula en la fila { $row }, columna { $col } ya está viva
script-phrase-home-out-of-reach = fila { $row }, columna { $col } está fuera de alcance: una casa está siempre abierta
script-phrase-neutral-out-of-reach = fila { $row }, columna { $col } está fuera de alcance: la zona neutral pide una célula viva en tu casa
script-phrase-enemy-out-of-reach = fila { $row }, columna { $col } está fuera de alcance: la casa enemiga pide células vivas en tu casa, en la zona neutral y allí mismo
script-phrase-too-many-cells = un turno coloca como máximo { $most ->
        [one] { $most } célula
       *[other] { $most } células
    }
script-phrase-no-cells = hay que colocar al menos una célula; un turno sin ninguna es un salto o un paso
script-phrase-too-few-cells = se colocaron { $placed } de { $most } células y quedaba otra casilla legal
script-phrase-bomb-too-early = la bomba se desbloquea en la ronda { $round }
script-phrase-bomb-cooling = a la bomba { $ends ->
        [one] le falta { $ends } final de turno
       *[other] le faltan { $ends } finales de turno
    } para enfriarse
script-phrase-turn-started = una bomba o un salto ocupa un turno entero, y en este ya se colocaron células
script-phrase-skip-used = el único salto ya está usado
script-phrase-pass-not-needed = pasar solo es legal cuando no lo es nada más
script-phrase-not-your-piece = no hay ninguna pieza tuya en la fila { $row }, columna { $col }
script-phrase-not-a-neighbour = fila { $row }, columna { $col } no toca la casilla de la pieza
script-phrase-piece-there = ya hay una pieza en la fila { $row }, columna { $col }
script-phrase-seat-is-out = este bando no tiene células vivas o está fuera
script-phrase-cells-not-chosen = faltan casillas por elegir
script-phrase-seat-not-asked = no se espera nada del bando { $seat }
script-phrase-game-started = la partida ha empezado
script-phrase-too-much-fuel = { $took } de combustible para una respuesta que puede gastar { $allowed }
script-phrase-in-turn = turno { $turn }
script-phrase-answer-missing = falta una respuesta
script-phrase-action-short = una acción tiene al menos { $least ->
        [one] { $least } byte
       *[other] { $least } bytes
    }; esta tiene { $bytes }
script-phrase-action-version = el primer byte de una acción es la versión, { $version }, no { $byte }
script-phrase-action-kind = el segundo byte es la clase de acción, y { $kind } no es ninguna
script-phrase-action-cells = una acción de esta clase no viene con { $cells ->
        [one] { $cells } célula
       *[other] { $cells } células
    }
script-phrase-action-length = una acción con esta cabecera tiene { $expected ->
        [one] { $expected } byte
       *[other] { $expected } bytes
    }; esta tiene { $bytes }
script-phrase-round = Ronda { $round } de { $rounds }
script-phrase-move = Jugada { $turn } de { $turns }
script-phrase-generation = Generación { $generation } de { $generations }
script-phrase-turns-left = { $turns ->
        [one] queda { $turns } turno
       *[other] quedan { $turns } turnos
    }
script-phrase-from-round = desde la ronda { $round }
script-phrase-ready = lista
script-phrase-ready-in = lista en { $ends }
script-phrase-used = usado
script-phrase-once = una vez
script-phrase-coins-left = { $coins ->
        [one] queda { $coins } moneda
       *[other] quedan { $coins } monedas
    }
script-phrase-open-home = tu casa
script-phrase-open-neutral = zona neutral
script-phrase-open-enemy-home = casa enemiga (×2)
script-phrase-seat-blue = azul
script-phrase-seat-red = rojo
script-phrase-tool-conquerors-place = colocar
script-phrase-tool-conquerors-place-purpose = da vida a cuatro células como máximo, una tras otra
script-phrase-tool-conquerors-place-done = coloca { $cells }
script-phrase-tool-conquerors-bomb = bomba
script-phrase-tool-conquerors-bomb-purpose = despeja el cuadrado de 3 x 3 alrededor de una casilla
script-phrase-tool-conquerors-bomb-done = bombardea el cuadrado alrededor de { $cells }
script-phrase-tool-conquerors-skip = saltar
script-phrase-tool-conquerors-skip-purpose = no coloca nada, una vez por partida
script-phrase-tool-conquerors-skip-done = salta
script-phrase-tool-conquerors-pass = pasar
script-phrase-tool-conquerors-pass-purpose = no coloca nada donde no es posible otra cosa
script-phrase-tool-conquerors-pass-done = no puede hacer nada
script-phrase-tool-war-of-life-move = mover
script-phrase-tool-war-of-life-move-purpose = lleva una pieza propia a una casilla vacía contigua
script-phrase-tool-war-of-life-move-done = mueve { $from } a { $to }
script-phrase-tool-game-of-game-of-life-cell = célula
script-phrase-tool-game-of-game-of-life-cell-purpose = mata una célula propia o reclama otra cerca de una propia
script-phrase-tool-game-of-game-of-life-cell-done = juega { $cells }
script-phrase-tool-game-of-game-of-life-pass = pasar
script-phrase-tool-game-of-game-of-life-pass-purpose = no cambia nada
script-phrase-tool-game-of-game-of-life-pass-done = pasa
script-phrase-tool-life2-place = colocar
script-phrase-tool-life2-place-purpose = da vida a casillas del propio terreno, por una moneda cada una
script-phrase-tool-life2-place-done = coloca { $cells }
script-phrase-tool-life2-pass = pasar
script-phrase-tool-life2-pass-purpose = no cambia nada
script-phrase-tool-life2-pass-done = pasa
