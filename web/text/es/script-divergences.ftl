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
