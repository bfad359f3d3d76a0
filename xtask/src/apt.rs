//! Programs of Debian's packages.

use std::path::Path;
use std::process::Command;
use std::time::Duration;

use anyhow::Result;

use crate::process::{find_on_path, output, within};

/// The time limits of apt, for its lists and for a package of 60 MB.
const LISTS_MAX: Duration = Duration::from_secs(120);
const PACKAGE_MAX: Duration = Duration::from_secs(600);

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
    apt_get(&apt, &["update"], LISTS_MAX)?;
    apt_get(&apt, &["install", "--yes", "--no-install-recommends", package], PACKAGE_MAX)
}

/// The same for what can be done without: the error is a line.
pub(crate) fn install_if_possible([program, package]: [&str; 2]) {
    if let Err(error) = install_missing(program, package) {
        println!("    there is no {program}: {error:#}");
    }
}

/// Whether we may install packages; if unknown, no.
fn is_root() -> bool {
    output(Command::new("id").arg("-u")).is_ok_and(|said| said.trim_end() == "0")
}

fn apt_get(apt: &Path, arguments: &[&str], limit: Duration) -> Result<()> {
    let mut command = within(limit, apt);
    // On this level no package starts a service of its own.
    command.env("RUNLEVEL", "1");
    command.env("DEBIAN_FRONTEND", "noninteractive").arg("--quiet").args(arguments);
    output(&mut command).map(drop)
}
