//! The store and what is asked of it.

use arena_store::Store as Tested;

#[path = "workers.rs"]
pub(super) mod workers;
#[path = "world.rs"]
pub(super) mod world;
