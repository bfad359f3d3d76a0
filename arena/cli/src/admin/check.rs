//! `arena admin check`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use arena_runner::layout::{MANIFEST, RESULTS};
use arena_runner::{Depth, Finding, verify_folder};
use arena_store::{Inspection, PostgresStore, SqliteStore};
use tokio::runtime::Runtime;

use super::next;
use crate::bots;
use crate::exit::Exit;

/// Plays no game again, which is the work of `arena verify`.
const BY_RULES: Depth = Depth::Sample { games: 0, seed: 0 };

pub(super) fn run(data: Option<&Path>, database: Option<&str>, runtime: &Runtime, out: &mut dyn Write) -> Result<Exit> {
    let Inspection { problems: mut damages, digest } = match (database, data) {
        (Some(url), _) => runtime.block_on(PostgresStore::inspect(url))?,
        (None, Some(data)) => runtime.block_on(SqliteStore::inspect(data))?,
        (None, None) => bail!("name the site's folder with --data, or its database with --database"),
    };
    let folders = data.map_or(Ok(Vec::new()), |data| finished(&data.join("tournaments")))?;
    let host = bots::host(1)?;
    for folder in &folders {
        let verified = verify_folder(folder, None, &*host, BY_RULES, 1, |_| ());
        let verified = verified.with_context(|| format!("cannot check {}", folder.display()))?;
        let name = folder.display();
        match verified.finding {
            Finding::Damaged { file, flaw } => damages.push(format!("{name}: {file}: {flaw}")),
            Finding::Differs(_) => {
                damages.push(format!("{name}: its files contradict each other; `verify` says where"))
            }
            Finding::OtherForm { build, .. } | Finding::OtherSemantics { build, .. } => {
                writeln!(
                    out,
                    "not checked: {name} is of another release, {build}; the site shows its standings unchanged"
                )?;
            }
            Finding::Identical | Finding::Sampled | Finding::Incomplete(_) | Finding::NotConfirmed(_) => {}
        }
    }
    for damage in &damages {
        writeln!(out, "damaged: {damage}")?;
    }
    if damages.is_empty() {
        match data.map(Path::display) {
            Some(data) => {
                writeln!(out, "{data} is whole: the database, the bots' bytes, {} finished tournaments", folders.len())?
            }
            None => {
                let copy = next("copy");
                writeln!(
                    out,
                    "the database is whole, and so are the bots' bytes; `{copy}` writes tournaments into a folder that can be checked"
                )?;
            }
        }
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
