//! What an organiser changes in a tournament that has started: who enters late, who is taken out.
//!
//! A change is a line of the journal: the checksum of the rest, `change`, and its JSON. Each has the hash of the change before
//! it, the first one that of the manifest, so none can be taken out, put in or moved. It holds from a round on of which no game
//! had ended when it was written. Results are a function of definition, bots, records and changes; a reason is the organiser's
//! word, and nothing follows from it.

use arena_record::{EntrantId, Hex};
use arena_tournaments::{DefinitionError, Leave, Secret};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::ended::LineError;

/// What stands in the line of a change in the place of a game's number.
pub(crate) const CHANGE: &str = "change";
/// Characters of a reason: one line that people read.
pub const REASON_CHARS_MAX: usize = 200;
/// Changes of a tournament: each entrant comes and goes once, or is disqualified besides, and each round is drawn.
pub const CHANGES_MAX: usize =
    3 * arena_tournaments::limits::ENTRANTS_MAX + arena_tournaments::limits::ROUNDS_MAX as usize;

/// A change of a tournament that has started.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The hash of the change before; of the manifest for the first one.
    pub(crate) after: Hex<32>,
    /// The round from which on it holds, from 0.
    pub round: usize,
    /// What changes.
    pub what: What,
    /// Why, in the organiser's words: one line, hostile text. Nothing can judge it.
    pub reason: String,
}

/// What changes.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum What {
    /// An entrant comes late. Its bytes are beside those of the others.
    Added {
        /// Its name.
        name: String,
        /// What tables for people call it, if that is another one.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        display: Option<String>,
        /// Its bytes' hash, or the built-in opponent it is.
        id: EntrantId,
    },
    /// An entrant is taken out; it stands where its games put it.
    Withdrawn {
        /// Its name.
        name: String,
    },
    /// The seed of the round is drawn: its entrants are frozen, and the next secret of the tournament's chain is revealed.
    Drawn {
        /// The secret.
        secret: Secret,
    },
    /// An entrant is excluded: its games stay as they were played, and it stands last.
    Disqualified {
        /// Its name.
        name: String,
    },
}

/// Why a change cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ChangeError {
    /// A change was taken out, put in or moved.
    #[error("it does not follow the change before it: one was taken out, put in or moved")]
    Chain,
    /// There is no such entrant.
    #[error("there is no entrant {0:?}")]
    Unknown(String),
    /// It has left before.
    #[error("{name:?} is {} already", left.name())]
    Gone {
        /// Its name.
        name: String,
        /// How it left.
        left: Leave,
    },
    /// The name is taken.
    #[error("there is an entrant {0:?} already: choose another name")]
    Twice(String),
    /// No definition could have such a name.
    #[error(transparent)]
    Name(Box<DefinitionError>),
    /// Nobody can enter any more.
    #[error("nobody can enter any more: in the format {format:?} entrants come before {}", before(*last))]
    Closed {
        /// The format.
        format: &'static str,
        /// The last round before which one may enter, from 0.
        last: usize,
    },
    /// As many as there may be.
    #[error("there are {most} entrants at most in the format {format:?}")]
    TooMany {
        /// The format.
        format: &'static str,
        /// So many.
        most: usize,
    },
    /// More games than a tournament may have.
    #[error("with another entrant there would be {0} games, more than a tournament may have")]
    TooManyGames(usize),
    /// A game of the round has ended before.
    #[error("round {} has started already", .0 + 1)]
    Started(usize),
    /// The seed of the round is drawn from those who were in before.
    #[error("the entrants of round {} are frozen: its seed was drawn from them", .0 + 1)]
    Frozen(usize),
    /// The secret of the round is revealed already, is not yet due, or there is none.
    #[error("no secret is to be revealed for round {}", .0 + 1)]
    NotDue(usize),
    /// It is not the secret that the one before commits to.
    #[error("the secret of round {} does not have the hash that was revealed before it", .0 + 1)]
    OtherSecret(usize),
    /// Nothing is left to play.
    #[error("the tournament is over: nobody can withdraw from it any more")]
    Over,
    /// The reason is none.
    #[error("a reason is one line of 1 to {REASON_CHARS_MAX} characters")]
    Reason,
    /// More changes than there can be.
    #[error("a tournament has at most {CHANGES_MAX} changes")]
    TooManyChanges,
}

fn before(last: usize) -> String {
    if last == 0 { "the first game".into() } else { format!("round {}", last + 1) }
}

impl Change {
    /// The entrant that it is about; none where a seed is drawn.
    pub fn name(&self) -> Option<&str> {
        match &self.what {
            What::Added { name, .. } | What::Withdrawn { name } | What::Disqualified { name } => Some(name),
            What::Drawn { .. } => None,
        }
    }

    /// What became of the entrant, or of the round, as a word.
    pub fn word(&self) -> &'static str {
        match self.what {
            What::Added { .. } => "added",
            What::Drawn { .. } => "drawn",
            What::Withdrawn { .. } => Leave::Withdrawn.name(),
            What::Disqualified { .. } => Leave::Disqualified.name(),
        }
    }

    /// Whether its reason is one.
    pub(crate) fn check_reason(&self) -> Result<(), ChangeError> {
        let is_one = (1..=REASON_CHARS_MAX).contains(&self.reason.chars().count());
        if is_one && !self.reason.chars().any(char::is_control) { Ok(()) } else { Err(ChangeError::Reason) }
    }

    /// Its one spelling, with a line feed.
    pub(crate) fn to_text(&self) -> String {
        // Strings and numbers always serialise.
        serde_json::to_string(self).unwrap_or_default() + "\n"
    }

    /// What the next change has to name.
    pub(crate) fn hash(&self) -> Hex<32> {
        Hex(Sha256::digest(self.to_text()).into())
    }

    /// The change of a text in its one spelling.
    pub(crate) fn parse(text: &str) -> Result<Change, LineError> {
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
            What::Added { name: name(), display: None, id },
            What::Withdrawn { name: name() },
            What::Disqualified { name: name() },
            What::Drawn { secret: Secret([7; 32]) },
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
            let what = What::Withdrawn { name: "bee".into() };
            Change { after: Hex([0; 32]), round: 0, what, reason }.check_reason()
        };
        assert_eq!(with("é".repeat(REASON_CHARS_MAX)), Ok(()));
        for wrong in [String::new(), "é".repeat(REASON_CHARS_MAX + 1), "two\nlines".into()] {
            assert_eq!(with(wrong), Err(ChangeError::Reason));
        }
    }
}
