//! The commands' actions, each a list of steps.

mod demo;
mod night;
mod pages;
mod ready;
mod repeat;
pub(crate) mod test;

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

pub(crate) use self::demo::demo;
pub(crate) use self::night::night;
pub(crate) use self::pages::{heap, paints, picture, recompute, screenshots};
use self::ready::PROFILE;
pub(crate) use self::ready::Ready;
use crate::bots::{self, guests, interpreters, recording, release};
use crate::files::remove_folder;
use crate::fuzz;
use crate::packages::installed::Site;
use crate::packages::tools::Tools;
use crate::packages::{binary, install, make};
use crate::process::{run, run_and_keep};
use crate::web;
use crate::workspace::{BOTS, Workspace};

/// For so many simulated tournaments of each kind, `coverage` makes a study.
const TOURNAMENTS_A_STUDY: u64 = 250;

/// Words in the benchmarks' output for a figure that misses its bar.
const MISSED: [&str; 2] = ["BELOW", "BEYOND"];

/// Tests that the gate runs, too, with fewer repetitions.
pub(crate) struct AtLength {
    step: &'static str,
    /// Words of their paths.
    tests: &'static str,
    /// The variables from which they read, after `ARENA_`, how often to repeat what, and the seed.
    variables: [&'static str; 2],
    /// How often for so many as the command was asked for.
    scale: fn(u64) -> u64,
}

impl AtLength {
    pub(crate) const fn new(step: &'static str, tests: &'static str, variables: [&'static str; 2]) -> AtLength {
        AtLength { step, tests, variables, scale: |count| count }
    }

    pub(crate) const fn times(self, scale: fn(u64) -> u64) -> AtLength {
        AtLength { scale, ..self }
    }

    /// Runs them, and shows their output.
    pub(crate) fn run(&self, ready: &Ready, count: u64, seed: u64) -> Result<()> {
        ready.engine()?;
        let tests = ready.tests()?;
        let variables = self.variables.map(|name| format!("ARENA_{name}"));
        let values = [(self.scale)(count), seed].map(|value| value.to_string().into());
        let env: Vec<(&str, OsString)> = variables.iter().map(String::as_str).zip(values).collect();
        ready.steps.step(self.step, || tests.run_at_length(PROFILE, &[self.tests], &env))
    }
}

/// `cargo xtask build`: builds what users run, the arena's release binary and the bots.
pub(crate) fn build(ready: &Ready) -> Result<()> {
    ready.engine()?;
    ready.bundle()?;
    let workspace = ready.workspace;
    ready
        .steps
        .step("building the arena", || run(workspace.cargo().args(["build", "--release", "--package", "arena"])))?;
    ready.bots()?;
    println!("    the arena: {}", workspace.shown(&workspace.arena()));
    Ok(())
}

/// `cargo xtask gallery`: releases the named bots; without names, all.
pub(crate) fn gallery(ready: &Ready, names: &[String]) -> Result<()> {
    ready.bots()?;
    ready.steps.step("releasing the gallery", || release::release(ready.workspace, names))
}

/// `cargo xtask interpreters`: builds the interpreters of scripts, and compares them with the released ones.
pub(crate) fn interpreters(ready: &Ready, arguments: &[String]) -> Result<()> {
    let toolchain = ready.toolchain()?;
    let build = || interpreters::interpreters(ready.workspace, toolchain, arguments);
    ready.steps.build("building the interpreters of scripts", build)
}

/// `cargo xtask first-minutes`: what a newcomer sees, as text.
pub(crate) fn first_minutes(ready: &Ready) -> Result<()> {
    recording::record(&test::newcomer(ready)?)
}

/// `cargo xtask dist`: the packages of a release that this machine can make.
pub(crate) fn dist(ready: &Ready) -> Result<()> {
    let workspace = ready.workspace;
    let tools = Tools::ready(workspace);
    tools.are_all_there()?;
    ready.engine()?;
    ready.steps.build("bundling the scripts of pages", || web::bundle(workspace))?;
    let binary = ready.steps.step("building the static binary", || binary::build(workspace))?;
    let out = workspace.target.join("packages");
    ready.steps.step("making the packages", || make::all(workspace, &binary, &tools, &out))?;
    let scratch = workspace.target.join("installed");
    ready.steps.step(test::INSTALLING, || {
        remove_folder(&scratch)?;
        install::install_binaries(&tools, &out, &scratch)
    })?;
    println!("    the binary: {}", workspace.shown(&binary));
    println!("    the packages: {}", workspace.shown(&out));
    Ok(())
}

/// `cargo xtask bench`: arguments go to the benchmark.
pub(crate) fn bench(ready: &Ready, arguments: &[String]) -> Result<()> {
    let workspace = ready.workspace;
    ready.bots()?;
    ready.engine()?;
    let toolchain = ready.toolchain()?;
    let build = |example: &str| guests::build_example(workspace, toolchain, "arena-sdk", example);
    let lookahead = ready.steps.step("building the guest that looks ahead", || build("lookahead"))?;
    ready.steps.step("building a script's bot in Rust", || build("thinker"))?;
    // A missed bar does not stop the other sections.
    let mut missed: Vec<String> = Vec::new();
    let mut measure = |section: &str, command: &mut Command| {
        ready.steps.step(section, || {
            let (beyond, ended) = run_and_keep(command, |line| MISSED.iter().any(|mark| line.contains(mark)))?;
            missed.extend(ended.err().filter(|_| beyond.is_empty()).map(|error| format!("{error:#}")));
            missed.extend(beyond.iter().map(|line| line.trim().to_owned()));
            Ok(())
        })
    };
    measure(
        "running the benchmarks",
        workspace
            .cargo()
            .args("bench --package arena-oracle --bench figures --".split(' '))
            .args(arguments)
            .env("ARENA_LOOKAHEAD_WASM", &lookahead)
            .env(BOTS, workspace.bots()),
    )?;
    measure(
        "measuring what turns, verdicts and pages cost",
        workspace.cargo().args("bench --package arena --bench costs".split(' ')).env(BOTS, workspace.bots()),
    )?;
    let memory = ["arena/cli/benches/memory.py", "--arena"];
    measure(
        "measuring the memory of a tournament",
        Command::new("python3").current_dir(&workspace.root).args(memory).arg(workspace.arena()),
    )?;
    ensure!(missed.is_empty(), "{} bars are missed:\n{}", missed.len(), missed.join("\n"));
    Ok(())
}

/// `cargo xtask costs`: the test that the gate runs with fewer requests, then what a site's answers cost as multiples
/// of the least.
pub(crate) fn costs(ready: &Ready, requests: u64, seed: u64) -> Result<()> {
    let test = "slow::layers::costs::no_request_takes_more";
    let search = AtLength::new("searching for the costliest requests", test, ["COST_REQUESTS", "COST_SEED"]);
    search.run(ready, requests, seed)?;
    ready.bots()?;
    measure(ready, "measuring what answers cost", "requests")
}

/// A part of the arena's benchmark, with the release binary, since its figures are reported.
pub(crate) fn measure(ready: &Ready, step: &str, part: &str) -> Result<()> {
    ready.engine()?;
    let mut bench = ready.workspace.cargo();
    bench.args("bench --package arena --bench costs --".split(' ')).arg(part).env(BOTS, ready.workspace.bots());
    ready.steps.step(step, || run(&mut bench))
}

/// `cargo xtask releases`: what other commands run in a release build, compiled before them.
pub(crate) fn releases(ready: &Ready) -> Result<()> {
    const BUILDS: [&str; 4] = [
        "test --release --package arena --test it --no-run",
        "test --release --package arena-sandbox --test it --no-run",
        "bench --package arena --bench costs --no-run",
        "bench --package arena-sandbox --bench prices --no-run",
    ];
    // What others of the night make, too: the server would be compiled again for it.
    ready.engine()?;
    ready.bundle()?;
    ready.steps.step("compiling releases", || {
        BUILDS.into_iter().try_for_each(|build| run(ready.workspace.cargo().args(build.split(' '))))
    })
}

/// `cargo xtask prices`: arguments go to the benchmark. Needs no guests, because it makes its own.
pub(crate) fn prices(ready: &Ready, arguments: &[String]) -> Result<()> {
    ready.steps.step("measuring what fuel buys", || {
        let bench = "bench --package arena-sandbox --bench prices --".split(' ');
        run(ready.workspace.cargo().args(bench).args(arguments))
    })
}

/// Tests in a release build, one after the other, with their output: their figures are reported, or bounds hold for a
/// release alone.
fn in_release<V: ToString>(ready: &Ready, step: &str, package: &str, tests: &str, env: &[(&str, V)]) -> Result<()> {
    ready.steps.step(step, || {
        let mut cargo = ready.workspace.cargo();
        cargo.args(["test", "--release", "--package", package, "--test", "it", tests]);
        cargo.args("-- --nocapture --test-threads 1".split(' '));
        run(cargo.envs(env.iter().map(|(name, value)| (name, value.to_string()))))
    })
}

/// `cargo xtask meter`: the tests of the night at length, with bots of all languages.
pub(crate) fn meter(ready: &Ready, [modules, games, points, seed]: [u64; 4]) -> Result<()> {
    let folder = ready.workspace.target.join("meter");
    let newcomer = test::newcomer(ready)?;
    ready.steps.step("building bots in all languages", || bots::modules::modules(&newcomer, &folder))?;
    let env = [
        ("ARENA_METER_MODULES", modules.to_string()),
        ("ARENA_METER_GAMES", games.to_string()),
        ("ARENA_METER_POINTS", points.to_string()),
        ("ARENA_METER_BOTS", folder.display().to_string()),
        ("ARENA_NIGHT_SEED", seed.to_string()),
    ];
    in_release(ready, "comparing the meters and the engines", "arena-sandbox", "night::metered::", &env)
}

/// `cargo xtask compiling`: the search that other builds only sample.
pub(crate) fn compiling(ready: &Ready, shapes: u64, seed: u64) -> Result<()> {
    let step = "searching for the module that takes longest to compile";
    let how_often = [("ARENA_SHAPES", shapes), ("ARENA_SHAPE_SEED", seed)];
    in_release(ready, step, "arena-sandbox", "night::costly::", &how_often)
}

/// `cargo xtask floods`: with the heaviest modules.
pub(crate) fn floods(ready: &Ready) -> Result<()> {
    ready.engine()?;
    in_release(ready, "flooding a site", "arena", "night::floods::", &[("ARENA_FLOOD_FUNCTIONS", 80)])
}

/// `cargo xtask soak`: the test that the gate runs for seconds.
pub(crate) fn soak(ready: &Ready, seconds: u64, seed: u64) -> Result<()> {
    ready.engine()?;
    let how_long = [("ARENA_SOAK_SECONDS", seconds), ("ARENA_SOAK_SEED", seed)];
    in_release(ready, "building the arena and soaking a site", "arena", "night::soak::", &how_long)
}

/// `cargo xtask load`: the test that the gate runs faster and with fewer rooms.
pub(crate) fn load(ready: &Ready, rooms: u64) -> Result<()> {
    ready.engine()?;
    let env = [("ARENA_ROOMS", rooms), ("ARENA_PLY_MS", 1_000), ("ARENA_WATCHERS", 500), ("ARENA_AT_REST", 1)];
    in_release(ready, "building the arena and its clients, and loading a server", "arena", "night::load::", &env)
}

/// Modules of the pages that the gate tests with fewer schedules.
const ON_BAD_LINES: [(&str, &str); 3] = [
    ("two transports on bad networks", "schedules"),
    ("stored pages on bad lines", "stored-pages"),
    ("notices at the board", "notices"),
];

/// `cargo xtask schedules`: the tests that the gate runs with fewer schedules, of the pages' transports with a
/// simulated room, of what pages store and say, of the room alone and, with a twentieth of the schedules, of a real
/// server.
pub(crate) fn schedules(ready: &Ready, schedules: u64, seed: u64) -> Result<()> {
    let how_often = [("SCHEDULES", schedules), ("SCHEDULE_SEED", seed)];
    for (step, module) in ON_BAD_LINES {
        let file = format!("web/tests/unit/{module}.test.mjs");
        ready.steps.step(step, || web::repeat_module(ready.workspace, &file, how_often))?;
    }
    let room = "people::whatever_the_network_does";
    AtLength::new("a room on bad networks", room, ["SCHEDULES", "SCHEDULE_SEED"]).run(ready, schedules, seed)?;
    let server = "slow::api::rooms::schedules::whatever_two_networks_do";
    let server = AtLength::new("a server on bad networks", server, ["SERVER_SCHEDULES", "SCHEDULE_SEED"]);
    server.run(ready, schedules.div_ceil(20), seed)
}

/// `cargo xtask rolling`: the test that the gate runs with one build in both parts.
pub(crate) fn rolling(ready: &Ready) -> Result<()> {
    let workspace = ready.workspace;
    ready.engine()?;
    let target = workspace.target.join("later");
    ready.steps.step("building the arena with one migration more", || {
        let mut cargo = workspace.cargo();
        cargo.env("RUSTC_WORKSPACE_WRAPPER", workspace.root.join("xtask/as-later-build.sh"));
        run(cargo.args(["build", "--package", "arena", "--profile", PROFILE, "--target-dir"]).arg(&target))
    })?;
    let later = target.join(PROFILE).join(format!("arena{}", std::env::consts::EXE_SUFFIX));
    ready.steps.step("two builds, one migration apart", || {
        ready.tests()?.run_at_length(PROFILE, &["night::machines::two_builds"], &[("ARENA_LATER", later.into())])
    })
}

/// `cargo xtask long-world`: the test that the gate runs for two minutes of world time. It draws nothing.
pub(crate) fn long_world(ready: &Ready, generations: u64) -> Result<()> {
    let test = "slow::world_bots::a_world_full_of_bots";
    AtLength::new("a world full of bots", test, ["GENERATIONS", "GENERATION_SEED"]).run(ready, generations, 1)
}

/// What `coverage` repeats: intervals and errors; then, of drawn tournaments, equal bytes under several names, printed
/// tie-breaks, byes and entrants who leave, and anchors.
const COVERED: [&str; 6] = [
    "as_often_as_they_say",
    "as_rare_as_promised",
    "games_repeated_under_other_names_change_no_rating",
    "the_printed_values_are_those_that_rank",
    "entrants_come_and_leave_and_the_printed_numbers",
    "an_anchor_moves_all_ratings",
];

/// `cargo xtask coverage`: the tests that the gate runs with fewer tournaments, matches and studies.
pub(crate) fn coverage(ready: &Ready, tournaments: u64, seed: u64) -> Result<()> {
    ready.steps.step("simulating tournaments and matches", || {
        run(simulations(ready.workspace, tournaments, seed).args(COVERED))
    })?;
    studies(ready, tournaments / TOURNAMENTS_A_STUDY, seed)
}

/// `cargo xtask studies`: the test that the gate runs with fewer studies.
pub(crate) fn studies(ready: &Ready, studies: u64, seed: u64) -> Result<()> {
    ready.steps.step("making studies with other seeds", || {
        let test = ["--lib", "--package", "arena-studies", "--", "--nocapture", "as_rarely_as_promised"];
        let how_often = [("ARENA_STUDIES", studies.to_string()), ("ARENA_STUDY_SEED", seed.to_string())];
        run(ready.workspace.cargo().args(["test", "--profile", PROFILE]).args(test).envs(how_often))
    })
}

/// `cargo xtask farming`: prints the table; a test compares it with the page that contains it.
pub(crate) fn farming(ready: &Ready) -> Result<()> {
    let example = ["--package", "arena-people", "--example", "farming"];
    run(ready.workspace.cargo().args(["run", "--quiet", "--profile", PROFILE]).args(example))
}

/// A folder for Python of its own in the target folder, with the packages of PyPI that a file names: where their
/// programs are.
fn python(workspace: &Workspace, name: &str, requirements: &str) -> Result<PathBuf> {
    let python = workspace.target.join(name);
    run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    let wanted = workspace.root.join(requirements);
    run(Command::new(python.join("bin/pip")).args(["install", "--quiet", "--requirement"]).arg(wanted))?;
    Ok(python.join("bin"))
}

/// `cargo xtask pairings`.
pub(crate) fn pairings(ready: &Ready, tournaments: u64, seed: u64) -> Result<()> {
    let (workspace, steps) = (ready.workspace, &ready.steps);
    let rounds = workspace.target.join("pairings.jsonl");
    let programs = steps.step("making the other programs ready", || {
        python(workspace, "pairings", "tournaments/tests/requirements.txt")
    })?;
    steps.step("playing Swiss tournaments", || {
        run(simulations(workspace, tournaments, seed).arg("the_best_matching").env("ARENA_PAIRINGS", &rounds))
    })?;
    steps.step("comparing their rounds", || {
        let script = workspace.root.join("tournaments/tests/pairings.py");
        run(Command::new(programs.join("python")).arg(script).arg(&rounds))
    })
}

/// Simulating tests of the tournaments' crate, with this many repetitions: only this crate is compiled, with the
/// optimiser, which is ten times as fast.
fn simulations(workspace: &Workspace, tournaments: u64, seed: u64) -> Command {
    let optimised = format!("profile.{PROFILE}.package.arena-tournaments.opt-level=2");
    let mut command = workspace.cargo();
    command
        .args(["test", "--profile", PROFILE, "--config", &optimised])
        .args(["--lib", "--package", "arena-tournaments", "--", "--nocapture"])
        .env("ARENA_TOURNAMENTS", tournaments.to_string())
        .env("ARENA_TOURNAMENT_SEED", seed.to_string());
    command
}

/// `cargo xtask fuzz`: the test that the gate runs with fewer uploads.
pub(crate) fn fuzz(ready: &Ready, uploads: u64, seed: u64) -> Result<()> {
    ready.bots()?;
    let test = "slow::uploads::uploads_are_bots_or_refused";
    AtLength::new("answering uploads", test, ["UPLOADS", "UPLOAD_SEED"]).run(ready, uploads, seed)
}

/// `cargo xtask fuzz-smoke`.
pub(crate) fn fuzz_smoke(ready: &Ready, seconds: u64, seed: u64) -> Result<()> {
    ready.bots()?;
    fuzz::smoke(ready.workspace, &ready.steps, seconds, seed)?;
    println!("==> nothing found\n{}", ready.steps.summary());
    Ok(())
}

/// `cargo xtask schemathesis`: its folder defines the users and the expected results; arguments go to it.
pub(crate) fn schemathesis(ready: &Ready, arguments: &[String]) -> Result<()> {
    const FOLDER: &str = "arena/server/schemathesis";
    let workspace = ready.workspace;
    let programs = ready.steps.step("making schemathesis ready", || {
        python(workspace, "schemathesis-python", &format!("{FOLDER}/requirements.txt"))
    })?;
    let arena = ready.arena()?;
    let data = workspace.target.join("schemathesis");
    remove_folder(&data)?;
    fs_err::create_dir_all(&data)?;
    let operator = "the-token-of-the-operator-of-this-site";
    fs_err::write(data.join("token"), operator)?;
    // The site has a world, so that its addresses are tested, too.
    let flags = ["--trusted-proxy", "127.0.0.0/8", "--operator-token-file", "token", "--world", "meadow"];
    let site = Site::start(arena, &data, &flags)?;
    let url = format!("http://{}", site.address());
    let asked = ready.steps.step("asking everything", || {
        let folder = workspace.root.join(FOLDER);
        let mut command = Command::new(programs.join("schemathesis"));
        command.arg("--config-file").arg(folder.join("schemathesis.toml")).arg("run");
        command.arg(folder.join("../openapi.json")).args(["--url", &url]).args(arguments);
        // It leaves its findings in its current folder.
        command.current_dir(&data).env("PYTHONPATH", &folder).env("PYTHONDONTWRITEBYTECODE", "1");
        let known = [("SCHEMATHESIS_HOOKS", "hooks"), ("ARENA_URL", url.as_str()), ("ARENA_OPERATOR", operator)];
        run(command.envs(known))
    });
    site.stop()?;
    asked
}
