//! Measurements of the sample games.

use arena_runner::{Sample, SampleGame};
use arena_sandbox::exports;
use serde::Serialize;

use super::usage::GameUse;
use crate::output;

/// Measurements of the sample games.
#[derive(Serialize)]
pub(super) struct Measured {
    pub(super) game: &'static str,
    pub(super) opponent: &'static str,
    pub(super) id: String,
    pub(super) exports: Vec<String>,
    pub(super) memory_bytes: u64,
    pub(super) start_fuel: Option<u64>,
    pub(super) turn_fuel: Vec<u64>,
    /// The same for each sample game from the usual start.
    pub(super) games: Vec<GameUse>,
    pub(super) results: Vec<String>,
    /// How many more games were played, from an opening.
    pub(super) openings: usize,
}

impl Measured {
    /// `bytes` are the bot's.
    pub(super) fn of(bytes: &[u8], sample: &Sample) -> Measured {
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
            exports: exports(bytes).iter().map(|name| output::text(name)).collect(),
            memory_bytes: sample.games.iter().map(SampleGame::memory_bytes).max().unwrap_or(0),
            start_fuel: sample.start_fuel(),
            turn_fuel: games.iter().flat_map(GameUse::turn_fuel).collect(),
            games,
            results: sample.games.iter().map(result).collect(),
            openings: sample.openings.len(),
        }
    }
}
