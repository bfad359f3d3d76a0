//! `arena admin restore`: copies under another name, compares and opens the copy, then renames it.

use std::fs;
use std::io::Write;
use std::path::Path;

use anyhow::{Context, Result, bail};
use arena_files::sync_folder;
use arena_limits::counted;
use arena_store::Store;

use super::{fresh, sums};
use crate::exit::{Exit, program};

pub(super) async fn run(from: &Path, data: &Path, out: &mut dyn Write) -> Result<Exit> {
    let files = sums::read(from)?;
    fresh(data)?;
    let unfinished = data.with_added_extension("restoring");
    if unfinished.exists() {
        fs::remove_dir_all(&unfinished).with_context(|| format!("cannot remove {}", unfinished.display()))?;
    }
    fresh(&unfinished)?;
    let mut total = 0;
    for (wanted, name) in &files {
        let file = from.join(name);
        let (hash, bytes) =
            sums::copy(&file, &unfinished.join(name)).with_context(|| format!("cannot copy {}", file.display()))?;
        if hash != *wanted {
            bail!("{} has changed since the backup was taken: use another backup", file.display());
        }
        total += bytes;
    }
    let problems = Store::inspect(&unfinished).await?.problems;
    if !problems.is_empty() {
        bail!("{} is damaged, use another backup: {}", from.display(), problems.join("; "));
    }
    // An empty folder is replaced.
    fs::rename(&unfinished, data).with_context(|| format!("cannot rename {}", unfinished.display()))?;
    if let Some(parent) = data.parent().filter(|parent| !parent.as_os_str().is_empty()) {
        sync_folder(parent)?;
    }
    let count = counted(files.len(), "file");
    writeln!(out, "{} is restored: {count}, {total} bytes, all as they were", data.display())?;
    writeln!(out, "run it: {} serve --data {}", program(), data.display())?;
    Ok(Exit::Yes)
}
