//! Observations, in the form that all games share.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use arena_rules::{Rng, Seat, Seed, conquerors};

use crate::Protocol;

/// Bytes before the board: version, ruleset, seat and what the ruleset adds, then the seat's seed.
pub(crate) const HEADER_LEN: usize = SEED_AT + 32;
/// Where the seat's seed is.
pub(crate) const SEED_AT: usize = 16;

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

/// Why bytes are not an observation.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ObservationError {
    /// Not the length of an observation of this game.
    Length {
        /// The length asked for.
        expected: usize,
        /// The length it had.
        got: usize,
    },
    /// Another version, another ruleset, or a byte that no observation has there; the offset.
    Byte(usize),
    /// Each byte may be there, but no position has all of them; why.
    Position(String),
}

impl fmt::Display for ObservationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObservationError::Length { expected, got } => {
                write!(f, "an observation of this game has {expected} bytes, not {got}")
            }
            ObservationError::Byte(at) => write!(f, "byte {at} does not belong in an observation of this version"),
            ObservationError::Position(why) => write!(f, "the observed position makes no sense: {why}"),
        }
    }
}

impl core::error::Error for ObservationError {}

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
