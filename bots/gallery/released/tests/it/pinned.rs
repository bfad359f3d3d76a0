//! The modules are those that `SHA256SUMS` pins, and all of them are embedded.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use arena_released::ALL;
use sha2::{Digest, Sha256};

/// As `sha256sum` writes it.
const SUMS: &str = include_str!("../../SHA256SUMS");

fn hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn every_module_is_the_one_that_is_pinned() {
    let pinned: BTreeMap<&str, &str> = SUMS
        .lines()
        .map(|line| line.split_once("  ").expect("a hash and a file"))
        .map(|(hash, file)| (file, hash))
        .collect();
    let embedded: BTreeMap<String, String> =
        ALL.iter().map(|bot| (format!("{}.wasm", bot.name), hex(bot.bytes))).collect();
    let embedded: BTreeMap<&str, &str> = embedded.iter().map(|(file, hash)| (&**file, &**hash)).collect();
    assert_eq!(embedded, pinned, "`cargo xtask gallery` writes SHA256SUMS");
}

#[test]
fn every_module_of_the_folder_is_embedded() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let names = fs::read_dir(here).expect("the folder").map(|entry| entry.expect("a file").file_name());
    let mut files: Vec<String> = names.filter_map(|name| name.into_string().ok()).collect();
    files.retain(|name| name.ends_with(".wasm"));
    files.sort();
    let mut embedded: Vec<String> = ALL.iter().map(|bot| format!("{}.wasm", bot.name)).collect();
    embedded.sort();
    assert_eq!(embedded, files, "src/lib.rs lists every released bot");
}

#[test]
fn the_gallery_says_how_large_each_module_is() {
    let gallery = include_str!("../../../README.md").split_once("## Size and fuel").expect("the heading").1;
    for bot in ALL {
        let row = gallery.lines().find(|line| line.starts_with(&format!("| `{}` | ", bot.name))).expect("a row");
        let bytes: String = row.split('|').nth(3).expect("bytes").chars().filter(char::is_ascii_digit).collect();
        assert_eq!(bytes.parse(), Ok(bot.bytes.len()), "{row}");
    }
}
