//! A toolchain for guests: the path of its std, and its environment for cargo.

use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

use anyhow::Result;
use fs_err as fs;

use crate::files::make_executable;

/// The target of guests.
pub(crate) const TARGET: &str = "wasm32-unknown-unknown";

/// The environment in which cargo builds guests; builds for the host are not affected.
#[derive(Debug)]
pub(crate) struct WasmToolchain {
    env: Vec<(&'static str, OsString)>,
    std: PathBuf,
    identity: String,
}

impl WasmToolchain {
    /// The environment for guest builds: empty if the active rustc can build them.
    pub(crate) fn env(&self) -> impl Iterator<Item = (&'static str, &OsString)> {
        self.env.iter().map(|(name, value)| (*name, value))
    }

    /// Changes when guests have to be rebuilt because std has changed.
    pub(crate) fn identity(&self) -> &str {
        &self.identity
    }

    pub(super) fn new(std: PathBuf, env: Vec<(&'static str, OsString)>) -> Result<Self> {
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

/// The target's std in a sysroot.
pub(super) fn find_std(sysroot: &Path) -> Option<PathBuf> {
    let folder = sysroot.join("lib/rustlib").join(TARGET).join("lib");
    find_named(&folder, "libstd-", ".rlib")
}

/// The first file of a folder, in no particular order, whose name starts with `start` and ends with `end`.
pub(super) fn find_named(folder: &Path, start: &str, end: &str) -> Option<PathBuf> {
    fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path())).find(|path| {
        path.file_name()
            .and_then(|name| name.to_str())
            .is_some_and(|name| name.starts_with(start) && name.ends_with(end))
    })
}

/// `NAME.EXTENSION` in the folder where `NAME` is.
pub(super) fn beside(folder: &Path, extension: &str) -> PathBuf {
    let mut name = folder.as_os_str().to_owned();
    name.push(".");
    name.push(extension);
    PathBuf::from(name)
}

/// Writes a shell script.
pub(super) fn write_script(path: &Path, body: &str) -> Result<()> {
    fs::write(path, format!("#!/bin/sh\n{body}\n"))?;
    make_executable(path)
}
