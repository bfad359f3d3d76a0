//! A tournament while it is played.

use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};

use arena_tournaments::{Entrant, ScheduledGame, Standings};

use super::Progress;
use crate::course::Course;
use crate::plan::Plan;

/// What there is to see of a tournament when a game of it has ended. What is not asked for costs nothing.
pub struct Sight<'a> {
    pub(super) progress: Progress,
    pub(super) plan: &'a Plan,
    pub(super) course: &'a Mutex<&'a mut Course>,
    /// Numbers of these games.
    pub(super) playing: &'a Mutex<BTreeSet<usize>>,
}

impl Sight<'_> {
    /// How far it is.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Who plays, in the order of the definition, those who came late last.
    pub fn entrants(&self) -> &[Entrant] {
        &self.plan.entrants
    }

    /// The games that are being played, and the one that has just ended, in schedule order.
    pub fn playing(&self) -> Vec<ScheduledGame> {
        let numbers: Vec<usize> = lock(self.playing).iter().copied().collect();
        let course = lock(self.course);
        numbers.into_iter().filter_map(|number| course.settled.game(number)).collect()
    }

    /// The standings after the games so far.
    pub fn standings(&self) -> Standings {
        // Others go on meanwhile.
        let now = lock(self.course).now();
        self.plan.format.standings(&self.plan.entrants, &now)
    }
}

/// What a panic leaves behind is whole: nothing in here is done by halves.
pub(super) fn lock<T>(shared: &Mutex<T>) -> MutexGuard<'_, T> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}
