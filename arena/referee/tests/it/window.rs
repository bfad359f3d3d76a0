//! The longest record of Life2: nine seats that choose a view and place as many cells as they may in every turn.

use arena_record::{Budgets, Bytes, EntrantId, Header, Hex, RECORD_BYTES_MAX, Record};
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::life2::{Action, CELLS_A_TURN, Position, Target, VIEW_SIDE, View};
use arena_rules::{BySeat, Ruleset};
use arena_wire::Protocol;

/// Passes, and uses all the fuel that it may.
struct Idler;

impl Player for Idler {
    fn start(&mut self, _observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        Ok(Started { fuel: Some(fuel) })
    }

    fn turn(&mut self, _observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        Ok(Reply { action: Position::encode_action(&Action::Pass), fuel: Some(fuel) })
    }
}

#[test]
fn the_longest_window_fits_a_record() {
    let header = Header {
        semantics: "example".repeat(9),
        build: "example".repeat(9),
        ruleset: Position::ID.into(),
        options: "seats=9,coins=12000".into(),
        budgets: Budgets::of(Position::ALLOWANCE),
        seed: Hex([3; 32]),
        entrants: vec![EntrantId::of_bytes(b"a bot"); 9],
        opponents: Default::default(),
    };
    let mut players: Vec<Idler> = (0..9).map(|_| Idler).collect();
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
    let mut record: Record = play(header, BySeat::from(seated)).expect("a game was played");
    let plays = record.turns.iter().map(|turn| turn.plays.len()).sum::<usize>();
    assert_eq!(plays, 9 * usize::from(Position::TURNS_MAX));
    // Ground and coins of no game suffice for it, but the limit of a turn allows it.
    let far = Target { row: 511, col: 511 };
    let view = View::around(far, VIEW_SIDE, VIEW_SIDE).expect("it is allowed");
    let full = Position::encode_action(&Action::Look(view, vec![far; CELLS_A_TURN]));
    for play in record.turns.iter_mut().flat_map(|turn| &mut turn.plays) {
        play.action = Bytes(full.clone());
    }
    let length = record.to_text().len();
    assert!(length <= RECORD_BYTES_MAX, "{length} bytes");
    assert!(length > RECORD_BYTES_MAX * 9 / 10, "{length} bytes: there is room for more cells a turn");
}
