//! What a site asks of its store, seen by a probe that fails as a test wishes.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arena_clock::Clock;
use arena_store::{Event, Probe, StoreError};

/// The thread of the service that plays tournaments. What it asks belongs to no answer: it looks at whole fields,
/// whenever one changes.
const TOURNAMENTS: &str = "tournaments";

/// Counts of a store, without those of [`TOURNAMENTS`], and the faults that it has.
#[derive(Default)]
pub(crate) struct Counted {
    asked: AtomicU64,
    read: AtomicU64,
    heard_null: AtomicBool,
    /// Whether it answers nobody.
    is_down: AtomicBool,
    /// Whether its disk has no room for anything new.
    is_full: AtomicBool,
    /// The clock, and how long each query takes by it.
    slow: Mutex<Option<(Clock, Duration)>>,
}

impl Counted {
    /// What sees and disturbs a store.
    pub(crate) fn probe(self: &Arc<Counted>) -> Probe {
        let counted = self.clone();
        Arc::new(move |event: Event<'_>| counted.note(event))
    }

    fn note(&self, event: Event<'_>) -> Result<(), StoreError> {
        let is_counted = thread::current().name() != Some(TOURNAMENTS);
        match event {
            Event::Asked => {
                self.asked.fetch_add(u64::from(is_counted), Ordering::Relaxed);
                if let Some((clock, by)) = &*self.slow.lock().unwrap_or_else(PoisonError::into_inner) {
                    clock.advance(*by);
                }
                if self.is_down.load(Ordering::Relaxed) {
                    return Err(StoreError::Unavailable("a test".into()));
                }
            }
            Event::Space if self.is_full.load(Ordering::Relaxed) => return Err(StoreError::NoSpace),
            Event::Text(text) if text.contains('\0') => self.heard_null.store(true, Ordering::Relaxed),
            Event::Read(bytes) if is_counted => drop(self.read.fetch_add(bytes, Ordering::Relaxed)),
            Event::Space | Event::Text(_) | Event::Read(_) => {}
        }
        Ok(())
    }

    /// Queries so far: times that the store was asked for a connection.
    pub(crate) fn queries(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    /// The bytes of rows that it has read.
    pub(crate) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Whether a statement had a text with U+0000.
    pub(crate) fn heard_null(&self) -> bool {
        self.heard_null.load(Ordering::Relaxed)
    }

    /// Lets every query fail from now on, or none any more.
    pub(crate) fn fail(&self, fails: bool) {
        self.is_down.store(fails, Ordering::Relaxed);
    }

    /// Fills its disk, or makes space again.
    pub(crate) fn fill(&self, full: bool) {
        self.is_full.store(full, Ordering::Relaxed);
    }

    /// Lets each query take so long by a clock.
    pub(crate) fn slow_down(&self, clock: &Clock, by: Duration) {
        *self.slow.lock().unwrap_or_else(PoisonError::into_inner) = Some((clock.clone(), by));
    }
}
