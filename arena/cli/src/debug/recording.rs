//! A bot's observations in a recorded game, as a file for its tests.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use arena_record::Record;
use arena_rules::Seat;

use super::hex;
use crate::overwrite;
use crate::replay::{action_words, board_before, seat_name};
use crate::window::Part;

/// The start and the end of a recording's first line.
const BEGINS: &str = "# What ";
const ENDS: &str = "saved by `arena debug`.";

/// Refuses a file that is not a recording.
///
/// # Errors
/// If the file exists and was not written by `save`.
pub(super) fn refuse_others(file: &Path) -> Result<()> {
    overwrite::refuse_others(file, "what `arena debug --save` wrote", |text| {
        text.lines().next().is_some_and(|first| first.starts_with(BEGINS) && first.ends_with(ENDS))
    })
}

/// Writes the observations of a seat, one line of hex each. The other lines begin with `#` and are for people.
/// sdk/README.md describes the format; the SDK reads it.
///
/// # Errors
/// If the file cannot be written.
pub(super) fn save(file: &Path, record: &Record, seat: Seat, shown: &[(usize, Vec<u8>)]) -> Result<()> {
    fs::write(file, text(record, seat, shown)?).with_context(|| format!("cannot write {}", file.display()))
}

fn text(record: &Record, seat: Seat, shown: &[(usize, Vec<u8>)]) -> Result<String> {
    let (name, ruleset) = (seat_name(record, seat), &record.header.ruleset);
    let mut text = format!("{BEGINS}{name} saw in a game of {ruleset}, an observation a line; {ENDS}\n");
    for (turn, observation) in shown {
        let plays = record.turns.get(*turn).into_iter().flat_map(|turn| &turn.plays);
        let play = plays.into_iter().find(|play| play.seat == seat.0);
        let played = play.map(|play| format!(": in the game, {name} {}", action_words(ruleset, &play.action.0)));
        writeln!(text, "\n# turn {}{}", turn + 1, played.unwrap_or_default())?;
        // A board for each turn would be longer than all the rest.
        if shown.last().is_some_and(|(last, _)| last == turn) {
            for line in board_before(record, *turn, Part::Whole)?.lines() {
                writeln!(text, "{}", format!("# {line}").trim_end())?;
            }
        }
        writeln!(text, "{}", hex(observation))?;
    }
    Ok(text)
}
