//! Runs the targets of the folder `fuzz` for a while each: libFuzzer generates bytes, guided by the code that they
//! reach.
//!
//! They are built without a sanitizer, so that a stable toolchain builds them: the code that they reach has no `unsafe`
//! of ours, and a broken law is a panic. The folder is a workspace of its own, so that nothing else is built with
//! instrumentation.

use std::path::PathBuf;
use std::process::Command;

use anyhow::Result;

use crate::process::run;
use crate::steps::Steps;
use crate::workspace::Workspace;

/// The release of cargo-fuzz that is installed if there is none.
const CARGO_FUZZ: &str = "0.13.2";

/// A target and its prerequisites.
struct Target {
    /// Its name, which is also that of its file and of its folder of seeds, if it has one.
    name: &'static str,
    /// Features of the fuzz package.
    features: &'static [&'static str],
    /// A guest as a seed.
    guest: Option<&'static str>,
}

/// The engine comes last: it takes minutes to build.
const TARGETS: [Target; 8] = [
    Target { name: "wire", features: &[], guest: None },
    Target { name: "text", features: &[], guest: None },
    Target { name: "record", features: &[], guest: None },
    Target { name: "definition", features: &[], guest: None },
    Target { name: "script", features: &[], guest: None },
    Target { name: "meter", features: &[], guest: Some("mason.wasm") },
    Target { name: "journal", features: &["--features", "engine"], guest: None },
    Target { name: "upload", features: &["--features", "engine"], guest: Some("mason.wasm") },
];

/// Installs cargo-fuzz if necessary, and runs every target for a number of seconds; the corpus is kept under `target`
/// for the next time. Needs the guests.
///
/// # Errors
/// If something cannot be built, or a target finds an input that breaks its law: that input is then in
/// `fuzz/artifacts`.
pub(crate) fn smoke(workspace: &Workspace, steps: &Steps, seconds: u64, seed: u64) -> Result<()> {
    let cargo_fuzz = steps.step("making cargo-fuzz ready", || cargo_fuzz(workspace))?;
    for target in &TARGETS {
        steps.step(&format!("fuzzing: {}", target.name), || {
            let reached = workspace.target.join("fuzz-corpus").join(target.name);
            std::fs::create_dir_all(&reached)?;
            let seeds = workspace.root.join("fuzz/seeds").join(target.name);
            let mut command = Command::new(&cargo_fuzz);
            command
                .current_dir(&workspace.root)
                .env("CARGO", &workspace.cargo)
                .args("fuzz run --fuzz-dir fuzz --dev --sanitizer none --target-dir".split(' '))
                .arg(workspace.target.join("fuzz"))
                .args(target.features)
                .arg(target.name)
                .arg(reached)
                .args(seeds.is_dir().then_some(seeds))
                .args(["--", "-print_final_stats=1"])
                .args([format!("-max_total_time={seconds}"), format!("-seed={seed}")]);
            if let Some(guest) = target.guest {
                command.arg(format!("-seed_inputs={}", workspace.bots().join(guest).display()));
            }
            run(&mut command)
        })?;
    }
    Ok(())
}

/// The path of cargo-fuzz, installed for this workspace alone. Cargo does nothing if that release is already installed.
fn cargo_fuzz(workspace: &Workspace) -> Result<PathBuf> {
    let tools = workspace.target.join("tools");
    run(workspace
        .cargo()
        .args(["install", "cargo-fuzz", "--locked", "--version", CARGO_FUZZ, "--root"])
        .arg(&tools)
        .arg("--target-dir")
        .arg(workspace.target.join("tools-build")))?;
    Ok(tools.join("bin").join(format!("cargo-fuzz{}", std::env::consts::EXE_SUFFIX)))
}
