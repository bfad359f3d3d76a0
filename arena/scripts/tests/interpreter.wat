;; The least that takes a script as an interpreter does. It logs the script in each turn and passes. A script that
;; begins with `!` is refused at the start, in the words of the real ones.
(module
  (import "arena" "log" (func $log (param i32 i32)))
  (memory (export "memory") 2)
  ;; Room for a length and 65,536 bytes.
  (global (export "arena_script") i32 (i32.const 4096))
  (data (i32.const 16) "\01\00\00")
  (data (i32.const 32) "bot.js:1:1: SyntaxError: unexpected '!'\0a!\0a^")
  (func (export "_initialize")
    (if (i32.eq (i32.load8_u (i32.const 4100)) (i32.const 33))
      (then (call $log (i32.const 32) (i32.const 43)) (unreachable))))
  (func (export "arena_observation") (param i32) (result i32) (i32.const 72000))
  (func (export "arena_turn") (param i32) (result i64)
    (call $log (i32.const 4100) (i32.load (i32.const 4096)))
    ;; Three bytes at address 16.
    (i64.const 0x3_0000_0010)))
