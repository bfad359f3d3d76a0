//! What a worker is given to load.

use std::sync::Arc;

use arena_record::{Budgets, EntrantId};

/// A module's bytes, and under which budgets it plays. Cheap to clone.
#[derive(Clone)]
pub(crate) struct Module {
    pub(crate) id: EntrantId,
    pub(crate) bytes: Arc<[u8]>,
    pub(crate) budgets: Budgets,
}

impl Module {
    pub(crate) fn new(bytes: &[u8], budgets: Budgets) -> Module {
        Module { id: EntrantId::of_bytes(bytes), bytes: bytes.into(), budgets }
    }

    /// As what a worker keeps it.
    pub(crate) fn key(&self) -> (EntrantId, u64) {
        (self.id.clone(), self.budgets.memory_bytes)
    }
}
