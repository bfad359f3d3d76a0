//! Space: sums of what is kept, and the disk's free bytes.

use std::path::Path;

use sqlx::SqliteConnection;

use super::error::Database;
use crate::StoreError;

/// A sum that is kept up to date with what it is of.
#[derive(Clone, Copy)]
pub(super) enum Sum {
    /// Bytes of the modules of versions that are not refused.
    ModuleBytes,
    /// Bytes of the logs of finished rooms.
    FinishedRoomBytes,
    /// The highest number that a bot ever had.
    LastBot,
}

impl Sum {
    fn name(self) -> &'static str {
        match self {
            Sum::ModuleBytes => "module_bytes",
            Sum::FinishedRoomBytes => "finished_room_bytes",
            Sum::LastBot => "last_bot",
        }
    }

    pub(super) async fn value(self, connection: &mut SqliteConnection) -> Result<i64, StoreError> {
        let row: (i64,) = sqlx::query_as("select value from sums where name = $1")
            .bind(self.name())
            .fetch_one(connection)
            .await
            .stored()?;
        Ok(row.0)
    }

    /// Adds to it; the new value.
    pub(super) async fn add(self, writing: &mut SqliteConnection, more: i64) -> Result<i64, StoreError> {
        let row: (i64,) = sqlx::query_as("update sums set value = value + $2 where name = $1 returning value")
            .bind(self.name())
            .bind(more)
            .fetch_one(writing)
            .await
            .stored()?;
        Ok(row.0)
    }
}

/// Whether the disk has room for something new.
///
/// # Errors
/// [`NoSpace`](StoreError::NoSpace) when it has not.
pub(super) fn on_disk(folder: &Path, free_bytes_min: u64) -> Result<(), StoreError> {
    let disk = rustix::fs::statvfs(folder).map_err(|error| StoreError::of_io(error.into()))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if free < free_bytes_min { Err(StoreError::NoSpace) } else { Ok(()) }
}
