//! Pictures of records and of games in progress, of every ruleset.

use arena_record::Record;
use arena_rules::{Ruleset, Seat, game_of_game_of_life, war_of_life};
use arena_wire::{Call, Game, Picture, Protocol};
use serde_json::{Value, json};

use super::records::{casual, duel, field, war_of_life_names};
use super::{ask, check, hex, refused};

/// The turns of a record as a page sends them.
fn turns(record: &Record, upto: usize) -> Vec<Value> {
    let turns = record.turns[..upto].iter();
    turns
        .map(|turn| turn.plays.iter().map(|play| json!({ "seat": play.seat, "action": hex(&play.action.0) })).collect())
        .collect()
}

/// Calls as a page writes them.
fn calls(calls: &[Call]) -> Value {
    let cells = |call: &Call| call.cells.iter().map(|cell| [cell.row, cell.col]).collect::<Vec<_>>();
    calls.iter().map(|call| json!({ "tool": call.tool.name, "cells": cells(call) })).collect()
}

fn game(record: &Record, upto: usize) -> Value {
    let header = &record.header;
    json!({ "ruleset": header.ruleset, "options": header.options, "turns": turns(record, upto) })
}

/// Cells in the contract's numbers, from the text that pages get.
fn cells(text: &Value) -> Vec<u8> {
    let byte = |character: u8| match character {
        b'.' => 0,
        b'#' => Picture::NEUTRAL,
        seat => seat - b'a' + 1,
    };
    text.as_str().expect("a text").bytes().map(byte).collect()
}

/// The pictures of a film, each of them whole.
fn frames(film: &Value) -> Vec<String> {
    let mut cells: Vec<char> = Vec::new();
    let frame = |frame: &Value| {
        match frame.as_str() {
            Some(whole) => cells = whole.chars().collect(),
            None => frame.as_array().expect("changes").iter().for_each(|change| {
                let owner = change[1].as_str().and_then(|owner| owner.chars().next()).expect("an owner");
                let old = &mut cells[change[0].as_u64().expect("a place") as usize];
                assert_ne!(std::mem::replace(old, owner), owner);
            }),
        }
        cells.iter().collect()
    };
    film["frames"].as_array().expect("a list").iter().map(frame).collect()
}

fn pictures<P: Protocol>(record: &Record) -> Vec<Picture> {
    let replay = arena_referee::replay::<P>(record).expect("just played");
    replay.positions().map(|position| position.picture()).collect()
}

fn agrees(film: &Value, pictures: &[Picture]) {
    let (frames, tallies) = (frames(film), film["tallies"].as_array().expect("a list"));
    assert_eq!((frames.len(), tallies.len()), (pictures.len(), pictures.len()));
    for (turn, picture) in pictures.iter().enumerate() {
        assert_eq!(cells(&json!(frames[turn])), picture.cells, "turn {turn}");
        assert!(turn % 64 != 0 || film["frames"][turn].is_string(), "any picture is near a whole one");
        assert_eq!(tallies[turn], json!(picture.tally.values()), "turn {turn}");
        assert_eq!((&film["rows"], &film["cols"]), (&json!(picture.rows), &json!(picture.cols)));
    }
}

#[test]
fn a_record_of_any_game_is_shown_as_the_rules_have_it() {
    let [conquerors, war, two] = casual();
    let many = field("seats=9", 6, &[1, 2, 3, 4, 5, 6, 7, 8, 9]);
    assert!(many.turns.len() > 100, "a game to speak of");
    for (record, pictures) in [
        (&conquerors, pictures::<arena_rules::conquerors::Position>(&conquerors)),
        (&war, pictures::<war_of_life::Position>(&war)),
        (&two, pictures::<game_of_game_of_life::Position>(&two)),
        (&many, pictures::<game_of_game_of_life::Position>(&many)),
    ] {
        let shown = ask(&json!({ "op": "replay", "record": record.to_text() }));
        assert_eq!((&shown["verified"], &shown["why_not"]), (&json!(true), &json!([])));
        agrees(&shown["film"], &pictures);
        let game = Game::named(&record.header.ruleset).expect("a game");
        for (turn, written) in shown["turns"].as_array().expect("a list").iter().zip(&record.turns) {
            assert_eq!(turn["digest"], written.digest.to_string());
            for (play, written) in turn["plays"].as_array().expect("a list").iter().zip(&written.plays) {
                assert_eq!((&play["seat"], &play["fuel"]), (&json!(written.seat), &json!(written.fuel)));
                assert_eq!(play["calls"], calls(&game.describe(&written.action.0).expect("an action")));
            }
            assert_eq!(turn["plays"].as_array().map(Vec::len), Some(written.plays.len()));
        }
        assert_eq!(shown["turns"].as_array().map(Vec::len), Some(record.turns.len()));
        assert_eq!(shown["outcome"]["tally"], json!(record.outcome.tally));
        assert_eq!(shown["film"]["title"], game.title);
    }
}

#[test]
fn most_turns_change_so_little_that_only_this_is_told() {
    let [record, ..] = casual();
    let shown = ask(&json!({ "op": "replay", "record": record.to_text() }));
    let told = shown["film"]["frames"].as_array().expect("a list");
    assert!(told[0].is_string() && told.iter().filter(|frame| frame.is_array()).count() > told.len() / 2);
    assert_eq!(shown["film"]["seat_names"], json!(["blue", "red"]));
}

/// A whole stage, from the frame that its changes refer to.
fn staged(before: &str, stage: &Value) -> String {
    let mut cells: Vec<char> = before.chars().collect();
    for change in stage.as_array().into_iter().flatten() {
        let owner = change[1].as_str().and_then(|owner| owner.chars().next()).expect("an owner");
        cells[change[0].as_u64().expect("a place") as usize] = owner;
    }
    stage.as_str().map_or_else(|| cells.iter().collect(), str::to_owned)
}

#[test]
fn turns_of_one_seat_have_a_stage_before_their_generation() {
    let [conquerors, war, two] = casual();
    for record in [&conquerors, &war] {
        let film = ask(&json!({ "op": "replay", "record": record.to_text() }))["film"].clone();
        let (frames, stages) = (frames(&film), film["stages"].as_array().expect("a list"));
        assert_eq!(stages.len(), record.turns.len());
        for (turn, play) in record.turns.iter().enumerate().map(|(turn, record)| (turn, &record.plays[0])) {
            let calls = calls(
                &Game::named(&record.header.ruleset).expect("a ruleset").describe(&play.action.0).expect("an action"),
            );
            let checked = check(&game(record, turn), play.seat, &calls);
            assert_eq!(checked["before"]["cells"], staged(&frames[turn], &stages[turn]), "turn {turn}");
            assert_eq!(checked["after"]["cells"], frames[turn + 1], "turn {turn}");
        }
    }
    let film = ask(&json!({ "op": "replay", "record": two.to_text() }))["film"].clone();
    assert_eq!((&film["stages"], &film["zones"]), (&json!([]), &json!([])), "seats that act at once have none");
}

#[test]
fn a_game_in_progress_is_the_film_so_far() {
    for record in casual() {
        let shown = ask(&json!({ "op": "replay", "record": record.to_text() }));
        let (frames, last) = (frames(&shown["film"]), record.turns.len());
        for turn in (0..=last).step_by(7).chain([last]) {
            let view = ask(&json!({ "op": "position", "game": game(&record, turn) }));
            assert_eq!((&view["cells"], &view["tally"]), (&json!(frames[turn]), &shown["film"]["tallies"][turn]));
            assert_eq!(view["outcome"].is_null(), turn < last);
            let asked: Vec<u8> = record
                .turns
                .get(turn)
                .map(|turn| turn.plays.iter().map(|play| play.seat).collect())
                .unwrap_or_default();
            assert_eq!(view["awaiting"], json!(asked));
        }
        let mut over = json!({ "op": "position", "game": game(&record, last) });
        over["game"]["turns"].as_array_mut().expect("a list").push(json!([]));
        assert_eq!(refused(&over), ("illegal_move".into(), format!("turn {}: the game is over", last + 1)));
    }
}

#[test]
fn what_can_come_next_is_all_that_the_rules_allow() {
    let [_, record, two] = casual();
    let next = |record: &Record, turn: usize, seat: u8, tool: &str, cells: &Value| {
        let calls = json!([{ "tool": tool, "cells": cells }]);
        check(&game(record, turn), seat, &calls)["next"].clone()
    };
    let replay = arena_referee::replay::<war_of_life::Position>(&record).expect("just played");
    for (turn, position) in replay.positions().enumerate() {
        for seat in [Seat(0), Seat(1)] {
            let pair = |cell: war_of_life::Cell| [cell.row(), cell.col()];
            let mut pieces: Vec<_> = position.moves(seat).map(|step| pair(step.from)).collect();
            pieces.dedup();
            assert_eq!(next(&record, turn, seat.0, "move", &json!([])), json!(pieces), "turn {turn}");
            for piece in pieces.iter().take(2) {
                let targets = position.moves(seat).filter(|step| pair(step.from) == *piece);
                let targets: Vec<_> = targets.map(|step| pair(step.to)).collect();
                assert_eq!(next(&record, turn, seat.0, "move", &json!([piece])), json!(targets), "turn {turn}");
            }
        }
    }
    let view = ask(&json!({ "op": "position", "game": game(&two, 0) }));
    assert_eq!((&view["tools"][0]["name"], &view["tools"][0]["input"]), (&json!("cell"), &json!("cell")));
    assert_eq!((&view["tools"][1]["name"], &view["tools"][1]["most"]), (&json!("pass"), &json!(0)));
    // Two blocks of 2 x 2 on a torus of 12 x 12: the cells within two of the seat's own block.
    assert_eq!(next(&two, 0, 1, "cell", &json!([])).as_array().map(Vec::len), Some(36));
    assert_eq!(next(&two, 0, 1, "pass", &json!([])), json!([]));
}

#[test]
fn a_preview_is_what_comes_of_the_action() {
    let [conquerors, war, two] = casual();
    for record in [&conquerors, &war] {
        let shown = ask(&json!({ "op": "replay", "record": record.to_text() }));
        let frames = frames(&shown["film"]);
        for (turn, play) in record.turns.iter().enumerate().map(|(turn, record)| (turn, &record.plays[0])) {
            let calls = &shown["turns"][turn]["plays"][0]["calls"];
            let checked = check(&game(record, turn), play.seat, calls);
            assert_eq!((&checked["legal"], &checked["why_not"]), (&json!(true), &json!([])));
            assert_eq!((&checked["action"], &checked["next"]), (&json!(hex(&play.action.0)), &json!([])));
            assert_eq!(checked["after"]["cells"], frames[turn + 1], "turn {turn}");
            assert_eq!(checked["after"]["tally"], shown["film"]["tallies"][turn + 1]);
        }
    }
    // One of two answers is not yet a turn.
    let calls = json!([{ "tool": "cell", "cells": [[0, 0]] }]);
    let whole = json!({
        "legal": true, "why_not": [], "next": [], "open": [], "action": "0101010000", "before": null, "after": null
    });
    assert_eq!(check(&game(&two, 0), 1, &calls), whole);
}

#[test]
fn a_refusal_is_the_rules_phrase() {
    let [conquerors, war, two] = casual();
    let refusal = |record: &Record, seat: u8, tool: &str, cells: Value| {
        let checked = check(&game(record, 0), seat, &json!([{ "tool": tool, "cells": cells }]));
        assert_eq!((&checked["legal"], &checked["after"]), (&json!(false), &Value::Null));
        checked["why_not"][0].clone()
    };
    let corner = || json!([[7, 7], [7, 6]]);
    assert_eq!(refusal(&war, 0, "move", corner()), json!(["not-your-piece", { "row": 7, "col": 7 }]));
    assert_eq!(refusal(&war, 1, "move", corner()), json!(["seat-not-asked", { "seat": 2 }]));
    assert_eq!(refusal(&war, 7, "move", corner()), json!(["seat-not-asked", { "seat": 8 }]));
    // The rules say why a tool cannot be used now.
    assert_eq!(refusal(&conquerors, 0, "bomb", json!([])), json!(["bomb-too-early", { "round": 7 }]));
    assert_eq!(refusal(&conquerors, 0, "place", json!([])), json!(["no-cells", {}]));
    assert_eq!(refusal(&conquerors, 0, "pass", json!([])), json!(["pass-not-needed", {}]));
    assert_eq!(refusal(&two, 7, "cell", json!([])), json!(["seat-not-asked", { "seat": 8 }]));
    assert_eq!(refusal(&war, 0, "move", json!([[7, 7]])), json!(["not-your-piece", { "row": 7, "col": 7 }]));
    let off = json!(["off-board", { "row": 255, "col": 0, "bottom": 11, "right": 11 }]);
    assert_eq!(refusal(&two, 0, "cell", json!([[255, 0]])), off);
}

#[test]
fn what_cannot_be_shown_has_a_code() {
    let [_, war, _] = casual();
    let position = |ruleset: &str, options: &str| {
        refused(&json!({ "op": "position", "game": { "ruleset": ruleset, "options": options, "turns": [] } }))
    };
    assert_eq!(position("chess@1", "").0, "unknown_game");
    assert_eq!(position("war-of-life@1", "start=chess").0, "unknown_game");
    // Options for standings start from the seed, which is secret during a game.
    let missing = position("war-of-life@1", war_of_life::Position::RANKED);
    assert!(missing.0 == "bad_request" && missing.1.contains("seed"), "{missing:?}");
    let seed = hex(&[7; 32]);
    let seeded = ask(
        &json!({ "op": "position", "game": { "ruleset": "war-of-life@1", "options": "start=random", "seed": seed, "turns": [] } }),
    );
    let options = war_of_life::Position::parse_options("start=random").expect("canonical");
    assert_eq!(cells(&seeded["cells"]), war_of_life::Position::start(&options, &[7; 32]).picture().cells);
    let mut illegal = game(&war, 1);
    illegal["turns"][0][0]["seat"] = json!(1);
    assert_eq!(
        refused(&json!({ "op": "position", "game": illegal })),
        ("illegal_move".into(), "turn 1: seat 2 is not asked".into())
    );

    let lies = war.to_text().replacen("\"tally\":[", "\"tally\":[9", 1);
    let shown = ask(&json!({ "op": "replay", "record": lies }));
    assert_eq!((&shown["verified"], &shown["film"]), (&json!(false), &Value::Null));
    assert_eq!(shown["why_not"], json!([["outcome-differs", {}]]));
    let unknown = war.to_text().replacen("war-of-life@1", "war-of-life@9", 1);
    assert_eq!(ask(&json!({ "op": "replay", "record": unknown }))["verified"], false);
    assert_eq!(refused(&json!({ "op": "replay", "record": "{}" })).0, "not_a_record");
}

#[test]
fn a_random_start_is_shown_too() {
    let record = duel("war-of-life@1", war_of_life::Position::RANKED, 8, war_of_life_names());
    let shown = ask(&json!({ "op": "replay", "record": record.to_text() }));
    assert_eq!(shown["verified"], true);
    agrees(&shown["film"], &pictures::<war_of_life::Position>(&record));
}
