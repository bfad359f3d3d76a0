//! Whole games of bots, move by move, under both meters.

use std::collections::BTreeMap;
use std::fs;

use arena_meter::meter;
use arena_record::{Budgets, EntrantId, ForfeitCode, Header, Hex, Record};
use arena_referee::{Failure, Fault, Player, Reply, Started, play};
use arena_released::{ALL, Released};
use arena_rules::BySeat;
use arena_sandbox::{Calls, Checks, Sandbox, SandboxPlayer};
use arena_wire::Game;

use super::machine::{MAXIMA, Program};
use super::modules::asks;
use super::vectors::{self, Vector};
use super::{ENGINE, End, OWN, Pair, Playing, below, rng};
use crate::proof::prove;
use crate::slow::sandbox::bots::SANDBOX;
use crate::{guests, number_of};

/// Games, and points of exhaustion of each bot, in the gate; `cargo xtask meter` asks for more.
const GAMES: u64 = 3;
const POINTS: u64 = 2;
/// The most points that are held equal in all engines: in the interpreter a turn may take a second.
const IN_ALL: usize = 10;
/// Turns of a guest that plays longer games than the gallery.
const TURNS: u32 = 6;

/// A bot whose code counts, in a game.
struct Own<'a> {
    program: &'a Program,
    playing: Option<Playing>,
    /// Turns after which it gives up.
    turns: u32,
    /// Observations that it saw.
    seen: Vec<Vec<u8>>,
}

impl<'a> Own<'a> {
    fn new(program: &'a Program, turns: u32) -> Own<'a> {
        Own { program, playing: None, turns, seen: Vec::new() }
    }
}

pub(super) fn forfeit(end: &End) -> Failure {
    let code = match end {
        End::Exhausted => ForfeitCode::FuelExhausted,
        End::TooDeep => ForfeitCode::StackOverflow,
        _ => ForfeitCode::Trap,
    };
    Failure::Own(Fault { code, detail: format!("{end:?}") })
}

impl Player for Own<'_> {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let (playing, end) = self.program.start(observation_len, fuel);
        self.playing = Some(playing);
        match end {
            End::InTime { fuel, .. } => Ok(Started { fuel: Some(fuel) }),
            end => Err(forfeit(&end)),
        }
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        self.turns = self.turns.checked_sub(1).ok_or_else(|| forfeit(&End::Trapped("it gave up".into())))?;
        self.seen.push(observation.to_vec());
        let playing = self.playing.as_mut().expect("it has started");
        match playing.turn(observation, fuel) {
            End::InTime { fuel, value } => Ok(Reply { action: playing.answer(value), fuel: Some(fuel) }),
            end => Err(forfeit(&end)),
        }
    }
}

fn header(ruleset: &str, entrants: &[&[u8]], seed: u8) -> Header {
    Header {
        semantics: "example".into(),
        build: "example".into(),
        ruleset: ruleset.into(),
        options: Game::named(ruleset).expect("a game").casual.into(),
        budgets: Budgets::DEFAULT,
        seed: Hex([seed; 32]),
        entrants: entrants.iter().map(|bytes| EntrantId::of_bytes(bytes)).collect(),
        opponents: BTreeMap::new(),
    }
}

fn record(header: Header, players: &mut [&mut dyn Player]) -> Record {
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| &mut **player as &mut dyn Player).collect();
    play(header, BySeat::from(seated)).expect("a game")
}

/// The game of two bots under each meter, and by the sandbox; the observations of the first seat.
fn same_game(ruleset: &str, bots: [&[u8]; 2], seed: u8, turns: u32) -> Vec<Vec<u8>> {
    let header = || header(ruleset, &bots, seed);
    let programs = |machine: &super::Machine| bots.map(|bytes| machine.load(bytes));
    let of = |programs: &[Program; 2]| {
        let [mut one, mut other] = [0, 1].map(|seat: usize| Own::new(&programs[seat], turns));
        let record = record(header(), &mut [&mut one, &mut other]);
        let logs = [&mut one, &mut other].map(|player| player.playing.as_mut().map(Playing::state));
        (record, logs, one.seen)
    };
    let (engine, own) = (of(&programs(&ENGINE)), of(&programs(&OWN)));
    assert_eq!(engine, own, "{ruleset}, seed {seed}");
    if turns == u32::MAX {
        let sandbox = Sandbox::new().expect("this machine runs bots");
        let bots = bots.map(|bytes| sandbox.load(bytes, &Budgets::DEFAULT).expect("a bot"));
        let [mut one, mut other] = [0, 1].map(|seat: usize| SandboxPlayer::new(&bots[seat]));
        assert_eq!(record(header(), &mut [&mut one, &mut other]), own.0, "as the sandbox plays it");
    }
    own.2
}

#[test]
fn the_gallery_plays_the_same_games_for_the_same_fuel() {
    same_games(number_of("ARENA_METERS", GAMES), number_of("ARENA_METERS_SEED", 1));
}

/// So many games of the gallery, its bots in turn, against others that the seed draws.
pub(crate) fn same_games(games: u64, seed: u64) {
    for number in 0..games {
        let bot = ALL[number as usize % ALL.len()];
        let others: Vec<&Released> = Released::of(bot.ruleset).collect();
        let other = others[below(&mut rng(seed, number), others.len() as u64) as usize];
        same_game(bot.ruleset, [bot.bytes, other.bytes], (seed + number) as u8, u32::MAX);
    }
}

#[test]
fn the_gallery_ends_the_same_wherever_its_fuel_does() {
    same_ends(number_of("ARENA_METERS", POINTS), number_of("ARENA_METERS_SEED", 1));
}

/// So many points at which the fuel of each bot ends within a turn.
pub(crate) fn same_ends(points: u64, seed: u64) {
    for (number, bot) in ALL.iter().enumerate() {
        let seen = same_game(bot.ruleset, [bot.bytes, bot.bytes], 7, 3);
        let start = 50_000_000;
        assert_eq!(counted(bot.bytes, &seen, start), Ok(()), "{}", bot.name);
        let (pair, mut rng) = (Pair::load(bot.bytes), rng(seed, 1_000 + number as u64));
        let play = |observation: &[u8], fuel| {
            let [engine, own] = pair.play(observation, start, fuel);
            assert_eq!(engine, own, "{} on {fuel}", bot.name);
            own
        };
        let observation = &seen[below(&mut rng, seen.len() as u64) as usize];
        let whole = play(observation, start).turn;
        let Some(End::InTime { fuel, .. }) = whole else { panic!("{}: {whole:?}", bot.name) };
        play(observation, fuel);
        let one_less = play(observation, fuel - 1).turn;
        // One that asks what is left does less with less.
        assert!(one_less == Some(End::Exhausted) || asks(bot.bytes), "{}: {one_less:?}", bot.name);
        let points: Vec<u64> = (0..points).map(|_| below(&mut rng, fuel)).collect();
        for point in &points {
            play(observation, *point);
        }
        let turns = [fuel].into_iter().chain(points.into_iter().take(IN_ALL));
        let games = turns.map(|turn| vectors::game(observation, start, turn)).collect();
        vectors::hold_in_all(&[Vector::played(bot.name, bot.bytes, games)], &[]);
    }
}

/// Plays a start and turns, with and without a profile, as long as both are in time on so much fuel each: functions
/// use together what the calls took.
pub(super) fn counted(bytes: &[u8], observations: &[Vec<u8>], fuel: u64) -> Result<(), String> {
    let load = |checks| SANDBOX.compile(bytes, Budgets::DEFAULT.memory_bytes, checks).expect("a bot");
    let [played, profiled] = [Checks::ByRule, Checks::Everywhere].map(load);
    let [mut played, mut profiled] = [&played, &profiled].map(Calls::new);
    let length = observations[0].len() as u32;
    let (mut took, mut is_whole) = (0, true);
    for at in 0..=observations.len() {
        let [one, other] = [&mut played, &mut profiled].map(|calls| {
            let returned = match at.checked_sub(1) {
                None => calls.start(length, fuel),
                Some(at) => calls.turn(&observations[at], fuel),
            };
            returned.map(|returned| (returned.fuel, returned.value))
        });
        match (one, other) {
            (Ok(one), Ok(other)) if one == other => took += one.0,
            (Err(_), Err(_)) => {
                is_whole = false;
                break;
            }
            other => return Err(format!("{other:?}")),
        }
    }
    let used = profiled.used();
    let start_fuel = meter(bytes, MAXIMA).expect("a bot").start_fuel;
    let sum = used.iter().map(|used| used.alone).sum::<u64>() + start_fuel;
    let most = used.iter().map(|used| used.with_calls).max().unwrap_or(0);
    let within = if is_whole { took..=took } else { took..=took + fuel.max(start_fuel) };
    let is_within = within.contains(&sum) && most <= *within.end();
    let are_so = used.iter().all(|used| used.alone <= used.with_calls);
    if is_within && are_so && played.used().is_empty() { Ok(()) } else { Err(format!("{took:?}: {used:?}")) }
}

#[test]
fn no_released_bot_grows_to_more_than_one_and_a_half_times_its_bytes() {
    for Released { name, bytes, .. } in ALL {
        let metered = meter(bytes, MAXIMA).expect("a bot").module;
        assert!(2 * metered.len() <= 3 * bytes.len(), "{name}: {} became {}", bytes.len(), metered.len());
        assert_eq!(prove(&metered, MAXIMA), Ok(()), "{name}");
    }
}

#[test]
fn built_in_opponents_as_guests_take_the_same_fuel() {
    let Some(folder) = guests::folder() else { return };
    for name in ["easy", "gogol-greedy", "life2-besieger"] {
        let bytes = fs::read(folder.join(format!("baseline-{name}.wasm"))).expect("a guest");
        let (ruleset, turns) = match name.split('-').next() {
            Some("gogol") => ("game-of-game-of-life@1", TURNS),
            Some("life2") => ("life2@2", TURNS),
            _ => ("conquerors@2", u32::MAX),
        };
        same_game(ruleset, [&bytes, &bytes], 3, turns);
    }
}
