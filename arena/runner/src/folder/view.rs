//! A view of a tournament in progress.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

use arena_ledger::{Course, Plan};
use arena_tournaments::{Entrant, ScheduledGame, Standings};

use super::Progress;

/// The state of a tournament after one of its games has ended. Only what is asked for is computed.
pub struct Sight<'a> {
    pub(super) progress: Progress,
    pub(super) plan: &'a Plan,
    pub(super) course: &'a Mutex<&'a mut Course>,
    /// The numbers of games in progress.
    pub(super) playing: &'a Mutex<BTreeSet<usize>>,
}

impl Sight<'_> {
    /// The progress.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The entrants in the order of the definition, late ones last.
    pub fn entrants(&self) -> &[Entrant] {
        &self.plan.entrants
    }

    /// How many games of each entrant have ended, by its place in the definition.
    pub fn ended_of(&self) -> BTreeMap<usize, usize> {
        lock(self.course).ended_of()
    }

    /// The games in progress, and the one that has just ended, in schedule order.
    pub fn playing(&self) -> Vec<ScheduledGame> {
        let numbers: Vec<usize> = lock(self.playing).iter().copied().collect();
        let course = lock(self.course);
        numbers.into_iter().filter_map(|number| course.settled.game(number)).collect()
    }

    /// The standings after the games so far.
    pub fn standings(&self) -> Standings {
        // On a copy, so that other threads can continue.
        let now = lock(self.course).now();
        self.plan.format.standings(&self.plan.entrants, &now)
    }
}

/// Ignores poisoning: no panic leaves this data half changed.
pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
