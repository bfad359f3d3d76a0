//! Why a request has no answer.

use serde::Serialize;

/// Why there is no answer.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    pub(crate) message: String,
}

impl Failure {
    pub(crate) fn new(code: &'static str, message: impl ToString) -> Failure {
        Failure { code, message: message.to_string() }
    }
}
