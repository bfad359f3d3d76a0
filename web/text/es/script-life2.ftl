# The same for Life2, in worlds and in games.

script-phrase-kingdom-is-out = el reino de este bando ha caído, o el bando está fuera
script-phrase-too-many-named = un turno coloca { $most } células como máximo, no { $named }
script-phrase-named-twice = ({ $row }, { $col }) se nombra dos veces
script-phrase-too-few-coins = { $cells } células cuestan otras tantas monedas; el monedero tiene { $coins }
script-phrase-at-cell = ({ $row }, { $col })
script-phrase-already-in-game = Ya estás dentro
script-phrase-need-coins = Hacen falta { $coins } monedas para entrar
script-phrase-out-of-range = Esas coordenadas están fuera del mundo
script-phrase-quadrant-taken = En ese cuadrante ya hay una base
script-phrase-overlaps-base = Se solapa con otra base
script-phrase-no-slot = No queda ninguna plaza libre
script-phrase-too-many-placed = Como máximo { $most } células por llamada
script-phrase-not-in-game = No tienes ningún reino
script-phrase-insufficient-coins = No tienes monedas suficientes
script-phrase-not-your-territory = No es tu terreno
script-phrase-on-wall = No se puede colocar en los muros
script-phrase-cell-lives = Esa célula ya vive
script-phrase-wallet-full = El monedero está lleno
