//! `arena worker`: plays games of tournaments for a site, from its database or its address.

mod volunteer;

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::pin::pin;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use arena_clock::Clock;
use arena_runner::build_id;
use arena_service::fleet::{self, News, OwnQueue, Pace, Source};
use arena_store::{GAMES_OF_A_CALL_MAX, LEASE_MS_MAX, NotAWorkerName, Store, WorkerName};
use arena_worker::limits::IDLE_WORKERS_MAX;
use arena_worker::{Pool, WallPolicy};
use clap::Args;
use tokio::runtime::Runtime;
use tokio::time::sleep;

use crate::exit::Exit;
use crate::interrupt::asked_to_stop;
use crate::logging::{self, Logging};
use crate::parallel::Threads;

use volunteer::Volunteer;

/// How long running games of the process may take to end when it stops. Nothing is lost if they do not.
const STOP_GRACE: Duration = Duration::from_millis(100);

/// Pause before an unreachable database is tried again.
const DATABASE_PAUSE: Duration = Duration::from_secs(1);

/// The name of a machine without a name.
const UNNAMED: &str = "worker";

#[derive(Args)]
pub(crate) struct Worker {
    /// The database of the site, as for `serve --database`, such as postgres://arena@db.example/arena. Every user of
    /// the machine can see a process's flags: put the password into ~/.pgpass or the environment variable PGPASSWORD.
    #[arg(long, value_name = "URL", required_unless_present = "server", conflicts_with = "server")]
    database: Option<String>,
    /// The address of a site that takes volunteers, such as https://arena.example: play games for it without access to
    /// its database.
    #[arg(long, value_name = "URL")]
    server: Option<String>,
    /// With --server: a token with the scope `work`, from the site's page /account. Every user of the machine can see a
    /// process's flags: put it into the environment variable ARENA_TOKEN instead.
    #[arg(long, value_name = "TOKEN", requires = "server")]
    token: Option<String>,
    /// With --server: trust the certificate authorities in this PEM file instead of the usual ones.
    #[arg(long, value_name = "FILE", requires = "server")]
    ca: Option<PathBuf>,
    /// With --database: this worker's name [default: the machine's name]. If two workers disagree about a game, one
    /// with another name decides.
    #[arg(long, value_parser = WorkerName::parse, conflicts_with = "server")]
    name: Option<WorkerName>,
    #[command(flatten)]
    threads: Threads,
    /// The most games to claim at once. Fewer are claimed if they take long.
    #[arg(long, default_value = "32", value_parser = clap::value_parser!(u16).range(1..=GAMES_OF_A_CALL_MAX as i64))]
    batch: u16,
    /// The lease of claimed games, in seconds. It is renewed while this process runs; once it expires, others get the
    /// games.
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = clap::value_parser!(u32).range(1..=(LEASE_MS_MAX / 1_000) as i64))]
    lease: u32,
    /// The folder to cache bots' bytes in; it may be deleted [default: in the user's cache folder].
    #[arg(long, value_name = "DIR")]
    cache: Option<PathBuf>,
    /// Run bots only if every wall around their processes is in place (required), or behind those that this system has
    /// (best).
    #[arg(long, default_value = "best", value_parser = WallPolicy::from_str)]
    walls: WallPolicy,
    #[command(flatten)]
    logging: Logging,
}

pub(crate) fn run(worker: &Worker, out: &mut dyn Write) -> Result<Exit> {
    logging::set_up(worker.logging.level()?, worker.logging.format);
    let runtime = Runtime::new().context("cannot start the runtime")?;
    let done = runtime.block_on(play(worker, out));
    // Games that are still being played here belong to other workers by now.
    runtime.shutdown_timeout(STOP_GRACE);
    done
}

/// The source of a worker's games, and the worker's name.
type Place = (Arc<dyn Source>, String);

async fn play(worker: &Worker, out: &mut dyn Write) -> Result<Exit> {
    let pool = Pool::of_this_binary_within(worker.walls, IDLE_WORKERS_MAX)
        .context("cannot find the running program for its workers")?;
    pool.ready().context("no bot can play here")?;
    let mut asked = pin!(asked_to_stop());
    let found = match (&worker.server, &worker.database) {
        (Some(server), _) => {
            let source = Volunteer::new(server, worker.token.clone(), worker.ca.as_deref())?;
            Some((Arc::new(source) as Arc<dyn Source>, format!("for {server}")))
        }
        (None, database) => of_database(worker, database.as_deref().unwrap_or_default(), &mut asked).await?,
    };
    let Some((source, called)) = found else { return Ok(Exit::Yes) };
    let pace =
        Pace { places: worker.threads.count(), batch: worker.batch.into(), lease_ms: u64::from(worker.lease) * 1_000 };
    writeln!(out, "worker {called} of {} plays {} games at once; stop with Ctrl-C", build_id(), pace.places)?;
    out.flush()?;
    let cache = worker.cache.clone().unwrap_or_else(cache);
    let works = fleet::Worker { clock: Clock::system(), source, pool, pace, cache };
    let submitted = fleet::work(works, asked, |news| match news {
        News::Other(other) => {
            tracing::warn!("waiting games need {}; this is {}", other.build, build_id());
        }
        News::Lost(games) => {
            tracing::warn!(
                "claimed games are lost: {games}; the lease expired and others have them, or nobody needs them"
            );
        }
        News::NotCounted(taken) => tracing::warn!("a submitted game does not count: {taken}"),
        News::Trouble(why) => tracing::warn!("{why}; games already played are kept and submitted later"),
        News::Back => tracing::warn!("games can be claimed again"),
        News::Played(games) => tracing::info!(games, "games were submitted"),
    })
    .await?;
    writeln!(out, "{submitted} games played; the other claimed ones are handed back")?;
    Ok(Exit::Yes)
}

/// The queue in a site's database, once that answers; `None` if the worker is stopped before.
async fn of_database(worker: &Worker, url: &str, asked: impl Future<Output = ()> + Unpin) -> Result<Option<Place>> {
    let name = worker.name.clone().map_or_else(machine, Ok)?;
    let mut asked = asked;
    let mut is_told = false;
    loop {
        let opened = tokio::select! {
            () = &mut asked => return Ok(None),
            opened = Store::connect(url) => opened,
        };
        match opened {
            Ok(store) => {
                let called = name.to_string();
                return Ok(Some((Arc::new(OwnQueue { store: Arc::new(store), name }), called)));
            }
            Err(error) if error.may_pass() => {
                if !std::mem::replace(&mut is_told, true) {
                    tracing::warn!("{error}; trying again every second, until Ctrl-C");
                }
                tokio::select! {
                    () = &mut asked => return Ok(None),
                    () = sleep(DATABASE_PAUSE) => {}
                }
            }
            Err(error) => return Err(error).context("cannot open the site's database"),
        }
    }
}

/// The machine's own name, as far as it is valid for a worker.
fn machine() -> Result<WorkerName, NotAWorkerName> {
    let name = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    WorkerName::parse(name.trim()).or_else(|_| WorkerName::parse(UNNAMED))
}

fn cache() -> PathBuf {
    dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("arena").join("bots")
}
