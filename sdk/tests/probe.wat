;; The probe of arena.wat for layers.test.mjs, where the questions are listed: a bot that also exports `question`, the address for
;; a question, and `probe`, which answers it in 32-bit words. Questions about Life2 are answered in the bot's turn.

(global $WORDS i32 (i32.const 8192))
(global $ASKED i32 (i32.const 49152))

(func (export "question") (result i32) (global.get $ASKED))

;; A number of the question.
(func $number (param $at i32) (result i32)
  (i32.load (i32.add (global.get $ASKED) (local.get $at))))

(func (export "probe") (result i64)
  (local $i i32) (local $count i32) (local $what i32) (local $at i32) (local $bits i32)
  (local.set $what (call $number (i32.const 40)))
  (local.set $count (call $number (i32.const 44)))
  (call $rng_of (global.get $ASKED) (i64.load offset=32 (global.get $ASKED)))
  (if (i32.eq (local.get $what) (i32.const 3))
    (then
      (call $conquerors_bits_of (i32.add (global.get $ASKED) (i32.const 52)) (i32.const 4096))
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
  (if (i32.eq (local.get $what) (i32.const 9)) (then (i64.store (global.get $WORDS) (call $fuel))))
  (if (i32.eq (local.get $what) (i32.const 2)) (then (call $shuffle (global.get $WORDS) (local.get $count))))
  (i64.or
    (i64.shl (i64.extend_i32_u (i32.mul (i32.const 4) (local.get $count))) (i64.const 32))
    (i64.extend_i32_u (global.get $WORDS))))

;; The bit of a row that is cell number $cell of the board.
(func $bit (param $row i32) (param $cell i32) (result i32)
  (i32.and (i32.shr_u (local.get $row) (i32.rem_u (local.get $cell) (i32.const 28))) (i32.const 1)))

;; Called in the bot's turn.
(func $turn
  (local $i i32) (local $at i32) (local $what i32) (local $row i32) (local $col i32)
  (local.set $what (call $number (i32.const 40)))
  (if (i32.eq (local.get $what) (i32.const 4))
    (then
      (call $view (call $life2_kingdom (call $number (i32.const 48))))
      (return)))
  (if (i32.eqz (call $number (i32.const 44))) (then (return)))
  (if (i32.eq (local.get $what) (i32.const 8))
    (then
      (loop $seats
        (local.set $at (i32.add (global.get $WORDS) (i32.mul (i32.const 4) (local.get $i))))
        (i32.store (local.get $at) (call $gogol_last_row (i32.shr_u (local.get $i) (i32.const 1))))
        (i32.store offset=4 (local.get $at) (call $gogol_last_col (i32.shr_u (local.get $i) (i32.const 1))))
        (local.set $i (i32.add (local.get $i) (i32.const 2)))
        (br_if $seats (i32.lt_u (local.get $i) (call $number (i32.const 44)))))
      (return)))
  (loop $words
    (local.set $at (i32.add (global.get $WORDS) (i32.mul (i32.const 4) (local.get $i))))
    ;; The view with a rim of one cell around it.
    (local.set $row
      (i32.sub (i32.div_u (local.get $i) (i32.add (call $life2_cols) (i32.const 2))) (i32.const 1)))
    (local.set $col
      (i32.sub (i32.rem_u (local.get $i) (i32.add (call $life2_cols) (i32.const 2))) (i32.const 1)))
    (if (i32.eq (local.get $what) (i32.const 5))
      (then
        (i32.store (local.get $at)
          (i32.add
            (i32.and (call $life2_cell (local.get $row) (local.get $col)) (i32.const 15))
            (i32.mul
              (i32.and (call $life2_cell (local.get $row) (local.get $col)) (i32.const 16))
              (i32.const 16))))))
    (if (i32.eq (local.get $what) (i32.const 6))
      (then (i32.store (local.get $at) (call $life2_may_place (local.get $row) (local.get $col)))))
    (if (i32.eq (local.get $what) (i32.const 7))
      (then
        (i32.store (local.get $at)
          (call $step (i32.add (i32.const 52) (i32.mul (i32.const 20) (local.get $i)))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $words (i32.lt_u (local.get $i) (call $number (i32.const 44))))))

;; The header of the observation, a seat's row of the table, and where its base is in the view.
(func $view (param $of i32)
  (i32.store (global.get $WORDS) (call $byte (i32.const 3)))
  (i32.store offset=4 (global.get $WORDS) (call $ply))
  (i32.store offset=8 (global.get $WORDS) (i32.load16_u offset=6 (global.get $OBSERVATION)))
  (i32.store offset=12 (global.get $WORDS) (i32.load16_u offset=8 (global.get $OBSERVATION)))
  (i32.store offset=16 (global.get $WORDS) (call $life2_rows))
  (i32.store offset=20 (global.get $WORDS) (call $life2_cols))
  (i32.store offset=24 (global.get $WORDS) (i32.load16_u (local.get $of)))
  (i32.store offset=28 (global.get $WORDS) (i32.load16_u offset=2 (local.get $of)))
  (memory.copy (i32.add (global.get $WORDS) (i32.const 32)) (i32.add (local.get $of) (i32.const 4)) (i32.const 16))
  (i32.store offset=48 (global.get $WORDS) (call $life2_row (i32.load16_u (local.get $of))))
  (i32.store offset=52 (global.get $WORDS) (call $life2_col (i32.load16_u offset=2 (local.get $of)))))

;; Whether a step of a turn could be done: a look, or a cell to place.
(func $step (param $at i32) (result i32)
  (if (result i32) (call $number (local.get $at))
    (then
      (call $life2_look
        (call $number (i32.add (local.get $at) (i32.const 4)))
        (call $number (i32.add (local.get $at) (i32.const 8)))
        (call $number (i32.add (local.get $at) (i32.const 12)))
        (call $number (i32.add (local.get $at) (i32.const 16)))))
    (else
      (call $life2_place
        (call $number (i32.add (local.get $at) (i32.const 4)))
        (call $number (i32.add (local.get $at) (i32.const 8)))))))
