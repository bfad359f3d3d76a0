//! What a bot's memory holds, and for how long.

use arena_record::Budgets;
use arena_referee::{Failure, Player};
use arena_sandbox::{
    FUNCTIONS_MAX, GLOBALS_MAX, MemoryRefused, OUT_OF_BOUNDS, Sandbox, SandboxPlayer, TABLE_ELEMENTS_MAX, TABLES_MAX,
};

use super::bots::{OBSERVATION, PLENTY, SANDBOX, doing, load, own, start, started, turning, wasm};

/// The number that a fixture left in its first four bytes.
fn answer(player: &mut SandboxPlayer) -> i32 {
    let reply = player.turn(&OBSERVATION, PLENTY).unwrap_or_else(|failure| panic!("{failure:?}"));
    i32::from_le_bytes(reply.action.try_into().expect("four bytes"))
}

#[test]
fn the_observation_arrives_where_the_bot_asked_for_it() {
    // Answers with what it sees: the length it is given, from the address it gave.
    let echo = "(i64.or (i64.const 1024) (i64.shl (i64.extend_i32_u (local.get 0)) (i64.const 32)))";
    let mut player = started(&turning("", echo));
    for observation in [OBSERVATION, [0; 16], [255; 16]] {
        assert_eq!(player.turn(&observation, PLENTY).map(|reply| reply.action), Ok(observation.to_vec()));
    }
}

#[test]
fn memory_grows_to_its_limit_and_then_says_so() {
    let grow = |pages: u32| format!("(i32.store (i32.const 0) (memory.grow (i32.const {pages})))");
    let most = (Budgets::DEFAULT.memory_bytes >> 16) as u32;
    for (pages, wanted, pages_after) in [(0, 1, 1), (1, 1, 2), (most - 1, 1, most), (most, -1, 1), (65_535, -1, 1)] {
        let mut player = started(&doing("", &grow(pages)));
        assert_eq!(answer(&mut player), wanted, "{pages} pages");
        assert_eq!(player.memory_bytes(), (pages_after as usize) << 16);
    }
    // Page by page, turn by turn: the limit is of the whole game.
    let mut player = started(&doing("", &grow(1)));
    for before in 1..most {
        assert_eq!(answer(&mut player), before as i32);
    }
    assert_eq!([answer(&mut player), answer(&mut player)], [-1, -1]);
    assert_eq!(player.memory_bytes() as u64, Budgets::DEFAULT.memory_bytes);
}

#[test]
fn memory_that_was_refused_is_known_of_the_call_that_failed_for_it() {
    let most = Budgets::DEFAULT.memory_bytes;
    let (asked, after) = ("(drop (memory.grow (i32.const 100)))", "(drop (memory.grow (i32.const 1)))");
    let refused = Some(MemoryRefused { had: 1 << 16, wanted: 101 << 16 });
    assert!(101 << 16 > most);
    for (instructions, expected) in [
        (format!("{asked} unreachable"), refused),
        // What was granted later does not undo it.
        (format!("{asked} {after} unreachable"), refused),
        (format!("{after} unreachable"), None),
        ("unreachable".into(), None),
    ] {
        let mut player = started(&doing("", &instructions));
        assert!(player.turn(&OBSERVATION, PLENTY).is_err());
        assert_eq!(player.left().memory_refused, expected, "{instructions}");
    }
    // A turn that went on without is over.
    let fields = "(global $turns (mut i32) (i32.const 0))";
    let second = format!("(if (global.get $turns) (then unreachable)) (global.set $turns (i32.const 1)) {asked}");
    let mut player = started(&doing(fields, &second));
    assert!(player.turn(&OBSERVATION, PLENTY).is_ok() && player.turn(&OBSERVATION, PLENTY).is_err());
    assert_eq!(player.left().memory_refused, None);
}

#[test]
fn the_memory_budget_is_the_tournaments() {
    let bytes = doing("", "(i32.store (i32.const 0) (memory.grow (i32.const 1)))");
    for (memory_bytes, wanted) in [(1 << 16, -1), ((2 << 16) - 1, -1), (2 << 16, 1)] {
        let bot = SANDBOX.load(&bytes, &Budgets { memory_bytes, ..Budgets::DEFAULT }).expect("a bot");
        let mut player = SandboxPlayer::new(&bot);
        start(&mut player).expect("it starts");
        assert_eq!(answer(&mut player), wanted, "{memory_bytes} bytes");
    }
}

#[test]
fn tables_grow_to_their_limit_and_then_say_so() {
    let grow = |by: u64| format!("(i32.store (i32.const 0) (table.grow 0 (ref.null func) (i32.const {by})))");
    for (by, wanted) in [(TABLE_ELEMENTS_MAX - 1, 1), (TABLE_ELEMENTS_MAX, -1), (5_000_000, -1)] {
        assert_eq!(answer(&mut started(&doing("(table 1 funcref)", &grow(by)))), wanted, "by {by}");
    }
}

#[test]
fn memory_and_globals_last_a_game_and_no_longer() {
    // Counts its turns twice, in memory and in a global, and answers with the sum.
    let count = "(i32.store (i32.const 8) (i32.add (i32.load (i32.const 8)) (i32.const 1)))
        (global.set $turns (i32.add (global.get $turns) (i32.const 1)))
        (i32.store (i32.const 0) (i32.add (i32.load (i32.const 8)) (global.get $turns)))";
    let bot = load(&doing("(global $turns (mut i32) (i32.const 100))", count));
    for _game in 0..3 {
        let mut player = SandboxPlayer::new(&bot);
        start(&mut player).expect("it starts");
        assert_eq!([(); 4].map(|()| answer(&mut player)), [102, 104, 106, 108]);
    }
    // Two games at once do not touch each other.
    let mut players = [(); 2].map(|()| SandboxPlayer::new(&bot));
    for player in &mut players {
        start(player).expect("it starts");
    }
    assert_eq!([0, 1, 0, 0, 1].map(|seat: usize| answer(&mut players[seat])), [102, 102, 104, 106, 104]);
    // Starting again is a new game.
    start(&mut players[0]).expect("it starts");
    assert_eq!(answer(&mut players[0]), 102);
}

#[test]
fn a_memory_that_is_used_again_is_as_new() {
    // Six pages, more than are cleared in place, and three more. Looks at all that is behind the action, and fills it.
    let turn = "(local $at i32) (local $found i64)
        (i32.store (i32.const 0) (i32.add (memory.size) (i32.eqz (ref.is_null (table.get 0 (i32.const 1))))))
        (drop (memory.grow (i32.const 3)))
        (local.set $at (i32.const 8))
        (loop $next
            (local.set $found (i64.or (local.get $found) (i64.load (local.get $at))))
            (local.set $at (i32.add (local.get $at) (i32.const 8)))
            (br_if $next (i32.lt_u (local.get $at) (i32.shl (memory.size) (i32.const 16)))))
        (if (i64.ne (local.get $found) (i64.const 0x0706050403020100)) (then unreachable))
        (memory.fill (i32.const 8) (i32.const 255) (i32.sub (i32.shl (memory.size) (i32.const 16)) (i32.const 8)))
        (table.set 0 (i32.const 1) (ref.func $turned))
        (i64.const 0x4_0000_0000)";
    let bytes = wasm(&format!(
        r#"(memory (export "memory") 6) (table 2 funcref) (elem declare func $turned)
        (data (i32.const 393208) "\00\01\02\03\04\05\06\07")
        (func $turned) (func (export "arena_observation") (param i32) (result i32) (i32.const 300000))
        (func (export "arena_turn") (param i32) (result i64) {turn})"#
    ));
    // A smaller guest, which looks behind its only page.
    let beyond = doing("", "(i32.store (i32.const 0) (i32.load (i32.const 65536)))");
    let sandbox = Sandbox::reusing(2).expect("this machine runs bots");
    let load = |bytes: &[u8]| sandbox.load(bytes, &Budgets::DEFAULT).expect("a bot");
    let (bot, beyond) = (load(&bytes), load(&beyond));
    for game in 0..4 {
        let mut players = [(); 2].map(|()| SandboxPlayer::new(&bot));
        for player in &mut players {
            player.start(0, PLENTY).unwrap_or_else(|failure| panic!("{game}: {failure:?}"));
            let reply = player.turn(&[], PLENTY).unwrap_or_else(|failure| panic!("{game}: {failure:?}"));
            assert_eq!(reply.action, 6_i32.to_le_bytes(), "six pages, and nothing in the table");
            assert_eq!(player.memory_bytes(), 9 << 16);
        }
        // There is no third place, and that is no fault of the bot.
        let third = SandboxPlayer::new(&bot).start(0, PLENTY);
        assert!(matches!(third, Err(Failure::Platform(_))), "{third:?}");
        drop(players);
        // A guest that traps gives its place back at once.
        let mut small = [(); 2].map(|()| SandboxPlayer::new(&beyond));
        for player in small.iter_mut().chain(&mut [SandboxPlayer::new(&beyond)]) {
            start(player).unwrap_or_else(|failure| panic!("{game}: {failure:?}"));
            assert_eq!(own(player.turn(&OBSERVATION, PLENTY)).detail, OUT_OF_BOUNDS, "{game}");
        }
    }
}

#[test]
fn whatever_passes_the_check_has_room_where_memories_are_used_again() {
    let sandbox = Sandbox::reusing(1).expect("this machine runs bots");
    let tables = format!("(table {TABLE_ELEMENTS_MAX} funcref)").repeat(TABLES_MAX as usize);
    let globals = "(global (mut v128) (v128.const i64x2 1 2))".repeat(GLOBALS_MAX as usize);
    // Each is in a table, so each has a reference in the instance.
    let functions = "(func)".repeat(FUNCTIONS_MAX as usize - 3);
    let all: String = (1..FUNCTIONS_MAX - 2).map(|function| format!(" {function}")).collect();
    let fields = format!("{tables} {globals} {functions} (elem (table 0) (i32.const 0) func {all})");
    let bytes = wasm(&format!(
        r#"(import "arena" "log" (func (param i32 i32))) (memory (export "memory") 1) {fields}
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) (i64.const 0x4_0000_0000))"#
    ));
    let bot = sandbox.load(&bytes, &Budgets::DEFAULT).unwrap_or_else(|refusal| panic!("{refusal}"));
    for _game in 0..2 {
        let mut player = SandboxPlayer::new(&bot);
        start(&mut player).unwrap_or_else(|failure| panic!("{failure:?}"));
        assert_eq!(answer(&mut player), 0);
    }
}
