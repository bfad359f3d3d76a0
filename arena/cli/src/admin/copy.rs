//! `arena admin copy`.

use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail, ensure};
use arena_limits::counted;
use arena_record::Hex;
use arena_service::FolderReplica;
use arena_store::{Copied, OpenError, Store};

use super::fresh;
use crate::exit::Exit;

/// The place of a store: a database's address, or a folder.
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
    let (Copied { rows, modules, digest }, (tournaments, same), next) = match (Place::of(from), Place::of(to)) {
        (Place::Folder(folder), Place::Server(url)) => {
            ensure!(folder.exists(), "there is no folder {}: name the one that `serve` uses", folder.display());
            let store = at_rest(Store::open(folder).await)?;
            let server = Arc::new(Store::connect_alone(url).await?);
            let copied = store.copy_into(&server).await?;
            let tournaments = send(&server, folder).await?;
            server.close().await;
            (copied, tournaments, "next: `arena serve --database URL`".to_owned())
        }
        (Place::Server(url), Place::Folder(folder)) => {
            let server = Arc::new(Store::connect_alone(url).await?);
            fresh(folder)?;
            let copied = server.copy_into(&Store::open(folder).await?).await?;
            let tournaments = fetch(&server, folder).await?;
            server.close().await;
            (copied, tournaments, format!("next: `arena serve --data {}`", folder.display()))
        }
        (Place::Server(from), Place::Server(to)) => {
            let (server, other) = (Store::connect_alone(from).await?, Store::connect_alone(to).await?);
            let (server, other) = (Arc::new(server), Arc::new(other));
            let copied = server.copy_into(&other).await?;
            let between = tempfile::tempdir().context("cannot create a folder for tournaments")?;
            let fetched = fetch(&server, between.path()).await?;
            let sent = send(&other, between.path()).await?;
            ensure!(fetched == sent, "the copies of tournaments differ from the originals");
            server.close().await;
            other.close().await;
            (copied, sent, "next: `arena serve --database URL`".to_owned())
        }
        (Place::Folder(_), Place::Folder(_)) => bail!("both are folders: `arena admin backup` copies one"),
    };
    let [rows, modules] = [counted(rows, "row"), counted(modules, "module")];
    writeln!(out, "copied {rows} and {modules}; both say sha256:{digest}")?;
    writeln!(out, "copied {}; both say sha256:{same}", counted(tournaments, "tournament"))?;
    writeln!(out, "{next}")?;
    Ok(Exit::Yes)
}

/// The number of tournaments, and the hash of their files.
type Tournaments = (usize, Hex<32>);

/// Copies a folder's tournaments into a database that has none.
async fn send(server: &Arc<Store>, folder: &Path) -> Result<Tournaments> {
    let replica = FolderReplica::once(server.clone(), folder);
    ensure!(replica.digest_there().await?.0 == 0, "the database has tournaments already");
    replica.send_new().await.context("cannot copy the tournaments")?;
    compared(&replica).await
}

/// Copies a database's tournaments into a folder that has none.
async fn fetch(server: &Arc<Store>, folder: &Path) -> Result<Tournaments> {
    let replica = FolderReplica::once(server.clone(), folder);
    replica.fetch().await.context("cannot copy the tournaments")?;
    compared(&replica).await
}

async fn compared(replica: &FolderReplica) -> Result<Tournaments> {
    let (here, there) = (replica.digest_here()?, replica.digest_there().await?);
    ensure!(here == there, "the copies of tournaments differ from the originals: {} is not {}", here.1, there.1);
    Ok(here)
}

/// Refuses a store in use, in which the site may write meanwhile.
pub(super) fn at_rest(opened: Result<Store, OpenError>) -> Result<Store> {
    match opened {
        Err(OpenError::Busy(_)) => opened.context("stop the site first"),
        opened => Ok(opened?),
    }
}
