//! A built-in opponent as a player.

use arena_baselines::Opponent;
use arena_referee::{Failure, PlatformFault, Player, Reply, Started};
use arena_wire::ObservationError;

/// A built-in opponent, with the same bytes as answers as its guest.
pub struct BuiltIn(pub Opponent);

impl Player for BuiltIn {
    fn start(&mut self, _observation_len: usize, _fuel: u64) -> Result<Started, Failure> {
        Ok(Started { fuel: None })
    }

    fn turn(&mut self, observation: &[u8], _fuel: u64) -> Result<Reply, Failure> {
        let wrong = |error: ObservationError| {
            Failure::Platform(PlatformFault(format!("a built-in opponent was shown nonsense: {error}")))
        };
        Ok(Reply { action: self.0.answer(observation).map_err(wrong)?, fuel: None })
    }
}
