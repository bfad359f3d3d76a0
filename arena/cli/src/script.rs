//! `arena bundle`: a script as a module.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use arena_record::Budgets;
use arena_scripts::Language;
use clap::Args;

use crate::bots;
use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Bundle {
    /// The bot in JavaScript (.js) or Python (.py).
    script: PathBuf,
    /// The file for the module [default: the script's name, ending in .wasm].
    #[arg(long, short)]
    output: Option<PathBuf>,
}

pub(crate) fn run(args: &Bundle, out: &mut dyn Write) -> Result<Exit> {
    let Bundle { script, output } = args;
    let module = bots::read(script, &Budgets::DEFAULT)?.bytes;
    if Language::of_file(script).is_none() {
        bail!("{} is no script: its name does not end in .js or .py", script.display());
    }
    let output = output.clone().unwrap_or_else(|| script.with_extension("wasm"));
    if fs::canonicalize(&output).is_ok_and(|place| fs::canonicalize(script).is_ok_and(|script| script == place)) {
        bail!("{} is the script; name another file for the module with --output", output.display());
    }
    fs::write(&output, &module).with_context(|| format!("cannot write {}", output.display()))?;
    writeln!(out, "{}: {} bytes", output.display(), module.len())?;
    Ok(Exit::Yes)
}
