//! Each module is compiled once by each process that plays it: by one process, where a command plays one game at a
//! time.
#![cfg(unix)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::process::Command;

use crate::eventually::eventually_here;
use crate::process::finished;
use crate::site::Site;

/// A pool's log message when a worker compiles a module.
const LOAD: &str = "a worker compiles a module";

/// Bots in a folder, as many as are asked for, that play alike.
struct Place(tempfile::TempDir);

impl Place {
    fn new(bots: u8) -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let mason = wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap();
        for number in 0..bots {
            // A custom section of one byte makes another bot of it.
            fs::write(place.path(&format!("bot{number}.wasm")), [&mason[..], &[0, 3, 1, b'n', number]].concat())
                .unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// The modules that a command has compiled: for each bot, by which workers.
    fn loads(&self, arguments: &[&str]) -> BTreeMap<String, Vec<String>> {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(self.0.path()).args(arguments).env("ARENA_LOG", "debug");
        let output = finished(&mut command);
        let log = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{arguments:?}: {log}");
        loads(&log)
    }
}

fn loads(log: &str) -> BTreeMap<String, Vec<String>> {
    let mut loads: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let mut workers = BTreeSet::new();
    for line in log.lines().filter(|line| line.contains(LOAD)) {
        let field = |name: &str| line.split_whitespace().find_map(|word| word.strip_prefix(name)).unwrap().to_string();
        let (worker, bot) = (field("worker="), field("bot="));
        assert!(workers.insert(worker.clone()), "a second module in {worker}: {line}");
        loads.entry(bot).or_default().push(worker);
    }
    loads
}

/// How many modules were compiled, each once.
fn once(loads: &BTreeMap<String, Vec<String>>) -> usize {
    assert!(loads.values().all(|workers| workers.len() == 1), "{loads:?}");
    loads.len()
}

#[test]
fn a_tournament_compiles_each_bot_once_to_begin_to_resume_and_to_verify() {
    let place = Place::new(5);
    let entrants: String =
        (0..5).map(|number| format!("[[entrants]]\nname = \"b{number}\"\nfile = \"bot{number}.wasm\"\n")).collect();
    fs::write(place.path("t.toml"), format!("name = \"t\"\nseed = 1\npairs = 2\n{entrants}")).unwrap();
    let run = ["tournament", "run", "t.toml", "--out", "t", "--threads"];
    assert_eq!(once(&place.loads(&[&run[..], &["1"]].concat())), 5);
    assert_eq!(once(&place.loads(&["verify", "t", "--threads", "1"])), 5);
    // What is finished needs no bot, what is not all of them.
    assert_eq!(once(&place.loads(&[&run[..], &["1"]].concat())), 0);
    let journal = fs::read_to_string(place.path("t/journal")).unwrap();
    let half: Vec<&str> = journal.split_inclusive('\n').take(20).collect();
    fs::write(place.path("t/journal"), half.concat()).unwrap();
    assert_eq!(once(&place.loads(&[&run[..], &["1"]].concat())), 5);
    // Two games at a time: a bot that is in both is in two processes.
    let on_two = place.loads(&["verify", "t", "--threads", "2"]);
    assert!(on_two.len() == 5 && on_two.values().all(|workers| workers.len() <= 2), "{on_two:?}");
}

#[test]
fn a_match_compiles_each_bot_once_even_against_itself() {
    let place = Place::new(2);
    let play = |a: &str, b: &str| once(&place.loads(&["play", a, b, "--games", "4", "--threads", "1"]));
    assert_eq!(play("bot0.wasm", "bot1.wasm"), 2);
    assert_eq!(play("bot0.wasm", "bot0.wasm"), 1);
    assert_eq!(play("mason", "mason"), 1);
    assert_eq!(play("easy", "hard"), 0);
}

#[test]
fn a_check_compiles_the_bot_and_what_finds_its_functions() {
    let place = Place::new(1);
    // One bot in two forms: as it plays, and for the profile.
    let loads = place.loads(&["check", "bot0.wasm", "--games", "2", "--threads", "1"]);
    assert_eq!(loads.values().map(Vec::len).collect::<Vec<_>>(), [2], "{loads:?}");
}

#[test]
fn a_site_compiles_a_bot_once_to_judge_and_to_rate_it() {
    let place = Place::new(1);
    let site = Site::start(place.0.path(), &["--log-level", "debug", "--standing", "conquerors"]);
    let address = format!("http://{}", site.address);
    for arguments in
        [&["login", "--server", &address, "--claim", "Ann"][..], &["submit", "bot0.wasm", "--name", "mine"]]
    {
        let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
        command.current_dir(place.0.path()).env("ARENA_CONFIG", place.path("config")).args(arguments);
        assert!(finished(&mut command).status.success());
    }
    eventually_here("an edition with the bot", || {
        let standings = ureq::get(format!("{address}/api/v1/standings")).call().unwrap().body_mut().read_to_string();
        let standings = standings.unwrap();
        if standings.contains("\"mine\"") { Ok(()) } else { Err(standings) }
    });
    // The other one is the smallest module, which shows at the start that this machine can judge.
    assert_eq!(once(&loads(&site.log())), 2);
}
