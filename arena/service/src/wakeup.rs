//! The wake-up signal of the thread that plays tournaments.

use std::collections::BTreeSet;
use std::sync::Arc;

use arena_clock::{Clock, Instant};
use arena_store::ContestId;
use arena_wire::Game;
use tokio::sync::watch;

/// Rung at each change, to wake the thread that plays. Cheap to clone.
#[derive(Clone, Default)]
pub(crate) struct Wakeup(Arc<watch::Sender<Signal>>);

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

impl Wakeup {
    pub(crate) fn game_changed(&self, game: &'static Game) {
        self.0.send_modify(|signal| {
            signal.games.insert(game.ruleset);
        });
    }

    pub(crate) fn contest_changed(&self, contest: ContestId) {
        self.0.send_modify(|signal| {
            signal.contests.insert(contest);
        });
    }

    /// Begins no further game.
    pub(crate) fn stop(&self) {
        self.0.send_modify(|signal| signal.stopping = true);
    }

    pub(crate) fn is_stopping(&self) -> bool {
        self.0.borrow().stopping
    }

    /// Clears the mark that a game's field has changed, because it is about to be looked at.
    pub(crate) fn look(&self, game: &Game) {
        self.0.send_modify(|signal| {
            signal.games.remove(game.ruleset);
        });
    }

    /// The changed tournaments of accounts. Clears their marks, because they are about to be looked at.
    pub(crate) fn take_contests(&self) -> BTreeSet<ContestId> {
        let mut contests = BTreeSet::new();
        self.0.send_modify(|signal| std::mem::swap(&mut signal.contests, &mut contests));
        contests
    }

    /// Whether a game's field changed since it was looked at.
    pub(crate) fn has_changed(&self, game: &Game) -> bool {
        self.0.borrow().games.contains(game.ruleset)
    }

    /// Whether a tournament of an account has changed.
    pub(crate) fn has_contest_changed(&self, contest: ContestId) -> bool {
        self.0.borrow().contests.contains(&contest)
    }

    /// Whether anything other than what is being played has changed.
    pub(crate) fn has_another_changed(&self, playing: Playing) -> bool {
        let signal = self.0.borrow();
        signal.games.iter().any(|game| Playing::Standing(game) != playing)
            || signal.contests.iter().any(|contest| Playing::Contest(*contest) != playing)
    }

    /// Sleeps until the field of one of `games` or a tournament of an account changes, until `wake` if it is given, or
    /// until the service stops.
    pub(crate) async fn sleep(&self, games: &BTreeSet<&'static str>, wake: Option<Instant>, clock: &Clock) {
        let mut signal = self.0.subscribe();
        let rung = signal
            .wait_for(|signal| !signal.games.is_disjoint(games) || !signal.contests.is_empty() || signal.stopping);
        tokio::select! {
            biased;
            _ = rung => {}
            () = clock.sleep_until_any(wake) => {}
        }
    }
}
