//! What a tournament's folder claims.

use std::fs::File;

use arena_ledger::{Course, Journalled, Plan};
use arena_tournaments::Definition;

use crate::folder::Frozen;

/// The content of a folder, checked for contradictions. Its games are still to be played again.
pub(super) struct Claimed {
    pub(super) definition: Definition,
    pub(super) frozen: Frozen,
    pub(super) plan: Plan,
    pub(super) file: File,
    pub(super) journal: Journalled,
    pub(super) course: Course,
}
