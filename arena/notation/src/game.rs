//! Whole games as text.

use arena_record::{Budgets, Hex, Record};
use arena_referee::{Divergence, replay};
use arena_rules::Seat;
use arena_rules::conquerors::{Colour, Position};

use crate::tag::Tag;
use crate::{NOTATION, turn_text};

/// Stands for an unknown amount of fuel: the player is not metered, or did not start.
pub(crate) const NO_FUEL: &str = "-";
/// The turn of a forfeit before the first turn.
pub(crate) const AT_START: &str = "start";

/// A recorded game as text: tags, then a line for each round. [`parse_game`](crate::parse_game) turns it back into the
/// same record, byte for byte.
///
/// # Errors
/// If the record is not a game of Conquerors by the rules: the text leaves out what the rules derive.
pub fn game_text(record: &Record) -> Result<String, Divergence> {
    let game = replay::<Position>(record)?;
    let mut text = tags(record);
    text.push('\n');
    let turns = game.turns.iter().zip(game.positions()).zip(&record.turns);
    for ((turn, before), recorded) in turns {
        let Some(mover) = before.to_move() else { continue };
        let words = turn[mover.seat()].as_ref().map(turn_text).unwrap_or_default();
        let fuel = recorded.plays.first().and_then(|play| play.fuel);
        let fuel = fuel.map(|fuel| format!("@{fuel}")).unwrap_or_default();
        match mover {
            Colour::Blue => text.push_str(&format!("{}. {words}{fuel}", before.round())),
            Colour::Red => text.push_str(&format!("  {words}{fuel}\n")),
        }
    }
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}

fn tags(record: &Record) -> String {
    let header = &record.header;
    let Budgets { fuel_per_move, fuel_per_game, fuel_at_start, memory_bytes, module_bytes } = header.budgets;
    let mut text = String::new();
    let mut tag = |name: &str, values: &[&str]| text.push_str(&Tag::line(name, values));
    tag("Notation", &[NOTATION]);
    tag("Semantics", &[&header.semantics]);
    tag("Build", &[&header.build]);
    tag("Ruleset", &[&header.ruleset]);
    tag("Options", &[&header.options]);
    tag("FuelPerMove", &[&fuel_per_move.to_string()]);
    if let Some(bank) = fuel_per_game {
        tag("FuelPerGame", &[&bank.to_string()]);
    }
    tag("FuelAtStart", &[&fuel_at_start.to_string()]);
    tag("MemoryBytes", &[&memory_bytes.to_string()]);
    tag("ModuleBytes", &[&module_bytes.to_string()]);
    tag("Seed", &[&header.seed.to_string()]);
    for ((name, entrant), start) in ["Blue", "Red"].iter().zip(&header.entrants).zip(&record.starts) {
        let start = start.map_or_else(|| NO_FUEL.into(), |fuel| fuel.to_string());
        let digest = header.opponents.get(entrant).map(Hex::to_string);
        let values = [Some(entrant.as_str()), Some(&start), digest.as_deref()];
        tag(name, &values.into_iter().flatten().collect::<Vec<_>>());
    }
    for forfeit in &record.forfeits {
        let turn = forfeit.turn.map_or_else(|| AT_START.into(), |turn| (u32::from(turn) + 1).to_string());
        tag("Forfeit", &[colour_name(Some(Seat(forfeit.seat))), &turn, forfeit.code.as_str(), &forfeit.detail]);
    }
    tag("Result", &[&result(record)]);
    tag("Digest", &[&record.digest.to_string()]);
    text
}

/// `WINNER REASON BLUE:RED`, where the winner is `blue`, `red` or `draw`.
pub(crate) fn result(record: &Record) -> String {
    let outcome = &record.outcome;
    let tally = outcome.tally.iter().map(u32::to_string).collect::<Vec<_>>().join(":");
    format!("{} {} {tally}", colour_name(outcome.winner.map(Seat)), outcome.reason)
}

fn colour_name(seat: Option<Seat>) -> &'static str {
    seat.and_then(Colour::of).map_or("draw", Colour::name)
}
