//! `arena serve`: the site.

use std::fs::{self, File};
use std::io::{self, Write};
use std::net::SocketAddr;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use anyhow::{Context, Result, ensure};
use arena_clock::Clock;
use arena_files::{lock, open_with, read_text};
use arena_server::{Assets, Metrics, OperatorToken, PublicUrl, Site, Stop, TrustedProxy, serve_metrics};
use arena_service::fleet::Share;
use arena_service::limits::{BOTS_PER_OWNER_MAX, EDITION_BOTS_PER_OWNER_MAX, THREADS_GRACE};
use arena_service::{Config, Games, Random, Service};
use arena_store::{Store, VOLUNTEER_FIRST_GAMES, WorldName};
use arena_wire::{GAMES, Game};
use arena_worker::limits::IDLE_WORKERS_MAX;
use arena_worker::{Pool, WallPolicy};
use clap::{Args, ValueEnum};
use tokio::net::TcpListener;
use tokio::runtime::Runtime;

use crate::exit::Exit;
use crate::game;
use crate::interrupt::asked_to_stop;
use crate::logging::{self, Logging};

/// The variable with the operator's token, if there is no file.
const OPERATOR_TOKEN: &str = "ARENA_OPERATOR_TOKEN";
/// The greatest size of the file with it, in bytes: it goes into a header.
const OPERATOR_TOKEN_BYTES_MAX: u64 = 8 << 10;

#[derive(Args)]
pub(crate) struct Serve {
    /// The folder for all of the site's data; created if it is missing. With --database it holds only copies of
    /// tournaments, which are fetched again if it is lost, and is in the user's cache folder by default; each server
    /// needs its own.
    #[arg(long, required_unless_present = "database")]
    data: Option<PathBuf>,
    /// Keep everything in this database of PostgreSQL 15 or later, such as postgres://arena@db.example/arena. Any
    /// number of servers may share one database: one of them plays tournaments, and all show them. Every user of the
    /// machine can see a process's flags: put the password into ~/.pgpass or the environment variable PGPASSWORD.
    #[arg(long, value_name = "URL")]
    database: Option<String>,
    /// The address to listen on; port 0 picks a free one.
    #[arg(long, default_value = "127.0.0.1:8080")]
    listen: SocketAddr,
    /// The site's address in browsers, such as https://arena.example: requests for any other host are refused. Without
    /// it, only those for an IP address or localhost are answered.
    #[arg(long, value_name = "URL")]
    public_url: Option<PublicUrl>,
    /// Browsers reach the site over TLS, through a proxy that keeps the headers Host and Origin. Cookies are then sent
    /// only over TLS. An https address in --public-url implies it.
    #[arg(long)]
    behind_tls: bool,
    /// Trust proxies at these addresses to say where a request comes from: the right-most address in X-Forwarded-For
    /// that is not one of theirs. May be given more than once; by default no proxy is trusted.
    #[arg(long, value_name = "CIDR")]
    trusted_proxy: Vec<TrustedProxy>,
    /// Read the operator's token, at least 32 characters, from this file
    /// [default: the environment variable ARENA_OPERATOR_TOKEN]. The operator's page is then at /operator; without a
    /// token there is no such page.
    #[arg(long, value_name = "FILE")]
    operator_token_file: Option<PathBuf>,
    /// Serve Prometheus metrics at /metrics on this address. It has no authentication: keep it private.
    #[arg(long, value_name = "ADDR")]
    metrics: Option<SocketAddr>,
    /// Start a world of Life2 with this name, which runs forever and has a page at /worlds/NAME. Later starts resume it
    /// even without this flag. May be given more than once.
    #[arg(long, value_name = "NAME")]
    world: Vec<WorldName>,
    /// Run bots only if every wall around their processes is in place (required), or behind those that this system has
    /// (best).
    #[arg(long, default_value = "best", value_parser = WallPolicy::from_str)]
    walls: WallPolicy,
    /// Where tournament games are played: on this machine (here), or by every `arena worker` that has a token from
    /// `arena admin worker add` (elsewhere). The results are the same. Bots are judged and live games are played here
    /// in any case.
    #[arg(long, value_enum, default_value_t = WhoPlays::Here, value_name = "WHERE")]
    games: WhoPlays,
    /// With --games elsewhere: let accounts play tournament games too, with tokens of theirs. The site's own workers
    /// play each account's first games and this part of its later ones again; /volunteers says what that proves.
    #[arg(long, value_name = "PART")]
    volunteers: Option<Share>,
    /// Hold the standing tournament of this game; may be given more than once [default: every game].
    #[arg(long, value_name = "GAME", value_parser = game::named)]
    standing: Vec<&'static Game>,
    /// Hold no standing tournament: the site has rooms and the tournaments that accounts start.
    #[arg(long, conflicts_with = "standing")]
    no_standing: bool,
    /// Threads for the standing tournaments. Live games have their own.
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    standing_threads: u16,
    /// Bots of one account in an edition of a standing tournament. Editions that have begun stay as they are. Give all
    /// servers of one database the same number.
    #[arg(long, value_name = "N", default_value_t = BOTS_PER_OWNER_MAX as u16,
        value_parser = clap::value_parser!(u16).range(1..=EDITION_BOTS_PER_OWNER_MAX as i64))]
    bots_per_account: u16,
    /// For work on pages: read scripts and styles from this folder, such as web/static, on every request.
    #[arg(long, value_name = "DIR")]
    assets: Option<PathBuf>,
    #[command(flatten)]
    logging: Logging,
}

/// Where the games of tournaments are played.
#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WhoPlays {
    Here,
    Elsewhere,
}

pub(crate) fn run(serve: &Serve, out: &mut dyn Write) -> Result<Exit> {
    logging::set_up(serve.logging.level()?, serve.logging.format);
    let runtime = Runtime::new().context("cannot start the runtime")?;
    let done = runtime.block_on(listen(serve, out));
    // What still blocks a thread, such as an archive on its way, is no more lost than if the process were killed.
    runtime.shutdown_timeout(THREADS_GRACE);
    done
}

async fn listen(serve: &Serve, out: &mut dyn Write) -> Result<Exit> {
    ensure!(
        serve.games == WhoPlays::Here || serve.database.is_some(),
        "--games elsewhere needs --database: `arena admin worker add` makes the workers' tokens there"
    );
    ensure!(
        serve.games == WhoPlays::Elsewhere || serve.volunteers.is_none(),
        "--volunteers needs --games elsewhere: the site's own workers play some of the volunteers' games again"
    );
    let embedded = Assets::embedded();
    let assets = serve.assets.as_deref().map_or(Ok(embedded.clone()), |folder| embedded.in_folder(folder));
    let assets = assets.and_then(Assets::with_engine)?;
    let listener = TcpListener::bind(serve.listen).await;
    let listener = listener.with_context(|| format!("cannot listen on {}", serve.listen))?;
    let operator = operator_token(serve.operator_token_file.as_deref())?;
    let pool = Pool::of_this_binary_within(serve.walls, IDLE_WORKERS_MAX)
        .context("cannot find the running program for its workers")?;
    // People can play all the same, and uploads wait.
    if let Err(error) = pool.ready() {
        tracing::error!(%error, "no bot can be judged or played here");
    }
    let address = listener.local_addr().context("the listener has no address")?;
    let data = serve.data.clone().unwrap_or_else(|| copies(address));
    let cannot_open = || format!("cannot open {}", data.display());
    let (store, _alone) = open_store(&data, serve.database.as_deref()).await.with_context(cannot_open)?;
    let service = opened(serve, &data, store, pool).await?;
    // Listens before the site announces itself, so that an early signal is not missed.
    let asked = asked_to_stop();
    writeln!(out, "listening on http://{address}")?;
    writeln!(out, "data in {}; stop with Ctrl-C", data.display())?;
    if let Some(share) = serve.volunteers {
        let chance = |games| format!("{games}: {:.1} %", 100.0 * share.undetected(games));
        let chances = [1, 10, 100].map(chance).join(", ");
        writeln!(
            out,
            "chance that forged games stay undetected, after a volunteer's first {VOLUNTEER_FIRST_GAMES} games: {chances}"
        )?;
    }
    out.flush()?;
    let stop = Stop::default();
    let told = stop.clone();
    tokio::spawn(async move {
        asked.await;
        told.now();
    });
    let metrics = Metrics::default();
    if let Some(address) = serve.metrics {
        let inside = TcpListener::bind(address).await.with_context(|| format!("cannot listen on {address}"))?;
        let bound = inside.local_addr().context("the listener has no address")?;
        writeln!(out, "metrics on http://{bound}/metrics")?;
        out.flush()?;
        tokio::spawn(serve_metrics(metrics.clone(), service.clone(), inside));
    }
    let site = Site {
        service: service.clone(),
        assets,
        public_url: serve.public_url.clone(),
        secure: serve.behind_tls || serve.public_url.as_ref().is_some_and(PublicUrl::is_secure),
        trusted_proxies: serve.trusted_proxy.clone(),
        operator,
        metrics,
        log_addresses: serve.logging.addresses,
    };
    arena_server::serve(site, listener, stop).await;
    service.close().await;
    writeln!(out, "stopped; the same command resumes")?;
    Ok(Exit::Yes)
}

/// Opens the site, with the worlds that are to be started.
async fn opened(serve: &Serve, data: &Path, store: Arc<Store>, pool: Pool) -> Result<Service> {
    let games = match serve.games {
        WhoPlays::Here => Games::Here,
        WhoPlays::Elsewhere => Games::Elsewhere,
    };
    let all = serve.standing.is_empty() && !serve.no_standing;
    let standing = if all { GAMES.iter().collect() } else { serve.standing.clone() };
    let (standing_threads, bots_per_account) = (serve.standing_threads.into(), serve.bots_per_account.into());
    let volunteers = serve.volunteers;
    let (clock, random) = (Clock::system(), Random::system());
    let config = Config {
        clock,
        random,
        store,
        data: data.to_owned(),
        pool,
        standing,
        standing_threads,
        bots_per_account,
        games,
        volunteers,
    };
    let service = Service::open(config).await.with_context(|| format!("cannot open {}", data.display()))?;
    for world in &serve.world {
        service.worlds().start(world).await.with_context(|| format!("cannot start the world {world}"))?;
    }
    Ok(service)
}

/// The default folder of a database server's copies. Servers on one machine listen on different addresses, so each has
/// its own.
fn copies(address: SocketAddr) -> PathBuf {
    let place = format!("{}-{}", address.ip(), address.port());
    dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("arena").join("site").join(place)
}

/// The site's store, and the lock that keeps other processes out of the folder while it is held.
async fn open_store(data: &Path, database: Option<&str>) -> Result<(Arc<Store>, Option<File>)> {
    let Some(url) = database else {
        return Ok((Arc::new(Store::open(data).await?), None));
    };
    ensure!(
        !Store::is_in(data),
        "the folder holds accounts and bots of its own: `arena admin copy` moves them into a database; then serve without --data"
    );
    fs::create_dir_all(data)?;
    let store = Store::connect_to_serve(url, data).await?;
    let alone = open_with(File::options().write(true).create(true).truncate(true), &data.join("lock"))?;
    lock(&alone).map_err(io::Error::from).context("another process uses this folder: each server needs its own")?;
    Ok((Arc::new(store), Some(alone)))
}

/// The operator's token, from a file or the environment: every user of the machine can see the flags of a process.
fn operator_token(file: Option<&Path>) -> Result<Option<OperatorToken>> {
    let text = match file {
        Some(file) => {
            let text = read_text(file, OPERATOR_TOKEN_BYTES_MAX);
            Some(text.with_context(|| format!("cannot read {}", file.display()))?)
        }
        None => std::env::var(OPERATOR_TOKEN).ok(),
    };
    text.map(|text| OperatorToken::parse(&text)).transpose().context("the operator's token cannot be used")
}
