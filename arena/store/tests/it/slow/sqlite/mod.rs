//! The store in a folder: it does what every store does, and what only a store on a disk can.

mod cancel;
mod copies;
mod crash;
mod files;
#[path = "../../suite/histories.rs"]
mod histories;
mod opening;
#[path = "../../suite/queue_histories.rs"]
mod queue_histories;
#[path = "../../suite/mod.rs"]
mod suite;

use std::sync::Arc;

use arena_clock::Clock;
use arena_store::{Limits, SqliteStore, Store};
use tempfile::TempDir;

/// How many random histories a store lives through.
const HISTORIES: u32 = 24;

/// A store whose leases end by this clock, and what must live as long.
pub(crate) async fn open(limits: Limits, clock: Clock) -> (Arc<dyn Store>, Option<TempDir>) {
    let folder = tempfile::tempdir().expect("a folder");
    let store = SqliteStore::open_with(folder.path(), limits).await.expect("a store");
    (Arc::new(store.with_clock(clock)), Some(folder))
}

async fn open_in(folder: &TempDir, limits: Limits) -> Arc<dyn Store> {
    Arc::new(SqliteStore::open_with(folder.path(), limits).await.expect("a store"))
}
