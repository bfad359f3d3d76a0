//! Gathers what `arena new` puts into a project: the templates, the layers of all languages, the Rust SDK's sources, the
//! contract. All of it is text, and compiled in, so that the binary needs nothing beside it.

use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

/// Files and folders of `sdk`, with all that is in them.
const TAKEN: [&str; 12] = [
    "ABI.md",
    "assemblyscript",
    "c",
    "rules/Cargo.toml",
    "rules/src",
    "rust/Cargo.toml",
    "rust/src",
    "templates",
    "wat",
    "wire/Cargo.toml",
    "wire/src",
    "zig",
];

fn main() -> Result<()> {
    let here = PathBuf::from(env::var("CARGO_MANIFEST_DIR")?);
    let sdk = here.ancestors().nth(2).context("the crate stands two folders below the root")?.join("sdk");
    let mut files = Vec::new();
    for taken in TAKEN {
        let path = sdk.join(taken);
        println!("cargo::rerun-if-changed={}", path.display());
        gather(&path, &mut files)?;
    }
    files.sort();
    let mut table = String::from("&[\n");
    for file in &files {
        let name = file.strip_prefix(&sdk)?.to_str().context("a plain name")?.replace('\\', "/");
        writeln!(table, "    ({name:?}, include_str!({file:?})),")?;
    }
    table.push_str("]\n");
    fs::write(Path::new(&env::var("OUT_DIR")?).join("sdk.rs"), table)?;
    Ok(())
}

fn gather(path: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    if path.is_file() {
        files.push(path.to_owned());
        return Ok(());
    }
    for entry in fs::read_dir(path).with_context(|| format!("cannot read {}", path.display()))? {
        gather(&entry?.path(), files)?;
    }
    Ok(())
}
