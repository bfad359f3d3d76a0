//! The engine's name.

use arena_sandbox::{build, semantics};

#[test]
fn the_build_names_the_engine_that_is_built() {
    let lock = include_str!("../../../../../../Cargo.lock");
    let (_, entry) = lock.split_once("name = \"wasmtime\"\nversion = \"").expect("the engine is locked");
    let (version, _) = entry.split_once('"').expect("a version");
    assert!(build().starts_with(&format!("wasmtime {version} ")), "{} is not of wasmtime {version}", build());
    assert!(!semantics().contains(version), "the engine's version is a note, and verdicts do not depend on it");
}
