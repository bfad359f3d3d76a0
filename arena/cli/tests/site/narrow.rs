//! A site with few places for rooms: this program once more, in a process of its own, because no flag of `arena serve` sets a store's
//! limits.

use std::env;
use std::path::Path;
use std::process::Command;
use std::sync::Arc;

use arena_server::{Assets, Metrics, OperatorToken, Stop};
use arena_service::limits::BOTS_PER_OWNER_MAX;
use arena_service::{Config, Games, Service};
use arena_store::{Limits, SqliteStore, Store};
use arena_worker::Pool;
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::assets;

/// Rooms that are open at once: more than there are bots whose processes wait for their next turn.
pub(crate) const ROOMS: u32 = 40;

/// Says to be a site, before the folder of its data and the operator's token.
const NARROW: &str = "--narrow";

/// The command that starts such a site with its data in `folder/data`.
pub(crate) fn command(folder: &Path, operator: &str) -> Command {
    let mut command = Command::new(env::current_exe().unwrap());
    command.arg(NARROW).arg(folder).arg(operator);
    command
}

/// Is a site, if this process was started as one.
pub(crate) fn is_one() -> bool {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [NARROW, folder, operator] = [0, 1, 2].map(|at| arguments.get(at).map_or("", String::as_str)) else {
        return false;
    };
    Runtime::new().unwrap().block_on(serve(Path::new(folder), operator));
    true
}

async fn serve(folder: &Path, operator: &str) {
    let limits = Limits { open_rooms_max: ROOMS, ..Limits::DEFAULT };
    let data = folder.join("data");
    let store: Arc<dyn Store> = Arc::new(SqliteStore::open_with(&data, limits).await.unwrap());
    let pool = Pool::new(env!("CARGO_BIN_EXE_arena").into(), ["guests", "--walls", "best"].map(Into::into).into(), 2);
    let (standing, standing_threads, bots_per_account) = (Vec::new(), 1, BOTS_PER_OWNER_MAX);
    let (games, volunteers) = (Games::Here, None);
    let config = Config { store, data, pool, standing, standing_threads, bots_per_account, games, volunteers };
    let service = Service::open(config).await.unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    println!("listening on http://{}", listener.local_addr().unwrap());
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
