//! Installs the packages as a stranger would, from files alone, and tries them out.
//!
//! They contain the binary built by the tests, which is not static: `cargo xtask dist` checks that a release's binary
//! is static. This test checks that each package contains a whole arena.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Instant;

use anyhow::{Context, Result};
use fs_err as fs;

use super::crates::{INSTALLED_CRATE, SDK, SDK_CRATES, source};
use super::installed::try_out;
use super::make;
use super::stand_in::stand_in;
use super::tools::Tools;
use crate::bots::languages::in_a_line;
use crate::files::{ending_in, remove_folder};
use crate::process::output;
use crate::wasm::{TARGET, WasmToolchain};
use crate::workspace::{BUILD, ONE_TOKIO, TARGET_DIR, Workspace};

/// A crate outside the tree that has nothing but the packages: a bot whose code is the first example of the SDK's front
/// page.
const OUTSIDE: &str = r#"[package]
name = "outside"
version = "0.1.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[workspace]
"#;

/// Makes the packages around a binary, installs each in its own folder, and tries out the result. A package whose
/// installer is missing is skipped, and a line says so.
///
/// # Errors
/// If a package cannot be made or installed, or the installed program does not work as the arena does.
pub(crate) fn install_packages(workspace: &Workspace, arena: &Path, toolchain: &WasmToolchain) -> Result<()> {
    let folder = workspace.target.join("installed");
    remove_folder(&folder)?;
    let out = folder.join("packages");
    let tools = Tools::ready(workspace);
    make::all(workspace, arena, &tools, &out)?;
    install_binaries(&tools, &out, &folder)?;
    try_installer("cargo", &folder, |folder| cargo(workspace, toolchain, &out, folder))
}

/// Installs the packages in a folder that contain the binary, and tries them out.
///
/// # Errors
/// As [`install_packages`].
pub(crate) fn install_binaries(tools: &Tools, out: &Path, folder: &Path) -> Result<()> {
    match &tools.wheel {
        Ok(_) => try_installer("pip", folder, |folder| pip(out, folder))?,
        Err(reason) => println!("    skipped: pip: {}", in_a_line(reason)),
    }
    match &tools.npm {
        Ok(()) => try_installer("npm", folder, |folder| npm(out, folder)),
        Err(reason) => {
            println!("    skipped: npm: {}", in_a_line(reason));
            Ok(())
        }
    }
}

/// Installs, and tries out the resulting program.
fn try_installer(name: &str, folder: &Path, install: impl FnOnce(&Path) -> Result<PathBuf>) -> Result<()> {
    let start = Instant::now();
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    let program = install(&folder).with_context(|| format!("{name} cannot install the arena"))?;
    println!("    {name}: installed after {:.1} s", start.elapsed().as_secs_f64());
    // Outside the tree, so that nothing beside or above it belongs to the arena.
    let elsewhere = std::env::temp_dir().join(format!("arena-installed-{}", std::process::id()));
    let tried = try_out(&program, &elsewhere).with_context(|| format!("the arena that {name} installed"));
    remove_folder(&elsewhere)?;
    tried
}

/// In a virtual environment, without the registry. The machine's pip takes less time than one in the environment.
fn pip(out: &Path, folder: &Path) -> Result<PathBuf> {
    output(Command::new("python3").args(["-m", "venv", "--without-pip"]).arg(folder))?;
    let mut pip = Command::new("python3");
    pip.args(["-m", "pip", "--python"]).arg(folder.join("bin/python"));
    pip.args("install --quiet --disable-pip-version-check --no-index".split(' '));
    output(pip.args(ending_in(out, ".whl")?))?;
    Ok(folder.join("bin/arena"))
}

/// In an empty project, without the registry.
fn npm(out: &Path, folder: &Path) -> Result<PathBuf> {
    fs::write(folder.join("package.json"), "{\"private\":true}")?;
    let mut npm = Command::new("npm");
    npm.current_dir(folder).args(["install", "--offline", "--no-audit", "--no-fund"]);
    output(npm.args(ending_in(out, ".tgz")?))?;
    Ok(folder.join("node_modules/.bin/arena"))
}

/// From the packed crates, each unpacked. They replace a registry's, and dependencies compiled by the tests are reused.
fn cargo(workspace: &Workspace, toolchain: &WasmToolchain, out: &Path, folder: &Path) -> Result<PathBuf> {
    let mut members = Vec::new();
    for file in ending_in(&out.join("crates"), ".crate")? {
        // As new as now: packed files are all of one time, so cargo would take what it compiled of earlier ones for
        // theirs.
        output(Command::new("tar").arg("-xmzf").arg(&file).arg("-C").arg(folder))?;
        members.push(file.file_stem().and_then(|stem| stem.to_str()).context("a plain name")?.to_owned());
    }
    let ours = fs::read_to_string(workspace.root.join("Cargo.toml"))?.parse()?;
    fs::write(folder.join("Cargo.toml"), stand_in(&ours, &members)?.to_string())?;
    let version = workspace.package("arena")?["version"].as_str().context("a version")?;
    fs::copy(out.join(source(version)).join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut cargo = workspace.cargo_in(folder);
    cargo
        .args([
            "install",
            "--quiet",
            "--locked",
            "--offline",
            "--profile",
            "ci",
            "--path",
            &format!("{INSTALLED_CRATE}-{version}"),
        ])
        .args(["--root", ".", "--features", ONE_TOKIO])
        .env(BUILD, &workspace.target)
        .env(TARGET_DIR, folder.join("target"));
    output(&mut cargo)?;
    read_the_sdk(workspace, folder)?;
    let arena = folder.join("bin/arena");
    write_a_bot(workspace, toolchain, version, &arena, folder)?;
    Ok(arena)
}

/// Builds a bot in an outside crate that depends on the SDK as any crate does, and plays it.
fn write_a_bot(
    workspace: &Workspace,
    toolchain: &WasmToolchain,
    version: &str,
    arena: &Path,
    folder: &Path,
) -> Result<()> {
    let outside = folder.join("outside");
    let unpacked = |name: &str| format!("{name} = {{ path = \"../{name}-{version}\" }}\n");
    let patches = SDK_CRATES.map(unpacked).concat();
    let dependencies = format!(
        "[dependencies]\narena_sdk = {{ package = \"{SDK}\", version = \"{version}\" }}\n\n[patch.crates-io]\n{patches}"
    );
    let front = fs::read_to_string(folder.join(format!("{SDK}-{version}")).join("src/lib.rs"))?;
    let lines = front.lines().map_while(|line| line.strip_prefix("//!"));
    let example = lines.skip_while(|line| line.trim() != "```").skip(1).take_while(|line| line.trim() != "```");
    fs::create_dir_all(outside.join("src"))?;
    fs::write(outside.join("src/lib.rs"), example.collect::<Vec<&str>>().join("\n"))?;
    fs::write(outside.join("Cargo.toml"), [OUTSIDE, &dependencies].concat())?;
    let mut cargo = workspace.cargo_in(&outside);
    cargo.args(["build", "--quiet", "--offline", "--release", "--target", TARGET]);
    output(cargo.env(TARGET_DIR, outside.join("target")).envs(toolchain.env())).context("a crate outside")?;
    let module = outside.join("target").join(TARGET).join("release/outside.wasm");
    for command in [&["check"][..], &["play", "--games", "2", "easy"]] {
        output(Command::new(arena).args(command).arg(&module)).context("the bot of a crate outside")?;
    }
    Ok(())
}

/// Runs the examples of the packed SDK and builds its documentation, without the rest of the tree.
fn read_the_sdk(workspace: &Workspace, folder: &Path) -> Result<()> {
    let packages = SDK_CRATES.iter().flat_map(|name| ["--package", *name]);
    for what in [&["test", "--doc"][..], &["doc", "--no-deps"]] {
        let mut cargo = workspace.cargo_in(folder);
        cargo.args(what).args(["--quiet", "--locked", "--offline", "--profile", "ci"]);
        cargo.args(packages.clone()).env("RUSTDOCFLAGS", "--deny warnings");
        cargo.env(BUILD, &workspace.target).env(TARGET_DIR, folder.join("target"));
        output(&mut cargo).with_context(|| format!("cargo {} of the packed SDK", what.join(" ")))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use anyhow::anyhow;

    use super::*;

    #[test]
    fn without_an_installer_its_package_is_skipped_but_a_release_is_not_made() -> Result<()> {
        let tools = Tools { wheel: Err(anyhow!("there is no python3")), npm: Err(anyhow!("there is no npm")) };
        let folder = tempfile::tempdir()?;
        install_binaries(&tools, folder.path(), folder.path())?;
        assert_eq!(fs::read_dir(folder.path())?.count(), 0);
        let refused = tools.are_all_there().map_err(|error| error.to_string());
        assert_eq!(refused, Err("not all packages can be made: there is no python3".to_owned()));
        Ok(())
    }
}
