;; A bot that thinks for ever: its turn is a loop without an end.
(module
  (memory (export "memory") 1)
  (func (export "arena_observation") (param $length i32) (result i32)
    (i32.const 1024))
  (func (export "arena_turn") (param $length i32) (result i64)
    (loop $think
      (br $think))
    (i64.const 0)))
