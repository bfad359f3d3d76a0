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

/// Nothing counts the processor's time here; the asker's clock alone ends a worker.
pub(crate) fn limit_processor_time(_seconds: u64) {}

/// Takes that limit away.
pub(crate) fn lift_processor_time() {}
