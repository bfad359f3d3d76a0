//! `cargo xtask night`: what is long, random, or needs the machine for itself. The gate proves the same protocols in
//! short.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use super::ready::Ready;
use crate::apt;
use crate::bots::trial::CLANG;
use crate::cost::{Cost, Meter};
use crate::process::{TIME_IS_UP, within};
use crate::unknown::Unknown;
use crate::workspace::Workspace;

/// In arguments: the night's seed.
const SEED: &str = "SEED";

/// A part of the night: a command of `cargo xtask`, as a program of its own.
struct Step {
    /// Its name for `--only`.
    name: &'static str,
    command: &'static str,
    minutes_max: u64,
}

const fn step(name: &'static str, command: &'static str, minutes_max: u64) -> Step {
    Step { name, command, minutes_max }
}

/// In the order of execution. The limits are about twice what two idle cores take.
const STEPS: [Step; 33] = [
    step(RELEASES, "releases", 12),
    step("tests", "test night-tests new-game", 12),
    step("pages", "test night-browser", 17),
    step(LANGUAGES, "test newcomer guide", 10),
    step("packages", "test packages", 8),
    step("interpreters", "interpreters", 4),
    step("tournaments", "kill-tournament --kills 60 --seed SEED", 10),
    step("tampering", "tamper --mutations 5000 --seed SEED", 10),
    step("forgeries", "forgeries --forgeries 200 --seed SEED", 8),
    step("games", "kill-games --kills 40 --seed SEED", 6),
    step("machines", "kill-machines --kills 60 --seed SEED", 15),
    step("rolling", "rolling", 10),
    step("queue", "queue-seeds --seeds 2000 --seed SEED", 8),
    step("worlds", "kill-world --kills 60 --seed SEED", 8),
    step("ticks", "long-world --generations 100000", 3),
    step("watchers", "watch-world --seconds 1200 --seed SEED", 5),
    step("schedules", "schedules --schedules 2000 --seed SEED", 2),
    step("repeats", "repeats --repeats 500 --seed SEED", 2),
    step("coverage", "coverage --tournaments 10000 --seed SEED", 8),
    step("pairings", "pairings --tournaments 300 --seed SEED", 4),
    step("boards", "boards --boards 2000000 --seed SEED", 3),
    step("life2", "worlds --worlds 2000 --seed SEED", 3),
    step("compiling", "compiling --shapes 100 --seed SEED", 2),
    step("prices", "prices", 2),
    step("uploads", "fuzz --uploads 50000 --seed SEED", 8),
    step("fuzz", "fuzz-smoke --seconds 15 --seed SEED", 12),
    step("heap", "heap", 5),
    step("floods", "floods", 7),
    step("soak", "soak --seconds 300 --seed SEED", 7),
    step("load", "load --rooms 300", 5),
    step("costs", "costs --requests 100 --seed SEED", 15),
    step("schemathesis", "schemathesis --max-examples 50 --seed SEED", 5),
    step("fleet", "fleet", 4),
];

/// The step that compares compilers of C: what its projects find on Debian is installed for it, where that is possible.
const LANGUAGES: &str = "languages";

/// The step that compiles what others run in a release build, and these: none of them runs without it.
const RELEASES: &str = "releases";
const IN_RELEASE: [&str; 7] = ["compiling", "prices", "floods", "soak", "load", "costs", "fleet"];

/// What became of a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Outcome {
    Passed,
    Failed,
    /// Its time was up.
    Late,
}

impl Outcome {
    fn name(self) -> &'static str {
        match self {
            Outcome::Passed => "passed",
            Outcome::Failed => "failed",
            Outcome::Late => "out of time",
        }
    }
}

/// The arguments of the command.
#[derive(PartialEq, Eq, Debug)]
struct Asked {
    seed: u64,
    steps: Vec<&'static str>,
    /// Whether finished steps run again.
    anew: bool,
}

/// Runs the night, or the steps after `--only`. A step that an interrupted run of the same commit with the same seed
/// has finished is not run again; `--anew` forgets these. Prints a table.
///
/// # Errors
/// If a step fails or takes too long, once all are done.
pub(crate) fn night(ready: &Ready, arguments: &[String]) -> Result<()> {
    if arguments == ["--list"] {
        STEPS.iter().for_each(|step| println!("{:<12} {:>3} min  {}", step.name, step.minutes_max, step.command));
        return Ok(());
    }
    let Asked { seed, steps, anew } = read(arguments)?;
    let workspace = ready.workspace;
    let folder = workspace.target.join("night").join(format!("seed-{seed}"));
    let resumes = workspace.resumes(&folder)? && !anew;
    let results = folder.join("results");
    if steps.contains(&LANGUAGES) {
        CLANG.into_iter().for_each(apt::install_if_possible);
    }
    let mut done = if results.exists() && resumes { fs::read_to_string(&results)? } else { String::new() };
    for step in STEPS.iter().filter(|step| steps.contains(&step.name)) {
        if let Some(line) = line_of(&done, step.name) {
            println!("==> done before: {line}");
            continue;
        }
        let log = folder.join(format!("{}.log", step.name));
        println!("==> {}: cargo xtask {}; log: {}", step.name, step.command, workspace.shown(&log));
        let (outcome, cost) = step.run(workspace, seed, &log)?;
        let line = format!("{:<12} {cost} of {:>3} min  {}", step.name, step.minutes_max, outcome.name());
        println!("    {line}");
        writeln!(done, "{line}")?;
        fs::write(&results, &done)?;
    }
    let lines: Vec<&str> = steps.iter().filter_map(|name| line_of(&done, name)).collect();
    println!("==> night with seed {seed}\n{:<12} {:>10} {:>10}\n{}", "step", "time", "processor", lines.join("\n"));
    let bad: Vec<&str> = lines.into_iter().filter(|line| !line.ends_with(Outcome::Passed.name())).collect();
    ensure!(bad.is_empty(), "{} of {} steps did not pass:\n{}", bad.len(), steps.len(), bad.join("\n"));
    Ok(())
}

fn line_of<'a>(done: &'a str, name: &str) -> Option<&'a str> {
    done.lines().find(|line| line.split_whitespace().next() == Some(name))
}

fn read(arguments: &[String]) -> Result<Asked> {
    let known = || STEPS.iter().map(|step| step.name);
    let mut asked = Asked { seed: 1, steps: known().collect(), anew: false };
    let mut words = arguments.iter().map(String::as_str);
    while let Some(option) = words.next() {
        let mut value = || words.next().with_context(|| format!("`{option}` needs a value"));
        match option {
            "--seed" => {
                let value = value()?;
                asked.seed =
                    value.parse().with_context(|| format!("`{option}` needs a whole number, not `{value}`"))?;
            }
            "--only" => {
                let wanted: Vec<&str> = value()?.split(',').collect();
                for name in &wanted {
                    if !known().any(|step| step == *name) {
                        let known = known().collect::<Vec<_>>().join(", ");
                        bail!(Unknown { kind: "step of the night", given: (*name).to_owned(), known });
                    }
                }
                let compiles = wanted.iter().any(|name| IN_RELEASE.contains(name));
                asked.steps.retain(|name| wanted.contains(name) || (compiles && *name == RELEASES));
            }
            "--anew" => asked.anew = true,
            _ => bail!("`night` takes --seed N, --only NAME,..., --anew and --list, but got `{option}`"),
        }
    }
    Ok(asked)
}

impl Step {
    fn arguments(&self, seed: u64) -> Vec<String> {
        self.command.split(' ').map(|word| if word == SEED { seed.to_string() } else { word.to_owned() }).collect()
    }

    fn run(&self, workspace: &Workspace, seed: u64, log: &Path) -> Result<(Outcome, Cost)> {
        let file = fs::File::create(log)?.into_parts().0;
        let meter = Meter::start()?;
        let mut command = within(Duration::from_mins(self.minutes_max), std::env::current_exe()?);
        command.current_dir(&workspace.root).args(self.arguments(seed)).stdin(Stdio::null());
        // For tests and scripts of pages that draw and have no command of their own.
        for name in ["ARENA_NIGHT_SEED", "ARENA_TEST_SEED"] {
            command.env(name, seed.to_string());
        }
        command.stdout(file.try_clone()?).stderr(file);
        Ok((outcome(&mut command)?, meter.read()?))
    }
}

fn outcome(command: &mut Command) -> Result<Outcome> {
    let status = command.status().context("cannot start a step")?;
    Ok(match status.code() {
        Some(0) => Outcome::Passed,
        Some(code) if TIME_IS_UP.contains(&code) => Outcome::Late,
        _ => Outcome::Failed,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The longest that all steps together may take.
    const ALL_MAX: Duration = Duration::from_hours(4);

    fn words(text: &str) -> Vec<String> {
        text.split_whitespace().map(str::to_owned).collect()
    }

    #[test]
    fn the_night_is_short_enough_and_each_of_its_steps_a_command() {
        let minutes: u64 = STEPS.iter().map(|step| step.minutes_max).sum();
        assert!(Duration::from_mins(minutes) <= ALL_MAX, "{minutes} minutes");
        for (index, step) in STEPS.iter().enumerate() {
            let command = step.command.split(' ').next().unwrap_or_default();
            assert!(crate::commands::named(command).is_some(), "no command `{command}`");
            assert!(STEPS[..index].iter().all(|other| other.name != step.name), "{} is there twice", step.name);
        }
    }

    #[test]
    fn steps_and_a_seed_are_chosen() -> Result<()> {
        assert_eq!(
            read(&words("--seed 7 --only soak,pages"))?,
            Asked { seed: 7, steps: vec![RELEASES, "pages", "soak"], anew: false }
        );
        assert_eq!(read(&words("--anew"))?.steps.len(), STEPS.len());
        assert!(read(&words("--only sleep")).is_err_and(|error| error.is::<Unknown>()));
        assert!(read(&words("--seed")).is_err() && read(&words("--often")).is_err());
        let soak = STEPS.iter().find(|step| step.name == "soak").context("there is a soak")?;
        assert_eq!(soak.arguments(7), words("soak --seconds 300 --seed 7"));
        Ok(())
    }

    #[test]
    fn a_step_ends_when_its_time_is_up() -> Result<()> {
        let ended_in = |limit, script: &str| outcome(within(limit, "sh").args(["-c", script]));
        assert_eq!(ended_in(Duration::from_millis(10), "sleep 1000 & wait")?, Outcome::Late);
        let ended = |script| ended_in(Duration::from_mins(1), script);
        assert_eq!((ended("exit 0")?, ended("exit 1")?), (Outcome::Passed, Outcome::Failed));
        Ok(())
    }

    #[test]
    fn what_is_done_is_found_by_its_name() {
        let done = "soak  1 s passed\npages 2 s failed\n";
        assert_eq!(line_of(done, "pages"), Some("pages 2 s failed"));
        assert_eq!(line_of(done, "soa"), None);
    }
}
