//! Files that survive a crash: read within a limit, written whole or not at all, locked by one process.
//!
//! ```
//! # fn main() -> std::io::Result<()> {
//! # let folder = tempfile::tempdir()?;
//! let file = folder.path().join("note");
//! arena_files::write_durably(&file, b"kept")?;
//! assert_eq!(arena_files::read_at_most(&file, 100)?, b"kept");
//! # Ok(())
//! # }
//! ```
//!
//! What this crate deliberately is not: it knows no format and no name of a file.

use std::fs::{self, File, TryLockError};
use std::io::{self, Read, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for a lock. A process that was being started when its parent was killed holds its parent's locks until its
/// own program runs.
const LOCK_WAIT: Duration = Duration::from_secs(1);
/// How often to try meanwhile.
const LOCK_AGAIN: Duration = Duration::from_millis(10);

/// What is read at once to compare a file.
const PIECE_BYTES: usize = 16 << 10;

/// The bytes of a file, at most one more than `bytes_max`: enough to refuse it.
///
/// # Errors
/// When it cannot be read.
pub fn read_at_most(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    File::open(path)?.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where a file parts from the bytes that it should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parting {
    /// The first byte that differs, or where the shorter of both ends.
    pub at: usize,
    /// What the file has from there, at most [`PARTING_BYTES_MAX`] bytes.
    pub found: Vec<u8>,
}

/// Bytes of a file that a [`Parting`] shows.
pub const PARTING_BYTES_MAX: u64 = 24;

/// Where a file parts from `expected`, or `None` if they are equal. Reads a piece at a time, and no further than it must.
///
/// # Errors
/// When it cannot be read.
pub fn parting(path: &Path, expected: &[u8]) -> io::Result<Option<Parting>> {
    let mut file = File::open(path)?;
    let mut piece = [0; PIECE_BYTES];
    let mut at = 0;
    loop {
        let read = match file.read(&mut piece) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            read => read?,
        };
        let rest = expected.get(at..).unwrap_or_default();
        let equal = rest.iter().zip(&piece[..read]).take_while(|(expected, found)| expected == found).count();
        at += equal;
        if equal < read || read == 0 {
            let mut found = piece[equal..read].to_vec();
            found.truncate(PARTING_BYTES_MAX as usize);
            file.take(PARTING_BYTES_MAX - found.len() as u64).read_to_end(&mut found)?;
            return Ok((equal < read || at < expected.len()).then_some(Parting { at, found }));
        }
    }
}

/// Writes a file and waits until its bytes are on the disk. Its name is there for certain only after [`sync_folder`].
///
/// # Errors
/// When it cannot be written; then a part of it may be there.
pub fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}

/// Writes a file so that it is there whole or not at all, whenever the machine stops: under its name with `.new` after it,
/// then renamed.
///
/// # Errors
/// When it cannot be written; then what was there before is still there.
pub fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_added_extension("new");
    write_synced(&fresh, bytes)?;
    fs::rename(&fresh, path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Waits until the names in a folder are on the disk.
///
/// # Errors
/// When the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::open(folder)?.sync_all()
}

/// Locks a file for as long as it is open. Waits a second for a lock that a killed process left to its child.
///
/// # Errors
/// When another process holds the lock, or the system has no locks for this file.
pub fn lock(file: &File) -> Result<(), TryLockError> {
    let deadline = Instant::now() + LOCK_WAIT;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(LOCK_AGAIN),
            done => return done,
        }
    }
}

/// Whether a file cannot be opened because it, its folder or its disk may not be written.
pub fn is_read_only(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::ReadOnlyFilesystem | io::ErrorKind::PermissionDenied)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;

    #[test]
    fn a_file_is_read_to_its_limit_and_one_byte_further() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        fs::write(&file, [7; 10]).unwrap();
        assert_eq!(read_at_most(&file, 10).unwrap().len(), 10);
        assert_eq!(read_at_most(&file, 9).unwrap().len(), 10);
        assert_eq!(read_at_most(&file, 8).unwrap().len(), 9);
        assert_eq!(read_at_most(&file, u64::MAX).unwrap().len(), 10);
    }

    #[test]
    fn a_file_parts_from_other_bytes_at_the_first_that_differs() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let bytes: Vec<u8> = (0..3 * PIECE_BYTES + 5).map(|at| (at % 251) as u8).collect();
        fs::write(&file, &bytes).unwrap();
        assert_eq!(parting(&file, &bytes).unwrap(), None);
        for at in [0, 1, PIECE_BYTES - 3, PIECE_BYTES, 2 * PIECE_BYTES + 1, bytes.len() - 1] {
            let shown = bytes[at..].iter().copied().take(PARTING_BYTES_MAX as usize).collect::<Vec<_>>();
            let mut other = bytes.clone();
            other[at] ^= 1;
            assert_eq!(parting(&file, &other).unwrap(), Some(Parting { at, found: shown.clone() }), "{at}");
            assert_eq!(parting(&file, &bytes[..at]).unwrap(), Some(Parting { at, found: shown }), "{at}");
        }
        let longer = [bytes.as_slice(), b"more"].concat();
        assert_eq!(parting(&file, &longer).unwrap(), Some(Parting { at: bytes.len(), found: Vec::new() }));
        assert!(parting(&folder.path().join("none"), b"").is_err());
    }

    #[test]
    fn a_file_is_replaced_whole_and_nothing_else_is_left() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("manifest.json");
        write_durably(&file, b"one").unwrap();
        // What a crash in between leaves.
        fs::write(folder.path().join("manifest.json.new"), b"half of a longer").unwrap();
        write_durably(&file, b"two").unwrap();
        assert_eq!(fs::read(&file).unwrap(), b"two");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_lock_keeps_others_out_until_its_file_is_closed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("lock");
        let held = File::create(&path).unwrap();
        lock(&held).unwrap();
        let other = File::open(&path).unwrap();
        assert!(matches!(lock(&other), Err(TryLockError::WouldBlock)));
        drop(held);
        lock(&other).unwrap();
    }
}
