//! Makes `cargo build --target wasm32-unknown-unknown` possible.
//!
//! Three ways, the first that holds:
//!
//! 1. the active rustc has the target's std: nothing to do;
//! 2. `rustup target add`: the normal case on a developer's machine;
//! 3. only Debian packages can be had: Debian's rustc-web with its own std sources, unpacked into a private
//!    folder, std built there once ([`debian`]). Needs no root, installs nothing, is used for guests only.
//!
//! A private toolchain that stands is used without asking rustup again. What decides is in [`Setup`], so
//! that tests can put their own programs in the place of the real ones; [`prove`] runs the real ones.
//!
//! It does not choose rustc's version, and never changes the rustc that builds the arena itself.

use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, UNIX_EPOCH};

use anyhow::{Context, Result, bail};

use crate::process;
use crate::workspace::Workspace;

mod debian;
pub(crate) mod prove;
#[cfg(all(test, unix))]
mod tests;

/// What guests are built for.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// Set to anything, it makes us pass over rustup.
pub(crate) const NO_RUSTUP: &str = "ARENA_WASM_NO_RUSTUP";

/// The folder of the private toolchain, if not `target/wasm-toolchain`.
pub(crate) const FOLDER: &str = "ARENA_WASM_DIR";

/// How long rustup may take: it fetches about 20 MB, and waits long for servers that do not answer.
const RUSTUP_SECONDS_MAX: u64 = 180;

/// What to set for cargo so that it builds guests; everything else stays as it is for the host.
#[derive(Debug)]
pub(crate) struct WasmToolchain {
    env: Vec<(&'static str, OsString)>,
    std: PathBuf,
    identity: String,
}

impl WasmToolchain {
    /// The environment for guest builds: empty if the active rustc can do it.
    pub(crate) fn env(&self) -> impl Iterator<Item = (&'static str, &OsString)> {
        self.env.iter().map(|(name, value)| (*name, value))
    }

    /// Differs when guests have to be built anew because std is another one.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    fn new(std: PathBuf, env: Vec<(&'static str, OsString)>) -> Result<Self> {
        let made = fs::metadata(&std)?.modified()?.duration_since(UNIX_EPOCH)?;
        let identity = format!("{} {}", std.display(), made.as_nanos());
        Ok(Self { env, std, identity })
    }
}

impl fmt::Display for WasmToolchain {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "std for {TARGET}: {}", self.std.display())?;
        for (name, value) in &self.env {
            write!(f, "\n{name}={}", value.display())?;
        }
        Ok(())
    }
}

/// The toolchain for guests, set up first if need be.
///
/// # Errors
/// None of the three ways is open; the error says what to install.
pub(crate) fn toolchain(workspace: &Workspace) -> Result<WasmToolchain> {
    setup(workspace).run()
}

/// Whether it is rustup that gave the active rustc the target: then it can be asked for it, and has nothing to fetch.
///
/// # Errors
/// There is no rustc.
pub(crate) fn is_by_rustup(workspace: &Workspace) -> Result<bool> {
    setup(workspace).is_by_rustup()
}

fn setup(workspace: &Workspace) -> Setup {
    let folder = std::env::var_os(FOLDER).map(PathBuf::from);
    let rustup = match std::env::var_os(NO_RUSTUP) {
        Some(_) => Rustup::PassedOver,
        None => Rustup::Within(Duration::from_secs(RUSTUP_SECONDS_MAX)),
    };
    Setup {
        path: std::env::var_os("PATH").unwrap_or_default(),
        rustc: std::env::var_os("RUSTC").map(PathBuf::from),
        cargo: workspace.cargo.clone(),
        root: workspace.root.clone(),
        folder: folder.unwrap_or_else(|| workspace.target.join("wasm-toolchain")),
        rustup,
    }
}

/// Whether rustup is asked.
#[derive(Clone, Copy)]
enum Rustup {
    Within(Duration),
    PassedOver,
}

/// All that the choice between the three ways depends on.
struct Setup {
    /// Where programs are looked for, like `PATH`.
    path: OsString,
    /// The active rustc, if it is not the one on `path`.
    rustc: Option<PathBuf>,
    cargo: PathBuf,
    /// Where programs run: rustup and rustc may choose a toolchain by folder.
    root: PathBuf,
    /// The private toolchain's, whether it is there or not. Absolute, or relative to `root`.
    folder: PathBuf,
    rustup: Rustup,
}

impl Setup {
    fn run(mut self) -> Result<WasmToolchain> {
        self.folder = self.root.join(&self.folder);
        let sysroot = self.active_sysroot()?;
        if let Some(std) = find_std(&sysroot) {
            return WasmToolchain::new(std, Vec::new());
        }
        if let Some(ready) = debian::ready(&self, &sysroot)? {
            return Ok(ready);
        }
        // Two set-ups at once would build in the same folder: the second waits, then finds all done.
        let parent = self.folder.parent().context("a folder with a name")?;
        fs::create_dir_all(parent)?;
        let lock = File::create(beside(&self.folder, "lock"))?;
        lock.lock().context("cannot lock the toolchain's folder")?;
        if let Some(std) = self.ask_rustup(&sysroot) {
            return WasmToolchain::new(std, Vec::new());
        }
        if let Some(ready) = debian::ready(&self, &sysroot)? {
            return Ok(ready);
        }
        debian::build(&self, &sysroot)?;
        debian::ready(&self, &sysroot)?.context("the private toolchain is not complete")
    }

    /// The std that rustup added, or nothing: whatever is wrong with rustup, there is another way.
    fn ask_rustup(&self, sysroot: &Path) -> Option<PathBuf> {
        let Rustup::Within(limit) = self.rustup else {
            return None;
        };
        let rustup = process::find_program("rustup", &self.path)?;
        println!("    asking rustup for {TARGET}");
        let mut command = self.command(&rustup);
        let asked = process::run_within(command.args(["target", "add", TARGET]), limit);
        let std = find_std(sysroot);
        match (asked, &std) {
            (Ok(()), None) => println!("    rustup is not in charge of the active rustc"),
            (Err(error), None) => println!("    {}", last_line(&error)),
            (_, Some(_)) => {}
        }
        std
    }

    /// Whether rustup may be asked, has the active rustc in its charge, and has given it the target.
    fn is_by_rustup(&self) -> Result<bool> {
        let sysroot = self.active_sysroot()?;
        let rustup = match self.rustup {
            Rustup::Within(_) => process::find_program("rustup", &self.path),
            Rustup::PassedOver => None,
        };
        let (Some(rustup), Some(_)) = (rustup, find_std(&sysroot)) else { return Ok(false) };
        // Its own toolchains have a list of what can be added; those that are only linked have none.
        let is_own = sysroot.join("lib/rustlib/multirust-channel-manifest.toml").exists();
        let Ok(active) = process::output(self.command(&rustup).args(["which", "rustc"])) else { return Ok(false) };
        let is_active = Path::new(active.trim_end())
            .canonicalize()
            .is_ok_and(|rustc| sysroot.canonicalize().is_ok_and(|sysroot| rustc.starts_with(sysroot)));
        Ok(is_own && is_active)
    }

    fn active_sysroot(&self) -> Result<PathBuf> {
        let on_path = || process::find_program("rustc", &self.path);
        let Some(rustc) = self.rustc.clone().or_else(on_path) else {
            bail!("there is no rustc on PATH: install Rust from https://rustup.rs");
        };
        let said = process::output(self.command(&rustc).args(["--print", "sysroot"]))?;
        Ok(PathBuf::from(said.trim_end()))
    }

    /// A program that sees the same programs as we do.
    fn command(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.current_dir(&self.root).env("PATH", &self.path);
        command
    }
}

/// The target's std in a sysroot.
fn find_std(sysroot: &Path) -> Option<PathBuf> {
    let folder = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    find_named(&folder, "libstd-", ".rlib")
}

/// The first file of a folder, in no certain order, whose name starts and ends so.
fn find_named(folder: &Path, start: &str, end: &str) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).find(|path| {
        path.file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with(start) && name.ends_with(end))
    })
}

/// `NAME.EXTENSION` in the folder where `NAME` is.
fn beside(folder: &Path, extension: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

fn last_line(error: &anyhow::Error) -> String {
    let said = format!("{error:#}");
    said.lines().last().unwrap_or_default().to_owned()
}

/// Writes a program for the shell.
fn write_script(path: &Path, body: &str) -> Result<()> {
    fs::write(path, format!("#!/bin/sh\n{body}\n")).with_context(|| format!("cannot write {}", path.display()))?;
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(path, fs::Permissions::from_mode(0o755))?;
    }
    Ok(())
}
