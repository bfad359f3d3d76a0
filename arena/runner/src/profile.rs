//! Which functions a bot's fuel goes to.
//!
//! Not by time: the same bytes and seed give the same profile on every machine. Points are spread evenly over the fuel of the
//! turns of sample games. For each, the bot plays the game again from what it was shown, and in the turn that holds the point it gets
//! the fuel up to there and no more: the functions that run when it is used up have used it. What is played again is the bot [with
//! stops](with_stops), so that it is.

use std::collections::BTreeMap;

use arena_referee::{Failure, PlatformFault, Player};
use arena_sandbox::{Frame, Wall, with_stops};

use crate::{Call, Contender, ContenderPlayer, Host, Sample, SampleGame};

/// Points of a whole profile: a share is known to some percent.
pub const PROFILE_POINTS: u64 = 100;

/// Fuel of a profile that nobody has asked for: a second or two, and some more where instructions take their time.
pub(crate) const PROFILE_FUEL: u64 = 8_000_000_000;

/// Points below which a profile that nobody has asked for says too little.
pub(crate) const PROFILE_POINTS_MIN: u64 = 10;

/// What it costs to ask a bot, beside its own fuel: the way to its process and back, about 0.1 ms.
const CALL_FUEL: u64 = 400_000;

/// Functions that were running together, the outermost first, and how many points found them. None at all: the turn returned, with
/// the fuel used up after the engine last looked at it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    /// The functions; those beyond [`FRAMES_MAX`](arena_sandbox::FRAMES_MAX) are missing from its beginning. Their names are
    /// hostile text.
    pub functions: Vec<Frame>,
    /// Points of the profile at which they ran.
    pub points: u64,
}

/// How many points a profile has that nobody has asked for: as many as [`PROFILE_FUEL`] allows, at most [`PROFILE_POINTS`]. `None`
/// where these are fewer than [`PROFILE_POINTS_MIN`].
pub fn quick_points(games: &[SampleGame]) -> Option<u64> {
    Some(points_for(games, PROFILE_FUEL)).filter(|points| *points >= PROFILE_POINTS_MIN)
}

/// How many points of a profile can be had for so much fuel, at most [`PROFILE_POINTS`]: for each, a game is played again up to
/// there.
fn points_for(games: &[SampleGame], fuel: u64) -> u64 {
    // Points are as close together in a turn that takes much as in any other, so a turn's share of them is that of its fuel.
    let (mut total, mut replayed) = (0, 0);
    for game in games {
        let start = game.record.starts[game.seat.index()].unwrap_or(0);
        let mut before = u128::from(start + CALL_FUEL);
        for used in game.calls.iter().map(used) {
            let (used, call) = (u128::from(used), u128::from(CALL_FUEL));
            total += used;
            replayed += used * (before + call + used / 2);
            before += call + used;
        }
    }
    let points = (u128::from(fuel) * total).checked_div(replayed);
    points.map_or(PROFILE_POINTS, |points| points.min(PROFILE_POINTS.into()) as u64)
}

/// Where the fuel of a bot's turns in its sample games goes, as stacks in the order of their functions, seen at so many points.
/// `bytes` are the bot's.
///
/// # Errors
/// When the machine failed.
pub fn profile(host: &dyn Host, bytes: &[u8], sample: &Sample, points: u64) -> Result<Vec<Stack>, PlatformFault> {
    let Some(first) = sample.games.first() else { return Ok(Vec::new()) };
    // A module may be so close to a limit that it has no room for stops.
    let load = |bytes: Vec<u8>| host.load(&bytes, &first.record.header.budgets);
    let with_stops = with_stops(bytes).and_then(|bytes| {
        load(bytes).inspect_err(|error| tracing::debug!(%error, "a bot with stops cannot be loaded")).ok()
    });
    let bot = with_stops.unwrap_or_else(|| sample.bot.clone());
    let mut calls = Vec::new();
    for game in &sample.games {
        let used = replayed(&bot, game)?;
        calls.extend(used.into_iter().enumerate().map(|(at, used)| (game, at, used)));
    }
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
        *stacks.entry(stack_at(&bot, game, *at, left)?).or_default() += 1;
    }
    Ok(stacks.into_iter().map(|(functions, points)| Stack { functions, points }).collect())
}

/// Fuel of a call; none where it is not known.
fn used(call: &Call) -> u64 {
    call.fuel_used().unwrap_or(0)
}

/// What a bot with stops may use where the bot itself was given so much.
fn with_room(fuel: u64) -> u64 {
    fuel.saturating_mul(2)
}

/// A player that has been started in a game, to be shown the same again.
fn started(bot: &Contender, game: &SampleGame) -> Result<ContenderPlayer, PlatformFault> {
    let mut player = bot.player(Wall::None);
    let observation_len = game.calls.first().map_or(0, |call| call.observation.len());
    player.start(observation_len, with_room(game.record.header.budgets.fuel_at_start)).map_err(platform)?;
    Ok(player)
}

/// A failure in what went well before is the machine's.
fn platform(failed: Failure) -> PlatformFault {
    match failed {
        Failure::Platform(fault) => fault,
        Failure::Own(fault) => PlatformFault(format!("a bot that is played again fails: {}", fault.detail)),
    }
}

/// Fuel of the calls of a game when they are played again; none where it is not known.
fn replayed(bot: &Contender, game: &SampleGame) -> Result<Vec<u64>, PlatformFault> {
    if game.calls.is_empty() {
        return Ok(Vec::new());
    }
    let mut player = started(bot, game)?;
    let again = game.calls.iter().map(|call| match &call.reply {
        Ok(_) => Ok(player.turn(&call.observation, with_room(call.fuel)).map_err(platform)?.fuel.unwrap_or(0)),
        // The last one, which is not asked again.
        Err(_) => Ok(used(call)),
    });
    again.collect()
}

/// The functions that run in a call when it has used `fuel`, the outermost first.
fn stack_at(bot: &Contender, game: &SampleGame, at: usize, fuel: u64) -> Result<Vec<Frame>, PlatformFault> {
    let [earlier @ .., asked] = &game.calls[..=at] else { return Ok(Vec::new()) };
    let mut player = started(bot, game)?;
    for call in earlier {
        player.turn(&call.observation, with_room(call.fuel)).map_err(platform)?;
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

    use arena_referee::Reply;
    use arena_rules::Seat;

    use super::*;
    use crate::testing::record;

    /// A sample game with a start and calls that used so much fuel.
    fn game((start, used): (u64, &[u64])) -> SampleGame {
        let mut record = record(1);
        record.starts[0] = Some(start);
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

    /// The fuel that a profile at so many points takes, counted point by point and call by call.
    fn replayed(games: &[(u64, &[u64])], points: u64) -> u64 {
        let total: u64 = games.iter().flat_map(|(_, used)| *used).sum();
        let mut all = 0;
        for point in 0..points {
            let mut left = total * (2 * point + 1) / (2 * points);
            'point: for (start, used) in games {
                let mut spent = start + CALL_FUEL;
                for used in *used {
                    if left < *used {
                        all += spent + CALL_FUEL + left;
                        break 'point;
                    }
                    left -= used;
                    spent += CALL_FUEL + used;
                }
            }
        }
        all
    }

    const MILLION: u64 = 1_000_000;

    #[test]
    fn the_points_are_as_many_as_the_fuel_allows() {
        for games in [
            [(0, &[50 * MILLION; 12][..]), (0, &[50 * MILLION; 12][..])],
            [(MILLION, &[50 * MILLION; 200]), (MILLION, &[3 * MILLION; 7])],
            [(0, &[1, 50 * MILLION, 1]), (0, &[])],
            [(7 * MILLION, &[40 * MILLION; 4]), (0, &[10 * MILLION; 40])],
            [(100 * MILLION, &[10; 9]), (100 * MILLION, &[10; 9])],
            [(0, &[100; 1_000]), (0, &[100; 1_000])],
        ] {
            let sample = games.map(game);
            for fuel in [1_000 * MILLION, PROFILE_FUEL, 80_000 * MILLION] {
                let points = points_for(&sample, fuel);
                assert!(points <= PROFILE_POINTS);
                // Points are not everywhere where they are on average, and few are nowhere near it.
                if points < PROFILE_POINTS_MIN {
                    continue;
                }
                let near = fuel / 10;
                assert!(replayed(&games, points) <= fuel + near, "{points} points of {fuel}");
                let more = replayed(&games, points + 1);
                assert!(points == PROFILE_POINTS || more >= fuel - near, "{points} points of {fuel}, one more: {more}");
            }
        }
        for nothing in [vec![], vec![game((MILLION, &[]))], vec![game((MILLION, &[0, 0]))]] {
            assert_eq!(points_for(&nothing, 1), PROFILE_POINTS);
        }
    }

    #[test]
    fn too_few_points_are_none() {
        // One call: what is left after its half is the way to it and the start.
        let one = |points: u64| {
            let each = PROFILE_FUEL / points;
            [game((0, &[2 * (each - 2 * CALL_FUEL)]))]
        };
        assert_eq!(quick_points(&one(PROFILE_POINTS_MIN)), Some(PROFILE_POINTS_MIN));
        assert_eq!(quick_points(&one(PROFILE_POINTS_MIN - 1)), None);
        assert_eq!(quick_points(&one(2 * PROFILE_POINTS)), Some(PROFILE_POINTS));
    }
}
