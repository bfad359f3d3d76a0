# What the rules tell in phrases: each id ends with the code of one.

script-phrase-game-over = the game is over
script-phrase-not-your-turn = it is the other player's turn
script-phrase-off-board = row { $row }, column { $col } is not on the board (rows 0-{ $bottom }, columns 0-{ $right })
script-phrase-cell-alive = the cell at row { $row }, column { $col } is alive already
script-phrase-home-out-of-reach = row { $row }, column { $col } is out of reach: a home is always open
script-phrase-neutral-out-of-reach = row { $row }, column { $col } is out of reach: neutral ground needs a living cell in your own home
script-phrase-enemy-out-of-reach = row { $row }, column { $col } is out of reach: the enemy's home needs living cells in your home, in neutral and there
script-phrase-too-many-cells = a turn places at most { $most ->
        [one] { $most } cell
       *[other] { $most } cells
    }
script-phrase-no-cells = a placement names at least one cell; a turn without one is a skip or a pass
script-phrase-too-few-cells = { $placed } of { $most } cells were placed while another legal cell was left
script-phrase-bomb-too-early = the bomb unlocks in round { $round }
script-phrase-bomb-cooling = the bomb cools for { $ends ->
        [one] { $ends } more turn end
       *[other] { $ends } more turn ends
    }
script-phrase-turn-started = a bomb or skip takes a whole turn, and cells were placed in this one
script-phrase-skip-used = the only skip is used
script-phrase-pass-not-needed = a pass is legal only when nothing else is
script-phrase-not-your-piece = there is no piece of yours at row { $row }, column { $col }
script-phrase-not-a-neighbour = row { $row }, column { $col } does not touch the piece's cell
script-phrase-piece-there = there is a piece at row { $row }, column { $col } already
script-phrase-seat-is-out = this seat has no living cell, or is out
script-phrase-cells-not-chosen = its cells are not all chosen
script-phrase-seat-not-asked = seat { $seat } is not asked
script-phrase-game-started = the game has started
script-phrase-too-much-fuel = { $took } fuel for an answer that may take { $allowed }
script-phrase-in-turn = turn { $turn }
script-phrase-answer-missing = an answer is missing
script-phrase-action-short = an action has at least { $least ->
        [one] { $least } byte
       *[other] { $least } bytes
    }, this one has { $bytes }
script-phrase-action-version = the first byte of an action is the version, { $version }, not { $byte }
script-phrase-action-kind = the second byte is the kind of action, and { $kind } is none
script-phrase-action-cells = an action of this kind does not come with { $cells ->
        [one] { $cells } cell
       *[other] { $cells } cells
    }
script-phrase-action-length = an action with this header has { $expected ->
        [one] { $expected } byte
       *[other] { $expected } bytes
    }, this one has { $bytes }
script-phrase-round = Round { $round } of { $rounds }
script-phrase-move = Move { $turn } of { $turns }
script-phrase-generation = Generation { $generation } of { $generations }
script-phrase-turns-left = { $turns ->
        [one] { $turns } turn left
       *[other] { $turns } turns left
    }
script-phrase-from-round = from round { $round }
script-phrase-ready = ready
script-phrase-ready-in = ready in { $ends }
script-phrase-used = used
script-phrase-once = once
script-phrase-coins-left = { $coins ->
        [one] { $coins } coin left
       *[other] { $coins } coins left
    }
script-phrase-open-home = home
script-phrase-open-neutral = neutral
script-phrase-open-enemy-home = enemy home (×2)
script-phrase-seat-blue = blue
script-phrase-seat-red = red
script-phrase-tool-conquerors-place = place
script-phrase-tool-conquerors-place-purpose = brings up to four cells to life, one after the other
script-phrase-tool-conquerors-place-done = places { $cells }
script-phrase-tool-conquerors-bomb = bomb
script-phrase-tool-conquerors-bomb-purpose = clears the 3 x 3 square around a cell
script-phrase-tool-conquerors-bomb-done = bombs the square around { $cells }
script-phrase-tool-conquerors-skip = skip
script-phrase-tool-conquerors-skip-purpose = places nothing, once a game
script-phrase-tool-conquerors-skip-done = skips
script-phrase-tool-conquerors-pass = pass
script-phrase-tool-conquerors-pass-purpose = places nothing where nothing else is possible
script-phrase-tool-conquerors-pass-done = can do nothing
script-phrase-tool-war-of-life-move = move
script-phrase-tool-war-of-life-move-purpose = takes an own piece to an empty cell beside it
script-phrase-tool-war-of-life-move-done = moves { $from } to { $to }
script-phrase-tool-game-of-game-of-life-cell = cell
script-phrase-tool-game-of-game-of-life-cell-purpose = kills an own cell, or claims another one near an own
script-phrase-tool-game-of-game-of-life-cell-done = plays { $cells }
script-phrase-tool-game-of-game-of-life-pass = pass
script-phrase-tool-game-of-game-of-life-pass-purpose = changes nothing
script-phrase-tool-game-of-game-of-life-pass-done = passes
script-phrase-tool-life2-place = place
script-phrase-tool-life2-place-purpose = makes cells live on own ground, a coin each
script-phrase-tool-life2-place-done = places { $cells }
script-phrase-tool-life2-pass = pass
script-phrase-tool-life2-pass-purpose = changes nothing
script-phrase-tool-life2-pass-done = passes
