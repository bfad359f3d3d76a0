//! What wakes the thread that plays tournaments, and why.

use std::collections::BTreeSet;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use arena_store::ContestId;
use arena_wire::Game;

/// Rung at each change, to wake the thread that plays. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Bell(Arc<(Mutex<Signal>, Condvar)>);

/// What the thread is to do.
#[derive(Default)]
struct Signal {
    /// The rulesets whose fields have changed since they were looked at.
    games: BTreeSet<&'static str>,
    /// Tournaments of accounts that have changed since they were looked at.
    contests: BTreeSet<ContestId>,
    stopping: bool,
}

/// What is played.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Playing {
    /// The standing tournament of a game.
    Standing(&'static str),
    /// A tournament of an account.
    Contest(ContestId),
}

impl Bell {
    fn signal(&self) -> MutexGuard<'_, Signal> {
        self.0.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn game_changed(&self, game: &'static Game) {
        self.signal().games.insert(game.ruleset);
        self.0.1.notify_all();
    }

    pub(crate) fn contest_changed(&self, contest: ContestId) {
        self.signal().contests.insert(contest);
        self.0.1.notify_all();
    }

    /// Begins no further game.
    pub(crate) fn stop(&self) {
        self.signal().stopping = true;
        self.0.1.notify_all();
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.signal().stopping
    }

    /// Clears the mark that a game's field has changed, because it is about to be looked at.
    pub(crate) fn look(&self, game: &Game) {
        self.signal().games.remove(game.ruleset);
    }

    /// The changed tournaments of accounts. Clears their marks, because they are about to be looked at.
    pub(crate) fn take_contests(&self) -> BTreeSet<ContestId> {
        std::mem::take(&mut self.signal().contests)
    }

    /// Whether a game's field changed since it was looked at.
    pub(crate) fn has_changed(&self, game: &Game) -> bool {
        self.signal().games.contains(game.ruleset)
    }

    /// Whether a tournament of an account has changed.
    pub(crate) fn has_contest_changed(&self, contest: ContestId) -> bool {
        self.signal().contests.contains(&contest)
    }

    /// Whether anything other than what is being played has changed.
    pub(crate) fn has_another_changed(&self, playing: Playing) -> bool {
        let signal = self.signal();
        signal.games.iter().any(|game| Playing::Standing(game) != playing)
            || signal.contests.iter().any(|contest| Playing::Contest(*contest) != playing)
    }

    /// Sleeps until the field of one of `games` or a tournament of an account changes, until `wake` if it is given, or until the
    /// service stops.
    pub(crate) fn sleep(&self, games: &BTreeSet<&'static str>, wake: Option<Instant>) {
        let asleep =
            |signal: &mut Signal| signal.games.is_disjoint(games) && signal.contests.is_empty() && !signal.stopping;
        let signalled = &self.0.1;
        match wake {
            None => drop(signalled.wait_while(self.signal(), asleep)),
            Some(wake) => {
                let pause = wake.saturating_duration_since(Instant::now());
                drop(signalled.wait_timeout_while(self.signal(), pause, asleep));
            }
        }
    }
}
