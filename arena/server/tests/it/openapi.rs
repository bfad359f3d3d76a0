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

/// Fields of 64 bits that stay far below 2^53, by what they are. Every other one has a text beside it.
const SMALL: [(&str, &[&str]); 6] = [
    (
        "moments, in milliseconds",
        &["at", "since", "until", "created_at", "expires_at", "opened_at", "submitted_at", "used_at"],
    ),
    ("times", &["lease_ms", "seconds"]),
    (
        "numbers that a store or a world counts up",
        &["account", "bot", "by", "generation", "id", "next", "number", "revision", "token", "version"],
    ),
    (
        "counts",
        &[
            "accepted",
            "count",
            "first_games",
            "games",
            "guesses",
            "held_back",
            "judge_faults",
            "platform_faults",
            "points",
            "practice_games",
            "rated_games",
            "refused",
            "verified",
        ],
    ),
    (
        "bytes",
        &[
            "disk_free_bytes",
            "disk_free_bytes_min",
            "dropped",
            "finished_room_bytes",
            "offset",
            "rated_room_bytes",
            "size_bytes",
        ],
    ),
    (
        "within limits",
        &[
            "coins",
            "default",
            "fuel",
            "high",
            "low",
            "max",
            "min",
            "self_fuel",
            "total_fuel",
            "turn_fuel",
            "turn_fuel_max",
            "value",
        ],
    ),
];

/// The client's own number: one that it can read.
const CLIENTS: &str = "client_seq";

/// The fields of 64 bits in a schema, each with the names beside it.
fn numbers_of_64_bits(schema: &serde_json::Value, found: &mut Vec<(String, BTreeSet<String>)>) {
    if let Some(fields) = schema["properties"].as_object() {
        for (name, field) in fields.iter().filter(|(_, field)| field["format"] == "int64") {
            if field["maximum"].as_u64().is_none_or(|most| most >= 1 << 53) {
                found.push((name.clone(), fields.keys().cloned().collect()));
            }
        }
    }
    match schema {
        serde_json::Value::Object(parts) => parts.values().for_each(|part| numbers_of_64_bits(part, found)),
        serde_json::Value::Array(parts) => parts.iter().for_each(|part| numbers_of_64_bits(part, found)),
        _ => {}
    }
}

/// JavaScript and others round numbers beyond 53 bits.
#[test]
fn a_number_that_may_need_more_than_53_bits_has_a_text_beside_it() {
    let document: serde_json::Value = serde_json::from_str(&arena_server::openapi()).expect("JSON");
    let mut found = Vec::new();
    numbers_of_64_bits(&document, &mut found);
    let small: BTreeSet<&str> = SMALL.iter().flat_map(|(_, names)| names.iter().copied()).collect();
    let mut texts = 0;
    for (name, beside) in &found {
        let text = beside.contains(&format!("{name}_text"));
        texts += usize::from(text);
        assert!(
            text || small.contains(&name[..]) || name == CLIENTS,
            "{name} may not arrive as it is sent: add {name}_text"
        );
    }
    assert!(texts > 0 && found.len() > 40, "{found:?}");
    let unused: Vec<&str> = small.into_iter().filter(|name| !found.iter().any(|(known, _)| known == name)).collect();
    assert!(unused.is_empty(), "{unused:?}");
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
