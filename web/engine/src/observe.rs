//! A seat's observation in a game in progress, so that a page can ask a bot itself.

use arena_record::{Budgets, Bytes, Hex};
use arena_referee::Referee;
use arena_rules::Seat;
use arena_wire::Protocol;
use serde::Serialize;

use crate::failure::Failure;
use crate::game::{GameText, Question};

/// An observation for a bot.
#[derive(Serialize)]
pub(crate) struct ObservationView {
    observation: Bytes,
    /// The limits of a bot.
    budgets: Budgets,
}

/// A seat's observation of a game's position. The page draws the seat's seed: only the header of a game that counts has
/// one.
pub(crate) fn observe(game: &GameText, seat: u8, seat_seed: Hex<32>) -> Result<ObservationView, Failure> {
    struct Observe(Seat, Hex<32>);
    impl Question for Observe {
        type Answer = Option<Vec<u8>>;
        fn ask<P: Protocol>(self, game: Referee<P>) -> Self::Answer {
            let Observe(seat, Hex(seed)) = self;
            (seat.0 < game.position().seats()).then(|| game.position().observation(seat, &seed))
        }
    }
    let observation = game.ask(Observe(Seat(seat), seat_seed))?;
    let observation = observation.ok_or_else(|| Failure::new("bad_request", format!("there is no seat {seat}")))?;
    Ok(ObservationView { observation: Bytes(observation), budgets: Budgets::DEFAULT })
}
