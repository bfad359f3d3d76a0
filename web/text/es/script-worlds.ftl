# Worlds of Life2.

script-worlds-pattern-own = uno tuyo, como texto
script-worlds-too-many-cells = Como máximo { $most } células por llamada
script-worlds-account = cuenta { $account }
script-worlds-nobody = nadie
script-worlds-cell = columna { $col }, fila { $row }: { $cell }, { $ground }
script-worlds-living-cell = una célula viva
script-worlds-ground-of = terreno de { $owner }
script-worlds-pattern-cell = una célula
script-worlds-pattern-block = bloque
script-worlds-pattern-blinker = parpadeador
script-worlds-pattern-glider = planeador
script-worlds-pattern-lwss = nave ligera
script-worlds-pattern-mwss = nave mediana
script-worlds-pattern-hwss = nave pesada
script-worlds-pattern-gosper = cañón de Gosper
script-worlds-pattern-simkin = cañón de Simkin
script-worlds-no-run = { $run } no es una serie de un patrón.
script-worlds-no-letter = { $letter } no es una letra de un patrón: b está muerta, o vive, $ acaba una fila.
script-worlds-pattern-too-large = Un patrón tiene como máximo { $most } células.
script-worlds-pattern-empty = Ninguna célula de este patrón vive.
script-worlds-with-bot = { $name } (bot { $bot })
script-worlds-choose-base = Elige dónde va la esquina superior izquierda de tu base: una base en cada cuadrante.
script-worlds-fallen = Tu reino ha caído.
script-worlds-fell = Tu reino cayó en la generación { $generation }, hace { $ago }.
script-worlds-fell-in-siege = Su base perdió la última moneda en un asedio.
script-worlds-fell-to = { $attacker } tomó la última moneda de su base.
script-worlds-fell-by-operator = El operador de este sitio liberó su plaza.
script-worlds-fell-by-grace = No tuvo ninguna célula viva durante diez minutos.
script-worlds-may-join-again = Lo que hay en tu monedero es tuyo; puedes volver a entrar.
script-worlds-joined = Tienes la plaza { $slot }. Coloca células dentro de tus muros: lo que nace fuera toma terreno.
script-worlds-cells-placed = { $cells ->
        [one] 1 célula colocada.
       *[other] { $cells } células colocadas.
    }
script-worlds-plays-alone = Nadie juega por ti: el reino es solo tuyo.
script-worlds-bot-plays = { $bot } juega por ti, en unos segundos.
script-worlds-coins = Tu monedero tiene { $coins } monedas.
script-worlds-once-more = Otra vez
script-worlds-next = Siguiente
script-worlds-close = Cerrar
script-worlds-skip = Saltar
script-worlds-wipe-in = cuadrante { $quadrant } en { $time }
script-worlds-grace-ends = en { $time }, si no vive ninguna célula
script-worlds-place-cells = { $cells ->
        [one] Colocar 1 célula
       *[other] Colocar { $cells } células
    }
