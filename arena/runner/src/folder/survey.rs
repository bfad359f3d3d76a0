//! Reads a tournament's folder, even while it is being played. It locks and writes nothing.

use std::fs::File;
use std::path::{Path, PathBuf};

use arena_files::open;
use arena_record::Header;
use arena_tournaments::{BracketPicture, Definition, Entrant, Fate, GameResult, ScheduledGame, Standings};

use super::error::{Damage, FolderError, io_error};
use super::{Claims, Progress, claims, defined_in};
use crate::journal::game_at;
use crate::results::Summary;
use crate::{Change, Ended, JournalError, Misfit, layout};

/// The present content of a tournament's folder. Whether its games follow the rules is for `verify` to check.
pub struct Survey {
    path: PathBuf,
    definition: Definition,
    journal: File,
    claims: Claims,
}

impl Survey {
    /// Reads the tournament in the folder `path`.
    ///
    /// # Errors
    /// When no tournament has started there, it is another release's, or its files contradict each other.
    pub fn open(path: &Path) -> Result<Survey, FolderError> {
        Survey::checked(path, |_| Ok(()))
    }

    /// The same; `check` judges every game that ended.
    pub(crate) fn checked(path: &Path, check: impl FnMut(&Ended) -> Result<(), Misfit>) -> Result<Survey, FolderError> {
        let (manifest, definition) = defined_in(path)?;
        let file = path.join(layout::JOURNAL);
        let journal = open(&file).map_err(io_error("read", &file))?;
        let claims = claims(path, &definition, &manifest, &journal, check)?;
        Ok(Survey { path: path.into(), definition, journal, claims })
    }

    /// The tournament's folder.
    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    /// The definition.
    pub fn definition(&self) -> &Definition {
        &self.definition
    }

    /// The entrants, late ones last.
    pub fn entrants(&self) -> &[Entrant] {
        &self.claims.plan.entrants
    }

    /// The organiser's changes, in order.
    pub fn changes(&self) -> impl Iterator<Item = &Change> {
        self.claims.plan.changes.iter().map(|(_, change)| change)
    }

    /// The progress.
    pub fn progress(&self) -> Progress {
        Progress { played: self.claims.course.played(), total: self.claims.course.total() }
    }

    /// Whether nothing is left to play.
    pub fn is_over(&self) -> bool {
        self.claims.course.is_over()
    }

    /// The first round without an ended game, from 0.
    pub fn round(&self) -> usize {
        self.claims.course.first_unplayed()
    }

    /// The standings after the games so far.
    pub fn standings(&self) -> Standings {
        Summary::of(&self.claims.plan, &self.claims.course).standings
    }

    /// The files of `results/` as they would be written now, by name.
    pub fn files(&self) -> Vec<(&'static str, String)> {
        let summary = Summary::of(&self.claims.plan, &self.claims.course);
        summary.files().into_iter().map(|(name, pieces)| (name, pieces.collect())).collect()
    }

    /// The games of the schedule so far, each with its fate.
    pub fn games(&self) -> impl Iterator<Item = (ScheduledGame, Fate)> {
        let settled = &self.claims.course.settled;
        (0..settled.len()).filter_map(|number| Some((settled.game(number)?, settled.fate(number)?)))
    }

    /// For each pairing the round in which it is shown, from 0, and its title; no title if that is the round of its games.
    pub fn titles(&self) -> Vec<(usize, String)> {
        self.claims.plan.format.titles(self.entrants().len())
    }

    /// The current bracket; `None` in formats without one.
    pub fn bracket(&self) -> Option<BracketPicture> {
        self.claims.plan.format.picture(self.entrants(), &self.claims.course.settled)
    }

    /// The result of a game, whether it counts or not; `None` if it has none.
    pub fn result(&self, number: usize) -> Option<GameResult> {
        self.claims.course.settled.result(number)
    }

    /// The headers of the games that have a record, each with its number.
    pub(crate) fn headers(&self) -> impl Iterator<Item = (usize, Header)> {
        let (plan, settled) = (&self.claims.plan, &self.claims.course.settled);
        let ended = (0..settled.len()).filter(|number| settled.has_result(*number));
        ended.filter_map(|number| Some((number, plan.header(&settled.game(number)?))))
    }

    /// Whether a game is unchanged since the folder was read.
    pub(crate) fn agrees(&self, number: usize, ended: &Ended) -> bool {
        let game = self.claims.course.settled.game(number);
        let fits = game.is_some_and(|game| self.claims.plan.check(&game, ended).is_ok());
        fits && self.claims.course.agrees(number, ended)
    }

    /// The error for a game in the journal that does not belong to the tournament.
    pub(crate) fn misfit(&self, number: usize, why: Misfit) -> FolderError {
        FolderError::Damaged { path: self.path.join(layout::JOURNAL), why: Damage::Game { number, why } }
    }

    /// The result of a game, read from the journal; `None` if it was not played.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn ended(&self, number: usize) -> Result<Option<Ended>, FolderError> {
        let at = self.claims.journalled.places.get(number);
        let ended = at.map(|at| game_at(&self.journal, at, number)).transpose();
        ended.map_err(|source: JournalError| FolderError::Journal { path: self.path.clone(), source })
    }
}
