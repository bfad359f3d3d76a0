//! `arena admin`: an operator's work on a site's data.

mod backup;
mod check;
mod copy;
mod restore;
mod sums;
mod workers;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result};
use arena_limits::counted;
use arena_store::Store;
use clap::Subcommand;
use tokio::runtime::Runtime;

use crate::exit::{Exit, program};

#[derive(Subcommand)]
pub(crate) enum Admin {
    /// Back up a site's data; the site may be running.
    ///
    /// The backup holds the data as it is at one moment, in the same form, plus SHA256SUMS, which is written last:
    /// `sha256sum --check SHA256SUMS` and `arena admin restore` compare every file with it. It holds the site's
    /// secrets: protect it like the data.
    Backup {
        /// The folder of the site's data, as for `serve --data`.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
        /// The folder for the backup, new or empty.
        #[arg(long, value_name = "DIR")]
        to: PathBuf,
    },
    /// Restore a site's data from a backup.
    Restore {
        /// The backup's folder.
        #[arg(long, value_name = "DIR")]
        from: PathBuf,
        /// The folder for the site's data, new or empty, as for `serve --data`.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
    },
    /// Check all of a site's data for damage; the site may be running.
    ///
    /// Games are replayed by the rules; `arena verify` also asks the bots again. Exits with 3 if anything is damaged.
    Check {
        /// The folder of the site's data, as for `serve --data`.
        #[arg(long, value_name = "DIR", required_unless_present = "database")]
        data: Option<PathBuf>,
        /// The address of the site's database, if it has one.
        #[arg(long, value_name = "URL")]
        database: Option<String>,
    },
    /// Copy a site's data from its folder into a PostgreSQL database, or back; the site must be stopped.
    ///
    /// Tournaments are copied too. The command fails unless both have the same digests in the end. FROM does not
    /// change.
    Copy {
        /// The folder of the site's data, or the address of its database: postgres://USER@HOST/DATABASE.
        from: String,
        /// Where to copy it: an empty database, or a new folder.
        to: String,
    },
    /// Remove unreferenced bots' bytes, left behind by killed processes; the site must be stopped.
    Gc {
        /// The folder of the site's data, as for `serve --data`.
        #[arg(long, value_name = "DIR")]
        data: PathBuf,
    },
    /// Make, list and revoke the tokens of the site's own workers; the site may be running.
    #[command(subcommand)]
    Worker(workers::Worker),
}

pub(crate) fn run(admin: &Admin, out: &mut dyn Write) -> Result<Exit> {
    let runtime = Runtime::new().context("cannot start the runtime")?;
    match admin {
        Admin::Backup { data, to } => runtime.block_on(backup::run(data, to, out)),
        Admin::Restore { from, data } => runtime.block_on(restore::run(from, data, out)),
        Admin::Check { data, database } => check::run(data.as_deref(), database.as_deref(), &runtime, out),
        Admin::Copy { from, to } => runtime.block_on(copy::run(from, to, out)),
        Admin::Gc { data } => runtime.block_on(gc(data, out)),
        Admin::Worker(worker) => runtime.block_on(workers::run(worker, out)),
    }
}

async fn gc(data: &Path, out: &mut dyn Write) -> Result<Exit> {
    anyhow::ensure!(data.exists(), "there is no folder {}: --data is the one that `serve` uses", data.display());
    let store = Arc::new(copy::at_rest(Store::open(data).await)?);
    let removed = store.clone().remove_unnamed().await?;
    store.close().await;
    let mut total = 0;
    for (entrant, bytes) in &removed {
        writeln!(out, "removed {entrant}, {bytes} bytes")?;
        total += bytes;
    }
    writeln!(out, "{} that nothing refers to, {total} bytes", counted(removed.len(), "module"))?;
    Ok(Exit::Yes)
}

/// Creates a folder that only its owner may read, or takes an empty one.
fn fresh(folder: &Path) -> Result<()> {
    if let Ok(mut entries) = folder.read_dir() {
        anyhow::ensure!(
            entries.next().is_none(),
            "{} is not empty: choose a new folder, so that nothing is mixed or lost",
            folder.display()
        );
    }
    let mut builder = std::fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder).with_context(|| format!("cannot create the folder {}", folder.display()))
}

/// A command to type next.
fn next(arguments: &str) -> String {
    format!("{} admin {arguments}", program())
}
