//! Errors that any operation may return, besides its own.

use std::error::Error;

use arena_limits::{Kind, Refusal, Refused};
use arena_record::{EntrantId, Hex};

/// What an operation returns that has no errors of its own.
pub(crate) type Result<T, E = StoreError> = std::result::Result<T, E>;

/// The store failed, or cannot confirm success: a write has happened as a whole or not at all.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// It failed for now: it is busy or closed, or the disk is full or fails. The same call may succeed later.
    #[error("the store is not available at the moment; try again")]
    Unavailable(#[source] Box<dyn Error + Send + Sync>),
    /// Nothing new is accepted: the disk is nearly full, or a space budget is used up. Existing data can still be read
    /// and used.
    #[error("there is no space for anything new at the moment")]
    NoSpace,
    /// It fails until somebody repairs it: the stored data is not what this release writes.
    #[error("what is stored is damaged")]
    Damaged(#[source] Box<dyn Error + Send + Sync>),
}

/// Seconds after which to retry if the disk is full: an operator has to act.
const NO_SPACE_SECONDS: u64 = 600;

impl Refused for StoreError {
    fn refusal(&self) -> Refusal {
        match self {
            StoreError::Unavailable(_) => {
                Kind::Failed.says("unavailable", "nothing was lost; the same request may succeed in a moment")
            }
            StoreError::NoSpace => Kind::Busy
                .says("no_space", "games in progress continue; the operator has to make space")
                .again_in(NO_SPACE_SECONDS),
            StoreError::Damaged(_) => Kind::Damaged
                .says("damaged", "the operator of this arena has to look at its data")
                .saying("what is stored cannot be read"),
        }
    }
}

impl StoreError {
    pub(crate) fn damaged(why: impl Into<Box<dyn Error + Send + Sync>>) -> StoreError {
        StoreError::Damaged(why.into())
    }
}

/// What is wrong with stored data.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Damage {
    #[error("the number {0} is out of its range")]
    Number(i64),
    #[error("something unknown is closed")]
    Gate,
    #[error("a token has no known scope")]
    Scope,
    #[error("a tournament is in no known phase")]
    Phase,
    #[error("a version is in no known state")]
    VersionState,
    #[error("the seats of a game are not what was written")]
    Seats,
    #[error("a digest has {0} bytes")]
    Digest(usize),
    #[error("a duty of a server has a name that is too long")]
    Duty,
    #[error("the log of a room has a gap")]
    LogGap,
    #[error("a piece of a tournament's folder is missing or has changed: {0}")]
    Piece(Hex<32>),
    #[error("a result in a tournament's journal is missing or has changed: {0}")]
    Result(Hex<32>),
    #[error("the bytes of {0} are missing")]
    BytesMissing(EntrantId),
    #[error("the bytes of {0} have changed")]
    BytesChanged(EntrantId),
}

impl From<Damage> for StoreError {
    fn from(damage: Damage) -> StoreError {
        StoreError::damaged(damage)
    }
}
