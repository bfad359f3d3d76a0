//! A store in a folder answers every call as the model does.

#[path = "../histories/mod.rs"]
mod histories;
#[path = "../it/suite/values.rs"]
mod suite;

use std::sync::Arc;

use arena_clock::Clock;
use tempfile::{TempDir, tempdir};

use super::Model as Plain;
use crate::{Limits, Store};

/// How many random histories a store lives through.
const HISTORIES: u32 = 24;

async fn open(limits: Limits, clock: Clock) -> (Arc<Store>, TempDir) {
    let folder = tempdir().expect("a folder");
    let store = Store::open_with(folder.path(), limits).await.expect("a store");
    (Arc::new(store.with_clock(clock)), folder)
}

async fn plain(limits: Limits, clock: Clock) -> Arc<Plain> {
    Arc::new(Plain::new(limits, clock))
}
