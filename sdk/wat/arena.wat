;; arena.wat: bots for the arena in WebAssembly text. Fields of a module, without (module ...) around them, like the bot's own:
;;
;;     arena assemble arena.wat bot.wat --output mybot.wasm
;;
;; makes one module of both. The bot has a function $turn, which plays the turn at hand:
;;
;;     (func $turn
;;       (drop (call $conquerors_place (i32.const 12) (i32.const 3)))  ;; a cell, if it may be placed
;;       (call $conquerors_finish))                                    ;; some legal end of the turn
;;
;; It wraps the contract of ABI.md and adds no rule of its own: the words used here are explained there. Memory and globals last
;; from turn to turn, and nothing survives the game. Memory from $FREE on is the bot's,
;; but for $OBSERVATION.

;; ---- The contract ---------------------------------------------------------------------------------------------------------

;; A line for the bot's log: (call $log (address) (length)). It costs fuel by the byte; a game keeps 64 lines and 8,192 bytes.
(import "arena" "log" (func $log (param i32 i32)))
;; Units of fuel that this call may still spend and be in time. Asking costs 40, which are paid already.
(import "arena" "fuel" (func $fuel (result i64)))

;; One page of 64 KiB. The arena finds it by its name, writes observations into it and reads actions from it.
(memory (export "memory") 1)

(global $ACTION i32 (i32.const 16))        ;; at most 3 bytes and two for each of 255 cells
(global $RNG i32 (i32.const 2048))         ;; 16 words of state, 16 words that were made of it
(global $SCRATCH i32 (i32.const 2304))     ;; what $log_number and $conquerors_next work with
(global $WIDE i32 (i32.const 1008))        ;; an action of Life2: 4 bytes, 8 to look, and four for each of 255 cells
(global $OBSERVATION i32 (i32.const 32768)) ;; at most 8,192 bytes
(global $FREE i32 (i32.const 4096))

;; The ruleset's byte in observations.
(global $CONQUERORS i32 (i32.const 1))
(global $WAR_OF_LIFE i32 (i32.const 2))
(global $GAME_OF_GAME_OF_LIFE i32 (i32.const 3))
(global $LIFE2 i32 (i32.const 4))

(func $arena_observation (export "arena_observation") (param $length i32) (result i32) ;; called once: where observations go
  (global.get $OBSERVATION))

(func $arena_turn (export "arena_turn") (param $length i32) (result i64) ;; called in each turn: where its answer is
  ;; A turn begins as a pass: version 1, kind 0, no cells.
  (i32.store (global.get $ACTION) (i32.const 1))
  (call $turn)
  (if (i32.eq (call $game) (global.get $LIFE2)) (then (return (call $life2_answer))))
  ;; The action's length in the high half, its address in the low half.
  (i64.or
    (i64.shl
      (i64.extend_i32_u (i32.add (i32.const 3) (i32.mul (i32.const 2) (call $count))))
      (i64.const 32))
    (i64.extend_i32_u (global.get $ACTION))))

;; ---- Observations ---------------------------------------------------------------------------------------------------------

;; A byte of the observation; the tables of ABI.md say which is what.
(func $byte (param $offset i32) (result i32)
  (i32.load8_u (i32.add (global.get $OBSERVATION) (local.get $offset))))

;; Which game it is: $CONQUERORS, $WAR_OF_LIFE, $GAME_OF_GAME_OF_LIFE or $LIFE2.
(func $game (result i32) (call $byte (i32.const 1)))

;; Our seat, from 0.
(func $seat (result i32) (call $byte (i32.const 2)))

;; What our cells are on the board: 1 + seat, in every game.
(func $own (result i32) (i32.add (call $seat) (i32.const 1)))

;; Turns since the start.
(func $ply (result i32) (i32.load16_u offset=4 (global.get $OBSERVATION)))

;; ---- Actions --------------------------------------------------------------------------------------------------------------

;; How many cells the action has.
(func $count (result i32) (i32.load8_u offset=2 (global.get $ACTION)))

;; Makes the action one of this kind.
(func $become (param $kind i32) (i32.store8 offset=1 (global.get $ACTION) (local.get $kind)))

;; Adds a cell to the action and makes it one of this kind.
(func $add (param $kind i32) (param $row i32) (param $col i32)
  (local $entry i32)
  (local.set $entry (i32.add (global.get $ACTION) (i32.mul (call $count) (i32.const 2))))
  (i32.store8 offset=3 (local.get $entry) (local.get $row))
  (i32.store8 offset=4 (local.get $entry) (local.get $col))
  (i32.store8 offset=2 (global.get $ACTION) (i32.add (call $count) (i32.const 1)))
  (call $become (local.get $kind)))

;; ---- The log --------------------------------------------------------------------------------------------------------------

;; Logs `name: number`. The name is cut after 100 bytes.
(func $log_number (param $name i32) (param $length i32) (param $number i64)
  (local $at i32) (local $rest i64)
  (local.set $length
    (select (local.get $length) (i32.const 100) (i32.lt_u (local.get $length) (i32.const 100))))
  (local.set $rest
    (select (i64.sub (i64.const 0) (local.get $number)) (local.get $number)
      (i64.lt_s (local.get $number) (i64.const 0))))
  ;; Written from the end: the digits, the sign, the colon, the name.
  (local.set $at (i32.add (global.get $SCRATCH) (i32.const 128)))
  (loop $digits
    (local.set $at (i32.sub (local.get $at) (i32.const 1)))
    (i64.store8 (local.get $at) (i64.add (i64.const 48) (i64.rem_u (local.get $rest) (i64.const 10))))
    (local.set $rest (i64.div_u (local.get $rest) (i64.const 10)))
    (br_if $digits (i64.ne (local.get $rest) (i64.const 0))))
  (if (i64.lt_s (local.get $number) (i64.const 0))
    (then
      (local.set $at (i32.sub (local.get $at) (i32.const 1)))
      (i32.store8 (local.get $at) (i32.const 45))))
  (local.set $at (i32.sub (local.get $at) (i32.const 2)))
  (i32.store16 (local.get $at) (i32.const 0x203a))
  (local.set $at (i32.sub (local.get $at) (local.get $length)))
  (memory.copy (local.get $at) (local.get $name) (local.get $length))
  (call $log (local.get $at)
    (i32.sub (i32.add (global.get $SCRATCH) (i32.const 128)) (local.get $at))))

;; ---- Random numbers: ChaCha with 8 rounds, the generator of ABI.md, word for word -----------------------------------------

;; Words of the block at hand that were given out.
(global $used (mut i32) (i32.const 16))

;; Begins with a seed of 32 bytes in memory and a stream.
(func $rng_of (param $seed i32) (param $stream i64)
  (i64.store (global.get $RNG) (i64.const 0x3320646e61707865))
  (i64.store offset=8 (global.get $RNG) (i64.const 0x6b20657479622d32))
  (memory.copy (i32.add (global.get $RNG) (i32.const 16)) (local.get $seed) (i32.const 32))
  (i64.store offset=48 (global.get $RNG) (i64.const 0))
  (i64.store offset=56 (global.get $RNG) (local.get $stream))
  (global.set $used (i32.const 16)))

;; This turn's generator: the seat's seed, the ply as the stream.
(func $rng_of_turn
  (call $rng_of
    (i32.add (global.get $OBSERVATION) (i32.const 16))
    (i64.extend_i32_u (call $ply))))

;; A word of the block being made, by its number.
(func $x (param $number i32) (result i32)
  (i32.add (global.get $RNG) (i32.add (i32.const 64) (i32.mul (i32.const 4) (local.get $number)))))

;; p += q, r ^= p, r rotated left; p, q and r are addresses.
(func $mix (param $p i32) (param $q i32) (param $r i32) (param $bits i32)
  (i32.store (local.get $p) (i32.add (i32.load (local.get $p)) (i32.load (local.get $q))))
  (i32.store (local.get $r)
    (i32.rotl (i32.xor (i32.load (local.get $r)) (i32.load (local.get $p))) (local.get $bits))))

(func $quarter (param $a i32) (param $b i32) (param $c i32) (param $d i32)
  (local.set $a (call $x (local.get $a)))
  (local.set $b (call $x (local.get $b)))
  (local.set $c (call $x (local.get $c)))
  (local.set $d (call $x (local.get $d)))
  (call $mix (local.get $a) (local.get $b) (local.get $d) (i32.const 16))
  (call $mix (local.get $c) (local.get $d) (local.get $b) (i32.const 12))
  (call $mix (local.get $a) (local.get $b) (local.get $d) (i32.const 8))
  (call $mix (local.get $c) (local.get $d) (local.get $b) (i32.const 7)))

;; Makes the next 16 words.
(func $block
  (local $i i32) (local $twice i32)
  (memory.copy (call $x (i32.const 0)) (global.get $RNG) (i32.const 64))
  (loop $rounds
    (local.set $i (i32.const 0))
    (loop $columns
      (call $quarter (local.get $i)
        (i32.add (local.get $i) (i32.const 4))
        (i32.add (local.get $i) (i32.const 8))
        (i32.add (local.get $i) (i32.const 12)))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $columns (i32.lt_u (local.get $i) (i32.const 4))))
    (local.set $i (i32.const 0))
    (loop $diagonals
      (call $quarter (local.get $i)
        (i32.add (i32.const 4) (i32.and (i32.add (local.get $i) (i32.const 1)) (i32.const 3)))
        (i32.add (i32.const 8) (i32.and (i32.add (local.get $i) (i32.const 2)) (i32.const 3)))
        (i32.add (i32.const 12) (i32.and (i32.add (local.get $i) (i32.const 3)) (i32.const 3))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $diagonals (i32.lt_u (local.get $i) (i32.const 4))))
    (local.set $twice (i32.add (local.get $twice) (i32.const 1)))
    (br_if $rounds (i32.lt_u (local.get $twice) (i32.const 4))))
  (local.set $i (i32.const 0))
  (loop $words
    (i32.store (call $x (local.get $i))
      (i32.add
        (i32.load (call $x (local.get $i)))
        (i32.load (i32.add (global.get $RNG) (i32.mul (i32.const 4) (local.get $i))))))
    (local.set $i (i32.add (local.get $i) (i32.const 1)))
    (br_if $words (i32.lt_u (local.get $i) (i32.const 16))))
  ;; The counter has 64 bits.
  (i64.store offset=48 (global.get $RNG)
    (i64.add (i64.load offset=48 (global.get $RNG)) (i64.const 1))))

;; The next word of the stream.
(func $word (result i32)
  (if (i32.eq (global.get $used) (i32.const 16))
    (then (call $block) (global.set $used (i32.const 0))))
  (global.set $used (i32.add (global.get $used) (i32.const 1)))
  (i32.load (call $x (i32.sub (global.get $used) (i32.const 1)))))

;; A number of 0..n; 0 for n = 0. Takes one word.
(func $below (param $n i32) (result i32)
  (i32.wrap_i64
    (i64.shr_u
      (i64.mul (i64.extend_i32_u (call $word)) (i64.extend_i32_u (local.get $n)))
      (i64.const 32))))

;; Shuffles so many words in memory.
(func $shuffle (param $words i32) (param $count i32)
  (local $a i32) (local $b i32) (local $kept i32)
  (loop $last
    (if (i32.le_u (local.get $count) (i32.const 1)) (then (return)))
    (local.set $a (i32.add (local.get $words) (i32.mul (i32.const 4) (i32.sub (local.get $count) (i32.const 1)))))
    (local.set $b (i32.add (local.get $words) (i32.mul (i32.const 4) (call $below (local.get $count)))))
    (local.set $kept (i32.load (local.get $a)))
    (i32.store (local.get $a) (i32.load (local.get $b)))
    (i32.store (local.get $b) (local.get $kept))
    (local.set $count (i32.sub (local.get $count) (i32.const 1)))
    (br $last)))

;; ---- Conway's Conquerors: 26 rows of 28 cells, two homes of eight columns -------------------------------------------------

;; Where a cell is in memory: 0 dead, 1 + seat a living one.
(func $conquerors_at (param $row i32) (param $col i32) (result i32)
  (i32.add
    (i32.add (global.get $OBSERVATION) (i32.const 48))
    (i32.add (i32.mul (local.get $row) (i32.const 28)) (local.get $col))))

;; The first of the eight columns of a seat's home.
(func $conquerors_home (param $seat i32) (result i32) (i32.mul (local.get $seat) (i32.const 20)))

;; Whether a cell of ours lives in so many columns from this one on.
(func $conquerors_lives (param $from i32) (param $width i32) (result i32)
  (local $row i32) (local $col i32)
  (loop $rows
    (local.set $col (local.get $from))
    (loop $cols
      (if (i32.eq (i32.load8_u (call $conquerors_at (local.get $row) (local.get $col))) (call $own))
        (then (return (i32.const 1))))
      (local.set $col (i32.add (local.get $col) (i32.const 1)))
      (br_if $cols (i32.lt_u (local.get $col) (i32.add (local.get $from) (local.get $width)))))
    (local.set $row (i32.add (local.get $row) (i32.const 1)))
    (br_if $rows (i32.lt_u (local.get $row) (i32.const 26))))
  (i32.const 0))

;; Whether the zone of this column is open to us now: see "What is legal".
(func $conquerors_open (param $col i32) (result i32)
  (local $own i32) (local $enemy i32)
  (local.set $own (call $conquerors_home (call $seat)))
  (local.set $enemy (i32.sub (i32.const 20) (local.get $own)))
  (if (i32.lt_u (i32.sub (local.get $col) (local.get $own)) (i32.const 8)) (then (return (i32.const 1))))
  (if (i32.lt_u (i32.sub (local.get $col) (i32.const 8)) (i32.const 12))
    (then (return (call $conquerors_lives (local.get $own) (i32.const 8)))))
  ;; Bit 0 of the options: the way into the enemy's home needs a cell at home.
  (if (i32.and (call $byte (i32.const 3)) (i32.const 1))
    (then
      (if (i32.eqz (call $conquerors_lives (local.get $own) (i32.const 8))) (then (return (i32.const 0))))))
  (i32.and
    (call $conquerors_lives (i32.const 8) (i32.const 12))
    (call $conquerors_lives (local.get $enemy) (i32.const 8))))

;; Whether this cell may be placed as the next of this turn.
(func $conquerors_may_place (param $row i32) (param $col i32) (result i32)
  (if (i32.ge_u (call $count) (i32.const 4)) (then (return (i32.const 0))))
  ;; -1, as an unsigned number, is beyond the last row or column, too.
  (if (i32.ge_u (local.get $row) (i32.const 26)) (then (return (i32.const 0))))
  (if (i32.ge_u (local.get $col) (i32.const 28)) (then (return (i32.const 0))))
  (if (i32.load8_u (call $conquerors_at (local.get $row) (local.get $col))) (then (return (i32.const 0))))
  (call $conquerors_open (local.get $col)))

;; Places a cell if it may be placed: in the action, and on the seen board, where the next one is judged. 1 if it was.
(func $conquerors_place (param $row i32) (param $col i32) (result i32)
  (if (i32.eqz (call $conquerors_may_place (local.get $row) (local.get $col))) (then (return (i32.const 0))))
  (i32.store8 (call $conquerors_at (local.get $row) (local.get $col)) (call $own))
  (call $add (i32.const 1) (local.get $row) (local.get $col))
  (i32.const 1))

;; Whether the bomb may be thrown, anywhere, instead of placing cells: from round 7, without a cooldown.
(func $conquerors_bomb_is_ready (result i32)
  (i32.and
    (i32.ge_u (call $byte (i32.const 6)) (i32.const 7))
    (i32.eqz (call $byte (i32.add (i32.const 8) (call $seat))))))

;; Makes whatever was placed a legal turn: adds the first cells that may be placed, row by row, up to four; where none was and
;; none may be, it is the skip, else the bomb in the first corner, else the pass.
(func $conquerors_finish
  (local $cell i32) (local $row i32) (local $col i32)
  (if (i32.gt_u (i32.load8_u offset=1 (global.get $ACTION)) (i32.const 1)) (then (return)))
  (loop $cells
    (local.set $row (i32.div_u (local.get $cell) (i32.const 28)))
    (local.set $col (i32.rem_u (local.get $cell) (i32.const 28)))
    (local.set $cell (i32.add (local.get $cell) (i32.const 1)))
    ;; A cell that was placed may have opened a zone, so the search begins again; nothing is placed on a living cell.
    (if (i32.eqz (i32.load8_u (call $conquerors_at (local.get $row) (local.get $col))))
      (then
        (if (call $conquerors_place (local.get $row) (local.get $col)) (then (local.set $cell (i32.const 0))))))
    (br_if $cells
      (i32.and
        (i32.lt_u (local.get $cell) (i32.const 728))
        (i32.lt_u (call $count) (i32.const 4)))))
  (if (call $count) (then (return)))
  (if (i32.eqz (call $byte (i32.add (i32.const 10) (call $seat)))) (then (call $become (i32.const 3)) (return)))
  (if (call $conquerors_bomb_is_ready) (then (call $add (i32.const 2) (i32.const 0) (i32.const 0)))))

;; A board to think on: for each seat 26 words, bit `col` of word `row`; 208 bytes, the second seat's 104 further on. Fills them
;; from cells of a byte each, such as those at (call $conquerors_at (i32.const 0) (i32.const 0)).
(func $conquerors_bits_of (param $cells i32) (param $bits i32)
  (local $row i32) (local $col i32) (local $cell i32) (local $word i32)
  (memory.fill (local.get $bits) (i32.const 0) (i32.const 208))
  (loop $rows
    (local.set $col (i32.const 0))
    (loop $cols
      (local.set $cell (i32.load8_u (local.get $cells)))
      (if (local.get $cell)
        (then
          (local.set $word
            (i32.add
              (i32.add (local.get $bits) (i32.mul (i32.const 4) (local.get $row)))
              (i32.mul (i32.const 104) (i32.sub (local.get $cell) (i32.const 1)))))
          (i32.store (local.get $word)
            (i32.or (i32.load (local.get $word)) (i32.shl (i32.const 1) (local.get $col))))))
      (local.set $cells (i32.add (local.get $cells) (i32.const 1)))
      (local.set $col (i32.add (local.get $col) (i32.const 1)))
      (br_if $cols (i32.lt_u (local.get $col) (i32.const 28))))
    (local.set $row (i32.add (local.get $row) (i32.const 1)))
    (br_if $rows (i32.lt_u (local.get $row) (i32.const 26)))))

;; Living cells of a seat, those in the enemy's home twice.
(func $conquerors_score (param $bits i32) (param $seat i32) (result i32)
  (local $row i32) (local $cells i32) (local $enemy i32) (local $score i32)
  (local.set $enemy
    (i32.shl (i32.const 0xff) (i32.sub (i32.const 20) (call $conquerors_home (local.get $seat)))))
  (local.set $bits (i32.add (local.get $bits) (i32.mul (i32.const 104) (local.get $seat))))
  (loop $rows
    (local.set $cells (i32.load (local.get $bits)))
    (local.set $score
      (i32.add (local.get $score)
        (i32.add
          (i32.popcnt (local.get $cells))
          (i32.popcnt (i32.and (local.get $cells) (local.get $enemy))))))
    (local.set $bits (i32.add (local.get $bits) (i32.const 4)))
    (local.set $row (i32.add (local.get $row) (i32.const 1)))
    (br_if $rows (i32.lt_u (local.get $row) (i32.const 26))))
  (local.get $score))

;; The sum of each bit and its neighbours to the left and right, as two bits: the low one ...
(func $low (param $row i32) (result i32)
  (i32.xor (local.get $row)
    (i32.xor (i32.shl (local.get $row) (i32.const 1)) (i32.shr_u (local.get $row) (i32.const 1)))))

;; ... and the high one.
(func $high (param $row i32) (result i32)
  (call $majority (local.get $row)
    (i32.shl (local.get $row) (i32.const 1))
    (i32.shr_u (local.get $row) (i32.const 1))))

;; Bits that at least two of three words have.
(func $majority (param $a i32) (param $b i32) (param $c i32) (result i32)
  (i32.or
    (i32.and (local.get $a) (local.get $b))
    (i32.and (local.get $c) (i32.or (local.get $a) (local.get $b)))))

;; The board a generation later, at another place. Sums are bit by bit, for a row at once; they count the cell itself, so that
;; a dead cell with a sum of three is born and a living one with three or four stays.
(func $conquerors_next (param $now i32) (param $next i32)
  (local $row i32) (local $blue i32) (local $red i32) (local $at i32)
  (local $a0 i32) (local $b0 i32) (local $c0 i32) (local $a i32) (local $b i32) (local $c i32)
  (local $carry i32) (local $ones i32) (local $parity i32) (local $high i32)
  (local $three i32) (local $four i32) (local $born i32) (local $turns_red i32)
  ;; For rows -1 to 26 the sums of all cells and of the red ones, two words each: a dead row lies on either side.
  (memory.fill (global.get $SCRATCH) (i32.const 0) (i32.const 448))
  (loop $sums
    (local.set $at (i32.add (local.get $now) (i32.mul (i32.const 4) (local.get $row))))
    (local.set $red (i32.load offset=104 (local.get $at)))
    (local.set $blue (i32.or (i32.load (local.get $at)) (local.get $red)))
    (local.set $at (i32.add (global.get $SCRATCH) (i32.mul (i32.const 16) (local.get $row))))
    (i32.store offset=16 (local.get $at) (call $low (local.get $blue)))
    (i32.store offset=20 (local.get $at) (call $high (local.get $blue)))
    (i32.store offset=24 (local.get $at) (call $low (local.get $red)))
    (i32.store offset=28 (local.get $at) (call $high (local.get $red)))
    (local.set $row (i32.add (local.get $row) (i32.const 1)))
    (br_if $sums (i32.lt_u (local.get $row) (i32.const 26))))
  (local.set $row (i32.const 0))
  (loop $rows
    (local.set $at (i32.add (global.get $SCRATCH) (i32.mul (i32.const 16) (local.get $row))))
    (local.set $a0 (i32.load (local.get $at)))
    (local.set $b0 (i32.load offset=16 (local.get $at)))
    (local.set $c0 (i32.load offset=32 (local.get $at)))
    (local.set $a (i32.load offset=4 (local.get $at)))
    (local.set $b (i32.load offset=20 (local.get $at)))
    (local.set $c (i32.load offset=36 (local.get $at)))
    (local.set $ones (i32.xor (local.get $a0) (i32.xor (local.get $b0) (local.get $c0))))
    (local.set $carry (call $majority (local.get $a0) (local.get $b0) (local.get $c0)))
    ;; Four words that weigh two: is their number odd, is it two or more?
    (local.set $parity
      (i32.xor (i32.xor (local.get $a) (local.get $b)) (i32.xor (local.get $c) (local.get $carry))))
    (local.set $high
      (i32.or
        (call $majority (local.get $a) (local.get $b) (i32.or (local.get $c) (local.get $carry)))
        (i32.and (local.get $c) (local.get $carry))))
    (local.set $three
      (i32.and (local.get $ones) (i32.and (local.get $parity) (i32.xor (local.get $high) (i32.const -1)))))
    ;; All four would be eight, or nine.
    (local.set $four
      (i32.and
        (i32.and (local.get $high) (i32.xor (i32.or (local.get $ones) (local.get $parity)) (i32.const -1)))
        (i32.xor
          (i32.and (i32.and (local.get $a) (local.get $b)) (i32.and (local.get $c) (local.get $carry)))
          (i32.const -1))))
    ;; Of three parents at least two are red if the sum of the red has its second bit.
    (local.set $turns_red
      (i32.xor
        (i32.xor (i32.load offset=12 (local.get $at)) (i32.load offset=28 (local.get $at)))
        (i32.xor (i32.load offset=44 (local.get $at))
          (call $majority
            (i32.load offset=8 (local.get $at))
            (i32.load offset=24 (local.get $at))
            (i32.load offset=40 (local.get $at))))))
    (local.set $at (i32.add (local.get $now) (i32.mul (i32.const 4) (local.get $row))))
    (local.set $blue (i32.load (local.get $at)))
    (local.set $red (i32.load offset=104 (local.get $at)))
    (local.set $born
      (i32.and
        (i32.and (local.get $three) (i32.const 0x0fffffff))
        (i32.xor (i32.or (local.get $blue) (local.get $red)) (i32.const -1))))
    (local.set $three (i32.or (local.get $three) (local.get $four)))
    (local.set $at (i32.add (local.get $next) (i32.mul (i32.const 4) (local.get $row))))
    (i32.store (local.get $at)
      (i32.or
        (i32.and (local.get $blue) (local.get $three))
        (i32.and (local.get $born) (i32.xor (local.get $turns_red) (i32.const -1)))))
    (i32.store offset=104 (local.get $at)
      (i32.or
        (i32.and (local.get $red) (local.get $three))
        (i32.and (local.get $born) (local.get $turns_red))))
    (local.set $row (i32.add (local.get $row) (i32.const 1)))
    (br_if $rows (i32.lt_u (local.get $row) (i32.const 26)))))

;; ---- War of Life: 8 rows of 8 cells ---------------------------------------------------------------------------------------

;; A cell: 0 empty, 1 + seat a piece; -1 beyond the edge.
(func $war_of_life_cell (param $row i32) (param $col i32) (result i32)
  (if (result i32) (i32.lt_u (i32.or (local.get $row) (local.get $col)) (i32.const 8))
    (then
      (call $byte
        (i32.add (i32.const 48) (i32.add (i32.mul (local.get $row) (i32.const 8)) (local.get $col)))))
    (else (i32.const -1))))

;; Makes the action a move from one cell to another.
(func $war_of_life_move (param $row i32) (param $col i32) (param $to_row i32) (param $to_col i32)
  (call $add (i32.const 1) (local.get $row) (local.get $col))
  (call $add (i32.const 1) (local.get $to_row) (local.get $to_col)))

;; ---- Game of Game of Life: a torus of $gogol_side rows and columns --------------------------------------------------------

(func $gogol_side (result i32) (call $byte (i32.const 6)))

;; A row or column that may lie up to a side before the first or beyond the last, on the torus.
(func $gogol_wrap (param $at i32) (result i32)
  (i32.rem_u (i32.add (local.get $at) (call $gogol_side)) (call $gogol_side)))

;; A cell: 0 dead, 1 + seat a living one, 255 a black one. The board wraps.
(func $gogol_cell (param $row i32) (param $col i32) (result i32)
  (call $byte
    (i32.add (i32.const 80)
      (i32.add
        (i32.mul (call $gogol_wrap (local.get $row)) (call $gogol_side))
        (call $gogol_wrap (local.get $col))))))

;; The row, and column, of a seat's last action: -1 if it had none, or one without effect, or if there is no such seat.
(func $gogol_last_row (param $seat i32) (result i32)
  (call $gogol_last (i32.add (i32.const 48) (i32.mul (i32.const 2) (local.get $seat)))))
(func $gogol_last_col (param $seat i32) (result i32)
  (call $gogol_last (i32.add (i32.const 49) (i32.mul (i32.const 2) (local.get $seat)))))
(func $gogol_last (param $at i32) (result i32)
  (if (result i32) (i32.eq (call $byte (local.get $at)) (i32.const 255))
    (then (i32.const -1))
    (else (call $byte (local.get $at)))))

;; Acts on a cell: a dead one is claimed, an own one killed. The board wraps.
(func $gogol_act (param $row i32) (param $col i32)
  (call $add (i32.const 1) (call $gogol_wrap (local.get $row)) (call $gogol_wrap (local.get $col))))

;; ---- Life2: a view of the world, whose rows and columns count from its corner ---------------------------------------------

;; In a game the view has 64 rows and columns, with our base in the middle, from row and column 28 on. In a world $life2_look
;; chooses another one.

;; The size of the view.
(func $life2_rows (result i32) (i32.load16_u offset=10 (global.get $OBSERVATION)))
(func $life2_cols (result i32) (i32.load16_u offset=12 (global.get $OBSERVATION)))

;; Where a cell of the view is in memory: the ground's owner, 1 + seat or 0, and 16 more where it lives.
(func $life2_at (param $row i32) (param $col i32) (result i32)
  (i32.add
    (i32.add (global.get $OBSERVATION) (i32.const 228))
    (i32.add (i32.mul (local.get $row) (call $life2_cols)) (local.get $col))))

;; The same, read; 0 beyond the edges of the view.
(func $life2_cell (param $row i32) (param $col i32) (result i32)
  ;; -1, as an unsigned number, is beyond the last row or column, too.
  (if (i32.ge_u (local.get $row) (call $life2_rows)) (then (return (i32.const 0))))
  (if (i32.ge_u (local.get $col) (call $life2_cols)) (then (return (i32.const 0))))
  (i32.load8_u (call $life2_at (local.get $row) (local.get $col))))

;; Which row of the view a row of the world is, such as a base's; $life2_rows or more if it is not in view.
(func $life2_row (param $row i32) (result i32)
  (i32.and (i32.sub (local.get $row) (i32.load16_u offset=6 (global.get $OBSERVATION))) (i32.const 511)))

;; Which column of the view a column of the world is; $life2_cols or more if it is not in view.
(func $life2_col (param $col i32) (result i32)
  (i32.and (i32.sub (local.get $col) (i32.load16_u offset=8 (global.get $OBSERVATION))) (i32.const 511)))

;; Where a seat's row of the table is in memory: base row and column, 2 bytes each; coins in the base, coins, living cells, ground,
;; 4 bytes each.
(func $life2_kingdom (param $seat i32) (result i32)
  (i32.add (i32.add (global.get $OBSERVATION) (i32.const 48)) (i32.mul (local.get $seat) (i32.const 20))))

;; Whether a cell of the view is one of the wall of our base.
(func $life2_is_wall (param $row i32) (param $col i32) (result i32)
  (local $own i32)
  (local.set $own (call $life2_kingdom (call $seat)))
  ;; How far down and right of the first cell of the base it is, around the world.
  (local.set $row
    (i32.and (i32.sub (local.get $row) (call $life2_row (i32.load16_u (local.get $own)))) (i32.const 511)))
  (local.set $col
    (i32.and (i32.sub (local.get $col) (call $life2_col (i32.load16_u offset=2 (local.get $own)))) (i32.const 511)))
  (i32.and
    (i32.and (i32.lt_u (local.get $row) (i32.const 8)) (i32.lt_u (local.get $col) (i32.const 8)))
    (i32.or (call $life2_edge (local.get $row)) (call $life2_edge (local.get $col)))))

;; Whether a row or column of our base is its first or its last.
(func $life2_edge (param $at i32) (result i32)
  (i32.or (i32.eqz (local.get $at)) (i32.eq (local.get $at) (i32.const 7))))

;; Whether this cell may be placed as the next of this turn: in view, own ground, not the wall, dead, and a coin for it.
(func $life2_may_place (param $row i32) (param $col i32) (result i32)
  (if (i32.ne (call $life2_cell (local.get $row) (local.get $col)) (call $own)) (then (return (i32.const 0))))
  (if (call $life2_is_wall (local.get $row) (local.get $col)) (then (return (i32.const 0))))
  (i32.and
    (i32.lt_u (call $count) (i32.const 60))
    (i32.lt_u (call $count) (i32.load offset=8 (call $life2_kingdom (call $seat))))))

;; Places a cell if it may be placed: in the action, and in the view. 1 if it was.
(func $life2_place (param $row i32) (param $col i32) (result i32)
  (if (i32.eqz (call $life2_may_place (local.get $row) (local.get $col))) (then (return (i32.const 0))))
  (i32.store8 (call $life2_at (local.get $row) (local.get $col)) (i32.or (call $own) (i32.const 16)))
  (call $add
    (select (i32.const 2) (i32.const 1) (call $life2_looks))
    (local.get $row) (local.get $col))
  (i32.const 1))

;; Whether the action asks for another view: whether its kind is 2.
(func $life2_looks (result i32)
  (i32.eq (i32.load8_u offset=1 (global.get $ACTION)) (i32.const 2)))

;; In a world: asks for a view of so many rows and columns, half of them before this cell of the world, from the next turn on. The
;; turn may place cells, too, before this call or after it. 0 if the cell is not in the world, or the view not 8 to 64 cells high
;; and wide; else 1. In a game the view stays where it is.
(func $life2_look (param $row i32) (param $col i32) (param $rows i32) (param $cols i32) (result i32)
  (if (i32.ge_u (local.get $row) (i32.const 512)) (then (return (i32.const 0))))
  (if (i32.ge_u (local.get $col) (i32.const 512)) (then (return (i32.const 0))))
  (if (i32.gt_u (i32.sub (local.get $rows) (i32.const 8)) (i32.const 56)) (then (return (i32.const 0))))
  (if (i32.gt_u (i32.sub (local.get $cols) (i32.const 8)) (i32.const 56)) (then (return (i32.const 0))))
  (i32.store16 offset=4 (global.get $WIDE) (local.get $row))
  (i32.store16 offset=6 (global.get $WIDE) (local.get $col))
  (i32.store16 offset=8 (global.get $WIDE) (local.get $rows))
  (i32.store16 offset=10 (global.get $WIDE) (local.get $cols))
  (call $become (i32.const 2))
  (i32.const 1))

;; The action as the arena takes it in this game: two bytes for each row and column, counted from the corner of the world.
(func $life2_answer (result i64)
  (local $cell i32) (local $count i32) (local $from i32) (local $to i32)
  (local.set $to (global.get $WIDE))
  (local.set $count (call $count))
  ;; What to look at is there already, in the place of two cells.
  (if (call $life2_looks)
    (then
      (local.set $to (i32.add (local.get $to) (i32.const 8)))
      (local.set $count (i32.add (local.get $count) (i32.const 2)))))
  (i32.store (global.get $WIDE)
    (i32.or
      (i32.and (i32.load (global.get $ACTION)) (i32.const 0xffff))
      (i32.shl (local.get $count) (i32.const 16))))
  (block $done
    (loop $cells
      (br_if $done (i32.ge_u (local.get $cell) (call $count)))
      (local.set $from (i32.add (global.get $ACTION) (i32.mul (local.get $cell) (i32.const 2))))
      (i32.store16 offset=4 (local.get $to)
        (i32.and
          (i32.add (i32.load16_u offset=6 (global.get $OBSERVATION)) (i32.load8_u offset=3 (local.get $from)))
          (i32.const 511)))
      (i32.store16 offset=6 (local.get $to)
        (i32.and
          (i32.add (i32.load16_u offset=8 (global.get $OBSERVATION)) (i32.load8_u offset=4 (local.get $from)))
          (i32.const 511)))
      (local.set $to (i32.add (local.get $to) (i32.const 4)))
      (local.set $cell (i32.add (local.get $cell) (i32.const 1)))
      (br $cells)))
  (i64.or
    (i64.shl
      (i64.extend_i32_u (i32.add (i32.const 4) (i32.mul (i32.const 4) (local.get $count))))
      (i64.const 32))
    (i64.extend_i32_u (global.get $WIDE))))

;; ---- The bot's own part follows -------------------------------------------------------------------------------------------
