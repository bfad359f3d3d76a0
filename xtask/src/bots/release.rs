//! `cargo xtask gallery`: updates the gallery's released modules in `bots/gallery/released`.

use std::process::Command;

use anyhow::{Result, bail, ensure};
use fs_err as fs;

use super::sources::BASELINE;
use crate::files::{ending_in, write_if_changed};
use crate::process::output;
use crate::workspace::Workspace;

/// The folder of released modules.
const FOLDER: &str = "bots/gallery/released";

/// Their pins: the output of `sha256sum`.
const SUMS: &str = "SHA256SUMS";

/// Releases built bots of the gallery: the named ones, or all. A released bot whose compiler is missing here stays
/// unchanged.
///
/// # Errors
/// If a named bot was not built, or there is no `sha256sum`.
pub(crate) fn release(workspace: &Workspace, names: &[String]) -> Result<()> {
    let folder = workspace.root.join(FOLDER);
    let mut unknown: Vec<&String> = names.iter().collect();
    for module in ending_in(&workspace.bots(), ".wasm")? {
        let Some(name) = module.file_stem().and_then(|name| name.to_str()) else { continue };
        if name.starts_with(BASELINE) || !(names.is_empty() || names.iter().any(|named| named == name)) {
            continue;
        }
        unknown.retain(|named| *named != name);
        let changed = write_if_changed(&folder.join(format!("{name}.wasm")), &fs::read(&module)?)?;
        println!("    {name}: {}", if changed { "released" } else { "unchanged" });
    }
    if let Some(name) = unknown.first() {
        bail!("{name} was not built: there is no such bot in bots/gallery, or no compiler for it");
    }
    let modules = ending_in(&folder, ".wasm")?;
    let files = modules.iter().filter_map(|module| module.file_name());
    let sums = output(Command::new("sha256sum").current_dir(&folder).args(files))?;
    ensure!(sums.lines().count() == modules.len(), "sha256sum has not said a line for each module: {sums}");
    write_if_changed(&folder.join(SUMS), sums.as_bytes())?;
    for module in &modules {
        let name = module.file_stem().and_then(|name| name.to_str()).unwrap_or_default();
        if !arena_released::ALL.iter().any(|bot| bot.name == name) {
            println!("    {name} is new: list it with its game in {FOLDER}/src/lib.rs");
        }
    }
    Ok(())
}
