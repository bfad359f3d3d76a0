//! Systems without these walls.

use super::{WallError, WorkerWall};

pub(super) fn is_single_threaded() -> Result<(), WallError> {
    Ok(())
}

pub(super) fn raise(_wall: WorkerWall) -> Result<(), WallError> {
    Err(WallError::NoSuchWall)
}

pub(super) fn forbid_more() -> Result<(), WallError> {
    Err(WallError::NoSuchWall)
}

/// Processor time is not limited here; only the asker's clock ends a worker.
pub(crate) fn limit_processor_time(_seconds: u64) {}

/// Removes that limit.
pub(crate) fn lift_processor_time() {}
