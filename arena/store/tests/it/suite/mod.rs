//! What every store does, whatever is behind it: one module for each subject. The test that includes this says what a
//! store is, in `super::open`.

mod accounts;
mod at_once;
mod bots;
mod contests;
mod deletion;
mod directory;
mod games;
mod logs;
mod names;
mod operations;
mod people;
mod queue;
mod rooms;
mod secrets;
mod sessions;
mod texts;
mod tokens;
mod tombstones;
mod values;
mod workers;
mod worlds;

use std::sync::Arc;
use std::time::Duration;

use arena_clock::Clock;
use arena_rooms::RoomId;
use arena_store::{Account, AccountId, Limits, PlayerCode, RoomTerms, Store, Verdict, Version};
use tempfile::TempDir;

pub(crate) use values::{NOW, bot_name, bytes, display, later, refused, room_id, terms};

/// What bots play where it does not matter.
pub(crate) const GAME: &str = "conquerors@2";

/// The terms of rooms where they do not matter.
pub(crate) const TERMS: RoomTerms = terms(0);

/// A store that goes away with the test.
pub(crate) struct Fixture {
    /// The clock by which its leases end.
    pub(crate) clock: Clock,
    pub(crate) store: Arc<Store>,
    _folder: Option<TempDir>,
}

pub(crate) async fn fixture() -> Fixture {
    fixture_with(Limits::DEFAULT).await
}

pub(crate) async fn fixture_with(limits: Limits) -> Fixture {
    let clock = Clock::manual(Duration::from_secs(NOW.0.unsigned_abs()));
    let (store, _folder) = super::open(limits, clock.clone()).await;
    Fixture { clock, store, _folder }
}

impl Fixture {
    async fn account(&self, name: &str) -> (Account, PlayerCode) {
        self.store.create_account(&display(name), NOW).await.expect(name)
    }

    async fn submit(&self, account: AccountId, name: &str, content: &str) -> Version {
        let submitted = self.store.submit(account, &bot_name(name), GAME, bytes(content), NOW).await;
        submitted.expect(name).version().clone()
    }

    async fn judge(&self, version: &Version, verdict: Verdict) -> Version {
        self.store.set_verdict(version.id, verdict).await.expect("a verdict")
    }

    async fn room(&self, number: u128) -> RoomId {
        let id = room_id(number);
        self.store.create_room(&id, "start", &TERMS, NOW).await.expect("a room");
        id
    }

    async fn events(&self, id: &RoomId) -> Vec<String> {
        self.store.room(id).await.expect("read").expect("the room").events
    }
}
