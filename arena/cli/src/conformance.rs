//! `arena conformance`: test vectors, line by line.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use arena_conformance::{Vectors, all_agree};
use arena_limits::counted;
use arena_worker::walls::{self, WorkerWall};
use clap::Args;

use crate::engine::Engine;
use crate::exit::Exit;

#[derive(Args)]
pub(crate) struct Conformance {
    /// A folder with a sub-folder per game (conquerors/) or for the meter (meter/), each with files of JSON lines; any
    /// subset will do.
    folder: PathBuf,
    /// What the meter's modules run in.
    ///
    /// They pass the same check as bots, and this process confines itself before they run, within the walls that the
    /// system has. The budgets of their calls bound how long they take.
    #[arg(long, value_enum, default_value_t = Engine::Wasmtime)]
    engine: Engine,
    /// Print one JSON array instead of lines.
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(conformance: &Conformance, out: &mut dyn Write) -> Result<Exit> {
    let vectors = Vectors::read(&conformance.folder)?;
    // Somebody else's modules: what this process needs from now on is memory and its output.
    walls::raise(&[WorkerWall::User, WorkerWall::NoNewPrivileges, WorkerWall::Landlock, WorkerWall::Seccomp]);
    let reports = vectors.check(&conformance.engine.sandbox(1)?);
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
