//! How tests wait for a condition: with a name, a pause and an end. A file that they include; nothing else in them
//! sleeps or asks again.

#![allow(dead_code, reason = "some tests wait in tasks only, others in threads only")]

use std::fmt::{Debug, Display};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// How long a wait lasts in which nothing changes: longer than a machine that is busy with something else needs, short
/// enough to be read about.
const PATIENCE: Duration = Duration::from_secs(120);
/// How long a wait lasts while what is seen changes, such as the number of games that were played.
const PATIENCE_IN_ALL: Duration = Duration::from_secs(480);
/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(10);

/// What a look finds: what was waited for, or what there is instead.
pub(crate) trait Found<T> {
    /// What was waited for, or a sentence on what was seen.
    fn found(self) -> Result<T, String>;
}

impl<T> Found<T> for Option<T> {
    fn found(self) -> Result<T, String> {
        self.ok_or_else(|| "nothing".into())
    }
}

impl Found<()> for bool {
    fn found(self) -> Result<(), String> {
        self.then_some(()).ok_or_else(|| "not yet".into())
    }
}

impl<T, S: Display> Found<T> for Result<T, S> {
    fn found(self) -> Result<T, String> {
        self.map_err(|seen| seen.to_string())
    }
}

/// Waits in a task until `look` finds something, and returns it. `what` completes the sentence "waited for ...".
///
/// # Panics
/// When nothing else was seen for [`PATIENCE`], or after [`PATIENCE_IN_ALL`], with what was waited for and what was
/// seen last.
pub(crate) async fn eventually<T, F: Found<T>>(what: &str, mut look: impl AsyncFnMut() -> F) -> T {
    let mut wait = Wait::begin();
    loop {
        match look().await.found() {
            Ok(found) => return found,
            Err(seen) => wait.go_on(what, seen, String::new),
        }
        #[allow(clippy::disallowed_methods, reason = "the one pause of tests")]
        tokio::time::sleep(PAUSE).await;
    }
}

/// As [`eventually`], in a task that goes from thread to thread: what an `AsyncFnMut` returns is not known to be
/// `Send`.
///
/// # Panics
/// As [`eventually`].
pub(crate) async fn eventually_spawned<T, F: Found<T>, L: Future<Output = F>>(
    what: &str,
    mut look: impl FnMut() -> L,
) -> T {
    let mut wait = Wait::begin();
    loop {
        match look().await.found() {
            Ok(found) => return found,
            Err(seen) => wait.go_on(what, seen, String::new),
        }
        pass(PAUSE).await;
    }
}

/// Waits in a task until a watched value is as wanted, and returns it. Unlike [`eventually`] it also sees a value that
/// does not last, and waits as long as the value changes.
///
/// # Panics
/// When the value has not changed for [`PATIENCE`], or will not change any more, with what was waited for and what was
/// seen last.
pub(crate) async fn eventually_shown<T: Clone + Debug>(
    what: &str,
    mut watched: watch::Receiver<T>,
    mut wanted: impl FnMut(&T) -> bool,
) -> T {
    loop {
        let shown = watched.borrow_and_update().clone();
        if wanted(&shown) {
            return shown;
        }
        #[allow(clippy::disallowed_methods, reason = "a test's patience is real time")]
        match tokio::time::timeout(PATIENCE, watched.changed()).await {
            Ok(Ok(())) => {}
            Ok(Err(_)) => panic!("{what} will never come; seen last: {shown:?}"),
            Err(_) => panic!("waited {PATIENCE:?} for {what}; seen last: {shown:?}"),
        }
    }
}

/// As [`eventually`], in a thread.
///
/// # Panics
/// As [`eventually`].
#[track_caller]
pub(crate) fn eventually_here<T, F: Found<T>>(what: &str, look: impl FnMut() -> F) -> T {
    eventually_or(what, look, String::new)
}

/// As [`eventually_here`]; a failure also prints what `logs` says, such as what the processes in question have logged.
///
/// # Panics
/// As [`eventually`].
#[track_caller]
pub(crate) fn eventually_or<T, F: Found<T>>(
    what: &str,
    mut look: impl FnMut() -> F,
    mut logs: impl FnMut() -> String,
) -> T {
    let mut wait = Wait::begin();
    loop {
        match look().found() {
            Ok(found) => return found,
            Err(seen) => wait.go_on(what, seen, &mut logs),
        }
        #[allow(clippy::disallowed_methods, reason = "the one pause of tests")]
        thread::sleep(PAUSE);
    }
}

/// What comes of itself, such as an answer. `what` completes the sentence "waited for ...".
///
/// # Panics
/// When [`PATIENCE`] is over.
pub(crate) async fn within<T>(what: &str, comes: impl Future<Output = T>) -> T {
    #[allow(clippy::disallowed_methods, reason = "a test's patience is real time")]
    let came = tokio::time::timeout(PATIENCE, comes).await;
    came.unwrap_or_else(|_| panic!("waited {PATIENCE:?} for {what}"))
}

/// Lets time pass in a task: the pace of a load, or a moment that was drawn. It waits for nothing.
pub(crate) async fn pass(time: Duration) {
    #[allow(clippy::disallowed_methods, reason = "no test waits by it")]
    tokio::time::sleep(time).await;
}

/// As [`pass`], in a thread.
pub(crate) fn pass_here(time: Duration) {
    #[allow(clippy::disallowed_methods, reason = "no test waits by it")]
    thread::sleep(time);
}

/// A wait under way: when it began, and what is seen since when.
struct Wait {
    began: Instant,
    seen: String,
    since: Instant,
}

impl Wait {
    fn begin() -> Wait {
        let began = Wait::now();
        Wait { began, seen: String::new(), since: began }
    }

    fn now() -> Instant {
        #[allow(
            clippy::disallowed_methods,
            reason = "a test's patience is real time; it decides nothing but when to give up"
        )]
        Instant::now()
    }

    /// Returns if there is time for another look.
    #[track_caller]
    fn go_on(&mut self, what: &str, seen: String, logs: impl FnOnce() -> String) {
        let now = Wait::now();
        if seen != self.seen {
            (self.seen, self.since) = (seen, now);
        }
        let (unchanged, waited) = (now - self.since, now - self.began);
        let is_time_left = unchanged < PATIENCE && waited < PATIENCE_IN_ALL;
        assert!(is_time_left, "waited {waited:.0?} for {what}; seen last: {}\n{}", self.seen, logs());
    }
}
