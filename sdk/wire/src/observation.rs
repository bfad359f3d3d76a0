//! Observations, in the form that all games share.

use arena_rules::{Seat, Seed, conquerors};

/// A bot's observation at its turn; by default of Conway's Conquerors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation<P = conquerors::Position> {
    /// The position, with everything that the rules show.
    pub position: P,
    /// The bot's own seat.
    pub seat: Seat,
    /// A seed of the bot's own for this game, the same in every turn.
    pub seat_seed: Seed,
}
