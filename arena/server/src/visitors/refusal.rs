//! Why something is not given: whose share is used up, and when there is some again.

use std::fmt;
use std::time::Duration;

use axum::http::StatusCode;

use super::Key;
use crate::problem::Problem;
use crate::share::What;

/// A share is used up.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) struct Refusal {
    pub(crate) what: What,
    pub(crate) key: Key,
    /// After how long the same is given, if nobody else takes it before.
    pub(crate) after: Duration,
}

impl Refusal {
    /// Whole seconds to wait, at least one.
    pub(crate) fn seconds(&self) -> u64 {
        (self.after.as_secs() + u64::from(self.after.subsec_nanos() > 0)).max(1)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (words, seconds) = (self.what.words(), self.seconds());
        match self.key {
            Key::Account(_) => write!(f, "your account has had its share of {words}; try again in {seconds} s"),
            Key::Network(_) => write!(f, "your network has had its share of {words}; try again in {seconds} s"),
            Key::Everybody | Key::Others => {
                write!(f, "more {words} are asked for than this arena has; try again in {seconds} s")
            }
        }
    }
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        let (status, code) = match refusal.key {
            Key::Account(_) | Key::Network(_) => (StatusCode::TOO_MANY_REQUESTS, "too_many"),
            Key::Everybody | Key::Others => (StatusCode::SERVICE_UNAVAILABLE, "busy"),
        };
        let problem = Problem::new(status, code, refusal, "/api/v1/limits has the limits of accounts and networks");
        problem.again_in(refusal.seconds()).refused(refusal.what, refusal.key.whose())
    }
}
