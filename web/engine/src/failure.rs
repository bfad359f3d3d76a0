//! Why a request has no answer.

use arena_rules::{Phrase, Phrased};
use serde::{Serialize, Serializer};

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
#[derive(Serialize, PartialEq, Eq, Debug)]
pub(crate) struct PhraseView(&'static str, #[serde(serialize_with = "by_name")] Vec<(&'static str, u64)>);

fn by_name<S: Serializer>(numbers: &[(&'static str, u64)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(numbers.iter().copied())
}

impl From<Phrase> for PhraseView {
    fn from(Phrase { code, numbers }: Phrase) -> PhraseView {
        PhraseView(code, numbers)
    }
}

/// Phrases as pages get them.
pub(crate) fn phrase_views(phrases: impl IntoIterator<Item = Phrase>) -> Vec<PhraseView> {
    phrases.into_iter().map(PhraseView::from).collect()
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
