//! `arena admin copy`.

use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use arena_store::{Copied, OpenError, PostgresStore, SqliteStore};

use super::fresh;
use crate::exit::Exit;

/// What a store is in: a database's address, or a folder.
enum Place<'a> {
    Folder(&'a Path),
    Server(&'a str),
}

impl Place<'_> {
    fn of(text: &str) -> Place<'_> {
        if text.contains("://") { Place::Server(text) } else { Place::Folder(Path::new(text)) }
    }
}

pub(super) async fn run(from: &str, to: &str, out: &mut dyn Write) -> Result<Exit> {
    let (copied, next) = match (Place::of(from), Place::of(to)) {
        (Place::Folder(folder), Place::Server(url)) => {
            anyhow::ensure!(folder.exists(), "there is no folder {}: name the one that `serve` uses", folder.display());
            let store = at_rest(SqliteStore::open(folder).await)?;
            let copied = store.copy_into(&PostgresStore::open_alone(url).await?).await?;
            let folder = folder.display();
            (
                copied,
                format!(
                    "tournaments stay in {folder}: move arena.db and blobs out of it, then `arena serve --data {folder} --database URL`"
                ),
            )
        }
        (Place::Server(url), Place::Folder(folder)) => {
            let store = PostgresStore::open_alone(url).await?;
            fresh(folder)?;
            let copied = store.copy_into(&SqliteStore::open(folder).await?).await?;
            let folder = folder.display();
            (
                copied,
                format!(
                    "tournaments are not in a database: copy the folder tournaments of the site's --data to {folder}"
                ),
            )
        }
        (Place::Server(from), Place::Server(to)) => {
            let store = PostgresStore::open_alone(from).await?;
            let copied = store.copy_into(&PostgresStore::open_alone(to).await?).await?;
            (copied, "tournaments stay where they are: serve the same --data".into())
        }
        (Place::Folder(_), Place::Folder(_)) => bail!("both are folders: `arena admin backup` copies one"),
    };
    let Copied { rows, modules, digest } = copied;
    writeln!(out, "copied {rows} rows and {modules} modules; both say sha256:{digest}")?;
    writeln!(out, "{next}")?;
    Ok(Exit::Yes)
}

/// What is written meanwhile would be in one of the two only.
fn at_rest(opened: Result<SqliteStore, OpenError>) -> Result<SqliteStore> {
    match opened {
        Err(OpenError::Busy(_)) => opened.context("stop the site first"),
        opened => Ok(opened?),
    }
}
