//! `arena doctor`: which languages can bots be written in on this machine?
//!
//! [`crate::tools`] has the table of tools. `trial` creates a bot, and builds, checks and plays it with the commands
//! that `arena new` names.

mod trial;

use std::io::Write;

use anyhow::Result;
use clap::{Args, ValueEnum};
use serde::Serialize;

use self::trial::{Failure, Trial};
use crate::exit::{Exit, program};
use crate::new::Language;
use crate::tools::{State, Tool};
use crate::{output, progress};

/// Columns of the names of tools and languages.
const NAME_COLUMNS: usize = 24;

/// The size of the compiler that a project's `build.sh` fetches with pip: PyPI's package ziglang.
const FETCHED_MEGABYTES: u32 = 100;

#[derive(Args)]
pub(crate) struct Doctor {
    /// Print one JSON object: {"ready":bool,"tools":[..],"languages":[..]}.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Serialize)]
struct Report {
    /// Whether a bot plays in at least one language.
    ready: bool,
    tools: Vec<ToolReport>,
    languages: Vec<LanguageReport>,
}

#[derive(Serialize)]
struct ToolReport {
    tool: &'static str,
    #[serde(flatten)]
    state: State,
    /// How to install it.
    get: &'static str,
}

#[derive(Serialize)]
struct LanguageReport {
    language: String,
    #[serde(flatten)]
    readiness: Readiness,
}

/// The result for a language.
#[derive(Serialize)]
#[serde(tag = "status", rename_all = "snake_case")]
enum Readiness {
    /// A bot was built, checked and played.
    Ready(Trial),
    /// It needs no tool, and nothing is built. Not tried: WebAssembly text shows whether bots play on this machine.
    NeedsNothing,
    /// Tools are missing. Each list is one way to have everything that is needed.
    Missing { ways: Vec<Vec<&'static str>> },
    /// The build of a new bot fetches a compiler first. That is not tried.
    Fetches { megabytes: u32, command: &'static str },
    /// The tools are there, but one of the steps fails.
    Fails(Failure),
}

pub(crate) fn run(doctor: &Doctor, out: &mut dyn Write) -> Result<Exit> {
    let mut report = Report { ready: false, tools: Vec::new(), languages: Vec::new() };
    // Lines are shown as they come, because a first build takes a while.
    let mut shown: Box<dyn Write> = if doctor.json { Box::new(std::io::sink()) } else { Box::new(&mut *out) };
    writeln!(shown, "tools")?;
    for tool in Tool::ALL {
        let found = ToolReport { tool: tool.row().name, state: tool.look(), get: tool.row().get };
        found.explain(&mut *shown)?;
        report.tools.push(found);
    }
    writeln!(shown, "languages: a new bot is built, checked and played")?;
    for language in Language::value_variants() {
        let waiting = progress::waiting(format!("a bot in {}", language.name()));
        let readiness = tried(*language, &report.tools)?;
        waiting.finish_and_clear();
        let language_report = LanguageReport { language: language.name(), readiness };
        language_report.explain(&mut *shown)?;
        report.ready |= matches!(language_report.readiness, Readiness::Ready(_));
        report.languages.push(language_report);
    }
    let ready = report.languages.iter().find(|language| matches!(language.readiness, Readiness::Ready(_)));
    match ready {
        Some(first) => writeln!(shown, "ready: {} new mybot --lang {}", program(), first.language)?,
        None => writeln!(shown, "no language is ready; what fails is above")?,
    }
    drop(shown);
    if doctor.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    }
    Ok(if report.ready { Exit::Yes } else { Exit::No })
}

/// The ways to have everything that a language needs. Each is a list of tools.
fn ways(language: Language) -> &'static [&'static [Tool]] {
    match language {
        Language::Rust => &[&[Tool::Cargo, Tool::WasmTarget]],
        Language::C => &[&[Tool::Clang, Tool::WasmLd], &[Tool::Ziglang], FETCHING],
        Language::Zig => &[&[Tool::Ziglang], FETCHING],
        Language::AssemblyScript => &[&[Tool::Node, Tool::Npm]],
        Language::Wat | Language::JavaScript | Language::TypeScript | Language::Python => &[&[]],
    }
}

/// The way in which the project's build fetches the compiler.
const FETCHING: &[Tool] = &[Tool::Pip];

/// Tries a language if all tools of one of its ways are there.
fn tried(language: Language, tools: &[ToolReport]) -> Result<Readiness> {
    let is_there = |tool: &Tool| {
        tools.iter().any(|found| found.tool == tool.row().name && matches!(found.state, State::Found { .. }))
    };
    if language.build().is_none() {
        return Ok(Readiness::NeedsNothing);
    }
    let ways = ways(language);
    let Some(way) = ways.iter().find(|way| way.iter().all(is_there)) else {
        let missing = |way: &&[Tool]| way.iter().filter(|tool| !is_there(tool)).map(|tool| tool.row().name).collect();
        return Ok(Readiness::Missing { ways: ways.iter().map(missing).collect() });
    };
    if *way == FETCHING {
        return Ok(Readiness::Fetches { megabytes: FETCHED_MEGABYTES, command: language.build().unwrap_or_default() });
    }
    Ok(match trial::run(language)? {
        Ok(trial) => Readiness::Ready(trial),
        Err(failure) => Readiness::Fails(failure),
    })
}

impl ToolReport {
    fn explain(&self, out: &mut dyn Write) -> Result<()> {
        let (name, get) = (self.tool, self.get);
        match &self.state {
            State::Found { version } => writeln!(out, "  {name:<NAME_COLUMNS$}{version}")?,
            State::Missing => writeln!(out, "  {name:<NAME_COLUMNS$}not found; {get}")?,
            State::TooOld { version, least } => {
                writeln!(out, "  {name:<NAME_COLUMNS$}{version} is too old, {least} is needed; {get}")?;
            }
            State::Broken { why } => {
                writeln!(out, "  {name:<NAME_COLUMNS$}does not run: {}; {get}", output::text(why))?
            }
        }
        Ok(out.flush()?)
    }
}

impl LanguageReport {
    fn explain(&self, out: &mut dyn Write) -> Result<()> {
        let name = &self.language;
        match &self.readiness {
            Readiness::Ready(trial) => writeln!(out, "  {name:<NAME_COLUMNS$}ready: {trial}")?,
            Readiness::NeedsNothing => writeln!(out, "  {name:<NAME_COLUMNS$}needs nothing: a script is not built")?,
            Readiness::Missing { ways } => {
                let ways: Vec<String> = ways.iter().map(|way| way.join(" and ")).collect();
                writeln!(out, "  {name:<NAME_COLUMNS$}missing: {}", ways.join(", or "))?;
            }
            Readiness::Fetches { megabytes, command } => {
                writeln!(out, "  {name:<NAME_COLUMNS$}fetches {megabytes} MB first: `{command}`")?;
            }
            Readiness::Fails(failure) => {
                writeln!(out, "  {name:<NAME_COLUMNS$}fails: `{}`", failure.command)?;
                for line in &failure.output {
                    writeln!(out, "    | {}", output::text(line))?;
                }
            }
        }
        Ok(out.flush()?)
    }
}
