//! Changes by the organiser in a tournament that has started: late entries, withdrawals and disqualifications, and
//! draws of rounds.
//!
//! A change is a line of the journal: the checksum of the rest, `change`, and its JSON. Each contains the hash of the
//! change before it, and the first one the hash of the manifest, so none can be removed, inserted or moved. It takes
//! effect from a round of which no game had ended when it was written. Results are a function of definition, bots,
//! records and changes; nothing depends on the organiser's reason.

use arena_record::{EntrantId, Hex};
use arena_tournaments::{DefinitionError, Leave, Secret};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ended::LineError;

/// Stands in the line of a change in place of a game's number.
pub const CHANGE: &str = "change";
/// Characters of a reason: one line that people read.
pub const REASON_CHARS_MAX: usize = 200;
/// Changes of a tournament: each entrant may enter, withdraw and be disqualified once, and each round is drawn.
pub const CHANGES_MAX: usize =
    3 * arena_tournaments::limits::ENTRANTS_MAX + arena_tournaments::limits::ROUNDS_MAX as usize;

/// A change of a tournament that has started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The hash of the change before it; for the first one, of the manifest.
    pub after: Hex<32>,
    /// The round from which it applies, from 0.
    pub round: usize,
    /// What changes.
    pub what: ChangeKind,
    /// The organiser's reason: one line, hostile text. It cannot be verified.
    pub reason: String,
}

/// What changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum ChangeKind {
    /// An entrant enters late. Its bytes are in the folder of the others.
    Added {
        /// Its name.
        name: String,
        /// Its name in tables for people, if different.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        display: Option<String>,
        /// Its bytes' hash, or the built-in opponent it is.
        id: EntrantId,
    },
    /// An entrant is withdrawn. Its games keep their results.
    Withdrawn {
        /// Its name.
        name: String,
    },
    /// The seed of a round is drawn: its entrants are frozen, and the next secret of the tournament's chain is
    /// revealed.
    Drawn {
        /// The secret.
        secret: Secret,
    },
    /// An entrant is disqualified. Its games keep their results, but it is ranked last.
    Disqualified {
        /// Its name.
        name: String,
    },
}

/// Why a change is not possible.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChangeError {
    /// A change was removed, inserted or moved.
    #[error("it does not follow the change before it: one was taken out, put in or moved")]
    Chain,
    /// There is no such entrant.
    #[error("there is no entrant {0:?}")]
    Unknown(String),
    /// It has left already.
    #[error("{name:?} is {} already", left.name())]
    Gone {
        /// Its name.
        name: String,
        /// In which way it left.
        left: Leave,
    },
    /// The name is taken.
    #[error("there is already an entrant {0:?}: choose another name")]
    Twice(String),
    /// The name is not allowed in definitions.
    #[error(transparent)]
    Name(Box<DefinitionError>),
    /// Entry is closed.
    #[error("nobody can enter any more: in the format {format:?} entrants come before {}", before(*last))]
    Closed {
        /// The format.
        format: &'static str,
        /// The last round before which bots could enter, from 0.
        last: usize,
    },
    /// There are as many entrants as allowed.
    #[error("there are {most} entrants at most in the format {format:?}")]
    TooMany {
        /// The format.
        format: &'static str,
        /// The maximum.
        most: usize,
    },
    /// The tournament would have more games than allowed.
    #[error("with another entrant there would be {0} games, more than a tournament may have")]
    TooManyGames(usize),
    /// A game of the round has ended already.
    #[error("round {} has started already", .0 + 1)]
    Started(usize),
    /// The seed of the round is drawn, which froze its entrants.
    #[error("the entrants of round {} are frozen: its seed was drawn from them", .0 + 1)]
    Frozen(usize),
    /// The secret of the round is revealed already, is not due yet, or there is none.
    #[error("no secret is to be revealed for round {}", .0 + 1)]
    NotDue(usize),
    /// The secret is not the one to which the previous one commits.
    #[error("the secret of round {} does not have the hash that was revealed before it", .0 + 1)]
    OtherSecret(usize),
    /// Nothing is left to play.
    #[error("the tournament is over: its entrants can no longer withdraw")]
    Over,
    /// The reason is empty, too long, or more than one line.
    #[error("a reason is one line of 1 to {REASON_CHARS_MAX} characters")]
    Reason,
    /// There are more changes than possible.
    #[error("a tournament has at most {CHANGES_MAX} changes")]
    TooManyChanges,
}

fn before(last: usize) -> String {
    if last == 0 { "the first game".into() } else { format!("round {}", last + 1) }
}

impl Change {
    /// The entrant concerned; `None` for a draw.
    pub fn name(&self) -> Option<&str> {
        match &self.what {
            ChangeKind::Added { name, .. } | ChangeKind::Withdrawn { name } | ChangeKind::Disqualified { name } => {
                Some(name)
            }
            ChangeKind::Drawn { .. } => None,
        }
    }

    /// What happened to the entrant or the round, as a word.
    pub fn word(&self) -> &'static str {
        match self.what {
            ChangeKind::Added { .. } => "added",
            ChangeKind::Drawn { .. } => "drawn",
            ChangeKind::Withdrawn { .. } => Leave::Withdrawn.name(),
            ChangeKind::Disqualified { .. } => Leave::Disqualified.name(),
        }
    }

    /// Checks that its reason is valid.
    pub fn check_reason(&self) -> Result<(), ChangeError> {
        let is_one = (1..=REASON_CHARS_MAX).contains(&self.reason.chars().count());
        if is_one && !self.reason.chars().any(char::is_control) { Ok(()) } else { Err(ChangeError::Reason) }
    }

    /// Its canonical text, with a line feed.
    pub fn to_text(&self) -> String {
        // Strings and numbers always serialise.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// The hash that the next change must contain.
    pub fn hash(&self) -> Hex<32> {
        Hex(Sha256::digest(self.to_text()).into())
    }

    /// Parses a change, which must be in its canonical spelling.
    pub fn parse(text: &str) -> Result<Change, LineError> {
        let change: Change = serde_json::from_str(text)?;
        if change.to_text() == text { Ok(change) } else { Err(LineError::ChangeSpelling) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_has_one_spelling() {
        let id = EntrantId::of_baseline("easy", 1);
        let name = || "bee".to_owned();
        for what in [
            ChangeKind::Added { name: name(), display: None, id },
            ChangeKind::Withdrawn { name: name() },
            ChangeKind::Disqualified { name: name() },
            ChangeKind::Drawn { secret: Secret([7; 32]) },
        ] {
            let change = Change { after: Hex([3; 32]), round: 2, what, reason: "its author asked, \"thus\"".into() };
            let text = change.to_text();
            assert_eq!(Change::parse(&text).ok(), Some(change));
            for other in [text.replace(':', ": "), text.trim_end().into(), text.replace("\"}", "\",\"x\":\"\"}")] {
                assert!(Change::parse(&other).is_err(), "{other}");
            }
        }
    }

    #[test]
    fn a_reason_is_a_line_of_some_length() {
        let with = |reason: String| {
            let what = ChangeKind::Withdrawn { name: "bee".into() };
            Change { after: Hex([0; 32]), round: 0, what, reason }.check_reason()
        };
        assert_eq!(with("é".repeat(REASON_CHARS_MAX)), Ok(()));
        for wrong in [String::new(), "é".repeat(REASON_CHARS_MAX + 1), "two\nlines".into()] {
            assert_eq!(with(wrong), Err(ChangeError::Reason));
        }
    }
}
