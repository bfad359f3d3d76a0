//! `arena worker`: plays games of tournaments for the site at an address.

mod site_queue;

use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use anyhow::{Context, Result};
use arena_clock::Clock;
use arena_limits::counted;
use arena_runner::build_id;
use arena_service::fleet::{self, News, Pace};
use arena_store::{GAMES_OF_A_CALL_MAX, LEASE_MS_MAX};
use arena_worker::limits::IDLE_WORKERS_MAX;
use arena_worker::{Pool, WallPolicy};
use clap::Args;
use tokio::runtime::Runtime;

use crate::exit::Exit;
use crate::interrupt::asked_to_stop;
use crate::logging::{self, Logging};
use crate::parallel::Threads;

use site_queue::SiteQueue;

/// How long running games of the process may take to end when it stops. Nothing is lost if they do not.
const STOP_GRACE: Duration = Duration::from_millis(100);

#[derive(Args)]
pub(crate) struct Worker {
    /// The site's address, such as https://arena.example.
    #[arg(long, value_name = "URL")]
    server: String,
    /// The token of one of the site's own workers, from `arena admin worker add`, or one of an account with the scope
    /// `work`, from the page /account of a site that takes volunteers. Every user of the machine can see a process's
    /// flags: put it into the environment variable ARENA_TOKEN instead.
    #[arg(long, value_name = "TOKEN")]
    token: Option<String>,
    /// Trust the certificate authorities in this PEM file instead of the usual ones.
    #[arg(long, value_name = "FILE")]
    ca: Option<PathBuf>,
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

async fn play(worker: &Worker, out: &mut dyn Write) -> Result<Exit> {
    let pool = Pool::of_this_binary_within(worker.walls, IDLE_WORKERS_MAX)
        .context("cannot find the running program for its workers")?;
    pool.ready().context("no bot can play here")?;
    let asked = asked_to_stop();
    let source = Arc::new(SiteQueue::new(&worker.server, worker.token.clone(), worker.ca.as_deref())?);
    let pace =
        Pace { places: worker.threads.count(), batch: worker.batch.into(), lease_ms: u64::from(worker.lease) * 1_000 };
    let (server, build, places) = (&worker.server, build_id(), pace.places);
    writeln!(out, "worker for {server} of {build} plays {} at once; stop with Ctrl-C", counted(places, "game"))?;
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
    writeln!(out, "{} played; the other claimed ones are handed back", counted(submitted, "game"))?;
    Ok(Exit::Yes)
}

fn cache() -> PathBuf {
    dirs::cache_dir().unwrap_or_else(std::env::temp_dir).join("arena").join("bots")
}
