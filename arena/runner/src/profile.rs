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

/// Points of a whole profile: a share is known to some percent.
pub const PROFILE_POINTS: u64 = 100;

/// Fuel of a profile that nobody has asked for: a second or two, rather less than the author of a bot minds.
pub const PROFILE_FUEL: u64 = 10_000_000_000;

/// Points below which a profile says nothing.
pub const PROFILE_POINTS_MIN: u64 = 10;

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

/// How many points of a profile can be had for so much fuel, at most [`PROFILE_POINTS`]: for each, a game is played again up to
/// there.
pub fn points_for(games: &[SampleGame], fuel: u64) -> u64 {
    // Points are as close together in a turn that takes much as in any other, so a turn's share of them is that of its fuel.
    let (mut total, mut replayed) = (0, 0);
    for game in games {
        let mut before = u128::from(game.record.starts[game.seat.index()].unwrap_or(0));
        for used in game.calls.iter().map(used).map(u128::from) {
            total += used;
            replayed += used * (before + used / 2);
            before += used;
        }
    }
    let points = (u128::from(fuel) * total).checked_div(replayed);
    points.map_or(PROFILE_POINTS, |points| points.min(PROFILE_POINTS.into()) as u64)
}

/// Where the fuel of a bot's turns in its sample games goes, as stacks in the order of their functions, seen at so many points.
///
/// # Errors
/// When the machine failed.
pub fn profile(bot: &Contender, games: &[SampleGame], points: u64) -> Result<Vec<Stack>, PlatformFault> {
    let calls = games.iter().flat_map(|game| (0..game.calls.len()).map(move |at| (game, at)));
    let calls: Vec<(&SampleGame, usize, u64)> = calls.map(|(game, at)| (game, at, used(&game.calls[at]))).collect();
    let total: u64 = calls.iter().map(|(.., used)| used).sum();
    let mut stacks: BTreeMap<Vec<Frame>, u64> = BTreeMap::new();
    let points = points.min(total);
    for point in 0..points {
        let share = u128::from(total) * u128::from(2 * point + 1) / u128::from(2 * points);
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

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use arena_record::Budgets;
    use arena_referee::Reply;
    use arena_rules::{BySeat, Seat};

    use super::*;
    use crate::Table;

    /// A sample game of calls that used so much fuel.
    fn game(used: &[u64]) -> SampleGame {
        let table = Table::new("conquerors@2", "", Budgets::DEFAULT, Wall::None);
        let easy = Contender::baseline("conquerors@2", "easy").expect("a baseline");
        let record = table.play([1; 32], &BySeat::from([&easy, &easy])).expect("a game");
        let call = |fuel: &u64| Call {
            observation: Vec::new(),
            fuel: *fuel,
            reply: Ok(Reply { action: Vec::new(), fuel: Some(*fuel) }),
            memory_bytes: None,
            wall: Duration::ZERO,
        };
        let calls = used.iter().map(call).collect();
        SampleGame { seat: Seat(0), record, calls, frames: vec![], start_memory_bytes: 0, log: vec![], log_dropped: 0 }
    }

    /// The fuel that a profile at so many points takes, counted point by point.
    fn replayed(games: &[&[u64]], points: u64) -> u64 {
        let total: u64 = games.concat().iter().sum();
        let mut all = 0;
        for point in 0..points {
            let mut left = total * (2 * point + 1) / (2 * points);
            for game in games {
                let whole: u64 = game.iter().sum();
                if left < whole {
                    all += left;
                    break;
                }
                left -= whole;
            }
        }
        all
    }

    #[test]
    fn the_points_are_as_many_as_the_fuel_allows() {
        let million = 1_000_000;
        for games in [
            [&[50 * million; 12][..], &[50 * million; 12][..]],
            [&[50 * million; 200][..], &[3 * million; 7][..]],
            [&[1, 50 * million, 1][..], &[][..]],
            [&[40 * million; 4][..], &[10 * million; 40][..]],
        ] {
            let sample = games.map(game);
            for fuel in [1_000 * million, PROFILE_FUEL, 80_000 * million] {
                let points = points_for(&sample, fuel);
                assert!(points <= PROFILE_POINTS);
                // Points are not everywhere where they are on average.
                let near = fuel / 10;
                assert!(replayed(&games, points) <= fuel + near, "{points} points of {fuel}");
                let more = replayed(&games, points + 1);
                assert!(points == PROFILE_POINTS || more >= fuel - near, "{points} points of {fuel}, one more: {more}");
            }
        }
        assert_eq!(points_for(&[game(&[50 * million; 12])], 100 * million), 0);
        for nothing in [vec![], vec![game(&[])], vec![game(&[0, 0])]] {
            assert_eq!(points_for(&nothing, 1), PROFILE_POINTS);
        }
    }
}
