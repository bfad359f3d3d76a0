//! The store in memory keeps folders, as one at a server does. In everything else it is that of a folder.

#[path = "suite/folders.rs"]
mod folders;

use std::sync::Arc;

use arena_clock::Clock;
use arena_store::{Limits, Store};

async fn open(limits: Limits, clock: Clock) -> (Arc<Store>, ()) {
    (Arc::new(Store::in_memory(limits).await.expect("a store").with_clock(clock)), ())
}
