//! The state of a room as it is sent to pages and programs.

use arena_record::{Forfeit, Hex, OutcomeRecord, Play, TurnRecord};
use arena_rooms::{Clock, Door, RoomId, Seated};
use arena_service::Snapshot;
use serde::Serialize;

/// A room at a moment, without its position, which `web/engine` computes from ruleset, options and turns.
#[derive(Serialize)]
#[serde(tag = "type", rename = "state")]
struct RoomState<'a> {
    room: &'a RoomId,
    /// The number of events so far; it grows with each state.
    events: usize,
    ruleset: &'a str,
    options: &'a str,
    seats: &'a [Seated],
    ply: u16,
    /// The number of the first turn below; left out if it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    first: usize,
    /// The plays of each completed turn, in seat order.
    turns: Vec<&'a [Play]>,
    awaiting: Vec<u8>,
    forfeits: &'a [Forfeit],
    outcome: Option<&'a OutcomeRecord>,
    /// The digest of the game so far.
    digest: Hex<8>,
    trouble: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<People<'a>>,
}

/// The parts of the state for a room that people find and join.
#[derive(Serialize)]
struct People<'a> {
    /// Whether every seat is taken.
    started: bool,
    /// Whether nothing can happen in it any more.
    finished: bool,
    door: Door,
    rated: bool,
    chat: bool,
    /// The seats of accounts' programs.
    programs: Vec<u8>,
    /// The seats that offer a draw.
    offers: Vec<u8>,
    clock: Option<Clock>,
    /// The remaining time of each clock when this is sent, in milliseconds.
    left_ms: Vec<Option<u64>>,
    /// The seats whose clocks run.
    running: Vec<u8>,
    /// The seats that want a rematch, and the rematch's room.
    rematch: &'a [u8],
    next: Option<RoomId>,
}

/// The turns that a state includes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Turns {
    /// All turns.
    All,
    /// The latest turns of a long game, otherwise all: a message that waits for its reader must fit a socket's buffer.
    Latest,
    /// Like the latest, but from this turn on.
    From(usize),
}

/// Most answers in the turns of a message; each has about 60 bytes.
const ANSWERS_TOLD_MAX: usize = 256;

impl Turns {
    /// The first of these turns that is sent.
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
