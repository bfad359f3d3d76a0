//! Programs of Debian's packages.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::process::{find_on_path, output, run_within};

/// The time limits of apt, for its lists and for a package of 60 MB.
const LISTS_SECONDS_MAX: u64 = 120;
const PACKAGE_SECONDS_MAX: u64 = 600;

/// Installs the package with a program that is missing, if there is `apt-get` and we are root; does nothing otherwise.
///
/// # Errors
/// If that fails.
pub(crate) fn install_missing(program: &str, package: &str) -> Result<()> {
    let Some(apt) = find_on_path("apt-get") else { return Ok(()) };
    if find_on_path(program).is_some() || !is_root() {
        return Ok(());
    }
    println!("    installing {package}");
    apt_get(&apt, &["update"], LISTS_SECONDS_MAX)?;
    apt_get(&apt, &["install", "--yes", "--no-install-recommends", package], PACKAGE_SECONDS_MAX)
}

/// Whether we may install packages; if unknown, no.
fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|said| said.trim_end() == "0")
}

fn apt_get(apt: &Path, arguments: &[&str], seconds_max: u64) -> Result<()> {
    let mut command = Command::new(apt);
    // On this level no package starts a service of its own.
    command.env("RUNLEVEL", "1");
    command.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet").args(arguments);
    run_within(&mut command, Duration::from_secs(seconds_max))
}
