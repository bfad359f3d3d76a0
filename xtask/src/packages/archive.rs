//! The archive of a release: one folder with the binary, shell completions, a manual page, the licence and the README.
//! `cargo binstall` uses it, too.

use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result};
use fs_err as fs;

use super::product::{Product, put_binary};
use crate::process::{output, run};

/// Outputs of the binary, and the files for them.
const SAID: [(&str, &str); 4] = [
    ("man", "man/arena.1"),
    ("completions bash", "completions/arena.bash"),
    ("completions fish", "completions/arena.fish"),
    ("completions zsh", "completions/_arena"),
];

/// Makes `arena-VERSION-TARGET.tar.gz` in a folder.
///
/// # Errors
/// If a file cannot be read or written, the binary does not run here, or there is no `tar`.
pub(super) fn make(product: &Product, scratch: &Path, out: &Path) -> Result<()> {
    let name = format!("arena-{}-{}", product.version, product.target());
    let folder = scratch.join(&name);
    fs::create_dir_all(&folder)?;
    let binary = folder.join("arena");
    put_binary(product, &binary)?;
    for (command, file) in SAID {
        let file = folder.join(file);
        fs::create_dir_all(file.parent().context("a file is in a folder")?)?;
        fs::write(file, output(Command::new(&binary).args(command.split(' ')))?)?;
    }
    for file in ["LICENSE", "README.md"] {
        fs::copy(product.root.join(file), folder.join(file))?;
    }
    tar(scratch, &name, &out.join(format!("{name}.tar.gz")))
}

/// Packs a subfolder. Equal files give equal bytes: the archive contains no date, owner or order of this machine.
///
/// # Errors
/// If there is no `tar`, or it fails.
pub(super) fn tar(parent: &Path, name: &str, archive: &Path) -> Result<()> {
    run(Command::new("tar")
        .args("--sort=name --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=go-w".split(' '))
        .arg("-C")
        .arg(parent)
        .arg("-czf")
        .arg(archive)
        .arg(name))
}
