//! `cargo xtask interpreters`: builds the interpreters of scripts from the sources of registries, and compares them
//! with the released ones.

use std::path::PathBuf;
use std::process::Command;

use anyhow::{Result, bail};
use fs_err as fs;

use super::guests::interpreter_build;
use crate::apt::install_if_possible;
use crate::files::write_if_changed;
use crate::process::{output, run};
use crate::wasm::{TARGET, WasmToolchain};
use crate::workspace::Workspace;

/// The folder of released interpreters, which the arena embeds.
const FOLDER: &str = "arena/scripts/interpreters";
/// Their pins: the output of `sha256sum`.
const SUMS: &str = "SHA256SUMS";

/// The compilers that the released bytes come from: what `rustc --version` and `clang --version` begin with. Others
/// make others.
const RUSTC: &str = "rustc 1.95.0 ";
const CLANG: &str = "Debian clang version 14.0.6";

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
    install_if_possible(["clang", "clang"]);
    let released = workspace.root.join(FOLDER).join("javascript.wasm");
    let built = fs::read(build(workspace, toolchain)?)?;
    if is_release {
        let changed = write_if_changed(&released, &built)?;
        println!("    javascript: {}", if changed { "released" } else { "unchanged" });
        let sums = output(Command::new("sha256sum").current_dir(workspace.root.join(FOLDER)).arg("javascript.wasm"))?;
        write_if_changed(&workspace.root.join(FOLDER).join(SUMS), sums.as_bytes())?;
        return Ok(());
    }
    if fs::read(&released)? == built {
        println!("    javascript: the released bytes");
        return Ok(());
    }
    for (program, version) in [("rustc", RUSTC), ("clang", CLANG)] {
        let here = output(Command::new(program).arg("--version"))?;
        if !here.starts_with(version) {
            println!("    javascript: not compared; it was released by {version}, and here is {}", here.trim_end());
            return Ok(());
        }
    }
    bail!("javascript: the built bytes are not the released ones; `cargo xtask interpreters --release` releases them")
}

/// Builds the interpreter of JavaScript.
fn build(workspace: &Workspace, toolchain: &WasmToolchain) -> Result<PathBuf> {
    let (mut cargo, folder) = interpreter_build(workspace, toolchain)?;
    run(cargo.args(["--package", "arena-javascript", "--lib"]))?;
    Ok(folder.join(TARGET).join("script").join("arena_javascript.wasm"))
}
