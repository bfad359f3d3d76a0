# Sentences beside standings. Their English stands in the crate of tournaments.

note-rating = rating: fuerza de Bradley-Terry en puntos Elo sobre el campo, con un pseudoempate por participante; intervalo del 95 % sobre los pares
note-rating-held = rating: fuerza de Bradley-Terry en puntos Elo, { $rating } en la media de { $names }, con un pseudoempate por participante; intervalo del 95 % de la diferencia con esa media sobre los pares
note-anchor-away = sin ancla: { $name } no participa
note-anchor-unbound = sin ancla: las partidas no acotan { $name } por ambos lados
note-ranks = puestos: dónde puede estar su rating, al 95 % para cada uno; ventaja: la diferencia con el siguiente, al 95 %; probable: la probabilidad de que sea el más fuerte de los dos
note-first-seat = primer bando: { $won } ganadas, { $drawn } empatadas, { $lost } perdidas
note-misfit = los ratings no explican quién ganó a quién: { $one } obtuvo { $points } puntos contra { $other }, donde se esperan { $expected }
note-equal-bytes-rating = bytes iguales: { $entrants } participantes, { $different } distintos; los nombres de un mismo bot comparten un rating, y una partida que jugaron igual cuenta una vez en él
note-equal-bytes-score = bytes iguales: { $entrants } participantes, { $different } distintos; los nombres de un mismo bot comparten una puntuación, y una partida que jugaron igual cuenta una vez en ella
note-cancelled = partidas que no se juegan: { $games }; un participante se había ido antes
note-void = partidas nulas: { $games }; no cuentan para nadie: el proceso de un bot murió en ellas cada vez, o un bot estaba antes en cuarentena
note-match-points = encuentros: un punto por cada encuentro ganado o descanso, medio punto por uno igualado
note-reached = ronda alcanzada: aquella en la que quedó eliminado; un encuentro igualado se decide con hasta { $pairs } pares más, y después a favor del mejor cabeza de serie
note-share-of-tally = tanteo: parte media del recuento al final de una partida; intervalo del 95 % sobre las partidas. Tanteos iguales comparten el puesto
note-share-of-cells = tanteo: parte media de las células con color al final de una partida; intervalo del 95 % sobre las partidas. Los empates se deciden en las { $games } partidas de dos bandos
note-seat-shares = partidas de { $seats } bandos: { $games }; por bando: { $means } %
note-one-game = 1 partida
note-all-distinct = { $games } partidas, todas distintas
note-distinct = { $games } partidas, { $distinct } distintas: las que se jugaron igual cuentan una vez (los bots que no usan su semilla se repiten)
note-too-few = demasiado pocos para saber si es más fuerte { $one } o { $other }: { $pairs ->
        [one] { $pairs } par jugado
       *[other] { $pairs } pares jugados
    }; juega al menos { $least } que sean distintos
note-level = sin diferencia significativa: { $one } está a { $lead } de { $other } tras { $pairs } pares; hacen falta más partidas
note-stronger = { $winner } es más fuerte que { $loser }: { $lead } tras { $pairs } pares
note-won-all = { $winner } es más fuerte que { $loser }: > { $bound } Elo, ganó todas las partidas de { $pairs } pares
note-elo = { $elo } Elo
note-elo-between = { $elo } Elo (95 %: de { $low } a { $high })
note-elo-above = { $elo } Elo (95 %: más de { $low })
note-elo-below = { $elo } Elo (95 %: menos de { $high })
note-elo-won-all = > { $bound } Elo, ganó todas
note-elo-lost-all = < { $bound } Elo, perdió todas
note-elo-unknown = todavía ningún par
