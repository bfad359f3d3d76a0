//! Which tables there can be.

use arena_rules::Seat;

use crate::{Opened, Seated, Table};

/// What a table cannot have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableFault {
    /// A seat nobody sits in, in a room that cannot be joined.
    #[error("a seat is open, and nobody can join")]
    NobodyJoins,
    /// No seat for who opened it.
    #[error("the host has no seat")]
    NoHost,
    /// Times out of their limits.
    #[error("the times of the clock are out of their limits")]
    Clock,
    /// A program where the game counts.
    #[error("programs play in unrated rooms only")]
    Rated,
    /// A lot too many, or too few.
    #[error("seats are drawn when the last of such a room is taken, and only then")]
    Lot,
    /// The seat is taken, or not there.
    #[error("this seat is not open")]
    NotOpen,
    /// The person has one.
    #[error("this person sits in the room already")]
    Seated,
    /// The host does not leave: it closes the room.
    #[error("the host closes its room, and does not leave it")]
    HostLeaves,
    /// An agreement without all people, or an offer a second time.
    #[error("a draw is offered once a turn, and takes all people at the board")]
    Agreement,
}

pub(crate) fn check_table(opened: &Opened) -> Result<(), TableFault> {
    let is_open = opened.seats.contains(&Seated::Open);
    let Some(Table { host, clock, rated, program, .. }) = &opened.table else {
        return if is_open { Err(TableFault::NobodyJoins) } else { Ok(()) };
    };
    if !opened.seats.contains(&Seated::Person(*host)) {
        return Err(TableFault::NoHost);
    }
    if clock.is_some_and(|clock| !clock.is_sound()) {
        return Err(TableFault::Clock);
    }
    if *rated && *program { Err(TableFault::Rated) } else { Ok(()) }
}

/// The seats that programs have when a room is opened: the host's, if it is one.
pub(crate) fn programs_of(opened: &Opened) -> Vec<Seat> {
    let Some(Table { host, program: true, .. }) = &opened.table else { return Vec::new() };
    let seats = (0..).map(Seat).zip(&opened.seats);
    seats.filter(|(_, seated)| **seated == Seated::Person(*host)).map(|(seat, _)| seat).collect()
}
