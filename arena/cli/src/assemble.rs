//! `arena assemble`: WebAssembly text as a module.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, bail};
use clap::Args;
use wast::Wat;
use wast::parser::{ParseBuffer, parse};
use wast::token::Span;

use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Assemble {
    /// The bot in WebAssembly text. Several files make one module: fields without `(module ...)` around them, imports first.
    #[arg(required = true)]
    texts: Vec<PathBuf>,
    /// The file for the module [default: the last text's name, ending in .wasm].
    #[arg(long, short)]
    output: Option<PathBuf>,
}

pub(crate) fn run(assemble: &Assemble, out: &mut dyn Write) -> Result<Exit> {
    let texts = read(&assemble.texts)?;
    let module = module(&texts).map_err(|error| placed(error, &texts))?;
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

/// How the parser says that an import stands too late.
const IMPORT_LATE: &str = "import after ";
const IMPORT_HINT: &str = " (imports go first: name the file that has them, such as a layer, first and only once)";

/// A file with its text, which ends a line.
type Text = (PathBuf, String);

fn read(paths: &[PathBuf]) -> Result<Vec<Text>> {
    let text = |path: &PathBuf| {
        let mut text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        text.push('\n');
        Ok((path.clone(), text))
    };
    paths.iter().map(text).collect()
}

fn module(texts: &[Text]) -> Result<Vec<u8>, wast::Error> {
    let joined: String = texts.iter().map(|(_, text)| text.as_str()).collect();
    let buffer = ParseBuffer::new(&joined)?;
    parse::<Wat>(&buffer)?.encode()
}

/// An error in the joined texts, as one in the file where it is.
fn placed(error: wast::Error, texts: &[Text]) -> anyhow::Error {
    let mut offset = error.span().offset();
    for (number, (path, text)) in texts.iter().enumerate() {
        if offset < text.len() || number + 1 == texts.len() {
            let mut own = wast::Error::new(Span::from_offset(offset), error.message());
            own.set_text(text);
            own.set_path(path);
            // The parser says only what came after what.
            let hint = if error.message().contains(IMPORT_LATE) { IMPORT_HINT } else { "" };
            return anyhow!(own).context(format!("cannot assemble {}{hint}", path.display()));
        }
        offset -= text.len();
    }
    anyhow!(error)
}
