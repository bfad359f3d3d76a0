//! `arena check`: is this a bot, and what does it use?

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use arena_record::Budgets;
use arena_runner::{Objection, Qualification, Sample, SampleGame, qualify};
use arena_sandbox::{WALL_MS_DEFAULT, Wall};
use arena_wire::{GAMES, Game};
use clap::Args;
use serde::Serialize;

use crate::bots;
use crate::exit::{Exit, program};
use crate::game::GameChoice;

/// Log lines shown.
const LOG_LINES_SHOWN: usize = 8;

#[derive(Args)]
pub(crate) struct Check {
    /// The bot's .wasm file.
    bot: PathBuf,
    #[command(flatten)]
    choice: GameChoice,
    /// Seed of the sample games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Print one JSON object: {"accepted":bool,"code":..,"message":..} and what was measured.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Default, Serialize)]
struct Verdict {
    accepted: bool,
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    size_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Measured>,
}

/// What the sample games showed.
#[derive(Serialize)]
struct Measured {
    game: &'static str,
    opponent: &'static str,
    id: String,
    exports: Vec<String>,
    memory_bytes: usize,
    start_fuel: Option<u64>,
    turn_fuel: Vec<u64>,
    results: Vec<String>,
    log: Vec<String>,
    log_dropped: u64,
}

pub(crate) fn run(check: &Check, out: &mut dyn Write) -> Result<Exit> {
    let budgets = check.choice.budgets();
    let bytes = bots::read(&check.bot, &budgets)?;
    let verdict = examine(&bytes, check.choice.game, &budgets, check.seed)?;
    let accepted = verdict.accepted;
    if check.json {
        writeln!(out, "{}", serde_json::to_string(&verdict)?)?;
    } else {
        explain(out, check, &budgets, &verdict)?;
    }
    Ok(if accepted { Exit::Yes } else { Exit::No })
}

fn examine(bytes: &[u8], game: &'static Game, budgets: &Budgets, seed: u64) -> Result<Verdict> {
    let host = bots::host(1)?;
    let wall = Wall::Milliseconds(WALL_MS_DEFAULT);
    let qualification = qualify(&host, bytes, game, budgets, seed, wall)?;
    let size_bytes = bytes.len();
    let measured = match &qualification {
        Qualification::Played(sample) => Some(Measured::of(sample)),
        Qualification::Refused(_) => None,
    };
    Ok(match qualification.objection() {
        None => Verdict {
            accepted: true,
            code: "accepted".into(),
            message: "the bot is accepted".into(),
            size_bytes,
            measured,
            ..Verdict::default()
        },
        Some(Objection { code, message, hint, offset }) => {
            Verdict { code: code.into(), message, hint: Some(hint), offset, size_bytes, measured, ..Verdict::default() }
        }
    })
}

impl Measured {
    fn of(sample: &Sample) -> Measured {
        let result = |SampleGame { seat, record, .. }: &SampleGame| {
            let result = match record.outcome.winner {
                None => "drew",
                Some(winner) if winner == seat.0 => "won",
                Some(_) => "lost",
            };
            let tally = &record.outcome.tally;
            let (own, other) = (tally[seat.index()], tally[seat.opponent().index()]);
            format!("as {}: {result} {own}:{other} ({})", sample.game.seat_name(*seat), record.outcome.reason)
        };
        let lines = sample.games.iter().flat_map(|game| &game.log);
        Measured {
            game: sample.game.ruleset,
            opponent: sample.opponent,
            id: sample.id.to_string(),
            exports: sample.exports.iter().map(|name| name.escape_debug().to_string()).collect(),
            memory_bytes: sample.games.iter().map(|game| game.memory_bytes).max().unwrap_or(0),
            start_fuel: sample.start_fuel(),
            turn_fuel: sample.turn_fuel(),
            results: sample.games.iter().map(result).collect(),
            log: lines.map(|line| line.escape_debug().to_string()).collect(),
            log_dropped: sample.games.iter().map(|game| game.log_dropped).sum(),
        }
    }
}

fn explain(out: &mut dyn Write, check: &Check, budgets: &Budgets, verdict: &Verdict) -> Result<()> {
    writeln!(out, "{}", check.bot.display())?;
    writeln!(out, "  size      {} of {} bytes", grouped(verdict.size_bytes as u64), grouped(budgets.module_bytes))?;
    if let Some(measured) = &verdict.measured {
        writeln!(out, "  id        {}", measured.id)?;
        writeln!(out, "  exports   {}", measured.exports.join(", "))?;
        if let Some(fuel) = measured.start_fuel {
            writeln!(out, "  start     {} of {} fuel", grouped(fuel), grouped(budgets.fuel_at_start))?;
        }
        writeln!(
            out,
            "  memory    {} of {} bytes",
            grouped(measured.memory_bytes as u64),
            grouped(budgets.memory_bytes)
        )?;
        let mut fuel = measured.turn_fuel.clone();
        fuel.sort_unstable();
        if let (Some(least), Some(most)) = (fuel.first(), fuel.last()) {
            let median = fuel[fuel.len() / 2];
            let budget = grouped(budgets.fuel_per_move);
            writeln!(
                out,
                "  fuel      {} turns: least {}, median {}, most {} of {budget}",
                fuel.len(),
                grouped(*least),
                grouped(median),
                grouped(*most)
            )?;
        }
        writeln!(
            out,
            "  sample    two games of {} against {}, {}",
            measured.game,
            measured.opponent,
            measured.results.join("; ")
        )?;
        for line in measured.log.iter().take(LOG_LINES_SHOWN) {
            writeln!(out, "  log       {line}")?;
        }
        let more = measured.log.len().saturating_sub(LOG_LINES_SHOWN);
        if more > 0 {
            writeln!(out, "            ... and {more} more lines")?;
        }
        if measured.log_dropped > 0 {
            writeln!(out, "            {} lines were beyond the log's limits", measured.log_dropped)?;
        }
    }
    if verdict.accepted {
        let game = check.choice.game;
        let opponent = verdict.measured.as_ref().map_or("", |measured| measured.opponent);
        let choice = if game.ruleset == GAMES[0].ruleset { String::new() } else { format!(" --game {}", game.name()) };
        writeln!(out, "accepted: play it with `{} play {} {opponent}{choice}`", program(), check.bot.display())?;
        return Ok(());
    }
    let at = verdict.offset.map_or_else(String::new, |offset| format!(" (at byte {offset})"));
    writeln!(out, "REFUSED, {}: {}{at}", verdict.code, verdict.message)?;
    if let Some(hint) = verdict.hint {
        writeln!(out, "  hint: {hint}")?;
    }
    Ok(())
}

/// A number with its thousands apart.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}
