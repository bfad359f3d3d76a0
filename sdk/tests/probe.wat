;; What layers.test.mjs asks of arena.wat: `probe` takes a question, where observations are, and gives 32-bit words; the test
;; says which. It is an export of its own because arena.wat makes the answer of `arena_turn` itself.

(global $WORDS i32 (i32.const 8192))

;; A number of the question.
(func $number (param $at i32) (result i32)
  (i32.load (i32.add (global.get $OBSERVATION) (local.get $at))))

(func (export "probe") (result i64)
  (local $i i32) (local $count i32) (local $what i32) (local $at i32) (local $bits i32)
  (local.set $what (call $number (i32.const 40)))
  (local.set $count (call $number (i32.const 44)))
  (call $rng_of (global.get $OBSERVATION) (i64.load offset=32 (global.get $OBSERVATION)))
  (if (i32.eq (local.get $what) (i32.const 3))
    (then
      (call $conquerors_bits_of (i32.add (global.get $OBSERVATION) (i32.const 52)) (i32.const 4096))
      (call $conquerors_next (i32.const 4096) (i32.const 4352))))
  (loop $words
    (local.set $at (i32.add (global.get $WORDS) (i32.mul (i32.const 4) (local.get $i))))
    (if (i32.eqz (local.get $what)) (then (i32.store (local.get $at) (call $word))))
    (if (i32.eq (local.get $what) (i32.const 1))
      (then (i32.store (local.get $at) (call $below (call $number (i32.const 48))))))
    (if (i32.eq (local.get $what) (i32.const 2)) (then (i32.store (local.get $at) (local.get $i))))
    (if (i32.eq (local.get $what) (i32.const 3))
      (then
        (local.set $bits
          (i32.add (i32.const 4352) (i32.mul (i32.const 4) (i32.div_u (local.get $i) (i32.const 28)))))
        (i32.store (local.get $at)
          (i32.add
            (call $bit (i32.load (local.get $bits)) (local.get $i))
            (i32.mul (i32.const 2) (call $bit (i32.load offset=104 (local.get $bits)) (local.get $i)))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $words (i32.lt_u (local.get $i) (local.get $count))))
  (if (i32.eq (local.get $what) (i32.const 2)) (then (call $shuffle (global.get $WORDS) (local.get $count))))
  (i64.or
    (i64.shl (i64.extend_i32_u (i32.mul (i32.const 4) (local.get $count))) (i64.const 32))
    (i64.extend_i32_u (global.get $WORDS))))

;; The bit of a row that is cell number $cell of the board.
(func $bit (param $row i32) (param $cell i32) (result i32)
  (i32.and (i32.shr_u (local.get $row) (i32.rem_u (local.get $cell) (i32.const 28))) (i32.const 1)))

(func $turn)
