//! Why a request has no answer.

use std::collections::BTreeMap;

use arena_rules::{Phrase, Phrased};
use serde::Serialize;

/// Why there is no answer.
#[derive(Serialize, PartialEq, Eq, Debug)]
pub(crate) struct Failure {
    pub(crate) code: &'static str,
    /// For the page's developer.
    pub(crate) message: String,
    /// For people, where there is more to tell than the code.
    pub(crate) phrases: Vec<PhraseView>,
}

/// A phrase as pages get it: its code, and its numbers by their names.
pub(crate) type PhraseView = (&'static str, BTreeMap<&'static str, u64>);

/// Phrases as pages get them.
pub(crate) fn phrase_views(phrases: impl IntoIterator<Item = Phrase>) -> Vec<PhraseView> {
    phrases.into_iter().map(|Phrase { code, numbers }| (code, numbers.into_iter().collect())).collect()
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
    pub(crate) fn in_turn(self, turn: usize) -> Failure {
        let (message, first) =
            (format!("turn {turn}: {}", self.message), ("in-turn", BTreeMap::from([("turn", turn as u64)])));
        Failure { message, phrases: [vec![first], self.phrases].concat(), ..self }
    }
}
