//! Whole games of bots, move by move: under the engine's fuel, and as the sandbox plays them.
#![expect(clippy::print_stdout, reason = "what a command of xtask reports")]

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::fs;
use std::time::Duration;

use arena_meter::{LINES, meter};
use arena_record::{Budgets, EntrantId, ForfeitCode, Header, Hex, Record};
use arena_referee::{Failure, Fault, Player, Reply, Started, play};
use arena_released::{ALL, Released};
use arena_rules::{BySeat, Rng};
use arena_sandbox::{Calls, Checks, Log, Sandbox, SandboxPlayer};
use arena_wire::Game;
use cpu_time::ThreadTime;

use super::machine::{MAXIMA, Program};
use super::modules::asks;
use super::vectors::{Vector, game, hold_in_all};
use super::{End, Pair, Playing, State, below, rng};
use crate::guests;
use crate::proof::prove;
use crate::slow::sandbox::bots::SANDBOX;

/// Games, and points of exhaustion of all bots, in the gate; `cargo xtask meter` asks for more.
const GAMES: u64 = 3;
const POINTS: u64 = 18;
/// The folder of further bots, each in a file `GAME.NAME.wasm`.
const FOLDER: &str = "ARENA_METER_BOTS";
/// Each bot has this part of the games and of the points. The rest is of bots that use little fuel in a game with
/// themselves and in a turn.
const PART: u64 = 2_000;
const GAME_FUEL_MAX: u64 = 10_000_000;
const TURN_FUEL_MAX: u64 = 1_000_000;
/// Turns of a game that points of exhaustion are in.
const TURNS: u32 = 3;
/// Turns of a guest that plays longer games than the gallery.
const TURNS_OF_A_GUEST: u32 = 6;
/// Fuel of a start.
const START: u64 = 50_000_000;
/// After so many games a long run says how far it is.
const SHOWN: u64 = 1_000;

/// A bot, compiled when it is first needed.
struct Bot {
    name: String,
    ruleset: &'static str,
    bytes: Vec<u8>,
    pair: OnceCell<Pair>,
    own: OnceCell<arena_sandbox::Bot>,
}

impl Bot {
    fn new(name: &str, game: &str, bytes: Vec<u8>) -> Bot {
        let ruleset = Game::named(game).expect("a game").ruleset;
        Bot { name: name.into(), ruleset, bytes, pair: OnceCell::new(), own: OnceCell::new() }
    }

    fn pair(&self) -> &Pair {
        self.pair.get_or_init(|| Pair::load(&self.bytes))
    }

    fn own(&self) -> &arena_sandbox::Bot {
        let sandbox = || Sandbox::new().expect("this machine runs bots");
        self.own.get_or_init(|| sandbox().load(&self.bytes, &Budgets::DEFAULT).expect("a bot"))
    }
}

/// The released gallery, and what the folder has.
fn bots() -> Vec<Bot> {
    let mut bots: Vec<Bot> = ALL.iter().map(|bot| Bot::new(bot.name, bot.ruleset, bot.bytes.into())).collect();
    let Some(folder) = std::env::var_os(FOLDER) else { return bots };
    let mut files: Vec<_> = fs::read_dir(folder).expect("a folder").map(|file| file.expect("a file").path()).collect();
    files.sort();
    for file in files {
        let name = file.file_name().and_then(|name| name.to_str()).expect("a plain name");
        if let [game, name, "wasm"] = name.split('.').collect::<Vec<&str>>()[..] {
            bots.push(Bot::new(name, game, fs::read(&file).expect("a module")));
        }
    }
    bots
}

/// A player in a game, what it is shown, and the fuel of its turns.
struct Watched<P> {
    player: P,
    /// Turns after which it gives up.
    turns: u32,
    seen: Vec<Vec<u8>>,
    fuel: u64,
}

impl<P> Watched<P> {
    fn new(player: P, turns: u32) -> Watched<P> {
        Watched { player, turns, seen: Vec::new(), fuel: 0 }
    }
}

impl<P: Player> Player for Watched<P> {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.player.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        self.turns = self.turns.checked_sub(1).ok_or_else(|| forfeit(&End::Trapped("it gave up".into())))?;
        self.seen.push(observation.to_vec());
        let reply = self.player.turn(observation, fuel)?;
        self.fuel += reply.fuel.unwrap_or(0);
        Ok(reply)
    }
}

/// A bot whose fuel the engine counts, in a game.
struct ByEngine<'a> {
    program: &'a Program,
    playing: Option<Playing>,
}

impl ByEngine<'_> {
    fn new(program: &Program) -> ByEngine<'_> {
        ByEngine { program, playing: None }
    }
}

pub(super) fn forfeit(end: &End) -> Failure {
    let (code, detail) = match end {
        End::Exhausted => (ForfeitCode::FuelExhausted, String::new()),
        End::TooDeep => (ForfeitCode::StackOverflow, String::new()),
        other => (ForfeitCode::Trap, format!("{other:?}")),
    };
    Failure::Own(Fault { code, detail })
}

impl Player for ByEngine<'_> {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        let (playing, end) = self.program.start(observation_len, fuel);
        self.playing = Some(playing);
        match end {
            End::InTime { fuel, .. } => Ok(Started { fuel: Some(fuel) }),
            end => Err(forfeit(&end)),
        }
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let playing = self.playing.as_mut().expect("it has started");
        match playing.turn(observation, fuel) {
            End::InTime { fuel, value } => Ok(Reply { action: playing.answer(value), fuel: Some(fuel) }),
            end => Err(forfeit(&end)),
        }
    }
}

fn record(bots: [&Bot; 2], seed: [u8; 32], players: [&mut dyn Player; 2]) -> Record {
    let header = Header {
        semantics: "example".into(),
        build: "example".into(),
        ruleset: bots[0].ruleset.into(),
        options: Game::named(bots[0].ruleset).expect("a game").casual.into(),
        budgets: Budgets::DEFAULT,
        seed: Hex(seed),
        entrants: bots.iter().map(|bot| EntrantId::of_bytes(&bot.bytes)).collect(),
        opponents: BTreeMap::new(),
    };
    let mut record = play(header, BySeat::from(players)).expect("a game");
    // Each says in its own words why a bot failed.
    record.forfeits.iter_mut().for_each(|forfeit| forfeit.detail.clear());
    record
}

/// A game of two bots that is the same under the engine's fuel and in the sandbox: what the first was shown, the fuel
/// of both, and the processor time of either way.
struct Same {
    seen: Vec<Vec<u8>>,
    fuel: [u64; 2],
    took: [Duration; 2],
}

fn same_game(bots: [&Bot; 2], seed: [u8; 32], turns: u32) -> Same {
    let [mut one, mut other] = bots.map(|bot| Watched::new(ByEngine::new(&bot.pair().engine), turns));
    let began = ThreadTime::now();
    let by_engine = record(bots, seed, [&mut one, &mut other]);
    let by_engine_took = began.elapsed();
    let [mut own, mut own_other] = bots.map(|bot| Watched::new(SandboxPlayer::new(bot.own()), turns));
    let began = ThreadTime::now();
    let by_sandbox = record(bots, seed, [&mut own, &mut own_other]);
    let took = [by_engine_took, began.elapsed()];
    let [what, against] = bots.map(|bot| &bot.name);
    assert_eq!(by_engine, by_sandbox, "{what} against {against}, seed {}", Hex(seed));
    for (engine, own) in [(&mut one, &mut own), (&mut other, &mut own_other)] {
        let State { log, memory_bytes, .. } = engine.player.playing.as_mut().expect("it has started").state();
        let mut lines = Log::default();
        log.iter().for_each(|line| lines.push(line));
        assert_eq!(lines, own.player.left().log, "{what} against {against}, seed {}", Hex(seed));
        // None is left of one that failed.
        assert!([0, memory_bytes].contains(&own.player.memory_bytes()), "{what} against {against}, seed {}", Hex(seed));
    }
    Same { seen: one.seen, fuel: [one.fuel, other.fuel], took }
}

fn seed_of(rng: &mut Rng) -> [u8; 32] {
    std::array::from_fn(|_| rng.word() as u8)
}

#[test]
fn the_gallery_plays_the_same_games_for_the_same_fuel() {
    same_games(GAMES, 1);
}

/// So many games of all bots, in turn, against others of their game that the seed draws.
pub(crate) fn same_games(games: u64, seed: u64) {
    let bots = bots();
    let mut played = vec![(0_u64, 0_u64); bots.len()];
    let everybody: Vec<usize> = (0..bots.len()).collect();
    let all_play = (games / PART).max(1) * bots.len() as u64;
    let mut cheap = Vec::new();
    let mut all = [Duration::ZERO; 2];
    for number in 0..games {
        if number == all_play {
            cheap = everybody.clone();
            cheap.retain(|at| played[*at].1 / played[*at].0.max(1) <= GAME_FUEL_MAX);
        }
        let among = if number < all_play { &everybody } else { &cheap };
        let mut rng = rng(seed, number);
        let one = among[number as usize % among.len()];
        let of_its_game: Vec<usize> =
            among.iter().copied().filter(|at| bots[*at].ruleset == bots[one].ruleset).collect();
        let other = of_its_game[below(&mut rng, of_its_game.len() as u64) as usize];
        let Same { fuel, took, .. } = same_game([&bots[one], &bots[other]], seed_of(&mut rng), u32::MAX);
        for (at, fuel) in [one, other].into_iter().zip(fuel) {
            played[at] = (played[at].0 + 1, played[at].1 + fuel);
        }
        all = [0, 1].map(|way: usize| all[way] + took[way]);
        if (number + 1) % SHOWN == 0 {
            println!("{} of {games} games", number + 1);
        }
    }
    println!(
        "{games} games of seed {seed}, their fuel, verdicts and logs equal, in {:.1} s under the engine's fuel and {:.1} s \
         in the sandbox; each bot's seats, and millions of fuel:",
        all[0].as_secs_f64(),
        all[1].as_secs_f64(),
    );
    for (bot, (seats, fuel)) in bots.iter().zip(played) {
        println!("  {:<22} {:<16} {seats:>6} {:>9}", bot.ruleset, bot.name, fuel / 1_000_000);
    }
}

#[test]
fn the_gallery_ends_the_same_wherever_its_fuel_does() {
    same_ends(POINTS, 1);
}

/// So many points at which the fuel of bots ends within a turn, in all engines.
pub(crate) fn same_ends(points: u64, seed: u64) {
    let bots = bots();
    let mut rng = rng(seed, 0);
    let turns: Vec<Vec<Turn>> = bots.iter().map(|bot| turns_of(bot, seed_of(&mut rng))).collect();
    let is_cheap = |turns: &Vec<Turn>| turns.iter().all(|turn| turn.need <= TURN_FUEL_MAX);
    let cheap = turns.iter().filter(|turns| is_cheap(turns)).count() as u64;
    let each = (points / PART).max(2);
    let more = points.saturating_sub(each * bots.len() as u64).div_ceil(cheap.max(1));
    let (mut held, mut exhausted) = (0, 0);
    for (bot, turns) in bots.iter().zip(turns) {
        // An interpreter's functions are not counted.
        if !bot.bytes.windows(LINES.len()).any(|name| name == LINES.as_bytes()) {
            let seen: Vec<Vec<u8>> = turns.iter().map(|turn| turn.observation.clone()).collect();
            assert_eq!(counted(&bot.bytes, &seen, START), Ok(()), "{}", bot.name);
        }
        let count = if is_cheap(&turns) { each + more } else { each };
        let drawn: Vec<(&Turn, u64)> = (0..count)
            .map(|_| {
                let turn = &turns[below(&mut rng, turns.len() as u64) as usize];
                (turn, below(&mut rng, turn.need))
            })
            .collect();
        for (turn, point) in &drawn {
            exhausted += u64::from(ends(bot, &turn.observation, *point) == End::Exhausted);
        }
        held += count;
        let edges = turns.iter().map(|turn| (turn, turn.need));
        let games = drawn.iter().copied().chain(edges).map(|(turn, fuel)| game(&turn.observation, START, fuel));
        hold_in_all(&[Vector::of(&bot.name, &bot.bytes, &bot.pair().own, games.collect())], &[]);
    }
    println!(
        "{held} points within turns of {} bots, seed {seed}, equal in all engines; {exhausted} out of fuel",
        bots.len()
    );
}

/// A turn of a game, and the fuel that it takes right after the start.
struct Turn {
    observation: Vec<u8>,
    need: u64,
}

/// The first turns of a bot that plays against itself. Each is in time on what it needs, and late on one unit less.
fn turns_of(bot: &Bot, seed: [u8; 32]) -> Vec<Turn> {
    let Same { seen, .. } = same_game([bot, bot], seed, TURNS);
    let turn = |observation: Vec<u8>| {
        let whole = ends(bot, &observation, START);
        let End::InTime { fuel: need, .. } = whole else { panic!("{}: {whole:?}", bot.name) };
        // One that asks what is left does less with less.
        if !asks(&bot.bytes) {
            assert_eq!(ends(bot, &observation, need), whole, "{}", bot.name);
            assert_eq!(ends(bot, &observation, need - 1), End::Exhausted, "{}", bot.name);
        }
        Turn { observation, need }
    };
    seen.into_iter().map(turn).collect()
}

/// How a turn right after the start ends, under both meters.
fn ends(bot: &Bot, observation: &[u8], fuel: u64) -> End {
    let [engine, own] = bot.pair().play(observation, START, fuel);
    assert_eq!(engine, own, "{} on {fuel}", bot.name);
    own.turn.unwrap_or(own.start)
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
    let used = profiled.left().used;
    let start_fuel = meter(bytes, MAXIMA).expect("a bot").start_fuel;
    let sum = used.iter().map(|used| used.alone).sum::<u64>() + start_fuel;
    let most = used.iter().map(|used| used.with_calls).max().unwrap_or(0);
    let within = if is_whole { took..=took } else { took..=took + fuel.max(start_fuel) };
    let is_within = within.contains(&sum) && most <= *within.end();
    let are_so = used.iter().all(|used| used.alone <= used.with_calls);
    if is_within && are_so && played.left().used.is_empty() { Ok(()) } else { Err(format!("{took:?}: {used:?}")) }
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
    for (game, name) in [("conquerors", "easy"), ("game-of-game-of-life", "gogol-greedy"), ("life2", "life2-besieger")]
    {
        let bytes = fs::read(folder.join(format!("baseline-{name}.wasm"))).expect("a guest");
        let bot = Bot::new(name, game, bytes);
        same_game([&bot, &bot], [3; 32], if game == "conquerors" { u32::MAX } else { TURNS_OF_A_GUEST });
    }
}
