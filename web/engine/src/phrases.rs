//! What the rules tell, as pages get it.

use arena_rules::Phrase;
use serde::{Serialize, Serializer};

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
