//! The API's document is checked in, so that a change of the API shows in the diff.

use std::fs;
use std::path::Path;

/// Set to write the document instead of comparing it.
const BLESS: &str = "ARENA_BLESS";

#[test]
fn the_document_is_the_one_checked_in() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let now = arena_server::openapi();
    if std::env::var_os(BLESS).is_some() {
        fs::write(&path, &now).expect("written");
    }
    let checked_in = fs::read_to_string(&path).expect("arena/server/openapi.json");
    assert!(now == checked_in, "the API has changed: look at the difference after a run with {BLESS}=1");
}

#[test]
fn every_operation_says_what_it_does_and_who_may() {
    let document: serde_json::Value = serde_json::from_str(&arena_server::openapi()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    assert!(paths.len() >= 14, "{}", paths.len());
    for (path, item) in paths {
        assert!(path.starts_with("/api/v1/"), "{path}");
        for (method, operation) in item.as_object().expect("operations") {
            let said = operation["summary"].as_str().or(operation["description"].as_str()).unwrap_or_default();
            assert!(said.len() > 3, "{method} {path} says nothing");
            assert!(operation["responses"].as_object().is_some_and(|all| all.keys().any(|code| code.starts_with('2'))));
        }
    }
}
