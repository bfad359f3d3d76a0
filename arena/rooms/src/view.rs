//! What everyone may see of a room.

use std::sync::Arc;

use arena_record::{Forfeit, Hex, OutcomeRecord, TurnRecord};
use arena_rules::Seat;

use crate::{Clock, Room, RoomId, Seated, Table};

/// A room as everyone may see it, in the same form for every game. It lacks the seed: no room's first position depends
/// on it, so positions follow from ruleset, options, turns and forfeits alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomView {
    /// The room's id.
    pub room: RoomId,
    /// Events in the log. Later views have more.
    pub events: usize,
    /// Name and version of the ruleset.
    pub ruleset: String,
    /// Its options in canonical text.
    pub options: String,
    /// The occupants of the seats.
    pub seats: Vec<Seated>,
    /// The terms for joining; `None` if all seats were filled when it was opened.
    pub table: Option<Table>,
    /// Whether every seat is taken.
    pub started: bool,
    /// The seats that accounts' programs have.
    pub programs: Vec<Seat>,
    /// The seats that offer a draw.
    pub offers: Vec<Seat>,
    /// People's clock.
    pub clock: Option<Clock>,
    /// The time left on each seat's clock after the last event, in milliseconds; empty in rooms without clocks.
    pub left_ms: Vec<Option<u64>>,
    /// The seats whose clocks have been running since.
    pub running: Vec<Seat>,
    /// The turn being played, from 0; in a finished game, the number of completed turns.
    pub ply: u16,
    /// The completed turns, shared with the room.
    pub turns: Vec<Arc<TurnRecord>>,
    /// The seats that have yet to answer.
    pub awaiting: Vec<Seat>,
    /// The seats that dropped out.
    pub forfeits: Vec<Forfeit>,
    /// How the game ended; `None` while it is in progress.
    pub outcome: Option<OutcomeRecord>,
    /// The digest of the game so far, as by [`Room::digest`]. A page that computes another one shows another game.
    pub digest: Hex<8>,
}

impl Room {
    /// The room as everyone may see it.
    pub fn view(&self) -> RoomView {
        let opened = self.opened();
        RoomView {
            room: opened.room,
            events: 1 + self.later().len(),
            ruleset: opened.ruleset.clone(),
            options: opened.options.clone(),
            seats: self.seats().to_vec(),
            table: opened.table.clone(),
            started: self.has_started(),
            programs: self.programs.clone(),
            offers: self.offers.clone(),
            clock: self.clock(),
            left_ms: self.left_ms.clone(),
            running: self.running().collect(),
            ply: self.ply(),
            turns: self.turns().to_vec(),
            awaiting: self.awaiting().collect(),
            forfeits: self.forfeits().to_vec(),
            outcome: self.outcome().map(OutcomeRecord::from),
            digest: self.digest(),
        }
    }
}
