//! Files for the pages of a site that no browser looks at.

use std::fs;
use std::path::{Path, PathBuf};

/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// Copies `web/static` into a folder, with a stand-in for the rules for the page: a build in a fresh clone has none.
pub(crate) fn copy_into(folder: &Path) -> PathBuf {
    let assets = folder.join("assets");
    fs::create_dir_all(&assets).unwrap();
    for entry in fs::read_dir(Path::new(ROOT).join("web/static")).unwrap() {
        let path = entry.unwrap().path();
        fs::copy(&path, assets.join(path.file_name().unwrap())).unwrap();
    }
    fs::write(assets.join("arena_engine.wasm"), "\0asm\x01\0\0\0").unwrap();
    assets
}
