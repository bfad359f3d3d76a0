//! The state of a room as pages and programs get it.

use arena_record::{Forfeit, Hex, OutcomeRecord, Play};
use arena_rooms::{RoomId, Seated};
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
    /// What was played in each turn that is over, in seat order.
    turns: Vec<&'a [Play]>,
    awaiting: Vec<u8>,
    forfeits: &'a [Forfeit],
    outcome: Option<&'a OutcomeRecord>,
    /// Of the game so far.
    digest: Hex<8>,
    trouble: Option<&'a str>,
}

/// The state as a line of JSON.
pub(crate) fn room_state(Snapshot { view, trouble, .. }: &Snapshot) -> String {
    let state = RoomState {
        room: &view.room,
        events: view.events,
        ruleset: &view.ruleset,
        options: &view.options,
        seats: &view.seats,
        ply: view.ply,
        turns: view.turns.iter().map(|turn| &turn.plays[..]).collect(),
        awaiting: view.awaiting.iter().map(|seat| seat.0).collect(),
        forfeits: &view.forfeits,
        outcome: view.outcome.as_ref(),
        digest: view.digest,
        trouble: trouble.as_deref(),
    };
    // Strings, numbers and lists always serialise.
    serde_json::to_string(&state).unwrap_or_default()
}
