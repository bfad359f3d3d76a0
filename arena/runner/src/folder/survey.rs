//! Reads a tournament's folder, even while it is being played. It locks and writes nothing.

use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};

use arena_files::open;
use arena_ledger::{CHANGE, Places, Summary, game_at, index_text, line};
use arena_record::Header;
use arena_tournaments::{
    BracketPicture, BracketRound, Definition, Entrant, Fate, GameResult, ScheduledGame, Standings,
};

use super::error::{Damage, FolderError, io_error};
use super::{Claims, Progress, claims, defined_in};
use crate::journal::OnDisk;
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

    /// For each pairing the round in which it is shown, from 0, and its name; no name if that is the round of its
    /// games.
    pub fn rounds(&self) -> Vec<(usize, BracketRound)> {
        self.claims.plan.format.rounds(self.entrants().len())
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

    /// Writes the journal in the order of the schedule, each change before the games of its round, without games that
    /// decide nothing: the same bytes whatever the threads or interruptions. Returns the index that belongs to it, if
    /// everything is played.
    ///
    /// # Errors
    /// When the journal cannot be read, or the copy not be written.
    pub fn write_journal(&self, out: &mut dyn Write) -> Result<Option<String>, FolderError> {
        let settled = &self.claims.course.settled;
        let (mut places, mut at) = (Places::for_games(settled.len()), 0);
        let mut write = |line: String| -> Result<u64, FolderError> {
            out.write_all(line.as_bytes()).map_err(io_error("write", Path::new(layout::JOURNAL)))?;
            at += line.len() as u64;
            Ok(at - line.len() as u64)
        };
        let mut changes = self.changes().peekable();
        for (game, fate) in self.games() {
            while let Some(change) = changes.next_if(|change| change.round <= game.round) {
                write(line(CHANGE, &change.to_text()))?;
            }
            if self.decides(game.number, fate)
                && let Some(ended) = self.ended(game.number)?
            {
                places.insert(game.number, write(ended.to_line(game.number))?);
            }
        }
        for change in changes {
            write(line(CHANGE, &change.to_text()))?;
        }
        Ok(self.is_over().then(|| index_text(settled.len(), self.claims.course.counted(), &places)))
    }

    /// Whether a game counts, or is void by itself. Whether others were played depends on threads and interruptions.
    fn decides(&self, number: usize, fate: Fate) -> bool {
        let course = &self.claims.course;
        let is_out = |entrant: usize| course.settled.left.get(&entrant).is_some_and(|left| left.from < number);
        match fate {
            Fate::Counted => true,
            Fate::Void => course.played_void().contains_key(&number) && !course.settled.seated(number).any(is_out),
            Fate::Open | Fate::Cancelled => false,
        }
    }

    /// The result of a game, read from the journal; `None` if it was not played.
    ///
    /// # Errors
    /// When the journal cannot be read.
    pub fn ended(&self, number: usize) -> Result<Option<Ended>, FolderError> {
        let at = self.claims.journalled.places.get(number);
        let ended = at.map(|at| game_at(&OnDisk(&self.journal), at, number)).transpose();
        ended.map_err(|source: JournalError| FolderError::Journal { path: self.path.clone(), source })
    }
}
