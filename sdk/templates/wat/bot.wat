;; A bot for the arena, by hand. It plays every game legally and none well: change what the three games' functions do.
;;
;; Read it beside ABI.md: every offset below is from the tables there. Memory and globals last from turn to turn, and
;; nothing survives the game.
(module
  ;; For your log: (call $log (address) (length)) shows up in `arena check` and `arena debug`.
  (import "arena" "log" (func $log (param i32 i32)))

  ;; One page of 64 KiB. The arena finds it by its name, writes observations into it and reads actions from it.
  (memory (export "memory") 1)
  (global $action i32 (i32.const 16))        ;; at most 3 bytes and two for each cell
  (global $observation i32 (i32.const 1024)) ;; at most 656 bytes

  (data (i32.const 512) "a game that this bot does not know")

  ;; Called once, before the first turn: where do observations of $length bytes go?
  (func (export "arena_observation") (param $length i32) (result i32)
    (global.get $observation))

  ;; A byte of the observation.
  (func $byte (param $offset i32) (result i32)
    (i32.load8_u (i32.add (global.get $observation) (local.get $offset))))

  ;; What our cells are on the board: 1 + seat, in every game.
  (func $own (result i32)
    (i32.add (call $byte (i32.const 2)) (i32.const 1)))

  ;; Adds a cell to the action, and makes it one of this kind. Byte 2 of an action counts its cells.
  (func $add (param $kind i32) (param $row i32) (param $col i32)
    (local $count i32) (local $entry i32)
    (local.set $count (i32.load8_u offset=2 (global.get $action)))
    (local.set $entry (i32.add (global.get $action) (i32.mul (local.get $count) (i32.const 2))))
    (i32.store8 offset=3 (local.get $entry) (local.get $row))
    (i32.store8 offset=4 (local.get $entry) (local.get $col))
    (i32.store8 offset=1 (global.get $action) (local.get $kind))
    (i32.store8 offset=2 (global.get $action) (i32.add (local.get $count) (i32.const 1))))

  ;; Called at each of our turns, after the arena wrote the observation.
  (func (export "arena_turn") (param $length i32) (result i64)
    ;; A turn begins as a pass: version 1, kind 0, no cells.
    (i32.store (global.get $action) (i32.const 1))
    ;; Byte 1 says which game it is.
    (block $done
      (block $unknown
        (block $game_of_game_of_life
          (block $war_of_life
            (block $conquerors
              (br_table $unknown $conquerors $war_of_life $game_of_game_of_life $unknown
                (call $byte (i32.const 1))))
            (call $conquerors)
            (br $done))
          (call $war_of_life)
          (br $done))
        (call $game_of_game_of_life)
        (br $done))
      (call $log (i32.const 512) (i32.const 34)))
    ;; The answer: the action's length in the high half, its address in the low half.
    (i64.or
      (i64.shl
        (i64.extend_i32_u
          (i32.add (i32.const 3) (i32.mul (i32.const 2) (i32.load8_u offset=2 (global.get $action)))))
        (i64.const 32))
      (i64.extend_i32_u (global.get $action))))

  ;; ---- Conway's Conquerors: a block, the still life of four cells, at the first of 27 places at home that is free -------

  (func $conquerors
    (local $place i32) (local $row i32) (local $col i32) (local $at i32)
    ;; Place number n has its top-left corner in row 3 * (n / 3) and in column home + 3 * (n mod 3): one dead row or column
    ;; lies between blocks, which is enough.
    (loop $places
      (local.set $row (i32.mul (i32.const 3) (i32.div_u (local.get $place) (i32.const 3))))
      (local.set $col
        (i32.add
          (i32.mul (call $byte (i32.const 2)) (i32.const 20))
          (i32.mul (i32.const 3) (i32.rem_u (local.get $place) (i32.const 3)))))
      ;; The cells begin at byte 48, 28 to a row.
      (local.set $at
        (i32.add
          (i32.add (global.get $observation) (i32.const 48))
          (i32.add (i32.mul (local.get $row) (i32.const 28)) (local.get $col))))
      ;; Two cells side by side are one 16-bit number, 0 when both are dead; the row below is 28 bytes further on.
      (if
        (i32.eqz
          (i32.or (i32.load16_u (local.get $at)) (i32.load16_u offset=28 (local.get $at))))
        (then
          (call $add (i32.const 1) (local.get $row) (local.get $col))
          (call $add (i32.const 1) (local.get $row) (i32.add (local.get $col) (i32.const 1)))
          (call $add (i32.const 1) (i32.add (local.get $row) (i32.const 1)) (local.get $col))
          (call $add (i32.const 1) (i32.add (local.get $row) (i32.const 1)) (i32.add (local.get $col) (i32.const 1)))
          (return)))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $places (i32.lt_u (local.get $place) (i32.const 27))))
    ;; No place is free: the skip, kind 3, if it is not used; byte 10 or 11 says so.
    (if (i32.eqz (call $byte (i32.add (i32.const 10) (call $byte (i32.const 2)))))
      (then (i32.store8 offset=1 (global.get $action) (i32.const 3)) (return)))
    ;; Else the first four dead cells at home, of 208.
    (local.set $place (i32.const 0))
    (loop $cells
      (local.set $row (i32.div_u (local.get $place) (i32.const 8)))
      (local.set $col
        (i32.add
          (i32.mul (call $byte (i32.const 2)) (i32.const 20))
          (i32.rem_u (local.get $place) (i32.const 8))))
      (if
        (i32.eqz
          (call $byte
            (i32.add (i32.const 48) (i32.add (i32.mul (local.get $row) (i32.const 28)) (local.get $col)))))
        (then (call $add (i32.const 1) (local.get $row) (local.get $col))))
      (local.set $place (i32.add (local.get $place) (i32.const 1)))
      (br_if $cells
        (i32.and
          (i32.lt_u (local.get $place) (i32.const 208))
          (i32.lt_u (i32.load8_u offset=2 (global.get $action)) (i32.const 4))))))

  ;; ---- War of Life: the first piece that can move, to its first empty neighbour -----------------------------------------

  (func $war_of_life
    (local $from i32) (local $step i32) (local $row i32) (local $col i32)
    (loop $pieces
      (local.set $step (i32.const 0))
      ;; The cells begin at byte 48, 8 to a row.
      (if (i32.eq (call $byte (i32.add (i32.const 48) (local.get $from))) (call $own))
        (then
          (loop $steps
            ;; Step number s goes s / 3 - 1 rows down and s mod 3 - 1 columns to the right.
            (local.set $row
              (i32.sub
                (i32.add (i32.div_u (local.get $from) (i32.const 8)) (i32.div_u (local.get $step) (i32.const 3)))
                (i32.const 1)))
            (local.set $col
              (i32.sub
                (i32.add (i32.rem_u (local.get $from) (i32.const 8)) (i32.rem_u (local.get $step) (i32.const 3)))
                (i32.const 1)))
            ;; -1, as an unsigned number, is beyond the last row or column, too.
            (if (i32.and (i32.lt_u (local.get $row) (i32.const 8)) (i32.lt_u (local.get $col) (i32.const 8)))
              (then
                (if
                  (i32.eqz
                    (call $byte
                      (i32.add (i32.const 48) (i32.add (i32.mul (local.get $row) (i32.const 8)) (local.get $col)))))
                  (then
                    (call $add (i32.const 1)
                      (i32.div_u (local.get $from) (i32.const 8))
                      (i32.rem_u (local.get $from) (i32.const 8)))
                    (call $add (i32.const 1) (local.get $row) (local.get $col))
                    (return)))))
            (local.set $step (i32.add (local.get $step) (i32.const 1)))
            (br_if $steps (i32.lt_u (local.get $step) (i32.const 9))))))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (br_if $pieces (i32.lt_u (local.get $from) (i32.const 64)))))

  ;; ---- Game of Game of Life: the first dead cell two columns to the right of an own one ---------------------------------

  (func $game_of_game_of_life
    (local $side i32) (local $at i32) (local $row i32) (local $col i32)
    (local.set $side (call $byte (i32.const 6)))
    (loop $cells
      ;; The cells begin at byte 80, $side to a row; the board wraps.
      (if (i32.eq (call $byte (i32.add (i32.const 80) (local.get $at))) (call $own))
        (then
          (local.set $row (i32.div_u (local.get $at) (local.get $side)))
          (local.set $col
            (i32.rem_u
              (i32.add (i32.rem_u (local.get $at) (local.get $side)) (i32.const 2))
              (local.get $side)))
          (if
            (i32.eqz
              (call $byte
                (i32.add (i32.const 80) (i32.add (i32.mul (local.get $row) (local.get $side)) (local.get $col)))))
            (then
              (call $add (i32.const 1) (local.get $row) (local.get $col))
              (return)))))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $cells (i32.lt_u (local.get $at) (i32.mul (local.get $side) (local.get $side)))))))
