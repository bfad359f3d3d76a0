//! What everybody who watches a room is shown.

use std::sync::Arc;

use arena_record::{Forfeit, OutcomeRecord, Play};
use arena_rooms::{AnyRoom, GameView, RoomId, Seated};
use serde::Serialize;

/// A room at a moment. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Snapshot {
    /// Grows by one with every snapshot of this [`LiveRoom`](crate::LiveRoom), from 1.
    pub version: u64,
    /// Events in the log.
    pub events: usize,
    /// Whether the game is over.
    pub over: bool,
    /// The state as pages are told it: a line of JSON, made once for all who watch.
    pub text: Arc<str>,
}

/// The state as pages are told it.
#[derive(Serialize)]
struct State<'a> {
    r#type: &'static str,
    room: RoomId,
    events: usize,
    ply: u16,
    awaiting: Vec<u8>,
    seats: Vec<Seated>,
    ruleset: &'a str,
    options: &'a str,
    /// All answers so far, so that a page that missed some can show them.
    plays: Vec<&'a Play>,
    forfeits: Vec<Forfeit>,
    outcome: Option<OutcomeRecord>,
    game: GameView,
    trouble: Option<&'a str>,
}

impl Snapshot {
    pub(crate) fn of(room: &dyn AnyRoom, trouble: Option<&str>, version: u64) -> Snapshot {
        let view = room.view();
        let (events, over) = (view.events, view.outcome.is_some());
        let state = State {
            r#type: "state",
            room: view.room,
            events,
            ply: view.ply,
            awaiting: view.awaiting,
            seats: view.seats,
            ruleset: &room.opened().ruleset,
            options: &room.opened().options,
            plays: room.turns().iter().flat_map(|turn| &turn.plays).collect(),
            forfeits: view.forfeits,
            outcome: view.outcome,
            game: view.game,
            trouble,
        };
        // Strings, numbers and lists always serialise.
        let text = serde_json::to_string(&state).unwrap_or_default();
        Snapshot { version, events, over, text: text.into() }
    }
}
