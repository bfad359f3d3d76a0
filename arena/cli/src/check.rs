//! `arena check`: is this a bot, and what does it use?

mod forfeit;
mod measured;
mod profile;
mod remarks;
mod trial;
mod usage;

use std::io::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use arena_record::{Budgets, Objection};
use arena_referee::PlatformFault;
use arena_runner::{Qualification, Sample, folded_stacks, functions_used, plain, sample_fuel_max};
use arena_scripts::{SCRIPT_BYTES_MAX, Script, script_of};
use clap::Args;
use serde::Serialize;

use crate::bots::{self, BotFile};
use crate::exit::{Exit, program};
use crate::game::{self, GameChoice};
use crate::output::{self, COLUMNS, grouped};
use crate::overwrite;
use forfeit::ForfeitReport;
use measured::Measured;
use profile::Profile;
use remarks::Remark;
use trial::{Trial, TrialArgs};
use usage::wall_micros;

/// Lines that are shown of a game's log.
const LOG_LINES_SHOWN: usize = 5;
/// Exports that are shown, and characters of each.
const EXPORTS_SHOWN: usize = 8;
const EXPORT_CHARS_SHOWN: usize = 40;
/// Characters that are shown of a log line.
const LOG_CHARS_SHOWN: usize = 400;
/// Columns before the text of a field.
const FIELD_INDENT: usize = 12;

#[derive(Args)]
pub(crate) struct Check {
    /// The bot's .wasm file.
    bot: PathBuf,
    #[command(flatten)]
    choice: GameChoice,
    /// Seed of the sample games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    trial: TrialArgs,
    /// Sample the running functions at all 100 points, however long that takes. Each point is another run of the sample
    /// games, so a bot that uses much fuel is sampled at fewer by default.
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
    size_bytes: u64,
    #[serde(skip_serializing_if = "Option::is_none")]
    measured: Option<Measured>,
    /// Every forfeit in the sample games. The bot is refused for the first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    forfeits: Vec<ForfeitReport>,
    /// The functions that use the fuel; left out for a refused module, and if it takes long and was not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    profile: Option<Profile>,
    /// The results of `--games` and `--against`.
    #[serde(skip_serializing_if = "Option::is_none")]
    trial: Option<Trial>,
    /// Remarks that are no reason to refuse the bot.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    remarks: Vec<Remark>,
    /// For each sample game, the time of each turn on this machine. All other fields are the same on every machine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    wall_micros: Vec<Vec<u64>>,
}

pub(crate) fn run(check: &Check, out: &mut dyn Write) -> Result<Exit> {
    if let Some(file) = &check.folded {
        overwrite::refuse_others(file, "one of folded stacks", profile::is_folded_stacks)?;
    }
    let budgets = check.choice.budgets();
    let file = bots::read(&check.bot, &budgets)?;
    if !check.json {
        announce(out, check, &file, &budgets)?;
    }
    let report = examine(&file, check, &budgets)?;
    let accepted = report.accepted;
    if check.json {
        writeln!(out, "{}", serde_json::to_string(&report)?)?;
    } else {
        explain(out, check, &budgets, &report)?;
    }
    Ok(if accepted { Exit::Yes } else { Exit::No })
}

/// Announces what is checked, and the limits of the sample games, before they are played.
fn announce(out: &mut dyn Write, check: &Check, file: &BotFile, budgets: &Budgets) -> Result<()> {
    writeln!(out, "{}", check.bot.display())?;
    field(out, "size", &of(file.size, budgets.module_bytes, "bytes"))?;
    if let Some(Script { language, text }) = script_of(&file.bytes) {
        let unit = format!("bytes of {}, in its interpreter", language.title());
        field(out, "script", &of(text.len() as u64, SCRIPT_BYTES_MAX as u64, &unit))?;
    }
    if arena_sandbox::check(&file.bytes, budgets).is_ok() {
        let most = grouped(sample_fuel_max(check.choice.game, budgets));
        let profile =
            if check.is_profiled() { "the profile as much as it takes" } else { "the profile at most as much again" };
        field(out, "uses", &format!("at most {most} fuel in the sample games, {profile}"))?;
    }
    out.flush()?;
    Ok(())
}

impl Check {
    /// Whether the whole profile was asked for.
    fn is_profiled(&self) -> bool {
        self.profile || self.folded.is_some()
    }
}

fn examine(file: &BotFile, check: &Check, budgets: &Budgets) -> Result<Report> {
    let (game, seed) = (check.choice.game, check.seed);
    let host = bots::host(check.trial.threads.count())?;
    let qualification = bots::judged(&*host, file, game, budgets, seed)?;
    let mut report = match qualification.objection() {
        None => Report {
            accepted: true,
            code: "accepted".into(),
            message: "the bot is accepted".into(),
            ..Report::default()
        },
        Some(Objection { code, message, hint, offset }) => {
            Report { code, message: message.to_string(), hint: Some(hint.to_string()), offset, ..Report::default() }
        }
    };
    report.size_bytes = file.size;
    if let Qualification::Played(sample) = &qualification {
        report.measured = Some(Measured::of(&file.bytes, sample));
        report.wall_micros = sample.games.iter().map(wall_micros).collect();
        let forfeits = sample.all().map(|played| ForfeitReport::of(played, game, sample.script));
        report.forfeits = forfeits.filter_map(Result::transpose).collect::<Result<_>>()?;
        report.profile = profiled(check, &file.bytes, sample, budgets)?;
        if report.accepted && check.trial.is_asked() {
            report.trial = Some(check.trial.play(&*host, (&check.bot, &sample.bot), &check.choice, seed)?);
        }
        report.remarks = remarks::of(check, &file.bytes, sample, report.trial.as_ref());
    }
    Ok(report)
}

/// The profile. What functions use is counted in one more round of the sample games. Lines of a script are seen at
/// points: without being asked for, only if the machine allows it and no more fuel is used than the games may.
fn profiled(check: &Check, bytes: &[u8], sample: &Sample, budgets: &Budgets) -> Result<Option<Profile>> {
    let (is_asked, script) = (check.is_profiled(), script_of(bytes));
    let mut profile = None;
    if script.is_none() {
        let used = found(functions_used(bytes, &sample.bot, &sample.games).map(Some), is_asked)?;
        profile = used.map(|used| Profile::of_functions(&used, bytes));
    }
    if script.is_some() || check.folded.is_some() {
        let fuel_max = (!is_asked).then(|| sample_fuel_max(sample.game, budgets));
        let seen = found(arena_runner::profile(bytes, &sample.bot, &sample.games, fuel_max), is_asked)?;
        if let Some((path, seen)) = check.folded.as_ref().zip(seen.as_ref()) {
            let written = std::fs::write(path, folded_stacks(&seen.stacks));
            written.with_context(|| format!("cannot write {}", path.display()))?;
        }
        if let Some(script) = script {
            profile = seen.map(|seen| Profile::of_lines(&seen, script));
        }
    }
    Ok(profile)
}

/// What there is if the machine allows it, or must be if it was asked for.
fn found<T>(found: Result<Option<T>, PlatformFault>, is_asked: bool) -> Result<Option<T>> {
    if let Err(error) = &found
        && !is_asked
    {
        tracing::warn!(%error, "where the fuel goes is not known");
        return Ok(None);
    }
    Ok(found?)
}

/// What is used, out of the limit.
fn of(used: u64, most: u64, unit: &str) -> String {
    format!("{} of {} {unit}", grouped(used), grouped(most))
}

fn explain(out: &mut dyn Write, check: &Check, budgets: &Budgets, report: &Report) -> Result<()> {
    if let Some(measured) = &report.measured {
        field(out, "id", &measured.id)?;
        field(out, "exports", &exports(&measured.exports))?;
        if let Some(fuel) = measured.start_fuel {
            field(out, "start", &of(fuel, budgets.fuel_at_start, "fuel"))?;
        }
        // Its memory is unknown if it never started.
        if measured.memory_bytes > 0 {
            field(out, "memory", &of(measured.memory_bytes, budgets.memory_bytes, "bytes"))?;
        }
        let then = match measured.openings {
            0 => "",
            1 => ", then one from an opening",
            _ => ", then two from an opening",
        };
        field(out, "sample", &format!("two games of {} against {}{then}", measured.game, measured.opponent))?;
        for result in &measured.results {
            field(out, "", result)?;
        }
        if report.wall_micros.iter().any(|turns| !turns.is_empty()) {
            usage::table(out, &measured.games, &report.wall_micros, budgets)?;
            profile::explain(out, report.profile.as_ref())?;
        }
        // With a forfeit, the last lines before it are shown there.
        if report.forfeits.is_empty() {
            measured.games.iter().try_for_each(|game| game.log(out))?;
        }
    }
    if let [first, others @ ..] = &report.forfeits[..] {
        first.explain(out, budgets)?;
        others.iter().try_for_each(|forfeit| forfeit.explain_after(out, budgets, first))?;
    }
    if let Some(trial) = &report.trial {
        trial.explain(out, budgets)?;
    }
    for remark in &report.remarks {
        remark.explain(out)?;
    }
    if report.accepted {
        let opponent = report.measured.as_ref().map_or("", |measured| measured.opponent);
        let (play, option) = (format!("{} play", program()), game::option(check.choice.game));
        writeln!(out, "accepted: play it with `{play} {} {opponent}{option}`", check.bot.display())?;
        return Ok(());
    }
    let at = report.offset.map_or_else(String::new, |offset| format!(" (at byte {offset})"));
    for line in output::folded(&format!("REFUSED, {}: {}{at}", report.code, report.message), COLUMNS) {
        writeln!(out, "{line}")?;
    }
    if let Some(hint) = &report.hint {
        for line in output::folded(&format!("hint: {hint}"), COLUMNS - 2) {
            writeln!(out, "  {line}")?;
        }
    }
    Ok(())
}

/// Escaped lines of a log under a heading.
fn log(out: &mut dyn Write, what: &str, lines: &[String]) -> Result<()> {
    field(out, "log", what)?;
    for line in lines {
        let mut shown: String = line.chars().take(LOG_CHARS_SHOWN).collect();
        if shown.len() < line.len() {
            shown.push_str(" ...");
        }
        output::broken(&shown).iter().try_for_each(|line| field(out, "", &format!("| {line}")))?;
    }
    Ok(())
}

/// The first names of exports. A name that is not a word is quoted.
fn exports(names: &[String]) -> String {
    let is_word =
        |name: &str| !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || "_.$-".contains(c));
    let shown = names.iter().take(EXPORTS_SHOWN).map(|name| {
        let shown = plain(name, EXPORT_CHARS_SHOWN);
        if is_word(name) { shown } else { format!("\"{shown}\"") }
    });
    let more = names.len().saturating_sub(EXPORTS_SHOWN);
    let more = (more > 0).then(|| format!("and {} more", grouped(more as u64)));
    shown.chain(more).collect::<Vec<_>>().join(", ")
}

/// A named text, in as many lines as it needs.
fn field(out: &mut dyn Write, name: &str, text: &str) -> Result<()> {
    let indent = FIELD_INDENT - 2;
    for (number, line) in output::folded(text, COLUMNS - FIELD_INDENT).iter().enumerate() {
        let name = if number == 0 { name } else { "" };
        writeln!(out, "  {name:<indent$}{line}")?;
    }
    Ok(())
}
