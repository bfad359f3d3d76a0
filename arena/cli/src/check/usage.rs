//! A bot's use of resources in its sample games, as a table: how much of each, by game and by turn.

use std::io::Write;

use anyhow::Result;
use arena_record::Budgets;
use arena_runner::{SampleGame, Spread};
use serde::Serialize;

use super::{LOG_LINES_SHOWN, log};
use crate::output::{self, COLUMNS, count, grouped};

/// Columns of a row of the table in front of its bars.
const ROW_COLUMNS: usize = 71;

/// Columns of bars. In a longer game each column stands for several turns and shows the costliest.
const BARS_MAX: usize = COLUMNS - ROW_COLUMNS;

/// Bars from nothing to the maximum.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// A sample game in `--json`. The same seed gives the same numbers on every machine.
#[derive(Serialize)]
pub(super) struct GameUse {
    /// The name of the bot's seat.
    seat: String,
    /// Turns of the bot whose fuel is known: not those that trapped.
    turns: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fuel: Option<Spread>,
    /// The most, including the start.
    memory_bytes: u64,
    /// Bytes after a turn.
    #[serde(skip_serializing_if = "Option::is_none")]
    memory: Option<Spread>,
    /// Fuel of all turns out of that for the whole game, if there is such a bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    bank: Option<Bank>,
    turn_fuel: Vec<u64>,
    /// Bytes after each turn that the bot replied to.
    turn_memory: Vec<u64>,
    /// What the bot wrote, escaped.
    log: Vec<String>,
    /// Lines beyond the log's limits.
    log_dropped: u64,
}

/// The fuel of a whole game.
#[derive(Serialize)]
struct Bank {
    used: u64,
    of: u64,
}

impl GameUse {
    pub(super) fn of(game: &SampleGame, seat: String) -> GameUse {
        let (turn_fuel, turn_memory) = (game.turn_fuel(), game.turn_memory());
        let used = turn_fuel.iter().sum();
        GameUse {
            seat,
            turns: turn_fuel.len(),
            fuel: Spread::of(&turn_fuel),
            memory_bytes: game.memory_bytes(),
            memory: Spread::of(&turn_memory),
            bank: game.record.header.budgets.fuel_per_game.map(|of| Bank { used, of }),
            turn_fuel,
            turn_memory,
            log: game.log.iter().map(|line| output::log_line(line)).collect(),
            log_dropped: game.log_dropped,
        }
    }

    /// The first lines that the bot wrote, if any.
    pub(super) fn log(&self, out: &mut dyn Write) -> Result<()> {
        let GameUse { seat, log: lines, log_dropped, .. } = self;
        let dropped = if *log_dropped > 0 { format!(" ({log_dropped} more were dropped)") } else { String::new() };
        let what = match lines.len() {
            0 => return Ok(()),
            lines @ ..=LOG_LINES_SHOWN => format!("as {seat}, {}{dropped}:", count(lines, "line")),
            lines => format!("as {seat}, the first {LOG_LINES_SHOWN} of {lines} lines{dropped}; --json has them all:"),
        };
        log(out, &what, &lines[..lines.len().min(LOG_LINES_SHOWN)])
    }

    /// Fuel of each turn whose fuel is known.
    pub(super) fn turn_fuel(&self) -> impl Iterator<Item = u64> {
        self.turn_fuel.iter().copied()
    }
}

/// Time of each turn on this machine, in microseconds.
pub(super) fn wall_micros(game: &SampleGame) -> Vec<u64> {
    game.calls.iter().map(|call| call.wall.as_micros() as u64).collect()
}

/// A quantity that is measured in each turn.
struct Measure<'a> {
    name: &'static str,
    /// A turn's limit, if there is one.
    budget: Option<u64>,
    /// The values of each game's turns.
    games: Vec<&'a [u64]>,
}

/// The table. Each measure has a line for each game, with a bar for each turn, and one for all games.
pub(super) fn table(out: &mut dyn Write, games: &[GameUse], walls: &[Vec<u64>], budgets: &Budgets) -> Result<()> {
    let measures = [
        Measure {
            name: "fuel",
            budget: Some(budgets.fuel_per_move),
            games: games.iter().map(|game| &game.turn_fuel[..]).collect(),
        },
        Measure {
            name: "memory",
            budget: Some(budgets.memory_bytes),
            games: games.iter().map(|game| &game.turn_memory[..]).collect(),
        },
        Measure { name: "µs", budget: None, games: walls.iter().map(Vec::as_slice).collect() },
    ];
    let (fuel, bytes) = (grouped(budgets.fuel_per_move), grouped(budgets.memory_bytes));
    writeln!(out, "  of a turn, at most {fuel} fuel and {bytes} bytes of memory; µs are this machine's:")?;
    row(out, ["", "game", "turns", "p50", "p99", "max", "share", "turn by turn"])?;
    for measure in &measures {
        measure.rows(out, games)?;
    }
    for game in games {
        if let Some(Bank { used, of }) = game.bank {
            let (share, used, of) = (percent(used, of), grouped(used), grouped(of));
            writeln!(out, "    {:<6} {:<8} {share} of the game's bank: {used} of {of} fuel", "bank", game.seat)?;
        }
    }
    Ok(())
}

impl Measure<'_> {
    fn rows(&self, out: &mut dyn Write, games: &[GameUse]) -> Result<()> {
        let all = self.games.concat();
        let most = all.iter().copied().max().unwrap_or(0);
        for (number, (game, turns)) in games.iter().zip(&self.games).enumerate() {
            let name = if number == 0 { self.name } else { "" };
            self.row(out, name, &game.seat, turns, &bars(turns, most))?;
        }
        self.row(out, "", "both", &all, "")
    }

    fn row(&self, out: &mut dyn Write, name: &str, game: &str, turns: &[u64], bars: &str) -> Result<()> {
        let none = || "-".to_string();
        let [p50, p99, max, share] = Spread::of(turns).map_or_else(
            || [none(), none(), none(), String::new()],
            |Spread { p50, p99, max }| {
                let share = self.budget.map_or_else(String::new, |budget| percent(max, budget));
                [grouped(p50), grouped(p99), grouped(max), share]
            },
        );
        row(out, [name, game, &turns.len().to_string(), &p50, &p99, &max, &share, bars])
    }
}

fn row(out: &mut dyn Write, cells: [&str; 8]) -> Result<()> {
    let [name, game, turns, p50, p99, max, share, bars] = cells;
    let row = format!("    {name:<6} {game:<8} {turns:>5} {p50:>11} {p99:>11} {max:>11} {share:>7}  {bars}");
    writeln!(out, "{}", row.trim_end())?;
    Ok(())
}

/// A bar for each value, or for each few, in order. The tallest stands for `most`.
fn bars(values: &[u64], most: u64) -> String {
    let each = values.len().div_ceil(BARS_MAX).max(1);
    let tallest = values.chunks(each).map(|some| some.iter().copied().max().unwrap_or(0));
    let bar =
        |value: u64| BARS[(u128::from(value) * (BARS.len() as u128 - 1)).div_ceil(u128::from(most.max(1))) as usize];
    tallest.map(bar).collect()
}

/// A share of a budget.
pub(super) fn percent(part: u64, whole: u64) -> String {
    format!("{:.1} %", 100.0 * part as f64 / whole.max(1) as f64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_go_from_nothing_to_the_most_and_fit_a_line() {
        assert_eq!(bars(&[0, 1, 50, 100], 100), "▁▂▅█");
        assert_eq!(bars(&[0, 0], 0), "▁▁");
        assert_eq!(bars(&[u64::MAX], u64::MAX), "█");
        for turns in [1, BARS_MAX, BARS_MAX + 1, 1_000] {
            let mut values = vec![0; turns];
            values[turns - 1] = 9;
            let bars = bars(&values, 9);
            assert!(bars.chars().count() <= BARS_MAX && bars.ends_with('█'), "{turns}: {bars}");
        }
    }

    #[test]
    fn a_share_is_of_the_whole() {
        assert_eq!(percent(1, 8), "12.5 %");
        assert_eq!(percent(0, 0), "0.0 %");
    }
}
