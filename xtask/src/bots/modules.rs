//! Modules that are played for the meter besides the gallery's: new bots in every language, and the gallery's scripts.

use std::path::Path;

use anyhow::{Context, Result};
use fs_err as fs;

use super::newcomer::{Newcomer, shell};
use super::trial::{GALLERY, SCRIPTS, commands, games, languages};
use crate::files::remove_folder;
use crate::process::output;

/// The name of the new bots.
const NAME: &str = "mybot";

/// Leaves them in a folder, each in a file `GAME.NAME.wasm`: a new bot plays all games.
///
/// # Errors
/// If a new bot or a script does not become a module.
pub(crate) fn modules(newcomer: &Newcomer, folder: &Path) -> Result<()> {
    remove_folder(folder)?;
    let env = newcomer.env()?;
    let said = |place: &Path, command: &str| output(&mut shell(place, command, &env));
    let bundle = |script: &Path, module: &Path| {
        said(folder, &format!("arena bundle '{}' --output '{}'", script.display(), module.display()))
    };
    for language in languages(newcomer) {
        let place = folder.join(language);
        fs::create_dir_all(&place)?;
        said(&place, &format!("arena new {NAME} --lang {language}"))?;
        let project = place.join(NAME);
        let readme = fs::read_to_string(project.join("README.md"))?;
        let [[build, check, _], _] = commands(&readme)?;
        said(&project, build)?;
        let file = project.join(check.split(' ').nth(2).context("a new bot's file is checked")?);
        let module = place.join("bot.wasm");
        if file.extension().is_some_and(|kind| kind == "wasm") {
            fs::copy(&file, &module)?;
        } else {
            bundle(&file, &module)?;
        }
        for game in games(&said(folder, "arena --version")?)? {
            fs::copy(&module, folder.join(format!("{game}.{language}.wasm")))?;
        }
    }
    for [name, file, game, ..] in SCRIPTS {
        let script = newcomer.workspace.root.join(GALLERY).join(name).join(file);
        bundle(&script, &folder.join(format!("{game}.{name}.wasm")))?;
    }
    Ok(())
}
