# El taller, donde se escriben bots.

script-workshop-loading = Cargando las reglas …
script-workshop-turn = Turno { $turn } …
script-workshop-flaw = Línea { $line }, columna { $column }: { $message }
script-workshop-flaw-elsewhere = { $text }, línea { $line }: { $message }
script-workshop-refused = El juez lo rechazaría: { $why }
script-workshop-judging = El juez lo está examinando …
script-workshop-accepted = El juez lo acepta: { $games } partidas de muestra contra { $opponent }, ninguna perdida por falta. Más combustible en un turno: { $fuel } de { $budget }.
script-workshop-refused-by-judge = El juez lo rechaza. { $why }
script-workshop-unjudged = No hay veredicto. { $why }
script-workshop-silent = Se ha terminado: no se supo nada de él durante demasiado tiempo.
script-workshop-stopped = Parado.
script-workshop-failed = No se pudo ejecutar: { $why }.
script-workshop-too-long = El texto tiene { $bytes } bytes; se permiten { $max }.
script-workshop-you = tu bot
script-workshop-versus = { $one } – { $other }
script-workshop-fuel = Combustible del turno: { $fuel } de { $budget }, { $percent } %
script-workshop-line-of-turn = turno { $turn }
script-workshop-line-of-start = inicio
script-workshop-lines-dropped = { $lines ->
    [one] Se descartó 1 línea más: se alcanzaron los límites del registro.
   *[other] Se descartaron { $lines } líneas más: se alcanzaron los límites del registro.
}
script-workshop-kept = Guardado en este navegador.
script-workshop-replaced = Guardado en este navegador, y también el texto de otra pestaña, al que sustituye.
script-workshop-full = No se guarda: el almacén de este navegador está lleno. Copia el texto antes de irte.
script-workshop-no-room = El almacén de este navegador no tiene sitio para otro texto: este se queda.
script-workshop-no-template = La plantilla no llegó: { $why }.
script-workshop-failures = { $games ->
    [one] En 1 partida falló tu bot; ábrela para ver por qué.
   *[other] En { $games } partidas falló tu bot; abre una para ver por qué.
}
script-workshop-denied = No se guarda: este navegador no almacena nada para este sitio. Copia el texto antes de irte.
script-workshop-elsewhere = Otra pestaña ha cambiado este bot.
script-workshop-game = Partida { $game } de { $games } …
script-workshop-points = { $points } de { $games } puntos
script-workshop-points-of-lost = { $points } de { $games } puntos en las partidas que se perdieron.
script-workshop-none-lost = No se perdió ninguna partida contra este rival.
script-workshop-no-connection = No hay conexión. El texto se queda en este navegador: inténtalo otra vez cuando vuelva.
script-workshop-too-few = Muy pocas partidas para saber quién es más fuerte.
script-workshop-level = Sin diferencia significativa: { $by }.
script-workshop-stronger = Tu bot es más fuerte: { $by }.
script-workshop-weaker = Tu bot es más débil: { $by }.
script-workshop-between = { $elo } Elo (95 %: de { $low } a { $high })
script-workshop-above = { $elo } Elo (95 %: más de { $low })
script-workshop-below = { $elo } Elo (95 %: menos de { $high })
script-workshop-estimate = { $elo } Elo
script-workshop-won-all = más de { $low } Elo, todas ganadas
script-workshop-lost-all = menos de { $high } Elo, todas perdidas
script-workshop-watch = Ver la partida { $game }, { $result }
script-workshop-won = ganada
script-workshop-lost = perdida
script-workshop-drew = empate
script-workshop-try-from-here = Cambia el texto y ejecútalo desde el turno { $turn }.
