//! Folders of tournaments that servers share: each has a copy, and the store has the one that counts.
//!
//! A file is kept in pieces, in their order. Journals only grow, so that what is new of one is a piece more; bots play in many
//! tournaments, and their bytes are there once.

use std::collections::BTreeMap;

use arena_record::Hex;
use async_trait::async_trait;
use sha2::{Digest as _, Sha256};

use crate::error::Damage;
use crate::{StoreError, TournamentId};

/// The most bytes of a piece: what a transaction writes while others wait for it.
pub const PIECE_BYTES_MAX: usize = 1 << 20;

/// A part of a file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Piece {
    /// The SHA-256 of its bytes.
    pub hash: Hex<32>,
    /// How many these are; not 0.
    pub bytes: u64,
}

impl Piece {
    /// The piece that has these bytes.
    pub fn of(bytes: &[u8]) -> Piece {
        Piece { hash: Hex(Sha256::digest(bytes).into()), bytes: bytes.len() as u64 }
    }
}

/// A folder at one moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct KeptFolder {
    /// Another one after each change, drawn; not 0.
    pub version: u64,
    /// The files that are not empty, by their names within the folder, with `/` between.
    pub files: BTreeMap<String, Vec<Piece>>,
}

impl KeptFolder {
    /// Changes files; the version stays.
    pub fn change(&mut self, changes: &[FileChange]) {
        for FileChange { file, from, pieces } in changes {
            let kept = self.files.entry(file.clone()).or_default();
            kept.truncate(*from);
            kept.extend(pieces);
        }
        self.files.retain(|_, pieces| !pieces.is_empty());
    }
}

/// How a file changes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FileChange {
    /// Its name.
    pub file: String,
    /// So many of its pieces stay.
    pub from: usize,
    /// What follows on them. A file without pieces is not there.
    pub pieces: Vec<Piece>,
}

/// Folders of tournaments. Where [one process](crate::Shared::is_shared) has the store to itself its own folders count, and nothing is
/// kept here.
#[async_trait]
pub trait Folders: Send + Sync + 'static {
    /// The folders, each with its version.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn kept_folders(&self) -> Result<BTreeMap<TournamentId, u64>, StoreError> {
        Ok(BTreeMap::new())
    }

    /// A folder, if it is there.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn kept_folder(&self, _folder: &TournamentId) -> Result<Option<KeptFolder>, StoreError> {
        Ok(None)
    }

    /// Keeps the bytes of a piece, at most [`PIECE_BYTES_MAX`], for a folder that has it soon: until then it may be forgotten.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn keep_piece(&self, bytes: &[u8]) -> Result<Piece, StoreError> {
        Ok(Piece::of(bytes))
    }

    /// The bytes of a piece that some folder has.
    ///
    /// # Errors
    /// When they are not there or are others, or the store cannot be read.
    async fn piece(&self, piece: &Piece) -> Result<Vec<u8>, StoreError> {
        Err(Damage::Piece(piece.hash).into())
    }

    /// Changes files of a folder that has the version `before`, or is made now if that is 0; its version then. None where it has another
    /// version, or a piece was forgotten: then nothing is changed.
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

    /// Forgets a folder, and all pieces that no other has. Again changes nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn forget_folder(&self, _folder: &TournamentId) -> Result<(), StoreError> {
        Ok(())
    }
}

/// A version that was not there before.
pub(crate) fn new_version() -> Result<u64, StoreError> {
    // A number of a row is at most `i64::MAX`.
    Ok((u64::from_le_bytes(crate::random_bytes()?) >> 1).max(1))
}
