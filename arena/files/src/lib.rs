//! Files that survive a crash: read within a limit, written whole or not at all, locked by one process.
//!
//! Everything of the arena that reads a file opens it here: [`open`] takes files only, so that no pipe, socket or
//! device in the place of one keeps a command waiting or has no end.
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

mod text;

use std::fmt;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

/// How long to wait for a lock. A process that was being started when its parent was killed holds its parent's locks
/// until its own program runs.
const LOCK_WAIT: Duration = Duration::from_secs(1);
/// How often to try meanwhile.
const LOCK_AGAIN: Duration = Duration::from_millis(10);

/// What is read or written at once of a file.
const PIECE_BYTES: usize = 16 << 10;

pub use text::{TextError, read_text, text};

/// Why something is not read or written: it is a pipe, a socket or a device.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NotAFile;

impl fmt::Display for NotAFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("it is a pipe, a socket or a device; save its content to a file and name that")
    }
}

impl std::error::Error for NotAFile {}

/// Opens a file to read it.
///
/// # Errors
/// When it cannot be opened; [`NotAFile`] within the error if it is a pipe, a socket or a device.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(File::options().read(true), path)
}

/// Opens a file in another way.
///
/// # Errors
/// As [`open`].
pub fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<File> {
    let not_a_file = || io::Error::new(io::ErrorKind::InvalidInput, NotAFile);
    // Opening a pipe would wait for its other end, and opening a terminal would adopt it. What was opened is looked at,
    // not its name, so nothing can take its place in between.
    let opened = options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY).open(path);
    // A socket, or a pipe that is to be written and that nobody reads.
    let file = opened.map_err(|error| if error.raw_os_error() == Some(libc::ENXIO) { not_a_file() } else { error })?;
    match file.metadata()?.file_type() {
        kind if kind.is_file() => Ok(file),
        kind if kind.is_dir() => Err(io::ErrorKind::IsADirectory.into()),
        _ => Err(not_a_file()),
    }
}

/// The bytes of a file, at most one more than `bytes_max`: enough to refuse it.
///
/// # Errors
/// When it cannot be read.
pub fn read_at_most(path: &Path, bytes_max: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    open(path)?.take(bytes_max.saturating_add(1)).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// Where a file parts from the bytes that it should have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parting {
    /// The first byte that differs, or where the shorter of both ends.
    pub at: usize,
    /// What it should have from there, at most [`PARTING_BYTES_MAX`] bytes.
    pub expected: Vec<u8>,
    /// What the file has from there, at most as many.
    pub found: Vec<u8>,
}

/// Bytes of a file that a [`Parting`] shows.
pub const PARTING_BYTES_MAX: u64 = 24;

/// Where a file parts from what is `expected`, given in pieces, or `None` if they are equal. Reads no further than it
/// must.
///
/// # Errors
/// When it cannot be read.
pub fn parting(path: &Path, expected: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<Option<Parting>> {
    let mut file = BufReader::with_capacity(PIECE_BYTES, open(path)?);
    let mut at = 0;
    let mut pieces = expected.into_iter();
    for piece in pieces.by_ref() {
        let mut rest = piece.as_ref();
        while !rest.is_empty() {
            let found = file.fill_buf()?;
            let equal = rest.iter().zip(found).take_while(|(expected, found)| expected == found).count();
            let differs = found.is_empty() || equal < rest.len().min(found.len());
            file.consume(equal);
            at += equal;
            rest = &rest[equal..];
            if differs {
                let mut expected = rest.to_vec();
                let missing = |expected: &Vec<u8>| expected.len() < PARTING_BYTES_MAX as usize;
                while let Some(piece) = Some(&expected).filter(|expected| missing(expected)).and_then(|_| pieces.next())
                {
                    expected.extend_from_slice(piece.as_ref());
                }
                expected.truncate(PARTING_BYTES_MAX as usize);
                return Ok(Some(Parting { at, expected, found: shown(file)? }));
            }
        }
    }
    let found = shown(file)?;
    Ok((!found.is_empty()).then_some(Parting { at, expected: Vec::new(), found }))
}

/// What of a file a [`Parting`] shows.
fn shown(file: impl Read) -> io::Result<Vec<u8>> {
    let mut found = Vec::new();
    file.take(PARTING_BYTES_MAX).read_to_end(&mut found)?;
    Ok(found)
}

/// Writes a file, given in pieces, and waits until its bytes are on the disk. Its name is there for certain only after
/// [`sync_folder`].
///
/// # Errors
/// When it cannot be written; then a part of it may be there.
pub fn write_synced(path: &Path, pieces: impl IntoIterator<Item = impl AsRef<[u8]>>) -> io::Result<()> {
    let file = open_with(File::options().write(true).create(true).truncate(true), path)?;
    let mut file = BufWriter::with_capacity(PIECE_BYTES, file);
    pieces.into_iter().try_for_each(|piece| file.write_all(piece.as_ref()))?;
    file.into_inner()?.sync_all()
}

/// Writes a file so that it is there whole or not at all, whenever the machine stops: under its name with `.new` after
/// it, then renamed.
///
/// # Errors
/// When it cannot be written; then what was there before is still there.
pub fn write_durably(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let fresh = path.with_added_extension("new");
    write_synced(&fresh, [bytes])?;
    fs::rename(&fresh, path)?;
    path.parent().map_or(Ok(()), sync_folder)
}

/// Waits until the names in a folder are on the disk.
///
/// # Errors
/// When the disk fails.
pub fn sync_folder(folder: &Path) -> io::Result<()> {
    File::options().read(true).custom_flags(libc::O_DIRECTORY).open(folder)?.sync_all()
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

    /// Something of each kind that is not a file.
    fn others(folder: &Path) -> Vec<std::path::PathBuf> {
        let [pipe, socket, link] = ["pipe", "socket", "link"].map(|name| folder.join(name));
        assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
        drop(std::os::unix::net::UnixListener::bind(&socket).unwrap());
        std::os::unix::fs::symlink("/dev/zero", &link).unwrap();
        vec![pipe, socket, link, "/dev/null".into(), "/dev/tty".into()]
    }

    #[test]
    fn pipes_sockets_and_devices_are_neither_read_nor_written_and_nothing_waits_for_them() {
        let folder = tempfile::tempdir().unwrap();
        let is_not_a_file = |error: io::Error| error.get_ref().is_some_and(|error| error.is::<NotAFile>());
        for other in others(folder.path()) {
            let shown = other.display();
            assert!(is_not_a_file(open(&other).unwrap_err()), "{shown}");
            assert!(is_not_a_file(read_at_most(&other, 10).unwrap_err()), "{shown}");
            assert!(is_not_a_file(parting(&other, [b"x"]).unwrap_err()), "{shown}");
            assert!(is_not_a_file(write_synced(&other, [b"x"]).unwrap_err()), "{shown}");
        }
        // A pipe with somebody at its other end.
        let pipe = folder.path().join("pipe");
        let _end = File::options().read(true).write(true).open(&pipe).unwrap();
        assert!(is_not_a_file(open(&pipe).unwrap_err()) && is_not_a_file(write_synced(&pipe, [b"x"]).unwrap_err()));
        assert_eq!(open(folder.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn a_file_parts_from_other_bytes_at_the_first_that_differs() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        let bytes: Vec<u8> = (0..3 * PIECE_BYTES + 5).map(|at| (at % 251) as u8).collect();
        fs::write(&file, &bytes).unwrap();
        assert_eq!(parting(&file, [&bytes]).unwrap(), None);
        assert_eq!(parting(&file, bytes.chunks(7)).unwrap(), None, "in pieces");
        for at in [0, 1, PIECE_BYTES - 3, PIECE_BYTES, 2 * PIECE_BYTES + 1, bytes.len() - 1] {
            let shown = bytes[at..].iter().copied().take(PARTING_BYTES_MAX as usize).collect::<Vec<_>>();
            let mut other = bytes.clone();
            other[at] ^= 1;
            let expected = other[at..].iter().copied().take(PARTING_BYTES_MAX as usize).collect::<Vec<_>>();
            let differs = Some(Parting { at, expected, found: shown.clone() });
            assert_eq!(parting(&file, [&other]).unwrap(), differs, "{at}");
            assert_eq!(parting(&file, other.chunks(7)).unwrap(), differs, "{at} in pieces");
            let ends = Some(Parting { at, expected: Vec::new(), found: shown });
            assert_eq!(parting(&file, [&bytes[..at]]).unwrap(), ends, "{at}");
        }
        let longer = [bytes.as_slice(), b"more"].concat();
        let ends = Parting { at: bytes.len(), expected: b"more".to_vec(), found: Vec::new() };
        assert_eq!(parting(&file, [&longer]).unwrap(), Some(ends));
        assert!(parting(&folder.path().join("none"), [b""]).is_err());
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
