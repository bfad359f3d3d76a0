//! Gathers what pages load: every file of `web/static`, and the module of `web/engine`, which `cargo xtask build` makes.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};

/// Files and folders of the tree that are compiled in: `xtask/src/packages/crates.rs` reads the list.
const TAKEN: &str = include_str!("embedded.txt");

/// In a package the tree is not around the crate; what is taken from it stands in this folder.
const PACKED: &str = "embedded";

/// Names the module when it is not where `cargo xtask` leaves it.
const ENGINE: &str = "ARENA_ENGINE_WASM";

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
    for entry in fs::read_dir(&folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_file() {
            files.push(path);
        }
    }
    files.push(engine(&root)?);
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        println!("cargo::rerun-if-changed={}", file.display());
        let name = file.file_name().and_then(|name| name.to_str()).context("a plain name")?;
        writeln!(table, "    ({name:?}, include_bytes!({file:?})),")?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("files.rs"), table)?;
    Ok(())
}

fn engine(root: &Path) -> Result<PathBuf> {
    println!("cargo::rerun-if-env-changed={ENGINE}");
    let named = env::var_os(ENGINE).map(PathBuf::from);
    let path = named.unwrap_or_else(|| root.join("target/web/arena_engine.wasm"));
    if path.file_name().is_none_or(|name| name != "arena_engine.wasm") || !path.is_file() {
        bail!("the rules for the page are missing at {}: `cargo xtask build` makes them", path.display());
    }
    Ok(path)
}
