//! Broken and hostile bytes: whatever they are, the answer is a bot or a refusal, and a bot's game ends in an answer or a fault.

use arena_record::Budgets;
use arena_referee::{Failure, Player};
use arena_rules::Rng;
use arena_sandbox::{SandboxPlayer, Wall};

use crate::bots::{OBSERVATION, SANDBOX, doing, section, turning};

/// Modules worth breaking: between them they have every section and many kinds of instructions.
fn originals() -> Vec<Vec<u8>> {
    let fields = r#"(table 4 20 funcref) (elem (i32.const 1) func $leaf) (elem func $leaf) (data (i32.const 5) "text")
        (data "passive") (global $g (mut i64) (i64.const -3)) (global f32 (f32.const 1.5)) (func $leaf (param i32) (result i32) (local.get 0))
        (func $first (global.set $g (i64.const 4))) (start $first)"#;
    let control =
        "(block (loop (br_table 0 1 0 (local.get 0)))) (if (local.get 0) (then (nop)) (else (drop (i32.const 1))))
        (drop (call $leaf (i32.const 3))) (drop (call_indirect (param i32) (result i32) (i32.const 2) (i32.const 1)))";
    let numbers = "(f64.store (i32.const 16) (f64.sqrt (f64.convert_i32_s (local.get 0))))
        (v128.store (i32.const 32) (i32x4.add (v128.const i32x4 1 2 3 4) (v128.load (i32.const 0))))
        (i64.store (i32.const 8) (i64.rotl (global.get $g) (i64.clz (i64.const 77)))) (memory.fill (i32.const 0) (i32.const 1) (i32.const 9))";
    vec![
        doing("", ""),
        doing(fields, control),
        doing(fields, numbers),
        doing(fields, "(call $log (i32.const 0) (i32.const 5)) (drop (memory.grow (i32.const 1)))"),
        turning("", "(i64.or (i64.const 1024) (i64.shl (i64.extend_i32_u (local.get 0)) (i64.const 32)))"),
    ]
}

/// One or two bytes of a module changed, moved, doubled or cut off.
fn mutant(rng: &mut Rng, originals: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = originals[rng.below(originals.len() as u32) as usize].clone();
    for _ in 0..=rng.below(2) {
        let at = 8 + rng.below(bytes.len() as u32 - 8) as usize;
        match rng.below(8) {
            0 => bytes[at] = rng.word() as u8,
            1 => bytes.insert(at, rng.word() as u8),
            2 if bytes.len() > 16 => drop(bytes.remove(at)),
            3 if at > 16 => bytes.truncate(at),
            _ => bytes[at] ^= 1 << rng.below(8),
        }
    }
    bytes
}

/// A header, and then noise, with or without the frame of a section.
fn noise(rng: &mut Rng) -> Vec<u8> {
    let payload: Vec<u8> = (0..rng.below(200)).map(|_| rng.word() as u8).collect();
    let rest = if rng.below(2) == 0 { payload } else { section(rng.below(14) as u8, &payload) };
    [b"\0asm\x01\0\0\0".to_vec(), rest].concat()
}

#[test]
fn twenty_thousand_broken_modules_are_bots_or_refused() {
    let originals = originals();
    let mut rng = Rng::new(&[1; 32], 0);
    let (mut refused, mut answered, mut failed) = (0, 0, 0);
    for number in 0..20_000 {
        let bytes = if number % 5 == 0 { noise(&mut rng) } else { mutant(&mut rng, &originals) };
        let Ok(bot) = SANDBOX.load(&bytes, &Budgets::DEFAULT) else {
            refused += 1;
            continue;
        };
        let mut player = SandboxPlayer::new(&bot, Wall::None);
        let played = player.start(OBSERVATION.len(), 100_000).and_then(|_| player.turn(&OBSERVATION, 100_000));
        match played {
            Ok(_) => answered += 1,
            Err(Failure::Own(_)) => failed += 1,
            Err(Failure::Platform(fault)) => panic!("number {number}: {fault}"),
        }
    }
    assert!(
        refused > 5_000 && answered > 500 && failed > 100,
        "{refused} refused, {answered} answered, {failed} failed"
    );
}
