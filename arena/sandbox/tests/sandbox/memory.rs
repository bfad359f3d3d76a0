//! What a bot's memory holds, and for how long.

use arena_record::Budgets;
use arena_referee::Player;
use arena_sandbox::{MemoryRefused, SandboxPlayer, TABLE_ELEMENTS_MAX, Wall};

use crate::bots::{OBSERVATION, PLENTY, SANDBOX, doing, load, start, started, turning};

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
        assert_eq!(player.memory_refused(), expected, "{instructions}");
    }
    // A turn that went on without is over.
    let fields = "(global $turns (mut i32) (i32.const 0))";
    let second = format!("(if (global.get $turns) (then unreachable)) (global.set $turns (i32.const 1)) {asked}");
    let mut player = started(&doing(fields, &second));
    assert!(player.turn(&OBSERVATION, PLENTY).is_ok() && player.turn(&OBSERVATION, PLENTY).is_err());
    assert_eq!(player.memory_refused(), None);
}

#[test]
fn the_memory_budget_is_the_tournaments() {
    let bytes = doing("", "(i32.store (i32.const 0) (memory.grow (i32.const 1)))");
    for (memory_bytes, wanted) in [(1 << 16, -1), ((2 << 16) - 1, -1), (2 << 16, 1)] {
        let bot = SANDBOX.load(&bytes, &Budgets { memory_bytes, ..Budgets::DEFAULT }).expect("a bot");
        let mut player = SandboxPlayer::new(&bot, Wall::None);
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
        let mut player = SandboxPlayer::new(&bot, Wall::None);
        start(&mut player).expect("it starts");
        assert_eq!([(); 4].map(|()| answer(&mut player)), [102, 104, 106, 108]);
    }
    // Two games at once do not touch each other.
    let mut players = [(); 2].map(|()| SandboxPlayer::new(&bot, Wall::None));
    for player in &mut players {
        start(player).expect("it starts");
    }
    assert_eq!([0, 1, 0, 0, 1].map(|seat: usize| answer(&mut players[seat])), [102, 102, 104, 106, 104]);
    // Starting again is a new game.
    start(&mut players[0]).expect("it starts");
    assert_eq!(answer(&mut players[0]), 102);
}
