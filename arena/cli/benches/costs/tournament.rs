//! A tournament of modules, and what of it is the modules' own code.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::Path;
use std::process::Command;

use arena_record::{Budgets, EntrantId, Record};
use arena_referee::{Failure, Player, Reply, Started, play};
use arena_rules::{Ruleset, conquerors, life2};
use arena_runner::Archive;
use arena_sandbox::{Bot, Sandbox, SandboxPlayer};
use arena_wire::Game;
use tempfile::TempDir;

use crate::cpu::{Spent, per_unit_here, spent_by, thread_seconds};
use crate::games::{released, run};
use crate::{ARENA, OPPONENTS, bots_folder};

/// Bots of the gallery that play beside the built-in opponents as modules.
const GALLERY: [&str; 6] = ["strategist", "gardener", "mason", "scatter", "farmer", "alpinist"];

/// Pairs of games of two of them: what a command does once, such as looking at each bot before it starts, is little
/// beside them.
const PAIRS: u32 = 10;

/// Windows of Life2 that nine play together.
const WINDOWS: u32 = 2;

/// Seats of the largest of these games. Their memories are used again, as in a worker.
const SEATS_MAX: u32 = 9;

/// The nine modules.
pub(crate) struct Nine {
    modules: Vec<Vec<u8>>,
    loaded: BTreeMap<EntrantId, Bot>,
    sandbox: Sandbox,
    budgets: Budgets,
    folder: TempDir,
    /// The tournament's games, which are the same each time.
    games: Vec<Record>,
}

/// A built-in opponent as a module.
pub(crate) fn guest(name: &str) -> Vec<u8> {
    fs::read(bots_folder().join(format!("baseline-{name}.wasm"))).expect("`cargo xtask bench` builds it")
}

/// The games of a finished tournament, in the order of its schedule.
pub(crate) fn records(folder: &Path) -> Vec<Record> {
    let archive = Archive::open(folder).expect("it is finished");
    archive.numbers().map(|number| archive.record(number.expect("an index")).expect("a record")).collect()
}

impl Nine {
    /// Of Conquerors: each against each.
    pub(crate) fn of_conquerors() -> Nine {
        let gallery = GALLERY.iter().map(|name| released(name).bytes.to_vec());
        let modules = OPPONENTS.into_iter().map(guest).chain(gallery).collect();
        Nine::of(conquerors::Position::ID, &format!("format = \"round-robin\"\npairs = {PAIRS}\n"), modules)
    }

    /// Of Life2: all in one window, each opponent three times.
    pub(crate) fn of_life2() -> Nine {
        let names = ["idle", "expander", "besieger"].map(|name| format!("life2-{name}"));
        let modules = (0..9).map(|seat| guest(&names[seat % 3])).collect();
        let rules = format!("options = \"seats=9,coins=1000\"\nformat = \"field\"\ngames = {WINDOWS}\npairs = 0\n");
        Nine::of(life2::Position::ID, &rules, modules)
    }

    fn of(ruleset: &str, rules: &str, modules: Vec<Vec<u8>>) -> Nine {
        let folder = tempfile::tempdir().expect("a folder");
        let mut text = format!("name = \"nine\"\nruleset = \"{ruleset}\"\nseed = 1\n{rules}");
        for (number, bytes) in modules.iter().enumerate() {
            fs::write(folder.path().join(format!("{number}.wasm")), bytes).expect("written");
            let _ = write!(text, "[[entrants]]\nname = \"bot-{number}\"\nfile = \"{number}.wasm\"\n");
        }
        fs::write(folder.path().join("nine.toml"), text).expect("written");
        let sandbox = Sandbox::reusing(SEATS_MAX).expect("this machine runs bots");
        let budgets = Budgets::of(Game::named(ruleset).expect("a game").allowance);
        let bots = modules.iter().map(|bytes| sandbox.load(bytes, &budgets).expect("a bot of ours"));
        let loaded = bots.map(|bot| (bot.id().clone(), bot)).collect();
        let mut nine = Nine { modules, loaded, sandbox, budgets, folder, games: Vec::new() };
        nine.games = nine.played().1;
        nine
    }

    /// The games that the tournament consists of.
    pub(crate) fn games(&self) -> &[Record] {
        &self.games
    }

    /// What the tournament takes on one thread.
    pub(crate) fn spent(&self) -> Spent {
        let (spent, games) = self.played();
        assert_eq!(games, self.games, "a game is a function of its header and its bots");
        spent
    }

    fn played(&self) -> (Spent, Vec<Record>) {
        let (definition, out) = (self.folder.path().join("nine.toml"), self.folder.path().join("nine"));
        let before = spent_by(std::process::id());
        let arguments = [definition.as_os_str(), "--out".as_ref(), out.as_os_str(), "--threads".as_ref(), "1".as_ref()];
        run(Command::new(ARENA).args(["tournament", "run"]).args(arguments));
        let after = spent_by(std::process::id());
        let records = records(&out);
        fs::remove_dir_all(&out).expect("removed");
        (Spent { user: after.user - before.user, system: after.system - before.system }, records)
    }

    /// Seconds of checking and compiling each module once.
    pub(crate) fn compiling(&self) -> f64 {
        per_unit_here(|| {
            self.modules.iter().for_each(|bytes| drop(self.sandbox.load(bytes, &self.budgets).expect("a bot of ours")));
            1
        })
    }

    /// Seconds that the modules themselves take in these games: in calls into them.
    pub(crate) fn bots(&self, games: &[Record]) -> f64 {
        let own = |game: &Record| {
            let mut players: Vec<Timed> = game.header.entrants.iter().map(|id| Timed::new(&self.loaded[id])).collect();
            let seats: Vec<&mut dyn Player> = players.iter_mut().map(|player| player as &mut dyn Player).collect();
            let played = play(game.header.clone(), seats.into()).expect("it is played");
            assert_eq!(played.turns, game.turns, "a game is a function of its header and its bots");
            players.iter().map(|player| player.seconds).sum::<f64>()
        };
        games.iter().map(own).sum()
    }
}

/// A module whose calls are timed by the clock of this thread.
struct Timed {
    player: SandboxPlayer,
    seconds: f64,
}

impl Timed {
    fn new(bot: &Bot) -> Timed {
        Timed { player: SandboxPlayer::new(bot), seconds: 0.0 }
    }

    fn timed<T>(&mut self, call: impl FnOnce(&mut SandboxPlayer) -> T) -> T {
        let start = thread_seconds();
        let answer = call(&mut self.player);
        self.seconds += thread_seconds() - start;
        answer
    }
}

impl Player for Timed {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.timed(|player| player.start(observation_len, fuel))
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        self.timed(|player| player.turn(observation, fuel))
    }
}
