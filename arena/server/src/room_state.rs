//! The state of a room as pages and programs get it.

use arena_record::{Forfeit, Hex, OutcomeRecord, Play, TurnRecord};
use arena_rooms::{Clock, Door, RoomId, Seated};
use arena_service::Snapshot;
use serde::Serialize;

/// A room at a moment. It says nothing of a position: `web/engine` computes that from ruleset, options and turns.
#[derive(Serialize)]
#[serde(tag = "type", rename = "state")]
struct RoomState<'a> {
    room: &'a RoomId,
    /// A later state has more.
    events: usize,
    ruleset: &'a str,
    options: &'a str,
    seats: &'a [Seated],
    ply: u16,
    /// The turn that the first of these is; left out where it is the first of all.
    #[serde(skip_serializing_if = "is_zero")]
    first: usize,
    /// What was played in each turn that is over, in seat order.
    turns: Vec<&'a [Play]>,
    awaiting: Vec<u8>,
    forfeits: &'a [Forfeit],
    outcome: Option<&'a OutcomeRecord>,
    /// Of the game so far.
    digest: Hex<8>,
    trouble: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<People<'a>>,
}

/// What a room has that people find and join.
#[derive(Serialize)]
struct People<'a> {
    /// Whether every seat is taken.
    started: bool,
    /// Whether nothing happens in it any more.
    finished: bool,
    door: Door,
    rated: bool,
    chat: bool,
    /// The seats that accounts' programs have.
    programs: Vec<u8>,
    /// The seats that offer a draw.
    offers: Vec<u8>,
    clock: Option<Clock>,
    /// What each clock has left when this is sent, in milliseconds.
    left_ms: Vec<Option<u64>>,
    /// The seats whose clocks run.
    running: Vec<u8>,
    /// The seats that want to play once more, and where they do.
    rematch: &'a [u8],
    next: Option<RoomId>,
}

/// Which turns a state tells.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turns {
    /// All, however many.
    All,
    /// All, or of a long game the latest: a message that waits for its reader is never longer than a socket keeps.
    Latest,
    /// The same from this one on.
    From(usize),
}

/// Answers in the turns that a message tells: each has some 60 bytes.
const ANSWERS_TOLD_MAX: usize = 256;

impl Turns {
    /// The first turn of these that is sent.
    fn first(self, turns: &[TurnRecord]) -> usize {
        let known = match self {
            Turns::All => return 0,
            Turns::Latest => 0,
            Turns::From(known) => known,
        };
        let mut answers = 0;
        let fits = |turn: &&TurnRecord| {
            answers += turn.plays.len();
            answers <= ANSWERS_TOLD_MAX
        };
        let latest = turns.iter().rev().take_while(fits).count();
        known.max(turns.len() - latest).min(turns.len())
    }
}

fn is_zero(number: &usize) -> bool {
    *number == 0
}

/// The state as a line of JSON.
pub(crate) fn room_state(snapshot: &Snapshot, told: Turns) -> String {
    let Snapshot { view, trouble, .. } = snapshot;
    let numbers = |seats: &[arena_rules::Seat]| seats.iter().map(|seat| seat.0).collect();
    let people = view.table.as_ref().map(|table| People {
        started: view.started,
        finished: snapshot.finished,
        door: table.door,
        rated: table.rated,
        chat: table.chat,
        programs: numbers(&view.programs),
        offers: numbers(&view.offers),
        clock: view.clock,
        left_ms: snapshot.left_ms(),
        running: if snapshot.finished { Vec::new() } else { numbers(&view.running) },
        rematch: &snapshot.rematch,
        next: snapshot.next,
    });
    let first = told.first(&view.turns);
    let state = RoomState {
        room: &view.room,
        events: view.events,
        ruleset: &view.ruleset,
        options: &view.options,
        seats: &view.seats,
        ply: view.ply,
        first,
        turns: view.turns[first..].iter().map(|turn| &turn.plays[..]).collect(),
        awaiting: view.awaiting.iter().map(|seat| seat.0).collect(),
        forfeits: &view.forfeits,
        outcome: view.outcome.as_ref(),
        digest: view.digest,
        trouble: trouble.as_deref(),
        people,
    };
    // Strings, numbers and lists always serialise.
    serde_json::to_string(&state).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use arena_record::Bytes;

    use super::*;

    fn turns(turns: usize, seats: u8) -> Vec<TurnRecord> {
        let play = |seat| Play { seat, action: Bytes(vec![1, 0, 0]), fuel: None };
        vec![TurnRecord { plays: (0..seats).map(play).collect(), digest: Hex([0; 8]) }; turns]
    }

    #[test]
    fn a_message_tells_what_is_not_known_and_of_a_long_game_the_latest() {
        let (short, long) = (turns(24, 1), turns(100, 16));
        assert_eq!((Turns::All.first(&long), Turns::Latest.first(&short), Turns::From(20).first(&short)), (0, 0, 20));
        assert_eq!((Turns::Latest.first(&long), Turns::From(3).first(&long)), (84, 84));
        assert_eq!((Turns::From(99).first(&long), Turns::From(100).first(&long)), (99, 100));
        assert_eq!(Turns::From(1_000).first(&short), 24, "who says that it knows more hears of none");
        assert_eq!((Turns::Latest.first(&[]), Turns::From(0).first(&[])), (0, 0));
    }
}
