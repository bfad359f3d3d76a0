//! Bots named on the command line.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result, bail};
use arena_record::Budgets;
use arena_runner::Contender;
use arena_sandbox::Sandbox;

/// The bytes of a bot's file, at most one more than a module may have: enough to refuse it.
pub(crate) fn read(path: &Path) -> Result<Vec<u8>> {
    let size = fs::metadata(path).with_context(|| format!("cannot read the bot {}", path.display()))?;
    if size.is_dir() {
        bail!("{} is a folder; give the .wasm file itself", path.display());
    }
    fs::read(path).with_context(|| format!("cannot read the bot {}", path.display()))
}

/// The contender that an argument names: a built-in opponent, or a bot's file.
pub(crate) fn contender(name: &str, sandbox: &Sandbox, budgets: &Budgets) -> Result<Contender> {
    if let Ok(baseline) = Contender::baseline(name) {
        return Ok(baseline);
    }
    let path = Path::new(name);
    if !path.exists() {
        bail!("{name} is neither a file nor a built-in opponent (easy, normal, hard)");
    }
    match sandbox.load(&read(path)?, budgets) {
        Ok(bot) => Ok(Contender::Bot(bot)),
        Err(refusal) => bail!("{name} is refused: {refusal} ({}); `arena check {name}` says more", refusal.code),
    }
}

/// How a contender is called in tables: a file by its name without folders and ending.
pub(crate) fn label(name: &str) -> String {
    Path::new(name).file_stem().map_or_else(|| name.into(), |stem| stem.to_string_lossy().into_owned())
}
