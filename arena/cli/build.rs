//! Gathers what `arena new` puts into a project: the templates, the layers of all languages, the Rust SDK's sources,
//! the contract. All of it is text, and compiled in, so that the binary needs nothing beside it.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Files and folders of the tree, with all that is in them: `xtask/src/packages/crates.rs` reads the list, too.
const TAKEN: &str = include_str!("embedded.txt");

/// In a package the tree is not around the crate; what is taken from it stands in this folder.
const PACKED: &str = "embedded";

/// Ends the name of a manifest there: cargo leaves folders with a manifest out of a package.
const PACKED_MANIFEST: &str = ".packed";

fn main() -> Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let root = match here.join(PACKED) {
        packed if packed.is_dir() => packed,
        _ => here.ancestors().nth(2).context("the crate stands two folders below the root")?.to_owned(),
    };
    let mut files = Vec::new();
    for taken in TAKEN.lines() {
        let path = root.join(taken);
        println!("cargo::rerun-if-changed={}", path.display());
        gather(&path, &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(root.join("sdk"))?.to_str().context("a plain name")?.replace('\\', "/");
        let name = name.strip_suffix(PACKED_MANIFEST).unwrap_or(&name);
        writeln!(table, "    ({name:?}, include_str!({file:?})),")?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("sdk.rs"), table)?;
    Ok(())
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    let manifest = path.with_file_name(format!("Cargo.toml{PACKED_MANIFEST}"));
    if path.ends_with("Cargo.toml") && manifest.is_file() {
        files.push(manifest);
        return Ok(());
    }
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))? {
        gather(&entry?.path(), files)?;
    }
    Ok(())
}
