//! Files of tournament folders on the disk: found, compared with pieces, and removed.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::unix::fs::FileExt;
use std::path::Path;

use arena_files::open;
use arena_store::{PIECE_BYTES_MAX, Piece, TournamentId};
use sha2::{Digest as _, Sha256};

/// The hash of a file, of a journal up to its last whole line; `None` if it is empty, since empty files are not stored.
pub(super) fn hashed(path: &Path, is_journal: bool) -> io::Result<Option<Sha256>> {
    let (file, mut hash, mut at) = (open(path)?, Sha256::new(), 0);
    let length = file.metadata()?.len();
    let end = if is_journal { whole_lines(&file, 0, length)? } else { length };
    while at < end {
        let content = read_piece(&file, at, end)?;
        at += content.len() as u64;
        hash.update(content);
    }
    Ok((end > 0).then_some(hash))
}

/// The bytes of the piece that begins at `at`, in a file that ends at `end`.
pub(super) fn read_piece(file: &File, at: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut content = vec![0; (end - at).min(PIECE_BYTES_MAX as u64) as usize];
    file.read_exact_at(&mut content, at)?;
    Ok(content)
}

/// Turns "not found" into `None`.
pub(super) fn found<T>(result: io::Result<T>) -> io::Result<Option<T>> {
    match result {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        result => result.map(Some),
    }
}

pub(super) fn remove_file(path: &Path) -> io::Result<()> {
    found(fs::remove_file(path)).map(drop)
}

pub(super) fn remove_folder(path: &Path) -> io::Result<()> {
    found(fs::remove_dir_all(path)).map(drop)
}

/// The files in a folder and its subfolders, by their paths below the first one. Files that are being written are left
/// out.
pub(super) fn collect(folder: &Path, before: &str, files: &mut BTreeSet<String>) -> io::Result<()> {
    let Some(entries) = found(fs::read_dir(folder))? else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name();
        let Some(name) = name.to_str().filter(|name| !name.ends_with(".new") && !name.ends_with(".old")) else {
            continue;
        };
        if entry.file_type()?.is_dir() {
            collect(&entry.path(), &format!("{before}{name}/"), files)?;
        } else {
            files.insert(format!("{before}{name}"));
        }
    }
    Ok(())
}

/// The entries of a folder whose names can be tournaments'.
pub(super) fn named(folder: &Path) -> io::Result<BTreeSet<TournamentId>> {
    let Some(entries) = found(fs::read_dir(folder))? else { return Ok(BTreeSet::new()) };
    let mut folders = BTreeSet::new();
    for entry in entries {
        folders.extend(entry?.file_name().to_str().and_then(|name| TournamentId::parse(name).ok()));
    }
    Ok(folders)
}

pub(super) fn bytes(pieces: &[Piece]) -> u64 {
    pieces.iter().map(|piece| piece.bytes).sum()
}

/// With how many of these pieces a file begins.
pub(super) fn same(file: &File, pieces: &[Piece]) -> io::Result<usize> {
    let mut at = 0;
    for (number, piece) in pieces.iter().enumerate() {
        match read_piece(file, at, at + piece.bytes) {
            Ok(content) if Piece::of(&content) == *piece => at += piece.bytes,
            Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error),
            _ => return Ok(number),
        }
    }
    Ok(pieces.len())
}

/// Whether a file consists of exactly these pieces.
pub(super) fn is_whole(path: &Path, pieces: &[Piece]) -> io::Result<bool> {
    let Some(file) = found(open(path))? else { return Ok(false) };
    Ok(file.metadata()?.len() == bytes(pieces) && same(&file, pieces)? == pieces.len())
}

/// Where the last whole line of a file ends, searched from its end at `end` back to `start`.
pub(super) fn whole_lines(file: &File, start: u64, mut end: u64) -> io::Result<u64> {
    while end > start {
        let from = end.saturating_sub(PIECE_BYTES_MAX as u64).max(start);
        let content = read_piece(file, from, end)?;
        if let Some(last) = content.iter().rposition(|byte| *byte == b'\n') {
            return Ok(from + last as u64 + 1);
        }
        end = from;
    }
    Ok(start)
}
