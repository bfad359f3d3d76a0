;; A bot for Conway's Conquerors by hand: a block a turn, at twelve places of its home that are two cells apart.
(module
  (import "arena" "log" (func $log (param $address i32) (param $length i32)))
  (memory (export "memory") 1)
  (data (i32.const 512) "no room for a block")
  (global $action i32 (i32.const 16))
  (global $seen i32 (i32.const 1024))

  ;; Called once: where do observations go?
  (func (export "arena_observation") (param $length i32) (result i32)
    (global.get $seen))

  ;; The first column of our home: 0 for blue, seat 0, and 20 for red, seat 1.
  (func $home (result i32)
    (i32.mul (i32.load8_u offset=2 (global.get $seen)) (i32.const 20)))

  ;; The address of a cell. The board begins at byte 48 and has 28 cells to a row.
  (func $cell (param $row i32) (param $col i32) (result i32)
    (i32.add
      (i32.add (global.get $seen) (i32.const 48))
      (i32.add (i32.mul (local.get $row) (i32.const 28)) (local.get $col))))

  ;; Adds a cell to the action if it is dead and there is room for it. Byte 2 counts the cells, which begin at byte 3.
  (func $place (param $row i32) (param $col i32)
    (local $count i32) (local $entry i32)
    (local.set $count (i32.load8_u offset=2 (global.get $action)))
    (if (i32.eq (local.get $count) (i32.const 4)) (then (return)))
    (if (i32.load8_u (call $cell (local.get $row) (local.get $col))) (then (return)))
    (local.set $entry (i32.add (global.get $action) (i32.mul (i32.const 2) (local.get $count))))
    (i32.store8 offset=3 (local.get $entry) (local.get $row))
    (i32.store8 offset=4 (local.get $entry) (local.get $col))
    (i32.store8 offset=1 (global.get $action) (i32.const 1)) ;; kind 1: cells
    (i32.store8 offset=2 (global.get $action) (i32.add (local.get $count) (i32.const 1))))

  ;; Places number n of twelve: row 1 + 4 * (n mod 6), column home + 1 + 4 * (n / 6). Takes the first that is dead.
  (func $block
    (local $n i32) (local $row i32) (local $col i32) (local $at i32)
    (loop $next
      (local.set $row (i32.add (i32.const 1) (i32.mul (i32.const 4) (i32.rem_u (local.get $n) (i32.const 6)))))
      (local.set $col
        (i32.add
          (i32.add (call $home) (i32.const 1))
          (i32.mul (i32.const 4) (i32.div_u (local.get $n) (i32.const 6)))))
      (local.set $at (call $cell (local.get $row) (local.get $col)))
      ;; Two cells side by side are one number of 16 bits; the row below is 28 bytes further on.
      (if (i32.eqz (i32.or (i32.load16_u (local.get $at)) (i32.load16_u offset=28 (local.get $at))))
        (then
          (call $place (local.get $row) (local.get $col))
          (call $place (local.get $row) (i32.add (local.get $col) (i32.const 1)))
          (call $place (i32.add (local.get $row) (i32.const 1)) (local.get $col))
          (call $place (i32.add (local.get $row) (i32.const 1)) (i32.add (local.get $col) (i32.const 1)))
          (return)))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $n) (i32.const 12))))
    (call $log (i32.const 512) (i32.const 19)))

  ;; Called at each of our turns.
  (func $turn (export "arena_turn") (param $length i32) (result i64)
    (local $n i32)
    (i32.store (global.get $action) (i32.const 1)) ;; version 1, and no cells yet
    (call $block)
    ;; A turn has four cells: the first dead ones of our home, row by row, if there was no block.
    (loop $next
      (call $place
        (i32.div_u (local.get $n) (i32.const 8))
        (i32.add (call $home) (i32.rem_u (local.get $n) (i32.const 8))))
      (local.set $n (i32.add (local.get $n) (i32.const 1)))
      (br_if $next (i32.lt_u (local.get $n) (i32.const 208))))
    ;; The answer: length 3 + 2 * cells in the high half, address in the low half.
    (i64.or
      (i64.shl
        (i64.extend_i32_u
          (i32.add (i32.const 3) (i32.mul (i32.const 2) (i32.load8_u offset=2 (global.get $action)))))
        (i64.const 32))
      (i64.extend_i32_u (global.get $action)))))
