//! `arena tournament status` and `standings`: read a tournament, even while it is being played.

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use arena_runner::{Progress, Survey};
use clap::Args;
use serde::Serialize;

use super::organise::{Changed, sentence};
use crate::exit::Exit;
use crate::output;

#[derive(Args)]
pub(crate) struct Look {
    /// The tournament's folder; it may be running.
    folder: PathBuf,
    /// Print JSON instead of words.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Status<'a> {
    name: &'a str,
    format: &'a str,
    entrants: usize,
    games_played: usize,
    games_at_most: usize,
    is_over: bool,
    /// The first round in which no game has ended, from 1.
    next_round: usize,
    changes: Vec<Changed>,
}

pub(super) fn status(args: &Look, out: &mut dyn Write) -> Result<Exit> {
    let survey = Survey::open(&args.folder)?;
    let Progress { played, total } = survey.progress();
    let definition = survey.definition();
    if args.json {
        let status = Status {
            name: &definition.name,
            format: definition.format.name(),
            entrants: survey.entrants().len(),
            games_played: played,
            games_at_most: total,
            is_over: survey.is_over(),
            next_round: survey.round() + 1,
            changes: survey.changes().map(Changed::of).collect(),
        };
        writeln!(out, "{}", serde_json::to_string(&status)?)?;
        return Ok(Exit::Yes);
    }
    let entrants = output::count(survey.entrants().len(), "entrant");
    writeln!(out, "{}: {}, {entrants}", output::text(&definition.name), definition.format.name())?;
    for change in survey.changes() {
        writeln!(out, "{}", sentence(change))?;
    }
    let (played, total) = (output::grouped(played as u64), output::count(total, "game"));
    if survey.is_over() {
        writeln!(out, "over: {played} of {total} played")?;
    } else {
        writeln!(out, "{played} of at most {total} played; round {} has not begun", survey.round() + 1)?;
    }
    Ok(Exit::Yes)
}

pub(super) fn standings(args: &Look, out: &mut dyn Write) -> Result<Exit> {
    let standings = Survey::open(&args.folder)?.standings();
    write!(out, "{}", if args.json { standings.to_json() } else { standings.to_table() })?;
    Ok(Exit::Yes)
}
