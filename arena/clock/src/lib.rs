//! The time as a parameter. Whatever reads the time or waits for it in a site takes a [`Clock`]: production passes the
//! system's, tests one that moves only when they say so.
//!
//! A site has one clock. It decides when a bucket refills, when a person's time is up, when a lease ends, when a
//! tournament is due. It decides no game of bots.
//!
//! ```
//! use std::time::Duration;
//!
//! use arena_clock::Clock;
//!
//! let clock = Clock::manual(Duration::from_secs(1_000));
//! let begun = clock.now();
//! clock.advance(Duration::from_secs(60));
//! assert_eq!((clock.now() - begun, clock.unix_seconds()), (Duration::from_secs(60), 1_060));
//! ```
//!
//! What this crate deliberately is not: it has no time limits for what protects the machine and decides nothing. Those
//! stay in real time, because no test needs to advance them and a clock that stands still would switch them off:
//! deadlines for reading and writing sockets and HTTP heads and bodies (`arena/server`), patience with a database and
//! its connections (`arena/store`), walls of bots' processes (`arena/worker`), and how long a closing process waits for
//! work in progress.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use tokio::sync::watch;
pub use tokio::time::Instant;

/// How late a tick of an [`Interval`] may be before the following ones are later, too. The timer's resolution is a
/// millisecond.
const LATE: Duration = Duration::from_millis(5);

/// A clock. Cheap to clone; all clones show the same time.
#[derive(Clone, Debug)]
pub struct Clock(Option<Arc<Manual>>);

/// A clock that moves only when it is advanced.
#[derive(Debug)]
struct Manual {
    began: Instant,
    began_unix: Duration,
    passed: watch::Sender<Duration>,
    /// Until when each task sleeps, by its number.
    sleepers: Mutex<BTreeMap<u64, Instant>>,
    number: AtomicU64,
}

impl Manual {
    fn now(&self) -> Instant {
        self.began + *self.passed.borrow()
    }

    fn sleepers(&self) -> MutexGuard<'_, BTreeMap<u64, Instant>> {
        self.sleepers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A task that sleeps by a manual clock, until it wakes or is dropped.
struct Sleeper<'a>(&'a Manual, u64);

impl<'a> Sleeper<'a> {
    fn until(at: Instant, manual: &'a Manual) -> Sleeper<'a> {
        let number = manual.number.fetch_add(1, Ordering::Relaxed);
        manual.sleepers().insert(number, at);
        Sleeper(manual, number)
    }
}

impl Drop for Sleeper<'_> {
    fn drop(&mut self) {
        self.0.sleepers().remove(&self.1);
    }
}

impl Clock {
    /// The system's clock.
    pub fn system() -> Clock {
        Clock(None)
    }

    /// A clock for tests, at this time since 1970. It stands still until it is advanced.
    pub fn manual(unix: Duration) -> Clock {
        let (passed, sleepers) = (watch::Sender::new(Duration::ZERO), Mutex::default());
        let number = AtomicU64::new(0);
        Clock(Some(Arc::new(Manual { began: Instant::now(), began_unix: unix, passed, sleepers, number })))
    }

    /// Advances a manual clock and wakes those whose time has come. The system's clock goes on by itself.
    pub fn advance(&self, by: Duration) {
        if let Some(manual) = &self.0 {
            manual.passed.send_modify(|passed| *passed += by);
        }
    }

    /// How many tasks sleep by a manual clock until a moment that is still to come.
    pub fn sleepers(&self) -> usize {
        self.0.as_ref().map_or(0, |manual| {
            let now = manual.now();
            manual.sleepers().values().filter(|at| **at > now).count()
        })
    }

    /// This moment.
    pub fn now(&self) -> Instant {
        self.0.as_ref().map_or_else(Instant::now, |manual| manual.now())
    }

    /// How long ago a moment was; zero for one to come.
    pub fn since(&self, then: Instant) -> Duration {
        self.now().saturating_duration_since(then)
    }

    /// The time since 1970.
    fn unix(&self) -> Duration {
        match &self.0 {
            Some(manual) => manual.began_unix + *manual.passed.borrow(),
            None => SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default(),
        }
    }

    /// The date in whole seconds since 1970.
    pub fn unix_seconds(&self) -> i64 {
        i64::try_from(self.unix().as_secs()).unwrap_or(i64::MAX)
    }

    /// The date in microseconds since 1970, which numbers things so that they come later than those of an earlier
    /// process.
    pub fn unix_micros(&self) -> u64 {
        u64::try_from(self.unix().as_micros()).unwrap_or(u64::MAX)
    }

    /// The date of a manual clock in milliseconds since 1970, for what a database's clock decides otherwise; `None` for
    /// the system's clock.
    pub fn stated_millis(&self) -> Option<i64> {
        self.0.as_ref().map(|_| i64::try_from(self.unix().as_millis()).unwrap_or(i64::MAX))
    }

    /// Sleeps for this long from the call on.
    pub fn sleep(&self, pause: Duration) -> impl Future<Output = ()> {
        self.sleep_until(self.now() + pause)
    }

    /// Sleeps until a moment.
    pub async fn sleep_until(&self, at: Instant) {
        let Some(manual) = &self.0 else { return tokio::time::sleep_until(at).await };
        let mut passed = manual.passed.subscribe();
        let _sleeper = Sleeper::until(at, manual);
        // The sender lives as long as this clock.
        let _ = passed.wait_for(|passed| manual.began + *passed >= at).await;
    }

    /// Sleeps until a moment; forever without one.
    pub async fn sleep_until_any(&self, at: Option<Instant>) {
        match at {
            Some(at) => self.sleep_until(at).await,
            None => std::future::pending().await,
        }
    }

    /// What a future returns; `None` if it does not within this time.
    pub async fn timeout<T>(&self, limit: Duration, future: impl Future<Output = T>) -> Option<T> {
        tokio::select! {
            biased;
            value = future => Some(value),
            () = self.sleep(limit) => None,
        }
    }

    /// Ticks at once and then after each period. Ticks that were missed are left out.
    pub fn interval(&self, period: Duration) -> Interval {
        Interval { clock: self.clone(), period, next: self.now() }
    }
}

/// Ticks of a [`Clock`].
#[derive(Debug)]
pub struct Interval {
    clock: Clock,
    period: Duration,
    next: Instant,
}

impl Interval {
    /// Waits for the next tick. One that is dropped before it comes is not lost.
    pub async fn tick(&mut self) {
        self.clock.sleep_until(self.next).await;
        let now = self.clock.now();
        self.next = if now > self.next + LATE { now + self.period } else { self.next + self.period };
    }

    /// Has the next tick come this long from now.
    pub fn reset_after(&mut self, pause: Duration) {
        self.next = self.clock.now() + pause;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SECOND: Duration = Duration::from_secs(1);

    #[tokio::test]
    async fn who_sleeps_wakes_when_the_clock_says_so_and_not_before() {
        let clock = Clock::manual(SECOND);
        let woken = tokio::spawn({
            let clock = clock.clone();
            async move { clock.sleep(2 * SECOND).await }
        });
        while clock.sleepers() == 0 {
            tokio::task::yield_now().await;
        }
        clock.advance(SECOND);
        tokio::task::yield_now().await;
        assert!(!woken.is_finished());
        assert_eq!(clock.sleepers(), 1);
        clock.advance(SECOND);
        assert_eq!(clock.sleepers(), 0, "it is to wake, even before it does");
        woken.await.expect("it wakes");
        assert_eq!((clock.unix_seconds(), clock.unix_micros(), clock.stated_millis()), (3, 3_000_000, Some(3_000)));
    }

    #[tokio::test]
    async fn a_future_that_is_ready_is_no_timeout_and_one_that_is_not_waits_for_the_clock() {
        let clock = Clock::manual(SECOND);
        assert_eq!(clock.timeout(Duration::ZERO, async { 1 }).await, Some(1));
        assert_eq!(clock.timeout(Duration::ZERO, std::future::pending::<i32>()).await, None);
    }

    #[tokio::test]
    async fn ticks_keep_their_rhythm_and_late_ones_are_not_made_up_for() {
        let clock = Clock::manual(SECOND);
        let mut ticks = clock.interval(SECOND);
        let begun = clock.now();
        ticks.tick().await;
        for passed in 1..4 {
            clock.advance(SECOND + Duration::from_millis(1));
            ticks.tick().await;
            assert_eq!(ticks.next - begun, (passed + 1) * SECOND);
        }
        clock.advance(10 * SECOND);
        ticks.tick().await;
        assert_eq!(ticks.next, clock.now() + SECOND);
        ticks.reset_after(SECOND / 2);
        assert_eq!(ticks.next, clock.now() + SECOND / 2);
    }

    #[tokio::test]
    async fn the_systems_clock_goes_on_by_itself() {
        let clock = Clock::system();
        let (begun, date) = (clock.now(), clock.unix_micros());
        clock.sleep(Duration::from_millis(1)).await;
        assert!(clock.since(begun) >= Duration::from_millis(1));
        assert!(clock.unix_micros() > date && clock.stated_millis().is_none());
    }
}
