//! Games that a page has played, from the start or from a turn of another one.

use arena_engine::pairs;
use arena_record::Record;
use arena_tournaments::{PAIRS_MIN, PairCounts};
use serde_json::{Value, json};

use super::records::{duel, war_of_life_names};
use super::{ask, hex, refused};

/// The same game, asked of the module: its entrants, or others, from its start or after some of its turns.
fn request(record: &Record, entrants: Value, from: Option<usize>) -> Value {
    let header = &record.header;
    let from = from.map(|turns| json!({ "record": record.to_text(), "turns": turns }));
    let terms = json!({
        "ruleset": header.ruleset, "options": header.options, "seed": header.seed, "entrants": entrants, "from": from,
    });
    json!({ "op": "play", "terms": terms, "bots": {} })
}

fn played(request: &Value) -> Record {
    let answer = ask(request);
    Record::parse(answer["record"].as_str().expect("a record")).expect("by the rules")
}

#[test]
fn a_page_plays_the_game_that_a_site_plays_from_its_start_and_from_any_of_its_turns() {
    for record in [
        duel("conquerors@2", &super::v2(), 3, ["normal", "hard"]),
        duel("war-of-life@1", "start=random", 5, war_of_life_names()),
    ] {
        for from in [None, Some(0), Some(1), Some(record.turns.len() / 2), Some(record.turns.len())] {
            let again = played(&request(&record, json!(record.header.entrants), from));
            assert_eq!((&again.turns, &again.outcome), (&record.turns, &record.outcome), "{from:?}");
        }
    }
}

#[test]
fn another_player_goes_on_from_a_turn_after_what_was_played() {
    let record = duel("conquerors@2", &super::v2(), 3, ["normal", "hard"]);
    let others = json!(["baseline:easy@1", "baseline:hard@1"]);
    let whole = played(&request(&record, others.clone(), None));
    assert_ne!(whole.turns[0], record.turns[0], "the other plays otherwise");
    let from = 10;
    let played = played(&request(&record, others, Some(from)));
    assert_eq!(played.turns[..from], record.turns[..from]);
    assert_ne!(played.turns[from..], record.turns[from..]);
    assert_eq!(arena_referee::check(&played), Ok(()));
}

fn said(counts: [u32; 5]) -> Value {
    serde_json::from_str(&pairs(counts)).expect("JSON")
}

#[test]
fn pairs_say_who_is_stronger_with_the_interval_of_a_match() {
    for counts in [[0; 5], [0, 0, 0, 0, 7], [1, 2, 3, 4, 5], [0, 0, 0, 0, 10], [10, 0, 0, 0, 0], [9, 1, 0, 0, 0]] {
        let (pairs, said) = (PairCounts(counts), said(counts));
        let whole = |tenths: Option<i64>| tenths.map(|tenths| tenths as f64 / 10.0);
        let wanted = pairs.elo();
        for (part, wanted) in [("elo", wanted.tenths), ("low", wanted.low), ("high", wanted.high)] {
            let apart = said[part].as_f64().zip(whole(wanted)).map(|(said, wanted)| (said - wanted).abs());
            assert!(apart.map_or(said[part].is_null() && wanted.is_none(), |apart| apart <= 1.0), "{counts:?}: {said}");
        }
        assert_eq!(said["verdict"] == "too_few", pairs.pairs() < PAIRS_MIN, "{said}");
    }
}

#[test]
fn who_is_not_there_and_what_is_no_game_is_refused() {
    let record = duel("conquerors@2", &super::v2(), 3, ["normal", "hard"]);
    let bot = format!("sha256:{}", hex(&[7; 32]));
    for (entrants, code) in [
        (json!(["baseline:easy@1", bot]), "bad_request"),
        (json!(["baseline:easy@1", "person:00000000000000a1"]), "bad_request"),
        (json!(["baseline:easy@1"]), "unknown_game"),
    ] {
        assert_eq!(refused(&request(&record, entrants, None)).0, code);
    }
}
