# Worlds of Life2.

script-worlds-pattern-own = your own, as text
script-worlds-too-many-cells = Max { $most } cells per call
script-worlds-account = account { $account }
script-worlds-nobody = nobody
script-worlds-cell = column { $col }, row { $row }: { $cell }, { $ground }
script-worlds-living-cell = a living cell
script-worlds-ground-of = ground of { $owner }
script-worlds-pattern-cell = one cell
script-worlds-pattern-block = block
script-worlds-pattern-blinker = blinker
script-worlds-pattern-glider = glider
script-worlds-pattern-lwss = light spaceship
script-worlds-pattern-mwss = middle spaceship
script-worlds-pattern-hwss = heavy spaceship
script-worlds-pattern-gosper = Gosper gun
script-worlds-pattern-simkin = Simkin gun
script-worlds-no-run = { $run } is no run of a pattern.
script-worlds-no-letter = { $letter } is no letter of a pattern: b is dead, o lives, $ ends a row.
script-worlds-pattern-too-large = A pattern has at most { $most } cells.
script-worlds-pattern-empty = No cell of this pattern lives.
script-worlds-with-bot = { $name } (bot { $bot })
script-worlds-choose-base = Choose where the top left of your base stands: one base in each quadrant.
script-worlds-fallen = Your kingdom has fallen.
script-worlds-fell = Your kingdom fell in generation { $generation }, { $ago } ago.
script-worlds-fell-in-siege = Its base lost its last coin in a siege.
script-worlds-fell-to = { $attacker } took the last coin of its base.
script-worlds-fell-by-operator = The operator of this site freed its slot.
script-worlds-fell-by-grace = It had no living cell for ten minutes.
script-worlds-may-join-again = What is in your wallet is yours; you can join again.
script-worlds-joined = You hold slot { $slot }. Place cells inside your walls: what is born outside takes ground.
script-worlds-cells-placed = { $cells ->
        [one] 1 cell placed.
       *[other] { $cells } cells placed.
    }
script-worlds-plays-alone = Nobody plays for you: the kingdom is yours alone.
script-worlds-bot-plays = { $bot } plays for you, in a few seconds.
script-worlds-coins = Your wallet holds { $coins } coins.
script-worlds-once-more = Once more
script-worlds-next = Next
script-worlds-close = Close
script-worlds-skip = Skip
script-worlds-wipe-in = quadrant { $quadrant } in { $time }
script-worlds-grace-ends = in { $time }, if no cell lives
script-worlds-place-cells = { $cells ->
        [one] Place 1 cell
       *[other] Place { $cells } cells
    }
