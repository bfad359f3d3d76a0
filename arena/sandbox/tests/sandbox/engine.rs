//! The engine's name, and its wall, which decides nothing.

use arena_referee::{Failure, Player};
use arena_sandbox::{SandboxPlayer, Wall, build, semantics};

use crate::bots::{OBSERVATION, PLENTY, doing, load, start, wasm};

#[test]
fn the_build_names_the_engine_that_is_built() {
    let lock = include_str!("../../../../Cargo.lock");
    let (_, entry) = lock.split_once("name = \"wasmtime\"\nversion = \"").expect("the engine is locked");
    let (version, _) = entry.split_once('"').expect("a version");
    assert!(build().starts_with(&format!("wasmtime {version} ")), "{} is not of wasmtime {version}", build());
    assert!(!semantics().contains(version), "the engine's version is a note, and verdicts do not depend on it");
}

#[test]
fn the_wall_is_never_the_bots_fault() {
    let bot = load(&doing("", "(loop (br 0))"));
    let mut player = SandboxPlayer::new(&bot, Wall::Milliseconds(50));
    start(&mut player).expect("it starts");
    let endless = player.turn(&OBSERVATION, u64::MAX);
    assert!(matches!(&endless, Err(Failure::Platform(fault)) if fault.0.contains("wall")), "{endless:?}");
    assert_eq!(player.memory_bytes(), 0);

    let bot = load(&wasm(
        r#"(memory (export "memory") 1) (func $first (loop (br 0))) (start $first)
        (func (export "arena_observation") (param i32) (result i32) (i32.const 0))
        (func (export "arena_turn") (param i32) (result i64) (i64.const 0))"#,
    ));
    let endless = SandboxPlayer::new(&bot, Wall::Milliseconds(50)).start(OBSERVATION.len(), u64::MAX);
    assert!(matches!(&endless, Err(Failure::Platform(fault)) if fault.0.contains("wall")), "{endless:?}");
}

#[test]
fn the_wall_is_of_each_call_and_the_fuel_strikes_first() {
    // Many turns that together take longer than any one may.
    let bot = load(&doing(
        "",
        "(local.set 0 (i32.const 200000)) (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1)))))",
    ));
    let mut player = SandboxPlayer::new(&bot, Wall::Milliseconds(1_000));
    start(&mut player).expect("it starts");
    let began = std::time::Instant::now();
    let mut turns = 0;
    while began.elapsed().as_millis() < 1_300 {
        assert!(player.turn(&OBSERVATION, PLENTY).is_ok(), "turn {turns}");
        turns += 1;
    }
    assert!(turns > 100, "{turns}");
    let endless = load(&doing("", "(loop (br 0))"));
    let mut player = SandboxPlayer::new(&endless, Wall::Milliseconds(60_000));
    start(&mut player).expect("it starts");
    assert!(matches!(player.turn(&OBSERVATION, PLENTY), Err(Failure::Own(_))));
}
