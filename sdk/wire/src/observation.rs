//! Observations, in the form that all games share.

use arena_rules::{Seat, Seed, conquerors};

/// What a bot sees at its turn. Without a parameter: of Conway's Conquerors.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation<P = conquerors::Position> {
    /// The position, everything in it visible to all players.
    pub position: P,
    /// The bot's own seat.
    pub seat: Seat,
    /// A seed of the bot's own for this game; the same every turn.
    pub seat_seed: Seed,
}
