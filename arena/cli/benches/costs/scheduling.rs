//! What a tournament costs besides its games: choosing rounds, threads, a folder that can be resumed, results. The
//! command plays a tournament of modules in workers; then the same games are played once more by themselves, in workers
//! of the same kind, and their lines are written to a file. Workers do the same in both, compiling most of all, so what
//! is added is looked for in the process that asks them.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio, id};
use std::sync::Arc;

use arena_record::{EntrantId, Record};
use arena_rules::{BySeat, Ruleset, conquerors};
use arena_runner::{Contender, Ended, Folder, GameTerms, Host, InProcess};
use arena_sandbox::Sandbox;
use arena_tournaments::Definition;
use arena_worker::Wall;
use arena_worker::limits::IDLE_WORKERS_MAX;
use tempfile::TempDir;

use crate::ARENA;
use crate::cpu::{own_seconds_at_end, own_seconds_of, seconds_of, thread_seconds};
use crate::games::workers;
use crate::tournament::{guest, records};

/// Entrants, each a module of its own.
const ENTRANTS: usize = 60;
/// The two formats, with 1,920 games each: what is done once is little beside them.
const FORMATS: [(&str, &str); 2] = [("swiss", "rounds = 8\npairs = 4"), ("ladder", "rounds = 32")];
/// Whose modules play, in turn.
const BOTS: [&str; 2] = ["easy", "hard"];

// Otherwise modules would be compiled again between games.
const _: () = assert!(ENTRANTS < IDLE_WORKERS_MAX);

/// A tournament that is played again and again.
pub(crate) struct Scheduled {
    pub(crate) section: String,
    definition: Definition,
    /// By the names of their files.
    modules: BTreeMap<String, Vec<u8>>,
    /// What checks them when the tournament begins.
    host: Arc<dyn Host>,
    folder: TempDir,
}

/// What one run takes.
pub(crate) struct Cost {
    /// The number of games.
    pub(crate) games: f64,
    /// Seconds of all games alone, with their workers.
    pub(crate) alone: f64,
    /// Those of `alone` that make the lines of the games and write them.
    pub(crate) lines: f64,
    /// Seconds of everything else that the command does.
    pub(crate) rest: f64,
}

impl Scheduled {
    pub(crate) fn all() -> [Scheduled; 2] {
        FORMATS.map(|(format, keys)| Scheduled::of(format, keys))
    }

    fn of(format: &str, keys: &str) -> Scheduled {
        let ruleset = conquerors::Position::ID;
        let mut text =
            format!("name = \"{format}\"\nruleset = \"{ruleset}\"\nseed = 1\nformat = \"{format}\"\n{keys}\n");
        let bots = BOTS.map(guest);
        let mut modules = BTreeMap::new();
        for number in 0..ENTRANTS {
            let _ = write!(text, "[[entrants]]\nname = \"bot-{number}\"\nfile = \"{number}.wasm\"\n");
            // A custom section with the number, so that each is another module.
            let section = [0, 3, 1, b'n', number as u8];
            modules.insert(format!("{number}.wasm"), [&*bots[number % bots.len()], &section].concat());
        }
        let section = format!("{format} of {ENTRANTS} modules in workers");
        let definition = Definition::parse(&text).expect("a definition");
        let host = Arc::new(InProcess::new(Sandbox::new().expect("this machine runs bots")));
        Scheduled { section, definition, modules, host, folder: tempfile::tempdir().expect("a folder") }
    }

    /// Plays it on one thread, and then its games alone.
    pub(crate) fn cost(&self) -> Cost {
        let out = self.folder.path().join("cup");
        drop(Folder::open_given(&out, &self.definition, &self.modules, &self.host).expect("it begins"));
        let mut resume = Command::new(ARENA);
        resume.args(["tournament", "resume"]).arg(&out).args(["--threads", "1"]);
        let resume = resume.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).spawn();
        let (status, whole) = own_seconds_at_end(resume.expect("the arena runs"));
        assert!(status.success(), "it ends");
        let games = records(&out);
        fs::remove_dir_all(&out).expect("removed");
        let start = own_seconds_of(id());
        let (alone, lines) = self.alone(&games);
        // Checking the bots and starting their workers is in both.
        let rest = whole - (own_seconds_of(id()) - start);
        Cost { games: games.len() as f64, alone, lines, rest }
    }

    /// Seconds of these games, one after the other, each with the line that keeps it; and of the lines.
    fn alone(&self, games: &[Record]) -> (f64, f64) {
        let Definition { ruleset, options, budgets, .. } = &self.definition;
        let (host, terms) =
            (workers(IDLE_WORKERS_MAX), GameTerms::new(ruleset, options, *budgets, Wall::Milliseconds(10_000)));
        let load = |bytes: &Vec<u8>| host.load(bytes, budgets).expect("a bot of ours");
        let bots: BTreeMap<EntrantId, Contender> = self.modules.values().map(load).map(|bot| (bot.id(), bot)).collect();
        let (mut file, mut lines) = (tempfile::tempfile().expect("a file"), 0.0);
        let start = seconds_of(id());
        for (number, game) in games.iter().enumerate() {
            let seats: Vec<&Contender> = game.header.entrants.iter().map(|entrant| &bots[entrant]).collect();
            let again = host.play(&terms.game(game.header.seed.0, &BySeat::from(seats))).expect("it is played").ended;
            let begun = thread_seconds();
            file.write_all(again.to_line(number).as_bytes()).expect("written");
            lines += thread_seconds() - begun;
            let Ended::Played(again) = again else { panic!("a game is void") };
            assert_eq!(again.turns, game.turns, "a game is a function of its header and its bots");
        }
        (seconds_of(id()) - start, lines)
    }
}
