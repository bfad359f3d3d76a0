//! Bots named on the command line.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use arena_files::read_at_most;
use arena_record::Budgets;
use arena_runner::{Contender, Host, LoadError, Named, Qualification, Workers, qualify};
use arena_sandbox::{Refusal, WALL_MS_DEFAULT};
use arena_scripts::{BundleError, module_of};
use arena_wire::{GAMES, Game};
use arena_worker::Wall;
use arena_worker::limits::IDLE_WORKERS_MAX;

use crate::engine::Engine;
use crate::missing_file::{self, Wanted};

/// A bot's file. Of a script it is the bundle.
pub(crate) struct BotFile {
    /// Its bytes. Of a file that is larger than a module may be, only the first, one more than the limit.
    pub(crate) bytes: Vec<u8>,
    /// Its length in bytes. That of a script is its bundle's.
    pub(crate) size: u64,
}

impl BotFile {
    /// Why it is refused for what its beginning shows, if it is too large to be read whole.
    pub(crate) fn refusal(&self, budgets: &Budgets) -> Option<Refusal> {
        let is_too_large = self.size > budgets.module_bytes;
        is_too_large.then(|| arena_sandbox::check_beginning(&self.bytes, self.size, budgets).err()).flatten()
    }
}

/// Reads a bot's file, up to the largest size of a module.
pub(crate) fn read(path: &Path, budgets: &Budgets) -> Result<BotFile> {
    missing_file::ensure_file(path, Wanted::Bot)?;
    let bytes = read_at_most(path, budgets.module_bytes);
    let bytes = bytes.with_context(|| format!("cannot read the bot {}", path.display()))?;
    let read = bytes.len();
    let bytes = module_of(path, bytes).map_err(|error| unbundled(path, error))?;
    let whole = if bytes.len() == read { fs::metadata(path).map_or(0, |file| file.len()) } else { 0 };
    Ok(BotFile { size: whole.max(bytes.len() as u64), bytes })
}

/// The error of a script, with what to do about it.
pub(crate) fn unbundled(path: &Path, error: BundleError) -> anyhow::Error {
    anyhow!("cannot bundle {}: {error}; hint: {}", path.display(), error.hint())
}

/// The result of the check that a site makes, too.
pub(crate) fn judged(
    host: &dyn Host,
    file: &BotFile,
    game: &'static Game,
    budgets: &Budgets,
    seed: u64,
) -> Result<Qualification> {
    let wall = Wall::Milliseconds(WALL_MS_DEFAULT);
    match file.refusal(budgets) {
        Some(refusal) => Ok(Qualification::Refused(refusal)),
        None => Ok(qualify(host, &file.bytes, game, budgets, seed, wall)?),
    }
}

/// A host for bots in worker processes of this binary, as on a site. `threads` games take at least two workers each.
pub(crate) fn host(threads: usize) -> Result<Arc<dyn Host>> {
    host_in(Engine::Wasmtime, threads)
}

/// The same in this engine.
pub(crate) fn host_in(engine: Engine, threads: usize) -> Result<Arc<dyn Host>> {
    let pool =
        engine.pool(IDLE_WORKERS_MAX.max(2 * threads)).context("cannot find the running program for its workers")?;
    Ok(Arc::new(Workers::new(pool)))
}

/// The names of opponents in every game, for help texts.
pub(crate) fn names() -> String {
    let of = |game: &Game| format!("in {}: {}", game.name(), names_of(game.ruleset));
    let names: Vec<String> = GAMES.iter().map(of).collect();
    format!("Names {}. For a file of that name, write ./NAME", names.join("; "))
}

fn names_of(ruleset: &str) -> String {
    Named::all(ruleset).map(|opponent| opponent.name()).collect::<Vec<_>>().join(", ")
}

/// The contender of an argument: a built-in opponent, or a bot's file.
pub(crate) fn contender(path: &Path, ruleset: &str, host: &dyn Host, budgets: &Budgets) -> Result<Contender> {
    let named = path.to_str().and_then(|name| Named::find(ruleset, name).ok());
    let name = path.display();
    if named.is_none() && !path.exists() {
        if Wanted::Bot.is_named(path) {
            missing_file::ensure_file(path, Wanted::Bot)?;
        }
        bail!("{name} is neither a file nor an opponent of {ruleset} ({})", names_of(ruleset));
    }
    let loaded = match named {
        Some(named) => named.load(host, budgets),
        None => {
            let file = read(path, budgets)?;
            file.refusal(budgets).map_or_else(|| host.load(&file.bytes, budgets), |refusal| Err(refusal.into()))
        }
    };
    match loaded {
        Ok(bot) => Ok(bot),
        Err(LoadError::Worker(error)) => Err(error).with_context(|| format!("cannot check the bot {name}")),
        Err(LoadError::Refused(refusal)) => {
            bail!("{name} is refused: {refusal} ({}); hint: {}", refusal.code, refusal.hint)
        }
    }
}

/// A contender's name in tables: for a file, its name without folders and ending.
pub(crate) fn label(path: &Path) -> String {
    path.file_stem().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
