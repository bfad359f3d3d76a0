//! The files of `results/` on the disk.

use std::fs;
use std::io;
use std::path::Path;

use arena_files::{parting, sync_folder, write_synced};
use arena_ledger::{Pieces, Summary};

/// Whether `folder` holds exactly the files of these results.
pub(crate) fn is_written(summary: &Summary<'_>, folder: &Path) -> bool {
    let files = summary.files();
    let entries = fs::read_dir(folder).map_or(0, Iterator::count);
    let is_there = |(name, pieces): (&str, Pieces<'_>)| parting(&folder.join(name), pieces);
    entries == files.len() && files.into_iter().all(|file| is_there(file).is_ok_and(|parting| parting.is_none()))
}

/// Writes the files into a new folder, and waits until they are on the disk.
///
/// # Errors
/// When a file cannot be written.
pub(crate) fn write(summary: &Summary<'_>, folder: &Path) -> io::Result<()> {
    fs::create_dir(folder)?;
    for (name, pieces) in summary.files() {
        write_synced(&folder.join(name), pieces)?;
    }
    sync_folder(folder)
}
