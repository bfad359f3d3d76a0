//! The scripts of pages, each bundled by esbuild with all modules that it imports. The server's build embeds them; without them, it embeds
//! the modules, and a browser loads each.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;

use super::{TESTS, install_packages};
use crate::files::{ending_in, remove_folder, write_if_changed};
use crate::process::output;
use crate::workspace::{BUNDLED, Workspace};

/// The scripts that pages load; what these import is in folders below.
const SCRIPTS: &str = "web/static";

/// In the folder of bundles: the sources that they were made of. The server's build (`arena/server/build.rs`) compares them.
const SOURCES: &str = "sources.txt";

/// Bundles the scripts.
///
/// # Errors
/// As [`install_packages`]; or if esbuild refuses a script.
pub(crate) fn bundle(workspace: &Workspace) -> Result<()> {
    install_packages(workspace)?;
    let (scripts, out, made) =
        (workspace.root.join(SCRIPTS), workspace.root.join(BUNDLED), workspace.target.join("bundled"));
    remove_folder(&made)?;
    let mut esbuild = Command::new(workspace.root.join(TESTS).join("node_modules/.bin/esbuild"));
    esbuild.current_dir(&workspace.root);
    esbuild.args("--bundle --minify --format=esm --target=es2024 --charset=utf8 --log-level=warning".split(' '));
    let mut outdir = OsString::from("--outdir=");
    outdir.push(&made);
    output(esbuild.arg(outdir).args(ending_in(&scripts, ".js")?))?;
    for old in ending_in(&out, ".js")? {
        if !made.join(old.file_name().context("a file has a name")?).exists() {
            fs::remove_file(old)?;
        }
    }
    // Until all are written, they are of no sources.
    let made_of = sources(&scripts)?;
    if fs::read_to_string(out.join(SOURCES)).is_ok_and(|before| before != made_of) {
        fs::remove_file(out.join(SOURCES))?;
    }
    // What is the same is not written again: cargo would compile the server for it.
    for bundle in ending_in(&made, ".js")? {
        write_if_changed(&out.join(bundle.file_name().context("a file has a name")?), &fs::read(&bundle)?)?;
    }
    write_if_changed(&out.join(SOURCES), made_of.as_bytes())?;
    Ok(())
}

/// All modules of a folder, each after its path.
fn sources(folder: &Path) -> Result<String> {
    let mut files = Vec::new();
    gather(folder, &mut files)?;
    files.sort();
    let mut all = String::new();
    for file in files {
        all += file.strip_prefix(folder)?.to_str().context("a plain name")?;
        all.push('\n');
        all += &fs::read_to_string(&file)?;
    }
    Ok(all)
}

fn gather(folder: &Path, files: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            gather(&path, files)?;
        } else if path.extension().is_some_and(|ending| ending == "js") {
            files.push(path);
        }
    }
    Ok(())
}
