//! The plain store and what is asked of it.

use super::super::Plain as Tested;

#[path = "workers.rs"]
pub(super) mod workers;
#[path = "world.rs"]
pub(super) mod world;
