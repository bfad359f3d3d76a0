//! Guests that are built here choose what their other selves choose, over whole games: the baselines what they choose
//! natively, the gallery's bots what their released modules choose.

use std::path::Path;

use arena_record::{Budgets, EntrantId};
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::BySeat;
use arena_runner::{Contender, ContenderPlayer, GameTerms, Host, InProcess, Named};
use arena_sandbox::{Bot, Sandbox, SandboxPlayer};
use arena_wire::Game;
use arena_worker::Wall;

use crate::guests;

const CONQUERORS: &str = "conquerors@2";
const CONQUERORS_OPTIONS: &str = "chain_needs_home,weighted_majority";
const CONQUERORS_GAMES: u8 = 4;

const GOGOL: &str = "game-of-game-of-life@1";
/// The fuel limits of the planner as a guest, out of 5,000,000 a turn, and of the game's 1,000,000 a turn on average.
const GOGOL_FUEL_MOST: u64 = 5_000_000;
const GOGOL_FUEL_MEAN: u64 = 1_000_000;

const LIFE2: &str = "life2@2";

/// Asks two players and plays what both answer.
struct Both<P> {
    other: P,
    guest: SandboxPlayer,
    fuel: Vec<u64>,
    /// Its answers depend on the fuel that its code takes, which is not that of the other's.
    may_differ: bool,
}

impl<P> Both<P> {
    fn new(other: P, guest: &Bot) -> Both<P> {
        Both { other, guest: SandboxPlayer::new(guest), fuel: Vec::new(), may_differ: false }
    }
}

impl<P: Player> Player for Both<P> {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.other.start(observation_len, fuel)?;
        self.guest.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let guest = self.guest.turn(observation, fuel)?;
        let other = self.other.turn(observation, fuel)?;
        assert!(self.may_differ || guest.action == other.action, "{guest:?} and {other:?}");
        self.fuel.push(guest.fuel.unwrap());
        Ok(guest)
    }
}

/// A built-in opponent, and the same as a guest.
fn both(sandbox: &Sandbox, ruleset: &str, name: &str, guest: &Path, budgets: &Budgets) -> (Contender, Bot) {
    let bytes = std::fs::read(guest).unwrap();
    (Contender::baseline(ruleset, name).unwrap(), sandbox.load(&bytes, budgets).unwrap())
}

/// Plays a game in which every seat asks both; gives the fuel of all turns. With the same ids a native game has the
/// same seeds, so it is the same game.
fn same_game(host: &InProcess, terms: &GameTerms, seed: u8, seats: &[&(Contender, Bot)]) -> Vec<u64> {
    let make = |(native, guest): &&(Contender, Bot)| Both::new(native.player(Wall::None), guest);
    let mut players: Vec<Both<ContenderPlayer>> = seats.iter().map(make).collect();
    let header = terms.header([seed; 32], seats.iter().map(|(native, _)| native.id()).collect());
    let seated: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
    let record = play(header, BySeat::from(seated)).unwrap();
    let natives: Vec<&Contender> = seats.iter().map(|(native, _)| native).collect();
    let native = host.play(&terms.game([seed; 32], &BySeat::from(natives))).unwrap();
    assert_eq!(record.digest, native.ended.into_record().unwrap().digest);
    assert_eq!(record.forfeits, []);
    players.into_iter().flat_map(|player| player.fuel).collect()
}

#[test]
fn guests_choose_what_native_baselines_choose() {
    let Some(bots) = guests::folder() else { return };
    let sandbox = Sandbox::new().unwrap();
    let (host, terms) =
        (InProcess::new(sandbox.clone()), GameTerms::new(CONQUERORS, CONQUERORS_OPTIONS, Budgets::DEFAULT, Wall::None));
    for tier in ["easy", "normal", "hard"] {
        let player = both(&sandbox, CONQUERORS, tier, &bots.join(format!("baseline-{tier}.wasm")), &Budgets::DEFAULT);
        for seed in 0..CONQUERORS_GAMES {
            let most = same_game(&host, &terms, seed, &[&player, &player]).into_iter().max().unwrap();
            assert!(most < Budgets::DEFAULT.fuel_per_move / 5, "{tier} takes {most} fuel");
        }
    }
}

/// In the game that they were made for.
#[test]
fn guests_of_the_releases_before_v2_too() {
    let Some(bots) = guests::folder() else { return };
    let sandbox = Sandbox::new().unwrap();
    let (host, terms) = (InProcess::new(sandbox.clone()), GameTerms::new(CONQUERORS, "", Budgets::DEFAULT, Wall::None));
    for name in ["easy-v54", "normal-v54", "hard-v54", "easy-v55", "normal-v55", "hard-v55"] {
        let player = both(&sandbox, CONQUERORS, name, &bots.join(format!("baseline-{name}.wasm")), &Budgets::DEFAULT);
        for seed in 0..CONQUERORS_GAMES {
            let most = same_game(&host, &terms, seed, &[&player, &player]).into_iter().max().unwrap();
            assert!(most < Budgets::DEFAULT.fuel_per_move / 5, "{name} takes {most} fuel");
        }
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "what a turn costs is of interest beside that it is little enough")]
fn guests_of_game_of_game_of_life_too_and_within_their_fuel() {
    let Some(bots) = guests::folder() else { return };
    let sandbox = Sandbox::new().unwrap();
    let budgets = Budgets::of(Game::named(GOGOL).unwrap().allowance);
    let guest = |name: &str| bots.join(format!("baseline-gogol-{name}.wasm"));
    let load = |name: &str| both(&sandbox, GOGOL, name, &guest(name), &budgets);
    let players = ["nothing", "random", "greedy", "safety", "planner"].map(load);
    let [nothing, random, greedy, safety, planner] = &players;
    let fields: [(&str, &[&(Contender, Bot)]); 4] = [
        ("seats=2", &[planner, planner]),
        ("seats=5", &[nothing, random, greedy, safety, planner]),
        ("seats=9", &[planner, planner, planner, planner, planner, planner, planner, planner, greedy]),
        ("seats=3,lots=fixed", &[safety, greedy, safety]),
    ];
    let host = InProcess::new(sandbox);
    for (seed, (options, seats)) in (0..).zip(fields) {
        let mut fuel = same_game(&host, &GameTerms::new(GOGOL, options, budgets, Wall::None), seed, seats);
        fuel.sort_unstable();
        let (turns, mean) = (fuel.len(), fuel.iter().sum::<u64>() / fuel.len() as u64);
        let (half, most) = (fuel[turns / 2], fuel[turns - 1]);
        println!("{options}: {turns} turns, fuel mean {mean}, p50 {half}, p99 {}, most {most}", fuel[turns * 99 / 100]);
        assert!(most < GOGOL_FUEL_MOST, "{options}: a turn takes {most} fuel");
        assert!(mean < GOGOL_FUEL_MEAN, "{options}: a turn takes {mean} fuel on average");
    }
}

#[test]
#[expect(clippy::print_stdout, reason = "what a turn costs is of interest beside that it is little enough")]
fn guests_of_life2_too_and_within_their_fuel() {
    let Some(bots) = guests::folder() else { return };
    let sandbox = Sandbox::new().unwrap();
    let budgets = Budgets::of(Game::named(LIFE2).unwrap().allowance);
    let guest = |name: &str| bots.join(format!("baseline-life2-{name}.wasm"));
    let players = ["idle", "expander", "besieger"].map(|name| both(&sandbox, LIFE2, name, &guest(name), &budgets));
    let [idle, expander, besieger] = &players;
    let seats = [expander, besieger, idle, besieger, expander, idle, besieger, expander, besieger];
    let terms = GameTerms::new(LIFE2, "seats=9,coins=1000", budgets, Wall::None);
    let mut fuel = same_game(&InProcess::new(sandbox), &terms, 1, &seats);
    fuel.sort_unstable();
    let (turns, mean) = (fuel.len(), fuel.iter().sum::<u64>() / fuel.len() as u64);
    let (half, most) = (fuel[turns / 2], fuel[turns - 1]);
    println!("{turns} turns, fuel mean {mean}, p50 {half}, p99 {}, most {most}", fuel[turns * 99 / 100]);
    assert!(most < budgets.fuel_per_move / 2, "a turn takes {most} fuel");
}

/// Whether a module imports `arena.fuel`.
fn asks_for_fuel(module: &[u8]) -> bool {
    const IMPORT: &[u8] = b"\x05arena\x04fuel";
    module.windows(IMPORT.len()).any(|bytes| bytes == IMPORT)
}

#[test]
fn bots_of_the_gallery_built_here_play_the_games_of_the_released_ones() {
    let Some(folder) = guests::folder() else { return };
    let sandbox = Sandbox::new().unwrap();
    let mut compared = Vec::new();
    for released in arena_released::ALL {
        // Those in C, Zig and AssemblyScript are there where their compilers are.
        let Ok(bytes) = std::fs::read(folder.join(format!("{}.wasm", released.name))) else { continue };
        let game = Game::named(released.ruleset).unwrap();
        let budgets = Budgets::of(game.allowance);
        let [known, built] = [released.bytes, &bytes].map(|bytes| sandbox.load(bytes, &budgets).unwrap());
        let opponent = Named::all(released.ruleset).next().unwrap();
        let opponent = opponent.load(&InProcess::new(sandbox.clone()), &budgets).unwrap();
        let terms = GameTerms::new(released.ruleset, game.ranked, budgets, Wall::None);
        for seat in [0, 1] {
            let (mut both, mut other) = (Both::new(SandboxPlayer::new(&known), &built), opponent.player(Wall::None));
            both.may_differ = bytes != released.bytes && asks_for_fuel(&bytes);
            let mut seats: [(EntrantId, &mut dyn Player); 2] =
                [(known.id().clone(), &mut both), (opponent.id(), &mut other)];
            seats.rotate_right(seat);
            let (ids, players): (Vec<_>, Vec<_>) = seats.into_iter().unzip();
            let record = play(terms.header([7; 32], ids), BySeat::from(players)).unwrap();
            assert_eq!(record.forfeits, [], "{}", released.name);
            assert!(!both.fuel.is_empty(), "{} was never asked", released.name);
        }
        compared.push(released.name);
    }
    for name in ["scatter", "mason", "gardener", "strategist", "alpinist", "marshal"] {
        assert!(compared.contains(&name), "{name} needs no compiler but Rust's; build it first: cargo xtask bots");
    }
}
