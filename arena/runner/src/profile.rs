//! Profiles: which functions a bot's fuel goes to, and which lines that of a script.
//!
//! They do not depend on time: the same bytes and seed give the same profile on every machine. What functions use is
//! counted: the bot is metered anew so that each has a counter of its own, and plays the games again from its
//! observations. A counter knows no lines, and not who called whom. Those are seen at points, spread evenly over the
//! fuel of the turns. For each the bot plays the game again, and in the turn that contains the point it gets only the
//! fuel up to it, while `arena.fuel` still tells it what it had in the game. A call ends in the function that used the
//! fuel up; what it takes is the same. The functions that are running then are a stack; of a script, the lines: its
//! interpreter is asked for them.

use std::collections::BTreeMap;

use arena_referee::{Failure, PlatformFault, Player};
use arena_sandbox::{Frame, Used};
use arena_scripts::{Script, script_of};
use arena_worker::Wall;

use crate::limits::{PROFILE_FUEL, PROFILE_POINTS, PROFILE_POINTS_MIN};
use crate::{Call, Contender, ContenderPlayer, SampleGame};

/// The cost of asking a bot besides its own fuel: the way to its process and back takes about 0.1 ms.
const CALL_FUEL: u64 = 400_000;

/// Stands for fuel that an interpreter takes where no line of the script is running.
const AROUND: &str = "what surrounds turn(o)";

/// Functions running together, the outermost first, and how many points found them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stack {
    /// The functions, or lines of a script; if there are more than [`FRAMES_MAX`](arena_sandbox::FRAMES_MAX), the
    /// outermost are missing.
    /// Their names are hostile text.
    pub functions: Vec<Frame>,
    /// Points at which they were running.
    pub points: u64,
}

/// A profile of a bot's turns.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Profile {
    /// The stacks, in the order of their functions.
    pub stacks: Vec<Stack>,
    /// The limit on fuel that cost it points; `None` if it has all of them.
    pub cut_at: Option<u64>,
}

/// A game that is replayed: the fuel of its start and of each turn.
struct Replayed<'a> {
    game: &'a SampleGame,
    start: u64,
    turns: Vec<u64>,
}

/// The position of a point: the game, the turn, and the fuel used in it.
struct Place<'a, 'b> {
    replayed: &'a Replayed<'b>,
    turn: usize,
    fuel: u64,
}

/// The positions of points spread evenly over the fuel of all turns.
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

/// The most points, up to [`PROFILE_POINTS`], that this much fuel allows: for each, a game is replayed up to there.
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

/// What each function of a bot used in its turns of some games: together their fuel, to the unit. `bytes` are the
/// bot's.
///
/// # Errors
/// When the machine failed.
pub fn functions_used(bytes: &[u8], bot: &Contender, games: &[SampleGame]) -> Result<Vec<Used>, PlatformFault> {
    let mut all: BTreeMap<u32, Used> = BTreeMap::new();
    let of_a_turn = |call: &&Call| call.fuel_used().is_some();
    for game in games.iter().filter(|game| game.calls.first().as_ref().is_some_and(of_a_turn)) {
        let bot = bot.profiled(bytes, game.record.header.budgets.memory_bytes);
        let mut player = started(&bot.map_err(|refusal| PlatformFault(refusal.to_string()))?, game)?;
        let at_start: BTreeMap<u32, Used> = player.left().used.into_iter().map(|used| (used.function, used)).collect();
        let (mut unpaid, mut last) = (0, None);
        for call in game.calls.iter().take_while(of_a_turn) {
            match player.turn(&call.observation, call.fuel) {
                Ok(_) => {}
                Err(Failure::Own(_)) if call.reply.is_err() => last = player.left().frames.into_iter().next(),
                Err(failure) => return Err(platform(failure)),
            }
            unpaid += call.fuel_used().unwrap_or(0);
        }
        for Used { function, alone, with_calls } in player.left().used {
            let before = at_start.get(&function).copied().unwrap_or(Used { function, alone: 0, with_calls: 0 });
            let sum = all.entry(function).or_insert(Used { function, alone: 0, with_calls: 0 });
            unpaid = unpaid.saturating_sub(alone - before.alone);
            sum.alone += alone - before.alone;
            sum.with_calls += with_calls - before.with_calls;
        }
        // The rest, which was too little for what was to run next.
        if let Some(sum) = last.and_then(|frame| all.get_mut(&frame.function)) {
            sum.alone += unpaid;
        }
    }
    Ok(all.into_values().collect())
}

/// Profiles a bot's turns in some games by points. `bytes` are the bot's. Takes [`PROFILE_POINTS`] points, or fewer so
/// that no more than `fuel_max` is used; `None` if these would say too little.
///
/// # Errors
/// When the machine failed.
pub fn profile(
    bytes: &[u8],
    bot: &Contender,
    games: &[SampleGame],
    fuel_max: Option<u64>,
) -> Result<Option<Profile>, PlatformFault> {
    let Some(first) = games.first() else { return Ok(Some(Profile::default())) };
    let games: Vec<Replayed<'_>> = games.iter().map(Replayed::new).collect();
    let most = PROFILE_POINTS.min(total(&games));
    let points = fuel_max.map_or(most, |fuel_max| points_for(&games, fuel_max));
    if points < PROFILE_POINTS_MIN.min(most) {
        return Ok(None);
    }
    let profiled = bot.profiled(bytes, first.record.header.budgets.memory_bytes);
    let bot = profiled.map_err(|refusal| PlatformFault(refusal.to_string()))?;
    let script = script_of(bytes);
    let mut stacks: BTreeMap<Vec<Frame>, u64> = BTreeMap::new();
    for place in places(&games, points) {
        let mut frames = stack_at(&bot, &place)?;
        if let Some(Script { language, .. }) = script {
            frames.iter_mut().for_each(|line| line.name = Some(format!("{}:{}", language.file(), line.function)));
            if frames.is_empty() {
                frames.push(Frame { function: 0, name: Some(AROUND.into()) });
            }
        }
        *stacks.entry(frames).or_default() += 1;
    }
    let stacks = stacks.into_iter().map(|(functions, points)| Stack { functions, points }).collect();
    Ok(Some(Profile { stacks, cut_at: fuel_max.filter(|_| points < most).map(|most| most.min(PROFILE_FUEL)) }))
}

impl Replayed<'_> {
    /// Fuel is 0 where it is not known.
    fn new(game: &SampleGame) -> Replayed<'_> {
        let start = game.record.starts[game.seat.index()].unwrap_or(0);
        Replayed { game, start, turns: game.calls.iter().map(|call| call.fuel_used().unwrap_or(0)).collect() }
    }
}

/// A player started in a game, ready for the same observations.
fn started(bot: &Contender, game: &SampleGame) -> Result<ContenderPlayer, PlatformFault> {
    let mut player = bot.player(Wall::None);
    let observation_len = game.calls.first().map_or(0, |call| call.observation.len());
    player.start(observation_len, game.record.header.budgets.fuel_at_start).map_err(platform)?;
    Ok(player)
}

/// A bot that succeeded before and fails now is the machine's fault.
fn platform(failed: Failure) -> PlatformFault {
    match failed {
        Failure::Platform(fault) => fault,
        Failure::Own(fault) => PlatformFault(format!("a bot that is played again fails: {}", fault.detail)),
    }
}

/// The functions that are running at a point, the outermost first.
fn stack_at(bot: &Contender, place: &Place<'_, '_>) -> Result<Vec<Frame>, PlatformFault> {
    let game = place.replayed.game;
    let [earlier @ .., asked] = &game.calls[..=place.turn] else { return Ok(Vec::new()) };
    let mut player = started(bot, game)?;
    for call in earlier {
        player.turn(&call.observation, call.fuel).map_err(platform)?;
    }
    player.withhold(asked.fuel.saturating_sub(place.fuel));
    match player.turn(&asked.observation, asked.fuel) {
        Err(Failure::Platform(fault)) => Err(fault),
        Err(Failure::Own(_)) => {
            let mut frames = player.left().frames;
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

    /// The fuel of a profile with this many points, counted point by point and call by call: the bots' alone, and with
    /// the cost of calls.
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
