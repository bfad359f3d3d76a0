//! `cargo xtask interpreters`: builds the interpreters of scripts from the sources of registries, and compares them
//! with the released ones.

use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, bail, ensure};
use fs_err as fs;

use super::guests::interpreter_build;
use super::unwind::without_exceptions;
use crate::apt::install_if_possible;
use crate::files::{remove_folder, write_if_changed};
use crate::process::{output, run};
use crate::wasm::{TARGET, WasmToolchain};
use crate::workspace::Workspace;

/// The folder of released interpreters, which the arena embeds.
const FOLDER: &str = "arena/scripts/interpreters";
/// Their pins: the output of `sha256sum`.
const SUMS: &str = "SHA256SUMS";
/// Their names: `javascript.wasm` is built from the package `arena-javascript`.
const NAMES: [&str; 2] = ["javascript", "python"];

/// The compilers that the released bytes come from: what `rustc --version` and `clang --version` begin with. Others
/// make others.
const RUSTC: &str = "rustc 1.95.0 ";
const CLANG: &str = "Debian clang version 14.0.6";

/// The sources of MicroPython in Debian's archive, which has those of all releases beside each other: release 13's.
const MICROPYTHON: &str = "/pool/main/m/micropython/micropython_1.25.0+ds.orig.tar.xz";
/// A package of every release, and of the archive itself rather than that of security updates.
const SOME_PACKAGE: &str = "hello";
const MICROPYTHON_SUM: &str = "7b25be99a502f070b2de81dafc08da7051d992325d6e67daa9045a918fffdbea";
/// What tells the build of Python's interpreter where they are.
const MICROPYTHON_VARIABLE: &str = "ARENA_MICROPYTHON";

/// Builds them and compares them; with `--release`, they become the released ones.
///
/// # Errors
/// If one does not build, or differs although the compilers are those of the released one.
pub(crate) fn interpreters(workspace: &Workspace, toolchain: &WasmToolchain, arguments: &[String]) -> Result<()> {
    let is_release = match arguments {
        [] => false,
        [option] if option == "--release" => true,
        _ => bail!("this command takes --release, or nothing"),
    };
    for program in
        [["clang", "clang"], ["curl", "curl"], ["patch", "patch"], ["python3", "python3"], ["xz", "xz-utils"]]
    {
        install_if_possible(program);
    }
    let folder = workspace.root.join(FOLDER);
    let mut differ = Vec::new();
    for name in NAMES {
        let released = folder.join(name).with_extension("wasm");
        let built = build(workspace, toolchain, name)?;
        if is_release {
            let changed = write_if_changed(&released, &built)?;
            println!("    {name}: {}", if changed { "released" } else { "unchanged" });
        } else if fs::read(&released)? == built {
            println!("    {name}: the released bytes");
        } else {
            differ.push(name);
        }
    }
    if is_release {
        let files = NAMES.map(|name| format!("{name}.wasm"));
        let sums = output(Command::new("sha256sum").current_dir(&folder).args(files))?;
        write_if_changed(&folder.join(SUMS), sums.as_bytes())?;
    }
    if differ.is_empty() {
        return Ok(());
    }
    let differ = differ.join(" and ");
    for (program, version) in [("rustc", RUSTC), ("clang", CLANG)] {
        let here = output(Command::new(program).arg("--version"))?;
        if !here.starts_with(version) {
            println!("    {differ}: not compared; released by {version}, and here is {}", here.trim_end());
            return Ok(());
        }
    }
    bail!("{differ}: the built bytes are not the released ones; `cargo xtask interpreters --release` releases them")
}

/// Builds an interpreter.
fn build(workspace: &Workspace, toolchain: &WasmToolchain, name: &str) -> Result<Vec<u8>> {
    let (mut cargo, folder) = interpreter_build(workspace, toolchain)?;
    if name == "python" {
        cargo.env(MICROPYTHON_VARIABLE, micropython(&folder)?);
    }
    run(cargo.args(["--package", &format!("arena-{name}"), "--lib"]))?;
    let built = fs::read(folder.join(TARGET).join("script").join(format!("arena_{name}.wasm")))?;
    if name == "python" { without_exceptions(&built) } else { Ok(built) }
}

/// The folder of MicroPython's sources, fetched if it is not there yet.
fn micropython(folder: &Path) -> Result<PathBuf> {
    let sources = folder.join(format!("micropython-{}", &MICROPYTHON_SUM[..8]));
    if sources.exists() {
        return Ok(sources);
    }
    let archive = folder.join("micropython.tar.xz");
    let address = mirror()? + MICROPYTHON;
    run(Command::new("curl")
        .args(["--fail", "--silent", "--show-error", "--location", "--output"])
        .arg(&archive)
        .arg(address))?;
    let sum = output(Command::new("sha256sum").arg(&archive))?;
    ensure!(sum.starts_with(MICROPYTHON_SUM), "{MICROPYTHON} has another SHA-256: {sum}");
    let unpacked = folder.join("micropython");
    remove_folder(&unpacked)?;
    fs::create_dir_all(&unpacked)?;
    run(Command::new("tar").arg("xf").arg(&archive).arg("-C").arg(&unpacked).arg("--strip-components=1"))
        .context("unpacking MicroPython")?;
    fs::rename(&unpacked, &sources)?;
    Ok(sources)
}

/// The address of Debian's archive at the mirror that this machine uses.
fn mirror() -> Result<String> {
    let addresses = output(Command::new("apt-get").args(["--print-uris", "download", SOME_PACKAGE]))
        .context("MicroPython's sources come from Debian's archive, and apt-get says where that is")?;
    let mirror = addresses.strip_prefix('\'').and_then(|address| address.split_once("/pool/"));
    Ok(mirror.context("apt-get knows no mirror: `apt-get update` fetches its lists")?.0.to_owned())
}
