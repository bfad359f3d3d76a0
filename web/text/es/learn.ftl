learn-learn-the-games = Aprende los juegos
learn-each-lesson-is-one-turn = Cada lección es un turno en un tablero de verdad; la de Life2, unos minutos en un mundo propio. No se guarda nada y nada cuenta.
