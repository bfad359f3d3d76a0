# Positions, turns and endings in words.

script-board-placed-as = , colocada con el número { $number }
script-board-is-chosen = , elegida
script-board-may-go-there = , puede ir ahí
script-board-is-open = , abierta
script-board-empty = vacía
script-board-no-way-for-piece = Esta pieza no tiene adónde ir.
script-board-out = fuera
script-board-reason-extinction = nadie más tiene células vivas
script-board-reason-mutual-extinction = a nadie le quedan células vivas
script-board-reason-majority = fue el último turno
script-board-reason-exhausted = se ha hecho la última jugada
script-board-reason-stalemate = no queda ninguna jugada posible
script-board-reason-agreed = ambos lo acordaron
script-board-forfeit-fuel-exhausted = se quedó sin combustible
script-board-forfeit-stack-overflow = desbordó su pila
script-board-forfeit-trap = falló
script-board-forfeit-bad-pointer = apuntó fuera de su memoria
script-board-forfeit-bad-output = dio bytes que no son una acción
script-board-forfeit-illegal-move = jugó algo que no es legal
script-board-forfeit-resigned = se rindió
script-board-forfeit-out-of-time = se quedó sin tiempo
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
