//! The folders of editions on the disk.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_record::Record;
use arena_runner::{Archive, ArchiveError, Folder, FolderError, Host, layout};
use arena_store::{IndexedGame, NameError, TournamentId};
use arena_tournaments::Definition;
use arena_wire::{GAMES, Game};
use tracing::warn;

use super::OlderRelease;
use crate::limits::EDITIONS_KEPT_MAX;

/// The names of the folders of a game's editions, up to the number. Those of the first game were named when there was
/// no other.
fn prefix(game: &Game) -> String {
    if game.ruleset == GAMES[0].ruleset { "standing-".into() } else { format!("{}-", game.name()) }
}

/// The game that a tournament is a standing edition of, and the edition's number.
pub fn edition_of(tournament: &TournamentId) -> Option<(&'static Game, u32)> {
    let numbered = |game: &'static Game| {
        let number = tournament.as_str().strip_prefix(&*prefix(game))?;
        Some((game, number.parse().ok()?))
    };
    GAMES.iter().find_map(numbered)
}

/// The editions of a game that are kept while this is the latest, newest first. Some may be missing.
pub fn editions_up_to(game: &Game, number: u32) -> Vec<TournamentId> {
    let prefix = prefix(game);
    let kept = (1..=number).rev().take(EDITIONS_KEPT_MAX);
    kept.filter_map(|number| TournamentId::parse(&format!("{prefix}{number}")).ok()).collect()
}

/// Editions of one game in `DATA/tournaments/PREFIX-N/`.
pub(crate) struct Editions {
    prefix: String,
    folder: PathBuf,
}

impl Editions {
    pub(crate) fn new(game: &Game, tournaments: &Path) -> Editions {
        Editions { prefix: prefix(game), folder: tournaments.into() }
    }

    pub(crate) fn path(&self, number: u32) -> PathBuf {
        self.folder.join(self.name(number))
    }

    /// The name of an edition's folder, which is also its tournament's id.
    pub(crate) fn name(&self, number: u32) -> String {
        format!("{}{number}", self.prefix)
    }

    /// The tournament id of an edition.
    pub(crate) fn tournament(&self, number: u32) -> Result<TournamentId, NameError> {
        TournamentId::parse(&self.name(number))
    }

    /// Whether an edition has begun, so that its field is frozen.
    pub(crate) fn has_begun(&self, number: u32) -> bool {
        self.path(number).join(layout::MANIFEST).exists()
    }

    /// Whether everything is played and written: results are moved into place as a whole.
    pub(crate) fn is_finished(&self, number: u32) -> bool {
        self.has_begun(number) && self.path(number).join(layout::RESULTS).exists()
    }

    /// The editions that have begun, in order. An edition that was being prepared when the process died is removed.
    pub(crate) fn begun(&self) -> io::Result<Vec<u32>> {
        let (numbers, unbegun) = self.numbers()?;
        for number in unbegun {
            if let Err(error) = self.remove(number) {
                // It is overwritten when its number comes up.
                warn!(edition = number, %error, "what is left of an edition that never began cannot be removed");
            }
        }
        Ok(numbers)
    }

    /// The editions that have begun, and those that were only being prepared, each in order.
    pub(crate) fn numbers(&self) -> io::Result<(Vec<u32>, Vec<u32>)> {
        let mut numbers = Vec::new();
        for entry in fs::read_dir(&self.folder)? {
            let entry_name = entry?.file_name();
            let number = entry_name.to_str().and_then(|text| text.strip_prefix(&*self.prefix)?.parse::<u32>().ok());
            // Only in our own spelling; anything else was put there by somebody else.
            let Some(number) = number.filter(|number| *self.name(*number) == *entry_name) else { continue };
            numbers.push(number);
        }
        numbers.sort_unstable();
        Ok(numbers.into_iter().partition(|number| self.has_begun(*number)))
    }

    /// Opens a finished edition to show it.
    pub(crate) fn finished(&self, number: u32, host: &Arc<dyn Host>) -> Result<Folder, FolderError> {
        Folder::finished(&self.path(number), host)
    }

    /// Opens an edition that has begun, from its folder alone.
    pub(crate) fn open(&self, number: u32, host: &Arc<dyn Host>) -> Result<Folder, FolderError> {
        Ok(Folder::resume(&self.path(number), host)?.0)
    }

    /// The standings of a finished edition that another release played, as it wrote them.
    pub(crate) fn earlier(&self, number: u32, build: &str) -> io::Result<OlderRelease> {
        OlderRelease::read(&self.path(number), build)
    }

    /// Begins an edition, or resumes it if it is this one. `bots` are the bytes of its bots, by the names of their
    /// files.
    pub(crate) fn begin(
        &self,
        number: u32,
        definition: &Definition,
        bots: &BTreeMap<String, Vec<u8>>,
        host: &Arc<dyn Host>,
    ) -> Result<Folder, FolderError> {
        Folder::open_given(&self.path(number), definition, bots, host)
    }

    /// Removes an edition: its manifest last, so that half of one is never taken for a whole one.
    pub(crate) fn remove(&self, number: u32) -> io::Result<()> {
        let path = self.path(number);
        let manifest = path.join(layout::MANIFEST);
        for entry in fs::read_dir(&path)? {
            let entry = entry?;
            if entry.file_type()?.is_dir() {
                fs::remove_dir_all(entry.path())?;
            } else if entry.path() != manifest {
                fs::remove_file(entry.path())?;
            }
        }
        fs::remove_dir_all(path)
    }

    /// How many records a finished edition has.
    pub(crate) fn records_count(&self, number: u32) -> Result<usize, ArchiveError> {
        Archive::open(&self.path(number))?.numbers().try_fold(0, |count, number| number.map(|_| count + 1))
    }

    /// The games of a finished edition for the index, from their records.
    pub(crate) fn games(&self, number: u32) -> Result<Vec<IndexedGame>, ArchiveError> {
        let archive = Archive::open(&self.path(number))?;
        let game = |game: usize| Ok(self.indexed(number, game, &archive.record(game)?));
        archive.numbers().map(|number| number.and_then(game)).collect()
    }

    /// A game of an edition for the index.
    pub(crate) fn indexed(&self, number: u32, game: usize, record: &Record) -> IndexedGame {
        // A tournament has at most `GAMES_MAX` games.
        IndexedGame::new(game as u32, record, self.name(number))
    }
}
