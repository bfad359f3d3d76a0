//! Sentences that count something have a singular: what is counted may be one.

use std::fs;
use std::path::Path;

/// Where the program's sentences are made.
const SOURCES: [&str; 4] = ["tournaments/src", "arena/ledger/src", "arena/runner/src", "arena/cli/src"];

/// What sentences count. Bytes are left out: files, modules and records have many.
const THINGS: [&str; 23] = [
    "actions",
    "bots",
    "calls",
    "cells",
    "degrees",
    "entrants",
    "files",
    "games",
    "generations",
    "lines",
    "modules",
    "moves",
    "observations",
    "openings",
    "pairs",
    "points",
    "rounds",
    "rows",
    "seeds",
    "threads",
    "times",
    "tournaments",
    "turns",
];

/// Placeholders before such a word whose value is never one, or a decimal fraction, or has a sentence of its own for
/// one.
const NEVER_ONE: [(&str, &str); 19] = [
    ("bots.rs", "{} entrants"),
    ("change.rs", "{0} games"),
    ("change.rs", "{format:?} entrants"),
    ("change.rs", "{most} entrants"),
    ("commitment.rs", "{} rounds"),
    ("ended.rs", "{tries} times"),
    ("forfeit.rs", "{} times"),
    ("formats.rs", "{entrants} entrants"),
    ("mod.rs", "{entrants} entrants"),
    ("mod.rs", "{tries} times"),
    ("plan.rs", "{0} games"),
    ("play.rs", "{:.1} turns"),
    ("profile.rs", "{points} points"),
    ("scores.rs", "{} games"),
    ("scores.rs", "{points} points"),
    ("testing.rs", "{} games"),
    ("transitivity.rs", "{} points"),
    ("usage.rs", "{lines} lines"),
    ("words.rs", "{pairs} pairs"),
];

/// The placeholders of a source that come before a number of things, each with that word.
fn counted(source: &str) -> Vec<String> {
    let source = source.split("#[cfg(test)]\nmod tests {").next().expect("what is before its tests");
    let lines = source.lines().filter(|line| !line.trim_start().starts_with("//"));
    let found = lines.flat_map(|line| line.match_indices("} ").map(move |(at, _)| (&line[..at], &line[at + 2..])));
    let found = found.filter_map(|(before, after)| {
        let name = &before[before.rfind('{')? + 1..];
        let is_variable = !name.contains(|letter: char| letter.is_ascii_uppercase() || letter.is_whitespace());
        let word = after.split(|letter: char| !letter.is_alphabetic()).next()?;
        (is_variable && THINGS.contains(&word)).then(|| format!("{{{name}}} {word}"))
    });
    found.collect()
}

/// The sources in a folder, by their names.
fn sources(folder: &Path) -> Vec<(String, String)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: std::path::PathBuf| match path.is_dir() {
        true => sources(&path),
        false => vec![(path.file_name().unwrap().to_str().unwrap().into(), fs::read_to_string(path).unwrap())],
    };
    paths.flat_map(read).collect()
}

#[test]
fn what_may_be_one_is_not_called_several() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut found = Vec::new();
    for folder in SOURCES {
        for (file, source) in sources(&root.join(folder)) {
            found.extend(counted(&source).into_iter().map(|text| (file.clone(), text)));
        }
    }
    let known = |(file, text): &(String, String)| NEVER_ONE.contains(&(file.as_str(), text.as_str()));
    let others: Vec<_> = found.iter().filter(|one| !known(one)).collect();
    assert!(others.is_empty(), "say it with `arena_limits::counted`: {others:#?}");
    for (file, text) in NEVER_ONE {
        assert!(found.contains(&(file.into(), text.into())), "{file} no longer says {text}");
    }
}
