//! What everyone may see of a room.

use arena_record::{Forfeit, Hex, OutcomeRecord, TurnRecord};
use arena_rules::Seat;
use arena_wire::Protocol;

use crate::{Clock, Room, RoomId, Seated, Table};

/// A room as everyone may see it, the same for every game. Never the seed: no room's first position depends on it, so that
/// ruleset, options, turns and forfeits are all that a position is computed from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoomView {
    /// The room's name.
    pub room: RoomId,
    /// Events in the log: a later view has more.
    pub events: usize,
    /// Name and version of the ruleset.
    pub ruleset: String,
    /// Its options in canonical text.
    pub options: String,
    /// Who sits where.
    pub seats: Vec<Seated>,
    /// What people found it by and joined; `None` where all seats were filled when it was opened.
    pub table: Option<Table>,
    /// Whether every seat is taken.
    pub started: bool,
    /// The seats that accounts' own programs have.
    pub programs: Vec<Seat>,
    /// The seats that offer a draw.
    pub offers: Vec<Seat>,
    /// The time that people have.
    pub clock: Option<Clock>,
    /// What the clock of each seat had left after the last event, in milliseconds; empty in rooms without clocks.
    pub left_ms: Vec<Option<u64>>,
    /// The seats whose clocks have run since.
    pub running: Vec<Seat>,
    /// The turn being played, from 0; in a finished game, how many were played to their end.
    pub ply: u16,
    /// The turns that are over.
    pub turns: Vec<TurnRecord>,
    /// The seats that have yet to answer.
    pub awaiting: Vec<Seat>,
    /// Who could not go on.
    pub forfeits: Vec<Forfeit>,
    /// How the game ended; `None` while it goes on.
    pub outcome: Option<OutcomeRecord>,
    /// The digest of the game so far, as [`Room::digest`] has it. A page that computes another one shows another game.
    pub digest: Hex<8>,
}

impl<P: Protocol> Room<P> {
    /// What everyone may see.
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
