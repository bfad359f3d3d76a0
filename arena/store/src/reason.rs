//! The operator's reasons.

use std::fmt;

use arena_limits::{Kind, Refusal, Refused};

/// The longest reason of an act, in characters: a few sentences.
pub const REASON_CHARS_MAX: usize = 300;

/// The operator's reason for an act: one line of 1 to [`REASON_CHARS_MAX`] characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason(String);

/// A text that is no reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an act needs a reason: one line of at most {REASON_CHARS_MAX} characters")]
pub struct NotAReason;

impl Refused for NotAReason {
    fn refusal(&self) -> Refusal {
        Kind::Invalid.says("bad_reason", "the operator's log shows it")
    }
}

impl Reason {
    /// Parses a reason; surrounding white space is ignored.
    ///
    /// # Errors
    /// When it is empty, too long, or more than a line.
    pub fn parse(text: &str) -> Result<Reason, NotAReason> {
        let text = text.trim();
        let fits = !text.is_empty() && text.chars().count() <= REASON_CHARS_MAX && !text.chars().any(char::is_control);
        if fits { Ok(Reason(text.into())) } else { Err(NotAReason) }
    }

    /// The reason as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A reason from the store, written by this crate.
    pub(crate) fn stored(text: String) -> Reason {
        Reason(text)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}
