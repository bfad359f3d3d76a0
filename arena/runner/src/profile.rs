//! Which functions a bot's fuel goes to.
//!
//! Not by time: the same bytes and seed give the same profile on every machine. Points are spread evenly over the fuel of the
//! turns of sample games. For each, the bot plays the game again from what it was shown, and in the turn that holds the point it gets
//! the fuel up to there and no more: whoever is running when it is used up is who used it.

use std::collections::BTreeMap;

use arena_record::ForfeitCode;
use arena_referee::{Failure, PlatformFault, Player};
use arena_sandbox::{Frame, Wall};

use crate::{Call, Contender, SampleGame};

/// Points of a profile: a share is known to some percent.
pub const PROFILE_POINTS: u64 = 100;

/// Functions that were running together, the outermost first, and how many points found them. None at all: the turn returned, with
/// the fuel used up after the engine last looked at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    /// The functions; those beyond [`FRAMES_MAX`](arena_sandbox::FRAMES_MAX) are missing from its beginning. Their names are
    /// hostile text.
    pub functions: Vec<Frame>,
    /// The points.
    pub points: u64,
}

/// Where the fuel of a bot's turns in its sample games goes, as stacks in the order of their functions.
///
/// # Errors
/// When the machine failed.
pub fn profile(bot: &Contender, games: &[SampleGame]) -> Result<Vec<Stack>, PlatformFault> {
    let calls = games.iter().flat_map(|game| (0..game.calls.len()).map(move |at| (game, at)));
    let calls: Vec<(&SampleGame, usize, u64)> = calls.map(|(game, at)| (game, at, used(&game.calls[at]))).collect();
    let total: u64 = calls.iter().map(|(.., used)| used).sum();
    let mut stacks: BTreeMap<Vec<Frame>, u64> = BTreeMap::new();
    for point in 0..PROFILE_POINTS.min(total) {
        let share = u128::from(total) * u128::from(2 * point + 1) / u128::from(2 * PROFILE_POINTS.min(total));
        let mut left = share as u64;
        let holds = |(.., used): &&(&SampleGame, usize, u64)| match left.checked_sub(*used) {
            Some(rest) => {
                left = rest;
                false
            }
            None => true,
        };
        let Some((game, at, _)) = calls.iter().find(holds) else { continue };
        *stacks.entry(stack_at(bot, game, *at, left)?).or_default() += 1;
    }
    Ok(stacks.into_iter().map(|(functions, points)| Stack { functions, points }).collect())
}

/// Fuel of a call, where it is known: of one that failed it is only if that was by using up all it had.
fn used(call: &Call) -> u64 {
    match &call.reply {
        Ok(reply) => reply.fuel.unwrap_or(0),
        Err(Failure::Own(fault)) if fault.code == ForfeitCode::FuelExhausted => call.fuel,
        Err(_) => 0,
    }
}

/// The functions that run in a call when it has used `fuel`, the outermost first.
fn stack_at(bot: &Contender, game: &SampleGame, at: usize, fuel: u64) -> Result<Vec<Frame>, PlatformFault> {
    let mut player = bot.player(Wall::None);
    let [earlier @ .., asked] = &game.calls[..=at] else { return Ok(Vec::new()) };
    let own = |failed: Failure| match failed {
        Failure::Platform(fault) => fault,
        Failure::Own(fault) => PlatformFault(format!("a bot that is played again fails: {}", fault.detail)),
    };
    player.start(asked.observation.len(), game.record.header.budgets.fuel_at_start).map_err(own)?;
    for call in earlier {
        player.turn(&call.observation, call.fuel).map_err(own)?;
    }
    match player.turn(&asked.observation, fuel) {
        Err(Failure::Platform(fault)) => Err(fault),
        Err(Failure::Own(_)) => {
            let mut frames = player.frames();
            frames.reverse();
            Ok(frames)
        }
        Ok(_) => Ok(Vec::new()),
    }
}
