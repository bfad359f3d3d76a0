//! Questions to another server whose answers are awaited here.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

/// Questions by their numbers.
pub(super) struct PendingCalls<T> {
    next: AtomicU64,
    open: Mutex<BTreeMap<u64, oneshot::Sender<T>>>,
}

impl<T> Default for PendingCalls<T> {
    fn default() -> PendingCalls<T> {
        PendingCalls { next: AtomicU64::new(0), open: Mutex::default() }
    }
}

impl<T> PendingCalls<T> {
    fn open(&self) -> MutexGuard<'_, BTreeMap<u64, oneshot::Sender<T>>> {
        self.open.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Registers a new question: its number, and a receiver of its answer.
    pub(super) fn ask(&self) -> (u64, oneshot::Receiver<T>) {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (answer, answered) = oneshot::channel();
        self.open().insert(number, answer);
        (number, answered)
    }

    /// Delivers an answer.
    pub(super) fn answer(&self, number: u64, answer: T) {
        if let Some(waiting) = self.open().remove(&number) {
            // Fails only if nobody waits for it any more.
            let _ = waiting.send(answer);
        }
    }

    /// Drops a question that nobody waits for any more.
    pub(super) fn forget(&self, number: u64) {
        self.open().remove(&number);
    }
}
