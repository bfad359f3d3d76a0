//! Why a request has no answer.

use arena_rules::{Phrase, Phrased};
use serde::Serialize;

use crate::phrases::{PhraseView, phrase_views};

/// Why there is no answer.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    /// For the page's developer.
    pub(crate) message: String,
    /// For people, where there is more to tell than the code.
    pub(crate) phrases: Vec<PhraseView>,
}

impl Failure {
    pub(crate) fn new(code: &'static str, message: impl ToString) -> Failure {
        Failure { code, message: message.to_string(), phrases: Vec::new() }
    }

    /// A failure with the rules' reason.
    pub(crate) fn of_rules(code: &'static str, why: &(impl Phrased + ToString)) -> Failure {
        Failure { phrases: phrase_views(why.phrases()), ..Failure::new(code, why.to_string()) }
    }

    /// The same in a turn, counted from 1.
    pub(crate) fn in_turn(mut self, turn: usize) -> Failure {
        self.message = format!("turn {turn}: {}", self.message);
        self.phrases.insert(0, Phrase::new("in-turn", &[("turn", turn as u64)]).into());
        self
    }
}
