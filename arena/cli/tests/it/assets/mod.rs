//! Files for the pages of a site that no browser looks at.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Copies `web/static` into a folder, with a stand-in for the rules for the page: a build in a fresh clone has none.
pub(crate) fn copy_into(folder: &Path) -> PathBuf {
    let assets = folder.join("assets");
    copy(&Path::new(ROOT).join("web/static"), &assets);
    fs::write(assets.join("arena_engine.wasm"), "\0asm\x01\0\0\0").unwrap();
    assets
}

/// Copies a file, or a folder with all that is below.
fn copy(from: &Path, to: &Path) {
    if !from.is_dir() {
        fs::copy(from, to).unwrap();
        return;
    }
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let name = entry.unwrap().file_name();
        copy(&from.join(&name), &to.join(&name));
    }
}
