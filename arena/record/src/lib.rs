//! The canonical file of one game.
//!
//! A record holds everything a game is a function of (its [`Header`]), what was played, and how it ended. It is one
//! line of JSON: fields in the order of the types below, no spaces, numbers as decimal integers, bytes as lower-case
//! hex, a final newline. A record has exactly one encoding: [`Record::parse`] refuses any other, so equal records have
//! equal bytes and a hash of the bytes names the game. `arena/record/FORMAT.md` describes version 1 for readers in
//! other languages.
//!
//! What this crate deliberately is not: it does not play, check or write files.
//!
//! ```
//! use arena_record::{EntrantId, Record};
//!
//! let hard: EntrantId = "baseline:hard@1".parse()?;
//! assert_eq!(hard.baseline(), Some(("hard", 1)));
//! assert!(EntrantId::of_bytes(b"a bot").as_str().starts_with("sha256:"));
//! assert!(Record::parse("{ }\n").is_err());
//! # Ok::<(), arena_record::ParseEntrantIdError>(())
//! ```

mod digest;
mod entrant;
mod forfeit;
mod hex;
mod objection;
mod said;

pub use digest::{Chain, Digest};
pub use entrant::{EntrantId, ParseEntrantIdError};
pub use forfeit::{Forfeit, ForfeitCode};
pub use hex::{Bytes, Hex, ParseHexError};
pub use objection::Objection;
pub use said::{Said, Sentence, Told};

use std::collections::BTreeMap;

use arena_rules::{BySeat, Outcome, Reason, Seat};
use arena_wire::Allowance;
use serde::{Deserialize, Serialize};

/// The version of the format, as in every record.
pub const FORMAT: &str = "arena-record/1";

/// The largest record that is read, in bytes. A full game of Conquerors has about 3,000.
pub const RECORD_BYTES_MAX: usize = 1 << 20;
/// Room for the text of most records, in bytes: a text that outgrows its room is moved.
const TEXT_BYTES_USUAL: usize = 8 << 10;

/// The budgets of bots. The wall clock is not among them: it never decides anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Budgets {
    /// Fuel for each turn, at most.
    pub fuel_per_move: u64,
    /// Fuel for all turns of a game together; a bot whose bank is empty passes. Set only in games with a bank.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fuel_per_game: Option<u64>,
    /// Fuel for instantiation, the start function and the call that asks for the observation buffer, together.
    pub fuel_at_start: u64,
    /// Linear memory, in bytes.
    pub memory_bytes: u64,
    /// Size of the module's file, in bytes.
    pub module_bytes: u64,
}

impl Budgets {
    /// The defaults of Conquerors; other games have another allowance of fuel.
    pub const DEFAULT: Budgets = Budgets {
        // About 20 times what the baselines use as guests; a fraction of a second at the worst price of an operator.
        fuel_per_move: 50_000_000,
        fuel_per_game: None,
        // Enough to build tables once, at the cost of two turns; still a fraction of a second at the worst price.
        fuel_at_start: 100_000_000,
        // Fits the processor's cache, so that loads have a bounded cost.
        memory_bytes: 4 << 20,
        // Bounds the time to compile.
        module_bytes: 1 << 20,
    };

    /// The defaults of a game with this allowance.
    pub const fn of(allowance: Allowance) -> Budgets {
        let Allowance { fuel_per_move, fuel_per_game } = allowance;
        Budgets { fuel_per_move, fuel_per_game, ..Budgets::DEFAULT }
    }
}

/// Everything a game is a function of.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The semantics id: what results depend on, namely rules, contract, prices and limits. Results with equal ids are
    /// comparable.
    pub semantics: String,
    /// The engine's version and build, for information.
    pub build: String,
    /// Name and version of the ruleset.
    pub ruleset: String,
    /// Its options as canonical text.
    pub options: String,
    /// The bots' budgets.
    pub budgets: Budgets,
    /// The game's seed.
    pub seed: Hex<32>,
    /// The players, by seat.
    pub entrants: Vec<EntrantId>,
    /// The digest of each built-in opponent among them, made of games that it plays, so that no other one passes for
    /// it.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub opponents: BTreeMap<EntrantId, Hex<32>>,
}

/// What one seat did in a turn.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Play {
    /// The seat.
    pub seat: u8,
    /// The action's bytes.
    pub action: Bytes,
    /// Fuel of the answer; `null` for players that are not metered.
    pub fuel: Option<u64>,
}

/// One turn: the actions of all seats that were awaited, and a digest of the game up to here.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TurnRecord {
    /// In seat order.
    pub plays: Vec<Play>,
    /// The first eight bytes of the [`Chain`] after the turn.
    pub digest: Hex<8>,
}

/// How the game ended.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct OutcomeRecord {
    /// The winning seat; `null` is a draw.
    pub winner: Option<u8>,
    /// The code of its reason.
    pub reason: String,
    /// The numbers that the ruleset ranks by, by seat.
    pub tally: Vec<u32>,
}

impl From<&Outcome> for OutcomeRecord {
    fn from(outcome: &Outcome) -> OutcomeRecord {
        OutcomeRecord {
            winner: outcome.winner.map(|seat| seat.0),
            reason: outcome.reason.code().into(),
            tally: outcome.tally.values().to_vec(),
        }
    }
}

/// The record of one finished game.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Record {
    format: String,
    /// What the game is a function of.
    pub header: Header,
    /// Fuel of each seat's start; `null` for players that are not metered or failed to start.
    pub starts: Vec<Option<u64>>,
    /// The turns.
    pub turns: Vec<TurnRecord>,
    /// Players that dropped out, and why, in the order in which it happened.
    pub forfeits: Vec<Forfeit>,
    /// How it ended.
    pub outcome: OutcomeRecord,
    /// The [`Chain`] at the end. Games between the same entrants in the same seats with equal digests are one game.
    pub digest: Hex<32>,
}

/// Why a text is not a record.
#[derive(Debug, thiserror::Error)]
pub enum ParseRecordError {
    /// It is longer than any record.
    #[error("a record has at most {RECORD_BYTES_MAX} bytes, this text has {0}")]
    TooLong(usize),
    /// It is not the JSON of a record.
    #[error("this is not a record of a game")]
    Json(#[source] serde_json::Error),
    /// It has another version of the format.
    #[error("this record has format {0:?}; this release reads {FORMAT:?}")]
    Format(String),
    /// It has the content of a record, but not its canonical spelling.
    #[error("this record is not in its canonical encoding: it was changed, or written by something else")]
    NotCanonical,
    /// It has values that no game can have.
    #[error("this record contradicts itself: {0}")]
    Inconsistent(&'static str),
}

impl Record {
    /// The record of a game that ended.
    pub fn new(
        header: Header,
        starts: Vec<Option<u64>>,
        turns: Vec<TurnRecord>,
        forfeits: Vec<Forfeit>,
        outcome: &Outcome,
        digest: Digest,
    ) -> Record {
        let (format, outcome) = (FORMAT.into(), OutcomeRecord::from(outcome));
        Record { format, header, starts, turns, forfeits, outcome, digest: Hex(digest) }
    }

    /// The only text of this record: a line with its newline.
    ///
    /// # Panics
    /// Never: all fields are plain values.
    pub fn to_text(&self) -> String {
        let mut text = Vec::with_capacity(TEXT_BYTES_USUAL);
        serde_json::to_writer(&mut text, self).expect("strings, numbers and lists always serialise");
        text.push(b'\n');
        String::from_utf8(text).expect("JSON is text")
    }

    /// Parses a record.
    ///
    /// # Errors
    /// When it is not exactly the canonical text of a record. That the game was really played like this is for the
    /// referee to check.
    pub fn parse(text: &str) -> Result<Record, ParseRecordError> {
        if text.len() > RECORD_BYTES_MAX {
            return Err(ParseRecordError::TooLong(text.len()));
        }
        let record: Record = serde_json::from_str(text).map_err(ParseRecordError::Json)?;
        if record.format != FORMAT {
            return Err(ParseRecordError::Format(record.format));
        }
        if record.to_text() != text {
            return Err(ParseRecordError::NotCanonical);
        }
        let seats = record.header.entrants.len();
        let known = |seat: u8| usize::from(seat) < seats;
        if record.starts.len() != seats || record.outcome.tally.len() != seats {
            return Err(ParseRecordError::Inconsistent("the numbers of seats differ"));
        }
        if !record.outcome.winner.is_none_or(known) || !record.forfeits.iter().all(|forfeit| known(forfeit.seat)) {
            return Err(ParseRecordError::Inconsistent("a seat that does not exist"));
        }
        if !record.header.opponents.keys().all(|id| id.baseline().is_some() && record.header.entrants.contains(id)) {
            return Err(ParseRecordError::Inconsistent("an opponent that does not play"));
        }
        if Reason::from_code(&record.outcome.reason).is_none() {
            return Err(ParseRecordError::Inconsistent("an unknown reason for the end"));
        }
        Ok(record)
    }

    /// How the game ended, as the rules' type.
    pub fn outcome(&self) -> Outcome {
        Outcome {
            winner: self.outcome.winner.map(Seat),
            // Records are made from an outcome or parsed, and either way the code is known.
            reason: Reason::from_code(&self.outcome.reason).unwrap_or(Reason::Forfeit),
            tally: BySeat::from(self.outcome.tally.clone()),
        }
    }
}
