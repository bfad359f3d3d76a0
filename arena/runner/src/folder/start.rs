//! Starting a tournament: its first files.

use std::fs;
use std::path::Path;

use arena_files::{sync_folder, write_durably};
use arena_ledger::{Manifest, format_of};
use arena_tournaments::Definition;

use super::error::{Damage, FolderError, damaged, io_error};
use super::freezing::{Bots, freeze};
use crate::journal::Journal;
use crate::{Host, build_id, layout};

/// Freezes the entrants and writes all files of a started tournament, the manifest last.
pub(super) fn start(path: &Path, definition: &Definition, bots: Bots<'_>, host: &dyn Host) -> Result<(), FolderError> {
    check_free(path)?;
    let format = format_of(definition)?;
    let (entrants, bots) = freeze(definition, bots, host)?;
    let manifest = Manifest::new(definition, &*format, entrants, build_id());
    manifest.check(definition, &*format).map_err(FolderError::Contradicted)?;
    fs::create_dir_all(path).map_err(io_error("create", path))?;
    // Locked, because two processes starting at once would overwrite each other's files.
    let journal_error = |source| FolderError::Journal { path: path.into(), source };
    let journal = Journal::locked(&path.join(layout::JOURNAL)).map_err(journal_error)?;
    if path.join(layout::MANIFEST).exists() {
        return Ok(());
    }
    if journal.metadata().map_err(io_error("read the journal in", path))?.len() > 0 {
        return Err(damaged(path)(Damage::NoManifest));
    }
    let entrants_path = path.join(layout::ENTRANTS);
    if entrants_path.exists() {
        // Left over from a start that was killed, perhaps with other bots.
        fs::remove_dir_all(&entrants_path).map_err(io_error("remove", &entrants_path))?;
    }
    fs::create_dir(&entrants_path).map_err(io_error("create", &entrants_path))?;
    let write = |name: &str, bytes: &[u8]| {
        let file = path.join(name);
        write_durably(&file, bytes).map_err(io_error("write", &file))
    };
    for (id, bytes) in bots {
        write(&layout::bot_file(id.hash().unwrap_or_default()), &bytes)?;
    }
    write(layout::DEFINITION, definition.to_toml().as_bytes())?;
    write(layout::MANIFEST, manifest.to_text().as_bytes())?;
    // The folder's own entry must be synced, too; the disk may write it later than the folder's content.
    match path.canonicalize().map_err(io_error("find", path))?.parent() {
        Some(parent) => sync_folder(parent).map_err(io_error("write", parent)),
        None => Ok(()),
    }
}

/// Checks that a folder can take a new tournament: it is missing or empty, or a start was killed in it.
fn check_free(path: &Path) -> Result<(), FolderError> {
    let is_ours = |name: &str| {
        let unfinished = |name: &str| [layout::DEFINITION, layout::MANIFEST].contains(&name);
        [layout::DEFINITION, layout::ENTRANTS, layout::JOURNAL].contains(&name)
            || name.strip_suffix(".new").is_some_and(unfinished)
    };
    if !path.exists() {
        return Ok(());
    }
    for entry in fs::read_dir(path).map_err(io_error("read", path))? {
        let name = entry.map_err(io_error("read", path))?.file_name();
        if !is_ours(&name.to_string_lossy()) {
            return Err(FolderError::Occupied(path.into()));
        }
    }
    Ok(())
}
