//! No crate of the arena opens a file in another way than through this one, which takes files only.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::fs;
use std::path::{Path, PathBuf};

/// Calls that would wait for a pipe, or read a device for ever.
const OTHERS: [&str; 7] = [
    "File::open(",
    "File::create(",
    ".open(path)",
    "OpenOptions::new()",
    "fs::read(",
    "fs::read_to_string(",
    "fs::copy(",
];
/// What a crate reads that no stranger can replace, by the file and the call: the kernel's own, and a database that
/// SQLite has just closed.
const ALLOWED: [(&str, &str); 10] = [
    ("files/src/lib.rs", ".open(path)"),
    // What a person names to be written may be a pipe.
    ("cli/src/pack.rs", "File::create(file)"),
    // Tests that are modules of their own.
    ("check/src/check/shown.rs", "fs::read_to_string("),
    ("server/src/problem/answers.rs", "fs::read_to_string("),
    ("studies/src/again.rs", "fs::read_to_string("),
    // Part of builds, and of no program.
    ("text/src/lib.rs", "fs::read_to_string("),
    ("worker/src/processors.rs", "File::open(\"/proc/"),
    ("cli/src/worker.rs", "fs::read_to_string(\"/proc/"),
    ("server/src/metrics.rs", "fs::read_to_string(\"/proc/"),
    ("store/src/sql/sqlite/copy.rs", "File::open(&file)"),
];

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        match path.file_name().and_then(|name| name.to_str()) {
            Some("tests" | "benches" | "tests.rs") => {}
            Some(_) if path.is_dir() => sources(&path, found),
            Some(name) if name.ends_with(".rs") => found.push(path),
            _ => {}
        }
    }
}

#[test]
fn every_file_is_opened_by_the_one_function_that_refuses_pipes_sockets_and_devices() {
    let arena = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let mut found = Vec::new();
    for crates in fs::read_dir(arena).unwrap() {
        let source = crates.unwrap().path().join("src");
        if source.is_dir() {
            sources(&source, &mut found);
        }
    }
    assert!(found.len() > 100, "{}", found.len());
    for path in found {
        let text = fs::read_to_string(&path).unwrap();
        // Unit tests stand at the end.
        let product = text.split("#[cfg(test)]").next().unwrap();
        let name = path.strip_prefix(arena).unwrap().display().to_string();
        for (number, line) in (1..).zip(product.lines()) {
            let line = line.trim();
            let calls = OTHERS.iter().any(|call| line.contains(call)) && !line.starts_with("//");
            let allowed = ALLOWED.iter().any(|(file, call)| name.ends_with(file) && line.contains(call));
            assert!(!calls || allowed, "{name}:{number} opens a file: use arena_files::open\n{line}");
        }
    }
}
