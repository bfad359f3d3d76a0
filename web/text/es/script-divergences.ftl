# The same where a record and the rules do not agree.

script-phrase-unknown-game = esta página no conoce el juego o sus opciones
script-phrase-entrants-differ = el registro tiene { $entrants } participantes, que no es el número de bandos del juego
script-phrase-start-too-dear = el arranque del bando { $seat } gastó más combustible del permitido
script-phrase-turn-refused = turno { $turn }: el bando { $seat } no puede haber jugado esto
script-phrase-turn-passes = turno { $turn }: el bando { $seat } no puede haber jugado esto: no le queda combustible, así que pasa
script-phrase-turn-lacks = turno { $turn }: falta la acción del bando { $seat }
script-phrase-forfeit-misplaced = una falta del bando { $seat } que no puede haber ocurrido cuando dice el registro
script-phrase-digest-differs = turno { $turn }: el resumen es distinto
script-phrase-length-differs = la partida acaba tras el turno { $rules } según las reglas, y tras el turno { $record } en el registro
script-phrase-outcome-differs = el resultado o el resumen final es distinto
script-what-fuel-of-the-start = el combustible del arranque
script-what-seat = el bando
script-what-action = la acción
script-what-fuel = el combustible
script-what-number-of-actions = el número de acciones
script-what-digest = el resumen
script-what-number-of-turns = el número de turnos
script-what-forfeit = la derrota por falta
script-what-outcome = el resultado
script-what-final-digest = el resumen final
script-what-record = el registro
