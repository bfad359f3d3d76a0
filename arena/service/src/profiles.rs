//! Which functions a bot's fuel went to in a recorded game. As a log, it is made when the bot's author asks, and nothing of it is kept.

use std::sync::Arc;

use arena_record::Record;
use arena_rules::Seat;
use arena_runner::{FunctionUse, Profile, costliest, profile, semantics_id};

use crate::core::on_a_thread_with;
use crate::limits::{FUNCTIONS_TOLD, PROFILE_FUEL_MAX};
use crate::logs::{LogError, once_more, ready};
use crate::rooms::Desk;

/// Where the fuel of a bot's turns in a game went.
#[derive(Clone, PartialEq, Debug)]
pub struct GameProfile {
    /// The fuel of its turns.
    pub fuel: u64,
    /// At how many points of that fuel it was looked at; 0 where the game uses too much to be looked at here.
    pub points: u64,
    /// The functions that used most, at most [`FUNCTIONS_TOLD`] of them. Their names are escaped.
    pub functions: Vec<FunctionUse>,
}

/// The profile of the bot in a seat of a recorded game. In all other seats the record answers.
pub(crate) async fn of_game(desk: &Desk, record: Record, seat: Seat) -> Result<GameProfile, LogError> {
    if record.header.semantics != semantics_id(&record.header.ruleset) {
        return Err(LogError::OtherRelease);
    }
    let bot = record.header.entrants.get(seat.index()).ok_or(LogError::OtherGame)?.clone();
    let right = desk.logging().await;
    let contender = ready(desk, &record, &bot).await?;
    let bytes = desk.core.store.module(&bot).await?;
    let host = desk.core.host();
    let record = Arc::new(record);
    let look = move || {
        let game = once_more(&record, &contender, seat)?;
        let fuel = game.turn_fuel().iter().sum();
        let found = profile(&*host, &bytes, &contender, &[game], Some(PROFILE_FUEL_MAX));
        let found = found.map_err(|fault| LogError::Machine(fault.into()))?;
        let stacks = found.map_or_else(Vec::new, |Profile { stacks, .. }| stacks);
        let points = stacks.iter().map(|stack| stack.points).sum();
        Ok(GameProfile { fuel, points, functions: costliest(&stacks, FUNCTIONS_TOLD) })
    };
    let looked = on_a_thread_with(right, "profile", look)?.await;
    looked.unwrap_or_else(|died| Err(LogError::Machine(died.into())))
}
