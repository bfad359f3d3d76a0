//! What a tournament's folder says.

use std::collections::BTreeMap;

use arena_tournaments::Definition;

use crate::Ended;
use crate::course::Course;
use crate::folder::Frozen;
use crate::journal::Tail;
use crate::plan::Plan;

/// What a folder says, once nothing in it contradicts anything else: its games are still to be played again.
pub(super) struct Claimed {
    pub(super) definition: Definition,
    pub(super) frozen: Frozen,
    pub(super) plan: Plan,
    pub(super) journal: Journalled,
    pub(super) course: Course,
}

/// The games of a journal, by their numbers.
pub(super) struct Journalled {
    pub(super) games: BTreeMap<usize, Line>,
    pub(super) tail: Tail,
}

/// A game of the journal.
pub(super) struct Line {
    pub(super) number: usize,
    pub(super) ended: Ended,
}
