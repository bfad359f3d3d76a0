//! `arena admin check`.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena_runner::layout::{MANIFEST, RESULTS};
use arena_runner::{Depth, Finding, verify_folder};
use arena_store::SqliteStore;
use tokio::runtime::Runtime;

use super::next;
use crate::bots;
use crate::exit::Exit;

/// No game is played again: that is for `arena verify`.
const BY_RULES: Depth = Depth::Sample { games: 0, seed: 0 };

pub(super) fn run(data: &Path, runtime: &Runtime, out: &mut dyn Write) -> Result<Exit> {
    let mut damages = runtime.block_on(SqliteStore::inspect(data))?;
    let folders = finished(&data.join("tournaments"))?;
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
                    "not checked: {name} is of another release, {build}; the site shows its standings as they stand"
                )?;
            }
            Finding::Identical | Finding::Sampled | Finding::Incomplete(_) | Finding::NotConfirmed(_) => {}
        }
    }
    for damage in &damages {
        writeln!(out, "damaged: {damage}")?;
    }
    if damages.is_empty() {
        writeln!(
            out,
            "{} is whole: the database, the bots' bytes, {} finished tournaments",
            data.display(),
            folders.len()
        )?;
        return Ok(Exit::Yes);
    }
    writeln!(out, "what to do: keep a copy of {}, stop the site, and restore the last good backup:", data.display())?;
    writeln!(out, "  {}", next("restore --from BACKUP --data NEW"))?;
    writeln!(out, "a tournament's folder that is damaged may also be removed: the next edition is played without it")?;
    Ok(Exit::Damaged)
}

/// The tournaments that are finished, by name. A running site still writes the others, and checks them when it resumes them.
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
