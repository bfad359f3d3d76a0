//! The disk's free bytes.

use std::path::Path;

use crate::StoreError;
use crate::error::Result;

/// Checks that the disk has room for something new.
///
/// # Errors
/// [`NoSpace`](StoreError::NoSpace) when it has not.
pub(crate) fn on_disk(folder: &Path, free_bytes_min: u64) -> Result<()> {
    let disk = rustix::fs::statvfs(folder).map_err(|error| StoreError::of_io(error.into()))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize);
    if free < free_bytes_min { Err(StoreError::NoSpace) } else { Ok(()) }
}
