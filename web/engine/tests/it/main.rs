//! Tests of every operation, called as the page calls it. This file tests what Conquerors declares for its page; the
//! modules test what all games have.

mod games;
mod messages;
mod play;
mod records;
mod rerun;

use std::collections::BTreeMap;

use arena_baselines::conquerors::{Params, Tier, choose};
use arena_engine::{REQUEST_BYTES_MAX, call};
use arena_record::{Budgets, EntrantId, ForfeitCode, Hex, Record, TurnRecord};
use arena_referee::{Fault, check as agrees};
use arena_rooms::{Command, Event, Opened, PersonId, Proposal, Room, RoomId, Seated};
use arena_rules::conquerors::{
    Action, BOMB_FROM_ROUND, Board, COLS, Cell, Colour, Options, Plane, Position, Target, TurnDraft,
};
use arena_rules::{BySeat, Phrase, Phrased, Rng, Ruleset, Seat};
use arena_wire::Protocol;
use serde_json::{Value, json};

fn ask(request: &Value) -> Value {
    let answer: Value = serde_json::from_str(&call(&request.to_string())).expect("answers are JSON");
    assert!(answer.get("error").is_none(), "{request}: {answer}");
    answer["ok"].clone()
}

fn refused(request: &Value) -> (String, String) {
    let answer: Value = serde_json::from_str(&call(&request.to_string())).expect("answers are JSON");
    let part = |name: &str| answer["error"][name].as_str().unwrap_or_else(|| panic!("{request}: {answer}")).to_owned();
    (part("code"), part("message"))
}

fn v2() -> String {
    Position::options_text(&Options::V2.into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A game between baselines: all positions, including the last one, and the actions between them.
fn game(tiers: [Tier; 2], seed: u8) -> (Vec<Position>, Vec<Action>) {
    let mut positions = vec![Position::start(&Options::V2.into(), &[0; 32])];
    let mut actions = Vec::new();
    while let Some(mover) = positions.last().and_then(Position::to_move) {
        let mut position = positions.last().expect("the start at least").clone();
        let turn = choose(&position, mover.seat(), tiers[mover.seat().index()], &Params::SHIPPED, &[seed; 32]);
        actions.push(Action::from(&turn));
        let mut turns = BySeat::new(2, |_| None);
        turns[mover.seat()] = Some(turn);
        position.advance(turns);
        positions.push(position);
    }
    (positions, actions)
}

/// A game as the page sends it, from its log.
fn log(options: &str, actions: &[Action]) -> Value {
    let play =
        |(ply, action): (usize, &Action)| json!([{ "seat": ply % 2, "action": hex(&Position::encode_action(action)) }]);
    let turns: Vec<Value> = actions.iter().enumerate().map(play).collect();
    json!({ "ruleset": Position::ID, "options": options, "turns": turns })
}

/// The view of a position, from its log.
fn state(actions: &[Action]) -> Value {
    ask(&json!({ "op": "position", "game": log(&v2(), actions) }))
}

/// Holds a game, and gives the request for checking a seat's calls in it.
fn held(game: &Value, seat: u8, calls: &Value) -> Value {
    let number = ask(&json!({ "op": "hold", "game": game }))["held"].clone();
    json!({ "op": "check", "held": number, "seat": seat, "calls": calls })
}

/// Checks a seat's calls in a game.
fn check(game: &Value, seat: u8, calls: &Value) -> Value {
    ask(&held(game, seat, calls))
}

/// Checks a call after these actions.
fn checked(actions: &[Action], tool: &str, cells: &Value) -> Value {
    let seat = actions.len() % 2;
    let calls = json!([{ "tool": tool, "cells": cells }]);
    check(&log(&v2(), actions), seat as u8, &calls)
}

/// An action as the page writes it.
fn text(action: &Action) -> Value {
    let (tool, cells) = match action {
        Action::Place(cells) => ("place", &cells[..]),
        Action::Bomb(centre) => ("bomb", core::slice::from_ref(centre)),
        Action::Skip => ("skip", &[][..]),
        Action::Pass => ("pass", &[][..]),
    };
    json!([{ "tool": tool, "cells": cells.iter().map(|cell| [cell.row, cell.col]).collect::<Vec<_>>() }])
}

/// Asks for the bytes of an action.
fn compose(calls: &Value) -> Value {
    json!({ "op": "compose", "ruleset": Position::ID, "calls": calls })
}

/// Phrases as pages get them.
fn phrases(told: &impl Phrased) -> Value {
    let views = told
        .phrases()
        .into_iter()
        .map(|Phrase { code, numbers }| json!([code, numbers.into_iter().collect::<BTreeMap<_, _>>()]));
    views.collect()
}

/// The cells of a list.
fn plane(cells: &Value) -> Plane {
    let mut plane = Plane::EMPTY;
    for cell in cells.as_array().expect("a list") {
        let at = |place: usize| cell[place].as_u64().expect("a number") as u8;
        plane.insert(Cell::new(at(0), at(1)).expect("on the board"));
    }
    plane
}

/// The board of a picture's cells.
fn board(cells: &Value) -> Board {
    let mut board = Board::EMPTY;
    for (at, owner) in cells.as_str().expect("a text").bytes().enumerate().filter(|(_, owner)| *owner != b'.') {
        let cell = Cell::new((at / COLS) as u8, (at % COLS) as u8).expect("on the board");
        board.set(cell, if owner == b'a' { Colour::Blue } else { Colour::Red });
    }
    board
}

#[test]
fn a_new_game_begins_at_home() {
    for options in ["", "chain_needs_home", "chain_needs_home,weighted_majority"] {
        let view = ask(&json!({ "op": "position", "game": log(options, &[]) }));
        assert_eq!((&view["awaiting"], &view["clock"]), (&json!([0]), &json!(["round", { "round": 1, "rounds": 12 }])));
        assert_eq!(
            (&view["rows"], &view["cols"], &view["open"]),
            (&json!(26), &json!(28), &json!([["open-home", {}]]))
        );
        let zones = json!([
            { "name": "Blue’s home", "cols": 8, "seat": 0 },
            { "name": "Neutral", "cols": 12, "seat": null },
            { "name": "Red’s home", "cols": 8, "seat": 1 },
        ]);
        assert_eq!(view["zones"], zones);
        let next = check(&log(options, &[]), 0, &json!([{ "tool": "place", "cells": [] }]))["next"].clone();
        assert_eq!(plane(&next), Plane::columns(0, 8));
    }
}

#[test]
fn a_game_with_an_opening_starts_from_its_seed() {
    let seed = |byte: u8| json!(hex(&[byte; 32]));
    for opening in ["symmetric:8", "turns:4"] {
        let options = format!("{},opening={opening}", v2());
        let start = Position::start(&Position::parse_options(&options).expect("canonical"), &[7; 32]);
        let at = |seed: Value, actions: &[Action]| {
            let mut game = log(&options, actions);
            game["seed"] = seed;
            json!({ "op": "position", "game": game })
        };
        let view = ask(&at(seed(7), &[]));
        assert_eq!((board(&view["cells"]), &view["awaiting"]), (*start.board(), &json!([0])));
        assert_eq!(view["clock"], json!(["round", { "round": start.round(), "rounds": 12 }]));
        assert_ne!(view["cells"], ask(&at(seed(8), &[]))["cells"]);
        // Its log begins after the opening.
        assert_eq!(ask(&at(seed(7), &[Action::Skip]))["limits"][0][2], json!(["used", {}]));
        let missing = refused(&at(Value::Null, &[]));
        assert!(missing.0 == "bad_request" && missing.1.contains("seed"), "{missing:?}");
    }
}

#[test]
fn a_state_is_the_position_after_its_log() {
    for (seed, tiers) in [[Tier::Easy, Tier::Hard], [Tier::Hard, Tier::Normal]].into_iter().enumerate() {
        let (positions, actions) = game(tiers, seed as u8);
        for (ply, position) in positions.iter().enumerate() {
            let view = state(&actions[..ply]);
            assert_eq!(board(&view["cells"]), *position.board());
            assert_eq!(view["clock"], json!(["round", { "round": position.round().min(12), "rounds": 12 }]));
            assert_eq!(view["tally"][1], position.board().scores().red);
            assert_eq!(view["outcome"].is_null(), position.outcome().is_none());
            for colour in Colour::BOTH {
                let bomb = match (position.round(), position.cooldown()[colour]) {
                    (..BOMB_FROM_ROUND, _) => json!(["from-round", { "round": BOMB_FROM_ROUND }]),
                    (_, 0) => json!(["ready", {}]),
                    (_, turn_ends) => json!(["ready-in", { "ends": turn_ends }]),
                };
                let skip = if position.skip_used()[colour] { "used" } else { "once" };
                assert_eq!(view["limits"][colour.seat().index()], json!([null, bomb, [skip, {}], null]));
            }
            let Some(mover) = position.to_move() else {
                assert_eq!((&view["awaiting"], &view["open"]), (&json!([]), &json!([])));
                assert_eq!(view["outcome"]["tally"], json!(position.outcome().expect("over").tally.values()));
                continue;
            };
            assert_eq!(view["awaiting"], json!([mover.seat().0]));
            let tool = |name: &str| checked(&actions[..ply], name, &json!([]));
            assert_eq!(plane(&tool("place")["next"]), position.placeable(mover));
            let refusal = position.bomb_ready(mover).err().map(|refusal| phrases(&refusal));
            let bomb = tool("bomb");
            assert_eq!(plane(&bomb["next"]), if refusal.is_none() { Plane::FULL } else { Plane::EMPTY });
            assert!(refusal.is_none_or(|refusal| bomb["why_not"] == refusal), "{bomb}");
            assert_eq!(tool("skip")["legal"], !position.skip_used()[mover]);
            assert_eq!(tool("pass")["legal"], position.check(mover.seat(), &Action::Pass).is_ok());
        }
    }
}

const PERSON: PersonId = PersonId(Hex([1; 8]));

/// A room on the server, with one person in both seats.
fn room() -> Room {
    let opened = Opened {
        format: Default::default(),
        room: RoomId(Hex([1; 16])),
        semantics: "example".into(),
        build: "example".into(),
        ruleset: Position::ID.into(),
        options: v2(),
        budgets: Budgets::DEFAULT,
        seed: Hex([0; 32]),
        opponents: Default::default(),
        seats: vec![Seated::Person(PERSON); 2],
        starts: vec![None, None],
        browsers: Vec::new(),
        table: None,
    };
    Room::open(opened).expect("a game")
}

/// What the page computes from a room's public state is the room's own position.
#[test]
fn the_page_sees_what_the_room_sees() {
    let mut room = room();
    let (positions, actions) = game([Tier::Normal, Tier::Easy], 3);
    for (ply, position) in positions.iter().enumerate() {
        assert_eq!(room.position(), Some(position));
        let view = room.view();
        let plays = |turn: &TurnRecord| serde_json::to_value(&turn.plays).expect("plain values");
        let turns: Vec<Value> = view.turns.iter().map(|turn| plays(turn)).collect();
        let game =
            json!({ "ruleset": view.ruleset, "options": view.options, "turns": turns, "forfeits": view.forfeits });
        let page = ask(&json!({ "op": "position", "game": game }));
        assert_eq!(page["digest"], view.digest.to_string());
        assert_eq!((board(&page["cells"]), &page["outcome"]), (*position.board(), &json!(view.outcome)));
        let Some(action) = actions.get(ply) else { continue };
        let action = arena_record::Bytes(Position::encode_action(action));
        let Ok(Proposal::Append(event)) = room.propose(PERSON, &Command { ply: ply as u16, client_seq: 0, action })
        else {
            panic!("the baseline's turn is legal")
        };
        room.apply(event).expect("it was proposed");
    }
    // The room's record is also one that the page verifies.
    let replayed = ask(&json!({ "op": "replay", "record": room.record().expect("over").to_text() }));
    assert_eq!(replayed["verified"], true);
}

#[test]
fn a_game_whose_contender_could_not_start_has_the_rooms_digest() {
    let seats = vec![Seated::Person(PERSON), Seated::Contender(EntrantId::of_baseline("easy", 1))];
    let mut room = Room::open(Opened { seats, ..room().opened().clone() }).expect("a game");
    let fault = Fault { code: ForfeitCode::Trap, detail: "unreachable".into() };
    room.apply(room.failed_to_start(Seat(1), fault).expect("it may")).expect("it was proposed");
    let view = room.view();
    let game = json!({ "ruleset": view.ruleset, "options": view.options, "turns": [], "forfeits": view.forfeits });
    let page = ask(&json!({ "op": "position", "game": game }));
    assert_eq!((&page["digest"], &page["outcome"]), (&json!(view.digest), &json!(view.outcome)));
}

#[test]
fn a_game_that_somebody_gives_up_is_over_for_the_page() {
    let mut room = room();
    room.apply(Event::Resigned { ply: 0, seat: 0 }).expect("it is asked");
    let view = room.view();
    let game = json!({ "ruleset": view.ruleset, "options": view.options, "turns": [], "forfeits": view.forfeits });
    let page = ask(&json!({ "op": "position", "game": game }));
    assert_eq!((&page["digest"], &page["outcome"]), (&json!(view.digest), &json!(view.outcome)));
    assert_eq!((&page["outcome"]["winner"], &page["awaiting"]), (&json!(1), &json!([])));
}

#[test]
fn a_field_goes_on_without_a_seat_that_failed_until_one_is_left() {
    let failed = |seats: &[u8]| -> Vec<Value> {
        seats.iter().map(|seat| json!({ "seat": seat, "turn": 0, "code": "trap", "detail": "" })).collect()
    };
    let position = |seats: &[u8]| {
        let (ruleset, options) = ("game-of-game-of-life@1", "seats=3,lots=fixed");
        let game = json!({ "ruleset": ruleset, "options": options, "turns": [], "forfeits": failed(seats) });
        ask(&json!({ "op": "position", "game": game }))
    };
    let one = position(&[1]);
    assert_eq!((&one["awaiting"], &one["outcome"]), (&json!([0, 2]), &Value::Null), "the others have yet to answer");
    let two = position(&[1, 2]);
    assert_eq!((&two["awaiting"], &two["outcome"]["winner"]), (&json!([]), &json!(0)));
}

#[test]
fn a_draft_is_judged_cell_by_cell_as_the_rules_do() {
    let mut rng = Rng::new(&[4; 32], 0);
    let (positions, actions) = game([Tier::Normal, Tier::Hard], 1);
    let mut refusals = Vec::new();
    for (ply, position) in positions.iter().enumerate().filter(|(_, position)| position.to_move().is_some()) {
        let mut draft = TurnDraft::new(position, position.setup().to_move.seat()).expect("in play");
        let mut placed: Vec<[u8; 2]> = Vec::new();
        for _ in 0..9 {
            let target = match rng.below(3) {
                0 => Target { row: rng.below(28) as u8, col: rng.below(30) as u8 },
                _ => draft
                    .placeable()
                    .cells()
                    .nth(rng.below(40) as usize)
                    .map_or(Target { row: 255, col: 0 }, Target::from),
            };
            let mut asked = placed.clone();
            asked.push([target.row, target.col]);
            let answer = checked(&actions[..ply], "place", &json!(asked));
            if let Err(refusal) = draft.place(target) {
                assert_eq!(answer["why_not"], phrases(&refusal));
                assert_eq!(
                    (&answer["next"], &answer["before"], &answer["after"]),
                    (&json!([]), &Value::Null, &Value::Null)
                );
                refusals.push(refusal.to_string());
                continue;
            }
            placed = asked;
            assert_eq!(board(&answer["before"]["cells"]), *draft.board());
            assert_eq!(board(&answer["after"]["cells"]), draft.board().next());
            assert_eq!(answer["after"]["tally"][0], draft.board().next().scores().blue);
            assert_eq!(plane(&answer["next"]), draft.placeable());
            assert_eq!(answer["open"].as_array().map(Vec::len), Some(draft.reach().zones().count()));
            let whole = draft.clone().finish().err();
            assert_eq!(
                (&answer["legal"], &answer["why_not"]),
                (&json!(whole.is_none()), &whole.map_or(json!([]), |refusal| phrases(&refusal)))
            );
        }
    }
    for sentence in ["not on the board", "alive already", "out of reach", "at most 4 cells"] {
        assert!(refusals.iter().any(|refusal| refusal.contains(sentence)), "never {sentence:?}");
    }
}

#[test]
fn a_bomb_clears_its_square_before_the_generation() {
    let mut bombs = 0;
    for seed in 0..4 {
        let (positions, actions) = game([Tier::Hard, Tier::Hard], seed);
        for (ply, action) in actions.iter().enumerate() {
            let Action::Bomb(Target { row, col }) = *action else { continue };
            let preview = checked(&actions[..ply], "bomb", &json!([[row, col]]));
            assert_eq!((&preview["legal"], &preview["why_not"]), (&json!(true), &json!([])));
            let mut cleared = *positions[ply].board();
            cleared.clear(Plane::square(Cell::new(row, col).expect("it was legal")));
            assert_eq!(board(&preview["before"]["cells"]), cleared);
            assert_eq!(board(&preview["after"]["cells"]), *positions[ply + 1].board());
            bombs += 1;
        }
    }
    assert!(bombs > 0, "no game had a bomb");
}

#[test]
fn the_beginning_of_a_turn_can_be_previewed_and_an_illegal_one_cannot() {
    let three = checked(&[], "place", &json!([[3, 3], [3, 4], [3, 5]]));
    assert_eq!(three["why_not"], json!([["too-few-cells", { "placed": 3, "most": 4 }]]));
    let column =
        |picture: &Value| picture["cells"].as_str().map(|cells| [2, 3, 4].map(|row| cells.as_bytes()[row * COLS + 4]));
    assert_eq!((column(&three["before"]), column(&three["after"])), (Some(*b".a."), Some(*b"aaa")));
    for (tool, cells, why) in [
        ("place", json!([[3, 3], [3, 3]]), json!(["cell-alive", { "row": 3, "col": 3 }])),
        ("bomb", json!([[3, 3]]), json!(["bomb-too-early", { "round": 7 }])),
        ("pass", json!([]), json!(["pass-not-needed", {}])),
    ] {
        let check = checked(&[], tool, &cells);
        assert_eq!((&check["legal"], &check["why_not"]), (&json!(false), &json!([why])));
        assert_eq!((&check["before"], &check["after"]), (&Value::Null, &Value::Null));
    }
}

#[test]
fn actions_are_written_and_read_as_the_contract_has_them() {
    let (_, actions) = game([Tier::Hard, Tier::Normal], 2);
    let more = [Action::Skip, Action::Pass, Action::Bomb(Target { row: 255, col: 0 }), Action::Place(vec![])];
    for action in actions.iter().chain(&more) {
        let bytes = hex(&Position::encode_action(action));
        assert_eq!(ask(&compose(&text(action)))["bytes"], bytes);
        let read = json!({ "op": "describe", "ruleset": Position::ID, "actions": [bytes, "0103"] });
        let read = ask(&read);
        assert_eq!((&read[0]["calls"], &read[1]), (&text(action), &Value::Null));
    }
    let said =
        json!({ "op": "describe", "ruleset": Position::ID, "actions": ["0101020c030c04", "01010101 02", "010300"] });
    assert_eq!(refused(&said).0, "bad_request");
    let said = ask(
        &json!({ "op": "describe", "ruleset": Position::ID, "actions": ["0101030c030c040d03", "010201030a", "010300"] }),
    );
    let calls: Vec<&Value> = said.as_array().expect("a list").iter().map(|said| &said["calls"][0]).collect();
    let places = json!({ "tool": "place", "cells": [[12, 3], [12, 4], [13, 3]] });
    assert_eq!(
        calls,
        [&places, &json!({ "tool": "bomb", "cells": [[3, 10]] }), &json!({ "tool": "skip", "cells": [] })]
    );
    let of = |cells: usize| compose(&json!([{ "tool": "place", "cells": vec![[0, 0]; cells] }]));
    assert_eq!(ask(&of(255))["bytes"].as_str().map(str::len), Some(2 * (3 + 2 * 255)));
    assert_eq!(refused(&of(256)).0, "bad_request");
}

/// The example of the format's description.
fn example() -> String {
    let format = include_str!("../../../../arena/record/FORMAT.md");
    format!("{}\n", format.lines().find(|line| line.starts_with("{\"format\":")).expect("the example"))
}

#[test]
fn a_record_is_replayed_picture_by_picture() {
    let replayed = ask(&json!({ "op": "replay", "record": example() }));
    assert_eq!((&replayed["verified"], &replayed["why_not"]), (&json!(true), &json!([])));
    let record = Record::parse(&example()).expect("a record");
    assert_eq!(agrees(&record), Ok(()));
    let notes = replayed["film"]["notes"].as_array().expect("a list");
    assert_eq!(notes.len(), record.turns.len() + 1);
    for (ply, notes) in notes.iter().enumerate() {
        let decode = |turn: &TurnRecord| Position::decode_action(&turn.plays[0].action.0).expect("an action");
        let actions: Vec<Action> = record.turns[..ply].iter().map(decode).collect();
        let position = state(&actions);
        for what in ["clock", "awaiting", "open", "limits"] {
            assert_eq!(notes[what], position[what], "{what} of {ply}");
        }
    }
    assert_eq!(replayed["outcome"], json!({ "winner": 1, "reason": "extinction", "tally": [0, 8] }));
}

#[test]
fn a_record_that_was_changed_is_not_verified() {
    let lies = example().replacen("\"winner\":1", "\"winner\":0", 1);
    let replayed = ask(&json!({ "op": "replay", "record": lies }));
    assert_eq!(
        (&replayed["verified"], &replayed["film"], &replayed["turns"]),
        (&json!(false), &Value::Null, &json!([]))
    );
    assert_eq!(replayed["why_not"], json!([["outcome-differs", {}]]));
    let unknown = example().replacen("conquerors@2", "conquerors@9", 1);
    assert_eq!(ask(&json!({ "op": "replay", "record": unknown }))["verified"], false);
    for broken in [example().trim_end().to_owned(), String::new(), example().replacen("hard@1", "hard", 1)] {
        assert_eq!(refused(&json!({ "op": "replay", "record": broken })).0, "not_a_record");
    }
}

#[test]
fn a_resigned_game_ends_in_its_last_position() {
    let mut room = room();
    room.apply(Event::Resigned { ply: 0, seat: 0 }).expect("it is asked");
    let replayed = ask(&json!({ "op": "replay", "record": room.record().expect("over").to_text() }));
    assert_eq!(replayed["verified"], true);
    assert_eq!(replayed["film"]["frames"].as_array().map(Vec::len), Some(1));
    assert_eq!(replayed["film"]["notes"][0]["awaiting"], json!([]));
    assert_eq!(replayed["forfeits"][0]["code"], "resigned");
}

#[test]
fn only_the_game_that_was_held_last_is_asked_about() {
    let calls = json!([{ "tool": "skip", "cells": [] }]);
    let first = held(&log(&v2(), &[]), 0, &calls);
    assert_eq!(ask(&first)["legal"], true);
    let second = held(&log(&v2(), &[Action::Skip]), 1, &calls);
    assert_eq!((ask(&second)["legal"].clone(), refused(&first).0), (json!(true), "bad_request".to_owned()));
    assert_eq!(refused(&json!({ "op": "hold", "game": log("x", &[]) })).0, "unknown_game");
    assert_eq!(ask(&second)["legal"], true, "what cannot be held changes nothing");
}

#[test]
fn nonsense_has_a_code() {
    let of = |options: &str, turns: Value| json!({ "op": "position", "game": { "ruleset": Position::ID, "options": options, "turns": turns } });
    let cells = |cells: Value| held(&log(&v2(), &[]), 0, &json!([{ "tool": "place", "cells": cells }]));
    let cases = [
        (of("weighted_majority,chain_needs_home", json!([])), "unknown_game"),
        (of("x", json!([])), "unknown_game"),
        (of(&v2(), json!([[{ "seat": 0, "action": "01" }]])), "illegal_move"),
        (of(&v2(), json!([[{ "seat": 0, "action": "010000" }]])), "illegal_move"),
        (of(&v2(), json!([[{ "seat": 0, "action": "0" }]])), "bad_request"),
        (of(&v2(), json!([[]])), "illegal_move"),
        (of(&v2(), json!(null)), "bad_request"),
        (cells(json!([[-1, 0]])), "bad_request"),
        (cells(json!([[65536, 0]])), "bad_request"),
        (compose(&json!([{ "tool": "skip", "cells": [[0, 0]] }])), "bad_request"),
        (compose(&json!([{ "tool": "place", "cells": [[256, 0]] }])), "bad_request"),
        (compose(&json!([{ "tool": "dance", "cells": [] }])), "bad_request"),
        (compose(&json!([])), "bad_request"),
        (json!({ "op": "compose", "ruleset": "chess@1", "calls": [] }), "unknown_game"),
        (json!({ "op": "describe", "ruleset": "chess@1", "actions": [] }), "unknown_game"),
        (json!([]), "bad_request"),
    ];
    for (request, code) in cases {
        assert_eq!(refused(&request).0, code, "{request}");
    }
    let skips = json!({ "op": "position", "game": log(&v2(), &[Action::Skip, Action::Skip, Action::Skip]) });
    assert_eq!(refused(&skips), ("illegal_move".into(), "turn 3: the game is over".into()));
}

#[test]
fn a_request_has_so_many_bytes_and_not_one_more() {
    let of = |bytes: usize| {
        let request = r#"{"op":"describe","ruleset":"conquerors@2","actions":[]}"#;
        call(&format!("{request}{}", " ".repeat(bytes - request.len())))
    };
    assert!(of(REQUEST_BYTES_MAX).starts_with("{\"ok\""));
    assert!(of(REQUEST_BYTES_MAX + 1).starts_with("{\"error\":{\"code\":\"too_long\""));
    // The longest record fits, whatever it contains.
    let longest = "\"".repeat(arena_record::RECORD_BYTES_MAX);
    assert!(json!({ "op": "replay", "record": longest }).to_string().len() <= REQUEST_BYTES_MAX);
}
