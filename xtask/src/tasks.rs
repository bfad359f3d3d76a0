//! The commands' actions, each a list of steps.

mod demo;
mod night;
mod ready;
mod repeat;
pub(crate) mod test;

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, ensure};

pub(crate) use self::demo::demo;
pub(crate) use self::night::night;
use self::ready::{PROFILE, Ready};
use crate::bots::languages::Fetch;
use crate::bots::{guests, recording, release};
use crate::files::remove_folder;
use crate::fuzz;
use crate::packages::installed::Site;
use crate::packages::tools::Tools;
use crate::packages::{binary, install, make};
use crate::process::{run, run_and_keep};
use crate::steps::Steps;
use crate::wasm;
use crate::web::{self, Scripts};
use crate::workspace::{BOTS, Workspace};

/// For so many simulated tournaments of each kind, `coverage` makes a study.
const TOURNAMENTS_A_STUDY: u64 = 250;

/// Words in the benchmarks' output for a figure that misses its bar.
const MISSED: [&str; 2] = ["BELOW", "BEYOND"];

/// `cargo xtask setup`.
pub(crate) fn setup() -> Result<()> {
    let workspace = Workspace::here()?;
    println!("{}", Ready::new(&workspace, Fetch::Nothing).toolchain()?);
    Ok(())
}

/// `cargo xtask bots`.
pub(crate) fn bots() -> Result<()> {
    Ready::new(&Workspace::here()?, Fetch::Missing).bots().map(drop)
}

/// `cargo xtask engine`.
pub(crate) fn engine() -> Result<()> {
    Ready::new(&Workspace::here()?, Fetch::Nothing).engine()
}

/// `cargo xtask bundle`.
pub(crate) fn bundle() -> Result<()> {
    web::bundle(&Workspace::here()?)
}

/// `cargo xtask build`.
pub(crate) fn build() -> Result<()> {
    build_all(&Ready::new(&Workspace::here()?, Fetch::Missing))
}

/// `cargo xtask gallery`: releases the named bots; without names, all.
pub(crate) fn gallery(names: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Missing);
    ready.bots()?;
    ready.steps.step("releasing the gallery", || release::release(&workspace, names))
}

/// `cargo xtask guide`: a step of CI.
pub(crate) fn guide() -> Result<()> {
    test::run_one(&Ready::new(&Workspace::here()?, Fetch::Missing), test::GUIDE)
}

/// `cargo xtask first-minutes`: what a newcomer sees, as text.
pub(crate) fn first_minutes() -> Result<()> {
    recording::record(&test::newcomer(&Ready::new(&Workspace::here()?, Fetch::Missing))?)
}

/// `cargo xtask installing`: a step of CI.
pub(crate) fn installing() -> Result<()> {
    test::run_one(&Ready::new(&Workspace::here()?, Fetch::Missing), test::PACKAGES)
}

/// `cargo xtask dist`: the packages of a release that this machine can make.
pub(crate) fn dist() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let tools = Tools::ready(&workspace);
    tools.are_all_there()?;
    ready.engine()?;
    ready.steps.build("bundling the scripts of pages", || web::bundle(&workspace))?;
    let binary = ready.steps.step("building the static binary", || binary::build(&workspace))?;
    let out = workspace.target.join("packages");
    ready.steps.step("making the packages", || make::all(&workspace, &binary, &tools, &out))?;
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
pub(crate) fn bench(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.bots()?;
    ready.engine()?;
    let toolchain = ready.toolchain()?;
    let lookahead = ready.steps.step("building the guest that looks ahead", || {
        guests::build_example(&workspace, toolchain, "arena-sdk", "lookahead")
    })?;
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

/// `cargo xtask costs`: the test that the gate runs with fewer requests, then what a site's answers cost as multiples of the least.
pub(crate) fn costs(requests: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("COST_REQUESTS", requests), ("COST_SEED", seed)];
    repeat(&ready, "searching for the costliest requests", "slow::layers::costs::no_request_takes_more", how_often)?;
    ready.bots()?;
    ready.engine()?;
    ready.steps.step("measuring what answers cost", || {
        let requests = "bench --package arena --bench costs -- requests".split(' ');
        run(workspace.cargo().args(requests).env(BOTS, workspace.bots()))
    })
}

/// `cargo xtask crowd`: the release binary, since its figures are reported.
pub(crate) fn crowd() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.engine()?;
    ready.steps.step("measuring a site with a crowd", || {
        run(workspace.cargo().args("bench --package arena --bench costs -- crowd".split(' ')))
    })
}

/// `cargo xtask fleet`: the release binary, since its figures are reported.
pub(crate) fn fleet() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.engine()?;
    ready.steps.step("measuring a tournament that other processes play", || {
        run(workspace.cargo().args("bench --package arena --bench costs -- fleet".split(' ')))
    })
}

/// `cargo xtask prices`: arguments go to the benchmark. Needs no guests, because it makes its own.
pub(crate) fn prices(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    Steps::default().step("measuring what fuel buys", || {
        run(workspace.cargo().args("bench --package arena-sandbox --bench prices --".split(' ')).args(arguments))
    })
}

/// `cargo xtask compiling`: the search that other builds only sample, in a release build, where its bound on processor time holds.
pub(crate) fn compiling(shapes: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    Steps::default().step("searching for the module that takes longest to compile", || {
        let test = "test --release --package arena-sandbox --test it night::costly:: -- --nocapture";
        let how_often = [("ARENA_SHAPES", shapes.to_string()), ("ARENA_SHAPE_SEED", seed.to_string())];
        run(workspace.cargo().args(test.split(' ')).envs(how_often))
    })
}

/// `cargo xtask boards`: the tests that the gate runs with fewer boards and games.
pub(crate) fn boards(boards: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("BOARDS", boards), ("BOARDS_SEED", seed)];
    repeat(&ready, "comparing boards", "on_random_boards", how_often)?;
    repeat(&ready, "comparing whole games", "slow::agreement::whole_games", [("GAMES", 12), ("GAMES_SEED", seed)])
}

/// `cargo xtask forgeries`: the tests that the gate runs with fewer forgeries.
pub(crate) fn forgeries(forgeries: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("FORGERIES", forgeries), ("FORGERY_SEED", seed)];
    repeat(&ready, "verifying forgeries", "slow::forgeries", how_often)?;
    let how_often = [("ARCHIVES", 100 * forgeries), ("FORGERY_SEED", seed)];
    repeat(&ready, "unpacking archives of any bytes", "bundle::tests", how_often)
}

/// `cargo xtask worlds`: the test that the gate runs with fewer worlds.
pub(crate) fn worlds(worlds: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("WORLDS", worlds), ("WORLDS_SEED", seed)];
    repeat(&ready, "comparing worlds of Life2 with the plain ones", "slow::life2::worlds_are_the_naive_ones", how_often)
}

/// `cargo xtask kill-tournament`: the tests that the gate runs with fewer kills, of the arena and of its workers.
pub(crate) fn kill(kills: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("KILLS", kills), ("KILL_SEED", seed)];
    repeat(&ready, "killing tournaments of every format", "night::kill::a_tournament_of_any_format", how_often)?;
    repeat(&ready, "killing workers of a tournament", "slow::deaths::deaths_at_random_moves", how_often)
}

/// `cargo xtask kill-games`: the test that the gate runs with fewer kills.
pub(crate) fn kill_games(kills: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("GAME_KILLS", kills), ("GAME_KILL_SEED", seed)];
    repeat(&ready, "killing a server with games between people", "night::kill_games::a_killed_server", how_often)
}

/// `cargo xtask schedules`: the tests that the gate runs with fewer schedules, of the pages' transports with a simulated room, of the room alone
/// and, with a twentieth of the schedules, of a real server.
pub(crate) fn schedules(schedules: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("SCHEDULES", schedules), ("SCHEDULE_SEED", seed)];
    ready.steps.step("two transports on bad networks", || {
        web::repeat_module(&workspace, "web/tests/unit/schedules.test.mjs", how_often)
    })?;
    repeat(&ready, "a room on bad networks", "people::whatever_the_network_does", how_often)?;
    let how_often = [("SERVER_SCHEDULES", schedules.div_ceil(20)), ("SCHEDULE_SEED", seed)];
    repeat(&ready, "a server on bad networks", "slow::api::rooms::schedules::whatever_two_networks_do", how_often)
}

/// `cargo xtask kill-machines`: the test that the gate runs with fewer kills.
pub(crate) fn kill_machines(kills: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("KILLS", kills), ("KILL_SEED", seed)];
    repeat(&ready, "killing sites, workers and their database", "night::machines::whatever_dies_the", how_often)
}

/// `cargo xtask rolling`: the test that the gate runs with one build in both parts.
pub(crate) fn rolling() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
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

/// `cargo xtask queue-seeds`: the test that the gate runs with fewer seeds.
pub(crate) fn queue_seeds(seeds: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("SEEDS", seeds), ("SEED", seed)];
    repeat(&ready, "simulating the queue of games", "slow::fleet::whatever_happens", how_often)
}

/// `cargo xtask kill-world`: the test that the gate runs with fewer kills.
pub(crate) fn kill_world(kills: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("KILLS", kills), ("KILL_SEED", seed)];
    repeat(&ready, "killing a site with a world", "night::worlds::a_world_that_is_killed", how_often)
}

/// `cargo xtask long-world`: the test that the gate runs for two minutes of world time.
pub(crate) fn long_world(generations: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    repeat(&ready, "a world full of bots", "slow::world_bots::a_world_full_of_bots", [("GENERATIONS", generations)])
}

/// `cargo xtask watch-world`: the test that the gate runs for a minute of world time.
pub(crate) fn watch_world(seconds: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_long = [("WATCH_SECONDS", seconds), ("WATCH_SEED", seed)];
    repeat(&ready, "following a world", "slow::watchers::five_hundred_clients", how_long)
}

/// `cargo xtask floods`: tests that the gate runs, one after the other, here with a release binary and with the heaviest modules.
pub(crate) fn floods() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.engine()?;
    ready.steps.step("flooding a site", || {
        let tests = "test --release --package arena --test it night::floods:: -- --nocapture --test-threads 1";
        run(workspace.cargo().args(tests.split(' ')).env("ARENA_FLOOD_FUNCTIONS", "80"))
    })
}

/// `cargo xtask soak`: the test that the gate runs for seconds, here with a release binary.
pub(crate) fn soak(seconds: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.engine()?;
    ready.steps.step("building the arena and soaking a site", || {
        let test = "test --release --package arena --test it night::soak:: -- --nocapture";
        run(workspace
            .cargo()
            .args(test.split(' '))
            .envs([("ARENA_SOAK_SECONDS", seconds.to_string()), ("ARENA_SOAK_SEED", seed.to_string())]))
    })
}

/// `cargo xtask tamper`: the test that the gate runs with fewer changes.
pub(crate) fn tamper(mutations: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let how_often = [("MUTATIONS", mutations), ("MUTATION_SEED", seed)];
    repeat(&ready, "changing bytes of a tournament", "slow::verify::every_change_of_one_byte", how_often)?;
    repeat(
        &ready,
        "changing bytes of one of each format",
        "slow::formats::every_change_and_every_forged_game",
        how_often,
    )
}

/// `cargo xtask coverage`: the tests that the gate runs with fewer tournaments, matches and studies.
pub(crate) fn coverage(tournaments: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    Steps::default().step("simulating tournaments and matches", || {
        run(simulations(&workspace, tournaments, seed).args(["as_often_as_they_say", "as_rare_as_promised"]))
    })?;
    studies(tournaments / TOURNAMENTS_A_STUDY, seed)
}

/// `cargo xtask studies`: the test that the gate runs with fewer studies.
pub(crate) fn studies(studies: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    Steps::default().step("making studies with other seeds", || {
        let test = ["--lib", "--package", "arena-studies", "--", "--nocapture", "as_rarely_as_promised"];
        let how_often = [("ARENA_STUDIES", studies), ("ARENA_STUDY_SEED", seed)];
        let how_often = how_often.map(|(name, value)| (name, value.to_string()));
        run(workspace.cargo().args(["test", "--profile", PROFILE]).args(test).envs(how_often))
    })
}

/// `cargo xtask farming`: prints the table; a test compares it with the page that contains it.
pub(crate) fn farming() -> Result<()> {
    let workspace = Workspace::here()?;
    let example = ["--package", "arena-people", "--example", "farming"];
    run(workspace.cargo().args(["run", "--quiet", "--profile", PROFILE]).args(example))
}

/// A folder for Python of its own in the target folder, with the packages of PyPI that a file names: where their programs are.
fn python(workspace: &Workspace, name: &str, requirements: &str) -> Result<PathBuf> {
    let python = workspace.target.join(name);
    run(Command::new("python3").args(["-m", "venv"]).arg(&python))?;
    let wanted = workspace.root.join(requirements);
    run(Command::new(python.join("bin/pip")).args(["install", "--quiet", "--requirement"]).arg(wanted))?;
    Ok(python.join("bin"))
}

/// `cargo xtask pairings`.
pub(crate) fn pairings(tournaments: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let steps = Steps::default();
    let rounds = workspace.target.join("pairings.jsonl");
    let programs = steps.step("making the other programs ready", || {
        python(&workspace, "pairings", "tournaments/tests/requirements.txt")
    })?;
    steps.step("playing Swiss tournaments", || {
        run(simulations(&workspace, tournaments, seed).arg("the_best_matching").env("ARENA_PAIRINGS", &rounds))
    })?;
    steps.step("comparing their rounds", || {
        let script = workspace.root.join("tournaments/tests/pairings.py");
        run(Command::new(programs.join("python")).arg(script).arg(&rounds))
    })
}

/// Simulating tests of the tournaments' crate, with this many repetitions: only this crate is compiled, with the optimiser, which is ten
/// times as fast.
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
pub(crate) fn fuzz(uploads: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.bots()?;
    let how_often = [("UPLOADS", uploads), ("UPLOAD_SEED", seed)];
    repeat(&ready, "answering uploads", "slow::uploads::uploads_are_bots_or_refused", how_often)
}

/// `cargo xtask fuzz-smoke`.
pub(crate) fn fuzz_smoke(seconds: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.bots()?;
    fuzz::smoke(&workspace, &ready.steps, seconds, seed)?;
    println!("==> nothing found\n{}", ready.steps.summary());
    Ok(())
}

/// `cargo xtask screenshots`: the README's pictures come first, because it is photographed with them. Pictures of an earlier run are
/// removed, so that all show the same state.
pub(crate) fn screenshots() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.bots()?;
    draw(&ready)?;
    let scripts = ready.browser()?;
    let out = workspace.target.join("screenshots");
    ready.steps.step("taking pictures of every page", || {
        remove_folder(&out)?;
        scripts.script("screenshots.mjs", &out)
    })?;
    println!("    {}", workspace.shown(&out));
    Ok(())
}

/// `cargo xtask picture`: always of the same game, so that a new picture shows the changes of the page.
pub(crate) fn picture() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.bots()?;
    draw(&ready)
}

/// Draws the README's pictures, and the icons.
fn draw(ready: &Ready) -> Result<()> {
    let scripts = ready.browser()?;
    let out = ready.workspace.root.join("web/screenshots");
    ready.steps.step("drawing the pictures", || scripts.script("picture.mjs", &out))?;
    println!("    {}", ready.workspace.shown(&out));
    Ok(())
}

/// `cargo xtask schemathesis`: its folder defines the users and the expected results; arguments go to it.
pub(crate) fn schemathesis(arguments: &[String]) -> Result<()> {
    const FOLDER: &str = "arena/server/schemathesis";
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let programs = ready.steps.step("making schemathesis ready", || {
        python(&workspace, "schemathesis-python", &format!("{FOLDER}/requirements.txt"))
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

/// `cargo xtask load`: the test that the gate runs faster and with fewer rooms, here with the release binary, since its figures are reported.
pub(crate) fn load(rooms: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    ready.engine()?;
    ready.steps.step("building the arena and its clients, and loading a server", || {
        let tests = "test --release --package arena --test it night::load:: -- --nocapture --test-threads 1";
        run(workspace.cargo().args(tests.split(' ')).envs([
            ("ARENA_ROOMS", rooms.to_string()),
            ("ARENA_PLY_MS", "1000".into()),
            ("ARENA_WATCHERS", "500".into()),
            ("ARENA_AT_REST", "1".into()),
        ]))
    })
}

/// `cargo xtask paints`: uses the release binary, whose files are compressed as they are sent.
pub(crate) fn paints() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    build_all(&ready)?;
    let scripts = || Scripts::ready(&workspace, workspace.arena())?.with_browser();
    let scripts = ready.steps.step("making a browser ready", scripts)?;
    ready.steps.step("visiting on a slow line", || scripts.script("paints.mjs", &workspace.target))
}

/// `cargo xtask heap`: the test that the gate runs with fewer plies.
pub(crate) fn heap() -> Result<()> {
    let workspace = Workspace::here()?;
    let ready = Ready::new(&workspace, Fetch::Nothing);
    let scripts = ready.browser()?;
    ready.steps.step("leaving a room open", || scripts.at_length().test_file("browser/figures.test.mjs"))
}

/// `cargo xtask prove-toolchain`.
pub(crate) fn prove_toolchain() -> Result<()> {
    wasm::prove::prove(&Workspace::here()?)
}

/// Builds what users run: the arena's release binary, and the bots.
fn build_all(ready: &Ready) -> Result<()> {
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

/// Runs the tests whose paths contain these words more often than the gate does, and shows their output.
fn repeat<const N: usize>(ready: &Ready, step: &str, test: &str, how_often: [(&str, u64); N]) -> Result<()> {
    ready.engine()?;
    let tests = ready.tests()?;
    let how_often = how_often.map(|(name, value)| (format!("ARENA_{name}"), value.to_string()));
    let env = how_often.each_ref().map(|(name, value)| (name.as_str(), value.into()));
    ready.steps.step(step, || tests.run_at_length(PROFILE, &[test], &env))
}
