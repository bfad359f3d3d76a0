//! What a bot used in its sample games, as a table with a line of bars for each game.

use std::io::Write;

use anyhow::Result;
use arena_record::{Budgets, ForfeitCode};
use arena_runner::{SampleGame, Spread};
use serde::Serialize;

use super::grouped;

/// Columns of a line of bars. A longer game has several turns in each, of which the dearest is shown.
const BARS_MAX: usize = 72;

/// From nothing to the most.
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What `--json` says of a sample game. The same seed gives the same numbers anywhere.
#[derive(Serialize)]
pub(super) struct GameUse {
    /// What the bot's seat is called.
    seat: String,
    /// Turns of the bot whose fuel is known: those in the record, and one that was a forfeit where that is known of it.
    turns: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    fuel: Option<Fuel>,
    memory_bytes: usize,
    /// What the turns took together of the fuel for the whole game, where there is such a bank.
    #[serde(skip_serializing_if = "Option::is_none")]
    bank: Option<Bank>,
    turn_fuel: Vec<u64>,
}

/// Fuel of turns.
#[derive(Serialize)]
struct Fuel {
    p50: u64,
    p99: u64,
    max: u64,
}

/// Fuel of a whole game.
#[derive(Serialize)]
struct Bank {
    used: u64,
    of: u64,
}

impl GameUse {
    pub(super) fn of(game: &SampleGame, seat: String) -> GameUse {
        let turn_fuel = turn_fuel(game);
        let used = turn_fuel.iter().sum();
        GameUse {
            seat,
            turns: turn_fuel.len(),
            fuel: Spread::of(&turn_fuel).map(|Spread { p50, p99, max }| Fuel { p50, p99, max }),
            memory_bytes: game.memory_bytes,
            bank: game.record.header.budgets.fuel_per_game.map(|of| Bank { used, of }),
            turn_fuel,
        }
    }

    /// Fuel of each turn, where it is known.
    pub(super) fn turn_fuel(&self) -> impl Iterator<Item = u64> {
        self.turn_fuel.iter().copied()
    }
}

/// Fuel of each turn, the one of a forfeit last. What a call used that trapped is not known.
fn turn_fuel(game: &SampleGame) -> Vec<u64> {
    let forfeited = game.forfeit().filter(|forfeit| forfeit.turn.is_some()).and_then(|forfeit| {
        let call = game.calls.last()?;
        match &call.reply {
            Ok(reply) => reply.fuel,
            Err(_) => (forfeit.code == ForfeitCode::FuelExhausted).then_some(call.fuel),
        }
    });
    game.turn_fuel().into_iter().chain(forfeited).collect()
}

/// How long each turn took on this machine, in microseconds.
pub(super) fn wall_micros(game: &SampleGame) -> Vec<u64> {
    game.calls.iter().map(|call| call.wall.as_micros() as u64).collect()
}

/// The table: a line for each game and one for all, then what each game's turns took, one bar a turn.
pub(super) fn table(out: &mut dyn Write, games: &[GameUse], walls: &[Vec<u64>], budgets: &Budgets) -> Result<()> {
    writeln!(
        out,
        "  of a turn, at most {} fuel; milliseconds are this machine's and decide nothing:",
        grouped(budgets.fuel_per_move)
    )?;
    writeln!(
        out,
        "    {:<8} {:>5} {:>11} {:>11} {:>11} {:>7} {:>11} {:>7} {:>7} {:>7}",
        "game", "turns", "fuel p50", "p99", "max", "share", "most memory", "ms p50", "p99", "max"
    )?;
    for (game, wall) in games.iter().zip(walls) {
        row(out, &game.seat, &game.turn_fuel, game.memory_bytes, wall, budgets)?;
    }
    let fuel: Vec<u64> = games.iter().flat_map(|game| game.turn_fuel.iter().copied()).collect();
    let memory_bytes = games.iter().map(|game| game.memory_bytes).max().unwrap_or(0);
    row(out, "both", &fuel, memory_bytes, &walls.concat(), budgets)?;
    let most = fuel.iter().copied().max().unwrap_or(0);
    for game in games.iter().filter(|game| !game.turn_fuel.is_empty()) {
        writeln!(out, "    {:<8} {}", game.seat, bars(&game.turn_fuel, most))?;
    }
    for game in games {
        if let Some(Bank { used, of }) = game.bank {
            let (share, used, of) = (percent(used, of), grouped(used), grouped(of));
            writeln!(out, "    {:<8} {share} of the game's bank: {used} of {of} fuel", game.seat)?;
        }
    }
    Ok(())
}

fn row(
    out: &mut dyn Write,
    name: &str,
    fuel: &[u64],
    memory_bytes: usize,
    wall: &[u64],
    budgets: &Budgets,
) -> Result<()> {
    let turns = fuel.len();
    let none = || "-".to_string();
    let [p50, p99, max, share] = Spread::of(fuel).map_or_else(
        || [none(), none(), none(), none()],
        |Spread { p50, p99, max }| [grouped(p50), grouped(p99), grouped(max), percent(max, budgets.fuel_per_move)],
    );
    let ms = |micros: u64| format!("{:.1}", micros as f64 / 1e3);
    let [middle, dear, most] = Spread::of(wall)
        .map_or_else(|| [none(), none(), none()], |Spread { p50, p99, max }| [ms(p50), ms(p99), ms(max)]);
    let memory = grouped(memory_bytes as u64);
    writeln!(
        out,
        "    {name:<8} {turns:>5} {p50:>11} {p99:>11} {max:>11} {share:>7} {memory:>11} {middle:>7} {dear:>7} {most:>7}"
    )?;
    Ok(())
}

/// A bar for each value, or for each few, in the order they have: the tallest is `most`.
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
