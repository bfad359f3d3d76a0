//! Folders of tournaments that servers share. Each server has copies; those in the store are authoritative.
//!
//! A journal is kept as rows, one for each line; the results in it are those that workers submitted, and no text is
//! there twice. Any other file is kept as a sequence of pieces: the bytes of a bot that plays in many tournaments are
//! stored once.

use std::collections::BTreeMap;

use arena_record::Hex;
use sha2::{Digest as _, Sha256};

use crate::error::Result;
use crate::queue::end_hash;

/// The most bytes of a piece, since other writers wait while a transaction writes it.
pub const PIECE_BYTES_MAX: usize = 1 << 20;

/// A part of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Piece {
    /// The SHA-256 of its bytes.
    pub hash: Hex<32>,
    /// Their number; not 0.
    pub bytes: u64,
}

impl Piece {
    /// The piece with these bytes.
    pub fn of(bytes: &[u8]) -> Piece {
        Piece { hash: Hex(Sha256::digest(bytes).into()), bytes: bytes.len() as u64 }
    }
}

/// A folder at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptFolder {
    /// A random number, not 0, that is drawn anew at each change.
    pub version: u64,
    /// How often lines of the journal were taken back. While this stays, the journal has only grown.
    pub cuts: u64,
    /// Lines of the journal.
    pub lines: u64,
    /// Their bytes in the journal's file.
    pub journal_bytes: u64,
    /// The other files that are not empty, by their paths within the folder, with `/` as separator.
    pub files: BTreeMap<String, Vec<Piece>>,
}

impl KeptFolder {
    /// Applies changes to the files and to the journal; the version stays.
    pub fn change(&mut self, changes: &[FileChange], journal: Option<&JournalChange>) {
        if let Some(JournalChange { from, from_bytes, lines, .. }) = journal {
            self.cuts += u64::from(*from < self.lines);
            self.lines = from + lines.len() as u64;
            self.journal_bytes = from_bytes + lines.iter().map(|line| line.bytes).sum::<u64>();
        }
        for FileChange { file, from, pieces } in changes {
            let kept = self.files.entry(file.clone()).or_default();
            kept.truncate(*from);
            kept.extend(pieces);
        }
        self.files.retain(|_, pieces| !pieces.is_empty());
    }
}

/// A change of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// Its path.
    pub file: String,
    /// How many of its pieces stay.
    pub from: usize,
    /// The pieces after these. A file without pieces is removed.
    pub pieces: Vec<Piece>,
}

/// A change of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct JournalChange {
    /// How many lines stay.
    pub from: u64,
    /// Their bytes.
    pub from_bytes: u64,
    /// The lines after these.
    pub lines: Vec<NewLine>,
    /// Texts of their results, as workers submit them: those that may not be kept yet.
    pub results: Vec<String>,
}

/// A line of a journal whose result is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewLine {
    /// A game's number, or `change`.
    pub label: String,
    /// The hash of the result's text.
    pub hash: Hex<32>,
    /// The bytes of the line in the journal's file.
    pub bytes: u64,
}

impl NewLine {
    /// A line with this result, in the text that a worker submits.
    pub fn of(label: &str, result: &str, bytes: u64) -> NewLine {
        NewLine { label: label.into(), hash: end_hash(result.as_bytes()), bytes }
    }
}

/// A line of a journal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeptLine {
    /// A game's number, or `change`.
    pub label: String,
    /// The text of the result, as a worker submits it.
    pub text: String,
}

/// Draws a version.
pub(crate) fn new_version() -> Result<u64> {
    // A number in a row is at most `i64::MAX`.
    Ok((u64::from_le_bytes(crate::random_bytes()?) >> 1).max(1))
}
