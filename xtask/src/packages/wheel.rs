//! The package for `pip`: a wheel whose only content is the binary, put on `PATH` unchanged, without any Python code.
//!
//! This module writes the wheel's contents; PyPA's `wheel`, in a pinned version, packs them.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::Result;
use fs_err as fs;

use super::product::{ABOUT, NAME, Product, put_binary};
use crate::bots::languages::install_from_pypi;
use crate::process::output;
use crate::workspace::Workspace;

/// The pin of `wheel`.
const PIN: &str = "xtask/packages/requirements.txt";

/// The date of the files in a wheel, the earliest in a zip file: equal binaries give equal bytes.
const SECONDS_OF_1980: &str = "315532800";

/// The folder with the package `wheel`, fetched if it is missing.
///
/// # Errors
/// If there is no Python with pip, or the registry cannot be reached.
pub(super) fn tool(workspace: &Workspace) -> Result<PathBuf> {
    install_from_pypi(workspace, &workspace.root.join(PIN))
}

/// Makes the wheel in a folder.
///
/// # Errors
/// If `wheel` fails, or a file cannot be read or written.
pub(super) fn make(product: &Product, tool: &Path, scratch: &Path, out: &Path) -> Result<()> {
    let stem = format!("{}-{}", NAME.replace('-', "_"), product.version);
    let folder = scratch.join("wheel");
    let (scripts, info) = (folder.join(format!("{stem}.data/scripts")), folder.join(format!("{stem}.dist-info")));
    fs::create_dir_all(&scripts)?;
    fs::create_dir_all(&info)?;
    put_binary(product, &scripts.join("arena"))?;
    fs::copy(product.root.join("LICENSE"), info.join("LICENSE"))?;
    fs::write(info.join("METADATA"), metadata(product)?)?;
    let tags: String = platforms(product).iter().map(|platform| format!("Tag: py3-none-{platform}\n")).collect();
    fs::write(info.join("WHEEL"), format!("Wheel-Version: 1.0\nGenerator: xtask\nRoot-Is-Purelib: false\n{tags}"))?;
    let mut pack = Command::new("python3");
    pack.args(["-m", "wheel", "pack"]).arg(&folder).arg("--dest-dir").arg(out);
    output(pack.env("PYTHONPATH", tool).env("SOURCE_DATE_EPOCH", SECONDS_OF_1980)).map(drop)
}

/// Where it can be installed: a static binary on any Linux, others only on machines like this one.
fn platforms(product: &Product) -> Vec<String> {
    let families: &[&str] = if product.is_static { &["manylinux_2_17", "musllinux_1_1"] } else { &["linux"] };
    families.iter().map(|family| format!("{family}_{}", product.machine.arch)).collect()
}

fn metadata(product: &Product) -> Result<String> {
    let about = fs::read_to_string(product.root.join(ABOUT))?;
    let project = product.repository.as_ref().map(|url| format!("Project-URL: Source, {url}\n")).unwrap_or_default();
    Ok(format!(
        "Metadata-Version: 2.1\nName: {NAME}\nVersion: {}\nSummary: {}\nLicense: {}\n{project}\
         Requires-Python: >=3.8\nDescription-Content-Type: text/markdown\n\n{about}",
        product.version, product.description, product.license
    ))
}
