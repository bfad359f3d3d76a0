//! Games as tests want them.

use arena_people::{Browser, Finished, GameMode, Side, Who};
use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};
use arena_rules::{BySeat, Outcome, Reason, Seat};

/// 2026-11-30T00:00:00Z: the last day of a month.
pub(crate) const DAY: i64 = 1_795_996_800;

pub(crate) fn person(number: u8) -> PersonId {
    PersonId(Hex([0, 0, 0, 0, 0, 0, 0, number]))
}

/// A person in a browser.
pub(crate) fn account(number: u8, browser: u8) -> Side {
    Side { who: Who::Account(person(number)), browser: Some(Browser(Hex([browser; 32]))) }
}

pub(crate) fn guest(browser: u8) -> Side {
    Side { who: Who::Guest, browser: Some(Browser(Hex([browser; 32]))) }
}

pub(crate) fn built_in(name: &str) -> Side {
    Side { who: Who::BuiltIn(EntrantId::of_baseline(name, 1)), browser: None }
}

pub(crate) fn bot() -> Side {
    Side { who: Who::Bot, browser: None }
}

/// A full game that the first seat won by 10, in 300 s. Games with different numbers are different in all that tells
/// games apart.
pub(crate) fn game<const N: usize>(number: u16, sides: [Side; N]) -> Finished {
    let mut tally = [20; N];
    tally[0] = 30;
    Finished {
        room: RoomId(Hex(u128::from(number).to_be_bytes())),
        ruleset: "conquerors@2".into(),
        terms: GameMode::Rated,
        sides: BySeat::from(sides),
        outcome: Outcome { winner: Some(Seat(0)), reason: Reason::Majority, tally: BySeat::from(tally) },
        round: Some(13),
        elapsed_s: 300,
        digest: Hex(std::array::from_fn(|index| number.to_be_bytes()[index % 2])),
        finished_at: DAY + i64::from(number),
        annulled: None,
    }
}
