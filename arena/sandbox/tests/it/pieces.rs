//! Code that takes longest to compile for what it weighs. Other crates' tests have it, too.

/// A piece of code of which a module may have many, and the microseconds that compiling one took in a release build,
/// in the largest functions that may have it. Under the weights before, a module could have so many of the first
/// three that it took 15 to 70 seconds.
pub(crate) struct Piece {
    pub(crate) piece: &'static str,
    pub(crate) micros: f64,
}

pub(crate) const COSTLY: [Piece; 9] = [
    Piece { piece: "(drop (memory.grow (local.get $i)))", micros: 75.0 },
    Piece { piece: "(call_indirect (type $t) (local.get $i))", micros: 133.0 },
    Piece { piece: "(drop (table.get (local.get $i)))", micros: 101.0 },
    Piece { piece: "(memory.fill (local.get $i) (local.get $i) (local.get $i))", micros: 106.0 },
    Piece { piece: "(drop (i32.load offset=4294967295 (local.get $i)))", micros: 64.0 },
    Piece { piece: "(local.set $v (i64x2.mul (local.get $v) (local.get $v)))", micros: 49.0 },
    Piece { piece: "(local.set $v (i64x2.abs (local.get $v)))", micros: 41.0 },
    Piece { piece: "(local.set $l (i64.popcnt (local.get $l)))", micros: 15.0 },
    Piece { piece: "(local.set $i (i32.eqz (local.get $i)))", micros: 4.0 },
];

/// What pieces name besides memory and locals.
pub(crate) const DECLARED: &str = "(type $t (func)) (table 9 funcref)";

/// A function of so many pieces, which has locals of every type.
pub(crate) fn function(piece: &str, times: usize) -> String {
    let locals = "(local $i i32) (local $l i64) (local $f f32) (local $d f64) (local $v v128)";
    format!("(func {locals} {})", piece.repeat(times))
}
