//! A new game through the whole arena, though only the crates in which games are written down know it. Its board has
//! 300 columns, so every number that counts columns must hold more than a byte.
//!
//!     RUSTC_WORKSPACE_WRAPPER=$PWD/xtask/with-tiny-game.sh cargo test -p arena-wire -p arena-runner --test abi --test
//!     tiny_game
#![cfg(arena_tiny_game)]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]

use std::sync::Arc;

use arena_baselines::Opponent;
use arena_record::{Budgets, Bytes, EntrantId, Hex, Record};
use arena_referee::{Reply, check, replay};
use arena_rooms::{Command, Opened, PersonId, Proposal, Room, RoomId, Seated};
use arena_rules::{BySeat, Ruleset, Seat};
use arena_runner::{Contender, Depth, Finding, Folder, GameTerms, Host, InProcess, verify_folder, verify_record};
use arena_sandbox::Sandbox;
use arena_tournaments::Definition;
use arena_wire::tiny_game::{COLS, FAR, Position, ROWS, TURNS};
use arena_wire::{Game, Picture, Protocol};
use arena_worker::Wall;
use serde_json::{Value, json};

fn game() -> &'static Game {
    Game::named("tiny-game").unwrap()
}

fn host() -> Arc<dyn Host> {
    Arc::new(InProcess::new(Sandbox::new().unwrap()))
}

/// The game of its two opponents: the one that aims at what counts has the second seat.
fn record() -> Record {
    let terms = GameTerms::new(Position::ID, game().ranked, Budgets::of(game().allowance), Wall::None);
    let [near, far] = ["near@1", "far"].map(|name| Contender::baseline(Position::ID, name).unwrap());
    host().play(&terms.game([7; 32], &BySeat::from([&near, &far]))).unwrap().ended.into_record().unwrap()
}

/// The answer of the page's engine.
fn ask(request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&arena_engine::call(&request.to_string())).unwrap();
    assert!(answer.get("error").is_none(), "{request}: {answer}");
    answer["ok"].clone()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[test]
fn a_record_is_read_replayed_and_verified() {
    let record = record();
    assert_eq!(Record::parse(&record.to_text()).unwrap(), record);
    assert_eq!(check(&record), Ok(()));
    let outcome = record.outcome();
    assert_eq!((outcome.winner, record.turns.len()), (Some(Seat(1)), TURNS.into()));
    assert_eq!(outcome.tally[Seat(1)], u32::from(TURNS), "two cells in each of half the turns, all of them far");
    let far = |action: &Bytes| game().describe(&action.0).unwrap()[0].cells.iter().all(|cell| cell.col >= FAR);
    assert!(record.turns.iter().skip(1).step_by(2).all(|turn| far(&turn.plays[0].action)));

    let text = record.to_text();
    let verified = verify_record("tiny.json", text.as_bytes(), None, &*host()).unwrap();
    assert!(matches!(verified.finding, Finding::Identical), "{:?}", verified.finding);
    let lies = text.replacen("\"winner\":1", "\"winner\":0", 1);
    let found = verify_record("tiny.json", lies.as_bytes(), None, &*host()).unwrap();
    assert!(!matches!(found.finding, Finding::Identical));
}

#[test]
fn a_tournament_is_played_and_verified() {
    let here = tempfile::tempdir().unwrap();
    let entrant = |name: &str| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n");
    let head = format!("name = \"tiny\"\nruleset = \"{}\"\nseed = 5\npairs = 3\n", Position::ID);
    let definition = Definition::parse(&(head + &entrant("near") + &entrant("far"))).unwrap();
    let (mut folder, _) = Folder::open(&here.path().join("out"), &definition, here.path(), &host()).unwrap();
    assert_eq!(folder.run(2, |_| {}).unwrap().games, 6);
    let entrants: Vec<&str> = folder.entrants().iter().map(|entrant| entrant.id.as_str()).collect();
    assert_eq!(entrants, ["baseline:near@2", "baseline:far@1"], "the newest version, unless another is named");
    assert!(folder.records().map(Result::unwrap).all(|(_, record)| record.header.ruleset == Position::ID));
    assert!(folder.records().map(Result::unwrap).all(|(_, record)| record.header.opponents.len() == 2));
    drop(folder);
    let verified = verify_folder(&here.path().join("out"), None, &*host(), Depth::Everything, 2, |_| {}).unwrap();
    assert!(matches!(verified.finding, Finding::Identical), "{:?}", verified.finding);
    assert_eq!((verified.coverage.games, verified.coverage.played), (6, 6));
}

#[test]
fn a_page_shows_the_record() {
    let record = record();
    let shown = ask(&json!({ "op": "replay", "record": record.to_text() }));
    assert_eq!(
        (&shown["verified"], &shown["film"]["cols"], &shown["film"]["rows"]),
        (&json!(true), &json!(COLS), &json!(ROWS))
    );
    let play = &shown["turns"][1]["plays"][0];
    let cell = &play["calls"][0]["cells"][0];
    assert!(play["calls"][0]["tool"] == "claim" && cell[1].as_u64() >= Some(FAR.into()), "{play}");
    assert!(play["words"].as_str().is_some_and(|words| words.starts_with(&format!("claims {},{}", cell[0], cell[1]))));
    // The changes painted by the terminal and the page lead from turn to turn.
    let replay = replay::<Position>(&record).unwrap();
    let pictures: Vec<Picture> = replay.positions().map(|position| position.picture()).collect();
    for pair in pictures.windows(2) {
        let delta = pair[0].delta(&pair[1]).unwrap();
        assert!(delta.changes().len() == 2 && delta.encode().len() < 20);
        assert_eq!(delta.apply(pair[0].clone()).as_ref(), Some(&pair[1]));
    }
}

const ANN: PersonId = PersonId(Hex([0xa1; 8]));

/// Ann plays from the page: every cell is one that the page offers, and what is sent is what it composes.
#[test]
fn a_room_is_played_from_the_page() {
    assert!(game().suits_rooms());
    let far = Opponent::named(Position::ID, "far").unwrap();
    let mut room = Room::open(Opened {
        format: Default::default(),
        room: RoomId(Hex([7; 16])),
        semantics: "example".into(),
        build: "example".into(),
        ruleset: Position::ID.into(),
        options: game().casual.into(),
        budgets: Budgets::of(game().allowance),
        seed: Hex([5; 32]),
        opponents: Default::default(),
        seats: vec![Seated::Person(ANN), Seated::Contender(EntrantId::of_baseline("far", 1))],
        starts: vec![None, None],
        browsers: Vec::new(),
        table: None,
    })
    .unwrap();
    let mut turns: Vec<Value> = Vec::new();
    while room.record().is_none() {
        let ply = room.ply();
        let (seat, event, action) = match room.to_ask().next() {
            Some((seat, _)) => {
                let action = far.answer(&room.observation(seat).unwrap()).unwrap();
                let reply = Reply { action: action.clone(), fuel: None };
                (seat, room.answer(ply, seat, Ok(reply)).unwrap(), action)
            }
            None => {
                let action = drafted(&turns);
                let command = Command { ply, client_seq: u64::from(ply) + 1, action: Bytes(action.clone()) };
                let Ok(Proposal::Append(event)) = room.propose(ANN, &command) else {
                    panic!("what was offered is legal")
                };
                (Seat(0), event, action)
            }
        };
        turns.push(json!([{ "seat": seat.0, "action": hex(&action) }]));
        room.apply(event).unwrap();
    }
    let record = room.record().unwrap();
    assert_eq!((check(&record), turns.len()), (Ok(()), TURNS.into()));
    assert_eq!(ask(&json!({ "op": "replay", "record": record.to_text() }))["verified"], true);
}

/// The turn of the first seat that takes the last cell that is offered, twice: then none is.
fn drafted(turns: &[Value]) -> Vec<u8> {
    let game = json!({ "ruleset": Position::ID, "options": "plain", "turns": turns });
    let checked = |cells: &[Value]| {
        let calls = json!([{ "tool": "claim", "cells": cells }]);
        let held = ask(&json!({ "op": "hold", "game": game }))["held"].clone();
        ask(&json!({ "op": "check", "held": held, "seat": 0, "calls": calls }))
    };
    let mut cells: Vec<Value> = Vec::new();
    for _ in 0..2 {
        cells.push(checked(&cells)["next"].as_array().unwrap().last().unwrap().clone());
    }
    let check = checked(&cells);
    assert_eq!((&check["legal"], &check["next"]), (&json!(true), &json!([])), "{check}");
    assert_eq!(check["after"]["cells"].as_str().map(str::len), Some(usize::from(ROWS * COLS)));
    let text = check["action"].as_str().unwrap();
    (0..text.len()).step_by(2).map(|at| u8::from_str_radix(&text[at..at + 2], 16).unwrap()).collect()
}
