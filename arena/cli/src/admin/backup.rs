//! `arena admin backup`.
//!
//! Tournaments are copied first, then the database. An edition that is finished in between is unfinished in the copy,
//! and its games are played again. In the other order, the database could name games of an edition that was removed in
//! between.
//!
//! An edition that begins in between is in neither: the database has forgotten its secret. So those are copied
//! afterwards.

use std::fs;
use std::io::{self, ErrorKind, Write};
use std::path::Path;

use anyhow::{Context, Result, ensure};
use arena_clock::Clock;
use arena_limits::counted;
use arena_runner::layout::{DEFINITION, ENTRANTS, INDEX, JOURNAL, MANIFEST, RESULTS};
use arena_store::Store;

use super::{fresh, next, sums};
use crate::exit::Exit;

/// The contents of a tournament's folder, the last to be written first. So everything that is copied later was there
/// before, and does not change. A part of the growing journal that begins with its first line is a state that a killed
/// process leaves, too.
const LAST_FIRST: [&str; 6] = [RESULTS, INDEX, JOURNAL, MANIFEST, ENTRANTS, DEFINITION];

pub(super) async fn run(data: &Path, to: &Path, out: &mut dyn Write) -> Result<Exit> {
    ensure!(data.join("arena.db").exists(), "{} holds no site: --data is the folder that `serve` uses", data.display());
    fresh(to)?;
    let before = editions(data, to)?;
    Store::copy(data, to).await.with_context(|| {
        format!("cannot copy {}; `{}` says more", data.display(), next(&format!("check --data {}", data.display())))
    })?;
    let copied = before + editions(data, to)?;
    let files = sums::write(to)?;
    // The site's metrics tell how old this backup is. A folder that cannot be written is backed up all the same.
    if let Err(error) = arena_server::note_backup(data, &Clock::system()) {
        writeln!(out, "the site's metrics will not know of this backup: {error}")?;
    }
    let [copied, files] = [counted(copied, "tournament"), counted(files, "file")];
    writeln!(out, "{} is backed up in {}: {copied}, {files}", data.display(), to.display())?;
    writeln!(out, "restore it: {}", next(&format!("restore --from {} --data DIR", to.display())))?;
    Ok(Exit::Yes)
}

/// Copies the tournaments that have begun and are not in the copy, with what newcomers scored before them. Returns how
/// many.
fn editions(data: &Path, to: &Path) -> Result<usize> {
    let (tournaments, newcomers) = (data.join("tournaments"), data.join("qualifying"));
    let mut copied = 0;
    if tournaments.exists() {
        for entry in fs::read_dir(&tournaments).with_context(|| format!("cannot read {}", tournaments.display()))? {
            let (from, name) = entry.map(|entry| (entry.path(), entry.file_name()))?;
            let into = to.join("tournaments").join(name);
            if !into.exists() {
                copied +=
                    usize::from(tournament(&from, &into).with_context(|| format!("cannot copy {}", from.display()))?);
            }
        }
    }
    qualified(&newcomers, &to.join("qualifying")).with_context(|| format!("cannot copy {}", newcomers.display()))?;
    Ok(copied)
}

/// Copies a tournament that has begun. Returns whether the folder holds one that was not removed meanwhile.
fn tournament(from: &Path, to: &Path) -> io::Result<bool> {
    let has_begun = || from.join(MANIFEST).exists();
    let copied = LAST_FIRST.iter().try_for_each(|name| copy(&from.join(name), &to.join(name)));
    match copied {
        Ok(()) if has_begun() => Ok(true),
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        // An old edition that was just removed, or one in preparation.
        _ if to.exists() => fs::remove_dir_all(to).map(|()| false),
        _ => Ok(false),
    }
}

/// Copies the results of newcomers' qualifications before each edition. Those under way are in a folder, and are played
/// again.
fn qualified(from: &Path, to: &Path) -> io::Result<()> {
    if !from.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(from)? {
        let (path, into) = entry.map(|entry| (entry.path(), to.join(entry.file_name())))?;
        if path.extension().is_none_or(|extension| extension != "json") {
            continue;
        }
        match sums::copy(&path, &into) {
            // It was removed meanwhile, together with its edition.
            Err(error) if error.kind() == ErrorKind::NotFound && !path.exists() => fs::remove_file(into)?,
            copied => drop(copied?),
        }
    }
    Ok(())
}

/// Copies a file or a folder, if it exists.
fn copy(from: &Path, to: &Path) -> io::Result<()> {
    let Ok(kind) = fs::symlink_metadata(from) else { return Ok(()) };
    if !kind.is_dir() {
        return sums::copy(from, to).map(drop);
    }
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let entry = entry?;
        copy(&entry.path(), &to.join(entry.file_name()))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_begins_while_the_database_is_copied_is_copied_afterwards_and_nothing_twice() -> Result<()> {
        let (data, to) = (tempfile::tempdir()?, tempfile::tempdir()?);
        let begin = |name: &str, journal: &str| {
            let folder = data.path().join("tournaments").join(name);
            fs::create_dir_all(&folder)?;
            fs::write(folder.join(JOURNAL), journal)?;
            fs::write(folder.join(MANIFEST), "{}")
        };
        begin("standing-1", "one game")?;
        assert_eq!(editions(data.path(), to.path())?, 1);
        begin("standing-1", "two games")?;
        begin("standing-2", "no game")?;
        assert_eq!(editions(data.path(), to.path())?, 1);
        for (name, journal) in [("standing-1", "one game"), ("standing-2", "no game")] {
            let copied = fs::read_to_string(to.path().join("tournaments").join(name).join(JOURNAL))?;
            assert_eq!(copied, journal, "{name}");
        }
        Ok(())
    }
}
