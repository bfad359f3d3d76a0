;; A bot for Conway's Conquerors over arena.wat: a block a turn, at twelve places of its home that are two cells apart.

(func $turn
  (local $n i32) (local $row i32) (local $col i32)
  ;; Place number n of twelve: row 1 + 4 * (n mod 6), column home + 1 + 4 * (n / 6). Takes the first that is dead.
  (loop $next
    (local.set $row (i32.add (i32.const 1) (i32.mul (i32.const 4) (i32.rem_u (local.get $n) (i32.const 6)))))
    (local.set $col
      (i32.add
        (i32.add (call $conquerors_home (call $seat)) (i32.const 1))
        (i32.mul (i32.const 4) (i32.div_u (local.get $n) (i32.const 6)))))
    (if (call $is_dead (local.get $row) (local.get $col))
      (then
        (drop (call $conquerors_place (local.get $row) (local.get $col)))
        (drop (call $conquerors_place (local.get $row) (i32.add (local.get $col) (i32.const 1))))
        (drop (call $conquerors_place (i32.add (local.get $row) (i32.const 1)) (local.get $col)))
        (drop (call $conquerors_place (i32.add (local.get $row) (i32.const 1)) (i32.add (local.get $col) (i32.const 1))))
        (return)))
    (local.set $n (i32.add (local.get $n) (i32.const 1)))
    (br_if $next (i32.lt_u (local.get $n) (i32.const 12))))
  ;; No room for a block: the first cells that may be placed, or the skip.
  (call $conquerors_finish))

;; Whether the four cells of a block at this corner are dead. Two cells side by side are one number of 16 bits.
(func $is_dead (param $row i32) (param $col i32) (result i32)
  (i32.eqz
    (i32.or
      (i32.load16_u (call $conquerors_at (local.get $row) (local.get $col)))
      (i32.load16_u (call $conquerors_at (i32.add (local.get $row) (i32.const 1)) (local.get $col))))))
