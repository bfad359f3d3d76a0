//! The guest bots: found in the tree ([`super::sources`]), built for wasm32, collected as `target/bots/NAME.wasm`.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;

use super::languages::{Compilers, Language};
use super::sources::{Source, find};
use crate::files::{remove_folder, write_if_changed};
use crate::process::run;
use crate::wasm::{TARGET, WasmToolchain};
use crate::workspace::{ENGINE_MODULES, EngineModule, Workspace};

const BASELINES: &str = "arena-baselines";

/// The result of building the guests.
pub(crate) struct Built {
    /// The number of guests built.
    pub(crate) count: usize,
    /// A line for each guest left out because its compiler is missing.
    pub(crate) skipped: Vec<String>,
}

/// Builds every guest whose compiler is available. Files with the right bytes are left alone, and files without a
/// source are removed.
///
/// # Errors
/// If a source does not build, or two make the same file.
pub(crate) fn build(workspace: &Workspace, toolchain: &WasmToolchain, compilers: &Compilers) -> Result<Built> {
    let mut guests = find(&workspace.root)?;
    let mut skipped = Vec::new();
    guests.retain(|name, source| {
        let Source::Foreign { language, .. } = source else { return true };
        let reason = compilers.skipped(*language, &format!("bot {name}"));
        let is_built = reason.is_none();
        skipped.extend(reason);
        is_built
    });
    let mut packages = Vec::new();
    let mut examples = Vec::new();
    for source in guests.values() {
        match source {
            Source::Package { package, .. } => packages.extend(["--package", package.as_str()]),
            Source::Example(name) => examples.extend(["--example", name.as_str()]),
            Source::Text(_) | Source::Foreign { .. } => {}
        }
    }
    if !packages.is_empty() {
        run(cargo_build(workspace, toolchain)?.arg("--lib").args(packages))?;
    }
    // A separate call, because examples bring their package's dev-dependencies with them.
    if !examples.is_empty() {
        run(cargo_build(workspace, toolchain)?.args(["--package", BASELINES]).args(examples))?;
    }
    let built = target_dir(workspace).join(TARGET).join("guest");
    let bots = workspace.bots();
    fs::create_dir_all(&bots)?;
    for (name, source) in &guests {
        let bytes = match source {
            Source::Package { library, .. } => read(&built.join(format!("{library}.wasm")))?,
            // A library's file has `_` instead of `-`.
            Source::Example(name) => read(&built.join("examples").join(format!("{}.wasm", name.replace('-', "_"))))?,
            Source::Text(path) => wat::parse_file(path)?,
            Source::Foreign { language, path } => {
                let module = foreign(workspace)?.join(format!("{name}.wasm"));
                compilers.compile(*language, path, &module)?;
                read(&module)?
            }
        };
        write_if_changed(&bots.join(format!("{name}.wasm")), &bytes)?;
    }
    let count = remove_stale(&bots, &guests.into_keys().collect())?;
    Ok(Built { count, skipped })
}

/// Builds the probe of each available language, for the tests of its layer; returns their folder.
///
/// # Errors
/// If one does not build.
pub(crate) fn build_probes(workspace: &Workspace, arena: &Path, compilers: &Compilers) -> Result<PathBuf> {
    let folder = workspace.target.join("probes");
    remove_folder(&folder)?;
    fs::create_dir_all(&folder)?;
    let text = ["sdk/wat/arena.wat", "sdk/tests/probe.wat"];
    run(Command::new(arena)
        .current_dir(&workspace.root)
        .arg("assemble")
        .args(text)
        .arg("--output")
        .arg(folder.join("wat.wasm")))?;
    for language in Language::ALL {
        if let Some(line) = compilers.skipped(language, "layer") {
            println!("    {line}");
            continue;
        }
        let source = Path::new("sdk/tests").join(format!("probe.{}", language.ending()));
        compilers.compile(language, &source, &folder.join(format!("{}.wasm", language.name())))?;
    }
    Ok(folder)
}

/// Builds an example of a package as a guest that is not a bot; returns its path.
///
/// # Errors
/// If it does not build.
pub(crate) fn build_example(
    workspace: &Workspace,
    toolchain: &WasmToolchain,
    package: &str,
    example: &str,
) -> Result<PathBuf> {
    run(cargo_build(workspace, toolchain)?.args(["--package", package, "--example", example]))?;
    Ok(target_dir(workspace).join(TARGET).join("guest").join("examples").join(format!("{example}.wasm")))
}

/// The folder for modules of other languages.
fn foreign(workspace: &Workspace) -> Result<PathBuf> {
    let folder = target_dir(workspace).join("foreign");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Builds the rules for the page into [`Workspace::engine`]. Modules with unchanged bytes keep their dates, so that the
/// server, which embeds them, is not recompiled.
///
/// # Errors
/// If one does not build.
pub(crate) fn build_engine(workspace: &Workspace, toolchain: &WasmToolchain) -> Result<()> {
    const PROFILE: &str = "page";
    fs::create_dir_all(workspace.engine())?;
    for EngineModule { file, feature, games } in ENGINE_MODULES {
        let flag = format!("--cfg=arena_games=\"{games}\"");
        // A folder for each choice of flags: cargo would compile everything again whenever they change.
        let folder = target_dir(workspace).join(games);
        let mut cargo = cargo_as("build", workspace, toolchain, PROFILE, &[&flag, NO_RANDOM], &folder)?;
        run(cargo.args(["--package", "arena-engine", "--lib", "--no-default-features", "--features", feature]))?;
        let built = read(&folder.join(TARGET).join(PROFILE).join("arena_engine.wasm"))?;
        write_if_changed(&workspace.engine().join(file), &built)?;
    }
    Ok(())
}

/// The arena supports SIMD, which makes a bot that looks ahead up to a third faster. Modules for pages do without it,
/// for older browsers.
const VECTORS: &str = "-Ctarget-feature=+simd128";

/// A stack of 128 KiB instead of 1 MiB, so that all of a guest's memory is cleared in place for its next game instead
/// of being given back and fetched again (`KEPT_BYTES` in `arena/sandbox`).
const STACK: &str = "-Clink-arg=-zstack-size=131072";

/// What matchings bring along would draw from the page: nothing here draws from a system, and a module that asks for
/// the means to do so has no place in a page.
const NO_RANDOM: &str = "--cfg=getrandom_backend=\"unsupported\"";

/// `cargo build` for guests, complete except for what to build.
///
/// Host flags are removed: `-Ctarget-cpu=native` in `RUSTFLAGS` is not meant for guests.
///
/// # Errors
/// If the guests' target folder was made with another std and cannot be removed.
pub(crate) fn cargo_build(workspace: &Workspace, toolchain: &WasmToolchain) -> Result<Command> {
    cargo_as("build", workspace, toolchain, "guest", &[VECTORS, STACK], &target_dir(workspace))
}

/// The stack of an interpreter: what QuickJS limits itself to (`sdk/javascript/src/lib.rs`), and as much for what it
/// calls there.
const SCRIPT_STACK: &str = "-Clink-arg=-zstack-size=196608";

/// `cargo build` for interpreters of scripts, complete except for what to build; and its target folder.
///
/// # Errors
/// As [`cargo_build`].
pub(super) fn interpreter_build(workspace: &Workspace, toolchain: &WasmToolchain) -> Result<(Command, PathBuf)> {
    // A folder of its own: cargo would compile the guests again whenever flags change.
    let folder = target_dir(workspace).join("interpreters");
    Ok((cargo_as("build", workspace, toolchain, "script", &[VECTORS, SCRIPT_STACK], &folder)?, folder))
}

/// `cargo check` for guests: whether something compiles for them.
///
/// # Errors
/// As [`cargo_build`].
pub(crate) fn cargo_check(workspace: &Workspace, toolchain: &WasmToolchain) -> Result<Command> {
    cargo_as("check", workspace, toolchain, "guest", &[VECTORS, STACK, NO_RANDOM], &target_dir(workspace))
}

/// A command of cargo with another profile, these flags for rustc, and another folder within the guests'.
fn cargo_as(
    command: &str,
    workspace: &Workspace,
    toolchain: &WasmToolchain,
    profile: &str,
    flags: &[&str],
    target_dir: &Path,
) -> Result<Command> {
    forget_other_std(&self::target_dir(workspace), toolchain.identity())?;
    let flags = flags.iter().map(|flag| (*flag).to_owned()).collect();
    let mut cargo = workspace.cargo();
    cargo
        .args([command, "--profile", profile, "--target", TARGET])
        .arg("--target-dir")
        .arg(target_dir)
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", [remapped_paths(workspace), flags].concat().join("\u{1f}"))
        .envs(toolchain.env());
    Ok(cargo)
}

/// Flags for rustc that remove this machine's paths from panic messages: with them, a bot's hash would depend on who
/// built it.
pub(crate) fn remapped_paths(workspace: &Workspace) -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let remapped = [(home, "/cargo"), (Some(workspace.root.clone()), "/arena")];
    let flag = |(from, to): (Option<PathBuf>, &str)| Some(format!("--remap-path-prefix={}={to}", from?.display()));
    remapped.into_iter().filter_map(flag).collect()
}

/// Separate from the host's: guests may be built by another rustc.
fn target_dir(workspace: &Workspace) -> PathBuf {
    workspace.target.join("guests")
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| {
        format!(
            "{} is missing after the build: is the crate a cdylib, and its library named after its folder?",
            path.display()
        )
    })
}

/// Removes modules of bots that no longer exist; returns the number of the remaining ones.
fn remove_stale(bots: &Path, names: &BTreeSet<String>) -> Result<usize> {
    for entry in fs::read_dir(bots)? {
        let path = entry?.path();
        let module = path.extension().is_some_and(|extension| extension == "wasm");
        let stem = path.file_stem().and_then(|stem| stem.to_str());
        if module && !stem.is_some_and(|stem| names.contains(stem)) {
            fs::remove_file(&path)?;
        }
    }
    Ok(names.len())
}

/// Removes the guests' target folder if it was made with another std: cargo does not notice that a private std was
/// rebuilt, and rustc would report `can't find crate`.
fn forget_other_std(target_dir: &Path, identity: &str) -> Result<()> {
    let note = target_dir.join("built-with");
    if fs::read_to_string(&note).is_ok_and(|found| found == identity) {
        return Ok(());
    }
    remove_folder(target_dir)?;
    fs::create_dir_all(target_dir)?;
    Ok(fs::write(&note, identity)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guests_of_another_std_are_forgotten() -> Result<()> {
        let root = tempfile::tempdir()?;
        let folder = root.path().join("guests");
        forget_other_std(&folder, "first std")?;
        fs::write(folder.join("artefact"), "")?;
        forget_other_std(&folder, "first std")?;
        assert!(folder.join("artefact").exists());
        forget_other_std(&folder, "second std")?;
        assert!(!folder.join("artefact").exists());
        Ok(())
    }

    #[test]
    fn modules_without_a_source_are_removed_and_nothing_else() -> Result<()> {
        let root = tempfile::tempdir()?;
        for file in ["kept.wasm", "gone.wasm", "notes.txt"] {
            fs::write(root.path().join(file), "")?;
        }
        assert_eq!(remove_stale(root.path(), &BTreeSet::from(["kept".to_owned()]))?, 1);
        assert!(root.path().join("kept.wasm").exists());
        assert!(root.path().join("notes.txt").exists());
        assert!(!root.path().join("gone.wasm").exists());
        Ok(())
    }
}
