//! `arena check`: is this a bot, and what does it use?

mod forfeit;
mod profile;
mod usage;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use arena_record::{Budgets, Objection};
use arena_runner::{Host, PROFILE_POINTS, Qualification, Sample, SampleGame, profile, qualify, quick_points};
use arena_sandbox::{RefusalCode, WALL_MS_DEFAULT, Wall};
use clap::Args;
use serde::Serialize;

use crate::bots;
use crate::exit::{Exit, program};
use crate::game::{self, GameChoice};
use crate::overwrite;
use crate::shown::{self, COLUMNS, grouped};
use forfeit::ForfeitReport;
use profile::Profile;
use usage::{GameUse, wall_micros};

/// Lines of a game's log shown.
const LOG_LINES_SHOWN: usize = 5;
/// Exports shown, and characters of each.
const EXPORTS_SHOWN: usize = 8;
const EXPORT_CHARS_SHOWN: usize = 40;
/// Characters of a log line shown.
const LOG_CHARS_SHOWN: usize = 400;
/// Columns before the text of a field.
const FIELD_INDENT: usize = 12;

/// What to do with a bot in WebAssembly text.
const WAT_HINT: &str = "this is WebAssembly text, it seems: `arena assemble` makes the module, which is what to check";

#[derive(Args)]
pub(crate) struct Check {
    /// The bot's .wasm file.
    bot: PathBuf,
    #[command(flatten)]
    choice: GameChoice,
    /// Seed of the sample games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Sample the running function at all hundred points, however long it takes. By default a bot that uses much fuel is sampled
    /// at fewer points, because the sample games are played again for each.
    #[arg(long)]
    profile: bool,
    /// Write the profile as folded stacks (`outermost;...;innermost points`), for tools that draw flame graphs. Implies
    /// `--profile`.
    #[arg(long, value_name = "FILE")]
    folded: Option<PathBuf>,
    /// Print one JSON object: {"accepted":bool,"code":..,"message":..} and the measurements.
    #[arg(long)]
    json: bool,
}

/// What `--json` prints.
#[derive(Default, Serialize)]
struct Report {
    accepted: bool,
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    hint: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    size_bytes: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Measured>,
    /// Every forfeit in the sample games; it is refused for the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forfeits: Vec<ForfeitReport>,
    /// Which functions the fuel goes to; left out where finding them takes long and was not asked for, and of a refused module.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Profile>,
    /// Of each sample game, how long each turn took on this machine. All else is the same wherever it is measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wall_micros: Vec<Vec<u64>>,
}

/// What the sample games showed.
#[derive(Serialize)]
struct Measured {
    game: &'static str,
    opponent: &'static str,
    id: String,
    exports: Vec<String>,
    memory_bytes: u64,
    start_fuel: Option<u64>,
    turn_fuel: Vec<u64>,
    /// The same for each sample game.
    games: Vec<GameUse>,
    results: Vec<String>,
}

pub(crate) fn run(check: &Check, out: &mut dyn Write) -> Result<Exit> {
    if let Some(file) = &check.folded {
        overwrite::refuse_others(file, "one of folded stacks", profile::is_folded_stacks)?;
    }
    let budgets = check.choice.budgets();
    let bytes = bots::read(&check.bot, &budgets)?;
    let report = examine(&bytes, check, &budgets)?;
    let accepted = report.accepted;
    if check.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        explain(out, check, &budgets, &report)?;
    }
    Ok(if accepted { Exit::Yes } else { Exit::No })
}

fn examine(bytes: &[u8], check: &Check, budgets: &Budgets) -> Result<Report> {
    let (game, seed) = (check.choice.game, check.seed);
    let host = bots::host(1)?;
    let wall = Wall::Milliseconds(WALL_MS_DEFAULT);
    let qualification = qualify(&*host, bytes, game, budgets, seed, wall)?;
    let mut report = match qualification.objection() {
        None => Report {
            accepted: true,
            code: "accepted".into(),
            message: "the bot is accepted".into(),
            ..Report::default()
        },
        Some(Objection { code, message, hint, offset }) => {
            Report { code, message, hint: Some(hint), offset, ..Report::default() }
        }
    };
    if report.code == RefusalCode::NotWasm.as_str() && is_wat(bytes) {
        report.hint = Some(WAT_HINT.into());
    }
    report.size_bytes = bytes.len();
    if let Qualification::Played(sample) = &qualification {
        report.measured = Some(Measured::of(sample));
        report.wall_micros = sample.games.iter().map(wall_micros).collect();
        let forfeits = sample.games.iter().map(|played| ForfeitReport::of(played, game));
        report.forfeits = forfeits.filter_map(Result::transpose).collect::<Result<_>>()?;
        report.profile = profiled(check, &*host, bytes, sample)?;
    }
    Ok(report)
}

/// Where the fuel goes: always when it was asked for, else when that is quick and the machine lets it happen.
fn profiled(check: &Check, host: &dyn Host, bytes: &[u8], sample: &Sample) -> Result<Option<Profile>> {
    let is_asked = check.profile || check.folded.is_some();
    let points = if is_asked { Some(PROFILE_POINTS) } else { quick_points(&sample.games) };
    let Some(points) = points else { return Ok(None) };
    let stacks = match profile(host, bytes, sample, points) {
        Err(error) if !is_asked => {
            tracing::warn!(%error, "the functions that the fuel goes to are not known");
            return Ok(None);
        }
        stacks => stacks?,
    };
    if let Some(path) = &check.folded {
        let written = std::fs::write(path, profile::folded_stacks(&stacks));
        written.with_context(|| format!("cannot write {}", path.display()))?;
    }
    Ok(Some(Profile::of(&stacks, points)))
}

/// Whether the bytes begin as WebAssembly text does: with a parenthesis or a comment.
fn is_wat(bytes: &[u8]) -> bool {
    let text = bytes.trim_ascii_start();
    text.starts_with(b"(") || text.starts_with(b";;")
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
        let games: Vec<GameUse> =
            sample.games.iter().map(|game| GameUse::of(game, sample.game.seat_name(game.seat))).collect();
        Measured {
            game: sample.game.ruleset,
            opponent: sample.opponent,
            id: sample.bot.id().to_string(),
            exports: sample.bot.exports().iter().map(|name| shown::text(name)).collect(),
            memory_bytes: sample.games.iter().map(SampleGame::memory_bytes).max().unwrap_or(0),
            start_fuel: sample.start_fuel(),
            turn_fuel: games.iter().flat_map(GameUse::turn_fuel).collect(),
            games,
            results: sample.games.iter().map(result).collect(),
        }
    }
}

fn explain(out: &mut dyn Write, check: &Check, budgets: &Budgets, report: &Report) -> Result<()> {
    writeln!(out, "{}", check.bot.display())?;
    let of = |used: u64, most: u64, unit: &str| format!("{} of {} {unit}", grouped(used), grouped(most));
    field(out, "size", &of(report.size_bytes as u64, budgets.module_bytes, "bytes"))?;
    if let Some(measured) = &report.measured {
        field(out, "id", &measured.id)?;
        field(out, "exports", &exports(&measured.exports))?;
        if let Some(fuel) = measured.start_fuel {
            field(out, "start", &of(fuel, budgets.fuel_at_start, "fuel"))?;
        }
        // Where it never started, nobody knows.
        if measured.memory_bytes > 0 {
            field(out, "memory", &of(measured.memory_bytes, budgets.memory_bytes, "bytes"))?;
        }
        field(out, "sample", &format!("two games of {} against {}", measured.game, measured.opponent))?;
        for result in &measured.results {
            field(out, "", result)?;
        }
        if report.wall_micros.iter().any(|turns| !turns.is_empty()) {
            usage::table(out, &measured.games, &report.wall_micros, budgets)?;
            profile::explain(out, report.profile.as_ref())?;
        }
        // A forfeit shows the last lines before it.
        if report.forfeits.is_empty() {
            measured.games.iter().try_for_each(|game| game.log(out))?;
        }
    }
    for forfeit in &report.forfeits {
        forfeit.explain(out, budgets)?;
    }
    if report.accepted {
        let opponent = report.measured.as_ref().map_or("", |measured| measured.opponent);
        let (play, option) = (format!("{} play", program()), game::option(check.choice.game));
        writeln!(out, "accepted: play it with `{play} {} {opponent}{option}`", check.bot.display())?;
        return Ok(());
    }
    let at = report.offset.map_or_else(String::new, |offset| format!(" (at byte {offset})"));
    for line in shown::folded(&format!("REFUSED, {}: {}{at}", report.code, report.message), COLUMNS) {
        writeln!(out, "{line}")?;
    }
    if let Some(hint) = &report.hint {
        for line in shown::folded(&format!("hint: {hint}"), COLUMNS - 2) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

/// Lines of a log, which are escaped already, under what they are.
fn log(out: &mut dyn Write, what: &str, lines: &[String]) -> Result<()> {
    field(out, "log", what)?;
    for line in lines {
        let mut shown: String = line.chars().take(LOG_CHARS_SHOWN).collect();
        if shown.len() < line.len() {
            shown.push_str(" ...");
        }
        field(out, "", &format!("| {shown}"))?;
    }
    Ok(())
}

/// The first names of exports. One that is not a word is quoted.
fn exports(names: &[String]) -> String {
    let is_word =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.$-".contains(c));
    let shown = names.iter().take(EXPORTS_SHOWN).map(|name| {
        let shown = shown::name(name, EXPORT_CHARS_SHOWN);
        if is_word(name) { shown } else { format!("\"{shown}\"") }
    });
    let more = names.len().saturating_sub(EXPORTS_SHOWN);
    let more = (more > 0).then(|| format!("and {} more", grouped(more as u64)));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

/// A named text, in as many lines as it needs.
fn field(out: &mut dyn Write, name: &str, text: &str) -> Result<()> {
    let indent = FIELD_INDENT - 2;
    for (number, line) in shown::folded(text, COLUMNS - FIELD_INDENT).iter().enumerate() {
        let name = if number == 0 { name } else { "" };
        writeln!(out, "  {name:<indent$}{line}")?;
    }
    Ok(())
}
