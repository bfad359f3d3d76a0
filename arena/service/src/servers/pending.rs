//! What was sent to other servers, and is awaited here: answers of one, or that this server has received its own
//! message.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Questions by their numbers.
pub(crate) struct Pending<T> {
    next: AtomicU64,
    open: Mutex<BTreeMap<u64, oneshot::Sender<T>>>,
}

impl<T> Default for Pending<T> {
    fn default() -> Pending<T> {
        Pending { next: AtomicU64::new(1), open: Mutex::default() }
    }
}

impl<T> Pending<T> {
    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, oneshot::Sender<T>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a new question: its number, not 0, and a receiver of its answer.
    pub(crate) fn ask(&self) -> (u64, oneshot::Receiver<T>) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.open().insert(number, answer);
        (number, answered)
    }

    /// Delivers an answer.
    pub(crate) fn answer(&self, number: u64, answer: T) {
        if let Some(waiting) = self.open().remove(&number) {
            // Fails only if nobody waits for it any more.
            let _ = waiting.send(answer);
        }
    }

    /// Drops a question that nobody waits for any more.
    pub(crate) fn forget(&self, number: u64) {
        self.open().remove(&number);
    }
}
