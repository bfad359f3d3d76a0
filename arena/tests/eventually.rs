//! How tests wait for a condition: with a name, a pause and an end. A file that they include; nothing else in them sleeps or asks again.

#![allow(dead_code, reason = "some tests wait in tasks only, others in threads only")]

use std::fmt::{Debug, Display};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;

/// How long a condition may take: longer than a machine that is busy with something else needs, short enough to be read about.
const PATIENCE: Duration = Duration::from_secs(120);
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
/// When [`PATIENCE`] is over, with what was waited for and what was seen last.
pub(crate) async fn eventually<T, F: Found<T>>(what: &str, mut look: impl AsyncFnMut() -> F) -> T {
    let wait = Wait::begin();
    loop {
        match look().await.found() {
            Ok(found) => return found,
            Err(seen) => wait.go_on(what, &seen, String::new),
        }
        #[allow(clippy::disallowed_methods, reason = "the one pause of tests")]
        tokio::time::sleep(PAUSE).await;
    }
}

/// Waits in a task until a watched value is as wanted, and returns it. Unlike [`eventually`] it also sees a value that does not last, and
/// waits as long as the value changes.
///
/// # Panics
/// When the value has not changed for [`PATIENCE`], or will not change any more, with what was waited for and what was seen last.
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
    let wait = Wait::begin();
    loop {
        match look().found() {
            Ok(found) => return found,
            Err(seen) => wait.go_on(what, &seen, &mut logs),
        }
        #[allow(clippy::disallowed_methods, reason = "the one pause of tests")]
        thread::sleep(PAUSE);
    }
}

/// A wait under way.
struct Wait(Instant);

impl Wait {
    fn begin() -> Wait {
        #[allow(
            clippy::disallowed_methods,
            reason = "a test's patience is real time; it decides nothing but when to give up"
        )]
        Wait(Instant::now())
    }

    /// Returns if there is time for another look.
    #[track_caller]
    fn go_on(&self, what: &str, seen: &str, logs: impl FnOnce() -> String) {
        assert!(self.0.elapsed() < PATIENCE, "waited {PATIENCE:?} for {what}; seen last: {seen}\n{}", logs());
    }
}
