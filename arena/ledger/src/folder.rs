//! What a tournament's folder has: the names in it, and whether what follows from the journal is there. The caller
//! lists and reads.

use std::collections::BTreeSet;

use arena_limits::counted;
use arena_tournaments::limits::ENTRANTS_MAX;
use serde::Deserialize;

use crate::course::Course;
use crate::index::text as index_text;
use crate::journal::Tail;
use crate::journalled::Journalled;
use crate::layout::{
    self, DEFINITION, ENTRANTS, INDEX, INDEX_NEW, JOURNAL, MANIFEST, RESULTS, RESULTS_NEW, RESULTS_OLD,
};
use crate::plan::Plan;
use crate::results::{Pieces, Summary};

/// Files that a folder may have: a bot for each entrant, and less than 30 others.
pub const FILES_MAX: usize = ENTRANTS_MAX + 30;

/// What an entry of a folder is.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A link, a pipe or a device.
    Other,
}

/// What is wrong with a file.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Flaw {
    /// It is missing.
    #[error("it is missing")]
    Missing,
    /// It is a link, a pipe, a device, or a folder nested too deeply.
    #[error("it is not a file: a link, a pipe, a device, or a folder")]
    NotAFile,
    /// The folder has more files than a tournament can have.
    #[error("it has more files than any tournament")]
    TooMany,
    /// It is longer than allowed.
    #[error("it is longer than it can be")]
    TooLong,
    /// It is not UTF-8.
    #[error("it is not text")]
    NotText,
    /// It has the right content in another spelling.
    #[error("it is not in its canonical encoding")]
    Spelling,
    /// Another file names it by a different hash.
    #[error("it does not have the hash that the manifest names")]
    OtherHash,
    /// Its content is invalid, or contradicts other files; with the reason. Escaped.
    #[error("{0}")]
    Content(String),
}

impl Flaw {
    /// Its code.
    pub fn code(&self) -> &'static str {
        match self {
            Flaw::Missing => "missing",
            Flaw::NotAFile => "not_a_file",
            Flaw::TooMany => "too_many",
            Flaw::TooLong => "too_long",
            Flaw::NotText => "not_text",
            Flaw::Spelling => "spelling",
            Flaw::OtherHash => "other_hash",
            Flaw::Content(_) => "content",
        }
    }
}

/// Why not everything could be checked.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Incomplete {
    /// Games of the schedule are not in the journal.
    #[error("the tournament is not finished: {played} of {} played", counted(*total, "game"))]
    Unfinished {
        /// Games that are in the journal.
        played: usize,
        /// Games of the schedule.
        total: usize,
    },
    /// All games are played, but there are no results.
    #[error("every game is played, but there are no results: `arena tournament resume` writes them")]
    NoResults,
    /// A run that was killed left unfinished results behind.
    #[error("{} in {RESULTS_NEW} or {RESULTS_OLD}, left over from a killed run, cannot be verified", counted(*files, "file"))]
    Leftovers {
        /// Their number.
        files: usize,
    },
    /// There are files that are not the tournament's.
    #[error("files that are not the tournament's were not looked at: {files}")]
    Foreign {
        /// Their number.
        files: usize,
    },
    /// The previous tournament made no commitment.
    #[error("the tournament before it committed to no secret, so the author of the draw may have chosen the seed")]
    NoCommitment,
    /// The bots of a record are missing.
    #[error("replayed by the rules alone: without the bots' files their choices could not be checked")]
    NoBots,
    /// The record has only people in it.
    #[error("replayed by the rules alone: people played it, and their turns cannot be recomputed")]
    Persons,
}

impl Incomplete {
    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            Incomplete::Unfinished { .. } => "unfinished",
            Incomplete::NoResults => "no_results",
            Incomplete::Leftovers { .. } => "leftovers",
            Incomplete::Foreign { .. } => "foreign",
            Incomplete::NoCommitment => "no_commitment",
            Incomplete::NoBots => "no_bots",
            Incomplete::Persons => "persons",
        }
    }
}

/// A file, by its path within the folder, and what is wrong with it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Damaged {
    /// Its path. Not escaped.
    pub file: String,
    /// What is wrong.
    pub flaw: Flaw,
}

/// Whether a folder has entries of a tournament's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Entries {
    /// What is in it may be the tournament's.
    Own,
    /// Nothing in it is to be looked at; so is no file.
    None,
}

/// The files below a folder by their paths, with `/` as separator; folders end with one.
#[derive(Default)]
pub struct Names(BTreeSet<String>);

impl Names {
    /// Takes an entry by its path. What has no name of a tournament's is only named.
    ///
    /// # Errors
    /// When something else is in the place of a tournament's file, or there are too many files.
    pub fn take(&mut self, path: &str, kind: Kind) -> Result<Entries, Damaged> {
        let is_own = layout::is_own(path);
        if is_own && kind == Kind::Other {
            return Err(Damaged { file: path.into(), flaw: Flaw::NotAFile });
        }
        // Recognisable by its slash: an empty folder is as unexpected as an unknown file.
        self.0.insert(if kind == Kind::Folder { format!("{path}/") } else { path.into() });
        if self.0.len() > FILES_MAX {
            return Err(Damaged { file: ".".into(), flaw: Flaw::TooMany });
        }
        let is_entered = kind == Kind::Folder && is_own && !path.contains('/');
        Ok(if is_entered { Entries::Own } else { Entries::None })
    }

    /// Checks that the folder has the files that it should have, and that index and results follow from the journal:
    /// `same` compares a file with what it should have. Returns why not everything can be checked, if that is so, and
    /// the files that are not the tournament's, which are one reason.
    ///
    /// # Errors
    /// When the journal and the files do not fit (`unfit` has the reason), and those of `same`.
    pub fn derived<E>(
        self,
        plan: &Plan,
        course: &Course,
        journal: &Journalled,
        unfit: impl Fn(String) -> E,
        mut same: impl FnMut(&str, Pieces<'_>) -> Result<(), E>,
    ) -> Result<(Option<Incomplete>, BTreeSet<String>), E> {
        let Names(mut names) = self;
        let bots = plan.entrants.iter().filter_map(|entrant| Some(layout::bot_file(entrant.id.hash()?)));
        let entrants = format!("{ENTRANTS}/");
        for name in [DEFINITION, MANIFEST, JOURNAL, &entrants].map(String::from).into_iter().chain(bots) {
            names.remove(&name);
        }
        let (played, total) = (course.played(), course.total());
        let is_within = |name: &str, folder: &str| name.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        let has_results = names.iter().any(|name| is_within(name, RESULTS));
        if has_results || names.contains(INDEX) {
            if played < total {
                return Err(unfit(format!("there are results, but only {played} of {}", counted(total, "game"))));
            }
            if journal.end.tail == Tail::Cut {
                return Err(unfit("bytes follow its last line".into()));
            }
            let index = index_text(course.settled.len(), course.counted(), &journal.places);
            same(INDEX, Box::new(std::iter::once(index)))?;
            names.remove(INDEX);
        }
        if has_results {
            names.remove(&format!("{RESULTS}/"));
            for (name, pieces) in Summary::of(plan, course).files() {
                let name = format!("{RESULTS}/{name}");
                same(&name, pieces)?;
                names.remove(&name);
            }
        }
        let unfinished = match has_results {
            true => None,
            false if played < total => Some(Incomplete::Unfinished { played, total }),
            false => Some(Incomplete::NoResults),
        };
        let all = names.len();
        names.retain(|name| name != INDEX_NEW && !is_within(name, RESULTS_NEW) && !is_within(name, RESULTS_OLD));
        let (leftovers, foreign) = (all - names.len(), names.len());
        let left_over = (leftovers > 0).then_some(Incomplete::Leftovers { files: leftovers });
        let foreign = (foreign > 0).then_some(Incomplete::Foreign { files: foreign });
        Ok((unfinished.or(left_over).or(foreign), names))
    }
}

/// The byte order mark, with which some editors begin a file, and what is said of it.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";
/// What is said of a file that begins with one.
pub const BEGUN_OTHERWISE: &str = "an editor put a byte order mark before it: get the file again as it was";

/// Whether the first line of a text ends with a carriage return, too, as on Windows.
pub fn has_other_line_ends(bytes: &[u8]) -> bool {
    bytes.split(|byte| *byte == b'\n').next().is_some_and(|line| line.len() < bytes.len() && line.ends_with(b"\r"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_a_tournaments_is_named_and_not_entered() {
        let mut names = Names::default();
        for (path, kind, entries) in [
            ("journal", Kind::File, Entries::None),
            ("results", Kind::Folder, Entries::Own),
            ("results/deep", Kind::Folder, Entries::None),
            ("notes", Kind::Folder, Entries::None),
            ("notes", Kind::Other, Entries::None),
            ("entrants/.DS_Store", Kind::Other, Entries::None),
        ] {
            assert_eq!(names.take(path, kind), Ok(entries), "{path}");
        }
        for path in ["journal", "results/standings.csv", "entrants"] {
            let damaged = Damaged { file: path.into(), flaw: Flaw::NotAFile };
            assert_eq!(names.take(path, Kind::Other), Err(damaged), "{path}");
        }
        let over = (0..=FILES_MAX).find_map(|file| names.take(&file.to_string(), Kind::File).err());
        assert_eq!(over.map(|damaged| damaged.flaw), Some(Flaw::TooMany));
    }

    #[test]
    fn line_ends_are_those_of_the_first_line() {
        for (text, other) in [("a\r\nb\n", true), ("a\nb\r\n", false), ("a\r", false), ("\r\n", true), ("", false)] {
            assert_eq!(has_other_line_ends(text.as_bytes()), other, "{text:?}");
        }
    }
}
