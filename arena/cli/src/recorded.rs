//! A recorded game: its record in a file of its own, or in the folder of a finished tournament.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena_files::read_at_most;
use arena_record::{RECORD_BYTES_MAX, Record};
use arena_runner::{Archive, BotFolder};

use crate::missing_file::{self, Wanted};
use crate::names::EntrantNames;

/// The name of a record's file in a match's folder, by the game's number.
pub(crate) fn game_file(number: usize) -> String {
    format!("{number:05}.json")
}

/// A game as named on the command line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Recorded {
    /// A file with the record.
    File(PathBuf),
    /// A game of a tournament.
    Game {
        folder: PathBuf,
        /// Its number in the schedule.
        number: usize,
    },
}

impl From<OsString> for Recorded {
    /// A number after `#` is a game's if a folder stands before it. Everything else is a file.
    fn from(argument: OsString) -> Recorded {
        let parts = argument.to_str().and_then(|text| text.rsplit_once('#'));
        let game = parts.and_then(|(folder, number)| Some((PathBuf::from(folder), number.parse().ok()?)));
        match game {
            Some((folder, number)) if folder.is_dir() => Recorded::Game { folder, number },
            _ => Recorded::File(argument.into()),
        }
    }
}

impl fmt::Display for Recorded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Recorded::File(path) => path.display().fmt(f),
            Recorded::Game { folder, number } => write!(f, "{}#{number}", folder.display()),
        }
    }
}

impl Recorded {
    /// The record, unchecked by the rules.
    pub(crate) fn record(&self) -> Result<Record> {
        match self {
            Recorded::File(path) => {
                missing_file::ensure_file(path, Wanted::Game)?;
                let bytes = read_at_most(path, RECORD_BYTES_MAX as u64);
                let text = String::from_utf8(bytes.with_context(|| format!("cannot read {self}"))?);
                let text = text.with_context(|| format!("{self} is not the record of a game"))?;
                Record::parse(&text).with_context(|| format!("{self} is not the record of a game"))
            }
            Recorded::Game { folder, number } => {
                let record = Archive::open(folder).and_then(|archive| archive.record(*number));
                record.with_context(|| format!("cannot read {self}"))
            }
        }
    }

    /// The names of its entrants in the tournament or the match.
    pub(crate) fn names(&self) -> EntrantNames {
        match self {
            Recorded::File(path) => path.parent().map(EntrantNames::of_match).unwrap_or_default(),
            Recorded::Game { folder, .. } => EntrantNames::of_tournament(folder),
        }
    }

    /// The bots of the tournament; `None` for a file.
    pub(crate) fn bots(&self) -> Option<BotFolder> {
        self.tournament().map(BotFolder::of_tournament)
    }

    /// The folder of the game's tournament; `None` for a file.
    fn tournament(&self) -> Option<&Path> {
        match self {
            Recorded::File(_) => None,
            Recorded::Game { folder, .. } => Some(folder),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_behind_a_folder_is_a_game_and_everything_else_a_file() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = place.path().to_str().expect("text");
        std::fs::write(place.path().join("file"), "").expect("written");
        let named = |text: &str| Recorded::from(OsString::from(text));
        let game = |number| Recorded::Game { folder: folder.into(), number };
        for (end, number) in [("#0", 0), ("#12", 12), ("#007", 7)] {
            assert_eq!(named(&format!("{folder}{end}")), game(number));
        }
        for file in ["", "#", "#-1", "#x", "#99999999999999999999", "/nowhere#1", "/file#1", "/file", "#1/x"] {
            let text = format!("{folder}{file}");
            assert_eq!(named(&text), Recorded::File(text.into()));
        }
        assert_eq!(named("-"), Recorded::File("-".into()));
        assert_eq!(game(3).to_string(), format!("{folder}#3"));
    }
}
