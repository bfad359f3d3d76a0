//! The store at a server: it does what every store does, and what only one does that many processes share.

mod cluster;
mod copies;
#[path = "../../suite/folders.rs"]
mod folders;
#[path = "../../../histories/mod.rs"]
mod histories;
mod moment;
mod opening;
mod shared;
#[path = "../../suite/mod.rs"]
mod suite;

use std::sync::Arc;

use arena_clock::Clock;
use arena_store::{Limits, Store};
use tempfile::TempDir;
use tokio::sync::OnceCell;

use crate::eventually::eventually;
use cluster::{Cluster, cluster, is_there};

/// How many random histories a store lives through: each asks a server some thousand times.
const HISTORIES: u32 = 8;

/// A database with today's tables and nothing in them. A copy of it is made in a tenth of the time that the tables
/// take.
const TEMPLATE: &str = "template_arena";

/// A store of its own whose leases end by this clock. Its database goes away with the server. On a machine without
/// PostgreSQL it is a store in memory: a test of the suite cannot be left out from here.
pub(crate) async fn open(limits: Limits, clock: Clock) -> (Arc<Store>, Option<TempDir>) {
    if !is_there() {
        return (plain(limits, clock).await, None);
    }
    let store = Store::connect_with(&fresh().await, patient(limits)).await.expect("a store");
    (Arc::new(store.with_clock(clock)), None)
}

/// What a store at a server is compared with: one in memory, whose statements are those of a store in a folder. That
/// one is compared with a model.
type Plain = Store;

async fn plain(limits: Limits, clock: Clock) -> Arc<Plain> {
    Arc::new(Store::in_memory(limits).await.expect("a store").with_clock(clock))
}

/// The same limits for a store that waits for its server longer than a busy machine needs.
fn patient(limits: Limits) -> Limits {
    Limits { wait_ms_max: 60_000, ..limits }
}

async fn open_at(url: &str, limits: Limits) -> Arc<Store> {
    Arc::new(Store::connect_with(url, patient(limits)).await.expect("a store"))
}

/// A store that waits half a second for its server: a busy machine may take longer to open it.
async fn open_hasty(url: &str) -> Arc<Store> {
    let limits = Limits { wait_ms_max: 500, ..Limits::DEFAULT };
    Arc::new(eventually("the store to open", async || Store::connect_with(url, limits).await).await)
}

/// The address of a new database.
async fn fresh() -> String {
    static MADE: OnceCell<()> = OnceCell::const_new();
    let make = || async {
        let _one = cluster().lock(TEMPLATE);
        if !cluster().has_database(TEMPLATE) {
            let part = format!("{TEMPLATE}_part");
            cluster().sql("postgres", &format!("drop database if exists {part}"));
            cluster().make_database(&part, None);
            open_at(&cluster().url(&part), Limits::DEFAULT).await.close().await;
            cluster().sql("postgres", &format!("alter database {part} rename to {TEMPLATE}"));
        }
    };
    MADE.get_or_init(make).await;
    cluster().database(Some(TEMPLATE))
}

/// Not a test of anything: `cargo xtask test` starts it for the server that all tests share, and ends it by closing its
/// input.
#[test]
#[expect(clippy::print_stdout, reason = "what the starter reads")]
fn serves_all_tests() {
    if std::env::var_os("ARENA_SERVE_CLUSTER").is_none() || !is_there() {
        return;
    }
    let cluster = Cluster::start("");
    println!("cluster: {}", cluster.folder().display());
    std::io::stdin().read_line(&mut String::new()).expect("its end");
}
