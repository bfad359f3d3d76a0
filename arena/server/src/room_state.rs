//! The state of a room as pages and programs get it.

use arena_record::{Forfeit, Hex, OutcomeRecord, Play};
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

/// The state as a line of JSON.
pub(crate) fn room_state(snapshot: &Snapshot) -> String {
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
        people,
    };
    // Strings, numbers and lists always serialise.
    serde_json::to_string(&state).unwrap_or_default()
}
