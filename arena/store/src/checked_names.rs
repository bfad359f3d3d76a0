//! Names that people choose. The types here hold only names that passed.

use std::fmt;
use std::str::FromStr;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

use crate::{DISPLAY_NAME_CHARS_MAX, NAME_BYTES_MAX};

/// Names that would pass for the arena itself, its opponents or a page. Compared as names look, see [`looks`].
const RESERVED: [&str; 36] = [
    "admin",
    "administrator",
    "all",
    "anonymous",
    "api",
    "arena",
    "baseline",
    "baselines",
    "bot",
    "conqueror",
    "conquerors",
    "deleted",
    "draw",
    "easy",
    "everyone",
    "guest",
    "hard",
    "help",
    "human",
    "login",
    "mod",
    "moderator",
    "new",
    "nobody",
    "normal",
    "null",
    "official",
    "owner",
    "root",
    "server",
    "staff",
    "support",
    "sysop",
    "system",
    "undefined",
    "you",
];

/// The longest text that is looked at, in bytes: normalising may make a text 18 times longer.
const UNCHECKED_BYTES_MAX: usize = 512;

/// Marks above or below one letter: Thai needs two, more only climb out of the line.
const MARKS_PER_LETTER_MAX: usize = 2;

/// Why a text is not a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// Nothing to see.
    #[error("a name has at least one letter or digit")]
    Empty,
    /// More than a name may have.
    #[error("a name has at most {max} characters")]
    TooLong {
        /// The most it may have.
        max: usize,
    },
    /// A character that no name has.
    #[error("a name cannot contain {}", shown(.0))]
    Character(char),
    /// A character where it cannot stand, such as a space at the end.
    #[error("{} is not allowed there in a name", shown(.0))]
    Place(char),
    /// Letters of several scripts, such as Latin and Cyrillic.
    #[error("a name is written in one script")]
    MixedScripts,
    /// Looks like a name that nobody may have.
    #[error("this name is reserved")]
    Reserved,
}

/// A character in a sentence. By number when it is not plain, because it may be invisible or turn the text around.
fn shown(c: &char) -> String {
    match c {
        ' ' => "a space".into(),
        c if c.is_ascii_graphic() => format!("`{c}`"),
        c => format!("the character `U+{:04X}`", u32::from(*c)),
    }
}

/// The name by which a player is known.
///
/// 1 to 32 characters after normalisation to NFKC: letters of one script, the digits 0-9, and inside also single `-`,
/// `_` or spaces. It looks like no reserved name; that it looks like nobody else's is for the store to see to. It is
/// text like any other to a page: it may run from right to left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DisplayName(String);

impl DisplayName {
    /// The name that a text stands for.
    ///
    /// # Errors
    /// With the first reason why it is none.
    pub fn parse(text: &str) -> Result<DisplayName, NameError> {
        let too_long = NameError::TooLong { max: DISPLAY_NAME_CHARS_MAX };
        if text.len() > UNCHECKED_BYTES_MAX {
            return Err(too_long);
        }
        let name: String = text.nfkc().collect();
        if name.chars().count() > DISPLAY_NAME_CHARS_MAX {
            return Err(too_long);
        }
        if let Some(stray) = name.chars().find(|c| !belongs(*c)) {
            return Err(NameError::Character(stray));
        }
        if !name.chars().any(char::is_alphanumeric) {
            return Err(NameError::Empty);
        }
        if let Some(misplaced) = misplaced(&name) {
            return Err(NameError::Place(misplaced));
        }
        if !name.is_single_script() {
            return Err(NameError::MixedScripts);
        }
        let name = DisplayName(name);
        if name.keys().iter().any(|key| reserved(key)) { Err(NameError::Reserved) } else { Ok(name) }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name as it was stored by this crate.
    pub(crate) fn stored(text: String) -> DisplayName {
        DisplayName(text)
    }

    /// What the name looks like, in capitals and in small letters: two names with a key in common look alike.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys = vec![looks(&self.0.to_lowercase()), looks(&self.0)];
        keys.dedup();
        keys
    }
}

impl fmt::Display for DisplayName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '-' | '_')
}

/// Whether a display name may contain `c`. The profile keeps out what is invisible, obsolete, or a symbol.
fn belongs(c: char) -> bool {
    let letter = (c.is_alphabetic() || is_combining_mark(c)) && c.identifier_allowed();
    letter || c.is_ascii_digit() || is_separator(c)
}

/// The first character that cannot stand where it does: a separator at an end or after another one, a mark without a
/// letter or too many on one.
fn misplaced(name: &str) -> Option<char> {
    let mut before = ' ';
    let mut marks = 0;
    for c in name.chars() {
        marks = if is_combining_mark(c) { marks + 1 } else { 0 };
        let unfounded = is_separator(before) && (is_separator(c) || is_combining_mark(c));
        if unfounded || marks > MARKS_PER_LETTER_MAX {
            return Some(c);
        }
        before = c;
    }
    is_separator(before).then_some(before)
}

/// What a name looks like: the skeleton of Unicode Technical Standard #39 without separators, in small letters, and
/// with `i` as `l`, because the standard takes `I`, `l` and `1` as one but `i` and `I` are the same letter.
fn looks(name: &str) -> String {
    let letters: String = name.chars().filter(|c| !is_separator(*c)).collect();
    let skeleton: String = skeleton(&letters).collect();
    skeleton.to_lowercase().replace('i', "l")
}

fn reserved(key: &str) -> bool {
    RESERVED.iter().any(|word| looks(word) == key)
}

/// Whether a text is 1 to 32 characters from `A-Z a-z 0-9 . _ -`, the first a letter or digit. So it can stand in an
/// address as it is, and is neither `..` nor an option of a command.
fn plain(text: &str) -> Result<(), NameError> {
    let stray = text.chars().find(|c| !c.is_ascii_alphanumeric() && !matches!(c, '.' | '_' | '-'));
    match (text.chars().next(), stray) {
        _ if text.len() > NAME_BYTES_MAX => Err(NameError::TooLong { max: NAME_BYTES_MAX }),
        (None, _) => Err(NameError::Empty),
        (_, Some(stray)) => Err(NameError::Character(stray)),
        (Some(first), None) if !first.is_ascii_alphanumeric() => Err(NameError::Place(first)),
        _ => Ok(()),
    }
}

/// The name of a bot: 1 to 32 characters from `A-Z a-z 0-9 . _ -`, the first a letter or digit; not a reserved one.
/// Like display names, no two bots have names that look alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotName(String);

impl BotName {
    /// The name that a text stands for.
    ///
    /// # Errors
    /// With the first reason why it is none.
    pub fn parse(text: &str) -> Result<BotName, NameError> {
        plain(text)?;
        let name = BotName(text.into());
        if name.keys().iter().any(|key| reserved(key)) { Err(NameError::Reserved) } else { Ok(name) }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    pub(crate) fn stored(text: String) -> BotName {
        BotName(text)
    }

    /// Whether another name looks like this one.
    pub fn looks_like(&self, other: &str) -> bool {
        let keys = self.keys();
        BotName(other.into()).keys().iter().any(|key| keys.contains(key))
    }

    /// By what it is found.
    pub(crate) fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// What it looks like, in capitals and in small letters: two names with a key in common look alike.
    pub(crate) fn keys(&self) -> Vec<String> {
        let letters: String = self.0.chars().filter(char::is_ascii_alphanumeric).collect();
        let mut keys = vec![looks(&letters.to_ascii_lowercase()), looks(&letters)];
        keys.dedup();
        keys
    }
}

impl fmt::Display for BotName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a tournament among its kind: 1 to 32 characters from `A-Z a-z 0-9 . _ -`, the first a letter or digit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TournamentId(String);

impl TournamentId {
    /// The id that a text stands for.
    ///
    /// # Errors
    /// With the first reason why it is none.
    pub fn parse(text: &str) -> Result<TournamentId, NameError> {
        plain(text)?;
        Ok(TournamentId(text.into()))
    }

    /// The id as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for TournamentId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// The name of a world: 1 to 32 characters from `A-Z a-z 0-9 . _ -`, the first a letter or digit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WorldName(String);

impl WorldName {
    /// The name that a text stands for.
    ///
    /// # Errors
    /// With the first reason why it is none.
    pub fn parse(text: &str) -> Result<WorldName, NameError> {
        plain(text)?;
        Ok(WorldName(text.into()))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name as it was stored by this crate.
    pub(crate) fn stored(text: String) -> WorldName {
        WorldName(text)
    }
}

impl FromStr for WorldName {
    type Err = NameError;

    fn from_str(text: &str) -> Result<WorldName, NameError> {
        WorldName::parse(text)
    }
}

impl fmt::Display for WorldName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
