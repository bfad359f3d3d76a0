//! Whether journalled games agree with the queue's final results: a worker may have been found wrong since.

use std::collections::BTreeMap;

use arena_record::Hex;
use arena_runner::{Folder, FolderError};
use arena_store::{Store, StoreError, TournamentId};

use super::job::{hash_of, key};
use crate::games::Games;

/// How a tournament's journal compares with the queue.
pub enum Reconciled {
    /// All games agree.
    Whole,
    /// The number of games that are disputed, or that were taken back and not played again.
    Open(usize),
    /// Some games differ from the journal.
    Wrong(Hashes),
}

/// The queue's final results of a tournament.
pub struct Hashes {
    /// The hash of each game's result, by its key; `None` while there is none, or if it was taken back.
    ends: BTreeMap<Hex<32>, Option<Hex<32>>>,
    games: Games,
}

impl Reconciled {
    /// Compares journalled games, each a key and the hash of a result, with the queue. Games that were never asked for
    /// stand as they are.
    ///
    /// # Errors
    /// The first of the journal.
    pub fn compare<E>(
        journal: impl IntoIterator<Item = Result<(Hex<32>, Hex<32>), E>>,
        hashes: Hashes,
    ) -> Result<Reconciled, E> {
        let (mut open, mut wrong) = (0, false);
        for game in journal {
            let (key, hash) = game?;
            open += usize::from(hashes.is_open(&key));
            wrong |= hashes.is_wrong(&key, hash);
        }
        Ok(match (open, wrong) {
            (0, false) => Reconciled::Whole,
            (0, true) => Reconciled::Wrong(hashes),
            (open, _) => Reconciled::Open(open),
        })
    }

    /// Compares a folder with the queue.
    ///
    /// # Errors
    /// When the queue or the folder cannot be read.
    pub(crate) async fn of(
        store: &Store,
        tournament: &TournamentId,
        folder: &Folder,
        games: Games,
    ) -> Result<Reconciled, Unread> {
        let hashes = Hashes::new(store.end_hashes(tournament).await?, games);
        if hashes.ends.is_empty() {
            return Ok(Reconciled::Whole);
        }
        let journal = folder.texts().map(|game| game.map(|(header, text)| (key(&header), hash_of(&text))));
        Ok(Reconciled::compare(journal, hashes)?)
    }
}

/// Why it is not known how a tournament stands, or what is wrong was not taken back.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unread {
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Folder(#[from] FolderError),
}

impl Hashes {
    /// These results, where games are played there.
    pub fn new(ends: BTreeMap<Hex<32>, Option<Hex<32>>>, games: Games) -> Hashes {
        Hashes { ends, games }
    }

    /// Whether workers have yet to settle a game.
    fn is_open(&self, key: &Hex<32>) -> bool {
        self.games == Games::Elsewhere && self.ends.get(key) == Some(&None)
    }

    /// Whether a journalled result is not the queue's. If no worker is to settle it, it is wrong as well: games that
    /// were asked for and then played here cannot be told from those that were taken back.
    pub fn is_wrong(&self, key: &Hex<32>, hash: Hex<32>) -> bool {
        match self.ends.get(key) {
            None => false,
            Some(None) => self.games == Games::Here,
            Some(Some(counts)) => *counts != hash,
        }
    }

    /// Takes back what is wrong in a folder, and what may follow from it; how many games that are. If they are played
    /// here from now on, the queue forgets the tournament, so that this happens once.
    ///
    /// # Errors
    /// When the folder or the queue cannot be written.
    pub(crate) async fn reconcile(
        self,
        store: &Store,
        tournament: &TournamentId,
        folder: Folder,
    ) -> Result<usize, Unread> {
        let games = folder.take_back(|header, text| self.is_wrong(&key(header), hash_of(text)))?;
        if self.games == Games::Here {
            store.forget_games(tournament).await?;
        }
        Ok(games)
    }
}
