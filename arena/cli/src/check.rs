//! `arena check`: is this a bot, and what does it use?

use std::io::Write;
use std::path::PathBuf;

use anyhow::Result;
use arena_record::{Budgets, Record};
use arena_referee::Player;
use arena_rules::conquerors::{Options, Position};
use arena_rules::{BySeat, Ruleset, Seat, Seed};
use arena_runner::{Contender, Table};
use arena_sandbox::{Bot, Sandbox, SandboxPlayer, WALL_MS_DEFAULT, Wall};
use arena_wire::Protocol;
use clap::Args;
use serde::Serialize;

use crate::bots;
use crate::exit::Exit;

/// The sample: one game in each seat against this opponent.
const SAMPLE_OPPONENT: &str = "easy";
/// Log lines shown.
const LOG_LINES_SHOWN: usize = 8;

#[derive(Args)]
pub(crate) struct Check {
    /// The bot's .wasm file.
    bot: PathBuf,
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
    id: String,
    exports: Vec<String>,
    memory_bytes: usize,
    start_fuel: Option<u64>,
    turn_fuel: Vec<u64>,
    results: Vec<String>,
    log: Vec<String>,
}

pub(crate) fn run(check: &Check, out: &mut dyn Write) -> Result<Exit> {
    let bytes = bots::read(&check.bot)?;
    let verdict = examine(&bytes, check.seed)?;
    let accepted = verdict.accepted;
    if check.json {
        writeln!(out, "{}", serde_json::to_string(&verdict)?)?;
    } else {
        explain(out, check, &verdict)?;
    }
    Ok(if accepted { Exit::Yes } else { Exit::No })
}

fn examine(bytes: &[u8], seed: u64) -> Result<Verdict> {
    let sandbox = Sandbox::new()?;
    let size_bytes = bytes.len();
    let bot = match sandbox.load(bytes, &Budgets::DEFAULT) {
        Ok(bot) => bot,
        Err(refusal) => {
            return Ok(Verdict {
                code: refusal.code.as_str().into(),
                message: refusal.message.clone(),
                hint: Some(refusal.code.hint()),
                offset: refusal.offset,
                size_bytes,
                ..Verdict::default()
            });
        }
    };
    let mut samples = Vec::new();
    for seat in [Seat(0), Seat(1)] {
        samples.push((seat, sample_game(&bot, seat, seed)?));
    }
    let forfeit = samples.iter().find_map(|(seat, (record, _))| {
        record.forfeits.iter().find(|forfeit| forfeit.seat == seat.0).map(|forfeit| (seat, forfeit.clone()))
    });
    let measured = Some(measure(&bot, &samples));
    Ok(match forfeit {
        None => Verdict {
            accepted: true,
            code: "accepted".into(),
            message: "the bot is accepted".into(),
            size_bytes,
            measured,
            ..Verdict::default()
        },
        Some((seat, forfeit)) => Verdict {
            code: forfeit.code.as_str().into(),
            message: format!("it forfeits a sample game against {SAMPLE_OPPONENT}, as {}: {forfeit}", colour(*seat)),
            hint: Some("`arena play` and `arena replay` show the game; sdk/ABI.md says what each code means"),
            size_bytes,
            measured,
            ..Verdict::default()
        },
    })
}

fn colour(seat: Seat) -> &'static str {
    if seat == Seat(0) { "blue" } else { "red" }
}

/// A game against the sample opponent, and what the bot left.
fn sample_game(bot: &Bot, seat: Seat, seed: u64) -> Result<(Record, SandboxPlayer)> {
    let options = Position::options_text(&Options::default());
    let wall = Wall::Milliseconds(WALL_MS_DEFAULT);
    let table = Table::new(Position::ID, &options, Budgets::DEFAULT, wall);
    let opponent = Contender::baseline(SAMPLE_OPPONENT)?;
    let mut player = SandboxPlayer::new(bot, wall);
    let mut other = opponent.player(wall);
    let mut game_seed: Seed = [0; 32];
    game_seed[..8].copy_from_slice(&seed.to_le_bytes());
    let entrants = BySeat::new(2, |at| if at == seat { bot.id().clone() } else { opponent.id() });
    let (own, other): (&mut dyn Player, &mut dyn Player) = (&mut player, other.as_mut());
    let players = if seat == Seat(0) { [own, other] } else { [other, own] };
    let record = arena_referee::play(table.header(game_seed, entrants.into_values()), BySeat::from(players))?;
    Ok((record, player))
}

fn measure(bot: &Bot, samples: &[(Seat, (Record, SandboxPlayer))]) -> Measured {
    let mut measured = Measured {
        id: bot.id().to_string(),
        exports: bot.exports().iter().map(|name| name.escape_debug().to_string()).collect(),
        memory_bytes: 0,
        start_fuel: None,
        turn_fuel: Vec::new(),
        results: Vec::new(),
        log: Vec::new(),
    };
    for (seat, (record, player)) in samples {
        measured.memory_bytes = measured.memory_bytes.max(player.memory_bytes());
        measured.start_fuel = measured.start_fuel.max(record.starts[seat.index()]);
        let plays = record.turns.iter().flat_map(|turn| &turn.plays).filter(|play| play.seat == seat.0);
        measured.turn_fuel.extend(plays.filter_map(|play| play.fuel));
        let result = match record.outcome.winner {
            None => "drew",
            Some(winner) if winner == seat.0 => "won",
            Some(_) => "lost",
        };
        let tally = &record.outcome.tally;
        let (own, other) = (tally[seat.index()], tally[seat.opponent().index()]);
        measured.results.push(format!("as {}: {result} {own}:{other} ({})", colour(*seat), record.outcome.reason));
        measured.log.extend(player.log().lines().iter().map(|line| line.escape_debug().to_string()));
    }
    measured
}

fn explain(out: &mut dyn Write, check: &Check, verdict: &Verdict) -> Result<()> {
    writeln!(out, "{}", check.bot.display())?;
    writeln!(
        out,
        "  size      {} of {} bytes",
        grouped(verdict.size_bytes as u64),
        grouped(Budgets::DEFAULT.module_bytes)
    )?;
    if let Some(measured) = &verdict.measured {
        writeln!(out, "  id        {}", measured.id)?;
        writeln!(out, "  exports   {}", measured.exports.join(", "))?;
        if let Some(fuel) = measured.start_fuel {
            writeln!(out, "  start     {} of {} fuel", grouped(fuel), grouped(Budgets::DEFAULT.fuel_at_start))?;
        }
        writeln!(
            out,
            "  memory    {} of {} bytes",
            grouped(measured.memory_bytes as u64),
            grouped(Budgets::DEFAULT.memory_bytes)
        )?;
        let mut fuel = measured.turn_fuel.clone();
        fuel.sort_unstable();
        if let (Some(least), Some(most)) = (fuel.first(), fuel.last()) {
            let median = fuel[fuel.len() / 2];
            let budget = grouped(Budgets::DEFAULT.fuel_per_move);
            writeln!(
                out,
                "  fuel      {} turns: least {}, median {}, most {} of {budget}",
                fuel.len(),
                grouped(*least),
                grouped(median),
                grouped(*most)
            )?;
        }
        writeln!(out, "  sample    two games against {SAMPLE_OPPONENT}, {}", measured.results.join("; "))?;
        for line in measured.log.iter().take(LOG_LINES_SHOWN) {
            writeln!(out, "  log       {line}")?;
        }
        if measured.log.len() > LOG_LINES_SHOWN {
            writeln!(out, "            ... and {} more lines", measured.log.len() - LOG_LINES_SHOWN)?;
        }
    }
    if verdict.accepted {
        writeln!(out, "accepted: play it with `arena play {} easy`", check.bot.display())?;
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
