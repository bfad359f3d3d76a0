//! Refusals: what an error says about itself.

use std::borrow::Cow;
use std::error::Error;

/// Seconds after which something that the operator closed may be open again.
pub const CLOSED_SECONDS: u64 = 600;

/// What kind of refusal it is, from which a server makes its status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// What was sent makes no sense.
    Invalid,
    /// It needs an account, or another secret.
    Unauthorized,
    /// This account may not.
    Forbidden,
    /// It does not exist.
    NotFound,
    /// It contradicts what is there now.
    Conflict,
    /// What was sent is too large.
    TooLarge,
    /// This account has had its share.
    TooMany,
    /// The site takes none of this for now.
    Busy,
    /// The machine failed; the cause is for the log.
    Failed,
    /// What is stored cannot be read; the cause is for the log.
    Damaged,
}

impl Kind {
    /// A refusal of this kind, with its code, which programs rely on, and what to do about it.
    pub fn says(self, code: &'static str, hint: impl Into<Cow<'static, str>>) -> Refusal {
        Refusal { kind: self, code, hint: hint.into(), again_in: None, counted: false, detail: None }
    }
}

/// What an error answers. The sentence is the error's own, unless [`detail`](Refusal::detail) has another.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The kind.
    pub kind: Kind,
    /// The stable code.
    pub code: &'static str,
    /// What to do about it.
    pub hint: Cow<'static, str>,
    /// Seconds after which the same request may succeed, if that is known.
    pub again_in: Option<u64>,
    /// Whether it is a share of limited requests that is used up, which is counted where it was taken.
    pub counted: bool,
    /// What is wrong, where the error's own sentence is not meant for who asked.
    pub detail: Option<Box<str>>,
}

impl Refusal {
    /// The same, with the seconds after which the same request may succeed.
    pub fn again_in(self, seconds: u64) -> Refusal {
        Refusal { again_in: Some(seconds), ..self }
    }

    /// The same, of a used-up share.
    pub fn counted(self) -> Refusal {
        Refusal { counted: true, ..self }
    }

    /// The same with another sentence than the error's own, unless it has one already.
    pub fn saying(self, detail: impl Into<Box<str>>) -> Refusal {
        Refusal { detail: self.detail.or(Some(detail.into())), ..self }
    }
}

/// An error that a person or a program may cause.
pub trait Refused: Error {
    /// What it answers.
    fn refusal(&self) -> Refusal;
}
