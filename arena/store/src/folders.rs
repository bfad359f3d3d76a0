//! Folders of tournaments that servers share. Each server has copies; those in the store are authoritative.
//!
//! A file is kept as a sequence of pieces. Journals only grow, so a journal's new lines become one more piece. The bytes of a bot that
//! plays in many tournaments are stored once.

use std::collections::BTreeMap;

use arena_record::Hex;
use async_trait::async_trait;
use sha2::{Digest as _, Sha256};

use crate::error::Damage;
use crate::{StoreError, TournamentId};

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
    /// The files that are not empty, by their paths within the folder, with `/` as separator.
    pub files: BTreeMap<String, Vec<Piece>>,
}

impl KeptFolder {
    /// Applies changes to the files; the version stays.
    pub fn change(&mut self, changes: &[FileChange]) {
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

/// Folders of tournaments. Where [one process](crate::Shared::is_shared) has the store to itself, its own folders are authoritative
/// and nothing is kept here.
#[async_trait]
pub trait Folders: Send + Sync + 'static {
    /// The folders, each with its version.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn kept_folders(&self) -> Result<BTreeMap<TournamentId, u64>, StoreError> {
        Ok(BTreeMap::new())
    }

    /// A folder; `None` if it is missing.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn kept_folder(&self, _folder: &TournamentId) -> Result<Option<KeptFolder>, StoreError> {
        Ok(None)
    }

    /// Keeps the bytes of a piece, at most [`PIECE_BYTES_MAX`], for a folder that will soon refer to it. Until then it may be forgotten.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn keep_piece(&self, bytes: &[u8]) -> Result<Piece, StoreError> {
        Ok(Piece::of(bytes))
    }

    /// The bytes of a piece of some folder.
    ///
    /// # Errors
    /// When they are missing or damaged, or the store cannot be read.
    async fn piece(&self, piece: &Piece) -> Result<Vec<u8>, StoreError> {
        Err(Damage::Piece(piece.hash).into())
    }

    /// Changes files of a folder with version `before`, or creates the folder if that is 0, and returns the new version. If the folder
    /// has another version or a piece was forgotten, changes nothing and returns `None`.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn keep_folder(
        &self,
        _folder: &TournamentId,
        _before: u64,
        _changes: &[FileChange],
    ) -> Result<Option<u64>, StoreError> {
        Ok(None)
    }

    /// Forgets a folder, and all pieces that no other folder has. Repeating it changes nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn forget_folder(&self, _folder: &TournamentId) -> Result<(), StoreError> {
        Ok(())
    }
}

/// Draws a version.
pub(crate) fn new_version() -> Result<u64, StoreError> {
    // A number in a row is at most `i64::MAX`.
    Ok((u64::from_le_bytes(crate::random_bytes()?) >> 1).max(1))
}
