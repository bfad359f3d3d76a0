//! What became of a game, and the line of a journal that says so.

use std::fmt::Display;
use std::str::Utf8Error;

use arena_record::{Hex, ParseRecordError, Record};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

/// How a void game begins; no record does.
const VOID: &str = "{\"void\":";

/// What became of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are records")]
pub enum Ended {
    /// It was played to its end.
    Played(Record),
    /// It never will be.
    Void(VoidGame),
}

/// A game without a result: a bot's process died each time, the last time with the game alone on the machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize, thiserror::Error)]
#[error(
    "the game is void: a bot's process died each of {tries} times, the last time with the game alone on the machine"
)]
#[serde(deny_unknown_fields)]
pub struct VoidGame {
    /// How often it was played.
    pub tries: u32,
    /// Seats whose bot's process died again when the bot alone was asked what it had been asked: they are to play no
    /// further game. None, when no bot could be convicted.
    pub quarantined: Vec<u8>,
}

/// A void game in its one spelling.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VoidLine {
    void: VoidGame,
}

/// Why a line of a journal is not one.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It is not UTF-8.
    #[error(transparent)]
    NotText(#[from] Utf8Error),
    /// Nothing stands before the first space.
    #[error("it has no checksum")]
    NoChecksum,
    /// It was changed.
    #[error("its checksum does not match")]
    Checksum,
    /// Nothing follows the checksum.
    #[error("it has no game")]
    NoGame,
    /// Games have numbers.
    #[error("{0:?} is not the number of a game")]
    NotANumber(String),
    /// A number has leading zeros or a sign.
    #[error("{0:?} is not the number of a game in canonical form")]
    NumberSpelling(String),
    /// It is longer than any game.
    #[error("it is longer than any game")]
    TooLong,
    /// Another game stands where one should.
    #[error("it is game {0}")]
    OtherGame(usize),
    /// The record is none.
    #[error(transparent)]
    Record(#[from] ParseRecordError),
    /// The void game is none.
    #[error(transparent)]
    Void(#[from] serde_json::Error),
    /// A change could be written otherwise.
    #[error("its change is not in canonical form")]
    ChangeSpelling,
    /// The void game could be written otherwise.
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

    /// The record, or that there is none.
    ///
    /// # Errors
    /// When the game is void.
    pub fn into_record(self) -> Result<Record, VoidGame> {
        match self {
            Ended::Played(record) => Ok(record),
            Ended::Void(void) => Err(void),
        }
    }

    /// The game in its one spelling, with a line feed.
    pub(crate) fn to_text(&self) -> String {
        match self {
            Ended::Played(record) => record.to_text(),
            Ended::Void(void) => void_text(void),
        }
    }

    /// The line of a journal that says so of a game, by its number in the schedule.
    pub fn to_line(&self, number: usize) -> String {
        line(number, &self.to_text())
    }

    /// What a line of a journal says: a game's number in the schedule, and what became of it. Whether that schedule has such
    /// a game is not asked.
    ///
    /// # Errors
    /// When it is not exactly one line as [`to_line`](Ended::to_line) spells it; what is wrong with it.
    pub fn parse_line(line: &[u8]) -> Result<(usize, Ended), LineError> {
        let (number, game) = parts(line)?;
        let parsed: usize = number.parse().map_err(|_| LineError::NotANumber(number.into()))?;
        if parsed.to_string() != number {
            return Err(LineError::NumberSpelling(number.into()));
        }
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

/// What stands before the content of a line and its content, if its checksum fits.
pub(crate) fn parts(line: &[u8]) -> Result<(&str, &str), LineError> {
    let text = std::str::from_utf8(line)?;
    let (sum, rest) = text.split_once(' ').ok_or(LineError::NoChecksum)?;
    if sum != checksum(rest.as_bytes()).to_string() {
        return Err(LineError::Checksum);
    }
    rest.split_once(' ').ok_or(LineError::NoGame)
}

/// The line of a journal for a text, after what says of what it is: a game's number, or that it is a change.
pub(crate) fn line(of: impl Display, text: &str) -> String {
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

    /// Noise, and a line that somebody changed and gave a checksum that fits: refused, or a line in its one spelling.
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
