people-time = Tiempo
people-you-are-number-of-with-points =
    { $points ->
        [one] Tienes el puesto { $rank } de { $people }, con 1 punto.
       *[other] Tienes el puesto { $rank } de { $people }, con { $points } puntos.
    }
people-more-are-held-back-at-most = { $held-back ->
        [one] Otro { $held-back } está retenido
       *[other] Otros { $held-back } están retenidos
    }: de una misma persona viene como mucho la décima parte.
people-none-of-your-games-counts = Aquí todavía no cuenta ninguna de tus partidas.
people-nobody-has-a-game-that-counts = Aquí nadie tiene todavía una partida que cuente.
people-points = Puntos
people-won = Ganadas
people-drawn = Empatadas
people-lost = Perdidas
people-people-with-accounts-score-in-games = Cuentan las partidas de dos puestos de personas con cuenta: contra un rival integrado, o puntuadas entre ellas. Una partida puntuada con otra persona requiere que ambas hayan terminado { $practice-games } partidas contra rivales integrados y que nunca se las haya visto en un mismo navegador.
people-the-first-games-of-a-day = Cuentan las primeras { $games-a-day } partidas de cada día (UTC) entre las mismas dos personas; una partida que repite otra anterior, acción por acción, no cuenta. Los invitados, los bots enviados y los programas no cuentan nunca.
people-a-win-is-worth-100 = Una victoria vale 100 puntos contra una persona, y 30, 70 o 120 contra un rival integrado; 40 más por una extinción, hasta 25 si llega pronto, hasta 50 por una partida corta y hasta 45 por la ventaja final. Los empates y las derrotas son partidas sin puntos. De una misma persona viene como mucho la décima parte de tus puntos.
people-the-rating-is-glicko-2 = El rating es Glicko-2, de las partidas puntuadas entre personas; cada día es un periodo. El intervalo contiene la fuerza verdadera 95 veces de cada 100.
people-one-person-with-several-accounts = Quien tiene varias cuentas puede perder a propósito contra una de ellas. Ganancia simulada en un mes entre treinta personas que juegan cada día:
people-what-several-accounts-gain = Lo que ganan varias cuentas
people-accounts = Cuentas
people-points-that-count = Puntos que cuentan
people-times-one-account = Veces una sola cuenta
people-place-of-31 = Puesto de 31
people-rules-and-start = Reglas y salida
people-start-number = Número de salida
people-how-others-find-it = Cómo se encuentra
people-by-its-code-and-link = por su código y su enlace
people-by-anyone-in-the-lobby = por cualquiera, en la sala de espera
people-only-for = Solo para
people-a-players-name-empty-anyone = un nombre; vacío: cualquiera
people-with-a-chat = Con chat
people-rated-it-counts-for-both = Puntuada: cuenta para ambos en la clasificación de personas, y la sala de espera la muestra
people-open-a-room = Abrir una sala
people-this-month = Este mes
people-last-month = El mes pasado
people-all-time = Desde siempre
