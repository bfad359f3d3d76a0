//! Why a text is not a valid definition.

use crate::formats::FORMATS;
use crate::limits::{
    CONFIDENCE_PER_MILLE_MAX, CONFIDENCE_PER_MILLE_MIN, DEFINITION_BYTES_MAX, DISPLAY_CHARS_MAX,
    ENTRANT_NAME_CHARS_MAX, ENTRANTS_MAX, ENTRANTS_MIN, MEMORY_PAGE_BYTES,
};
use crate::ranking::TieBreak;

/// Why a text is not a valid definition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DefinitionError {
    /// Longer than any definition.
    #[error("a definition has at most {DEFINITION_BYTES_MAX} bytes, this text has {0}: is it the right file?")]
    TooLong(usize),
    /// The text is not TOML, or lacks the fields of a definition.
    #[error("{0}")]
    Toml(Box<toml::de::Error>),
    /// A field with an invalid value.
    #[error("{}`{field}` {problem}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Field {
        /// Its line, from 1, if known.
        line: Option<usize>,
        /// The field.
        field: &'static str,
        /// What is wrong, and what would be right.
        problem: Problem,
    },
}

/// What is wrong with a field, worded to follow its name.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[expect(missing_docs, reason = "each says it in its own words")]
pub enum Problem {
    #[error("is missing: a tournament has one, such as `name = \"Spring cup\"`")]
    NoName,
    #[error("is missing: any whole number will do, such as `seed = 1`")]
    NoSeed,
    #[error("has a field of its own in the form: leave it out here")]
    InForm,
    #[error("is {least} to {most}, not {given}")]
    Range { least: u64, most: u64, given: u64 },
    #[error("is 1 to {most}, the number of entrants, not {given}")]
    Places { most: u32, given: u32 },
    #[error(
        "needs `top`, with or without `confidence`, or `within`, or all of them: what must be certain before it ends?"
    )]
    NoGoal,
    #[error("is {} to {}, with three decimals at most, not {given}",
        f64::from(CONFIDENCE_PER_MILLE_MIN) / 1e3, f64::from(CONFIDENCE_PER_MILLE_MAX) / 1e3)]
    Confidence { given: String },
    #[error("is one line of {least} to {most} characters, none of them a control character")]
    NotOneLine { least: usize, most: usize },
    #[error("is a multiple of {MEMORY_PAGE_BYTES}, the size of a page")]
    NotPages,
    #[error("is one of {FORMATS}, not {given:?}")]
    Format { given: String },
    #[error("is {:?} or {:?}, not {given:?}", .known[0], .known[1])]
    Word { known: [&'static str; 2], given: String },
    #[error("is \"given\", \"draw\" or \"rating\", not {given:?}")]
    Seeding { given: String },
    #[error("is `{{ entrants = [...], rating = N }}`: {why}")]
    Anchor { why: String },
    #[error("and `seeding` exclude each other: leave one out")]
    BothSeedings,
    #[error("is for formats with late entry, \"swiss\" and \"ladder\": leave it out")]
    Chain,
    #[error("goes with `seeding = \"rating\"`: write that, too, or leave it out")]
    WithoutSeeding,
    #[error("{file:?}: {why}")]
    Seeds { file: String, why: String },
    #[error("are some of {}, each once, not {given:?}", TieBreak::ALL.map(|one| format!("{:?}", one.name())).join(", "))]
    TieBreaks { given: Vec<String> },
    #[error("is a key of `format = {}`, and this is {format:?}: leave it out",
        .of.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", "))]
    OtherFormat { of: &'static [&'static str], format: String },
    #[error("are {ENTRANTS_MIN} to {ENTRANTS_MAX}, each in its own [[entrants]]; here are {given}")]
    Entrants { given: usize },
    #[error("are at most {most} in the format {format:?}; here are {given}")]
    TooMany { most: usize, format: String, given: usize },
    #[error("is 1 to {ENTRANT_NAME_CHARS_MAX} letters, digits, dots, dashes or underscores, not {given:?}")]
    Name { given: String },
    #[error(
        "is 1 to {DISPLAY_CHARS_MAX} letters of any script, digits, single spaces and ASCII punctuation, not {given:?}"
    )]
    Display { given: String },
    #[error("are different: {given:?} appears twice")]
    OpeningTwice { given: String },
    #[error("cannot be played: {why}")]
    Unplayable { why: String },
    #[error("is different for each entrant; {given:?} appears twice")]
    Twice { given: String },
    #[error(
        "{name:?} has exactly one of `baseline` (a built-in opponent), `gallery` (a bot of the gallery) and `file` (a .wasm file)"
    )]
    Source { name: String },
}

/// An error about a field, with its line if known.
pub(crate) fn wrong<T>(line: Option<usize>, field: &'static str, problem: Problem) -> Result<T, DefinitionError> {
    Err(DefinitionError::Field { line, field, problem })
}

/// Checks that a field is one line of so many characters.
pub(crate) fn line(field: &'static str, text: &str, least: usize, most: usize) -> Result<(), DefinitionError> {
    if (least..=most).contains(&text.chars().count()) && !text.chars().any(char::is_control) {
        return Ok(());
    }
    wrong(None, field, Problem::NotOneLine { least, most })
}

/// Checks that a field is in a range.
pub(crate) fn within(field: &'static str, value: u64, least: u64, most: u64) -> Result<(), DefinitionError> {
    if (least..=most).contains(&value) {
        return Ok(());
    }
    wrong(None, field, Problem::Range { least, most, given: value })
}
