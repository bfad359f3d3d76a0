//! Those who answer the referee.

use arena_record::ForfeitCode;

/// A player of one game, in one seat.
///
/// Implemented by the sandbox for bots, natively for the baselines, and by whatever carries a person's moves.
pub trait Player {
    /// Gets ready for a game whose observations all have `observation_len` bytes, on at most `fuel`.
    ///
    /// # Errors
    /// When the player cannot, by its own fault or by ours.
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure>;

    /// Answers an observation on at most `fuel`. Called only after a successful start, and never again after a failure.
    ///
    /// # Errors
    /// When the player does not answer, by its own fault or by ours.
    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure>;
}

/// A player that is ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Started {
    /// Fuel the start took; `None` when the player is not metered.
    pub fuel: Option<u64>,
}

/// A player's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The action's bytes, not yet known to be one.
    pub action: Vec<u8>,
    /// Fuel the answer took; `None` when the player is not metered.
    pub fuel: Option<u64>,
}

/// No answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// By the player's own fault: it forfeits.
    Own(Fault),
    /// By the machine's fault: the game does not count.
    Platform(PlatformFault),
}

/// A player's own fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// What kind.
    pub code: ForfeitCode,
    /// What exactly, in words that are the same on every machine.
    pub detail: String,
}

impl Fault {
    /// A fault as a failure.
    pub fn failure(code: ForfeitCode, detail: impl Into<String>) -> Failure {
        Failure::Own(Fault { code, detail: detail.into() })
    }
}

/// The machine failed, not a player: the game has no result and is played again.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("the machine failed, not a player: {0}")]
pub struct PlatformFault(pub String);
