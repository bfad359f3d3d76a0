//! The baselines as guests choose what their native selves choose, over whole games.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::path::{Path, PathBuf};

use arena_record::Budgets;
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::BySeat;
use arena_runner::{Contender, Seated, Table};
use arena_sandbox::{Sandbox, SandboxPlayer, Wall};

const RULESET: &str = "conquerors@2";
const OPTIONS: &str = "chain_needs_home,weighted_majority";
const GAMES: u8 = 20;

/// Asks two players and plays what both answer.
struct Both {
    native: Seated,
    guest: SandboxPlayer,
    fuel_most: u64,
}

impl Player for Both {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.native.start(observation_len, fuel)?;
        self.guest.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        let guest = self.guest.turn(observation, fuel)?;
        assert_eq!(guest.action, self.native.turn(observation, fuel)?.action);
        self.fuel_most = self.fuel_most.max(guest.fuel.unwrap());
        Ok(guest)
    }
}

fn bot(name: &str) -> PathBuf {
    let default = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/bots");
    std::env::var_os("ARENA_BOTS_DIR").map_or(default, PathBuf::from).join(name)
}

#[test]
fn guests_choose_what_native_baselines_choose() {
    let sandbox = Sandbox::new().unwrap();
    let table = Table::new(RULESET, OPTIONS, Budgets::DEFAULT, Wall::None);
    for tier in ["easy", "normal", "hard"] {
        let path = bot(&format!("baseline-{tier}.wasm"));
        let bytes = std::fs::read(&path)
            .unwrap_or_else(|error| panic!("{}: {error}; build the guests first: cargo xtask bots", path.display()));
        let guest = sandbox.load(&bytes, &Budgets::DEFAULT).unwrap();
        let native = Contender::baseline("conquerors@2", tier).unwrap();
        for seed in 0..GAMES {
            let make = || Both {
                native: native.player(Wall::None),
                guest: SandboxPlayer::new(&guest, Wall::None),
                fuel_most: 0,
            };
            let (mut blue, mut red) = (make(), make());
            let header = table.header([seed; 32], vec![native.id(), native.id()]);
            let players: [&mut dyn Player; 2] = [&mut blue, &mut red];
            let record = play(header, BySeat::from(players)).unwrap();
            // With the same ids a native game has the same seeds, so it is the same game.
            let alone = table.play([seed; 32], &BySeat::from([&native, &native])).unwrap();
            assert_eq!(record.digest, alone.digest);
            assert_eq!(record.forfeits, []);
            let most = blue.fuel_most.max(red.fuel_most);
            assert!(most < Budgets::DEFAULT.fuel_per_move / 5, "{tier} takes {most} fuel");
        }
    }
}
