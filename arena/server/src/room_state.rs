//! The state of a room as it is sent to pages and programs.

use std::sync::Arc;

use arena_record::{Forfeit, Hex, OutcomeRecord, Play, TurnRecord};
use arena_rooms::{Clock, Door, RoomId, Seated};
use arena_service::Snapshot;
use serde::Serialize;
use utoipa::ToSchema;

/// A room at a moment, without its position, which `web/engine` computes from ruleset, options and turns.
#[derive(Serialize, ToSchema)]
pub(crate) struct RoomState<'a> {
    #[schema(value_type = String)]
    room: &'a RoomId,
    /// The number of events so far; it grows with each state.
    events: usize,
    ruleset: &'a str,
    options: &'a str,
    /// The players' ids as in records; `null` is an open seat.
    #[schema(value_type = Vec<Option<String>>)]
    seats: &'a [Seated],
    ply: u16,
    /// The number of the first turn below; left out if it is 0.
    #[serde(skip_serializing_if = "is_zero")]
    #[schema(value_type = Option<usize>)]
    first: usize,
    /// The plays of each completed turn, in seat order.
    #[schema(value_type = Vec<Vec<PlayShape>>)]
    turns: Vec<&'a [Play]>,
    /// The seats that have yet to answer.
    awaiting: Vec<u8>,
    #[schema(value_type = Vec<ForfeitShape>)]
    forfeits: &'a [Forfeit],
    #[schema(required, value_type = Option<OutcomeShape>)]
    outcome: Option<&'a OutcomeRecord>,
    /// The digest of the game so far.
    #[schema(value_type = String)]
    digest: Hex<8>,
    /// Why the game cannot continue, if it cannot.
    #[schema(required)]
    trouble: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    people: Option<People<'a>>,
}

/// The answer of a seat.
#[derive(ToSchema)]
#[schema(as = Play)]
#[expect(dead_code, reason = "its shape in a record, which knows nothing of the document")]
struct PlayShape {
    seat: u8,
    /// The action's bytes in hex.
    action: String,
    /// Fuel of the answer; `null` for players that are not metered.
    #[schema(required)]
    fuel: Option<u64>,
}

/// A seat that dropped out, and why.
#[derive(ToSchema)]
#[schema(as = Forfeit)]
#[expect(dead_code, reason = "its shape in a record, which knows nothing of the document")]
struct ForfeitShape {
    seat: u8,
    /// The turn, from 0; `null` before the first.
    #[schema(required)]
    turn: Option<u16>,
    /// The kind of fault.
    code: String,
    detail: String,
}

/// How a game ended.
#[derive(ToSchema)]
#[schema(as = Outcome)]
#[expect(dead_code, reason = "its shape in a record, which knows nothing of the document")]
struct OutcomeShape {
    /// The winning seat; `null` is a draw.
    #[schema(required)]
    winner: Option<u8>,
    /// The code of its reason.
    reason: String,
    /// The numbers that the ruleset ranks by, by seat.
    tally: Vec<u32>,
}

/// The parts of the state for a room that people find and join.
#[derive(Serialize, ToSchema)]
#[schema(as = RoomPeople)]
struct People<'a> {
    /// Whether every seat is taken.
    started: bool,
    /// Whether nothing can happen in it any more.
    finished: bool,
    #[schema(value_type = String)]
    door: Door,
    rated: bool,
    chat: bool,
    /// The seats of accounts' programs.
    programs: Vec<u8>,
    /// The seats that offer a draw.
    offers: Vec<u8>,
    #[schema(value_type = Option<Object>)]
    clock: Option<Clock>,
    /// The remaining time of each clock when this is sent, in milliseconds.
    left_ms: Vec<Option<u64>>,
    /// The seats whose clocks run.
    running: Vec<u8>,
    /// Whether the site takes no turns at the moment, and clocks stand still until it does; left out if not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[schema(value_type = Option<bool>)]
    stands_still: bool,
    /// The seats that want a rematch, and the rematch's room.
    rematch: &'a [u8],
    #[schema(required, value_type = Option<String>)]
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
    fn first(self, turns: &[Arc<TurnRecord>]) -> usize {
        let known = match self {
            Turns::All => return 0,
            Turns::Latest => 0,
            Turns::From(known) => known,
        };
        let mut answers = 0;
        let fits = |turn: &&Arc<TurnRecord>| {
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

/// The state with these turns.
pub(crate) fn room_state(snapshot: &Snapshot, told: Turns) -> RoomState<'_> {
    let Snapshot { view, trouble, .. } = snapshot;
    let numbers = |seats: &[arena_rules::Seat]| seats.iter().map(|seat| seat.0).collect();
    let stands_still = view.clock.is_some() && snapshot.stands_still();
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
        running: if snapshot.finished || stands_still { Vec::new() } else { numbers(&view.running) },
        stands_still,
        rematch: &snapshot.rematch,
        next: snapshot.next,
    });
    let first = told.first(&view.turns);
    RoomState {
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
    }
}

#[cfg(test)]
mod tests {
    use arena_record::Bytes;

    use super::*;

    fn turns(turns: usize, seats: u8) -> Vec<Arc<TurnRecord>> {
        let play = |seat| Play { seat, action: Bytes(vec![1, 0, 0]), fuel: None };
        let turn = Arc::new(TurnRecord { plays: (0..seats).map(play).collect(), digest: Hex([0; 8]) });
        vec![turn; turns]
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
