//! A bot that changes while it is watched.
#![cfg(unix)]

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use rustix::process::Signal;

use crate::process::{Lines, Process, finished};

fn mason() -> Vec<u8> {
    wat::parse_file(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../bots/gallery/mason/bot.wat")).unwrap()
}

fn watch(bot: &Path, arguments: &[&str]) -> Command {
    watch_games("4", bot, arguments)
}

fn watch_games(games: &str, bot: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.arg("watch").arg(bot).args(["--against", "easy", "--games", games]).args(arguments).stdin(Stdio::null());
    command
}

fn said(output: &Output) -> (i32, String) {
    (output.status.code().unwrap(), String::from_utf8(output.stdout.clone()).unwrap())
}

/// A running watch, and the lines it says.
struct Running {
    process: Process,
    lines: Lines,
}

impl Running {
    fn new(mut command: Command) -> Running {
        let (process, lines) = Process::heard("arena watch", &mut command);
        Running { process, lines }
    }

    fn next(&self) -> String {
        self.lines.next().expect("it says something more")
    }

    /// Waits for a line with these words.
    fn until(&self, words: &str) -> String {
        self.lines.find(|line| line.contains(words).then(|| line.to_owned()))
    }

    /// Interrupts it; gives its exit code, what it still said, and what it said on standard error.
    fn interrupt(&mut self) -> (Option<i32>, Vec<String>, String) {
        self.process.signal(Signal::INT);
        let last = self.lines.rest().collect();
        (self.process.ended().code(), last, self.process.log())
    }

    /// Waits until a round of four games is over, and ends while nothing is played: 0, and not a word.
    fn end_idle(mut self) {
        self.until("2 of 2 pairs against easy");
        self.until("fuel of ");
        assert_eq!(self.interrupt(), (Some(0), Vec::new(), "\n".into()));
    }
}

struct Place(tempfile::TempDir);

impl Place {
    fn new() -> Place {
        Place(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// A file with these bytes, as a linker leaves it: whole from one moment to the next.
    fn put(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        let (new, path) = (self.path("new"), self.path(name));
        fs::write(&new, bytes).unwrap();
        fs::rename(new, &path).unwrap();
        path
    }
}

#[test]
fn once_checks_and_plays_and_ends() {
    let place = Place::new();
    let bot = place.put("bot.wasm", mason());
    let (code, text) = said(&finished(&mut watch(&bot, &["--once"])));
    assert_eq!(code, 0, "{text}");
    assert!(text.contains("bot is accepted: ") && text.contains("fuel of ") && text.contains("p99 "), "{text}");
    assert!(text.contains("2 of 2 pairs against easy: ") && text.contains("too few to tell"), "{text}");
    assert!(!text.contains('\x1b'), "no terminal, no redrawing: {text}");

    let junk = place.put("junk.wasm", "not a module");
    let (code, text) = said(&finished(&mut watch(&junk, &["--once"])));
    assert!(code == 1 && text.contains("junk is REFUSED, not_wasm: ") && text.contains("hint: "), "{code}: {text}");
    assert_eq!(said(&finished(&mut watch(&place.path("none.wasm"), &["--once"]))).0, 2);
}

#[test]
fn a_bot_that_changes_is_judged_again() {
    let place = Place::new();
    let bot = place.put("bot.wasm", "not a module");
    let running = Running::new(watch(&bot, &[]));
    running.until("bot is REFUSED, not_wasm");
    place.put("bot.wasm", mason());
    running.until("bot is accepted");
    running.end_idle();
}

#[test]
fn sources_that_change_are_built_again_and_a_broken_build_is_shown() {
    let place = Place::new();
    fs::create_dir(place.path("src")).unwrap();
    place.put("src/good.wasm", mason());
    let (bot, source) = (place.path("bot.wasm"), place.path("src"));
    let build = format!("cp {0}/*.wasm {1}; cat {0}/error && exit 7 || exit 0", source.display(), bot.display());
    place.put("src/error", "a name is missing\n");
    let running = Running::new(watch(&bot, &["--build", &build, "--source", source.to_str().unwrap()]));
    running.until("build failed, exit status: 7");
    running.until("  a name is missing");
    fs::remove_file(place.path("src/error")).unwrap();
    running.until("bot is accepted");
    running.end_idle();
}

/// A folder of sources with a bot, and the command that copies it out after `also`.
fn copied(place: &Place, also: &str) -> (PathBuf, PathBuf, String) {
    fs::create_dir(place.path("src")).unwrap();
    place.put("src/good.wasm", mason());
    let (bot, source) = (place.path("bot.wasm"), place.path("src"));
    let build = format!("cd {}; echo >> ../builds; {also}; cp good.wasm {}", source.display(), bot.display());
    (bot, source, build)
}

fn builds(place: &Place) -> usize {
    fs::read_to_string(place.path("builds")).unwrap().lines().count()
}

#[test]
fn a_build_that_writes_into_its_sources_is_named_and_does_not_start_itself() {
    let place = Place::new();
    let (bot, source, build) = copied(&place, "wc -l ../builds > stamp.txt");
    let mut running = Running::new(watch(&bot, &["--build", &build, "--source", source.to_str().unwrap()]));
    let line = running.until("the build changes ");
    assert!(line.contains("stamp.txt"), "{line}");
    running.until("2 of 2 pairs against easy");
    assert_eq!(builds(&place), 2, "once more, as it may have been the author's doing");
    place.put("src/other", "an edit");
    running.until("the build changes ");
    running.until("unchanged");
    assert_eq!(builds(&place), 3, "known by now");
    assert_eq!(running.interrupt(), (Some(0), Vec::new(), "\n".into()));
}

#[test]
fn a_build_that_makes_the_same_module_starts_nothing() {
    let place = Place::new();
    let (bot, source, build) = copied(&place, "true");
    let running = Running::new(watch(&bot, &["--build", &build, "--source", source.to_str().unwrap()]));
    running.until("2 of 2 pairs against easy");
    running.until("fuel of ");
    place.put("src/notes.txt", "an idea");
    assert!(running.next().contains("bot is unchanged; keeping the last result"));
    assert_eq!(builds(&place), 2);
    // A section of no meaning: another module that plays as the first.
    place.put("src/good.wasm", [mason(), vec![0, 2, 1, b'x']].concat());
    assert!(running.next().contains("bot is accepted"));
    running.end_idle();
}

#[test]
fn a_match_goes_on_when_a_build_makes_the_same_module() {
    let place = Place::new();
    let (bot, source, build) = copied(&place, "true");
    let arguments = ["--build", &build, "--source", source.to_str().unwrap()];
    let mut running = Running::new(watch_games("10000", &bot, &arguments));
    running.until("bot is accepted");
    place.put("src/notes.txt", "an idea");
    assert!(running.next().contains("unchanged"));
    let (code, last, error) = running.interrupt();
    assert!(code == Some(0) && last[0].contains(" of 5000 pairs against easy: "), "{code:?} {last:?}");
    assert!(error.contains("stopping after the games that are being played"), "{error}");
}

#[test]
fn an_edit_during_a_build_is_built() {
    let place = Place::new();
    let (bot, source, build) = copied(&place, "test -e edit || { echo > edit; exit 7; }");
    let command = || watch(&bot, &["--build", &build, "--source", source.to_str().unwrap(), "--once"]);
    let (code, text) = said(&finished(&mut command()));
    assert!(code == 0 && text.contains("bot is accepted") && !text.contains("itself"), "{text}");
    assert_eq!(builds(&place), 2);
}
