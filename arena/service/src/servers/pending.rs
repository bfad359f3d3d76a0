//! What was sent to other servers, and is awaited here: answers of one, or that this server has received its own
//! message.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};

use parking_lot::Mutex;
use tokio::sync::oneshot;

/// Questions by their numbers.
pub(crate) struct Pending<T> {
    next: AtomicU64,
    open: Mutex<BTreeMap<u64, oneshot::Sender<T>>>,
}

/// A question of somebody who waits for its answer. It is forgotten when that ends.
pub(crate) struct Question<'a, T> {
    pending: &'a Pending<T>,
    /// Its number, not 0.
    pub(crate) number: u64,
    /// Receives the answer.
    pub(crate) answered: oneshot::Receiver<T>,
}

impl<T> Drop for Question<'_, T> {
    fn drop(&mut self) {
        self.pending.open.lock().remove(&self.number);
    }
}

impl<T> Default for Pending<T> {
    fn default() -> Pending<T> {
        Pending { next: AtomicU64::new(1), open: Mutex::default() }
    }
}

impl<T> Pending<T> {
    /// Registers a new question.
    pub(crate) fn ask(&self) -> Question<'_, T> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.open.lock().insert(number, answer);
        Question { pending: self, number, answered }
    }

    /// Delivers an answer.
    pub(crate) fn answer(&self, number: u64, answer: T) {
        if let Some(waiting) = self.open.lock().remove(&number) {
            // Fails only if nobody waits for it any more.
            let _ = waiting.send(answer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_question_is_open_until_it_is_answered_or_nobody_waits_for_it() {
        let pending = Pending::default();
        let (mut first, second) = (pending.ask(), pending.ask());
        pending.answer(first.number, "one");
        assert_eq!((&mut first.answered).await, Ok("one"));
        assert_eq!(pending.open.lock().keys().copied().collect::<Vec<_>>(), [second.number]);
        drop(second);
        assert!(pending.open.lock().is_empty());
    }
}
