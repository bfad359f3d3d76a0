//! The guest bots: found in the tree, built for wasm32, gathered as `target/bots/NAME.wasm`.
//!
//! | source | becomes |
//! |---|---|
//! | `bots/gallery/NAME/Cargo.toml`: package `bot-NAME`, library `NAME` (with `_` for `-`), a cdylib | `NAME.wasm` |
//! | `bots/gallery/NAME/bot.wat` | `NAME.wasm` |
//! | `bots/gallery/NAME/bot.c`, `.zig` or `.ts` | `NAME.wasm`, where the language is at hand |
//! | `bots/baselines/examples/NAME.rs`, a cdylib | `baseline-NAME.wasm` |

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::languages::{Compilers, Language};
use crate::process::run;
use crate::wasm::{TARGET, WasmToolchain};
use crate::workspace::{Workspace, remove_folder};

const BASELINES: &str = "arena-baselines";

/// What a guest is made of.
#[derive(Debug, PartialEq, Eq)]
enum Source {
    /// A package of the workspace that makes one cdylib.
    Package { package: String, library: String },
    /// A module in the text format.
    Text(PathBuf),
    /// One file in a language whose compiler is fetched.
    Foreign { language: Language, path: PathBuf },
    /// An example of the baselines' package.
    Example(String),
}

/// What came of building the guests.
pub(crate) struct Built {
    /// How many there are.
    pub(crate) count: usize,
    /// A line for each that was left out, because its language is missing.
    pub(crate) skipped: Vec<String>,
}

/// Builds every guest whose language is at hand. A file whose bytes are right already is left alone, and one
/// that no source stands for any more is removed.
///
/// # Errors
/// A source does not build, or two stand for the same file.
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
    // By itself, because examples bring their package's dev-dependencies with them.
    if !examples.is_empty() {
        run(cargo_build(workspace, toolchain)?.args(["--package", BASELINES]).args(examples))?;
    }
    let built = target_dir(workspace).join(TARGET).join("guest");
    let bots = workspace.bots();
    fs::create_dir_all(&bots)?;
    for (name, source) in &guests {
        let bytes = match source {
            Source::Package { library, .. } => read(&built.join(format!("{library}.wasm")))?,
            // A library's file has `_` for `-`.
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

/// Builds the probe of each language at hand, for the tests of its layer; gives their folder, `None` when there is none.
///
/// # Errors
/// One does not build.
pub(crate) fn build_probes(workspace: &Workspace, compilers: &Compilers) -> Result<Option<PathBuf>> {
    let folder = workspace.target.join("probes");
    remove_folder(&folder)?;
    fs::create_dir_all(&folder)?;
    let mut built = None;
    for language in Language::ALL {
        if let Some(line) = compilers.skipped(language, "layer") {
            println!("    {line}");
            continue;
        }
        let source = Path::new("sdk/tests").join(format!("probe.{}", language.ending()));
        compilers.compile(language, &source, &folder.join(format!("{}.wasm", language.name())))?;
        built = Some(folder.clone());
    }
    Ok(built)
}

/// Builds an example of a package as a guest that is no bot; where it is.
///
/// # Errors
/// It does not build.
pub(crate) fn build_example(
    workspace: &Workspace,
    toolchain: &WasmToolchain,
    package: &str,
    example: &str,
) -> Result<PathBuf> {
    run(cargo_build(workspace, toolchain)?.args(["--package", package, "--example", example]))?;
    Ok(target_dir(workspace).join(TARGET).join("guest").join("examples").join(format!("{example}.wasm")))
}

/// Where modules of other languages are made.
fn foreign(workspace: &Workspace) -> Result<PathBuf> {
    let folder = target_dir(workspace).join("foreign");
    fs::create_dir_all(&folder)?;
    Ok(folder)
}

/// Builds the rules for the page and leaves the module at [`Workspace::engine`], whose date changes only
/// with its bytes: the server embeds it, and would be compiled anew.
///
/// # Errors
/// It does not build.
pub(crate) fn build_engine(workspace: &Workspace, toolchain: &WasmToolchain) -> Result<()> {
    run(cargo_build(workspace, toolchain)?.args(["--package", "arena-engine", "--lib"]))?;
    let built = read(&target_dir(workspace).join(TARGET).join("guest").join("arena_engine.wasm"))?;
    let engine = workspace.engine();
    fs::create_dir_all(engine.parent().context("the engine's module is in a folder")?)?;
    write_if_changed(&engine, &built)?;
    Ok(())
}

/// `cargo build` for guests, with everything said but what to build.
///
/// Host flags are taken away: `-Ctarget-cpu=native` in `RUSTFLAGS` is not meant for guests.
///
/// # Errors
/// The guests' target folder is from another std and cannot be removed.
pub(crate) fn cargo_build(workspace: &Workspace, toolchain: &WasmToolchain) -> Result<Command> {
    let target_dir = target_dir(workspace);
    forget_other_std(&target_dir, toolchain.identity())?;
    let mut command = workspace.cargo();
    command
        .args(["build", "--profile", "guest", "--target", TARGET])
        .arg("--target-dir")
        .arg(target_dir)
        .env_remove("RUSTFLAGS")
        .env("CARGO_ENCODED_RUSTFLAGS", remapped_paths(workspace).join("\u{1f}"))
        .envs(toolchain.env());
    Ok(command)
}

/// Paths of this machine would be in panic messages, so that a bot's hash would depend on who built it.
fn remapped_paths(workspace: &Workspace) -> Vec<String> {
    let home = std::env::var_os("CARGO_HOME").map(PathBuf::from);
    let home = home.or_else(|| Some(PathBuf::from(std::env::var_os("HOME")?).join(".cargo")));
    let remapped = [(home, "/cargo"), (Some(workspace.root.clone()), "/arena")];
    let flag = |(from, to): (Option<PathBuf>, &str)| Some(format!("--remap-path-prefix={}={to}", from?.display()));
    remapped.into_iter().filter_map(flag).collect()
}

/// Apart from the host's: guests may be built by another rustc.
fn target_dir(workspace: &Workspace) -> PathBuf {
    workspace.target.join("guests")
}

/// Removes the guests' target folder if it was made with another std: cargo would not notice a private
/// std that was built again, and rustc would say `can't find crate`.
fn forget_other_std(target_dir: &Path, identity: &str) -> Result<()> {
    let note = target_dir.join("built-with");
    if fs::read_to_string(&note).is_ok_and(|found| found == identity) {
        return Ok(());
    }
    remove_folder(target_dir)?;
    fs::create_dir_all(target_dir)?;
    fs::write(&note, identity).with_context(|| format!("cannot write {}", note.display()))
}

/// All guests by name.
fn find(root: &Path) -> Result<BTreeMap<String, Source>> {
    let mut guests = BTreeMap::new();
    let mut add = |name: String, source: Source| match guests.insert(name.clone(), source) {
        None => Ok(()),
        Some(_) => bail!("two bots would become {name}.wasm: rename or remove one"),
    };
    let gallery = root.join("bots/gallery");
    if gallery.is_dir() {
        for entry in fs::read_dir(&gallery)? {
            let folder = entry?.path();
            let Some(name) = folder.file_name().and_then(|name| name.to_str()) else {
                bail!("a bot's folder needs a plain name: {}", folder.display());
            };
            if folder.join("Cargo.toml").is_file() {
                let package = format!("bot-{name}");
                let library = name.replace('-', "_");
                add(name.to_owned(), Source::Package { package, library })?;
            }
            let text = folder.join("bot.wat");
            if text.is_file() {
                add(name.to_owned(), Source::Text(text))?;
            }
            for language in Language::ALL {
                let path = folder.join(format!("bot.{}", language.ending()));
                if path.is_file() {
                    // From the root, so that no path of this machine is in what a compiler is told.
                    let path = path.strip_prefix(root)?.to_owned();
                    add(name.to_owned(), Source::Foreign { language, path })?;
                }
            }
        }
    }
    let examples = root.join("bots/baselines/examples");
    if examples.is_dir() {
        for entry in fs::read_dir(&examples)? {
            let path = entry?.path();
            let source = path.extension().is_some_and(|extension| extension == "rs");
            if let Some(name) = path.file_stem().and_then(|stem| stem.to_str()).filter(|_| source) {
                add(format!("baseline-{name}"), Source::Example(name.to_owned()))?;
            }
        }
    }
    Ok(guests)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    fs::read(path).with_context(|| {
        format!(
            "{} is missing after the build: is the crate a cdylib, and its library named after its folder?",
            path.display()
        )
    })
}

/// Says whether it wrote.
fn write_if_changed(path: &Path, bytes: &[u8]) -> Result<bool> {
    if fs::read(path).is_ok_and(|found| found == bytes) {
        return Ok(false);
    }
    fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
    Ok(true)
}

/// Removes modules of bots that are no more; gives the number of those that are.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(root: &Path, file: &str) -> Result<()> {
        let path = root.join(file);
        fs::create_dir_all(path.parent().context("a file in a folder")?)?;
        Ok(fs::write(path, "")?)
    }

    #[test]
    fn sources_of_all_kinds_are_found() -> Result<()> {
        let root = tempfile::tempdir()?;
        touch(root.path(), "bots/gallery/slow-and-steady/Cargo.toml")?;
        touch(root.path(), "bots/gallery/by-hand/bot.wat")?;
        touch(root.path(), "bots/gallery/in-c/bot.c")?;
        touch(root.path(), "bots/gallery/README.md")?;
        touch(root.path(), "bots/baselines/examples/easy.rs")?;
        touch(root.path(), "bots/baselines/examples/one-more.rs")?;
        touch(root.path(), "bots/baselines/examples/notes.txt")?;
        let found = find(root.path())?;
        let names: Vec<&str> = found.keys().map(String::as_str).collect();
        assert_eq!(names, ["baseline-easy", "baseline-one-more", "by-hand", "in-c", "slow-and-steady"]);
        assert_eq!(found["baseline-one-more"], Source::Example("one-more".to_owned()));
        assert_eq!(
            found["slow-and-steady"],
            Source::Package { package: "bot-slow-and-steady".to_owned(), library: "slow_and_steady".to_owned() }
        );
        let path = PathBuf::from("bots/gallery/in-c/bot.c");
        assert_eq!(found["in-c"], Source::Foreign { language: Language::C, path });
        Ok(())
    }

    #[test]
    fn two_sources_for_one_name_are_refused() -> Result<()> {
        let root = tempfile::tempdir()?;
        touch(root.path(), "bots/gallery/twice/Cargo.toml")?;
        touch(root.path(), "bots/gallery/twice/bot.wat")?;
        let refused = find(root.path()).map_err(|error| error.to_string());
        assert_eq!(refused, Err("two bots would become twice.wasm: rename or remove one".to_owned()));
        Ok(())
    }

    #[test]
    fn equal_bytes_are_not_written_again() -> Result<()> {
        let root = tempfile::tempdir()?;
        let file = root.path().join("bot.wasm");
        assert!(write_if_changed(&file, b"one")?);
        assert!(!write_if_changed(&file, b"one")?);
        assert!(write_if_changed(&file, b"two")?);
        assert_eq!(fs::read(&file)?, b"two");
        Ok(())
    }

    #[test]
    fn modules_without_a_source_are_removed_and_nothing_else() -> Result<()> {
        let root = tempfile::tempdir()?;
        for file in ["kept.wasm", "gone.wasm", "notes.txt"] {
            touch(root.path(), file)?;
        }
        assert_eq!(remove_stale(root.path(), &BTreeSet::from(["kept".to_owned()]))?, 1);
        assert!(root.path().join("kept.wasm").exists());
        assert!(root.path().join("notes.txt").exists());
        assert!(!root.path().join("gone.wasm").exists());
        Ok(())
    }

    #[test]
    fn guests_of_another_std_are_forgotten() -> Result<()> {
        let root = tempfile::tempdir()?;
        let folder = root.path().join("guests");
        forget_other_std(&folder, "first std")?;
        touch(&folder, "artefact")?;
        forget_other_std(&folder, "first std")?;
        assert!(folder.join("artefact").exists());
        forget_other_std(&folder, "second std")?;
        assert!(!folder.join("artefact").exists());
        Ok(())
    }
}
