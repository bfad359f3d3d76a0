//! Each hint is shown by a real output of the tool that it speaks of: a build of `xtask/misbuilt`, which the step
//! `newcomer` of the gate makes and checks.

use std::collections::BTreeMap;
use std::path::Path;

use arena_record::Sentence;
use toml::Table;

use crate::sentences::{COMPONENT, SENTENCES};

/// The first sentence of the list that says what to do; those before it say what is wrong.
const FIRST_HINT: Sentence = COMPONENT;

/// The hints that no build shows, by their first words, and why.
const NOT_SHOWN: [(&str, &str); 11] = [
    (
        "build for plain wasm32, WebAssembly of version 1",
        "no compiler makes another version than 1, but for components",
    ),
    ("build for plain wasm32: ABI.md", "what is newer than all named features is in no released compiler yet"),
    ("build for plain wasm32 without threads", "each feature has a hint of its own, or the one for newer ones"),
    ("build with -target wasm-unknown, or", "TinyGo is in no registry, and what it makes with _start imports a host"),
    ("export `memory`, `arena_observation`", "each export has a hint of its own"),
    ("build a library: what must run once", "each way to be a program has a hint of its own"),
    ("build in release mode", "files that are too large have a hint by their origin"),
    ("this is compressed (zstd)", "no program for zstd comes with Node 20 or Python 3.11"),
    ("split large functions", "the machine's: no module that passes the check takes so long"),
    ("please report this module: it passed", "the compiler's fault: no module is known to show it"),
    ("please report this module: no bot", "the compiler's fault: no module is known to show it"),
];

/// Every hint that there is, with its code.
fn all() -> BTreeMap<&'static str, &'static str> {
    let hints = SENTENCES.iter().skip_while(|sentence| **sentence != FIRST_HINT);
    hints.map(|hint| (hint.english, hint.code)).collect()
}

/// The builds that are refused: what they are, and their words of the hint.
fn builds() -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../xtask/misbuilt");
    let mut builds = Vec::new();
    for entry in std::fs::read_dir(folder).expect("the folder of wrong builds") {
        let path = entry.expect("a file").path();
        if path.extension().is_none_or(|extension| extension != "toml") {
            continue;
        }
        let list: Table = std::fs::read_to_string(&path).expect("a file").parse().expect("a list");
        let language = path.file_stem().expect("a name").to_string_lossy();
        for build in
            list["build"].as_array().expect("builds").iter().filter(|build| build["code"].as_str() != Some("accepted"))
        {
            let [what, hint] = ["what", "hint"].map(|key| build[key].as_str().expect("a text"));
            builds.push((format!("{language}, {what}"), hint.to_owned()));
        }
    }
    builds
}

#[test]
fn every_hint_is_shown_by_a_real_build_or_has_a_reason_why_not() {
    let (all, builds) = (all(), builds());
    let mut shown: BTreeMap<&str, &str> = BTreeMap::new();
    for (build, words) in &builds {
        let meant: Vec<&str> = match all.get_key_value(words.as_str()) {
            Some((hint, _)) => vec![*hint],
            None => all.keys().copied().filter(|hint| hint.contains(words.as_str())).collect(),
        };
        assert_eq!(meant.len(), 1, "{build}: `{words}` is of {meant:?}");
        shown.insert(meant[0], build);
    }
    for (start, _) in NOT_SHOWN {
        assert_eq!(all.keys().filter(|hint| hint.starts_with(start)).count(), 1, "`{start}` begins one hint");
    }
    for (hint, name) in all {
        let reason = NOT_SHOWN.iter().find(|(start, _)| hint.starts_with(start));
        match (shown.get(hint), reason) {
            (Some(build), Some((_, why))) => panic!("{name} has a reason, {why}, and a build: {build}"),
            (None, None) => panic!("no build of xtask/misbuilt shows {name}: `{hint}`"),
            _ => {}
        }
    }
}
