volunteers-accounts-that-play-games-of-tournaments = Cuentas que juegan partidas de torneos para este sitio en máquinas propias.
volunteers-nobody-has-played-one-yet = Nadie ha jugado ninguna todavía.
volunteers-played-again-and-equal = Jugadas otra vez, e iguales
volunteers-banned-a-game-was-wrong = excluido: una partida era falsa
volunteers-why-they-can-be-trusted = Por qué se puede confiar en ellos
volunteers-every-record-is-checked-by-the-rules = Cada registro se comprueba con las reglas. Las primeras { $first-games } partidas de cada voluntario las vuelven a jugar todas las máquinas del sitio, y de las siguientes el { $share }, elegido al azar; cuáles son se mantiene en secreto. A la primera diferencia el voluntario queda excluido, y cada partida suya que nadie más ha jugado se juega otra vez en los torneos que no han terminado.
volunteers-how-probable-it-is-that-games = Probabilidad de que no se descubran partidas falsificadas después de las { $first-games } primeras:
volunteers-forged-games = Partidas falsificadas
volunteers-chance = Probabilidad
volunteers-recomputing-a-tournament-finds-every = Recalcular un torneo descubre toda partida falsificada: su carpeta tiene todo lo necesario.
volunteers-make-a-token-for-your = Crea un token para tu worker en la página <a href="/account">Cuenta</a> y ejecuta:
