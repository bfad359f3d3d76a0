//! Gathers what pages load: every file of `web/static`, and the modules of `web/engine`, if `cargo xtask engine` has
//! made them; and the texts of the guide, with the sources they name. Scripts are bundled with what they import if
//! `cargo xtask bundle` has made that.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Files and folders of the tree that are compiled in: `xtask/src/packages/crates.rs` reads the list.
const TAKEN: &str = include_str!("embedded.txt");

/// In a package the tree is not around the crate; what is taken from it stands in this folder.
const PACKED: &str = "embedded";

/// Where `cargo xtask` leaves the rules for the page. The folder is always there, so that cargo notices when the module
/// appears.
const BUILT: &str = "web/engine/built";

/// Where it leaves the scripts of pages, bundled, and what they were made of. That folder is always there, too.
const BUNDLED: &str = "web/bundled";
const SOURCES: &str = "sources.txt";

/// The rules for the page, the opponents that play in it, what unpacks archives there, and what steps a world. Rules
/// and opponents of games with wide frames stand apart.
const ENGINE: [&str; 6] = [
    "arena_archive.wasm",
    "arena_engine.wasm",
    "arena_engine_wide.wasm",
    "arena_opponents.wasm",
    "arena_opponents_wide.wasm",
    "arena_world.wasm",
];

/// The warning where they are missing.
const NO_ENGINE: &str = "without the modules that pages need, `arena serve` and exports as HTML are refused: run \
    `cargo xtask engine`, then build again";

/// Where the pages are. What else is taken is chapters and sources that the guide shows or names.
const PAGES: &str = "web/";

/// Endings of chapters, their pictures and sources. What else is in their folders stays out.
const TEXTS: [&str; 8] = ["md", "svg", "rs", "c", "h", "zig", "ts", "wat"];

fn main() -> Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = match here.join(PACKED) {
        packed if packed.is_dir() => packed,
        _ => here.ancestors().nth(2).context("the crate stands two folders below the root")?.to_owned(),
    };
    // Templates are among them: askama does not tell cargo about new ones.
    for taken in TAKEN.lines() {
        println!("cargo::rerun-if-changed={}", root.join(taken).display());
    }
    let mut files = Vec::new();
    let folder = root.join("web/static");
    gather(&folder, |_| true, &mut files)?;
    bundle(&folder, &root.join(BUNDLED), &mut files)?;
    files.extend(engine(&root));
    let mut texts = Vec::new();
    for place in TAKEN.lines().filter(|taken| !taken.starts_with(PAGES)) {
        gather(&root.join(place), is_text, &mut texts)?;
    }
    let out = PathBuf::from(env::var("OUT_DIR")?);
    // Also what pages load, and read here to say the same.
    fs::write(out.join("spanish.rs"), format!("include_str!({:?})", folder.join("es.json")))?;
    fs::write(
        out.join("files.rs"),
        table("include_bytes", &mut files, |path| {
            path.strip_prefix(&folder).ok().or_else(|| path.file_name().map(Path::new))
        })?,
    )?;
    fs::write(out.join("guide.rs"), table("include_str", &mut texts, |path| path.strip_prefix(&root).ok())?)?;
    Ok(())
}

/// A slice of names and contents, in the order of the paths.
fn table(include: &str, files: &mut [PathBuf], name: impl Fn(&Path) -> Option<&Path>) -> Result<String> {
    files.sort();
    let mut table = String::from("&[\n");
    for file in &*files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = name(file).and_then(Path::to_str).context("a plain name")?;
        writeln!(table, "    ({name:?}, {include}!({file:?})),")?;
    }
    table.push_str("]\n");
    Ok(table)
}

/// The wanted files at a place: the file that is there, or those in the folder and below.
fn gather(place: &Path, is_wanted: fn(&Path) -> bool, files: &mut Vec<PathBuf>) -> Result<()> {
    if place.is_dir() {
        println!("cargo::rerun-if-changed={}", place.display());
        for entry in fs::read_dir(place).with_context(|| format!("cannot read {}", place.display()))? {
            gather(&entry?.path(), is_wanted, files)?;
        }
    } else if is_wanted(place) {
        files.push(place.to_owned());
    }
    Ok(())
}

/// Whether a file is a chapter, its picture or a source.
fn is_text(file: &Path) -> bool {
    file.extension().is_some_and(|ending| TEXTS.iter().any(|text| ending == *text))
}

/// Replaces scripts by their bundles, if these were made of the same sources.
fn bundle(sources: &Path, bundled: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    println!("cargo::rerun-if-changed={}", bundled.display());
    let Ok(made_of) = fs::read_to_string(bundled.join(SOURCES)) else { return Ok(()) };
    files.sort();
    let mut found = String::new();
    for script in files.iter().filter(|file| is_script(file)) {
        let name = script.strip_prefix(sources)?.to_str().context("a plain name")?;
        found += &format!("{name}\n{}", fs::read_to_string(script)?);
    }
    if found == made_of {
        files.retain(|file| !is_script(file));
        gather(bundled, is_script, files)?;
    }
    Ok(())
}

fn is_script(file: &Path) -> bool {
    file.extension().is_some_and(|ending| ending == "js")
}

/// The rules for the page. A fresh clone builds without them, and the build says so.
fn engine(root: &Path) -> Vec<PathBuf> {
    println!("cargo::rerun-if-changed={}", root.join(BUILT).display());
    let modules = ENGINE.map(|module| root.join(BUILT).join(module));
    if modules.iter().all(|module| module.is_file()) {
        return modules.into();
    }
    println!("cargo::warning={NO_ENGINE}");
    Vec::new()
}
