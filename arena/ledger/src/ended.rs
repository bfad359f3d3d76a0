//! The result of a game, and its line in a journal.

use std::fmt::Display;
use std::str::Utf8Error;

use arena_record::{Hex, ParseRecordError, Record};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How the text of a void game begins, unlike any record.
const VOID: &str = "{\"void\":";

/// The result of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are records")]
pub enum Ended {
    /// It was played to its end.
    Played(Record),
    /// It is void and will never be played to its end.
    Void(VoidGame),
}

/// A game without a record: a bot's process died in every try, the last time with the game alone on the machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error(
    "the game is void: a bot's process died each of {tries} times, the last time with the game alone on the machine"
)]
#[serde(deny_unknown_fields)]
pub struct VoidGame {
    /// How often it was tried.
    pub tries: u32,
    /// Seats of bots that are to play no further game: their process died again when the bot alone was asked the same.
    /// Empty if no bot could be convicted.
    pub quarantined: Vec<u8>,
}

/// A void game in its canonical form.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VoidLine {
    void: VoidGame,
}

/// Why bytes are not a line of a journal.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It is not UTF-8.
    #[error(transparent)]
    NotText(#[from] Utf8Error),
    /// It has no checksum before its first space.
    #[error("it has no checksum")]
    NoChecksum,
    /// Its checksum is wrong.
    #[error("its checksum does not match")]
    Checksum,
    /// Nothing follows the checksum.
    #[error("it has no game")]
    NoGame,
    /// The game's number is not a number.
    #[error("{0:?} is not the number of a game")]
    NotANumber(String),
    /// The number has leading zeros or a sign.
    #[error("{0:?} is not the number of a game in canonical form")]
    NumberSpelling(String),
    /// It is longer than any game.
    #[error("it is longer than any game")]
    TooLong,
    /// It is the line of another game.
    #[error("it is game {0}")]
    OtherGame(usize),
    /// The record is invalid.
    #[error(transparent)]
    Record(#[from] ParseRecordError),
    /// The void game is invalid.
    #[error(transparent)]
    Void(#[from] serde_json::Error),
    /// The change is not in its canonical spelling.
    #[error("its change is not in canonical form")]
    ChangeSpelling,
    /// The void game is not in its canonical spelling.
    #[error("its void game is not in canonical form")]
    VoidSpelling,
}

impl Ended {
    /// The record, if there is one.
    pub fn record(&self) -> Option<&Record> {
        match self {
            Ended::Played(record) => Some(record),
            Ended::Void(_) => None,
        }
    }

    /// The record, or the void game as an error.
    ///
    /// # Errors
    /// When the game is void.
    pub fn into_record(self) -> Result<Record, VoidGame> {
        match self {
            Ended::Played(record) => Ok(record),
            Ended::Void(void) => Err(void),
        }
    }

    /// The canonical text of the result, with a line feed.
    pub fn to_text(&self) -> String {
        match self {
            Ended::Played(record) => record.to_text(),
            Ended::Void(void) => void_text(void),
        }
    }

    /// The journal's line for this result, given the game's number in the schedule.
    pub fn to_line(&self, number: usize) -> String {
        line(number, &self.to_text())
    }

    /// Parses a journal's line: the game's number in the schedule, and its result. Whether the schedule has such a game
    /// is not checked.
    ///
    /// # Errors
    /// When it is not exactly a line as [`to_line`](Ended::to_line) writes it.
    pub fn parse_line(line: &[u8]) -> Result<(usize, Ended), LineError> {
        let (parsed, game) = numbered(line)?;
        if !game.starts_with(VOID) {
            return Ok((parsed, Ended::Played(Record::parse(game)?)));
        }
        let VoidLine { void } = serde_json::from_str(game)?;
        if void_text(&void) != game {
            return Err(LineError::VoidSpelling);
        }
        Ok((parsed, Ended::Void(void)))
    }
}

/// The game's number and the text of its result in a line, which is not parsed.
pub fn numbered(line: &[u8]) -> Result<(usize, &str), LineError> {
    let (number, game) = parts(line)?;
    let parsed: usize = number.parse().map_err(|_| LineError::NotANumber(number.into()))?;
    if parsed.to_string() == number { Ok((parsed, game)) } else { Err(LineError::NumberSpelling(number.into())) }
}

/// Splits a line into its label (a game's number, or `change`) and its content.
///
/// # Errors
/// When its checksum is wrong, or it has no such parts.
pub fn parts(line: &[u8]) -> Result<(&str, &str), LineError> {
    let text = std::str::from_utf8(line)?;
    let (sum, rest) = text.split_once(' ').ok_or(LineError::NoChecksum)?;
    if sum != checksum(rest.as_bytes()).to_string() {
        return Err(LineError::Checksum);
    }
    rest.split_once(' ').ok_or(LineError::NoGame)
}

/// A journal's line for a text, after a label: a game's number, or `change`.
pub fn line(of: impl Display, text: &str) -> String {
    let rest = format!("{of} {text}");
    format!("{} {rest}", checksum(rest.as_bytes()))
}

fn void_text(void: &VoidGame) -> String {
    // Numbers always serialise.
    serde_json::to_string(&VoidLine { void: void.clone() }).unwrap_or_default() + "\n"
}

fn checksum(bytes: &[u8]) -> Hex<8> {
    let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(bytes).into();
    Hex([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use super::*;
    use crate::testing::played;

    /// Noise, and a forged line with a correct checksum: each is refused, or is in the canonical spelling.
    #[test]
    fn a_line_has_one_spelling_whatever_it_is_made_of() {
        let whole = played(1).to_line(12);
        let (_, rest) = whole.split_once(' ').unwrap();
        let void = Ended::Void(VoidGame { tries: 3, quarantined: vec![1] }).to_line(3);
        let (_, void) = void.split_once(' ').unwrap();
        let mut rng = arena_rules::Rng::new(&[5; 32], 0);
        let (mut read, mut refused) = (0, 0);
        for number in 0..20_000 {
            let mut bytes = match number % 3 {
                0 => (0..rng.below(80)).map(|_| rng.word() as u8).collect(),
                1 => rest.as_bytes().to_vec(),
                _ => void.as_bytes().to_vec(),
            };
            if !bytes.is_empty() && rng.below(50) > 0 {
                let at = rng.below(bytes.len() as u32) as usize;
                bytes[at] = b"0123456789abcdef\"{}[],: \n\xff"[rng.below(26) as usize];
            }
            let text = [format!("{} ", checksum(&bytes)).as_bytes(), &bytes[..]].concat();
            match Ended::parse_line(&text) {
                Err(_) => refused += 1,
                Ok((number, game)) => {
                    assert_eq!(game.to_line(number).as_bytes(), text);
                    read += 1;
                }
            }
        }
        assert!(read > 500 && refused > 5_000, "{read} read, {refused} refused");
    }

    #[test]
    fn a_void_game_has_one_spelling() {
        for quarantined in [vec![], vec![0], vec![0, 1]] {
            let void = Ended::Void(VoidGame { tries: 3, quarantined });
            assert_eq!(Ended::parse_line(void.to_line(5).as_bytes()).unwrap(), (5, void));
        }
        let spaced = line(5, "{\"void\": {\"tries\":3,\"quarantined\":[]}}\n");
        assert!(matches!(Ended::parse_line(spaced.as_bytes()), Err(LineError::VoidSpelling)));
    }
}
