//! How people end games: by their word, or by letting time pass. A record takes them as they are; no player can answer so.

use arena_record::{ForfeitCode, Record};
use arena_rules::{Reason, Seat};
use arena_wire::Protocol;

use crate::{Fault, Referee, Refused, Step};

/// What people said of a game, or did not say in time.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A person plays no longer: it gave up, or ran out of time.
    Out(Seat, Fault),
    /// All agreed to a draw.
    Agreed,
}

impl Ending {
    /// Ends the game so, or the part of a seat in it.
    ///
    /// # Errors
    /// When the game cannot end so now.
    pub fn apply<P: Protocol>(self, referee: &mut Referee<P>) -> Result<Step, Refused> {
        match self {
            Ending::Out(seat, fault) => referee.forfeit(seat, fault),
            Ending::Agreed => referee.agree(),
        }
    }
}

/// What people said of a recorded game, each with the turn in which they did, from 0.
pub fn endings(record: &Record) -> Vec<(u16, Ending)> {
    let out = record.forfeits.iter().filter(|forfeit| ForfeitCode::is_a_persons(forfeit.code)).filter_map(|forfeit| {
        let fault = Fault { code: forfeit.code, detail: forfeit.detail.clone() };
        Some((forfeit.turn?, Ending::Out(Seat(forfeit.seat), fault)))
    });
    let agreed = record.outcome.reason == Reason::Agreed.code();
    out.chain(agreed.then_some((record.turns.len() as u16, Ending::Agreed))).collect()
}
