//! Observations, in the form that all games share.

use alloc::vec::Vec;

use arena_rules::{Rng, Seat, Seed, conquerors};

use crate::{ObservationError, Protocol};

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

impl<P: Protocol> Observation<P> {
    /// This turn's generator: ChaCha8 keyed by the seat's seed, its stream the number of turns played.
    pub fn rng(&self) -> Rng {
        Rng::new(&self.seat_seed, self.position.turns_played().into())
    }

    /// The bytes of this observation, as `sdk/ABI.md` lays them out.
    pub fn encode(&self) -> Vec<u8> {
        self.position.observation(self.seat, &self.seat_seed)
    }

    /// The observation that bytes stand for.
    ///
    /// # Errors
    /// When they are not an observation of this version and ruleset.
    pub fn decode(bytes: &[u8]) -> Result<Observation<P>, ObservationError> {
        P::observe(bytes)
    }
}
