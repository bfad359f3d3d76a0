//! `arena assemble`: WebAssembly text as a module.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;

use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Assemble {
    /// The bot in WebAssembly text.
    text: PathBuf,
    /// Where the module goes [default: beside the text, ending in .wasm].
    #[arg(long, short)]
    output: Option<PathBuf>,
}

pub(crate) fn run(assemble: &Assemble, out: &mut dyn Write) -> Result<Exit> {
    let text = &assemble.text;
    let module = wat::parse_file(text).with_context(|| format!("cannot assemble {}", text.display()))?;
    let output = assemble.output.clone().unwrap_or_else(|| text.with_extension("wasm"));
    fs::write(&output, &module).with_context(|| format!("cannot write {}", output.display()))?;
    writeln!(out, "{}: {} bytes", output.display(), module.len())?;
    Ok(Exit::Yes)
}
