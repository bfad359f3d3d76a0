//! The store in memory does what every store does.

#[path = "../suite/folders.rs"]
mod folders;
#[path = "../suite/mod.rs"]
mod suite;

use std::sync::Arc;

use arena_clock::Clock;
use arena_store::{Limits, MemoryStore, Store, StoreError};
use tempfile::TempDir;

/// A store whose leases end by this clock, and what must live as long.
pub(crate) async fn open(limits: Limits, clock: Clock) -> (Arc<dyn Store>, Option<TempDir>) {
    (Arc::new(MemoryStore::new(limits).with_clock(clock)), None)
}

#[tokio::test]
async fn a_closed_store_is_closed_for_all() {
    let (store, _) = open(Limits::DEFAULT, Clock::system()).await;
    store.ping().await.expect("it answers");
    assert_eq!(store.problems().await.expect("read"), [""; 0]);
    store.clone().close().await;
    assert!(matches!(store.ping().await, Err(StoreError::Unavailable(_))));
    let write = store.create_account(&suite::display("late"), suite::NOW).await;
    assert!(matches!(write, Err(arena_store::AccountError::Store(StoreError::Unavailable(_)))));
}
