//! The standing tournament: one edition after the other, each a tournament in a folder of its own, played to its end by
//! a thread before the next begins. A new edition begins when the field has changed.

mod editions;
mod field;
mod play;
mod standing;

use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::sync::watch;

pub use standing::{Edition, Progress, Standing};

pub(crate) use editions::Editions;
pub(crate) use play::play;

/// What people and the thread that plays know of each other.
#[derive(Clone)]
pub(crate) struct Ladder(Arc<Shared>);

struct Shared {
    standing: watch::Sender<Arc<Standing>>,
    signal: Mutex<Signal>,
    signalled: Condvar,
    ended: watch::Sender<bool>,
}

/// What the thread is told.
#[derive(Default)]
struct Signal {
    field_changed: bool,
    stopping: bool,
}

impl Ladder {
    pub(crate) fn new() -> Ladder {
        // Until the field was looked at, whoever asks is told to ask again.
        let standing = Standing { waiting: true, ..Standing::default() };
        Ladder(Arc::new(Shared {
            standing: watch::Sender::new(Arc::new(standing)),
            signal: Mutex::default(),
            signalled: Condvar::new(),
            ended: watch::Sender::new(false),
        }))
    }

    pub(crate) fn standing(&self) -> Arc<Standing> {
        self.0.standing.borrow().clone()
    }

    pub(crate) fn watch(&self) -> watch::Receiver<Arc<Standing>> {
        self.0.standing.subscribe()
    }

    /// A bot was accepted.
    pub(crate) fn field_changed(&self) {
        // In this order: whoever looked at the field before and says so now sees that it has changed since.
        self.signal().field_changed = true;
        self.0.signalled.notify_all();
        self.update(|standing| standing.waiting = true);
    }

    /// No further game begins.
    pub(crate) fn stop(&self) {
        self.signal().stopping = true;
        self.0.signalled.notify_all();
    }

    /// Waits for the thread's end.
    pub(crate) async fn ended(&self) {
        // The sender lives as long as `self`.
        let _ = self.0.ended.subscribe().wait_for(|ended| *ended).await;
    }

    fn signal(&self) -> MutexGuard<'_, Signal> {
        self.0.signal.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn is_stopping(&self) -> bool {
        self.signal().stopping
    }

    /// Forgets that the field changed: it is looked at now.
    fn look(&self) {
        self.signal().field_changed = false;
    }

    /// Whether the field changed since it was looked at.
    fn has_changed(&self) -> bool {
        self.signal().field_changed
    }

    /// Sleeps until the field changes or all stops.
    fn sleep(&self) {
        let asleep = |signal: &mut Signal| !signal.field_changed && !signal.stopping;
        drop(self.0.signalled.wait_while(self.signal(), asleep));
    }

    /// Sleeps for so long, or until all stops.
    fn pause(&self, pause: Duration) {
        drop(self.0.signalled.wait_timeout_while(self.signal(), pause, |signal| !signal.stopping));
    }

    fn update(&self, change: impl FnOnce(&mut Standing)) {
        self.0.standing.send_modify(|standing| change(Arc::make_mut(standing)));
    }
}

/// Says that the thread has ended, however it did.
struct Ending(Ladder);

impl Drop for Ending {
    fn drop(&mut self) {
        self.0.0.ended.send_replace(true);
    }
}
