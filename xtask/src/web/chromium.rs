//! The browser for tests of pages.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

use anyhow::{Result, bail};

use crate::process::{find_on_path, output, run_within};

/// For the tests: the path of the browser. For xtask: the browser to use.
pub(super) const CHOICE: &str = "ARENA_CHROMIUM";

/// Chromium without a window system: the same pages in less than half of the processor time.
const SHELL: &str = "chromium-headless-shell";

/// Names of Chromium, in the order of the search.
const CHROMIUM_NAMES: [&str; 5] = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The time limits of apt, for its lists and for a browser of 60 MB.
const APT_LISTS_SECONDS_MAX: u64 = 120;
const APT_SECONDS_MAX: u64 = 600;

/// The browser: the requested one, or the one without windows, which is installed if possible; or else any.
///
/// # Errors
/// If there is none, and we cannot install it.
pub(super) fn ready() -> Result<PathBuf> {
    if let Some(asked) = std::env::var_os(CHOICE) {
        return Ok(PathBuf::from(asked));
    }
    let installed = match find_on_path("apt-get") {
        Some(apt) if find_on_path(SHELL).is_none() && is_root() => install(&apt),
        _ => Ok(()),
    };
    if let Some(found) = CHROMIUM_NAMES.iter().find_map(|name| find_on_path(name)) {
        return Ok(found);
    }
    installed?;
    bail!(
        "there is no Chromium on PATH: install it (Debian: `apt-get install {SHELL}`), or say where it is by {CHOICE}"
    )
}

fn install(apt: &Path) -> Result<()> {
    println!("    installing Chromium");
    apt_get(apt, &["update"], APT_LISTS_SECONDS_MAX)?;
    apt_get(apt, &["install", "--yes", "--no-install-recommends", SHELL], APT_SECONDS_MAX)
}

/// Whether we may install packages; if unknown, no.
fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|said| said.trim_end() == "0")
}

fn apt_get(apt: &Path, arguments: &[&str], seconds_max: u64) -> Result<()> {
    let mut command = Command::new(apt);
    command.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet").args(arguments);
    run_within(&mut command, Duration::from_secs(seconds_max))
}
