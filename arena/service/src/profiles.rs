//! Which functions a bot's fuel went to in a recorded game. Like a log, a profile is made when the bot's author asks
//! and is not kept.

use std::sync::Arc;

use arena_record::Record;
use arena_referee::PlatformFault;
use arena_rules::Seat;
use arena_runner::{FunctionUse, Profile, costliest, costliest_functions, functions_used, profile, semantics_id};
use arena_sandbox::names;
use arena_scripts::script_of;

use crate::core::on_a_thread_with;
use crate::limits::{FUNCTIONS_TOLD, PROFILE_FUEL_MAX};
use crate::logs::{LogError, once_more, ready};
use crate::rooms::BotSlots;

/// Where the fuel of a bot's turns in a game went.
#[derive(Clone, PartialEq, Debug)]
pub struct GameProfile {
    /// The fuel of its turns.
    pub fuel: u64,
    /// Of a script, the number of points of fuel at which the game was sampled; 0 if it uses too much fuel for that
    /// here. What functions use is counted.
    pub points: Option<u64>,
    /// The functions that used most, at most [`FUNCTIONS_TOLD`] of them; none if the game uses too much fuel to be
    /// played again for that here. Their names are escaped.
    pub functions: Vec<FunctionUse>,
}

impl BotSlots {
    /// Which functions the fuel of the bot in a seat of a recorded game went to. The other seats answer from the
    /// record. For its author only.
    ///
    /// # Errors
    /// When another release played it, or the machine failed.
    pub async fn game_profile(&self, record: Record, seat: Seat) -> Result<GameProfile, LogError> {
        if record.header.semantics != semantics_id(&record.header.ruleset) {
            return Err(LogError::OtherRelease);
        }
        let bot = record.header.entrants.get(seat.index()).ok_or(LogError::OtherGame)?.clone();
        let right = self.logging().await;
        let contender = ready(self, &record, &bot).await?;
        let bytes = self.core.store.module(&bot).await?;
        let record = Arc::new(record);
        let look = move || {
            let game = once_more(&record, &contender, seat)?;
            let fuel = game.turn_fuel().iter().sum();
            let machine = |fault: PlatformFault| LogError::Machine(fault.into());
            if script_of(&bytes).is_none() {
                let games = if fuel <= PROFILE_FUEL_MAX { &[game][..] } else { &[] };
                let used = functions_used(&bytes, &contender, games).map_err(machine)?;
                let functions = costliest_functions(&used, &names(&bytes), FUNCTIONS_TOLD);
                return Ok(GameProfile { fuel, points: None, functions });
            }
            let found = profile(&bytes, &contender, &[game], Some(PROFILE_FUEL_MAX)).map_err(machine)?;
            let stacks = found.map_or_else(Vec::new, |Profile { stacks, .. }| stacks);
            let points = stacks.iter().map(|stack| stack.points).sum();
            Ok(GameProfile { fuel, points: Some(points), functions: costliest(&stacks, FUNCTIONS_TOLD) })
        };
        let looked = on_a_thread_with(right, "profile", look)?.await;
        looked.unwrap_or_else(|died| Err(LogError::Machine(died.into())))
    }
}
