;; mason: a bot for Conway's Conquerors in WebAssembly text, written by hand.
;;
;; It lays 2 x 2 blocks in its home, at twelve fixed places, one a turn: a block is the still life that four cells make,
;; and a game has twelve turns. Where all places are taken or disturbed it fills dead cells instead. It never looks
;; ahead, uses no random numbers (so it ignores its seed), and always answers with a legal action.
;;
;; Read it beside sdk/ABI.md: every offset below is from the tables there.
(module
  ;; One page of 64 KiB. The arena finds it by its name, writes observations into it and reads actions from it.
  (memory (export "memory") 1)

  ;; Where things are in it. The action needs at most 3 + 2 * 4 = 11 bytes, an observation 776.
  (global $action i32 (i32.const 16))
  (global $observation i32 (i32.const 1024))
  (global $board i32 (i32.const 1072)) ;; the observation's byte 48: 26 rows of 28 bytes, 0 dead, 1 blue, 2 red

  ;; What this turn is about; set anew at the start of each.
  (global $own (mut i32) (i32.const 0))    ;; the byte of our cells on the board
  (global $home (mut i32) (i32.const 0))   ;; the first of the eight columns of our home
  (global $enemy (mut i32) (i32.const 0))  ;; the first of the eight columns of the opponent's
  (global $placed (mut i32) (i32.const 0)) ;; how many cells the action has so far

  ;; Called once, before the first turn: where do observations of $length bytes go?
  (func (export "arena_observation") (param $length i32) (result i32)
    (global.get $observation))

  ;; A byte of the observation's header.
  (func $header (param $offset i32) (result i32)
    (i32.load8_u (i32.add (global.get $observation) (local.get $offset))))

  ;; The address of the first cell that holds $wanted in columns $from..$to, row by row; 0 where none does.
  (func $find (param $wanted i32) (param $from i32) (param $to i32) (result i32)
    (local $row i32) (local $col i32) (local $at i32)
    (loop $rows
      (local.set $col (local.get $from))
      (loop $cols
        ;; at = board + 28 * row + col
        (local.set $at
          (i32.add (global.get $board)
            (i32.add (i32.mul (local.get $row) (i32.const 28)) (local.get $col))))
        (if (i32.eq (i32.load8_u (local.get $at)) (local.get $wanted))
          (then (return (local.get $at))))
        (local.set $col (i32.add (local.get $col) (i32.const 1)))
        (br_if $cols (i32.lt_u (local.get $col) (local.get $to))))
      (local.set $row (i32.add (local.get $row) (i32.const 1)))
      (br_if $rows (i32.lt_u (local.get $row) (i32.const 26))))
    (i32.const 0))

  ;; Whether a cell of ours lives in the eight columns from $from.
  (func $lives_at_home_of (param $from i32) (result i32)
    (i32.ne (i32.const 0)
      (call $find (global.get $own) (local.get $from) (i32.add (local.get $from) (i32.const 8)))))

  ;; The address of a dead cell we may place now; 0 where there is none. The nearest zone that has one is taken. The
  ;; answer is right in the middle of a turn, too, because $place writes its cells onto the board.
  (func $placeable (result i32)
    (local $at i32) (local $at_home i32)
    ;; The own home is always open.
    (local.set $at (call $find (i32.const 0) (global.get $home) (i32.add (global.get $home) (i32.const 8))))
    (if (local.get $at) (then (return (local.get $at))))
    ;; Neutral, columns 8..20, is open while one of our cells lives at home.
    (local.set $at_home (call $lives_at_home_of (global.get $home)))
    (if (local.get $at_home)
      (then
        (local.set $at (call $find (i32.const 0) (i32.const 8) (i32.const 20)))
        (if (local.get $at) (then (return (local.get $at))))))
    ;; The opponent's home is open while our cells live there and in neutral, and, if option bit 0 says so, at home.
    (if
      (i32.and
        (i32.and
          (call $lives_at_home_of (global.get $enemy))
          (i32.ne (i32.const 0) (call $find (global.get $own) (i32.const 8) (i32.const 20))))
        (i32.or
          (local.get $at_home)
          (i32.eqz (i32.and (call $header (i32.const 3)) (i32.const 1)))))
      (then
        (return
          (call $find (i32.const 0) (global.get $enemy) (i32.add (global.get $enemy) (i32.const 8))))))
    (i32.const 0))

  ;; Places the cell at this address: onto the board, so that later cells of this turn see it, and into the action.
  (func $place (param $at i32)
    (local $index i32) (local $entry i32)
    (i32.store8 (local.get $at) (global.get $own))
    ;; Cells stand in the action as row and column, two bytes each, from its byte 3 on.
    (local.set $index (i32.sub (local.get $at) (global.get $board)))
    (local.set $entry
      (i32.add (global.get $action)
        (i32.add (i32.const 3) (i32.mul (global.get $placed) (i32.const 2)))))
    (i32.store8 (local.get $entry) (i32.div_u (local.get $index) (i32.const 28)))
    (i32.store8 (i32.add (local.get $entry) (i32.const 1)) (i32.rem_u (local.get $index) (i32.const 28)))
    (global.set $placed (i32.add (global.get $placed) (i32.const 1))))

  ;; Lays the first of the twelve blocks whose four cells are dead; none, if there is no such block.
  ;; Number n has its top-left corner in row 1 + 4 * (n mod 6) and in column home + 1 + 4 * (n / 6): two dead rows and
  ;; columns lie between blocks, so that no cell has neighbours in two of them.
  (func $lay_block
    (local $number i32) (local $at i32)
    (loop $numbers
      (local.set $at
        (i32.add
          (i32.add (global.get $board)
            (i32.mul (i32.const 28)
              (i32.add (i32.const 1)
                (i32.mul (i32.const 4) (i32.rem_u (local.get $number) (i32.const 6))))))
          (i32.add
            (i32.add (global.get $home) (i32.const 1))
            (i32.mul (i32.const 4) (i32.div_u (local.get $number) (i32.const 6))))))
      ;; Two cells side by side are one 16-bit number, 0 when both are dead; the row below is 28 bytes further on.
      (if
        (i32.eqz
          (i32.or
            (i32.load16_u (local.get $at))
            (i32.load16_u offset=28 (local.get $at))))
        (then
          (call $place (local.get $at))
          (call $place (i32.add (local.get $at) (i32.const 1)))
          (call $place (i32.add (local.get $at) (i32.const 28)))
          (call $place (i32.add (local.get $at) (i32.const 29)))
          (return)))
      (local.set $number (i32.add (local.get $number) (i32.const 1)))
      (br_if $numbers (i32.lt_u (local.get $number) (i32.const 12)))))

  ;; Writes the action's head and makes the answer: its length in the high half, its address in the low half.
  (func $answer (param $kind i32) (param $cells i32) (result i64)
    (i32.store8 (global.get $action) (i32.const 1))                ;; byte 0: version of the contract
    (i32.store8 offset=1 (global.get $action) (local.get $kind))   ;; byte 1: kind of action
    (i32.store8 offset=2 (global.get $action) (local.get $cells))  ;; byte 2: number of cells
    (i64.or
      (i64.shl
        (i64.extend_i32_u (i32.add (i32.const 3) (i32.mul (local.get $cells) (i32.const 2))))
        (i64.const 32))
      (i64.extend_i32_u (global.get $action))))

  ;; Called at each of our turns, after the arena wrote the observation.
  (func (export "arena_turn") (param $length i32) (result i64)
    (local $seat i32) (local $at i32)
    (local.set $seat (call $header (i32.const 2)))
    ;; Seat 0 plays blue, byte 1, from the left; seat 1 plays red, byte 2, from the right.
    (global.set $own (i32.add (local.get $seat) (i32.const 1)))
    (global.set $home (i32.mul (local.get $seat) (i32.const 20)))
    (global.set $enemy (i32.sub (i32.const 20) (global.get $home)))
    (global.set $placed (i32.const 0))

    ;; Four cells: a block if one fits, else whatever is free. A turn may be shorter only when nothing is free.
    (call $lay_block)
    (block $full
      (loop $more
        (br_if $full (i32.eq (global.get $placed) (i32.const 4)))
        (local.set $at (call $placeable))
        (br_if $full (i32.eqz (local.get $at)))
        (call $place (local.get $at))
        (br $more)))
    (if (global.get $placed)
      (then (return (call $answer (i32.const 1) (global.get $placed)))))

    ;; No free cell at all. The skip (kind 3), unless it is used: byte 10 or 11 says so ...
    (if (i32.eqz (call $header (i32.add (i32.const 10) (local.get $seat))))
      (then (return (call $answer (i32.const 3) (i32.const 0)))))
    ;; ... else the bomb (kind 2), from round 7 on and when it is not cooling: anywhere, so in the first corner ...
    (if
      (i32.and
        (i32.ge_u (call $header (i32.const 6)) (i32.const 7))
        (i32.eqz (call $header (i32.add (i32.const 8) (local.get $seat)))))
      (then
        (i32.store16 offset=3 (global.get $action) (i32.const 0)) ;; row 0, column 0
        (return (call $answer (i32.const 2) (i32.const 1)))))
    ;; ... and else the pass (kind 0), which is legal only now.
    (call $answer (i32.const 0) (i32.const 0))))
