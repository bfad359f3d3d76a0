//! Names that people choose. The types here hold only checked names.

use std::str::FromStr;

use arena_limits::{Kind, Refusal, Refused};
use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;
use unicode_security::{GeneralSecurityProfile, MixedScript, skeleton};

use crate::{DISPLAY_NAME_CHARS_MAX, NAME_BYTES_MAX};

/// Names that could be mistaken for the arena itself, its opponents or a page. Compared by looks, see [`looks`].
const RESERVED: &str = "\
    admin administrator all anonymous api arena baseline baselines bot conqueror conquerors deleted draw \
    easy everyone guest hard help human login mod moderator new nobody normal null official owner root \
    server staff support sysop system undefined you";

/// The longest text that is checked, in bytes: normalising may make a text 18 times longer.
const UNCHECKED_BYTES_MAX: usize = 512;

/// Marks above or below one letter. Thai needs two; more only grow out of the line.
const MARKS_PER_LETTER_MAX: usize = 2;

/// Why a text is not a name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NameError {
    /// It is empty.
    #[error("a name has at least one letter or digit")]
    Empty,
    /// It is longer than a name may be.
    #[error("a name has at most {max} characters")]
    TooLong {
        /// The maximum.
        max: usize,
    },
    /// A character that is not allowed in names.
    #[error("a name cannot contain {}", shown(.0))]
    Character(char),
    /// A character that is not allowed in this place, such as a space at the end.
    #[error("{} is not allowed there in a name", shown(.0))]
    Place(char),
    /// Letters of several scripts, such as Latin and Cyrillic.
    #[error("a name is written in one script")]
    MixedScripts,
    /// It looks like a reserved name.
    #[error("this name is reserved")]
    Reserved,
}

impl Refused for NameError {
    fn refusal(&self) -> Refusal {
        let hint = "choose another: letters and digits, with `-` or `_` between them; in a bot's name also dots, in a player's spaces";
        Kind::Invalid.says("bad_name", hint)
    }
}

/// A character for an error message: by its number if it is not plain, because it may be invisible or reverse the text.
fn shown(c: &char) -> String {
    match c {
        ' ' => "a space".into(),
        c if c.is_ascii_graphic() => format!("`{c}`"),
        c => format!("the character `U+{:04X}`", u32::from(*c)),
    }
}

/// Shows checked texts as they are.
macro_rules! checked_text {
    ($($name:ident),+) => {$(
        impl $name {
            /// The text.
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}
pub(crate) use checked_text;

checked_text!(DisplayName, BotName, TournamentId, WorldName);

/// The display name of a player.
///
/// 1 to 32 characters after normalisation to NFKC: letters of one script, the digits 0-9, and inside also single `-`,
/// `_` or spaces. It looks like no reserved name; that it looks like no other player's is for the store to ensure.
/// Pages must treat it as any other text: it may run from right to left.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct DisplayName(String);

impl DisplayName {
    /// Parses and normalises a name.
    ///
    /// # Errors
    /// The first reason why the text is not one.
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

    /// A name from the store, written by this crate.
    pub(crate) fn stored(text: String) -> DisplayName {
        DisplayName(text)
    }

    /// Keys of the name's looks, one for capitals and one for small letters: two names with a key in common look alike.
    pub(crate) fn keys(&self) -> Vec<String> {
        let mut keys = vec![looks(&self.0.to_lowercase()), looks(&self.0)];
        keys.dedup();
        keys
    }
}

fn is_separator(c: char) -> bool {
    matches!(c, ' ' | '-' | '_')
}

/// Whether a display name may contain `c`. The identifier profile excludes invisible and obsolete characters and
/// symbols.
fn belongs(c: char) -> bool {
    let letter = (c.is_alphabetic() || is_combining_mark(c)) && c.identifier_allowed();
    letter || c.is_ascii_digit() || is_separator(c)
}

/// The first character in a wrong place: a separator at an end or after another one, a mark without a letter, or one
/// mark too many on a letter.
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

/// The looks of a name: the skeleton of Unicode Technical Standard #39 without separators, in small letters, and with
/// `i` as `l`: the standard maps `I`, `l` and `1` to one character, but `i` and `I` are the same letter.
fn looks(name: &str) -> String {
    let letters: String = name.chars().filter(|c| !is_separator(*c)).collect();
    let skeleton: String = skeleton(&letters).collect();
    skeleton.to_lowercase().replace('i', "l")
}

fn reserved(key: &str) -> bool {
    RESERVED.split(' ').any(|word| looks(word) == key)
}

/// Checks that a text is 1 to 32 characters from `A-Z a-z 0-9 . _ -`, the first a letter or digit. So it can be part of
/// an address unescaped, and is neither `..` nor a command's option.
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

/// The name of a bot: 1 to 32 characters from `A-Z a-z 0-9 . _ -`, the first a letter or digit, and not a reserved
/// name. As with display names, no two bots have names that look alike.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BotName(String);

impl BotName {
    /// Parses a name.
    ///
    /// # Errors
    /// The first reason why the text is not one.
    pub fn parse(text: &str) -> Result<BotName, NameError> {
        plain(text)?;
        let name = BotName(text.into());
        if name.keys().iter().any(|key| reserved(key)) { Err(NameError::Reserved) } else { Ok(name) }
    }

    pub(crate) fn stored(text: String) -> BotName {
        BotName(text)
    }

    /// Whether another name looks like this one.
    pub fn looks_like(&self, other: &str) -> bool {
        let keys = self.keys();
        BotName(other.into()).keys().iter().any(|key| keys.contains(key))
    }

    /// The key by which it is found.
    pub(crate) fn key(&self) -> String {
        self.0.to_ascii_lowercase()
    }

    /// Keys of its looks, one for capitals and one for small letters: two names with a key in common look alike.
    pub(crate) fn keys(&self) -> Vec<String> {
        let letters: String = self.0.chars().filter(char::is_ascii_alphanumeric).collect();
        let mut keys = vec![looks(&letters.to_ascii_lowercase()), looks(&letters)];
        keys.dedup();
        keys
    }
}

/// The name of a tournament among its kind: 1 to 32 characters from `A-Z a-z 0-9 . _ -`, the first a letter or digit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct TournamentId(String);

impl TournamentId {
    /// Parses an id.
    ///
    /// # Errors
    /// The first reason why the text is not one.
    pub fn parse(text: &str) -> Result<TournamentId, NameError> {
        plain(text)?;
        Ok(TournamentId(text.into()))
    }
}

/// The name of a world: 1 to 32 characters from `A-Z a-z 0-9 . _ -`, the first a letter or digit.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct WorldName(String);

impl WorldName {
    /// Parses a name.
    ///
    /// # Errors
    /// The first reason why the text is not one.
    pub fn parse(text: &str) -> Result<WorldName, NameError> {
        plain(text)?;
        Ok(WorldName(text.into()))
    }

    /// A name from the store, written by this crate.
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
