//! Tests that neither language lacks a sentence, and that every translated sentence is used.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use arena_record::EntrantId;
use arena_rules::{BySeat, Reason};
use arena_runner::Contender;
use arena_tournaments::{
    Anchor, Definition, Entrant, EntrantSpec, Fate, Format, GameResult, Row, ScheduledGame, Settled, SettledGame,
    Source, Standings,
};
use arena_wire::{GAMES, Input};

use crate::language::{Language, found, found_about, speaking};

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
const COMPOSED: [&str; 43] = [
    "row {0}, column {1} is out of reach: neutral ground needs a living cell in your own home",
    "row {0}, column {1} is out of reach: the enemy's home needs living cells in your home, in neutral and there",
    "row {0}, column {1} is not on the board (rows {2}-{3}, columns {4}-{5})",
    "All {0} answers are the same. The end, a forfeit ({1}), is not checkable here, use arena verify.",
    "All {0} answers are the same, and so are all digests and the outcome; fuel is counted by arena verify.",
    "The only answer is the same. The end, a forfeit ({0}), is not checkable here, use arena verify.",
    "The only answer is the same, and so are all digests and the outcome; fuel is counted by arena verify.",
    "Answer {0} is not checkable here, use arena verify: it does not start on this page: {1}.",
    "Answer {0} is not checkable here, use arena verify: it ended on this page: {1}.",
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
    "entry closed with {0} entrant; it takes {1}",
    "entry closed with {0} entrants; it takes {1}",
    "equal bytes: {0} entrants, {1} different; names of the same bot share a rating, and a game that they played alike counts once in it",
    "equal bytes: {0} entrants, {1} different; names of the same bot share a score, and a game that they played alike counts once in it",
    "no significant difference: {0} is at {1} Elo ({2} %: above {3}) against {4} after {5} pairs; play more games",
    "no significant difference: {0} is at {1} Elo ({2} %: below {3}) against {4} after {5} pairs; play more games",
    "no significant difference: {0} is at {1} Elo ({2} %: {3} to {4}) against {5} after {6} pairs; play more games",
    "not anchored: the games do not bound {0} on both sides",
    "not anchored: {0} does not take part",
    "too few to tell which of {0} and {1} is stronger: {2} pair played; play at least {3} that differ",
    "too few to tell which of {0} and {1} is stronger: {2} pairs played; play at least {3} that differ",
    "{0} is stronger than {1}: {2} Elo ({3} %: above {4}) after {5} pairs",
    "{0} is stronger than {1}: {2} Elo ({3} %: {4} to {5}) after {6} pairs",
    "{0} local in a function, {1} up to here, a vector counting twice; {2} and {3} are allowed",
    "{0} locals in a function, {1} up to here, a vector counting twice; {2} and {3} are allowed",
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
    for text in sources(&["arena/server/src", "arena/service/src", "arena/store/src"]) {
        codes.extend(text.split(".says(").skip(1).filter_map(|said| Some(literal(said.trim_start())?.0)));
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
    "arena/service/src/contests/acts.rs",
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

/// Plays a tournament with given winners; games with equal digests are alike.
fn played(format: &dyn Format, entrants: &[Entrant], result: impl Fn(&ScheduledGame) -> GameResult) -> Settled {
    let mut settled = Settled::default();
    loop {
        let next = format.next(entrants, &settled);
        if next.is_empty() {
            return settled;
        }
        settled.extend(next.iter().map(|game| SettledGame { result: Some(result(&game)), game }));
    }
}

/// Standings of a tournament before its first game; after games that are alike, won by the better seed or mostly so;
/// and with a void and a cancelled game; each with and without an anchor.
fn standings(keys: &str, entrants: usize) -> Vec<Standings> {
    // The last two are one bot if there are as many as that.
    let names: String = (0..entrants)
        .map(|bot| format!("[[entrants]]\nname = \"bot-{bot}\"\nbaseline = \"random{}\"\n", bot.min(3)))
        .collect();
    let definition = Definition::parse(&format!("name = \"All\"\nseed = 7\n{keys}\n{names}")).expect("complete");
    let format = definition.to_format().expect("playable");
    let entrant = |spec: &EntrantSpec| {
        let Source::Baseline(name) = &spec.source else { panic!("a built-in opponent") };
        Entrant::new(spec.name.clone(), EntrantId::of_baseline(name, 1))
    };
    let entrants: Vec<Entrant> = definition.entrants.iter().map(entrant).collect();
    let result = |game: &ScheduledGame, winner: Option<usize>, digest: usize| GameResult {
        winner: game.seats.iter().find(|(_, entrant)| Some(**entrant) == winner).map(|(seat, _)| seat),
        forfeits: Vec::new(),
        tally: BySeat::from(vec![1; game.seats.values().len()]),
        digest: [digest as u8; 32],
        reason: Reason::Majority,
        turns: 1,
    };
    let better = |game: &ScheduledGame| game.seats.values().iter().min().copied();
    let alike = played(&*format, &entrants, |game| result(game, better(game), 0));
    let won = played(&*format, &entrants, |game| result(game, better(game), game.number));
    let drawn = played(&*format, &entrants, |game| result(game, None, game.number));
    let mostly =
        played(&*format, &entrants, |game| result(game, better(game).filter(|_| game.number % 8 > 0), game.number));
    let mut missing = won.clone();
    missing.decide(0, Fate::Void);
    missing.decide(1, Fate::Cancelled);
    let mut all = vec![Settled::default(), alike, won, drawn, mostly, missing];
    // With an anchor that does not take part, and with one that holds where games were drawn.
    for bot in [EntrantId::of_baseline("hard", 9), entrants[0].id.clone()] {
        let anchored = all[..6].iter().cloned().map(|mut settled| {
            settled.anchor = Some(Anchor { bots: vec![bot.clone()], rating: -20 });
            settled
        });
        all.extend(anchored.collect::<Vec<_>>());
    }
    all.iter().map(|settled| format.standings(&entrants, settled)).collect()
}

#[test]
fn every_note_and_column_of_standings_of_every_format_is_known() {
    let mut all = Vec::new();
    for format in [
        "format = \"round-robin\"\npairs = 2\ntie-breaks = [\"buchholz\", \"sonneborn-berger\", \"head-to-head\"]",
        "format = \"gauntlet\"\npairs = 2",
        "format = \"swiss\"\npairs = 1\nrounds = 2",
        "format = \"knockout\"\npairs = 2\nfurther-pairs = 1",
        "format = \"double-knockout\"\npairs = 2",
        "format = \"ladder\"\nrounds = 3",
    ] {
        all.extend(standings(&format!("ruleset = \"war-of-life@1\"\n{format}"), 5));
    }
    for pairs in [0, 1, 8] {
        let field = format!("format = \"field\"\ngames = 4\npairs = {pairs}");
        all.extend(standings(&format!("ruleset = \"game-of-game-of-life@1\"\noptions = \"seats=3\"\n{field}"), 5));
    }
    // Two entrants, of whom a sentence says which one is stronger.
    for pairs in [1, 8, 40] {
        let two = format!("ruleset = \"war-of-life@1\"\nformat = \"round-robin\"\npairs = {pairs}");
        all.extend(standings(&two, 2));
    }
    let unknown: BTreeSet<String> = speaking(Language::Spanish, || {
        let mut unknown = BTreeSet::new();
        for standings in &all {
            let names: Vec<&str> = standings.rows.iter().map(Row::shown).collect();
            let notes = standings.notes.iter().map(|note| note.text.as_str());
            let titles = standings.columns.iter().filter(|column| column.is_for_people()).map(|column| column.title);
            let lacking = notes.chain(titles).filter(|text| found_about(text, &names).is_none());
            unknown.extend(lacking.map(str::to_owned));
        }
        unknown
    });
    assert!(unknown.is_empty(), "{unknown:#?}");
}
