//! What is costly to make and the same for all tests of a program, each of which is a process: made by the first that
//! needs it. A file that they include.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;

/// The folder with what `make` puts into it, made once for each build of the test program. `name` is unique in the
/// workspace; `target` is the program's `CARGO_TARGET_TMPDIR`.
///
/// # Panics
/// When it cannot be made.
pub(crate) fn made_once(target: &str, name: &str, make: impl FnOnce(&Path)) -> PathBuf {
    let target = Path::new(target);
    fs::create_dir_all(target).expect("a folder");
    let program = fs::metadata(std::env::current_exe().expect("a program")).expect("its file");
    let modified = program.modified().expect("a time").duration_since(UNIX_EPOCH).expect("after 1970");
    let build = format!("{}-{}", program.len(), modified.as_nanos());
    let place = target.join(name);
    let made = place.join(&build);
    let lock = File::create(target.join(format!("{name}.lock"))).expect("a lock");
    // Until this returns or the process ends.
    lock.lock().expect("locked");
    if !made.exists() {
        // Of an earlier build, or unfinished.
        let _ = fs::remove_dir_all(&place);
        let making = place.join("making");
        fs::create_dir_all(&making).expect("a folder");
        make(&making);
        fs::rename(making, &made).expect("renamed");
    }
    made
}
