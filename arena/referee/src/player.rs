//! The players that answer the referee.

use arena_record::ForfeitCode;

/// A player of one game, in one seat.
///
/// `sandbox` and `worker` implement it for bots, `runner` for the baselines and for seats that answer from a record.
pub trait Player {
    /// Gets ready for a game whose observations all have `observation_len` bytes, on at most `fuel`.
    ///
    /// # Errors
    /// When the player cannot, through its own fault or ours.
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure>;

    /// Answers an observation on at most `fuel`. Called only after a successful start, and never again after a failure.
    ///
    /// # Errors
    /// When the player does not answer, through its own fault or ours.
    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure>;
}

/// A player that is ready.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Started {
    /// Fuel of the start; `None` if the player is not metered.
    pub fuel: Option<u64>,
}

/// A player's answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reply {
    /// The action's bytes, not yet decoded.
    pub action: Vec<u8>,
    /// Fuel of the answer; `None` if the player is not metered.
    pub fuel: Option<u64>,
}

/// No answer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Failure {
    /// The player's own fault: it forfeits.
    Own(Fault),
    /// The machine's fault: the game does not count.
    Platform(PlatformFault),
}

/// A player's own fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Fault {
    /// The kind of fault.
    pub code: ForfeitCode,
    /// A description that is the same on every machine.
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
