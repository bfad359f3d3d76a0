//! Pointer chases over all of memory: loads of which each waits for the one before, and all of them for memory itself.
//! Nothing buys more time for a unit of fuel where caches are small or somebody else uses them.

use super::programs::{BYTES, PAGES, Program};

/// Bytes of a cache line.
const LINE: u32 = 64;

/// The chases, each an endless loop of one turn.
pub(crate) fn chases() -> Vec<Program> {
    [("through every cache line", LINE, 0), ("through every two lines, across them", 2 * LINE, LINE - 2)]
        .map(|(what, apart, offset)| Program {
            operator: "a chase".into(),
            what: what.into(),
            module: chase(apart, offset),
        })
        .into()
}

/// A module that links places so many bytes apart, each with its link at this offset, to one cycle with strides that no
/// prefetcher foresees, and then follows it. The observation is written between two links.
fn chase(apart: u32, offset: u32) -> String {
    let places = BYTES / apart;
    // From n to 25,173 n + 13,849: one cycle through any power of two.
    let follow = format!("i32.load offset={offset} ").repeat(32);
    format!(
        r#"(module (memory (export "memory") {PAGES})
        (func (export "arena_observation") (param i32) (result i32) (local $n i32)
          (local.set $n (i32.const {last}))
          (loop
            (i32.store offset={offset} (i32.mul (local.get $n) (i32.const {apart}))
              (i32.mul (i32.const {apart}) (i32.and (i32.const {last})
                (i32.add (i32.mul (local.get $n) (i32.const 25173)) (i32.const 13849)))))
            (br_if 0 (i32.ge_s (local.tee $n (i32.sub (local.get $n) (i32.const 1))) (i32.const 0))))
          (i32.const 1056))
        (func (export "arena_turn") (param i32) (result i64) (local $at i32)
          (loop local.get $at {follow} local.set $at br 0) unreachable))"#,
        last = places - 1,
    )
}
