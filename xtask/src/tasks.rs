//! The commands, each a list of steps.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::dist;
use crate::fuzz;
use crate::guests::{self, Built};
use crate::guide;
use crate::installing;
use crate::languages::{Compilers, Fetch};
use crate::newcomer;
use crate::packages::{self, Tools};
use crate::process::run;
use crate::steps::Steps;
use crate::wasm::{self, WasmToolchain};
use crate::web::{self, Scripts};
use crate::workspace::{BOTS, Workspace, remove_folder};

/// The tournament a newcomer sees first.
const DEMO: &str = "tournaments/definitions/opening.toml";

/// A step of two commands.
const INSTALLING: &str = "installing the packages";

/// The crates that must build where there is no operating system.
const PURE: [&str; 7] =
    ["arena-rules", "arena-wire", "arena-record", "arena-referee", "arena-tournaments", "arena-baselines", "arena-sdk"];

/// `cargo xtask setup`.
pub(crate) fn setup() -> Result<()> {
    let workspace = Workspace::here()?;
    let toolchain = set_up(&workspace, &mut Steps::default())?;
    println!("{toolchain}");
    Ok(())
}

/// `cargo xtask bots`.
pub(crate) fn bots() -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    build_guests(&workspace, &toolchain, Fetch::Missing, &mut steps).map(drop)
}

/// `cargo xtask build`.
pub(crate) fn build() -> Result<()> {
    build_all(&Workspace::here()?, Fetch::Missing, &mut Steps::default())
}

/// `cargo xtask demo`: a folder of an earlier demo is removed, so that this one is played whole.
pub(crate) fn demo(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    if !workspace.arena().exists() {
        println!("The first build takes about five minutes on two cores, later ones seconds.");
    }
    let mut steps = Steps::default();
    build_all(&workspace, Fetch::Nothing, &mut steps)?;
    let out = workspace.target.join("demo");
    steps.step("playing the opening tournament", || {
        remove_folder(&out)?;
        run(Command::new(workspace.arena())
            .current_dir(&workspace.root)
            .args(["tournament", "run", DEMO, "--out"])
            .arg(workspace.shown(&out))
            .args(arguments))
    })?;
    println!("\nNext: write a bot of your own, README.md, \"Your first bot in five minutes\".");
    Ok(())
}

/// `cargo xtask dist`: the packages of a release, as far as this machine makes them.
pub(crate) fn dist() -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let tools = Tools::ready(&workspace);
    tools.are_all_there()?;
    let toolchain = set_up(&workspace, &mut steps)?;
    build_engine(&workspace, &toolchain, &mut steps)?;
    let binary = steps.step("building the static binary", || dist::build(&workspace))?;
    let out = workspace.target.join("packages");
    steps.step("making the packages", || packages::make(&workspace, &binary, &tools, &out))?;
    let scratch = workspace.target.join("installed");
    steps.step(INSTALLING, || {
        remove_folder(&scratch)?;
        installing::install_binaries(&tools, &out, &scratch)
    })?;
    println!("    the binary: {}", workspace.shown(&binary));
    println!("    the packages: {}", workspace.shown(&out));
    Ok(())
}

/// `cargo xtask installing`.
pub(crate) fn installing() -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    build_engine(&workspace, &toolchain, &mut steps)?;
    let binary = build_for_scripts(&workspace, &mut steps)?;
    steps.step(INSTALLING, || installing::install_packages(&workspace, &binary))
}

/// `cargo xtask bench`: arguments go to the benchmark.
pub(crate) fn bench(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    build_guests(&workspace, &toolchain, Fetch::Nothing, &mut steps)?;
    build_engine(&workspace, &toolchain, &mut steps)?;
    let lookahead = steps.step("building the guest that looks ahead", || {
        guests::build_example(&workspace, &toolchain, "arena-sdk", "lookahead")
    })?;
    steps.step("running the benchmarks", || {
        run(workspace
            .host_cargo()
            .args("bench --package arena-oracle --bench figures --".split(' '))
            .args(arguments)
            .env("ARENA_LOOKAHEAD_WASM", &lookahead)
            .env(BOTS, workspace.bots()))
    })
}

/// `cargo xtask prices`: arguments go to the benchmark. Needs no guests: it makes its own.
pub(crate) fn prices(arguments: &[String]) -> Result<()> {
    let workspace = Workspace::here()?;
    Steps::default().step("measuring what fuel buys", || {
        run(workspace.host_cargo().args("bench --package arena-sandbox --bench prices --".split(' ')).args(arguments))
    })
}

/// `cargo xtask test`: what CI runs. The tests, the lints and their dependencies share one profile.
pub(crate) fn test() -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    let compilers = build_guests(&workspace, &toolchain, Fetch::Missing, &mut steps)?;
    build_engine(&workspace, &toolchain, &mut steps)?;
    steps.step("running the tests", || {
        run(workspace.host_cargo().args("test --workspace --profile ci".split(' ')).env(BOTS, workspace.bots()))
    })?;
    steps.step("checking the formatting", || run(workspace.cargo().args(["fmt", "--all", "--check"])))?;
    steps.step("linting", || {
        run(workspace.host_cargo().args("clippy --workspace --all-targets --profile ci -- -D warnings".split(' ')))
    })?;
    steps.step("building the pure crates for wasm32", || {
        let packages = PURE.iter().flat_map(|name| ["--package", *name]);
        run(guests::cargo_build(&workspace, &toolchain)?.arg("--lib").args(packages))
    })?;
    steps.step("testing the pages' modules", || web::test_modules(&workspace))?;
    // The tests above have built the binary. Building it alone would build its dependencies once more: fewer packages ask
    // fewer features of them.
    let binary = workspace.arena_of("ci");
    steps.step("testing the layers for other languages", || {
        web::test_layers(&workspace, &guests::build_probes(&workspace, &binary, &compilers)?)
    })?;
    steps.step("checking every bot", || newcomer::check_bots(&workspace, &binary))?;
    steps.step("starting a bot in every language", || {
        newcomer::start_bots(&workspace, &binary, &toolchain, &compilers)
    })?;
    steps.step("reading the guide", || guide::read_all(&workspace, &binary, &toolchain, &compilers))?;
    steps.step(INSTALLING, || installing::install_packages(&workspace, &binary))?;
    let scripts = steps.step("making a browser ready", || Scripts::ready(&workspace, binary)?.with_browser())?;
    steps.step("testing in a browser", || scripts.test_folder("browser"))?;
    steps.step("killing the server", || scripts.test_file("kill.test.mjs"))?;
    println!("==> all steps passed\n{}", steps.summary());
    Ok(())
}

/// `cargo xtask guide`: the step that CI runs.
pub(crate) fn guide() -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    let compilers = build_guests(&workspace, &toolchain, Fetch::Missing, &mut steps)?;
    build_engine(&workspace, &toolchain, &mut steps)?;
    let binary = build_for_scripts(&workspace, &mut steps)?;
    steps.step("reading the guide", || guide::read_all(&workspace, &binary, &toolchain, &compilers))
}

/// `cargo xtask kill-tournament`: the test that CI runs with fewer kills.
pub(crate) fn kill(kills: u64, seed: u64) -> Result<()> {
    repeat("killing tournaments", "kill", "a_tournament_that_is_killed", [("KILLS", kills), ("KILL_SEED", seed)])
}

/// `cargo xtask tamper`: the test that CI runs with fewer changes.
pub(crate) fn tamper(mutations: u64, seed: u64) -> Result<()> {
    let how_often = [("MUTATIONS", mutations), ("MUTATION_SEED", seed)];
    repeat("changing bytes of a tournament", "verify", "every_change_of_one_byte", how_often)
}

/// `cargo xtask fuzz`: the test that CI runs with fewer uploads.
pub(crate) fn fuzz(uploads: u64, seed: u64) -> Result<()> {
    let how_often = [("UPLOADS", uploads), ("UPLOAD_SEED", seed)];
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    build_guests(&workspace, &toolchain, Fetch::Nothing, &mut steps)?;
    repeat("answering uploads", "uploads", "fifty_thousand_uploads", how_often)
}

/// `cargo xtask fuzz-smoke`.
pub(crate) fn fuzz_smoke(seconds: u64, seed: u64) -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    build_guests(&workspace, &toolchain, Fetch::Nothing, &mut steps)?;
    fuzz::smoke(&workspace, &mut steps, seconds, seed)?;
    println!("==> nothing found\n{}", steps.summary());
    Ok(())
}

/// Runs one test of a test binary oftener than CI does, and shows what it prints.
fn repeat(step: &str, binary: &str, test: &str, how_often: [(&str, u64); 2]) -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    build_engine(&workspace, &toolchain, &mut steps)?;
    steps.step(step, || {
        let how_often = how_often.map(|(name, value)| (format!("ARENA_{name}"), value.to_string()));
        run(workspace
            .host_cargo()
            .args("test --workspace --profile ci --test".split(' '))
            .args([binary, test, "--", "--nocapture"])
            .envs(how_often)
            .env(BOTS, workspace.bots()))
    })
}

/// `cargo xtask screenshots`: pictures of an earlier run are removed, so that all are of one state.
pub(crate) fn screenshots() -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    let toolchain = set_up(&workspace, &mut steps)?;
    build_guests(&workspace, &toolchain, Fetch::Nothing, &mut steps)?;
    build_engine(&workspace, &toolchain, &mut steps)?;
    let binary = build_for_scripts(&workspace, &mut steps)?;
    let scripts = steps.step("making a browser ready", || Scripts::ready(&workspace, binary)?.with_browser())?;
    let out = workspace.target.join("screenshots");
    steps.step("taking pictures of every page", || {
        remove_folder(&out)?;
        scripts.script("screenshots.mjs", &out)
    })?;
    println!("    {}", workspace.shown(&out));
    Ok(())
}

/// `cargo xtask load`: the release binary, since its figures are reported.
pub(crate) fn load() -> Result<()> {
    let workspace = Workspace::here()?;
    let mut steps = Steps::default();
    build_all(&workspace, Fetch::Nothing, &mut steps)?;
    let scripts = steps.step("making Node's packages ready", || Scripts::ready(&workspace, workspace.arena()))?;
    steps.step("loading a server", || scripts.script("load.mjs", &workspace.target))
}

/// `cargo xtask prove-toolchain`.
pub(crate) fn prove_toolchain() -> Result<()> {
    wasm::prove::prove(&Workspace::here()?)
}

fn build_all(workspace: &Workspace, fetch: Fetch, steps: &mut Steps) -> Result<()> {
    let toolchain = set_up(workspace, steps)?;
    build_engine(workspace, &toolchain, steps)?;
    steps.step("building the arena", || {
        run(workspace.host_cargo().args(["build", "--release", "--package", "arena"]))
    })?;
    build_guests(workspace, &toolchain, fetch, steps)?;
    println!("    the arena: {}", workspace.shown(&workspace.arena()));
    Ok(())
}

/// The arena as the tests have it, with every check on; where it is.
fn build_for_scripts(workspace: &Workspace, steps: &mut Steps) -> Result<PathBuf> {
    steps.step("building the arena for the tests", || {
        // The whole workspace, as the tests have it: dependencies of fewer packages would be built once more.
        run(workspace.host_cargo().args("build --workspace --profile ci".split(' ')))
    })?;
    Ok(workspace.arena_of("ci"))
}

fn set_up(workspace: &Workspace, steps: &mut Steps) -> Result<WasmToolchain> {
    steps.step("making Rust ready for WebAssembly", || wasm::toolchain(workspace))
}

fn build_engine(workspace: &Workspace, toolchain: &WasmToolchain, steps: &mut Steps) -> Result<()> {
    steps.step("building the rules for the page", || guests::build_engine(workspace, toolchain))
}

fn build_guests(
    workspace: &Workspace,
    toolchain: &WasmToolchain,
    fetch: Fetch,
    steps: &mut Steps,
) -> Result<Compilers> {
    let compilers = steps.step("making C, Zig and AssemblyScript ready", || Compilers::ready(workspace, fetch))?;
    steps.step("building the bots", || {
        let Built { count, skipped } = guests::build(workspace, toolchain, &compilers)?;
        for line in skipped {
            println!("    {line}");
        }
        println!("    {count} bots: {}", workspace.shown(&workspace.bots()));
        Ok(())
    })?;
    Ok(compilers)
}
