//! What a site without standing tournaments says of editions: that it has none, and nothing of one to come.

use std::collections::BTreeSet;

use serde_json::Value;

use super::town::Town;
use super::{GATE, NOUNS, read, readers};
use crate::client::get;
use crate::fixture::fixture_without_standing;
use crate::snapshot::addresses;

/// Words that speak of editions, in both languages and small letters.
const WORDS: [&str; 6] =
    ["edition", "standing tournament", "edición", "ediciones", "torneo permanente", "torneos permanentes"];

/// Sentences that speak of editions and are true where there is none, by their beginnings.
const TRUE_THERE: [&str; 17] = [
    "This site holds no standing tournament",
    "Este sitio no tiene un torneo permanente",
    "Este sitio no tiene torneos permanentes",
    // What happens to what there may have been.
    "Deleting your account cannot be undone",
    "Deleting your account on the page",
    "Borrar la cuenta no se puede deshacer",
    "Borrar tu cuenta en la página",
    "For good, with all versions",
    "Para siempre, con todas sus versiones",
    "games of standing tournaments (",
    "partidas de torneos permanentes (",
    "as long as their edition is kept",
    "mientras se conserve su edición",
    // Headings of the operator's table, whose rows say 0, and of the API, which is the same on every site.
    "A tournament or an edition (",
    "Standing tournaments (",
    "Edition (",
    "take an edition home (",
];

/// An address whose answer is about what there may be.
const OF_LIMITS: &str = "/api/v1/limits";

/// Requests that are refused with a sentence about tournaments or their authors, beside those of the document.
const REFUSED: [&str; 6] = [
    "/api/v1/games?tournament=cup-9999",
    "/api/v1/games?tournament=standing-1",
    "/api/v1/tournaments/standing-1",
    "/api/v1/tournaments/standing-1/folder",
    "/bots/easy?edition=7",
    "/authors/9999",
];

/// The texts of an answer.
fn texts(value: &Value, found: &mut Vec<String>) {
    match value {
        Value::String(text) => found.push(text.clone()),
        Value::Array(all) => all.iter().for_each(|value| texts(value, found)),
        Value::Object(all) => all.values().for_each(|value| texts(value, found)),
        _ => {}
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_site_without_standing_tournaments_promises_no_edition() {
    let town = Town::built_on(fixture_without_standing().await, GATE).await;
    let fixture = &town.fixture;
    // Links are judged by the tests beside this one.
    let (mut said, mut links): (BTreeSet<String>, Vec<String>) = (BTreeSet::new(), Vec::new());
    for reader in readers(&town) {
        for (language, _) in NOUNS {
            for (path, page) in read(fixture, &reader, language, &mut links).await {
                said.extend(page.lines.into_iter().map(|line| format!("{line} ({language}, {path})")));
            }
        }
    }
    // People's names have blanks, or other letters.
    let bots = town.names.iter().filter(|name| name.is_ascii() && !name.contains(' '));
    let bots = bots.map(|name| format!("/api/v1/bots/{name}/versions"));
    let listed = addresses().into_iter().filter(|(method, path)| {
        method == "GET" && path.starts_with("/api/") && !path.contains('{') && path != OF_LIMITS
    });
    let asked = listed.map(|(_, path)| path).chain(REFUSED.map(String::from)).chain(bots);
    for path in asked {
        for (language, _) in NOUNS {
            let answer = fixture.ask(get(&path).with("accept-language", language)).await;
            let mut found = Vec::new();
            texts(&serde_json::from_str(&answer.text).unwrap_or_default(), &mut found);
            said.extend(found.into_iter().map(|text| format!("{text} ({language}, {path})")));
        }
    }
    let speaks = |line: &String| WORDS.iter().any(|word| line.to_lowercase().contains(word));
    let is_true = |line: &String| TRUE_THERE.iter().any(|start| line.starts_with(start));
    let wrong: Vec<&str> = said.iter().filter(|line| speaks(line) && !is_true(line)).map(String::as_str).collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let none = |start: &str| said.iter().any(|line| line.starts_with(start));
    assert!(none("This site holds no standing tournament") && none("Este sitio no tiene un torneo permanente"));
    let unused: Vec<&&str> = TRUE_THERE.iter().filter(|start| !none(start)).collect();
    assert!(unused.is_empty(), "{unused:?}");
    town.fixture.end().await;
}
