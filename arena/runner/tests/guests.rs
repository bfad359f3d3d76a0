//! The baselines as guests choose what their native selves choose, over whole games.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

#[path = "../../../bots/guests.rs"]
mod guests;

use std::path::Path;

use arena_record::Budgets;
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::BySeat;
use arena_runner::{Contender, ContenderPlayer, Host, InProcess, Terms};
use arena_sandbox::{Bot, Sandbox, SandboxPlayer, Wall};
use arena_wire::Game;

const CONQUERORS: &str = "conquerors@2";
const CONQUERORS_OPTIONS: &str = "chain_needs_home,weighted_majority";
const CONQUERORS_GAMES: u8 = 20;

const GOGOL: &str = "game-of-game-of-life@1";
/// What the planner as a guest may take of its 5,000,000 a turn, and of the game's 1,000,000 a turn on average.
const GOGOL_FUEL_MOST: u64 = 5_000_000;
const GOGOL_FUEL_MEAN: u64 = 1_000_000;

/// Asks two players and plays what both answer.
struct Both {
    native: ContenderPlayer,
    guest: SandboxPlayer,
    fuel: Vec<u64>,
}

impl Player for Both {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.native.start(observation_len, fuel)?;
        self.guest.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let guest = self.guest.turn(observation, fuel)?;
        assert_eq!(guest.action, self.native.turn(observation, fuel)?.action);
        self.fuel.push(guest.fuel.unwrap());
        Ok(guest)
    }
}

/// A built-in opponent, and the same as a guest.
fn both(sandbox: &Sandbox, ruleset: &str, name: &str, guest: &Path, budgets: &Budgets) -> (Contender, Bot) {
    let bytes = std::fs::read(guest).unwrap();
    (Contender::baseline(ruleset, name).unwrap(), sandbox.load(&bytes, budgets).unwrap())
}

/// Plays a game in which every seat asks both; gives the fuel of all turns. With the same ids a native game has the same seeds, so
/// it is the same game.
fn same_game(host: &InProcess, terms: &Terms, seed: u8, seats: &[&(Contender, Bot)]) -> Vec<u64> {
    let make = |(native, guest): &&(Contender, Bot)| Both {
        native: native.player(Wall::None),
        guest: SandboxPlayer::new(guest, Wall::None),
        fuel: Vec::new(),
    };
    let mut players: Vec<Both> = seats.iter().map(make).collect();
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
        (InProcess::new(sandbox.clone()), Terms::new(CONQUERORS, CONQUERORS_OPTIONS, Budgets::DEFAULT, Wall::None));
    for tier in ["easy", "normal", "hard"] {
        let player = both(&sandbox, CONQUERORS, tier, &bots.join(format!("baseline-{tier}.wasm")), &Budgets::DEFAULT);
        for seed in 0..CONQUERORS_GAMES {
            let most = same_game(&host, &terms, seed, &[&player, &player]).into_iter().max().unwrap();
            assert!(most < Budgets::DEFAULT.fuel_per_move / 5, "{tier} takes {most} fuel");
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
        let mut fuel = same_game(&host, &Terms::new(GOGOL, options, budgets, Wall::None), seed, seats);
        fuel.sort_unstable();
        let (turns, mean) = (fuel.len(), fuel.iter().sum::<u64>() / fuel.len() as u64);
        let (half, most) = (fuel[turns / 2], fuel[turns - 1]);
        println!("{options}: {turns} turns, fuel mean {mean}, p50 {half}, p99 {}, most {most}", fuel[turns * 99 / 100]);
        assert!(most < GOGOL_FUEL_MOST, "{options}: a turn takes {most} fuel");
        assert!(mean < GOGOL_FUEL_MEAN, "{options}: a turn takes {mean} fuel on average");
    }
}
