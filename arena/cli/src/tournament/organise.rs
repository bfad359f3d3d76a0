//! Changes to a tournament that has started: `arena tournament add`, `withdraw`, `disqualify`.

use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use arena_runner::{Change, ChangeKind, Folder};
use arena_tournaments::{EntrantSpec, Source};
use clap::Args;
use serde::Serialize;

use crate::bots;
use crate::exit::{Exit, program};
use crate::output;

#[derive(Args)]
pub(crate) struct Add {
    /// The tournament's folder. If the tournament is running, interrupt it first.
    folder: PathBuf,
    /// The entrant's name in the standings.
    name: String,
    /// Its name in tables, pages and pictures [default: its name in the standings].
    #[arg(long, value_name = "NAME")]
    display: Option<String>,
    #[command(flatten)]
    source: Origin,
    /// Why it is late, in one line for those who verify.
    #[arg(long)]
    reason: String,
}

/// Where an entrant comes from.
#[derive(Args)]
#[group(required = true, multiple = false)]
struct Origin {
    /// A bot's .wasm file; its bytes are copied into the folder.
    #[arg(long)]
    file: Option<String>,
    /// A built-in opponent by name.
    #[arg(long, value_name = "NAME")]
    baseline: Option<String>,
    /// A bot of the gallery by name.
    #[arg(long, value_name = "NAME")]
    gallery: Option<String>,
}

#[derive(Args)]
pub(crate) struct Leave {
    /// The tournament's folder. If the tournament is running, interrupt it first.
    folder: PathBuf,
    /// The entrant's name in the standings.
    name: String,
    /// Why, in one line for those who verify.
    #[arg(long)]
    reason: String,
}

pub(super) fn add(args: &Add, out: &mut dyn Write) -> Result<Exit> {
    let source = match &args.source {
        Origin { file: Some(file), .. } => Source::File(file.clone()),
        Origin { baseline: Some(name), .. } => Source::Baseline(name.clone()),
        Origin { gallery, .. } => Source::Gallery(gallery.clone().context("an entrant has a source")?),
    };
    let entrant = EntrantSpec::new(args.name.clone(), source)?.displayed(args.display.clone())?;
    let added = folder(&args.folder)?.add(&entrant, Path::new(""), &args.reason);
    told(out, &args.folder, &added.with_context(|| unchanged(&args.folder))?)
}

pub(super) fn withdraw(args: &Leave, out: &mut dyn Write) -> Result<Exit> {
    let withdrawn = folder(&args.folder)?.withdraw(&args.name, &args.reason);
    told(out, &args.folder, &withdrawn.with_context(|| unchanged(&args.folder))?)
}

pub(super) fn disqualify(args: &Leave, out: &mut dyn Write) -> Result<Exit> {
    let disqualified = folder(&args.folder)?.disqualify(&args.name, &args.reason);
    told(out, &args.folder, &disqualified.with_context(|| unchanged(&args.folder))?)
}

/// What failed, for an error that may not name the folder.
fn unchanged(folder: &Path) -> String {
    format!("cannot change the tournament in {}", folder.display())
}

fn folder(path: &Path) -> Result<Folder> {
    Ok(Folder::resume(path, &bots::host(1)?)?.0)
}

fn told(out: &mut dyn Write, folder: &Path, change: &Change) -> Result<Exit> {
    writeln!(out, "{}", sentence(change))?;
    writeln!(out, "play on: {} tournament resume {}", program(), folder.display())?;
    Ok(Exit::Yes)
}

/// A change in `--json`.
#[derive(Serialize)]
pub(crate) struct Changed {
    /// The first round that it affects, from 1.
    round: usize,
    what: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
    reason: String,
}

impl Changed {
    pub(crate) fn of(change: &Change) -> Changed {
        let (name, reason) = (change.name().map(output::text), output::text(&change.reason));
        Changed { round: change.round + 1, what: change.word(), name, reason }
    }
}

/// A change in one line.
pub(crate) fn sentence(change: &Change) -> String {
    let name = change.name().map(output::text).unwrap_or_default();
    let (round, reason) = (change.round + 1, output::text(&change.reason));
    match change.what {
        ChangeKind::Added { .. } => format!("{name} enters before round {round}: {reason}"),
        ChangeKind::Drawn { .. } => format!("the seed of round {round} is drawn: {reason}"),
        ChangeKind::Withdrawn { .. } => format!("{name} is withdrawn before round {round}: {reason}"),
        ChangeKind::Disqualified { .. } => format!("{name} is disqualified before round {round}: {reason}"),
    }
}
