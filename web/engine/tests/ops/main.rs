//! Every operation, asked as the page asks it. Here those of Conquerors; in modules those of all games.

mod grid;
mod questions;
mod records;

use arena_baselines::conquerors::{Params, Tier, choose};
use arena_engine::{REQUEST_BYTES_MAX, call};
use arena_record::{Budgets, EntrantId, ForfeitCode, Hex, Record, TurnRecord};
use arena_referee::{Fault, check};
use arena_rooms::{Command, Event, Opened, PersonId, Proposal, Room, RoomId, Seated};
use arena_rules::conquerors::{
    Action, BOMB_FROM_ROUND, Board, COLS, Cell, Options, Plane, Position, Target, TurnDraft,
};
use arena_rules::{BySeat, Rng, Ruleset, Seat};
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

/// A game between baselines: the position before each turn and the last one, and the actions between them.
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

/// The view of a position by its log.
fn state(actions: &[Action]) -> Value {
    let actions: Vec<String> = actions.iter().map(|action| hex(&Position::encode_action(action))).collect();
    ask(&json!({ "op": "state", "options": v2(), "actions": actions }))
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

/// The cells of a mask.
fn cells(mask: &Value) -> Plane {
    let mut plane = Plane::EMPTY;
    for (row, line) in mask.as_str().expect("a text").split('/').enumerate() {
        assert_eq!(line.len(), COLS);
        for (col, _) in line.match_indices('x') {
            plane.insert(Cell::new(row as u8, col as u8).expect("on the board"));
        }
    }
    plane
}

#[test]
fn a_new_game_is_the_start_of_every_log() {
    for options in ["", "chain_needs_home", "chain_needs_home,weighted_majority"] {
        let view = ask(&json!({ "op": "new_game", "options": options }));
        assert_eq!(view, ask(&json!({ "op": "state", "options": options, "actions": [] })));
        assert_eq!((&view["to_move"], &view["round"], &view["ply"]), (&json!("blue"), &json!(1), &json!(0)));
        assert_eq!((&view["options"], &view["reach"]), (&json!(options), &json!(["home"])));
        assert_eq!(cells(&view["placeable"]), Plane::columns(0, 8));
    }
    let rules = ask(&json!({ "op": "rules" }));
    assert_eq!((&rules["rows"], &rules["cols"], &rules["home_cols"]), (&json!(26), &json!(28), &json!(8)));
    assert_eq!((&rules["rounds"], &rules["placements"], &rules["bomb_from_round"]), (&json!(12), &json!(4), &json!(7)));
}

#[test]
fn a_game_with_an_opening_starts_from_its_seed() {
    let seed = |byte: u8| hex(&[byte; 32]);
    for opening in ["symmetric:8", "turns:4"] {
        let options = format!("{},opening={opening}", v2());
        let start = Position::start(&Position::parse_options(&options).expect("canonical"), &[7; 32]);
        let view = ask(&json!({ "op": "new_game", "options": options, "seed": seed(7) }));
        assert_eq!((&view["ply"], &view["options"]), (&json!(0), &json!(v2())));
        assert_eq!((&view["board"], &view["round"]), (&json!(start.board().to_string()), &json!(start.round())));
        assert_ne!(view, ask(&json!({ "op": "new_game", "options": options, "seed": seed(8) })));
        // A position goes back as it came.
        ask(&json!({ "op": "check_draft", "position": view, "cells": [] }));
        // Its log begins after the opening.
        let action = json!({ "op": "state", "options": options, "seed": seed(7), "actions": ["010300"] });
        assert_eq!(ask(&action)["skip_used"]["blue"], true);
        let missing = refused(&json!({ "op": "new_game", "options": options }));
        assert!(missing.0 == "bad_request" && missing.1.contains("seed"), "{missing:?}");
        assert_eq!(refused(&json!({ "op": "state", "options": options, "actions": [] })), missing);
        let mut elsewhere = view;
        elsewhere["options"] = json!(options);
        let text = json!({ "op": "check_draft", "position": elsewhere, "cells": [] });
        assert_eq!(refused(&text).0, "not_a_position");
    }
    // The empty board needs none, and one does no harm.
    let without = ask(&json!({ "op": "new_game", "options": v2() }));
    assert_eq!(without, ask(&json!({ "op": "new_game", "options": v2(), "seed": seed(7) })));
    assert_eq!(refused(&json!({ "op": "new_game", "options": v2(), "seed": "7" })).0, "bad_request");
}

#[test]
fn a_state_is_the_position_after_its_log() {
    for (seed, tiers) in [[Tier::Easy, Tier::Hard], [Tier::Hard, Tier::Normal]].into_iter().enumerate() {
        let (positions, actions) = game(tiers, seed as u8);
        for (ply, position) in positions.iter().enumerate() {
            let view = state(&actions[..ply]);
            assert_eq!(view["ply"], ply);
            assert_eq!(view["board"].as_str().expect("a text").parse::<Board>().as_ref(), Ok(position.board()));
            assert_eq!(view["round"], position.round());
            assert_eq!(view["cooldown"], json!({ "blue": position.cooldown().blue, "red": position.cooldown().red }));
            assert_eq!(view["scores"]["red"], position.board().scores().red);
            assert_eq!(view["counts"]["blue"], position.board().counts().blue);
            assert_eq!(view["outcome"].is_null(), position.outcome().is_none());
            let Some(mover) = position.to_move() else {
                assert!(view["to_move"].is_null() && cells(&view["placeable"]).is_empty());
                for what in ["bomb", "skip", "pass"] {
                    assert_eq!(view[what], json!({ "legal": false, "why_not": "the game is over" }));
                }
                assert_eq!(view["outcome"]["tally"], json!(position.outcome().expect("over").tally.values()));
                continue;
            };
            assert_eq!(view["to_move"], mover.name());
            assert_eq!(cells(&view["placeable"]), position.placeable(mover));
            assert_eq!(view["bomb"]["legal"], position.bomb_ready(mover).is_ok());
            let why_not = position.bomb_ready(mover).err().map(|refusal| refusal.to_string());
            assert_eq!(view["bomb"]["why_not"], json!(why_not));
            assert_eq!(view["skip"]["legal"], !position.skip_used()[mover]);
            assert_eq!(view["pass"]["legal"], position.check(mover.seat(), &Action::Pass).is_ok());
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
    };
    Room::open(opened).expect("a game")
}

/// What the page computes from what the room shows is the room's own position.
#[test]
fn the_page_sees_what_the_room_sees() {
    let mut room = room();
    let (positions, actions) = game([Tier::Normal, Tier::Easy], 3);
    for (ply, position) in positions.iter().enumerate() {
        assert_eq!(room.position(), position);
        let view = room.view();
        let plays = |turn: &TurnRecord| serde_json::to_value(&turn.plays).expect("plain values");
        let turns: Vec<Value> = view.turns.iter().map(plays).collect();
        let game =
            json!({ "ruleset": view.ruleset, "options": view.options, "turns": turns, "forfeits": view.forfeits });
        let grid = ask(&json!({ "op": "grid_position", "game": game }));
        assert_eq!(grid["digest"], view.digest.to_string());
        let played: Vec<Value> = turns.iter().map(|turn| turn[0]["action"].clone()).collect();
        let page = ask(&json!({ "op": "state", "options": view.options, "actions": played }));
        assert_eq!((&page["ply"], &page["board"]), (&json!(view.ply), &json!(position.board().to_string())));
        assert_eq!(page["outcome"], json!(view.outcome));
        let Some(action) = actions.get(ply) else { continue };
        let action = arena_record::Bytes(Position::encode_action(action));
        let Ok(Proposal::Append(event)) = room.propose(PERSON, &Command { ply: ply as u16, client_seq: 0, action })
        else {
            panic!("the baseline's turn is legal")
        };
        room = room.with(event).expect("it was proposed");
    }
    // And the room's record is one the page verifies.
    let replayed = ask(&json!({ "op": "replay", "record": room.record().expect("over").to_text() }));
    assert_eq!(replayed["verified"], true);
}

#[test]
fn a_game_whose_contender_could_not_start_has_the_rooms_digest() {
    let seats = vec![Seated::Person(PERSON), Seated::Contender(EntrantId::of_baseline("easy", 1))];
    let room: Room = Room::open(Opened { seats, ..room().opened().clone() }).expect("a game");
    let fault = Fault { code: ForfeitCode::Trap, detail: "unreachable".into() };
    let room = room.with(room.failed_to_start(Seat(1), fault).expect("it may")).expect("it was proposed");
    let view = room.view();
    let game = json!({ "ruleset": view.ruleset, "options": view.options, "turns": [], "forfeits": view.forfeits });
    let grid = ask(&json!({ "op": "grid_position", "game": game }));
    assert_eq!((&grid["digest"], &grid["outcome"]), (&json!(view.digest), &json!(view.outcome)));
}

#[test]
fn a_draft_is_judged_cell_by_cell_as_the_rules_do() {
    let mut rng = Rng::new(&[4; 32], 0);
    let (positions, actions) = game([Tier::Normal, Tier::Hard], 1);
    let mut refusals = Vec::new();
    for (ply, position) in positions.iter().enumerate().filter(|(_, position)| position.to_move().is_some()) {
        let view = state(&actions[..ply]);
        let mut draft = TurnDraft::new(position, position.setup().to_move.seat()).expect("in play");
        let mut asked: Vec<[u8; 2]> = Vec::new();
        for _ in 0..9 {
            let target = match rng.below(3) {
                0 => Target { row: rng.below(28) as u8, col: rng.below(30) as u8 },
                _ => draft
                    .placeable()
                    .cells()
                    .nth(rng.below(40) as usize)
                    .map_or(Target { row: 255, col: 0 }, Target::from),
            };
            asked.push([target.row, target.col]);
            let expected = draft.place(target);
            let answer = ask(&json!({ "op": "check_draft", "position": view, "cells": asked }));
            let last = answer["cells"].as_array().and_then(|cells| cells.last()).expect("as many as were asked");
            let why_not = expected.err().map(|refusal| refusal.to_string());
            assert_eq!(
                *last,
                json!({ "cell": [target.row, target.col], "legal": why_not.is_none(), "why_not": why_not })
            );
            assert_eq!(answer["board"], draft.board().to_string());
            assert_eq!(cells(&answer["placeable"]), draft.placeable());
            assert_eq!(answer["placements_left"], draft.placements_left());
            assert_eq!(answer["turn"]["legal"], draft.clone().finish().is_ok());
            refusals.extend(why_not);
        }
    }
    for sentence in ["not on the board", "alive already", "out of reach", "at most 4 cells"] {
        assert!(refusals.iter().any(|refusal| refusal.contains(sentence)), "never {sentence:?}");
    }
}

#[test]
fn a_preview_is_the_next_position() {
    let mut bombs = 0;
    for seed in 0..4 {
        let (positions, actions) = game([Tier::Hard, Tier::Hard], seed);
        for (ply, action) in actions.iter().enumerate() {
            let view = state(&actions[..ply]);
            let preview = ask(&json!({ "op": "preview", "position": view, "calls": text(action) }));
            assert_eq!(preview["turn"], json!({ "legal": true, "why_not": null }));
            let after = positions[ply + 1].board();
            assert_eq!(preview["board"], after.to_string());
            assert_eq!(preview["scores"]["blue"], after.scores().blue);
            // Before the generation, births and deaths lead to the board after it; cleared cells to the one before.
            let mut board: Board = preview["before"].as_str().expect("a text").parse().expect("a board");
            assert_eq!(board.next(), *after);
            let listed = |name: &str| {
                let list = preview[name].as_array().expect("a list");
                let cell = |cell: &Value| {
                    let number = |name: &str| cell[name].as_u64().expect("a number") as u8;
                    let colour = arena_rules::conquerors::Colour::BOTH.into_iter();
                    let colour = colour.into_iter().find(|colour| cell["colour"] == colour.name()).expect("a colour");
                    (Cell::new(number("row"), number("col")).expect("on the board"), colour)
                };
                list.iter().map(cell).collect::<Vec<_>>()
            };
            let cleared = listed("cleared");
            assert!(cleared.iter().all(|(cell, colour)| positions[ply].board().colour_at(*cell) == Some(*colour)));
            let is_bomb = matches!(action, Action::Bomb(_));
            assert_eq!(
                cleared.len() as u32,
                if is_bomb { positions[ply].board().living().count() - board.living().count() } else { 0 }
            );
            bombs += u32::from(is_bomb);
            for (cell, colour) in listed("deaths") {
                assert_eq!(board.colour_at(cell), Some(colour));
                let mut dead = Plane::EMPTY;
                dead.insert(cell);
                board.clear(dead);
            }
            for (cell, colour) in listed("births") {
                assert_eq!(board.colour_at(cell), None);
                board.set(cell, colour);
            }
            assert_eq!(board, *after);
        }
    }
    assert!(bombs > 0, "no game had a bomb");
}

#[test]
fn the_beginning_of_a_turn_can_be_previewed_and_an_illegal_one_cannot() {
    let view = ask(&json!({ "op": "new_game", "options": v2() }));
    let preview = |tool: &str, cells: Value| json!({ "op": "preview", "position": view, "calls": [{ "tool": tool, "cells": cells }] });
    let three = ask(&preview("place", json!([[3, 3], [3, 4], [3, 5]])));
    assert_eq!(three["turn"]["why_not"], "3 of 4 cells were placed while another legal cell was left");
    assert_eq!(
        (three["births"].as_array().map(Vec::len), three["deaths"].as_array().map(Vec::len)),
        (Some(2), Some(2))
    );
    assert_eq!(three["births"][0], json!({ "row": 2, "col": 4, "colour": "blue" }));
    let far = refused(&preview("place", json!([[3, 3], [3, 3]])));
    assert_eq!(far, ("illegal_move".into(), "the cell at row 3, column 3 is alive already".into()));
    let bomb = refused(&preview("bomb", json!([[3, 3]])));
    assert_eq!(bomb, ("illegal_move".into(), format!("the bomb unlocks in round {BOMB_FROM_ROUND}")));
    assert_eq!(refused(&preview("pass", json!([]))).0, "illegal_move");
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
    let words: Vec<&Value> = said.as_array().expect("a list").iter().map(|said| &said["words"]).collect();
    assert_eq!(words, ["places 12,3, 12,4 and 13,3", "bombs the square around 3,10", "skips"]);
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
fn a_record_is_replayed_position_by_position() {
    let replayed = ask(&json!({ "op": "replay", "record": example() }));
    assert_eq!((&replayed["verified"], &replayed["why_not"]), (&json!(true), &Value::Null));
    let record = Record::parse(&example()).expect("a record");
    assert_eq!(check(&record), Ok(()));
    let turns = replayed["turns"].as_array().expect("a list");
    let positions = replayed["positions"].as_array().expect("a list");
    assert_eq!((turns.len(), positions.len()), (record.turns.len(), record.turns.len() + 1));
    for ply in 0..=record.turns.len() {
        let played: Vec<String> = record.turns[..ply].iter().map(|turn| hex(&turn.plays[0].action.0)).collect();
        assert_eq!(positions[ply], ask(&json!({ "op": "state", "options": v2(), "actions": played })));
        if let Some(turn) = record.turns.get(ply) {
            let encoded = ask(&compose(&turns[ply]["calls"]));
            assert_eq!(encoded["bytes"], hex(&turn.plays[0].action.0));
            assert_eq!(turns[ply]["colour"], ["blue", "red"][ply % 2]);
        }
    }
    assert_eq!(replayed["outcome"], json!({ "winner": 1, "reason": "extinction", "tally": [0, 8] }));
}

#[test]
fn a_record_that_was_changed_is_not_verified() {
    let lies = example().replacen("\"winner\":1", "\"winner\":0", 1);
    let replayed = ask(&json!({ "op": "replay", "record": lies }));
    assert_eq!(
        (&replayed["verified"], &replayed["positions"], &replayed["turns"]),
        (&json!(false), &json!([]), &json!([]))
    );
    assert_eq!(replayed["why_not"], "the outcome or the final digest differs");
    let unknown = example().replacen("conquerors@2", "conquerors@9", 1);
    assert_eq!(ask(&json!({ "op": "replay", "record": unknown }))["verified"], false);
    for broken in [example().trim_end().to_owned(), String::new(), example().replacen("hard@1", "hard", 1)] {
        assert_eq!(refused(&json!({ "op": "replay", "record": broken })).0, "not_a_record");
    }
}

#[test]
fn a_resigned_game_ends_in_its_last_position() {
    let room = room().with(Event::Resigned { ply: 0, seat: 0 }).expect("it is asked");
    let replayed = ask(&json!({ "op": "replay", "record": room.record().expect("over").to_text() }));
    assert_eq!(replayed["verified"], true);
    assert_eq!(replayed["positions"].as_array().map(Vec::len), Some(1));
    assert!(replayed["positions"][0]["to_move"].is_null());
    assert_eq!(replayed["forfeits"][0]["code"], "resigned");
}

#[test]
fn nonsense_has_a_code() {
    let view = ask(&json!({ "op": "new_game", "options": v2() }));
    let with = |name: &str, value: Value| {
        let mut changed = view.clone();
        changed[name] = value;
        json!({ "op": "check_draft", "position": changed, "cells": [] })
    };
    let cases = [
        (json!({ "op": "new_game", "options": "weighted_majority,chain_needs_home" }), "unknown_game"),
        (json!({ "op": "state", "options": "x", "actions": [] }), "unknown_game"),
        (json!({ "op": "state", "options": v2(), "actions": ["01"] }), "illegal_move"),
        (json!({ "op": "state", "options": v2(), "actions": ["010000"] }), "illegal_move"),
        (json!({ "op": "state", "options": v2(), "actions": ["0"] }), "bad_request"),
        (json!({ "op": "state", "options": v2() }), "bad_request"),
        (json!({ "op": "new_game", "options": v2(), "seed": 1 }), "bad_request"),
        (json!({ "op": "check_draft", "position": view, "cells": [[256, 0]] }), "bad_request"),
        (json!({ "op": "check_draft", "position": view, "cells": [[-1, 0]] }), "bad_request"),
        (compose(&json!([{ "tool": "skip", "cells": [[0, 0]] }])), "bad_request"),
        (compose(&json!([{ "tool": "place", "cells": [[256, 0]] }])), "bad_request"),
        (compose(&json!([{ "tool": "dance", "cells": [] }])), "bad_request"),
        (compose(&json!([])), "bad_request"),
        (json!({ "op": "compose", "ruleset": "chess@1", "calls": [] }), "unknown_game"),
        (json!({ "op": "describe", "ruleset": "chess@1", "actions": [] }), "unknown_game"),
        (with("board", json!("...")), "not_a_position"),
        (with("round", json!(13)), "not_a_position"),
        (with("round", json!(0)), "not_a_position"),
        (with("options", json!("x")), "not_a_position"),
        (with("cooldown", json!({ "blue": 4, "red": 0 })), "not_a_position"),
        (with("to_move", Value::Null), "game_over"),
        (json!([]), "bad_request"),
    ];
    for (request, code) in cases {
        assert_eq!(refused(&request).0, code, "{request}");
    }
    let after_the_end = json!({ "op": "state", "options": v2(), "actions": ["010300", "010300", "010300"] });
    assert_eq!(refused(&after_the_end), ("illegal_move".into(), "turn 3: the game is over".into()));
}

#[test]
fn a_request_has_so_many_bytes_and_not_one_more() {
    let of = |bytes: usize| {
        let request = r#"{"op":"rules"}"#;
        call(&format!("{request}{}", " ".repeat(bytes - request.len())))
    };
    assert!(of(REQUEST_BYTES_MAX).starts_with("{\"ok\""));
    assert!(of(REQUEST_BYTES_MAX + 1).starts_with("{\"error\":{\"code\":\"too_long\""));
    // The longest record fits, whatever is in it.
    let longest = "\"".repeat(arena_record::RECORD_BYTES_MAX);
    assert!(json!({ "op": "replay", "record": longest }).to_string().len() <= REQUEST_BYTES_MAX);
}
