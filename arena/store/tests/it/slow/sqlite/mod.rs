//! The store in a folder: it does what every store does, and what only a store on a disk can.

mod cancel;
mod copies;
mod crash;
mod files;
mod opening;
#[path = "../../suite/mod.rs"]
mod suite;

use std::sync::Arc;

use arena_clock::Clock;
use arena_store::{Limits, Store};
use tempfile::TempDir;

/// A store whose leases end by this clock, and what must live as long.
pub(crate) async fn open(limits: Limits, clock: Clock) -> (Arc<Store>, Option<TempDir>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open_with(folder.path(), limits).await.expect("a store");
    (Arc::new(store.with_clock(clock)), Some(folder))
}

async fn open_in(folder: &TempDir, limits: Limits) -> Arc<Store> {
    Arc::new(Store::open_with(folder.path(), limits).await.expect("a store"))
}
