# The same for Life2, in worlds and in games.

script-phrase-kingdom-is-out = this seat's kingdom has fallen, or the seat is out
script-phrase-too-many-named = a turn places at most { $most } cells, not { $named }
script-phrase-named-twice = ({ $row }, { $col }) is named twice
script-phrase-too-few-coins = { $cells } cells cost as many coins; the wallet has { $coins }
script-phrase-at-cell = ({ $row }, { $col })
script-phrase-already-in-game = Already in game
script-phrase-need-coins = Need { $coins } coins to join
script-phrase-out-of-range = Coordinates out of range
script-phrase-quadrant-taken = Quadrant already has a base
script-phrase-overlaps-base = Overlaps existing base
script-phrase-no-slot = No free slot
script-phrase-too-many-placed = Max { $most } cells per call
script-phrase-not-in-game = Not in game
script-phrase-insufficient-coins = Insufficient coins
script-phrase-not-your-territory = Not your territory
script-phrase-on-wall = Cannot place on walls
script-phrase-cell-lives = Cell already alive
script-phrase-wallet-full = Wallet is full
