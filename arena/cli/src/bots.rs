//! Bots named on the command line.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, bail};
use arena_files::read_at_most;
use arena_record::Budgets;
use arena_runner::{Contender, Host, LoadError, Named, Workers};
use arena_wire::GAMES;
use arena_worker::Pool;

/// The bytes of a bot's file, at most one more than a module may have: enough to refuse it.
pub(crate) fn read(path: &Path, budgets: &Budgets) -> Result<Vec<u8>> {
    if path.is_dir() {
        bail!("{} is a folder; give the .wasm file itself", path.display());
    }
    read_at_most(path, budgets.module_bytes).with_context(|| format!("cannot read the bot {}", path.display()))
}

/// Where bots run: in worker processes of this binary, as on a site, of which `threads` games take at most two each.
pub(crate) fn host(threads: usize) -> Result<Arc<dyn Host>> {
    let pool = Pool::of_this_binary(2 * threads).context("cannot find the running program for its workers")?;
    Ok(Arc::new(Workers::new(pool)))
}

/// The opponents of every game, for help.
pub(crate) fn names() -> String {
    let mut text = "An opponent by its name (write ./NAME for a file that has the same)".to_owned();
    for game in GAMES {
        let _ = write!(text, "; {}: {}", game.name(), names_of(game.ruleset));
    }
    text
}

fn names_of(ruleset: &str) -> String {
    Named::all(ruleset).map(|opponent| opponent.name()).collect::<Vec<_>>().join(", ")
}

/// The contender that an argument names: an opponent that comes with the arena, or a bot's file.
pub(crate) fn contender(path: &Path, ruleset: &str, host: &dyn Host, budgets: &Budgets) -> Result<Contender> {
    let named = path.to_str().and_then(|name| Named::find(ruleset, name).ok());
    let name = path.display();
    if named.is_none() && !path.exists() {
        bail!("{name} is neither a file nor an opponent of {ruleset} ({})", names_of(ruleset));
    }
    let loaded = match named {
        Some(named) => named.load(host, budgets),
        None => host.load(&read(path, budgets)?, budgets),
    };
    match loaded {
        Ok(bot) => Ok(bot),
        Err(LoadError::Worker(error)) => Err(error).with_context(|| format!("cannot check the bot {name}")),
        Err(LoadError::Refused(refusal)) => {
            bail!("{name} is refused: {refusal} ({}); hint: {}", refusal.code, refusal.code.hint())
        }
    }
}

/// How a contender is called in tables: a file by its name without folders and ending.
pub(crate) fn label(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
