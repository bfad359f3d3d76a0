//! Whether journalled games agree with the queue's final results: a worker may have been found wrong since.

use std::collections::BTreeMap;

use arena_record::Hex;
use arena_runner::{Folder, FolderError};
use arena_store::{Store, StoreError, TournamentId};

use super::job::{hash_of, key};
use crate::games::Games;

/// How a tournament's journal compares with the queue.
pub(crate) enum Stands {
    /// All games agree.
    Whole,
    /// The number of games that are disputed, or that were taken back and not played again.
    Open(usize),
    /// Some games differ from the journal.
    Wrong(Hashes),
}

/// The hash of each game's result, by its key.
pub(crate) struct Hashes(BTreeMap<Hex<32>, Option<Hex<32>>>);

impl Stands {
    /// Compares a folder with the queue. Games that were never asked for stand as they are, and so do those that were asked for while
    /// other processes played and were then played here.
    ///
    /// # Errors
    /// When the queue or the folder cannot be read.
    pub(crate) async fn of(
        store: &dyn Store,
        tournament: &TournamentId,
        folder: &Folder,
        games: Games,
    ) -> Result<Stands, Unread> {
        let hashes = Hashes(store.end_hashes(tournament).await?);
        if hashes.0.is_empty() {
            return Ok(Stands::Whole);
        }
        let (mut open, mut wrong) = (0, false);
        for game in folder.ended() {
            let (header, ended) = game?;
            match hashes.0.get(&key(&header)) {
                None => {}
                Some(None) => open += usize::from(games == Games::Elsewhere),
                Some(Some(hash)) => wrong |= *hash != hash_of(&ended),
            }
        }
        Ok(match (open, wrong) {
            (0, false) => Stands::Whole,
            (0, true) => Stands::Wrong(hashes),
            (open, _) => Stands::Open(open),
        })
    }
}

/// Why it is not known how a tournament stands.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl Hashes {
    /// Takes back what is wrong in a folder, and what may follow from it; how many games that are.
    ///
    /// # Errors
    /// When the folder cannot be written.
    pub(crate) fn take_back(&self, folder: Folder) -> Result<usize, FolderError> {
        folder.take_back(|header, ended| {
            let counts = self.0.get(&key(header)).copied().flatten();
            counts.is_some_and(|counts| counts != hash_of(ended))
        })
    }
}
