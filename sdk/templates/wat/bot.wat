;; A bot for the arena, by hand. It plays every game legally and none well: change what the four games' functions do.
;;
;; arena.wat has what is used here besides WebAssembly's own instructions; it is assembled in front of this file, and together
;; they are one module.

;; Our text, in memory that arena.wat leaves to us: from $FREE, 4096, on.
(data (i32.const 4096) "a game that this bot does not know")

;; Called at each of our turns. The action begins as a pass.
(func $turn
  (if (i32.eq (call $game) (global.get $CONQUERORS)) (then (call $conquerors) (return)))
  (if (i32.eq (call $game) (global.get $WAR_OF_LIFE)) (then (call $war_of_life) (return)))
  (if (i32.eq (call $game) (global.get $GAME_OF_GAME_OF_LIFE)) (then (call $game_of_game_of_life) (return)))
  (if (i32.eq (call $game) (global.get $LIFE2)) (then (call $life2) (return)))
  ;; What is logged shows up in `arena check` and `arena debug`.
  (call $log (i32.const 4096) (i32.const 34)))

;; ---- Conway's Conquerors: a block at home, the still life of four cells, wherever there is room for it --------------------

(func $conquerors
  (local $least i64) (local $row i32) (local $col i32)
  (call $rng_of_turn)
  ;; Of the fuel that is left, at most a million units go into drawing places by lot.
  (local.set $least (i64.sub (call $fuel) (i64.const 1000000)))
  (loop $again
    (local.set $row (call $below (i32.const 25)))
    (local.set $col (i32.add (call $conquerors_home (call $seat)) (call $below (i32.const 7))))
    ;; Two cells side by side are one 16-bit number, 0 when both are dead.
    (if
      (i32.eqz
        (i32.or
          (i32.load16_u (call $conquerors_at (local.get $row) (local.get $col)))
          (i32.load16_u (call $conquerors_at (i32.add (local.get $row) (i32.const 1)) (local.get $col)))))
      (then (call $block_at (local.get $row) (local.get $col)))
      (else (br_if $again (i64.gt_s (call $fuel) (local.get $least))))))
  ;; Where there was no room: any legal turn.
  (call $conquerors_finish))

(func $block_at (param $row i32) (param $col i32)
  (drop (call $conquerors_place (local.get $row) (local.get $col)))
  (drop (call $conquerors_place (local.get $row) (i32.add (local.get $col) (i32.const 1))))
  (drop (call $conquerors_place (i32.add (local.get $row) (i32.const 1)) (local.get $col)))
  (drop (call $conquerors_place (i32.add (local.get $row) (i32.const 1)) (i32.add (local.get $col) (i32.const 1)))))

;; ---- War of Life: the first piece that can move, to its first empty neighbour ---------------------------------------------

(func $war_of_life
  (local $from i32) (local $step i32) (local $row i32) (local $col i32) (local $to_row i32) (local $to_col i32)
  (loop $pieces
    (local.set $row (i32.div_u (local.get $from) (i32.const 8)))
    (local.set $col (i32.rem_u (local.get $from) (i32.const 8)))
    (if (i32.eq (call $war_of_life_cell (local.get $row) (local.get $col)) (call $own))
      (then
        (local.set $step (i32.const 0))
        (loop $steps
          ;; Step number s goes s / 3 - 1 rows down and s mod 3 - 1 columns to the right.
          (local.set $to_row
            (i32.sub (i32.add (local.get $row) (i32.div_u (local.get $step) (i32.const 3))) (i32.const 1)))
          (local.set $to_col
            (i32.sub (i32.add (local.get $col) (i32.rem_u (local.get $step) (i32.const 3))) (i32.const 1)))
          (if (i32.eqz (call $war_of_life_cell (local.get $to_row) (local.get $to_col)))
            (then
              (call $war_of_life_move
                (local.get $row) (local.get $col) (local.get $to_row) (local.get $to_col))
              (return)))
          (local.set $step (i32.add (local.get $step) (i32.const 1)))
          (br_if $steps (i32.lt_u (local.get $step) (i32.const 9))))))
    (local.set $from (i32.add (local.get $from) (i32.const 1)))
    (br_if $pieces (i32.lt_u (local.get $from) (i32.const 64)))))

;; ---- Game of Game of Life: the first dead cell two columns to the right of an own one -------------------------------------

(func $game_of_game_of_life
  (local $row i32) (local $col i32)
  (loop $rows
    (local.set $col (i32.const 0))
    (loop $cols
      (if
        (i32.and
          (i32.eq (call $gogol_cell (local.get $row) (local.get $col)) (call $own))
          (i32.eqz (call $gogol_cell (local.get $row) (i32.add (local.get $col) (i32.const 2)))))
        (then
          (call $gogol_act (local.get $row) (i32.add (local.get $col) (i32.const 2)))
          (return)))
      (local.set $col (i32.add (local.get $col) (i32.const 1)))
      (br_if $cols (i32.lt_u (local.get $col) (call $gogol_side))))
    (local.set $row (i32.add (local.get $row) (i32.const 1)))
    (br_if $rows (i32.lt_u (local.get $row) (call $gogol_side)))))

;; ---- Life2: a glider somewhere inside the base, as far as there is room and a coin ----------------------------------------

(func $life2
  (local $row i32) (local $col i32)
  (call $rng_of_turn)
  (local.set $row (i32.add (i32.const 29) (call $below (i32.const 4))))
  (local.set $col (i32.add (i32.const 29) (call $below (i32.const 4))))
  (drop (call $life2_place (local.get $row) (i32.add (local.get $col) (i32.const 1))))
  (drop (call $life2_place (i32.add (local.get $row) (i32.const 1)) (i32.add (local.get $col) (i32.const 2))))
  (local.set $row (i32.add (local.get $row) (i32.const 2)))
  (drop (call $life2_place (local.get $row) (local.get $col)))
  (drop (call $life2_place (local.get $row) (i32.add (local.get $col) (i32.const 1))))
  (drop (call $life2_place (local.get $row) (i32.add (local.get $col) (i32.const 2)))))
