//! Which functions a bot's fuel goes to.
//!
//! Not by time: the same bytes and seed give the same profile on every machine. Points are spread evenly over the fuel of the
//! turns of some games. For each, the bot plays the game again from what it was shown, and in the turn that holds the point it gets
//! the fuel up to there and no more: the functions that run when it is used up have used it. What is played again is the bot [with
//! stops](with_stops), so that it is.

use std::collections::BTreeMap;

use arena_referee::{Failure, PlatformFault, Player};
use arena_sandbox::{Frame, Wall, with_stops};

use crate::{Call, Contender, ContenderPlayer, Host, SampleGame};

/// Points of a whole profile: a share is known to some percent.
pub const PROFILE_POINTS: u64 = 100;

/// Fuel of a profile that nobody has asked for, with what calls cost: a second or two, and some more where instructions take their
/// time.
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

/// Where the fuel of a bot's turns goes.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Profile {
    /// In the order of their functions.
    pub stacks: Vec<Stack>,
    /// The fuel at which it was cut: more points would have taken more. `None` where it has all of them.
    pub cut_at: Option<u64>,
}

/// A game that was played again: the fuel of its start and of each turn.
struct Replayed<'a> {
    game: &'a SampleGame,
    start: u64,
    turns: Vec<u64>,
}

/// Where a point is: in which game and turn, and after how much fuel of it.
struct Place<'a, 'b> {
    replayed: &'a Replayed<'b>,
    turn: usize,
    fuel: u64,
}

/// The places of so many points, spread evenly over the fuel of all turns.
fn places<'a, 'b>(games: &'a [Replayed<'b>], points: u64) -> impl Iterator<Item = Place<'a, 'b>> {
    let total = total(games);
    let mut turns = games.iter().flat_map(|game| (0..game.turns.len()).map(move |turn| (game, turn))).peekable();
    let mut before = 0;
    (0..points).filter_map(move |point| {
        let at = (u128::from(total) * u128::from(2 * point + 1) / u128::from(2 * points)) as u64;
        while let Some((game, turn)) = turns.peek().copied() {
            if at - before < game.turns[turn] {
                return Some(Place { replayed: game, turn, fuel: at - before });
            }
            before += game.turns[turn];
            turns.next();
        }
        None
    })
}

/// The fuel of all turns.
fn total(games: &[Replayed<'_>]) -> u64 {
    games.iter().flat_map(|game| &game.turns).sum()
}

/// As many points, at most [`PROFILE_POINTS`], as so much fuel allows: for each, a game is played again up to there.
fn points_for(games: &[Replayed<'_>], fuel_max: u64) -> u64 {
    let most = PROFILE_POINTS.min(total(games));
    let fits = |points: &u64| {
        let (mut fuel, mut calls) = (0_u64, 0_u64);
        for Place { replayed, turn, fuel: last } in places(games, *points) {
            fuel += replayed.start + replayed.turns[..turn].iter().sum::<u64>() + last;
            calls += turn as u64 + 2;
        }
        fuel <= fuel_max && fuel + calls * CALL_FUEL <= PROFILE_FUEL
    };
    (1..=most).rev().find(fits).unwrap_or(0)
}

/// Where the fuel of a bot's turns in some games goes. `bytes` are the bot's. At [`PROFILE_POINTS`] points, or at fewer so that no
/// more than `fuel_max` is used; `None` where these would say too little.
///
/// # Errors
/// When the machine failed.
pub fn profile(
    host: &dyn Host,
    bytes: &[u8],
    bot: &Contender,
    games: &[SampleGame],
    fuel_max: Option<u64>,
) -> Result<Option<Profile>, PlatformFault> {
    let Some(first) = games.first() else { return Ok(Some(Profile::default())) };
    // Once to learn what each turn takes with stops.
    let once: u64 = games.iter().map(|game| with_room(start_fuel(game) + game.turn_fuel().iter().sum::<u64>())).sum();
    if fuel_max.is_some_and(|most| once > most) {
        return Ok(None);
    }
    // A module may be so close to a limit that it has no room for stops.
    let load = |bytes: Vec<u8>| host.load(&bytes, &first.record.header.budgets);
    let with_stops = with_stops(bytes).and_then(|bytes| {
        load(bytes).inspect_err(|error| tracing::debug!(%error, "a bot with stops cannot be loaded")).ok()
    });
    let bot = with_stops.unwrap_or_else(|| bot.clone());
    let games = games.iter().map(|game| replayed(&bot, game)).collect::<Result<Vec<_>, _>>()?;
    let most = PROFILE_POINTS.min(total(&games));
    let spent = games.iter().map(|game| game.start).sum::<u64>() + total(&games);
    let points = fuel_max.map_or(most, |fuel_max| points_for(&games, fuel_max.saturating_sub(spent)));
    if points < PROFILE_POINTS_MIN.min(most) {
        return Ok(None);
    }
    let mut stacks: BTreeMap<Vec<Frame>, u64> = BTreeMap::new();
    for place in places(&games, points) {
        *stacks.entry(stack_at(&bot, &place)?).or_default() += 1;
    }
    let stacks = stacks.into_iter().map(|(functions, points)| Stack { functions, points }).collect();
    Ok(Some(Profile { stacks, cut_at: fuel_max.filter(|_| points < most).map(|most| most.min(PROFILE_FUEL)) }))
}

/// Fuel of a call; none where it is not known.
fn used(call: &Call) -> u64 {
    call.fuel_used().unwrap_or(0)
}

/// Fuel of a game's start.
fn start_fuel(game: &SampleGame) -> u64 {
    game.record.starts[game.seat.index()].unwrap_or(0)
}

/// What a bot with stops may use where the bot itself was given so much.
fn with_room(fuel: u64) -> u64 {
    fuel.saturating_mul(2)
}

/// A player that has been started in a game, to be shown the same again, and what the start took.
fn started(bot: &Contender, game: &SampleGame) -> Result<(ContenderPlayer, u64), PlatformFault> {
    let mut player = bot.player(Wall::None);
    let observation_len = game.calls.first().map_or(0, |call| call.observation.len());
    let fuel = with_room(game.record.header.budgets.fuel_at_start);
    let started = player.start(observation_len, fuel).map_err(platform)?;
    Ok((player, started.fuel.unwrap_or(0)))
}

/// A failure in what went well before is the machine's.
fn platform(failed: Failure) -> PlatformFault {
    match failed {
        Failure::Platform(fault) => fault,
        Failure::Own(fault) => PlatformFault(format!("a bot that is played again fails: {}", fault.detail)),
    }
}

/// Plays a game again to learn the fuel of its start and its calls; none where it is not known.
fn replayed<'a>(bot: &Contender, game: &'a SampleGame) -> Result<Replayed<'a>, PlatformFault> {
    if game.calls.is_empty() {
        return Ok(Replayed { game, start: 0, turns: Vec::new() });
    }
    let (mut player, start) = started(bot, game)?;
    let again = game.calls.iter().map(|call| match &call.reply {
        Ok(_) => Ok(player.turn(&call.observation, with_room(call.fuel)).map_err(platform)?.fuel.unwrap_or(0)),
        // The last one, which is not asked again.
        Err(_) => Ok(used(call)),
    });
    let turns = again.collect::<Result<_, _>>()?;
    Ok(Replayed { game, start, turns })
}

/// The functions that run at a place, the outermost first.
fn stack_at(bot: &Contender, place: &Place<'_, '_>) -> Result<Vec<Frame>, PlatformFault> {
    let game = place.replayed.game;
    let [earlier @ .., asked] = &game.calls[..=place.turn] else { return Ok(Vec::new()) };
    let (mut player, _) = started(bot, game)?;
    for call in earlier {
        player.turn(&call.observation, with_room(call.fuel)).map_err(platform)?;
    }
    match player.turn(&asked.observation, place.fuel) {
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
    use arena_rules::Seat;

    use super::*;
    use crate::testing::record;

    const MILLION: u64 = 1_000_000;

    fn game() -> SampleGame {
        SampleGame {
            seat: Seat(0),
            record: record(1),
            calls: vec![],
            frames: vec![],
            memory_refused: None,
            start_memory_bytes: 0,
            log: vec![],
            log_dropped: 0,
        }
    }

    /// The fuel that a profile at so many points takes, counted point by point and call by call: the bots', and with the calls.
    fn spent(games: &[(u64, &[u64])], points: u64) -> (u64, u64) {
        let total: u64 = games.iter().flat_map(|(_, used)| *used).sum();
        let (mut all, mut calls) = (0, 0);
        for point in 0..points {
            let mut left = total * (2 * point + 1) / (2 * points);
            'point: for (start, used) in games {
                let (mut spent, mut asked) = (*start, 2);
                for used in *used {
                    if left < *used {
                        all += spent + left;
                        calls += asked;
                        break 'point;
                    }
                    left -= used;
                    spent += used;
                    asked += 1;
                }
            }
        }
        (all, all + calls * CALL_FUEL)
    }

    #[test]
    fn the_points_are_as_many_as_the_fuel_allows() {
        let game = game();
        for games in [
            [(0, &[50 * MILLION; 12][..]), (0, &[50 * MILLION; 12][..])],
            [(MILLION, &[50 * MILLION; 200]), (MILLION, &[3 * MILLION; 7])],
            [(0, &[1, 50 * MILLION, 1]), (0, &[])],
            [(7 * MILLION, &[40 * MILLION; 4]), (0, &[10 * MILLION; 40])],
            [(100 * MILLION, &[10; 9]), (100 * MILLION, &[10; 9])],
            [(0, &[100; 1_000]), (0, &[100; 1_000])],
        ] {
            let replayed: Vec<Replayed<'_>> = games
                .iter()
                .map(|(start, used)| Replayed { game: &game, start: *start, turns: used.to_vec() })
                .collect();
            for fuel in [0, 100 * MILLION, 1_000 * MILLION, 80_000 * MILLION] {
                let fits = |points| {
                    let (own, with_calls) = spent(&games, points);
                    own <= fuel && with_calls <= PROFILE_FUEL
                };
                let points = points_for(&replayed, fuel);
                assert!(points <= PROFILE_POINTS && fits(points), "{points} points of {fuel}");
                assert!(
                    (points + 1..=PROFILE_POINTS.min(total(&replayed))).all(|more| !fits(more)),
                    "{points} of {fuel}"
                );
            }
        }
    }

    #[test]
    fn no_fuel_has_no_points() {
        let game = game();
        for turns in [vec![], vec![0, 0]] {
            assert_eq!(points_for(&[Replayed { game: &game, start: MILLION, turns }], u64::MAX), 0);
        }
    }
}
