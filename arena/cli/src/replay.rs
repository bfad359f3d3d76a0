//! `arena replay`: a recorded game in the terminal.

mod grid;
mod paced;

use std::io::{self, BufRead, IsTerminal, Write};
use std::time::Duration;

use anyhow::{Context, Result, bail};
use arena_limits::counted;
use arena_record::Record;
use arena_referee::{Divergence, Replay as Replayed, replay};
use arena_rules::Seat;
use arena_rules::conquerors::Position;
use arena_wire::{Game, Protocol, words};
use clap::{Args, ValueEnum};

use crate::exit::Exit;
use crate::names::EntrantNames;
use crate::output;
use crate::paint::{self, Ink};
use crate::recorded::Recorded;
use crate::window::Part;

#[derive(Args)]
pub(crate) struct Replay {
    /// The game: a file with its record, or DIR#N for game N of the tournament in the folder DIR.
    record: Recorded,
    /// Show only the position after this turn; 0 is the start.
    #[arg(long)]
    turn: Option<usize>,
    /// When to use colours.
    #[arg(long, value_enum, default_value_t = When::Auto)]
    color: When,
    /// Print all turns at once instead of waiting for Enter after each.
    #[arg(long)]
    all: bool,
    /// Animate the game: show each turn in place for this many milliseconds. Without a terminal, print only the last.
    #[arg(long, value_name = "MILLISECONDS", conflicts_with_all = ["turn", "all"])]
    pace: Option<u64>,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum When {
    /// In a terminal, unless NO_COLOR is set.
    Auto,
    Always,
    Never,
}

pub(crate) fn run(args: &Replay, out: &mut dyn Write) -> Result<Exit> {
    let record = args.record.record()?;
    let ink = ink(args.color);
    let names = args.record.names();
    let shown: Result<Box<dyn Shown + '_>, Divergence> = if has_zones(&record.header.ruleset) {
        replay(&record).map(|replay| Box::new(Conquerors { record: &record, names: &names, replay, ink }) as _)
    } else {
        grid::replayed(&record, &names, ink).map(|grid| Box::new(grid) as _)
    };
    let game = match shown {
        Ok(game) => game,
        Err(divergence) => {
            writeln!(out, "{} is not a game by the rules: {divergence}", args.record)?;
            return Ok(Exit::No);
        }
    };
    let last = game.last();
    match (args.turn, args.pace) {
        (Some(turn), _) if turn > last => bail!("the game has {}", counted(last, "turn")),
        (Some(turn), _) => game.show(out, turn)?,
        (None, Some(pace)) if io::stdout().is_terminal() => {
            paced::run(&*game, Duration::from_millis(pace), out)?;
        }
        (None, Some(_)) => game.show(out, last)?,
        (None, None) if !args.all && io::stdin().is_terminal() && io::stdout().is_terminal() => browse(&*game, out)?,
        (None, None) => (0..=last).try_for_each(|turn| game.show(out, turn))?,
    }
    Ok(Exit::Yes)
}

/// A replayed game that can be shown turn by turn.
trait Shown {
    /// The number of turns.
    fn last(&self) -> usize;

    /// Shows the position after `turn` turns.
    fn show(&self, out: &mut dyn Write, turn: usize) -> Result<()>;
}

/// A part of the board before a turn, from 0, of a game by the rules, as plain text.
///
/// # Errors
/// If record and rules disagree, or the game has no such turn.
pub(crate) fn board_before(record: &Record, turn: usize, part: Part<'_>) -> Result<String> {
    if !has_zones(&record.header.ruleset) {
        return grid::board_before(record, turn, part);
    }
    let position = replay::<Position>(record)?.asked(turn).context("no such turn")?;
    Ok(paint::position(&position, None, Ink::Plain, part))
}

/// An action of a game, legal or not, in words. Its cells are named as beside the game's board.
pub(crate) fn action_words(ruleset: &str, action: &[u8]) -> String {
    let calls = Game::named(ruleset).ok().and_then(|game| game.describe(action).ok()).unwrap_or_default();
    let cells = if has_zones(ruleset) { paint::cells } else { grid::cells };
    words(&calls, cells)
}

/// Whether a game declares zones. A ruleset that this release lacks counts as one without; it is refused later.
fn has_zones(ruleset: &str) -> bool {
    Game::named(ruleset).is_ok_and(|game| !game.zones.is_empty())
}

fn ink(when: When) -> Ink {
    let auto = io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    if when == When::Always || when == When::Auto && auto { Ink::Coloured } else { Ink::Plain }
}

/// The name of a seat in a recorded game, for people.
pub(crate) fn seat_name(record: &Record, seat: Seat) -> String {
    Game::named(&record.header.ruleset).map_or_else(|_| seat.to_string(), |game| game.seat_name(seat))
}

/// The outcome in words.
pub(crate) fn outcome(record: &Record) -> String {
    let outcome = record.outcome();
    let tally = outcome.tally.values();
    let points = tally.iter().map(u32::to_string).collect::<Vec<_>>().join(":");
    let reason = outcome.reason.code().replace('_', " ");
    match outcome.winner {
        Some(seat) => format!("{} wins by {reason}, {points}", seat_name(record, seat)),
        None => format!("a draw by {reason}, {points}"),
    }
}

/// A replayed game of Conquerors and how to show it.
struct Conquerors<'a> {
    record: &'a Record,
    names: &'a EntrantNames,
    replay: Replayed<Position>,
    ink: Ink,
}

impl Shown for Conquerors<'_> {
    fn last(&self) -> usize {
        self.replay.turns.len()
    }

    fn show(&self, out: &mut dyn Write, turn: usize) -> Result<()> {
        let position = &self.replay.position(turn);
        let played = turn.checked_sub(1).and_then(|before| {
            let mover = self.replay.position(before).to_move()?;
            Some((mover, self.replay.turns[before][mover.seat()].as_ref()?))
        });
        match played {
            None => {
                let [blue, red] = &self.record.header.entrants[..] else { return Ok(()) };
                let [blue, red] = [blue, red].map(|id| self.names.of(id));
                writeln!(out, "blue o: {blue}\nred  x: {red}\n\nstart, {}", paint::round(position))?;
            }
            Some((mover, played)) => {
                let before = &self.replay.position(turn - 1);
                let fuel = self.record.turns[turn - 1].plays.first().and_then(|play| play.fuel);
                let fuel = fuel.map_or_else(String::new, |fuel| format!(", {} fuel", output::grouped(fuel)));
                let words = words(&Position::describe(&played.into()), paint::cells);
                writeln!(out, "turn {turn}, {}: {} {words}{fuel}", paint::round(before), mover.name())?;
            }
        }
        writeln!(out, "{}", paint::position(position, played, self.ink, Part::Whole))?;
        if turn == self.replay.turns.len() {
            self.ending(out)?;
        }
        Ok(())
    }
}

impl Conquerors<'_> {
    fn ending(&self, out: &mut dyn Write) -> Result<()> {
        for forfeit in &self.record.forfeits {
            let name = seat_name(self.record, Seat(forfeit.seat));
            // May be hostile text: a record may come from anywhere.
            writeln!(out, "{name} forfeits {}", output::text(&forfeit.to_string()))?;
        }
        writeln!(out, "{}", outcome(self.record))?;
        writeln!(out, "every action and digest of the record agrees with the rules")?;
        Ok(())
    }
}

/// Shows turn after turn, one whenever the reader asks.
fn browse(game: &dyn Shown, out: &mut dyn Write) -> Result<()> {
    let last = game.last();
    let mut turn = 0;
    let mut lines = io::stdin().lock().lines();
    loop {
        game.show(out, turn)?;
        write!(out, "[{turn}/{last}] Enter: next, b: back, a number: that turn, q: quit > ")?;
        out.flush()?;
        let Some(line) = lines.next().transpose()? else { return Ok(()) };
        turn = match line.trim() {
            "q" => return Ok(()),
            "" if turn == last => return Ok(()),
            "" => turn + 1,
            "b" => turn.saturating_sub(1),
            number => number.parse::<usize>().unwrap_or(turn).min(last),
        };
    }
}
