//! The browser for tests of pages.

use std::path::PathBuf;

use anyhow::{Result, bail};

use crate::apt;
use crate::process::find_on_path;

/// For the tests: the path of the browser. For xtask: the browser to use.
pub(super) const CHOICE: &str = "ARENA_CHROMIUM";

/// Chromium without a window system: the same pages in less than half of the processor time.
const SHELL: &str = "chromium-headless-shell";

/// Names of Chromium, in the order of the search.
const CHROMIUM_NAMES: [&str; 5] = [SHELL, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// The browser: the requested one, or the one without windows, which is installed if possible; or else any.
///
/// # Errors
/// If there is none, and we cannot install it.
pub(super) fn ready() -> Result<PathBuf> {
    if let Some(asked) = std::env::var_os(CHOICE) {
        return Ok(PathBuf::from(asked));
    }
    let installed = apt::install_missing(SHELL, SHELL);
    if let Some(found) = CHROMIUM_NAMES.iter().find_map(|name| find_on_path(name)) {
        return Ok(found);
    }
    installed?;
    bail!(
        "there is no Chromium on PATH: install it (Debian: `apt-get install {SHELL}`), or say where it is by {CHOICE}"
    )
}
