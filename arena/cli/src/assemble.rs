//! `arena assemble`: WebAssembly text as a module.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use arena_files::read_text;
use arena_runner::SourceText;
use clap::Args;

use crate::exit::Exit;
use crate::missing_file::{self, Wanted};

/// The greatest size of a text, in bytes: as much as one of the largest modules takes with a comment on each
/// instruction.
const TEXT_BYTES_MAX: u64 = 64 << 20;

#[derive(Args)]
pub(crate) struct Assemble {
    /// The bot in WebAssembly text. Several files make one module: fields without `(module ...)` around them, imports
    /// first.
    #[arg(required = true)]
    texts: Vec<PathBuf>,
    /// The file for the module [default: the last text's name, ending in .wasm].
    #[arg(long, short)]
    output: Option<PathBuf>,
}

pub(crate) fn run(assemble: &Assemble, out: &mut dyn Write) -> Result<Exit> {
    let texts = read(&assemble.texts)?;
    let module = arena_runner::assemble(&texts)?;
    let last = assemble.texts.last().context("a text to assemble")?;
    let output = assemble.output.clone().unwrap_or_else(|| last.with_extension("wasm"));
    let place = fs::canonicalize(&output);
    if let Ok(place) = place
        && assemble.texts.iter().any(|text| fs::canonicalize(text).is_ok_and(|text| text == place))
    {
        bail!("{} is one of the texts; name another file for the module with --output", output.display());
    }
    fs::write(&output, &module).with_context(|| format!("cannot write {}", output.display()))?;
    writeln!(out, "{}: {} bytes", output.display(), module.len())?;
    Ok(Exit::Yes)
}

fn read(paths: &[PathBuf]) -> Result<Vec<SourceText>> {
    let text = |path: &PathBuf| {
        missing_file::ensure_file(path, Wanted::Text)?;
        let text = read_text(path, TEXT_BYTES_MAX).with_context(|| format!("cannot read {}", path.display()))?;
        Ok(SourceText::new(path.display().to_string(), text))
    };
    paths.iter().map(text).collect()
}
