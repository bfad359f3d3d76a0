//! Tests that neither language lacks a sentence, and that every translated sentence is used.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arena_runner::Contender;
use arena_wire::{GAMES, Input};

use crate::language::{Language, found, speaking};

/// Sources that use sentences of our own.
const SAID: [&str; 3] = ["web/templates", "web/static", "arena/server/src"];

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
const COMPOSED: [&str; 22] = [
    "row {0}, column {1} is out of reach: neutral ground needs a living cell in your own home",
    "row {0}, column {1} is out of reach: the enemy's home needs living cells in your home, in neutral and there",
    "row {0}, column {1} is not on the board (rows {2}-{3}, columns {4}-{5})",
    "Answer {0} is not checkable here, use arena verify: it gave a place outside its memory.",
    "Answer {0} is not checkable here, use arena verify: it gave no action.",
    "Answer {0} is not checkable here, use arena verify: it took more memory than the arena gives.",
    "Answer {0} is not checkable here, use arena verify: the bytes of a player are not here.",
    "The rules do not agree: the game ends after turn {0} by the rules, and after turn {1} in the record.",
    "The rules do not agree: the outcome or the final digest differs.",
    "The rules do not agree: turn {0}: the digest differs.",
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
        for line in text.match_indices(['"', '`']).map(|(at, _)| &text[at..]) {
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

/// The codes of problems that pages show.
fn codes() -> BTreeSet<String> {
    let mut codes = BTreeSet::new();
    for text in sources(&["arena/server/src"]) {
        let code = |text: &str| literal(text.trim_start()).map(|(code, _)| code);
        for (at, status) in text.match_indices("StatusCode::") {
            let rest = text[at + status.len()..].trim_start_matches(|c: char| c.is_ascii_uppercase() || c == '_');
            codes.extend(code(rest.trim_start_matches(|c: char| c.is_whitespace() || "=>{(,".contains(c))));
        }
        for call in ["not_found(", "unknown("] {
            for (at, call) in text.match_indices(call) {
                codes.extend(code(&text[at + call.len()..]).map(|what| format!("no_such_{what}")));
            }
        }
    }
    // Excludes codes of tests, and other literals that follow a status.
    codes.retain(|code| code != "x" && code.chars().all(|c| c.is_ascii_lowercase() || c == '_') && !code.is_empty());
    codes
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
    let codes = codes();
    let unused: Vec<String> = spanish()
        .into_keys()
        .filter(|key| match key.split_once(':') {
            Some(("problem" | "hint", code)) => !codes.contains(code),
            _ => !known.contains(key),
        })
        .collect();
    assert!(unused.is_empty(), "{unused:#?}");
}

#[test]
fn every_code_of_a_problem_has_a_sentence_and_a_hint() {
    let spanish = spanish();
    let wanted = codes().into_iter().flat_map(|code| [format!("problem:{code}"), format!("hint:{code}")]);
    let lacking: Vec<String> = wanted.filter(|key| !spanish.contains_key(key)).collect();
    assert!(lacking.is_empty(), "{lacking:#?}");
}

/// The sources of refusals that forms show.
const REFUSALS: [&str; 9] = [
    "arena/people/src/careers.rs",
    "arena/store/src/accounts.rs",
    "arena/store/src/bots.rs",
    "arena/store/src/checked_names.rs",
    "arena/store/src/tokens.rs",
    "arena/store/src/versions.rs",
    "arena/service/src/contests/desk.rs",
    "arena/service/src/contests/state.rs",
    "arena/service/src/rooms/error.rs",
];

#[test]
fn a_refusal_that_names_something_is_known_in_spanish() {
    let spanish = spanish();
    let mut lacking = Vec::new();
    for file in REFUSALS {
        let text = fs::read_to_string(root().join(file)).expect("a source");
        for (at, error) in text.match_indices("#[error(") {
            let Some((refusal, _)) = literal(text[at + error.len()..].trim_start()) else { continue };
            let pattern = pattern(&without_code(&refusal));
            // If nothing is named, the sentence of its code says the same.
            if pattern.contains("{0}") && !spanish.contains_key(&pattern) {
                lacking.push(pattern);
            }
        }
    }
    assert!(lacking.is_empty(), "{lacking:#?}");
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

#[test]
fn all_that_a_game_calls_something_is_known() {
    let mut words: BTreeSet<String> = BTreeSet::new();
    for game in GAMES {
        words.extend(game.rules.iter().chain(game.seat_names).map(|text| (*text).to_owned()));
        let built_in = Contender::usual(game.ruleset).filter_map(|name| Contender::baseline(game.ruleset, name).ok());
        words.extend(built_in.map(|opponent| opponent.about().to_owned()));
        words.extend(game.zones.iter().map(|zone| zone.name.to_owned()));
        words.extend(game.room_kinds.iter().map(|kind| kind.title.to_owned()));
        for tool in game.tools {
            words.extend([tool.name.to_owned(), tool.purpose.to_owned()]);
            words.insert(match tool.input {
                Input::Nothing => tool.verb.to_owned(),
                _ => format!("{} 3", tool.verb),
            });
        }
    }
    let unknown: Vec<String> =
        speaking(Language::Spanish, || words.into_iter().filter(|text| found(text).is_none()).collect());
    assert!(unknown.is_empty(), "{unknown:#?}");
}
