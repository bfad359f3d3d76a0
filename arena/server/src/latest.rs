//! A cache of the latest results.

use std::collections::VecDeque;
use std::sync::Arc;

use parking_lot::Mutex;

/// Results by their names, the latest at the end, up to a limit.
pub(crate) struct Latest<T> {
    kept: Arc<Mutex<VecDeque<(String, T)>>>,
    most: usize,
}

impl<T> Clone for Latest<T> {
    fn clone(&self) -> Latest<T> {
        Latest { kept: self.kept.clone(), most: self.most }
    }
}

impl<T: Clone> Latest<T> {
    /// A cache of at most `most` results.
    pub(crate) fn new(most: usize) -> Latest<T> {
        Latest { kept: Arc::default(), most }
    }

    /// The cached result of this name.
    pub(crate) fn of(&self, name: &str) -> Option<T> {
        let kept = self.kept.lock();
        kept.iter().find(|(known, _)| known == name).map(|(_, thing)| thing.clone())
    }

    /// Caches a result under its name, and drops the oldest one if there are too many.
    pub(crate) fn keep(&self, name: String, thing: T) {
        let mut kept = self.kept.lock();
        kept.retain(|(known, _)| *known != name);
        if kept.len() >= self.most {
            kept.pop_front();
        }
        kept.push_back((name, thing));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_is_kept_than_may_be_and_the_oldest_goes() {
        let latest = Latest::new(2);
        for (name, thing) in [("a", 1), ("b", 2), ("a", 3), ("c", 4)] {
            latest.keep(name.into(), thing);
        }
        assert_eq!(["a", "b", "c"].map(|name| latest.of(name)), [Some(3), None, Some(4)]);
    }
}
