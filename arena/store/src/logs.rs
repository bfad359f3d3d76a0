//! What bots logged in their sample games. Who may read a log is for the caller to check.

use crate::limits::kept;
use crate::{SAMPLE_LOG_BYTES_MAX, StoreError};

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
    let twice = clipped.windows(2).find(|pair| pair[0].seat == pair[1].seat).map(|pair| pair[0].seat);
    twice.map_or(Ok(clipped), |seat| Err(SampleLogError::SeatTwice(seat)))
}
