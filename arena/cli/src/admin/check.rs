//! `arena admin check`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use arena_limits::counted;
use arena_runner::layout::{MANIFEST, RESULTS};
use arena_runner::{Depth, Finding, Host, verify_folder};
use arena_service::{FolderReplica, ReplicaError};
use arena_store::{Inspection, Store, StoreError};
use tokio::runtime::Runtime;

use super::next;
use crate::bots;
use crate::exit::Exit;

/// Plays no game again, which is the work of `arena verify`.
const BY_RULES: Depth = Depth::Sample { games: 0, seed: 0 };

pub(super) fn run(data: Option<&Path>, database: Option<&str>, runtime: &Runtime, out: &mut dyn Write) -> Result<Exit> {
    let Inspection { problems: mut damages, digest } = match (database, data) {
        (Some(url), _) => runtime.block_on(Store::inspect_server(url))?,
        (None, Some(data)) => runtime.block_on(Store::inspect(data))?,
        (None, None) => bail!("name the site's folder with --data, or its database with --database"),
    };
    let folders = data.map_or(Ok(Vec::new()), |data| finished(&data.join("tournaments")))?;
    let host = bots::host(1)?;
    // By name: a folder that is a copy of one in the database is the same tournament.
    let mut checked = BTreeSet::new();
    for folder in &folders {
        damages.extend(damage(folder, &folder.display().to_string(), &*host, out)?);
        checked.extend(folder.file_name().map(|name| name.to_string_lossy().into_owned()));
    }
    match database {
        Some(url) if digest.is_some() => checked.extend(kept(url, runtime, &*host, &mut damages, out)?),
        Some(_) => writeln!(out, "not checked: tournaments in the database, whose tables an earlier release made")?,
        None => {}
    }
    for damage in &damages {
        writeln!(out, "damaged: {damage}")?;
    }
    if damages.is_empty() {
        let what = data.map_or("the site".to_owned(), |data| data.display().to_string());
        let count = counted(checked.len(), "finished tournament");
        writeln!(out, "{what} is whole: the database, the bots' bytes, {count}")?;
        if let Some(digest) = digest {
            writeln!(out, "the database and the bots' bytes: sha256:{digest}")?;
        }
        return Ok(Exit::Yes);
    }
    if database.is_some() {
        writeln!(
            out,
            "what to do: stop the site, and restore an earlier state of the database with your server's own tools"
        )?;
    } else if let Some(data) = data {
        let data = data.display();
        writeln!(out, "what to do: keep a copy of {data}, stop the site, and restore the last good backup:")?;
        writeln!(out, "  {}", next("restore --from BACKUP --data NEW"))?;
    }
    writeln!(out, "a tournament's folder that is damaged may also be removed: the next edition is played without it")?;
    Ok(Exit::Damaged)
}

/// Checks the finished tournaments in a database, one copy at a time; their names.
fn kept(
    url: &str,
    runtime: &Runtime,
    host: &dyn Host,
    damages: &mut Vec<String>,
    out: &mut dyn Write,
) -> Result<Vec<String>> {
    let store = Arc::new(runtime.block_on(Store::connect_to_read(url))?);
    let mut checked = Vec::new();
    for name in runtime.block_on(store.kept_folders())?.into_keys() {
        let place = tempfile::tempdir().context("cannot create a folder for a tournament")?;
        match runtime.block_on(FolderReplica::once(store.clone(), place.path()).fetch_finished(&name)) {
            Ok(Some(folder)) => {
                damages.extend(damage(&folder, name.as_str(), host, out)?);
                checked.push(name.to_string());
            }
            Ok(None) => {}
            Err(ReplicaError::Store(StoreError::Damaged(why))) => damages.push(format!("{name}: {why}")),
            Err(error) => return Err(error).with_context(|| format!("cannot check {name}")),
        }
    }
    runtime.block_on(store.close());
    Ok(checked)
}

/// The damage of a finished tournament, if any; `name` is what it is called.
fn damage(folder: &Path, name: &str, host: &dyn Host, out: &mut dyn Write) -> Result<Option<String>> {
    let verified = verify_folder(folder, None, host, BY_RULES, 1, |_| ());
    let verified = verified.with_context(|| format!("cannot check {name}"))?;
    Ok(match verified.finding {
        Finding::Damaged { file, flaw } => Some(format!("{name}: {file}: {flaw}")),
        Finding::Differs(_) => Some(format!("{name}: its files contradict each other; `verify` says where")),
        Finding::LineEnds { file } => Some(format!("{name}: the line ends of {file} were changed")),
        Finding::OtherForm { build, .. } | Finding::OtherSemantics { build, .. } => {
            writeln!(
                out,
                "not checked: {name} is of another release, {build}; the site shows its standings unchanged"
            )?;
            None
        }
        Finding::Identical | Finding::Sampled | Finding::Incomplete(_) | Finding::NotConfirmed(_) => None,
    })
}

/// The finished tournaments, by name. A running site still writes the others, and checks them when it resumes them.
fn finished(tournaments: &Path) -> Result<Vec<PathBuf>> {
    if !tournaments.exists() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(tournaments).with_context(|| format!("cannot read {}", tournaments.display()))?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut found = paths.collect::<Result<Vec<PathBuf>, _>>()?;
    found.retain(|folder| folder.join(MANIFEST).exists() && folder.join(RESULTS).exists());
    found.sort();
    Ok(found)
}
