//! Tests that neither language lacks a sentence, and that every translated sentence is used.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arena_wire::{GAMES, Input};

/// Sources that use sentences of our own and are not compiled.
const SAID: [&str; 1] = ["web/static"];

/// Sources that make other sentences, which pages translate.
const MADE: [&str; 13] = [
    "bots/baselines/src",
    "sdk/rules/src",
    "sdk/wire/src",
    "tournaments/src",
    "web/engine/src",
    "web/static",
    "arena/people/src",
    "arena/rooms/src",
    "arena/runner/src",
    "arena/sandbox/src",
    "arena/service/src",
    "arena/store/src",
    "arena/server/src",
];

/// The call that looks up a sentence. It is in two parts, so that this file contains no such call.
const CALL: &str = concat!("say", "(");

/// Sentences that are put together from several literals.
const COMPOSED: [&str; 15] = [
    "row {0}, column {1} is out of reach: neutral ground needs a living cell in your own home",
    "row {0}, column {1} is out of reach: the enemy's home needs living cells in your home, in neutral and there",
    "row {0}, column {1} is not on the board (rows {2}-{3}, columns {4}-{5})",
    "a name cannot contain a space",
    "a name cannot contain the character {0}",
    "a space is not allowed there in a name",
    "the character {0} is not allowed there in a name",
    "{0} is no date",
    "{0} is no number of pairs",
    "{0} is no number of places",
    "{0} is no number of rounds",
    "{0} is {1} to {2}, not {3}",
    "line {0}: {1} is {2} to {3}, not {4}",
    "{0} is one line of {1} to {2} characters, none of them a control character",
    "line {0}: {1} is one line of {2} to {3} characters, none of them a control character",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn spanish() -> BTreeMap<String, String> {
    let text = fs::read_to_string(root().join("web/static/es.json")).expect("a catalogue");
    serde_json::from_str(&text).expect("sentences by sentences")
}

fn texts(folder: &Path, found: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            texts(&path, found);
        } else if path.extension().is_some_and(|ending| ["rs", "js", "html"].iter().any(|known| ending == *known)) {
            found.push(fs::read_to_string(path).expect("text"));
        }
    }
}

fn sources(folders: &[&str]) -> Vec<String> {
    let mut found = Vec::new();
    for folder in folders {
        texts(&root().join(folder), &mut found);
    }
    found
}

/// The literal that begins here with its quote, and its end.
fn literal(text: &str) -> Option<(String, usize)> {
    let quote = text.chars().next().filter(|c| "\"'`".contains(*c))?;
    let mut letters = text.char_indices().skip(1).peekable();
    let mut said = String::new();
    while let Some((at, letter)) = letters.next() {
        match letter {
            _ if letter == quote => return Some((said, at + 1)),
            '\\' => match letters.next()?.1 {
                // A line continues after its indentation.
                '\n' => while letters.next_if(|(_, letter)| letter.is_whitespace()).is_some() {},
                'n' => said.push('\n'),
                escaped => said.push(escaped),
            },
            _ => said.push(letter),
        }
    }
    None
}

/// The literals that these sources look up.
fn said() -> BTreeSet<String> {
    let mut all = BTreeSet::new();
    for text in sources(&SAID) {
        for (at, call) in text.match_indices(CALL) {
            if let Some((said, _)) = literal(text[at + call.len()..].trim_start()) {
                all.insert(said);
            }
        }
    }
    all
}

/// A literal as translations are looked up: with `{0}` for a part or a number.
fn pattern(literal: &str) -> String {
    let (mut pattern, mut parts) = (String::new(), 0);
    let mut letters = literal.chars().peekable();
    while let Some(letter) = letters.next() {
        let part = match letter {
            '$' if letters.peek() == Some(&'{') => continue,
            '{' => {
                while letters.next_if(|letter| *letter != '}').is_some() {}
                letters.next().is_some()
            }
            '0'..='9' => {
                while letters.next_if(char::is_ascii_digit).is_some() {}
                true
            }
            _ => false,
        };
        if part {
            pattern.push_str(&format!("{{{parts}}}"));
            parts += 1;
        } else {
            pattern.push(letter);
        }
    }
    pattern
}

/// A literal with a part for each piece of code in it.
fn without_code(literal: &str) -> String {
    literal.split('`').enumerate().map(|(at, text)| if at % 2 == 1 { "{}" } else { text }).collect()
}

/// Every literal of these sources, in all forms in which it may be looked up.
fn made() -> BTreeSet<String> {
    let mut all: BTreeSet<String> = COMPOSED.map(str::to_owned).into();
    for text in sources(&MADE) {
        for line in text.match_indices(['"', '`', '\'']).map(|(at, _)| &text[at..]) {
            let Some((literal, _)) = literal(line) else { continue };
            let cell = literal.replace("{}", "row {}, column {}");
            let code = without_code(&literal);
            all.extend([pattern(&literal), pattern(&cell), pattern(&code), literal.replace('_', " "), literal]);
        }
    }
    for game in GAMES {
        all.extend(game.tools.iter().map(|tool| match tool.input {
            Input::Nothing => tool.verb.to_owned(),
            _ => format!("{} {{0}}", tool.verb),
        }));
    }
    all
}

#[test]
fn spanish_lacks_no_sentence() {
    let spanish = spanish();
    let lacking: Vec<String> = said().into_iter().filter(|said| !spanish.contains_key(said)).collect();
    assert!(lacking.is_empty(), "{lacking:#?}");
}

#[test]
fn no_sentence_is_said_by_nobody() {
    let known: BTreeSet<String> = said().union(&made()).cloned().collect();
    let unused: Vec<String> = spanish().into_keys().filter(|key| !known.contains(key)).collect();
    assert!(unused.is_empty(), "{unused:#?}");
}

#[test]
fn both_languages_have_the_same_parts() {
    let parts = |text: &str| -> BTreeSet<String> {
        (0..10).map(|part| format!("{{{part}}}")).filter(|part| text.contains(part.as_str())).collect()
    };
    for (english, spanish) in spanish() {
        assert_eq!(parts(&english), parts(&spanish), "{english}");
        let tags = |text: &str| text.matches('<').count();
        assert_eq!(tags(&english), tags(&spanish), "{english}");
        // Text that follows a word must not run into it.
        let goes_on = |text: &str| text.starts_with([',', ';', ':', '.', ')', ' ']);
        assert!(goes_on(&spanish) || !goes_on(&english), "{english}");
        assert!(!spanish.is_empty(), "{english}");
    }
}
