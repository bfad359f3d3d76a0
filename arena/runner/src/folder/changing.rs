//! The organiser's changes in a tournament that has started.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arena_files::{sync_folder, write_durably};
use arena_ledger::{Change, ChangeError, ChangeKind};
use arena_record::Hex;
use arena_tournaments::{Entrant, EntrantSpec, Secret};

use super::error::{FolderError, io_error};
use super::freezing::{Bots, freeze_one};
use super::{Folder, index_and_results};
use crate::layout;

impl Folder {
    /// Adds an entrant, from the first round without an ended game. Its file is relative to `base`. The new schedule is
    /// read when the folder is opened again.
    ///
    /// # Errors
    /// When the bot is not playable, or the format allows no more entrants. Then nothing is changed.
    pub fn add(self, entrant: &EntrantSpec, base: &Path, reason: &str) -> Result<Change, FolderError> {
        self.enter(entrant, Bots::Files(base), reason)
    }

    /// Like [`add`](Folder::add), for a bot that is not in a file: `bots` has its bytes, by the file name in its
    /// source.
    ///
    /// # Errors
    /// As [`add`](Folder::add).
    pub fn add_given(
        self,
        entrant: &EntrantSpec,
        bots: &BTreeMap<String, Vec<u8>>,
        reason: &str,
    ) -> Result<Change, FolderError> {
        self.enter(entrant, Bots::Given(bots), reason)
    }

    fn enter(self, entrant: &EntrantSpec, bots: Bots<'_>, reason: &str) -> Result<Change, FolderError> {
        let (id, bytes) = freeze_one(entrant, &self.definition, bots, &*self.host)?;
        let bot = bytes.and_then(|bytes| Some((layout::bot_file(id.hash()?), bytes)));
        self.change(ChangeKind::Added { name: entrant.name.clone(), display: entrant.display.clone(), id }, reason, bot)
    }

    /// Withdraws an entrant, from the first round without an ended game. Its games keep their results.
    ///
    /// # Errors
    /// When there is no such entrant, it has left already, or nothing is left to play. Then nothing is changed.
    pub fn withdraw(self, name: &str, reason: &str) -> Result<Change, FolderError> {
        if self.course.is_over() {
            return Err(ChangeError::Over.into());
        }
        self.change(ChangeKind::Withdrawn { name: name.into() }, reason, None)
    }

    /// Disqualifies an entrant, from the first round without an ended game, which may be after the last one. Its games
    /// keep their results, but it is ranked last.
    ///
    /// # Errors
    /// When there is no such entrant, or it is disqualified already. Then nothing is changed.
    pub fn disqualify(self, name: &str, reason: &str) -> Result<Change, FolderError> {
        self.change(ChangeKind::Disqualified { name: name.into() }, reason, None)
    }

    /// The round, from 0, that cannot be played before its seed is drawn with [`draw_round`](Folder::draw_round).
    pub fn undrawn(&self) -> Option<usize> {
        self.course.undrawn
    }

    /// Draws the seed of the next round, in tournaments with a seed for each round: freezes its entrants and reveals
    /// its secret.
    ///
    /// # Errors
    /// When no draw is due, or the previous secret does not commit to this one.
    pub fn draw_round(&mut self, secret: Secret) -> Result<Change, FolderError> {
        let round = self.course.undrawn.ok_or(ChangeError::NotDue(self.course.settled.next_round()))?;
        let reason = "its entrants are frozen".into();
        let change = Change { after: self.chain(), round, what: ChangeKind::Drawn { secret }, reason };
        self.plan.take(0, change.clone(), self.start)?;
        self.append(&change)?;
        self.course.settle(&self.plan);
        Ok(change)
    }

    /// The hash that the next change must contain.
    fn chain(&self) -> Hex<32> {
        self.changes().last().map_or(self.start, Change::hash)
    }

    fn append(&mut self, change: &Change) -> Result<(), FolderError> {
        let not_kept = |source| FolderError::AppendChange { path: self.path.clone(), source };
        self.journal.append_change(change).map_err(not_kept)
    }

    /// The changes so far, including draws of rounds after the start.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.plan.changes.iter().map(|(_, change)| change)
    }

    /// Writes a change. A bot's bytes are written before it, and results are removed before it, so a kill in between
    /// leaves a folder that can be resumed.
    fn change(mut self, what: ChangeKind, reason: &str, bot: Option<(String, Vec<u8>)>) -> Result<Change, FolderError> {
        // A round can be drawn without having games.
        let round = self.course.first_unplayed().max(self.plan.drawn());
        let change = Change { after: self.chain(), round, what, reason: reason.into() };
        self.plan.take(0, change.clone(), self.start)?;
        if let Some((name, bytes)) = bot {
            let file = self.path.join(name);
            write_durably(&file, &bytes).map_err(io_error("write", &file))?;
        }
        self.remove_derived()?;
        self.append(&change)?;
        Ok(change)
    }
}

impl Folder {
    /// Removes what is derived from the games, which is about to change.
    pub(super) fn remove_derived(&self) -> Result<(), FolderError> {
        for derived in index_and_results(&self.path) {
            let gone = if derived.is_dir() { fs::remove_dir_all(&derived) } else { fs::remove_file(&derived) };
            match gone {
                Err(error) if error.kind() != std::io::ErrorKind::NotFound => {
                    return Err(io_error("remove", &derived)(error));
                }
                _ => {}
            }
        }
        sync_folder(&self.path).map_err(io_error("write", &self.path))
    }
}

/// Removes bots that are not entrants: left over from an entry that was killed before its line was written.
pub(super) fn sweep(path: &Path, entrants: &[Entrant]) -> Result<(), FolderError> {
    let folder = path.join(layout::ENTRANTS);
    // Copies of tournaments without bots may lack the empty folder.
    if !folder.exists() {
        return Ok(());
    }
    let known: Vec<String> = entrants.iter().filter_map(|entrant| entrant.id.hash().map(layout::bot_file)).collect();
    for entry in fs::read_dir(&folder).map_err(io_error("read", &folder))? {
        let name = entry.map_err(io_error("read", &folder))?.file_name();
        let file = format!("{}/{}", layout::ENTRANTS, name.to_string_lossy());
        let is_bot = file.ends_with(".wasm") || file.ends_with(".wasm.new");
        if is_bot && !known.contains(&file) {
            let file = path.join(file);
            fs::remove_file(&file).map_err(io_error("remove", &file))?;
        }
    }
    Ok(())
}
