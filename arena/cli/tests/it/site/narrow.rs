//! A site with few places for rooms: this program once more, in a process of its own, because no flag of `arena serve`
//! sets a store's limits.

use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use arena_clock::Clock;
use arena_server::{Assets, Metrics, OperatorToken, Stop};
use arena_service::limits::BOTS_PER_OWNER_MAX;
use arena_service::{Config, Games, Random, Service};
use arena_store::{Limits, Store};
use arena_worker::Pool;
use tokio::net::TcpListener;

use crate::{again, assets};

/// Rooms that are open at once: more than there are bots whose processes wait for their next turn.
pub(crate) const ROOMS: u32 = 40;

/// The variables of a child that is such a site: the folder of its data, and the operator's token.
const NARROW: &str = "ARENA_TEST_NARROW";
const OPERATOR: &str = "ARENA_TEST_OPERATOR";

/// The command that starts such a site with its data in `folder/data`.
pub(crate) fn command(folder: &Path, operator: &str) -> Command {
    let mut command = again::test("site::narrow::child");
    command.env(NARROW, folder).env(OPERATOR, operator);
    command
}

/// The site. As a test of its own, without the variables, it does nothing.
#[tokio::test(flavor = "multi_thread")]
async fn child() {
    if let (Some(folder), Ok(operator)) = (env::var_os(NARROW), env::var(OPERATOR)) {
        serve(Path::new(&folder), &operator).await;
    }
}

async fn serve(folder: &Path, operator: &str) {
    let limits = Limits { open_rooms_max: ROOMS, ..Limits::DEFAULT };
    let data = folder.join("data");
    let store: Arc<Store> = Arc::new(Store::open_with(&data, limits).await.unwrap());
    let pool = Pool::new(env!("CARGO_BIN_EXE_arena").into(), ["guests", "--walls", "best"].map(Into::into).into(), 2);
    let (standing, standing_threads, bots_per_account) = (Vec::new(), 1, BOTS_PER_OWNER_MAX);
    let (games, volunteers, clock, random) = (Games::Here, None, Clock::system(), Random::system());
    let config =
        Config { clock, random, store, data, pool, standing, standing_threads, bots_per_account, games, volunteers };
    let service = Service::open(config).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    // A line of its own: the harness leaves one unfinished.
    println!("\nlistening on http://{}", listener.local_addr().unwrap());
    let site = arena_server::Site {
        service,
        assets: Assets::embedded().in_folder(&assets::copy_into(folder)).unwrap(),
        public_url: None,
        secure: false,
        trusted_proxies: Vec::new(),
        operator: Some(OperatorToken::parse(operator).unwrap()),
        metrics: Metrics::default(),
        log_addresses: false,
    };
    arena_server::serve(site, listener, Stop::default()).await;
}
