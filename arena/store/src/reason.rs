//! The operator's reasons.

use arena_limits::{Kind, Refusal, Refused};

use crate::checked_names::checked_text;

/// The longest reason of an act, in characters: a few sentences.
pub const REASON_CHARS_MAX: usize = 300;

/// The operator's reason for an act: one line of 1 to [`REASON_CHARS_MAX`] characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason(String);

checked_text!(Reason);

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

    /// A reason from the store, written by this crate.
    pub(crate) fn stored(text: String) -> Reason {
        Reason(text)
    }
}
