//! A bot that is created in a temporary folder, built, checked and played with the commands that `arena new` names.

use std::fmt;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Instant;

use anyhow::{Context, Result};
use arena_limits::counted;
use arena_wire::GAMES;
use serde::Serialize;

use crate::new::{self, ARENA, Language};

/// The bot's name.
const NAME: &str = "trial";
/// Games to play: one pair.
const GAMES_PLAYED: u32 = 2;
/// Lines that are shown from the end of a failed command's output.
const LINES_SHOWN: usize = 12;

/// A trial that succeeded.
#[derive(Serialize)]
pub(super) struct Trial {
    /// Time of the build on this machine.
    build_seconds: f64,
    games: u32,
}

/// A step that failed.
#[derive(Serialize)]
pub(super) struct Failure {
    pub(super) command: String,
    /// The last lines of its output.
    pub(super) output: Vec<String>,
}

impl fmt::Display for Trial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "built in {:.1} s, accepted, {} played", self.build_seconds, counted(self.games, "game"))
    }
}

/// Tries a language, and leaves nothing behind.
///
/// # Errors
/// If the path of the running program is unknown.
pub(super) fn run(language: Language) -> Result<Result<Trial, Failure>> {
    let started = tempfile::tempdir().context("cannot create a folder").and_then(|place| {
        let folder = place.path().join(NAME);
        Ok((new::start(&folder, language, &GAMES[0])?, folder, place))
    });
    // The folder exists as long as its guard.
    let (commands, folder, _place) = match started {
        Ok(started) => started,
        Err(error) => {
            let command = format!("{ARENA}new {NAME} --lang {}", language.name());
            return Ok(Err(Failure { command, output: vec![format!("{error:#}")] }));
        }
    };
    let start = Instant::now();
    if let Some(build) = commands.build
        && let Err(failure) = step(&folder, build)?
    {
        return Ok(Err(failure));
    }
    let build_seconds = start.elapsed().as_secs_f64();
    for command in [commands.check, format!("{} --games {GAMES_PLAYED}", commands.play)] {
        if let Err(failure) = step(&folder, command)? {
            return Ok(Err(failure));
        }
    }
    Ok(Ok(Trial { build_seconds, games: GAMES_PLAYED }))
}

/// Runs a command of the project: the arena's own with this program, any other with the shell.
fn step(folder: &Path, command: String) -> Result<Result<(), Failure>> {
    let mut program = match command.strip_prefix(ARENA) {
        Some(words) => {
            let mut arena = Command::new(std::env::current_exe().context("cannot find the running program")?);
            arena.args(words.split(' '));
            arena
        }
        None => {
            let mut shell = Command::new("sh");
            shell.args(["-c", &format!("exec 2>&1\n{command}")]);
            // The build must stay in the project, where the next command looks for it.
            shell.env_remove("CARGO_TARGET_DIR").env_remove("CARGO_BUILD_TARGET_DIR");
            shell
        }
    };
    let said = match program.current_dir(folder).stdin(Stdio::null()).output() {
        Ok(said) if said.status.success() => return Ok(Ok(())),
        Ok(said) => [said.stdout, said.stderr].concat(),
        Err(error) => error.to_string().into_bytes(),
    };
    let said = String::from_utf8_lossy(&said);
    let lines: Vec<&str> = said.lines().filter(|line| !line.trim().is_empty()).collect();
    let output = lines[lines.len().saturating_sub(LINES_SHOWN)..].iter().map(|line| (*line).to_owned()).collect();
    Ok(Err(Failure { command, output }))
}
