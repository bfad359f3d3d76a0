//! `arena conformance`: test vectors, line by line.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use arena_conformance::{all_agree, check_folder};
use arena_limits::counted;
use clap::Args;

use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Conformance {
    /// A folder with a sub-folder per game (conquerors/), each with files of JSON lines; any subset will do.
    folder: PathBuf,
    /// Print one JSON array instead of lines.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(conformance: &Conformance, out: &mut dyn Write) -> Result<Exit> {
    let reports = check_folder(&conformance.folder)?;
    if conformance.json {
        writeln!(out, "{}", serde_json::to_string(&reports)?)?;
    } else {
        for report in &reports {
            match &report.lines {
                None => writeln!(out, "{:<32} skipped: no reader for this file", report.file)?,
                Some(lines) => {
                    writeln!(out, "{:<32} {} of {} the same", report.file, lines.agreed, counted(lines.total, "line"))?
                }
            }
            if let Some((line, why)) = report.lines.as_ref().and_then(|lines| lines.first_difference.as_ref()) {
                writeln!(out, "    first difference in line {line}: {why:.300}")?;
            }
        }
    }
    Ok(if all_agree(&reports) { Exit::Yes } else { Exit::No })
}
