//! The records of a finished tournament, read from its journal by way of the index.

use std::fs::File;
use std::io;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

use arena_files::open;
use arena_ledger::{ENTRY_BYTES, game_at, place};
use arena_record::Record;

use crate::folder::{FolderError, started_in};
use crate::journal::OnDisk;
use crate::{Ended, JournalError, layout};

/// Why a game's record cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// No tournament has started in the folder, or this release cannot read the folder.
    #[error(transparent)]
    Folder(#[from] FolderError),
    /// Records can be looked up once all games are played.
    #[error("the tournament in {0} is not finished, and has no records yet: finish it with `arena tournament resume`")]
    Unfinished(PathBuf),
    /// The tournament has no such game.
    #[error("there is no game {number}: the last one is game {last}")]
    NoGame {
        /// Its number.
        number: usize,
        /// The highest number.
        last: usize,
    },
    /// The game does not count.
    #[error("game {0} is void: it has no record")]
    Void(usize),
    /// The journal has no such line.
    #[error(transparent)]
    Journal(#[from] JournalError),
    /// The index is malformed, or its entry leads to something that is not a record.
    #[error("the index is damaged: `arena tournament resume` writes it again")]
    Index,
    /// A file cannot be read.
    #[error("cannot read {path}")]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: io::Error,
    },
}

/// The records of a finished tournament.
pub struct Archive {
    journal: File,
    index: File,
    /// Games of the schedule.
    games: usize,
}

impl Archive {
    /// The records of the tournament in `folder`.
    ///
    /// # Errors
    /// When it is not finished or cannot be read.
    pub fn open(folder: &Path) -> Result<Archive, ArchiveError> {
        let opened = |name: &str| {
            let path = folder.join(name);
            open(&path).map_err(|source| match source.kind() {
                io::ErrorKind::NotFound => missing(folder),
                _ => ArchiveError::Io { path, source },
            })
        };
        let (index, journal) = (opened(layout::INDEX)?, opened(layout::JOURNAL)?);
        let length =
            index.metadata().map_err(|source| ArchiveError::Io { path: folder.join(layout::INDEX), source })?;
        let games = usize::try_from(length.len()).unwrap_or(usize::MAX) / ENTRY_BYTES;
        Ok(Archive { journal, index, games })
    }

    /// The record of a game, by its number in the schedule.
    ///
    /// # Errors
    /// When the game is void or there is none of this number, or it cannot be read.
    pub fn record(&self, number: usize) -> Result<Record, ArchiveError> {
        let at = self.place(number)?.ok_or(ArchiveError::Void(number))?;
        match game_at(&OnDisk(&self.journal), at, number)? {
            Ended::Played(record) => Ok(record),
            Ended::Void(_) => Err(ArchiveError::Index),
        }
    }

    /// The numbers of the games that have a record, in schedule order.
    pub fn numbers(&self) -> impl Iterator<Item = Result<usize, ArchiveError>> {
        (0..self.games).filter_map(|number| self.place(number).map(|at| at.map(|_| number)).transpose())
    }

    fn place(&self, number: usize) -> Result<Option<u64>, ArchiveError> {
        if number >= self.games {
            return Err(ArchiveError::NoGame { number, last: self.games.saturating_sub(1) });
        }
        let mut entry = [0; ENTRY_BYTES];
        let read = self.index.read_exact_at(&mut entry, (number * ENTRY_BYTES) as u64);
        read.map_err(|_| ArchiveError::Index)?;
        place(&entry).ok_or(ArchiveError::Index)
    }
}

/// Why a folder has no index.
fn missing(folder: &Path) -> ArchiveError {
    match started_in(folder) {
        Ok(_) => ArchiveError::Unfinished(folder.into()),
        Err(error) => error.into(),
    }
}
