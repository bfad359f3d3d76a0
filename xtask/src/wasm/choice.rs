//! The choice between the three ways to a toolchain.

use std::fs::File;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use fs_err as fs;

use super::debian;
use super::setup::{Rustup, Setup};
use super::toolchain::{TARGET, WasmToolchain, beside, find_std};
use crate::process::{find_program, output, within};

/// The toolchain, set up first if necessary.
pub(super) fn run(mut setup: Setup) -> Result<WasmToolchain> {
    setup.folder = setup.root.join(&setup.folder);
    let sysroot = setup.active_sysroot()?;
    if let Some(std) = find_std(&sysroot) {
        return WasmToolchain::new(std, Vec::new());
    }
    if let Some(ready) = debian::ready(&setup, &sysroot)? {
        return Ok(ready);
    }
    // Two set-ups at once would build in the same folder: the second waits, and then finds everything done.
    let parent = setup.folder.parent().context("a folder with a name")?;
    fs::create_dir_all(parent)?;
    let lock = File::create(beside(&setup.folder, "lock"))?;
    lock.lock().context("cannot lock the toolchain's folder")?;
    if let Some(std) = ask_rustup(&setup, &sysroot) {
        return WasmToolchain::new(std, Vec::new());
    }
    if let Some(ready) = debian::ready(&setup, &sysroot)? {
        return Ok(ready);
    }
    debian::build(&setup, &sysroot)?;
    debian::ready(&setup, &sysroot)?.context("the private toolchain is not complete")
}

/// The std added by rustup; `None` on any failure of rustup, because there is another way.
fn ask_rustup(setup: &Setup, sysroot: &Path) -> Option<PathBuf> {
    let Rustup::Within(limit) = setup.rustup else {
        return None;
    };
    let rustup = find_program("rustup", &setup.path)?;
    println!("    asking rustup for {TARGET}");
    let mut command = within(limit, &rustup);
    let asked = output(command.current_dir(&setup.root).env("PATH", &setup.path).args(["target", "add", TARGET]));
    let std = find_std(sysroot);
    match (asked, &std) {
        (Ok(_), None) => println!("    rustup is not in charge of the active rustc"),
        (Err(error), None) => println!("    {}", last_line(&error)),
        (_, Some(_)) => {}
    }
    std
}

/// Whether rustup may be asked, manages the active rustc, and has added the target to it.
pub(super) fn is_by_rustup(setup: &Setup) -> Result<bool> {
    let sysroot = setup.active_sysroot()?;
    let rustup = match setup.rustup {
        Rustup::Within(_) => find_program("rustup", &setup.path),
        Rustup::PassedOver => None,
    };
    let (Some(rustup), Some(_)) = (rustup, find_std(&sysroot)) else { return Ok(false) };
    // Rustup's own toolchains have a list of components; linked ones have none.
    let is_own = sysroot.join("lib/rustlib/multirust-channel-manifest.toml").exists();
    let Ok(active) = output(setup.command(&rustup).args(["which", "rustc"])) else { return Ok(false) };
    let is_active = Path::new(active.trim_end())
        .canonicalize()
        .is_ok_and(|rustc| sysroot.canonicalize().is_ok_and(|sysroot| rustc.starts_with(sysroot)));
    Ok(is_own && is_active)
}

fn last_line(error: &anyhow::Error) -> String {
    let said = format!("{error:#}");
    said.lines().last().unwrap_or_default().to_owned()
}
