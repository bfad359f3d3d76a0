//! What everyone may see of a room.

use arena_record::{Forfeit, Hex, OutcomeRecord, TurnRecord};
use arena_rules::Seat;
use arena_wire::Protocol;

use crate::{Room, RoomId, Seated};

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
            seats: opened.seats.clone(),
            ply: self.ply(),
            turns: self.turns().to_vec(),
            awaiting: self.awaiting().collect(),
            forfeits: self.forfeits().to_vec(),
            outcome: self.outcome().map(OutcomeRecord::from),
            digest: self.digest(),
        }
    }
}
