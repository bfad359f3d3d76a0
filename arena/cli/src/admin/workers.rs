//! `arena admin worker`: the tokens of the site's own workers.

use std::io::Write;

use anyhow::{Context, Result, ensure};
use arena_clock::Clock;
use arena_store::{OwnWorker, Store, UnixSeconds, WorkerName};
use clap::{Args, Subcommand};

use crate::exit::Exit;

#[derive(Subcommand)]
pub(crate) enum Worker {
    /// Add a worker and print its token, which is not shown again. The token belongs to no account.
    Add(Named),
    /// List the workers: when each was added, when it last asked for games, and whether it is quarantined.
    List(Place),
    /// Revoke a worker's token. What the worker has submitted stays; the games that it holds are free at once.
    Revoke(Named),
}

#[derive(Args)]
pub(crate) struct Place {
    /// The address of the site's database, as for `serve --database`.
    #[arg(long, value_name = "URL")]
    database: String,
}

#[derive(Args)]
pub(crate) struct Named {
    /// The worker's name. If two workers disagree about a game, one with another name decides.
    #[arg(value_parser = WorkerName::parse)]
    name: WorkerName,
    #[command(flatten)]
    place: Place,
}

pub(super) async fn run(worker: &Worker, out: &mut dyn Write) -> Result<Exit> {
    let (Worker::Add(Named { place, .. }) | Worker::List(place) | Worker::Revoke(Named { place, .. })) = worker;
    let store = Store::connect(&place.database).await.context("cannot open the site's database")?;
    let now = UnixSeconds(Clock::system().unix_seconds());
    match worker {
        Worker::Add(Named { name, .. }) => {
            let token = store.add_worker(name, now).await?;
            writeln!(out, "{}", token.expose())?;
            writeln!(out, "This is the token of the worker {name}, shown only now. On its machine:")?;
            writeln!(out, "  ARENA_TOKEN=... arena worker --server https://THE.SITE")?;
        }
        Worker::List(_) => {
            for OwnWorker { name, created_at, used_at, quarantined } in store.workers().await? {
                let used = used_at.map_or("never used".into(), |at| format!("last used {} s ago", now.0 - at.0));
                let why = quarantined.map_or(String::new(), |reason| format!(", quarantined: {reason}"));
                writeln!(out, "{name}: added {} s ago, {used}{why}", now.0 - created_at.0)?;
            }
        }
        Worker::Revoke(Named { name, .. }) => {
            ensure!(store.revoke_worker(name).await?, "there is no worker {name}");
            writeln!(out, "the token of the worker {name} is revoked")?;
        }
    }
    Ok(Exit::Yes)
}
