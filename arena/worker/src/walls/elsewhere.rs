//! Systems without these walls.

use super::WorkerWall;

const WHY: &str = "this system has no such wall";

pub(super) fn is_single_threaded() -> Result<(), String> {
    Ok(())
}

pub(super) fn raise(_wall: WorkerWall) -> Result<(), String> {
    Err(WHY.into())
}

pub(super) fn forbid_more() -> Result<(), String> {
    Err(WHY.into())
}

/// Nothing counts the processor's time here; the asker's clock alone ends a worker.
pub(crate) fn limit_processor_time(_seconds: u64) {}

/// Takes that limit away.
pub(crate) fn lift_processor_time() {}
