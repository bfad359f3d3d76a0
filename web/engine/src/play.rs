//! A game that the page has played: from its start, or on from a turn of another game, as if it had come to that turn.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_ledger::Terms as OfGames;
use arena_record::{EntrantId, Hex};
use arena_referee::{Failure, PlayError, Player, RecordedPlayer, Reply, Started, play_with};
use arena_rules::{BySeat, Seat};
use serde::Deserialize;

use crate::failure::Failure as Refused;
use crate::guests::{Guests, budgets, lost};
use crate::record::parse;
use crate::rerun::program;

/// What the record of such a game says of the build that played: it counts nowhere.
const BUILD: &str = "page";

/// The terms of a game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Terms {
    ruleset: String,
    options: String,
    seed: Hex<32>,
    entrants: Vec<EntrantId>,
    /// A game whose first turns it takes over.
    from: Option<Opening>,
}

/// The first turns of a recorded game.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Opening {
    /// The text of the record.
    record: String,
    turns: usize,
}

/// A player who is asked in the turns of an opening, too, so that it knows what it would have seen; but the answers of
/// these turns are those of the record.
struct Opened<'a> {
    recorded: RecordedPlayer,
    /// Answers of the opening that are left.
    left: usize,
    player: Box<dyn Player + 'a>,
}

impl Player for Opened<'_> {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.player.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let reply = self.player.turn(observation, fuel)?;
        if self.left == 0 {
            return Ok(reply);
        }
        self.left -= 1;
        self.recorded.turn(observation, fuel)
    }
}

/// Plays a game, and returns the text of its record. `start_fuel` has the bots that the page can run, with the fuel
/// that their starts take before any of their code runs.
pub(crate) fn play(
    Terms { ruleset, options, seed, entrants, from }: Terms,
    start_fuel: &BTreeMap<EntrantId, u64>,
    guests: Option<&dyn Guests>,
) -> Result<String, Refused> {
    let from = from.map(|Opening { record, turns }| Ok((Arc::new(parse(&record)?), turns))).transpose()?;
    let mut players = Vec::new();
    for (id, seat) in entrants.iter().zip(0..) {
        let player = program(&ruleset, id, seat, None, start_fuel, guests);
        let player =
            player.ok_or_else(|| Refused::new("bad_request", format!("there is no player {}", id.as_str())))?;
        players.push(match &from {
            Some((record, turns)) => {
                let opening = record.turns.iter().take(*turns);
                let left = opening.filter(|turn| turn.plays.iter().any(|play| play.seat == seat)).count();
                Box::new(Opened { recorded: RecordedPlayer::new(record.clone(), Seat(seat)), left, player })
            }
            None => player,
        });
    }
    let header = OfGames::new(BUILD, &ruleset, &options, budgets(&ruleset)?).header(seed.0, entrants);
    let seated = players.iter_mut().map(|player| &mut **player as &mut dyn Player);
    match play_with(header, BySeat::from(seated.collect::<Vec<_>>()), &[]) {
        Ok(record) => Ok(record.to_text()),
        Err(PlayError::Platform(fault)) => Err(lost(Failure::Platform(fault))),
        Err(error) => Err(Refused::new("unknown_game", error)),
    }
}
