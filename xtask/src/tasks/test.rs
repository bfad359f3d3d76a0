//! `cargo xtask test`: the list of CI's steps. Each can be run alone by its name.

use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Write};
use std::process::Command;
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use fs_err as fs;

use super::ready::{PROFILE, Ready};
use crate::bots::languages::Fetch;
use crate::bots::newcomer::Newcomer;
use crate::bots::{guests, trial};
use crate::guide;
use crate::packages::install;
use crate::process::{find_on_path, run as run_program};
use crate::unknown::Unknown;
use crate::web;
use crate::workspace::{BOTS, Workspace};

/// Steps that are also commands.
pub(super) const GUIDE: &str = "guide";
pub(super) const PACKAGES: &str = "packages";

/// A step that `dist` also uses.
pub(super) const INSTALLING: &str = "installing the packages";

/// The crates that must build without an operating system.
const PURE: [&str; 7] =
    ["arena-rules", "arena-wire", "arena-record", "arena-referee", "arena-tournaments", "arena-baselines", "arena-sdk"];

struct Step {
    /// Its name in `cargo xtask test NAME`.
    name: &'static str,
    /// Its announcement.
    title: &'static str,
    /// What is made ready first.
    needs: &'static [Need],
    run: fn(&Ready) -> Result<()>,
}

/// A prerequisite of a step. Indirect ones are made ready, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Need {
    Toolchain,
    Engine,
    Bots,
    Arena,
    Proxy,
    Browser,
}

/// In the order of execution.
#[rustfmt::skip]
const STEPS: [Step; 14] = [
    Step { name: "tests", title: "running the tests", needs: &[Need::Bots, Need::Engine, Need::Proxy], run: tests },
    Step { name: "format", title: "checking the formatting", needs: &[], run: format },
    Step { name: "lint", title: "linting", needs: &[], run: lint },
    Step { name: "deny", title: "checking the dependencies", needs: &[], run: deny },
    Step { name: "new-game", title: "taking a new game through the arena", needs: &[], run: new_game },
    Step { name: "pure", title: "building the pure crates for wasm32", needs: &[Need::Toolchain], run: pure },
    Step { name: "modules", title: "testing the pages' modules", needs: &[Need::Engine], run: modules },
    Step { name: "layers", title: "testing the layers for other languages", needs: &[Need::Bots, Need::Arena], run: layers },
    Step { name: "bots", title: "checking every bot", needs: &[Need::Bots, Need::Arena], run: bots },
    Step { name: "newcomer", title: "starting a bot in every language", needs: &[Need::Bots, Need::Arena], run: start },
    Step { name: GUIDE, title: "reading the guide", needs: &[Need::Bots, Need::Arena], run: read_guide },
    Step { name: PACKAGES, title: INSTALLING, needs: &[Need::Toolchain, Need::Arena], run: packages },
    Step { name: "browser", title: "testing in a browser", needs: &[Need::Bots, Need::Browser], run: browser },
    Step { name: "kill", title: "killing the server", needs: &[Need::Bots, Need::Browser], run: kill },
];

/// Steps that mostly wait, for pages, servers and installers, and those that read the arena's binary. They take half of the time: in the
/// whole test they run in parallel with the others, as a separate process.
const BESIDE: [&str; 8] = ["modules", "layers", "bots", "packages", "browser", "kill", "newcomer", GUIDE];

/// The output of these steps, until the others have ended.
const BESIDE_SAYS: &str = "target/test-beside.log";

/// The prefix of a line that announces a step.
const ANNOUNCED: &str = "==> ";

/// The expected time for all steps on two idle cores. A busy machine takes longer, so exceeding it is reported, not a failure.
const LONG: Duration = Duration::from_mins(35);

/// The option for the quick test.
const QUICK_OPTION: &str = "--quick";

/// The expected time of that, where everything is compiled. It is reported, too.
const QUICK_LONG: Duration = Duration::from_mins(1);

/// The first step of `--quick`: all tests except those that are [not quick](NOT_QUICK), without any bot.
const QUICK_TESTS: Step = Step { name: "quick", title: "running the quick tests", needs: &[], run: quick_tests };

/// The other steps of `--quick`.
const QUICK: [&str; 3] = ["format", "lint", "deny"];

/// Modules whose tests are not quick.
const NOT_QUICK: [&str; 3] = ["slow::", "heavy::", "night::"];

/// The steps that only the whole test has: compiling the tests, and waiting for the steps beside.
const STEPS_OF_ALL: usize = 2;

impl Need {
    /// What [`Ready`] makes before it.
    fn needs(self) -> &'static [Need] {
        match self {
            Need::Toolchain | Need::Proxy => &[],
            Need::Engine | Need::Bots => &[Need::Toolchain],
            Need::Arena => &[Need::Engine],
            Need::Browser => &[Need::Arena],
        }
    }

    /// The steps in which it is made: compilers are made ready before the bots are built.
    fn steps(self) -> usize {
        if self == Need::Bots { 2 } else { 1 }
    }

    fn make(self, ready: &Ready) -> Result<()> {
        match self {
            Need::Toolchain => ready.toolchain().map(drop),
            Need::Engine => ready.engine(),
            Need::Bots => ready.bots().map(drop),
            Need::Arena => ready.arena().map(drop),
            Need::Proxy => ready.proxy(),
            Need::Browser => ready.browser().map(drop),
        }
    }
}

/// `cargo xtask test`: all steps, the quick ones, or the named ones, in the order given.
///
/// # Errors
/// [`Unknown`] if there is no such step; else that of the first failed step.
pub(crate) fn run(names: &[String]) -> Result<()> {
    if let [only] = names
        && only == "--list"
    {
        println!("{}", list());
        return Ok(());
    }
    let steps = chosen(names)?;
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Missing);
    if names.is_empty() {
        all(&ready)?;
    } else {
        ready.steps.expect(prerequisites(&steps) + steps.len());
        steps.into_iter().try_for_each(|step| step.run(&ready))?;
    }
    println!("==> all steps passed\n{}", ready.steps.summary());
    if let Some(excess) = excess(names, ready.steps.took()) {
        println!("==> {excess}");
    }
    Ok(())
}

/// The number of steps that make ready what these need, each once.
fn prerequisites(steps: &[&Step]) -> usize {
    let mut all = BTreeSet::new();
    let mut open: Vec<Need> = steps.iter().flat_map(|step| step.needs).copied().collect();
    while let Some(need) = open.pop() {
        if all.insert(need) {
            open.extend(need.needs());
        }
    }
    all.into_iter().map(Need::steps).sum()
}

/// What to say if the whole test or the quick one took longer than it may.
fn excess(names: &[String], took: Duration) -> Option<String> {
    if names.is_empty() {
        let minutes = LONG.as_secs() / 60;
        return (took > LONG).then(|| format!("longer than the {minutes} minutes that the whole test may take"));
    }
    let quick_is_long = names == [QUICK_OPTION] && took > QUICK_LONG;
    let seconds = QUICK_LONG.as_secs();
    quick_is_long.then(|| format!("longer than the {seconds} s that the quick test may take where all is compiled"))
}

/// Runs all steps. Their prerequisites are made first; then two sequences of steps run in parallel and find them.
fn all(ready: &Ready) -> Result<()> {
    let (beside_these, here): (Vec<&Step>, Vec<&Step>) =
        const { &STEPS }.iter().partition(|step| BESIDE.contains(&step.name));
    ready.steps.expect(prerequisites(&[&beside_these[..], &here[..]].concat()) + STEPS_OF_ALL + here.len());
    STEPS.iter().flat_map(|step| step.needs).try_for_each(|need| need.make(ready))?;
    ready.steps.step("compiling the tests", || run_program(cargo_test(ready).arg("--no-run")))?;
    let log = ready.workspace.root.join(BESIDE_SAYS);
    println!("==> beside the steps from here on: {}; {BESIDE_SAYS} has what they say", BESIDE.join(", "));
    let (says, said) = std::io::pipe()?;
    let mut beside = Command::new(std::env::current_exe()?)
        .current_dir(&ready.workspace.root)
        .arg("test")
        .args(BESIDE)
        .stdout(said.try_clone()?)
        .stderr(said)
        .spawn()?;
    let file = fs::File::create(&log)?;
    let followed = thread::spawn(move || follow(BufReader::new(says), file));
    let here = here.into_iter().try_for_each(|step| step.run(ready));
    // Always waited for, so that no step is left running; its failure is reported, too.
    let ended = ready.steps.step("waiting for the steps beside these", || Ok(beside.wait()?))?;
    followed.join().ok().context("nothing follows the steps beside these")??;
    println!("{}", fs::read_to_string(&log)?);
    here?;
    ensure!(ended.success(), "one of {} failed ({ended}); what it says is above", BESIDE.join(", "));
    Ok(())
}

/// Logs the output of steps, and shows their announcements.
fn follow(says: impl BufRead, mut log: impl Write) -> std::io::Result<()> {
    for line in says.split(b'\n') {
        let line = line?;
        log.write_all(&[&line, &b"\n"[..]].concat())?;
        let line = String::from_utf8_lossy(&line);
        if let Some(step) = line.strip_prefix(ANNOUNCED) {
            println!("==> beside: {step}");
        }
    }
    Ok(())
}

/// One step, with its prerequisites.
///
/// # Errors
/// As [`run`].
pub(super) fn run_one(ready: &Ready, name: &str) -> Result<()> {
    named(name)?.run(ready)
}

impl Step {
    fn run(&self, ready: &Ready) -> Result<()> {
        self.needs.iter().try_for_each(|need| need.make(ready))?;
        ready.steps.step(self.title, || (self.run)(ready))
    }
}

/// The steps with these names; without a name, all; for `--quick`, the quick ones.
fn chosen(names: &[String]) -> Result<Vec<&'static Step>> {
    if names.is_empty() {
        return Ok(const { &STEPS }.iter().collect());
    }
    if let [only] = names
        && only == QUICK_OPTION
    {
        let with = QUICK.into_iter().map(named).collect::<Result<Vec<_>>>()?;
        return Ok([vec![const { &QUICK_TESTS }], with].concat());
    }
    names.iter().map(|name| named(name)).collect()
}

fn named(name: &str) -> Result<&'static Step> {
    let Some(step) = const { &STEPS }.iter().find(|step| step.name == name) else {
        let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        bail!(Unknown { kind: "step", given: name.to_owned(), known: known.join(", ") });
    };
    Ok(step)
}

/// A line for each step: name, title, prerequisites.
fn list() -> String {
    let line = |step: &Step| {
        let needs: Vec<String> = step.needs.iter().map(|need| format!("{need:?}").to_lowercase()).collect();
        let needs = if needs.is_empty() { "nothing".to_owned() } else { needs.join(", ") };
        format!("{:<10} {:<40} needs {needs}", step.name, step.title)
    };
    STEPS.iter().map(line).collect::<Vec<String>>().join("\n")
}

fn tests(ready: &Ready) -> Result<()> {
    run_program(&mut cargo_test(ready))
}

fn cargo_test(ready: &Ready) -> Command {
    let mut cargo = ready.workspace.cargo();
    cargo.args(["test", "--workspace", "--profile", PROFILE]).env(BOTS, ready.workspace.bots());
    cargo
}

/// The whole workspace, so that dependencies have the features with which they were built.
fn quick_tests(ready: &Ready) -> Result<()> {
    let mut cargo = ready.workspace.cargo();
    cargo.args(["test", "--workspace", "--profile", PROFILE, "--tests", "--"]).env_remove(BOTS);
    cargo.args(NOT_QUICK.iter().flat_map(|module| ["--skip", *module]));
    run_program(&mut cargo)
}

fn format(ready: &Ready) -> Result<()> {
    run_program(ready.workspace.cargo().args(["fmt", "--all", "--check"]))
}

fn lint(ready: &Ready) -> Result<()> {
    let mut cargo = ready.workspace.cargo();
    cargo.args(["clippy", "--workspace", "--all-targets", "--profile", PROFILE, "--", "-D", "warnings"]);
    run_program(&mut cargo)
}

/// Licences, bans and sources; advisories are left out, because they change without us and need the network.
fn deny(ready: &Ready) -> Result<()> {
    let Some(deny) = find_on_path("cargo-deny") else {
        println!("    skipped: there is no cargo-deny (`cargo install --locked cargo-deny` brings it)");
        return Ok(());
    };
    let mut deny = Command::new(deny);
    deny.current_dir(&ready.workspace.root);
    run_program(deny.args(["--offline", "--locked", "--all-features", "check", "licenses", "bans", "sources"]))
}

/// The wrapper compiles only the workspace's crates with the game for tests.
fn new_game(ready: &Ready) -> Result<()> {
    let mut cargo = ready.workspace.cargo();
    cargo.env("RUSTC_WORKSPACE_WRAPPER", ready.workspace.root.join("xtask/with-tiny-game.sh"));
    // The whole workspace, so that dependencies have the features with which they were built.
    run_program(cargo.args(["test", "--workspace", "--profile", PROFILE, "--test", "abi", "--test", "tiny_game"]))
}

fn pure(ready: &Ready) -> Result<()> {
    let packages = PURE.iter().flat_map(|name| ["--package", *name]);
    run_program(guests::cargo_build(ready.workspace, ready.toolchain()?)?.arg("--lib").args(packages))
}

fn modules(ready: &Ready) -> Result<()> {
    web::test_modules(ready.workspace)
}

fn layers(ready: &Ready) -> Result<()> {
    let probes = guests::build_probes(ready.workspace, ready.arena()?, ready.bots()?)?;
    web::test_layers(ready.workspace, &probes)
}

fn bots(ready: &Ready) -> Result<()> {
    trial::check_bots(ready.workspace, ready.arena()?)
}

fn start(ready: &Ready) -> Result<()> {
    trial::start_bots(&newcomer(ready)?)
}

fn read_guide(ready: &Ready) -> Result<()> {
    let newcomer = newcomer(ready)?;
    guide::read_the_table(&newcomer)?;
    guide::read_all(&newcomer)
}

fn packages(ready: &Ready) -> Result<()> {
    install::install_packages(ready.workspace, ready.arena()?, ready.toolchain()?)
}

fn browser(ready: &Ready) -> Result<()> {
    ready.browser()?.test_folder("browser")
}

fn kill(ready: &Ready) -> Result<()> {
    ready.browser()?.test_file("kill.test.mjs")
}

/// A newcomer with the binary for tests.
pub(super) fn newcomer<'a>(ready: &'a Ready) -> Result<Newcomer<'a>> {
    Ok(Newcomer {
        workspace: ready.workspace,
        arena: ready.arena()?,
        toolchain: ready.toolchain()?,
        compilers: ready.bots()?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_step_is_found_by_its_name_and_all_without_one() -> Result<()> {
        let names = |steps: Vec<&Step>| steps.iter().map(|step| step.name).collect::<Vec<&str>>();
        assert_eq!(names(chosen(&["kill".into(), "format".into()])?), ["kill", "format"]);
        assert_eq!(chosen(&[])?.len(), STEPS.len());
        assert_eq!(names(chosen(&["--quick".into()])?), ["quick", "format", "lint", "deny"]);
        for (index, step) in STEPS.iter().enumerate() {
            assert!(STEPS[..index].iter().all(|other| other.name != step.name), "{} is there twice", step.name);
            assert!(list().contains(step.title), "{}", step.title);
        }
        Ok(())
    }

    #[test]
    fn prerequisites_are_counted_once_with_what_they_need() -> Result<()> {
        let count = |name: &str| Ok::<usize, anyhow::Error>(prerequisites(&[named(name)?]));
        // In this order: the toolchain, compilers and bots, the engine, the arena, the browser.
        assert_eq!([count("format")?, count("pure")?, count("modules")?, count("browser")?], [0, 1, 2, 6]);
        // And the proxy.
        assert_eq!(prerequisites(&chosen(&[])?), 7);
        Ok(())
    }

    #[test]
    fn a_test_that_takes_longer_than_it_may_says_so() {
        let quick = [QUICK_OPTION.to_owned()];
        assert_eq!(excess(&quick, QUICK_LONG), None);
        let said = excess(&quick, QUICK_LONG + Duration::from_secs(1)).unwrap_or_default();
        assert!(said.contains("60 s"), "{said}");
        assert_eq!(excess(&[], LONG), None);
        assert!(excess(&[], LONG + Duration::from_secs(1)).is_some());
        assert_eq!(excess(&["kill".to_owned()], LONG * 2), None);
    }

    #[test]
    fn steps_beside_the_others_are_steps() {
        for name in BESIDE {
            assert!(named(name).is_ok(), "no step is called {name}");
        }
    }

    #[test]
    fn an_unknown_step_is_answered_with_those_there_are() {
        let unknown = run(&["fmt".to_owned()]).err().and_then(|error| error.downcast::<Unknown>().ok());
        let said = unknown.map(|unknown| unknown.to_string()).unwrap_or_default();
        assert!(said.starts_with("no step `fmt`; there are: tests, format, lint, "), "{said}");
    }
}
