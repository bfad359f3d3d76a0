//! The time of the clocks in rooms. It runs as the site's does, and stands still while the site takes no turns:
//! visitors may change nothing, or the store has refused a write and not taken one since.

use std::sync::Arc;
use std::time::Duration;

use arena_clock::{Clock, Instant};
use arena_store::StoreError;
use tokio::sync::watch;

/// Cheap to clone; all clones show the same time.
#[derive(Clone, Debug)]
pub(crate) struct RoomTime {
    clock: Clock,
    state: Arc<watch::Sender<State>>,
}

/// Moments are by the site's clock.
#[derive(Clone, Copy, Debug)]
struct State {
    /// When this process took over the rooms, or the last standstill ended. No clock that is read from a log has run
    /// before.
    began: Instant,
    /// Since when it stands still.
    still_since: Option<Instant>,
    /// How long it stood still before.
    stood: Duration,
    read_only: bool,
    refused: bool,
}

impl State {
    /// A moment by the site's clock in this time.
    fn at(&self, moment: Instant) -> Instant {
        self.still_since.map_or(moment, |since| moment.min(since)) - self.stood
    }
}

impl RoomTime {
    pub(crate) fn new(clock: Clock) -> RoomTime {
        let state =
            State { began: clock.now(), still_since: None, stood: Duration::ZERO, read_only: false, refused: false };
        RoomTime { clock, state: Arc::new(watch::Sender::new(state)) }
    }

    /// This moment.
    pub(crate) fn now(&self) -> Instant {
        self.state.borrow().at(self.clock.now())
    }

    /// When the clocks of a room were started whose last event came so long `ago`.
    pub(crate) fn started(&self, ago: Duration) -> Instant {
        let state = self.state.borrow();
        state.at(self.clock.now().checked_sub(ago).map_or(state.began, |at| at.max(state.began)))
    }

    /// Whether it stands still.
    pub(crate) fn stands_still(&self) -> bool {
        self.state.borrow().still_since.is_some()
    }

    /// Whether the store has refused a write, and taken none since.
    pub(crate) fn is_refused(&self) -> bool {
        self.state.borrow().refused
    }

    /// Lets it stand still while visitors may change nothing.
    pub(crate) fn set_read_only(&self, read_only: bool) {
        self.change(self.now(), |state| state.read_only = read_only);
    }

    /// Lets it stand still from a moment of its own on, at which the store was asked for what it refused. What is
    /// damaged keeps no other room waiting.
    pub(crate) fn refused(&self, at: Instant, why: &StoreError) {
        if !matches!(why, StoreError::Damaged(_)) {
            self.change(at, |state| state.refused = true);
        }
    }

    /// The store takes writes.
    pub(crate) fn taken(&self) {
        if self.is_refused() {
            self.change(self.now(), |state| state.refused = false);
        }
    }

    fn change(&self, at: Instant, change: impl FnOnce(&mut State)) {
        self.state.send_if_modified(|state| {
            change(state);
            let now = self.clock.now();
            match (state.still_since, state.read_only || state.refused) {
                (None, true) => state.still_since = Some((at + state.stood).max(state.began).min(now)),
                (Some(since), false) => {
                    *state = State { began: now, still_since: None, stood: state.stood + (now - since), ..*state };
                }
                _ => return false,
            }
            true
        });
    }

    /// Sleeps until a moment of its own, and forever without one; or until it begins to stand still, or to run if it
    /// `stood_still`.
    pub(crate) async fn sleep_until_any(&self, at: Option<Instant>, stood_still: bool) {
        let mut changes = self.state.subscribe();
        let State { still_since, stood, .. } = *changes.borrow_and_update();
        if still_since.is_some() != stood_still {
            return;
        }
        let at = at.filter(|_| !stood_still).map(|at| at + stood);
        tokio::select! {
            () = self.clock.sleep_until_any(at) => {}
            _ = changes.changed() => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_runs_while_nothing_is_closed_and_nothing_refused() {
        let clock = Clock::manual(Duration::ZERO);
        let time = RoomTime::new(clock.clone());
        let (began, second) = (time.now(), Duration::from_secs(1));
        let ran = |seconds: u32| {
            clock.advance(seconds * second);
            (time.now() - began).as_secs()
        };
        assert_eq!(ran(10), 10);
        time.refused(began + 8 * second, &StoreError::NoSpace);
        assert_eq!(ran(10), 8, "it stands still from the moment at which the write began");
        time.set_read_only(true);
        time.taken();
        assert_eq!((ran(10), time.stands_still()), (8, true), "both reasons have to end");
        time.set_read_only(false);
        assert_eq!((ran(10), time.stands_still()), (18, false));
        assert_eq!(time.started(30 * second), began + 8 * second, "no clock from a log runs in a standstill");
        assert_eq!(time.started(3 * second), began + 15 * second);
        time.refused(began, &StoreError::Damaged("a test".into()));
        assert!(!time.stands_still());
        time.refused(began, &StoreError::NoSpace);
        assert_eq!(ran(10), 8, "what stood still before does so once");
    }
}
