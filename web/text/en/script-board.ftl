# Positions and turns in words.

script-board-placed-as = , placed as number { $number }
script-board-is-chosen = , chosen
script-board-may-go-there = , it may go there
script-board-is-open = , open
script-board-empty = empty
script-board-no-way-for-piece = This piece has nowhere to go.
script-board-out = out
script-board-and = {" "}and{" "}
script-board-cells = { $cells ->
        [one] 1 cell
       *[other] { $cells } cells
    }
script-board-seats-named = { $named } of { $seats } seats named a cell
script-board-seats-passed = { $named }, { $passed } passed.
script-board-open-to = Open to { $seat }: { $zones }.
script-board-open = Open: { $zones }.
script-board-the-start = The start
script-board-empty-board = The empty board
script-board-begins = { $start }; { $seat } begins.
script-board-of-nobody = nobody’s
script-board-new-cells = new cells: { $cells }
script-board-none = none
script-board-gone = gone: { $cells }
script-board-cleared = cleared: { $cells }
script-board-born = born: { $cells }
script-board-no-births = no births
script-board-dying = dying: { $cells }
script-board-no-deaths = no deaths
script-board-score = score { $own } to { $other }
script-board-wins-by-forfeit = { $player } wins by forfeit.
script-board-end-score = { $own } to { $other }
script-board-end-share =
    { $all ->
        [one] {" "}with the only cell
       *[other] {" "}with { $cells } of { $all } cells
    }
script-board-draw = A draw{ $score }: { $why }.
script-board-wins = { $player } wins{ $score }: { $why }.
script-board-detail = : { $detail }
script-board-before-first-turn = before the first turn
script-board-in-turn = in turn { $turn }
script-board-row = row { $row }: { $columns }
script-board-and-score = , score { $score }
script-board-no-cell = { $who }: no cell{ $score }.
script-board-cells-of = { $who }: { $cells }{ $score }. In { $rows }.
script-board-game-over = The game is over.
script-board-moves = { $seat } moves.
script-board-nobodys = Nobody’s
script-board-plays = plays
