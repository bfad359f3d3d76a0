//! The packages installed as a stranger would install them, from files alone, and what they install tried out.
//!
//! They are made around the binary that the tests have built, which is not static: that a release's is static is checked
//! when it is built (`cargo xtask dist`). What is tested is that each package carries a whole arena.

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

/// A crate of somebody who has nothing but the packages: a bot, with the first example of the SDK's front page for its code.
const OUTSIDE: &str = r#"[package]
name = "outside"
version = "0.1.0"
edition = "2024"

[lib]
crate-type = ["cdylib"]

[workspace]
"#;

/// Makes the packages around a binary, installs each in a folder of its own, and tries out what it installed. What a machine
/// has no installer for is skipped, and a line says so.
///
/// # Errors
/// A package cannot be made or installed, or what it installed does not do what the arena does.
pub(crate) fn install_packages(workspace: &Workspace, arena: &Path, toolchain: &WasmToolchain) -> Result<()> {
    let folder = workspace.target.join("installed");
    remove_folder(&folder)?;
    let out = folder.join("packages");
    let tools = Tools::ready(workspace);
    make::all(workspace, arena, &tools, &out)?;
    install_binaries(&tools, &out, &folder)?;
    try_installer("cargo", &folder, |folder| cargo(workspace, toolchain, &out, folder))
}

/// Installs those of the packages in a folder that carry the binary, and tries out what they installed.
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

/// Installs, and tries out the program that it gives.
fn try_installer(name: &str, folder: &Path, install: impl FnOnce(&Path) -> Result<PathBuf>) -> Result<()> {
    let start = Instant::now();
    let folder = folder.join(name);
    fs::create_dir_all(&folder)?;
    let program = install(&folder).with_context(|| format!("{name} cannot install the arena"))?;
    println!("    {name}: installed after {:.1} s", start.elapsed().as_secs_f64());
    // Not in the tree: there is nothing beside or above it that belongs to the arena.
    let elsewhere = std::env::temp_dir().join(format!("arena-installed-{}", std::process::id()));
    let tried = try_out(&program, &elsewhere).with_context(|| format!("the arena that {name} installed"));
    remove_folder(&elsewhere)?;
    tried
}

/// In a virtual environment, without the registry; by the pip that is there, which takes less time than one of its own.
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

/// From the packed crates, each unpacked. They stand in for a registry's, and what the tests have compiled is used again.
fn cargo(workspace: &Workspace, toolchain: &WasmToolchain, out: &Path, folder: &Path) -> Result<PathBuf> {
    let mut members = Vec::new();
    for file in ending_in(&out.join("crates"), ".crate")? {
        output(Command::new("tar").arg("-xzf").arg(&file).arg("-C").arg(folder))?;
        members.push(file.file_stem().and_then(|stem| stem.to_str()).context("a plain name")?.to_owned());
    }
    let ours = fs::read_to_string(workspace.root.join("Cargo.toml"))?.parse()?;
    fs::write(folder.join("Cargo.toml"), stand_in(&ours, &members)?.to_string())?;
    let version = workspace.package("arena")?["version"].as_str().context("a version")?;
    fs::copy(out.join(source(version)).join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let mut cargo = Command::new(&workspace.cargo);
    cargo
        .current_dir(folder)
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

/// Builds a bot in a crate outside, which names the SDK as any crate does, and plays it.
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
    let mut cargo = Command::new(&workspace.cargo);
    cargo.current_dir(&outside).args(["build", "--quiet", "--offline", "--release", "--target", TARGET]);
    output(cargo.env(TARGET_DIR, outside.join("target")).envs(toolchain.env())).context("a crate outside")?;
    let module = outside.join("target").join(TARGET).join("release/outside.wasm");
    for command in [&["check"][..], &["play", "--games", "2", "easy"]] {
        output(Command::new(arena).args(command).arg(&module)).context("the bot of a crate outside")?;
    }
    Ok(())
}

/// Runs the examples of the packed SDK, and makes its pages: nothing of the tree is beside it.
fn read_the_sdk(workspace: &Workspace, folder: &Path) -> Result<()> {
    let packages = SDK_CRATES.iter().flat_map(|name| ["--package", *name]);
    for what in [&["test", "--doc"][..], &["doc", "--no-deps"]] {
        let mut cargo = Command::new(&workspace.cargo);
        cargo.current_dir(folder).args(what).args(["--quiet", "--locked", "--offline", "--profile", "ci"]);
        cargo.args(packages.clone()).env(TARGET_DIR, folder.join("target")).env("RUSTDOCFLAGS", "--deny warnings");
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
