//! The store from outside: one module per area, and what happens when the process dies.

mod accounts;
mod bots;
mod cancel;
mod crash;
mod directory;
mod games;
mod names;
mod opening;
mod rooms;
mod sessions;

use std::sync::Arc;

use arena_store::{Account, BotName, DisplayName, Limits, PlayerCode, Store, UnixSeconds};
use tempfile::TempDir;

/// What bots play where it does not matter.
const GAME: &str = "conquerors@2";

const NOW: UnixSeconds = UnixSeconds(1_800_000_000);

fn later(seconds: i64) -> UnixSeconds {
    UnixSeconds(NOW.0 + seconds)
}

/// A store in a folder that goes away with the test.
struct Fixture {
    store: Store,
    folder: TempDir,
}

async fn fixture() -> Fixture {
    fixture_with(Limits::DEFAULT).await
}

async fn fixture_with(limits: Limits) -> Fixture {
    let folder = tempfile::tempdir().expect("a folder");
    let store = Store::open_with(folder.path(), limits).await.expect("a store");
    Fixture { store, folder }
}

impl Fixture {
    async fn account(&self, name: &str) -> (Account, PlayerCode) {
        self.store.create_account(&display(name), NOW).await.expect(name)
    }
}

fn display(name: &str) -> DisplayName {
    DisplayName::parse(name).expect(name)
}

fn bot_name(name: &str) -> BotName {
    BotName::parse(name).expect(name)
}

fn bytes(text: &str) -> Arc<[u8]> {
    text.as_bytes().into()
}
