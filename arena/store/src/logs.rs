//! What bots logged in their sample games. Who may read a log is for the caller to check.

use async_trait::async_trait;

use crate::limits::kept;
use crate::{SAMPLE_LOG_BYTES_MAX, StoreError, VersionId};

/// What a bot logged in one sample game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleLog {
    /// The seat it had, from 0.
    pub seat: u8,
    /// Its lines, each with a newline at its end: hostile text. Kept up to [`SAMPLE_LOG_BYTES_MAX`] bytes.
    pub text: String,
    /// Lines beyond the sandbox's limits, which were dropped.
    pub dropped: u64,
}

/// Why logs were not kept. Earlier ones still are.
#[derive(Debug, thiserror::Error)]
pub enum SampleLogError {
    /// There is no such version.
    #[error("there is no such version")]
    NoSuchVersion,
    /// Two of them are for the same seat.
    #[error("two logs are of seat {0}")]
    SeatTwice(u8),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Logs of sample games.
///
/// Keeping the same logs again changes nothing. Of concurrent calls for one version, the logs of one call remain, never some of each.
#[async_trait]
pub trait SampleLogs: Send + Sync + 'static {
    /// Keeps the logs of a version's sample games, replacing earlier ones. Only the latest
    /// [`LOGGED_VERSIONS_MAX`](crate::LOGGED_VERSIONS_MAX) versions of a bot keep theirs: those of an earlier one are dropped at once.
    ///
    /// # Errors
    /// When there is no such version, or two logs are of one seat.
    async fn keep_sample_logs(&self, id: VersionId, logs: &[SampleLog]) -> Result<(), SampleLogError>;

    /// The logs of a version's sample games, by seat; none if it was not judged or not played, or if it is not among the bot's latest.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn sample_logs(&self, id: VersionId) -> Result<Vec<SampleLog>, StoreError>;
}

/// The logs in the form in which they are kept, by seat.
pub(crate) fn checked(logs: &[SampleLog]) -> Result<Vec<SampleLog>, SampleLogError> {
    let mut clipped: Vec<SampleLog> = logs
        .iter()
        .map(|log| SampleLog {
            seat: log.seat,
            text: kept(&log.text, SAMPLE_LOG_BYTES_MAX),
            dropped: log.dropped.min(i64::MAX as u64),
        })
        .collect();
    clipped.sort_by_key(|log| log.seat);
    match clipped.windows(2).find(|pair| pair[0].seat == pair[1].seat) {
        Some(twice) => Err(SampleLogError::SeatTwice(twice[0].seat)),
        None => Ok(clipped),
    }
}
