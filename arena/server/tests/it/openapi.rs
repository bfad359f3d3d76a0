//! The API's document is checked in, so that a change of the API shows in the diff.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

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
fn every_body_has_the_fields_that_it_may_have_and_no_other() {
    let document: serde_json::Value = serde_json::from_str(&arena_server::openapi()).expect("JSON");
    let mut seen = 0;
    for (path, item) in document["paths"].as_object().expect("paths") {
        for operation in item.as_object().expect("operations").values() {
            let Some(body) = operation["requestBody"]["content"].get("application/json") else { continue };
            match body["schema"]["$ref"].as_str() {
                Some(name) => {
                    let schema = document.pointer(name.trim_start_matches('#')).expect("a schema");
                    assert_eq!(schema["additionalProperties"], false, "{path}");
                    seen += 1;
                }
                // What a socket hears is read by its type; tests beside it say that nothing else is.
                None => assert!(path.ends_with("/commands"), "{path}"),
            }
        }
    }
    assert!(seen >= 20, "{seen}");
}

#[test]
fn every_operation_says_what_it_does_and_who_may() {
    let document: serde_json::Value = serde_json::from_str(&arena_server::openapi()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let mut seen = BTreeSet::new();
    assert!(paths.len() >= 14, "{}", paths.len());
    for (path, item) in paths {
        assert!(path.starts_with("/api/v1/"), "{path}");
        for (method, operation) in item.as_object().expect("operations") {
            let said = operation["summary"].as_str().or(operation["description"].as_str()).unwrap_or_default();
            assert!(said.len() > 3, "{method} {path} says nothing");
            assert!(
                seen.insert(operation["operationId"].as_str().expect("a name").to_owned()),
                "{method} {path} has no own name"
            );
            for parameter in operation["parameters"].as_array().into_iter().flatten() {
                let name = parameter["name"].as_str().expect("a name");
                let in_path = path.contains(&format!("{{{name}}}"));
                assert_eq!(parameter["in"], if in_path { "path" } else { "query" }, "{name} of {method} {path}");
                assert_eq!(parameter["required"], in_path, "{name} of {method} {path}");
            }
            for (status, response) in operation["responses"].as_object().expect("answers") {
                assert!(
                    !response["description"].as_str().unwrap_or_default().is_empty(),
                    "{status} of {method} {path}"
                );
                let problem = response["content"].get("application/problem+json").is_some();
                assert_eq!(problem, !status.starts_with('2'), "{status} of {method} {path}");
            }
            assert!(operation["responses"].as_object().is_some_and(|all| all.keys().any(|code| code.starts_with('2'))));
        }
    }
}

/// All files in a folder.
fn sources(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
    let read = |path: PathBuf| {
        if path.is_dir() { sources(&path) } else { vec![fs::read_to_string(path).expect("a source")] }
    };
    entries.flat_map(read).collect()
}

/// The document has one schema for each name, and would describe two types of one name by one of them.
#[test]
fn no_two_types_share_a_schema() {
    let mut names = BTreeSet::new();
    for source in sources(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src")) {
        for item in source.split("#[derive(").skip(1) {
            if item.split(']').next().is_none_or(|derived| !derived.contains("ToSchema")) {
                continue;
            }
            let mut words = item.split(|letter: char| !letter.is_alphanumeric());
            let name = words.find(|word| ["struct", "enum"].contains(word)).and_then(|_| words.next());
            let name = name.expect("what is derived for has a name");
            assert!(names.insert(name.to_owned()), "two types are called {name}");
        }
    }
    assert!(names.len() > 50, "{names:?}");
}
