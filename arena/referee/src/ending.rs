//! How people end games: by resigning, agreeing, or running out of time. A record is believed on these; no player's
//! answer can be one.

use arena_record::{ForfeitCode, Record};
use arena_rules::{Reason, Seat};
use arena_wire::Protocol;

use crate::{Fault, Referee, Refused, Step};

/// An ending by people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Ending {
    /// A person drops out: it resigned, or ran out of time.
    Out(Seat, Fault),
    /// All agreed on a draw.
    Agreed,
}

impl Ending {
    /// Applies the ending: to the game, or to the part of one seat.
    ///
    /// # Errors
    /// When the game cannot end like this now.
    pub fn apply<P: Protocol>(self, referee: &mut Referee<P>) -> Result<Step, Refused> {
        match self {
            Ending::Out(seat, fault) => referee.forfeit(seat, fault),
            Ending::Agreed => referee.agree(),
        }
    }
}

/// The endings by people in a recorded game, each with its turn, from 0.
pub fn endings(record: &Record) -> Vec<(u16, Ending)> {
    let out = record.forfeits.iter().filter(|forfeit| ForfeitCode::is_a_persons(forfeit.code)).filter_map(|forfeit| {
        let fault = Fault { code: forfeit.code, detail: forfeit.detail.clone() };
        Some((forfeit.turn?, Ending::Out(Seat(forfeit.seat), fault)))
    });
    let agreed = record.outcome.reason == Reason::Agreed.code();
    out.chain(agreed.then_some((record.turns.len() as u16, Ending::Agreed))).collect()
}
