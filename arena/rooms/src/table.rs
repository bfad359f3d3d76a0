//! Which tables are possible.

use arena_rules::Seat;

use crate::{Opened, Seated, Table};

/// What is wrong with a table.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TableFault {
    /// A seat is open in a room that cannot be joined.
    #[error("a seat is open, and nobody can join")]
    NobodyJoins,
    /// The host has no seat.
    #[error("the host has no seat")]
    NoHost,
    /// Times are beyond their limits.
    #[error("the times of the clock are out of their limits")]
    Clock,
    /// A program has a seat that is not a person's.
    #[error("programs have seats of people, in the order of seats")]
    Program,
    /// A program has a seat in a game that counts.
    #[error("programs play in unrated rooms only")]
    Rated,
    /// A browser is given for a seat without a person who came in one.
    #[error("only people come in browsers, one in each seat")]
    Browser,
    /// Seats are drawn without a lot, or a lot is given without need.
    #[error("seats are drawn when the last of such a room is taken, and only then")]
    Lot,
    /// The seat is taken or does not exist.
    #[error("this seat is not open")]
    NotOpen,
    /// The person has a seat already.
    #[error("this person already has a seat in the room")]
    Seated,
    /// The host cannot leave, but can close the room.
    #[error("the host closes its room, and does not leave it")]
    HostLeaves,
    /// An agreement lacks a person, an offer is repeated, or a refusal is of no offer.
    #[error(
        "a draw is offered once a turn, takes all people at the board, and is declined by one to whom it is offered"
    )]
    Agreement,
}

pub(crate) fn check_table(opened: &Opened) -> Result<(), TableFault> {
    let is_open = opened.seats.contains(&Seated::Open);
    let is_person = |seat: usize| matches!(opened.seats.get(seat), Some(Seated::Person(_)));
    let is_program = |seat: usize| programs_of(opened).iter().any(|program| program.index() == seat);
    let mut came = opened.browsers.iter().enumerate().filter(|(_, browser)| browser.is_some());
    let by_seat = opened.browsers.is_empty() || opened.browsers.len() == opened.seats.len();
    if !by_seat || !came.all(|(seat, _)| is_person(seat) && !is_program(seat)) {
        return Err(TableFault::Browser);
    }
    let Some(Table { host, clock, rated, programs, .. }) = &opened.table else {
        return if is_open { Err(TableFault::NobodyJoins) } else { Ok(()) };
    };
    if !opened.seats.contains(&Seated::Person(*host)) {
        return Err(TableFault::NoHost);
    }
    if clock.is_some_and(|clock| !clock.is_sound()) {
        return Err(TableFault::Clock);
    }
    if !programs.is_sorted_by(|one, next| one < next) || !programs.iter().all(|seat| is_person((*seat).into())) {
        return Err(TableFault::Program);
    }
    if *rated && !programs.is_empty() { Err(TableFault::Rated) } else { Ok(()) }
}

/// The seats of programs when a room is opened.
pub(crate) fn programs_of(opened: &Opened) -> Vec<Seat> {
    opened.table.iter().flat_map(|table| &table.programs).copied().map(Seat).collect()
}
