//! Tournaments that are killed at any moment: no game is lost or played twice, and the results are the same bytes.
//!
//! In every format: `cargo xtask kill-tournament` kills more often.
#![cfg(unix)]

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use arena_rules::Rng;
use rustix::process::Signal;

use crate::eventually::pass_here;
use crate::process::Process;
use crate::tree::files;

/// Places the first block of its home, then one cell too few. A bot is needed, so that there are files to freeze and
/// compile.
const BOT: &str = r#"(module (memory (export "memory") 1)
    (data (i32.const 0) "\01\01\04\0c\03\0c\04\0d\03\0d\04")
    (data (i32.const 32) "\01\01\04\0c\17\0c\18\0d\17\0d\18")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (if (result i64) (i32.load8_u (i32.const 1026))
            (then (i64.const 0xb00000020)) (else (i64.const 0xb00000000)))))"#;
/// Never does anything in Game of Game of Life.
const STILL: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x300000000)))"#;
/// Every format, with the keys that give it some dozens of games.
pub(crate) const FORMATS: [&str; 7] = [
    "format = \"round-robin\"\npairs = 3",
    "format = \"gauntlet\"\npairs = 8",
    "format = \"swiss\"\npairs = 4",
    "format = \"knockout\"\npairs = 6",
    "format = \"double-knockout\"\npairs = 3",
    "format = \"ladder\"\nrounds = 9",
    "format = \"field\"\ngames = 3\nruleset = \"game-of-game-of-life@1\"\noptions = \"seats=3\"",
];
/// Kills in each format by default.
const KILLS: u64 = 4;
/// A bound on how long they are made: tournaments that may end before a kill.
const TOURNAMENTS_MAX: u64 = 1_000;
/// The start of a run, when files are created and bots compiled; a third of the kills fall into it.
const START: Duration = Duration::from_millis(30);

/// A tournament of five entrants, one of them a bot, so that there are files to freeze and compile.
fn definition(format: &str) -> String {
    let (named, bot) = if format.contains("field") {
        (["nothing", "random", "greedy"], "still")
    } else {
        (["easy", "normal", "hard"], "builder")
    };
    let named = named.map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n"));
    let last =
        format!("[[entrants]]\nname = \"late\"\nbaseline = \"{}\"\n", if bot == "still" { "safety" } else { "easy" });
    let bot = format!("[[entrants]]\nname = \"{bot}\"\nfile = \"{bot}.wasm\"\n");
    format!("name = \"killed\"\nseed = 5\n{format}\n{}{bot}{last}", named.concat())
}

fn arena(arguments: &[&str]) -> Process {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    Process::start(arguments.join(" "), command.args(arguments).stdin(Stdio::null()).stdout(Stdio::null()))
}

/// The whole lines of a journal.
fn journal(folder: &Path) -> Vec<String> {
    let text = fs::read_to_string(folder.join("journal")).unwrap_or_default();
    text.split_inclusive('\n').filter(|line| line.ends_with('\n')).map(String::from).collect()
}

/// The lines of a journal, regardless of the order in which games ended.
fn sorted(folder: &Path) -> BTreeSet<String> {
    journal(folder).into_iter().collect()
}

/// The games of journal lines; each occurs once.
fn games(lines: &[String]) -> BTreeSet<usize> {
    let games: BTreeSet<usize> = lines.iter().map(|line| line.split(' ').nth(1).unwrap().parse().unwrap()).collect();
    assert_eq!(games.len(), lines.len(), "a game is there twice");
    games
}

/// The games that a run's log says it started, up to its last whole line.
fn begun(log: &str) -> Vec<usize> {
    let lines = log.split_inclusive('\n').filter(|line| line.ends_with("begins\n"));
    lines.map(|line| line.split(' ').nth(1).unwrap().parse().unwrap()).collect()
}

#[test]
fn a_tournament_of_any_format_that_is_killed_at_any_moment_ends_with_the_same_bytes() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let wanted = number("ARENA_KILLS").unwrap_or(KILLS);
    let seed = number("ARENA_KILL_SEED").unwrap_or(1);
    for format in 0..FORMATS.len() {
        println!("{}", killed(format, wanted, seed));
    }
}

/// Kills runs of a tournament of a format until the number of kills is reached, and returns a summary.
pub(crate) fn killed(number: usize, wanted: u64, seed: u64) -> String {
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let (format, mut rng) = (FORMATS[number], Rng::new(&key, number as u64));
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    fs::write(path("builder.wasm"), wat::parse_str(BOT).unwrap()).unwrap();
    fs::write(path("still.wasm"), wat::parse_str(STILL).unwrap()).unwrap();
    fs::write(path("t.toml"), definition(format)).unwrap();
    let definition = path("t.toml").to_str().unwrap().to_string();
    let whole = path("whole").to_str().unwrap().to_string();
    let started = Instant::now();
    assert!(arena(&["tournament", "run", &definition, "--out", &whole, "--threads", "2"]).ended().success());
    let whole_run = started.elapsed();
    let results = files(&path("whole/results"));
    let archived = |folder: &str, name: &str| {
        let file = path(name);
        assert!(arena(&["tournament", "export", folder, file.to_str().unwrap()]).ended().success());
        fs::read(file).unwrap()
    };
    let archive = archived(&whole, "whole.tar.zst");
    let lines = sorted(&path("whole"));
    let all = lines.len();
    assert!(all >= 20, "{format}: {all} games");

    let (mut kills, mut finished, mut most_replayed, mut unstarted) = (0, 0, 0, 0);
    for _ in 0..TOURNAMENTS_MAX {
        if kills >= wanted {
            break;
        }
        let folder = path(&format!("killed{finished}"));
        let out = folder.to_str().unwrap().to_string();
        // Until it ends by itself: then there were kills enough, or it was quicker.
        for _ in 0..=wanted {
            let has_started = folder.join("manifest.json").exists();
            let before = journal(&folder);
            let known = games(&before);
            let threads = 1 + rng.below(3) as usize;
            let count = threads.to_string();
            let from_the_folder = has_started && rng.below(2) == 0;
            let mut arguments = if from_the_folder {
                vec!["tournament", "resume", &out]
            } else {
                vec!["tournament", "run", &definition, "--out", &out]
            };
            arguments.extend(["--verbose", "--threads", &count]);
            let mut child = arena(&arguments);
            let within = if rng.below(3) == 0 { START } else { whole_run };
            let is_last = kills == wanted;
            if !is_last {
                pass_here(Duration::from_micros(rng.below(within.as_micros() as u32).into()));
                child.signal(Signal::KILL);
            }
            let (status, log) = (child.ended(), child.log());
            let after = journal(&folder);
            assert_eq!(after.get(..before.len()), Some(&before[..]), "a game was lost");
            let begun = begun(&log);
            assert!(begun.iter().all(|game| !known.contains(game)), "a game that was finished began again");
            let lost = begun.len() - (after.len() - before.len()).min(begun.len());
            assert!(
                lost <= threads,
                "{format}: {lost} games are to be played again after one kill of {threads} threads"
            );
            games(&after);
            match status.code() {
                Some(code) => {
                    assert_eq!(code, 0, "{log}");
                    break;
                }
                None => assert_eq!(status.signal(), Some(9)),
            }
            kills += 1;
            most_replayed = most_replayed.max(lost);
            unstarted += u64::from(!folder.join("manifest.json").exists());
        }
        finished += 1;
        assert_eq!(games(&journal(&folder)).len(), all);
        assert_eq!(files(&folder.join("results")), results);
        assert_eq!(sorted(&folder), lines);
        let left: Vec<_> = files(&folder).into_keys().filter(|name| !name.starts_with("results")).collect();
        assert_eq!(left.len(), 5, "definition, manifest, journal, index, one bot: {left:?}");
        assert!(arena(&["verify", &out, "--threads", "1"]).ended().success());
        assert!(archived(&out, &format!("killed{finished}.tar.zst")) == archive, "{format}: another archive");
        fs::remove_dir_all(&folder).unwrap();
    }
    assert!(kills >= wanted, "{finished} tournaments were too short for {wanted} kills");
    format!(
        "{}: {kills} kills with the seed {seed}, {unstarted} of them before the start was written; {finished} tournaments of {all} \
         games ended with the bytes of the uninterrupted run; at most {most_replayed} games played again after a kill",
        format.replace('\n', ", ")
    )
}
