//! `arena.fuel`: what it says is what may still be spent, and an engine's fuel says the same.

use std::collections::BTreeMap;

use arena_record::{Budgets, EntrantId, Header, Hex};
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::BySeat;

use super::machine::{End, Playing, Program};
use super::modules::OBSERVATION;
use super::{ENGINE, OWN, PLENTY, Pair, turning};

/// Asks from everywhere, and writes down each answer: at the start and in `_initialize`, in straight code, in loops,
/// after bulk operators and lines of the log, below other calls, through a table, and of a reference that it made.
const EVERYWHERE: &str = r#"
    (type $left (func (result i64))) (table $t 3 funcref) (elem (i32.const 0) $fuel) (data (i32.const 8) "data")
    (global $at (mut i32) (i32.const 64))
    (func $note (param i64)
        (i64.store (global.get $at) (local.get 0)) (global.set $at (i32.add (global.get $at) (i32.const 8))))
    (func $first (call $note (call $fuel))) (start $first)
    (func (export "_initialize") (call $note (call $fuel)) (memory.fill (i32.const 0) (i32.const 1) (i32.const 200)))
    (func $below (param i32)
        (call $note (call $fuel))
        (if (local.get 0) (then (call $below (i32.sub (local.get 0) (i32.const 1))) (call $note (call $fuel)))))
"#;
const IN_TURN: &str = r#"(local $n i32)
    (call $note (i64.sub (call $fuel) (call $fuel)))
    (loop $round
        (call $note (call_indirect (type $left) (i32.const 0)))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if $round (i32.lt_u (local.get $n) (i32.const 3))))
    (memory.fill (i32.const 0) (i32.const 1) (i32.mul (local.get $n) (i32.const 11)))
    (call $note (call $fuel))
    (call $log (i32.const 8) (local.get $n)) (call $note (call $fuel))
    (call $below (local.get $n))
    (table.set $t (i32.const 1) (ref.func $fuel))
    (if (i64.lt_s (call_indirect (type $left) (i32.const 1)) (i64.const 90)) (then (call $note (i64.const -1))))
    (call $fuel)"#;

#[test]
fn it_is_the_engines_fuel_wherever_it_ends() {
    let pair = Pair::load(&turning(EVERYWHERE, IN_TURN));
    let turn = pair.held_equal("arena.fuel", &OBSERVATION, std::iter::empty());
    assert!((1_000..5_000).contains(&turn), "{turn}");
    // Each budget of the start and of the turn, and far beyond.
    for fuel in (0..turn + 30).chain([PLENTY, PLENTY << 20]) {
        let [engine, own] = pair.play(&OBSERVATION, PLENTY, fuel);
        assert_eq!(engine, own, "turn on {fuel}");
        if fuel < 600 {
            let [engine, own] = pair.play(&OBSERVATION, fuel, PLENTY);
            assert_eq!(engine, own, "start on {fuel}");
        }
    }
}

#[test]
fn as_much_as_it_says_may_be_spent_and_no_unit_more() {
    // It asks, and spends a unit for each byte of the observation's first number.
    let bytes = turning(
        "",
        "(local i64) (local.set 1 (call $fuel)) (local.set 0 (i32.load (i32.const 1024)))
        (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))) (local.get 1)",
    );
    let program = OWN.load(&bytes);
    let turn = |rounds: u32, fuel| program.start(4, PLENTY).0.turn(&rounds.to_le_bytes(), fuel);
    for fuel in (70..200).chain([10_000, 50_000_000]) {
        let End::InTime { value: told, fuel: used } = turn(1, fuel) else { panic!("{fuel} is enough for a round") };
        // A round takes 5; what is left over for others is known from what it was told.
        let after = used - (fuel - told);
        assert_eq!(after, turn_after(), "whatever the budget");
        let rounds = (1 + (told - after) / 5).min(1_000) as u32;
        let exact = fuel - (told - after) + 5 * u64::from(rounds - 1);
        assert!(matches!(turn(rounds, exact), End::InTime { fuel, .. } if fuel == exact), "{rounds} on {exact}");
        assert_eq!(turn(rounds, exact - 1), End::Exhausted, "{rounds} on {}", exact - 1);
    }
}

/// Setting two locals, a constant, a load, a loop and a round, and getting a local.
fn turn_after() -> u64 {
    1 + 1 + 6 + 1 + 2 + 5 + 1
}

/// A bot that spends until a tenth of what it was told first is left, logs both numbers, and passes.
const SPENDER: &str = "(local $first i64)
    (local.set $first (call $fuel))
    (loop (br_if 0 (i64.gt_u (call $fuel) (i64.div_u (local.get $first) (i64.const 10)))))
    (i64.store (i32.const 64) (local.get $first)) (call $log (i32.const 64) (i32.const 8))
    (i32.store (i32.const 64) (i32.const 1))";

/// The fuel of each turn by the referee, and what the bot was told of it.
struct Told<'a> {
    program: &'a Program,
    playing: Option<Playing>,
    turns: Vec<(u64, u64)>,
}

impl Player for Told<'_> {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let (playing, end) = self.program.start(observation_len, fuel);
        self.playing = Some(playing);
        let End::InTime { fuel, .. } = end else { panic!("{end:?}") };
        Ok(Started { fuel: Some(fuel) })
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let playing = self.playing.as_mut().expect("it has started");
        match playing.turn(observation, fuel) {
            End::InTime { fuel: used, value } => {
                let told = playing.state().log.last().cloned().expect("a line");
                self.turns.push((fuel, u64::from_le_bytes(told.try_into().expect("eight bytes"))));
                Ok(Reply { action: playing.answer(value), fuel: Some(used) })
            }
            end => Err(super::games::forfeit(&end)),
        }
    }
}

#[test]
fn the_bank_is_within_it() {
    for (ruleset, options, pass) in [
        ("game-of-game-of-life@1", "seats=2,generations=50", "(i64.const 0x300000040)"),
        ("life2@2", "seats=2,coins=60,generations=600", "(i64.const 0x400000040)"),
    ] {
        let bytes = turning("", &format!("{SPENDER} {pass}"));
        let header = || Header {
            semantics: "example".into(),
            build: "example".into(),
            ruleset: ruleset.into(),
            options: options.into(),
            budgets: Budgets { fuel_per_move: 10_000, fuel_per_game: Some(100_000), ..Budgets::DEFAULT },
            seed: Hex([3; 32]),
            entrants: [(); 2].map(|()| EntrantId::of_bytes(&bytes)).to_vec(),
            opponents: BTreeMap::new(),
        };
        let told = [&ENGINE, &OWN].map(|machine| {
            let program = machine.load(&bytes);
            let mut players = [(); 2].map(|()| Told { program: &program, playing: None, turns: Vec::new() });
            let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
            play(header(), BySeat::from(seated)).expect("a game");
            players.map(|player| player.turns)
        });
        assert_eq!(told[0], told[1], "{ruleset}");
        for turns in &told[1] {
            // The entry, the call and its price are spent before.
            assert!(turns.iter().all(|(fuel, told)| *told == fuel - 1 - 25 - 15), "{ruleset}: {turns:?}");
            assert!(turns.len() > 10 && turns[0].0 == 10_000 && turns.last().expect("turns").0 < 10_000, "{turns:?}");
        }
    }
}
