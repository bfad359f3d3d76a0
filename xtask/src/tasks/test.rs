//! `cargo xtask test`: the list of the gate's steps. Each can be run alone by its name.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail, ensure};

use super::ready::{PROFILE, Ready};
use super::repeat;
use crate::bots::newcomer::Newcomer;
use crate::bots::{guests, trial};
use crate::cost::Cost;
use crate::guide::{self, Chapters};
use crate::nextest::{Database, Tests};
use crate::packages::install;
use crate::process::{find_on_path, run as run_program};
use crate::unknown::Unknown;
use crate::web;

/// Steps that are also commands.
pub(crate) const GUIDE: &str = "guide";
const PACKAGES: &str = "packages";
pub(super) const NEWCOMER: &str = "newcomer";

/// A step that `dist` also uses.
pub(super) const INSTALLING: &str = "installing the packages";

/// The crates that must build without an operating system.
const PURE: [&str; 10] = [
    "arena-rules",
    "arena-wire",
    "arena-record",
    "arena-referee",
    "arena-tournaments",
    "arena-baselines",
    "arena-meter",
    "arena-check",
    "arena-ledger",
    "arena-sdk",
];

/// The test programs that take a new game through the arena, for cargo-nextest.
const NEW_GAME: [&str; 4] = ["--test", "abi", "--test", "tiny_game"];

struct Step {
    /// Its name in `cargo xtask test NAME`.
    name: &'static str,
    /// Its announcement.
    title: &'static str,
    /// When it runs without being named.
    when: When,
    /// What is made ready first.
    needs: &'static [Need],
    run: fn(&Ready) -> Result<()>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum When {
    /// In the whole test.
    Gate,
    /// In the quick one, too.
    Quick,
    /// Only in the quick one: a part of another step.
    QuickAlone,
    /// In `cargo xtask night` alone.
    Night,
}

/// A prerequisite of a step. Indirect ones are made ready, too.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Need {
    Toolchain,
    Engine,
    Bundle,
    Bots,
    Arena,
    Proxy,
    Tests,
    Browser,
}

/// In the order of execution: what fails soonest comes first.
#[rustfmt::skip]
const STEPS: [Step; 19] = [
    Step { name: "format", title: "checking the formatting", when: When::Quick, needs: &[Need::Bundle], run: format },
    Step { name: "deny", title: "checking the dependencies", when: When::Quick, needs: &[], run: deny },
    Step { name: "quick", title: "running the quick tests", when: When::QuickAlone, needs: &[Need::Tests], run: quick_tests },
    Step { name: "tests", title: "running the tests", when: When::Gate, needs: &[Need::Bots, Need::Engine, Need::Proxy, Need::Tests], run: tests },
    Step { name: "examples", title: "running the examples in the documentation", when: When::Gate, needs: &[Need::Tests], run: examples },
    Step { name: "new-game", title: "taking a new game through the arena", when: When::Night, needs: &[], run: new_game },
    Step { name: COMPILED, title: "checking the pure crates for wasm32, and the arena without its site", when: When::Gate, needs: &[Need::Toolchain, Need::Arena], run: compile },
    Step { name: "modules", title: "testing the pages' modules", when: When::Gate, needs: &[Need::Engine, Need::Bundle], run: modules },
    Step { name: "layers", title: "testing the layers for other languages", when: When::Gate, needs: &[Need::Bots, Need::Arena], run: layers },
    Step { name: "bots", title: "checking every bot", when: When::Gate, needs: &[Need::Bots, Need::Arena], run: bots },
    Step { name: "chapters", title: "reading the guide's shorter chapters", when: When::Gate, needs: &[Need::Bots, Need::Arena], run: read_chapters },
    Step { name: "browser", title: "testing in a browser", when: When::Gate, needs: &[Need::Bots, Need::Browser], run: browser },
    Step { name: "kill", title: "killing the server", when: When::Gate, needs: &[Need::Bots, Need::Browser], run: kill },
    Step { name: REAL, title: "running the tests of processes, sockets and clocks", when: When::Night, needs: &[Need::Bots, Need::Engine, Need::Proxy, Need::Tests], run: real_tests },
    Step { name: "night-tests", title: "running the tests for the night", when: When::Night, needs: &[Need::Bots, Need::Engine, Need::Proxy, Need::Tests], run: night_tests },
    Step { name: "night-browser", title: "testing every page in a browser", when: When::Night, needs: &[Need::Bots, Need::Browser], run: night_browser },
    Step { name: GUIDE, title: "reading the guide", when: When::Night, needs: &[Need::Bots, Need::Arena], run: read_guide },
    Step { name: NEWCOMER, title: "playing the scripts, and starting a bot in every language", when: When::Night, needs: &[Need::Bots, Need::Arena], run: start },
    Step { name: PACKAGES, title: INSTALLING, when: When::Night, needs: &[Need::Toolchain, Need::Arena], run: packages },
];

/// The step that compiles and runs nothing, so that its cost counts as that of compiling.
const COMPILED: &str = "pure";

/// The tests that start processes, open sockets or name the system's clock: what takes turns, and `tests/it` of the
/// crates that do such things, but for simulations and a store in a file. Tests in `src` call functions: of these only
/// the few that wait.
const REAL: &str = "real";
const REAL_TESTS: &str = "test(/(^|::)heavy::/) + package(arena-clock) + test(/(archives|live|ticker)::tests::/) \
                          + (package(arena-runner) & test(/^slow::(deaths|threats)::/)) \
                          + (kind(test) & (package(arena) + package(arena-server) + package(arena-service) \
                                           + package(arena-store) + package(arena-worker))) \
                          - (test(/^slow::fleet::/) - test(/_in_a_database$/)) - test(/^slow::sqlite::suite::/)";

/// The tests for the night that no other of its steps runs, with a seed or a release.
const NIGHT_TESTS: &str = "test(/(^|::)night::/) - test(/::(costly|floods|kill|kill_games|load|soak|worlds)::/) \
                           - test(/machines::(whatever_dies_the|two_builds)/)";

/// The steps that `--repeat` repeats without being asked for others.
const REAL_STEPS: [&str; 3] = [REAL, "browser", "kill"];

/// The option for the quick test.
const QUICK_OPTION: &str = "--quick";

/// The option for several runs.
const REPEAT_OPTION: &str = "--repeat";

/// The expected cost on two idle cores, without compiling and installing, which depend on what was built before. A busy
/// machine takes longer, so exceeding it is reported, not a failure.
const EXPECTED: Cost = Cost { wall: Duration::from_mins(15), processor: Duration::from_mins(28) };

/// The expected time of the quick test, where everything is compiled. It is reported, too.
const QUICK_LONG: Duration = Duration::from_mins(1);

impl Need {
    /// What [`Ready`] makes before it.
    fn needs(self) -> &'static [Need] {
        match self {
            Need::Toolchain | Need::Bundle | Need::Proxy => &[],
            Need::Engine | Need::Bots => &[Need::Toolchain],
            Need::Arena => &[Need::Engine, Need::Bundle],
            Need::Tests => &[Need::Bundle],
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
            Need::Bundle => ready.bundle(),
            Need::Bots => ready.bots().map(drop),
            Need::Arena => ready.arena().map(drop),
            Need::Proxy => ready.proxy(),
            Need::Tests => ready.tests().map(drop),
            Need::Browser => ready.browser().map(drop),
        }
    }
}

/// `cargo xtask test`: all steps of the gate, the quick ones, or the named ones, in the order given; or these several
/// times.
///
/// # Errors
/// [`Unknown`] if there is no such step; else that of the first failed step.
pub(crate) fn run(ready: &Ready, arguments: &[String]) -> Result<()> {
    if arguments == ["--list"] {
        println!("{}", list());
        return Ok(());
    }
    if let [option, times, names @ ..] = arguments
        && option == REPEAT_OPTION
    {
        let steps = if names.is_empty() { REAL_STEPS.map(named).into_iter().collect() } else { chosen(names) }?;
        return repeat::run(ready.workspace, times, &steps.iter().map(|step| step.name).collect::<Vec<_>>());
    }
    let steps = chosen(arguments)?;
    ready.steps.expect(prerequisites(&steps) + steps.len());
    let ended = steps.into_iter().try_for_each(|step| step.run(ready));
    println!("==> {}\n{}", if ended.is_ok() { "all steps passed" } else { "a step failed" }, ready.steps.summary());
    if let Some(excess) = excess(arguments, ready.steps.work()) {
        println!("==> {excess}");
    }
    ended
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

/// What to say if the whole test or the quick one took more than is expected.
fn excess(names: &[String], cost: Cost) -> Option<String> {
    let Cost { wall, processor } = EXPECTED;
    if names.is_empty() && (cost.wall > wall || cost.processor > processor) {
        let [wall, processor] = [wall, processor].map(|time| time.as_secs() / 60);
        return Some(format!("more than the {wall} minutes, and {processor} of processor time, that are expected"));
    }
    let quick_is_long = names == [QUICK_OPTION] && cost.wall > QUICK_LONG;
    let seconds = QUICK_LONG.as_secs();
    quick_is_long.then(|| format!("longer than the {seconds} s that are expected where all is compiled"))
}

/// One step, with its prerequisites.
///
/// # Errors
/// As [`run`].
pub(crate) fn run_one(ready: &Ready, name: &str) -> Result<()> {
    named(name)?.run(ready)
}

impl Step {
    fn run(&self, ready: &Ready) -> Result<()> {
        self.needs.iter().try_for_each(|need| need.make(ready))?;
        let work = || (self.run)(ready);
        if self.name == COMPILED { ready.steps.build(self.title, work) } else { ready.steps.step(self.title, work) }
    }
}

/// The steps with these names; without a name, those of the gate; for `--quick`, the quick ones.
fn chosen(names: &[String]) -> Result<Vec<&'static Step>> {
    let when = |wanted: &[When]| const { &STEPS }.iter().filter(|step| wanted.contains(&step.when)).collect();
    match names {
        [] => Ok(when(&[When::Gate, When::Quick])),
        [only] if only == QUICK_OPTION => Ok(when(&[When::Quick, When::QuickAlone])),
        names => names.iter().map(|name| named(name)).collect(),
    }
}

fn named(name: &str) -> Result<&'static Step> {
    let Some(step) = const { &STEPS }.iter().find(|step| step.name == name) else {
        let known: Vec<&str> = STEPS.iter().map(|step| step.name).collect();
        bail!(Unknown { kind: "step", given: name.to_owned(), known: known.join(", ") });
    };
    Ok(step)
}

/// A line for each step: name, title, when it runs, prerequisites.
fn list() -> String {
    let line = |step: &Step| {
        let needs: Vec<String> = step.needs.iter().map(|need| format!("{need:?}").to_lowercase()).collect();
        let needs = if needs.is_empty() { "nothing".to_owned() } else { needs.join(", ") };
        let when = match step.when {
            When::Gate => "gate",
            When::Quick => "gate, quick",
            When::QuickAlone => "quick",
            When::Night => "night",
        };
        format!("{:<10} {:<42} {when:<12} needs {needs}", step.name, step.title)
    };
    STEPS.iter().map(line).collect::<Vec<String>>().join("\n")
}

fn tests(ready: &Ready) -> Result<()> {
    with_database(ready, &[])
}

fn with_database(ready: &Ready, arguments: &[&str]) -> Result<()> {
    let tests = ready.tests()?;
    let database = Database::start(tests, PROFILE)?;
    tests.run(PROFILE, arguments, &database.env())
}

fn quick_tests(ready: &Ready) -> Result<()> {
    ready.tests()?.run(PROFILE, &["--profile", "quick"], &[])
}

fn real_tests(ready: &Ready) -> Result<()> {
    with_database(ready, &["-E", REAL_TESTS])
}

fn night_tests(ready: &Ready) -> Result<()> {
    ready.tests()?.run_at_length(PROFILE, &["-E", NIGHT_TESTS], &[])
}

fn examples(ready: &Ready) -> Result<()> {
    let workspace = ready.workspace;
    run_program(workspace.lints(&workspace.cargo)?.args(["test", "--doc", "--workspace", "--profile", PROFILE]))
}

fn format(ready: &Ready) -> Result<()> {
    run_program(ready.workspace.cargo().args(["fmt", "--all", "--check"]))?;
    web::check_format(ready.workspace)
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
    let wrapper = ready.workspace.root.join("xtask/with-tiny-game.sh");
    Tests::ready(ready.workspace)?.run(PROFILE, &NEW_GAME, &[("RUSTC_WORKSPACE_WRAPPER", wrapper.into())])
}

fn compile(ready: &Ready) -> Result<()> {
    let packages = PURE.iter().flat_map(|name| ["--package", *name]);
    run_program(guests::cargo_check(ready.workspace, ready.toolchain()?)?.arg("--lib").args(packages))?;
    ready.arena_without_site()?;
    let arena = ready.workspace.target.join("without-site").join(PROFILE).join("arena");
    let asked = Command::new(arena).args(["serve", "--data", "site"]).output()?;
    let said = String::from_utf8_lossy(&asked.stderr);
    ensure!(
        asked.status.code() == Some(2) && said.contains("this build has no site"),
        "asked to serve, it says {said}"
    );
    Ok(())
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
    trial::check_scripts(ready.workspace, ready.arena()?)?;
    trial::start_bots(&newcomer(ready)?)
}

fn read_guide(ready: &Ready) -> Result<()> {
    read(ready, Chapters::All)
}

fn read_chapters(ready: &Ready) -> Result<()> {
    read(ready, Chapters::Short)
}

fn read(ready: &Ready, which: Chapters) -> Result<()> {
    let newcomer = newcomer(ready)?;
    guide::read_the_table(&newcomer)?;
    guide::read(&newcomer, which)
}

fn packages(ready: &Ready) -> Result<()> {
    install::install_packages(ready.workspace, ready.arena()?, ready.toolchain()?)
}

fn browser(ready: &Ready) -> Result<()> {
    ready.browser()?.test_folder("browser")
}

fn night_browser(ready: &Ready) -> Result<()> {
    ready.browser()?.at_length().test_folder("browser")
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
    fn a_step_is_found_by_its_name_and_those_of_the_gate_without_one() -> Result<()> {
        let names = |steps: Vec<&Step>| steps.iter().map(|step| step.name).collect::<Vec<&str>>();
        assert_eq!(names(chosen(&["kill".into(), "format".into()])?), ["kill", "format"]);
        let gate = names(chosen(&[])?);
        assert!(gate.contains(&"tests") && !gate.contains(&"quick") && !gate.contains(&PACKAGES), "{gate:?}");
        assert_eq!(names(chosen(&["--quick".into()])?), ["format", "deny", "quick"]);
        for (index, step) in STEPS.iter().enumerate() {
            assert!(STEPS[..index].iter().all(|other| other.name != step.name), "{} is there twice", step.name);
            assert!(list().contains(step.title), "{}", step.title);
        }
        Ok(())
    }

    #[test]
    fn prerequisites_are_counted_once_with_what_they_need() -> Result<()> {
        let count = |name: &str| Ok::<usize, anyhow::Error>(prerequisites(&[named(name)?]));
        // In this order: the toolchain, compilers and bots, the engine, the bundle, the arena, the browser.
        assert_eq!([count("format")?, count("deny")?, count("modules")?, count("browser")?], [1, 0, 3, 7]);
        // And the proxy and the tests.
        assert_eq!(prerequisites(&chosen(&[])?), 9);
        Ok(())
    }

    #[test]
    fn a_test_that_takes_more_than_is_expected_says_so() {
        let quick = [QUICK_OPTION.to_owned()];
        let wall = |wall: Duration| Cost { wall, processor: Duration::ZERO };
        assert_eq!(excess(&quick, wall(QUICK_LONG)), None);
        let said = excess(&quick, wall(QUICK_LONG + Duration::from_secs(1))).unwrap_or_default();
        assert!(said.contains("60 s"), "{said}");
        assert_eq!(excess(&[], EXPECTED), None);
        let more = Cost { processor: EXPECTED.processor + Duration::from_secs(1), ..EXPECTED };
        assert!(excess(&[], more).is_some());
        assert_eq!(excess(&["kill".to_owned()], more), None);
    }

    #[test]
    fn an_unknown_step_is_answered_with_those_there_are() {
        let unknown = chosen(&["fmt".to_owned()]).err().and_then(|error| error.downcast::<Unknown>().ok());
        let said = unknown.map(|unknown| unknown.to_string()).unwrap_or_default();
        assert!(said.starts_with("no step `fmt`; there are: format, deny, quick, "), "{said}");
    }
}
