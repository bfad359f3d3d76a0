# Positions and turns in words.

script-board-placed-as = , colocada con el número { $number }
script-board-is-chosen = , elegida
script-board-may-go-there = , puede ir ahí
script-board-is-open = , abierta
script-board-empty = vacía
script-board-no-way-for-piece = Esta pieza no tiene adónde ir.
script-board-out = fuera
script-board-and = {" "}y{" "}
script-board-cells = { $cells ->
        [one] 1 célula
       *[other] { $cells } células
    }
script-board-seats-named = { $named } de { $seats } bandos nombraron una casilla
script-board-seats-passed = { $named }, { $passed } pasaron.
script-board-open-to = Abierto para { $seat }: { $zones }.
script-board-open = Abierto: { $zones }.
script-board-the-start = El comienzo
script-board-empty-board = El tablero vacío
script-board-begins = { $start }; empieza { $seat }.
script-board-of-nobody = de nadie
script-board-new-cells = células nuevas: { $cells }
script-board-none = ninguna
script-board-gone = desaparecidas: { $cells }
script-board-cleared = despejadas: { $cells }
script-board-born = nacen: { $cells }
script-board-no-births = no nace ninguna
script-board-dying = mueren: { $cells }
script-board-no-deaths = no muere ninguna
script-board-score = tanteo { $own } a { $other }
script-board-wins-by-forfeit = Gana { $player }: el rival ha perdido por falta.
script-board-end-score = { $own } a { $other }
script-board-end-share =
    { $all ->
        [one] {" "}con la única célula
       *[other] {" "}con { $cells } de { $all } células
    }
script-board-draw = Empate{ $score }: { $why }.
script-board-wins = Gana { $player }{ $score }: { $why }.
script-board-detail = : «{ $detail }»
script-board-before-first-turn = antes del primer turno
script-board-in-turn = en el turno { $turn }
script-board-row = fila { $row }: { $columns }
script-board-and-score = , tanteo { $score }
script-board-no-cell = { $who }: ninguna célula{ $score }.
script-board-cells-of = { $who }: { $cells }{ $score }. En { $rows }.
script-board-game-over = La partida ha terminado.
script-board-moves = Mueve { $seat }.
script-board-nobodys = De nadie
script-board-plays = juega
