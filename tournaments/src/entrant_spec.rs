//! Entrants as definitions name them.

use crate::limits::{DISPLAY_CHARS_MAX, ENTRANT_NAME_CHARS_MAX, FILE_CHARS_MAX, ID_CHARS_MAX};
use crate::problem::{DefinitionError, Problem, line, wrong};

/// An entrant as the definition names it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EntrantSpec {
    /// Its name in files, and in tables for people unless it has another one there.
    pub name: String,
    /// Its name in tables for people, if different.
    pub display: Option<String>,
    /// Its source.
    pub source: Source,
}

/// The source of an entrant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Source {
    /// A built-in opponent by name.
    Baseline(String),
    /// A bot of the gallery by name: its released module.
    Gallery(String),
    /// A bot's file, relative to the definition.
    File(String),
}

impl EntrantSpec {
    /// An entrant, if its name and source can be written in a definition.
    ///
    /// # Errors
    /// If they cannot.
    pub fn new(name: String, source: Source) -> Result<EntrantSpec, DefinitionError> {
        let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '_' | '-');
        if !(1..=ENTRANT_NAME_CHARS_MAX).contains(&name.len()) || !name.chars().all(plain) {
            return wrong(None, "entrants.name", Problem::Name { given: name });
        }
        match &source {
            Source::Baseline(tier) => line("entrants.baseline", tier, 1, ID_CHARS_MAX)?,
            Source::Gallery(bot) => line("entrants.gallery", bot, 1, ID_CHARS_MAX)?,
            Source::File(file) => line("entrants.file", file, 1, FILE_CHARS_MAX)?,
        }
        Ok(EntrantSpec { name, display: None, source })
    }

    /// This entrant with a name for people, if that is one line of letters, digits, plain punctuation and single
    /// spaces.
    ///
    /// # Errors
    /// If it is not.
    pub fn displayed(self, display: Option<String>) -> Result<EntrantSpec, DefinitionError> {
        let plain = |c: char| c.is_alphanumeric() || c.is_ascii_punctuation() || c == ' ';
        let is_good = |name: &String| {
            (1..=DISPLAY_CHARS_MAX).contains(&name.chars().count())
                && name.chars().all(plain)
                && name.split(' ').all(|word| !word.is_empty())
        };
        match display {
            Some(given) if !is_good(&given) => wrong(None, "entrants.display", Problem::Display { given }),
            display => Ok(EntrantSpec { display, ..self }),
        }
    }
}
