//! Records that are played again, and the built-in opponents that answer.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

use arena_check::UNREACHABLE;
use arena_check::calls::Trap;
use arena_engine::{Guests, call_with};
use arena_record::{Budgets, EntrantId, ForfeitCode, Record};
use arena_referee::{Failure, Fault, Player, Reply, Started, play};
use arena_rules::{BySeat, Ruleset, game_of_game_of_life};
use arena_wire::{Game, Protocol};
use serde_json::{Value, json};

use super::records::{Claimer, duel, field_under, header, war_of_life_names};
use super::{ask, hex, refused, v2};

/// Where scripted guests have their observations and their answers, and how much memory they have.
const OBSERVATION: u32 = 64 << 10;
const ANSWER: u32 = 0;
const MEMORY: u32 = 128 << 10;

/// A turn: the fuel that it takes, and its action, or how it ends.
type Turn = (u64, Result<Vec<u8>, u32>);

/// Guests that do what a script says: in each call they take fuel, and answer, or end in another way.
#[derive(Default)]
struct Scripted {
    /// By seat: the fuel of the start, then of each turn its fuel and what comes of it.
    starts: BTreeMap<u8, u64>,
    turns: BTreeMap<u8, Vec<Turn>>,
    asked: RefCell<BTreeMap<u8, usize>>,
    fuel: Cell<i64>,
    returned: Cell<u64>,
    answer: RefCell<Vec<u8>>,
    /// Whether no call of any turn returns.
    has_failed: Cell<bool>,
}

impl Scripted {
    /// What a record says of its bots.
    fn of(record: &Record) -> Scripted {
        let mut scripted = Scripted::default();
        for (start, seat) in record.starts.iter().zip(0..) {
            scripted.starts.extend(start.map(|fuel| (seat, fuel)));
        }
        for play in record.turns.iter().flat_map(|turn| &turn.plays) {
            play.fuel.iter().for_each(|fuel| {
                scripted.turns.entry(play.seat).or_default().push((*fuel, Ok(play.action.0.clone())));
            });
        }
        scripted
    }

    /// The same, and then the first seat fails so while the second passes.
    fn failing(record: &Record, fuel: u64, code: u32) -> Scripted {
        let mut scripted = Scripted::of(record);
        let pass = game_of_game_of_life::Position::encode_action(&game_of_game_of_life::Action::Pass);
        for (seat, turn) in [(0, (fuel, Err(code))), (1, (2, Ok(pass)))] {
            scripted.turns.get_mut(&seat).expect("its turns").push(turn);
        }
        scripted
    }
}

impl Guests for Scripted {
    fn instantiate(&self, _seat: u8) -> u32 {
        0
    }

    fn call(&self, seat: u8, function: u32, _argument: u32) -> u32 {
        match function {
            0 | 1 => 1,
            2 => {
                self.fuel.set(self.fuel.get() - self.starts[&seat] as i64);
                self.returned.set(OBSERVATION.into());
                0
            }
            _ => {
                let mut asked = self.asked.borrow_mut();
                let turn = asked.entry(seat).or_default();
                let (fuel, came) = self.turns[&seat].get(*turn).cloned().unwrap_or((0, Err(3)));
                *turn += 1;
                self.fuel.set(self.fuel.get().wrapping_sub(fuel as i64));
                match came {
                    _ if self.has_failed.get() => 3,
                    Ok(action) => {
                        self.returned.set((action.len() as u64) << 32 | u64::from(ANSWER));
                        *self.answer.borrow_mut() = action;
                        0
                    }
                    Err(code) => code,
                }
            }
        }
    }

    fn returned(&self) -> u64 {
        self.returned.get()
    }

    fn fuel(&self, _seat: u8) -> i64 {
        self.fuel.get()
    }

    fn set_fuel(&self, _seat: u8, fuel: i64) {
        self.fuel.set(fuel);
    }

    fn memory_bytes(&self, _seat: u8) -> u32 {
        MEMORY
    }

    fn read(&self, _seat: u8, address: u32, into: &mut [u8]) {
        assert_eq!(address, ANSWER);
        into.copy_from_slice(&self.answer.borrow());
    }

    fn write(&self, _seat: u8, address: u32, bytes: &[u8]) {
        assert!(address == OBSERVATION && !bytes.is_empty());
    }
}

/// What comes of playing a record again with these guests.
fn rerun(record: &str, bots: &Record, guests: &Scripted) -> Value {
    let bots: BTreeMap<&str, u64> =
        bots.header.entrants.iter().filter(|id| id.hash().is_some()).map(|id| (id.as_str(), 0)).collect();
    let request = json!({ "op": "rerun", "record": record, "bots": bots });
    let answer: Value = serde_json::from_str(&call_with(&request.to_string(), Some(guests))).expect("answers are JSON");
    assert!(answer.get("error").is_none(), "{answer}");
    answer["ok"].clone()
}

fn in_field() -> Record {
    let game = Game::named(game_of_game_of_life::Position::ID).expect("a game");
    let dear = game.allowance.fuel_per_move;
    let budgets = Budgets { fuel_per_game: Some(10 * dear), ..Budgets::of(game.allowance) };
    field_under(budgets, "seats=3,generations=50", 1, &[1, dear, 0])
}

#[test]
fn a_game_of_built_in_opponents_is_identical() {
    for record in [
        duel("conquerors@2", &v2(), 3, ["normal", "hard"]),
        duel("conquerors@2", &format!("{},opening=symmetric:8", v2()), 4, ["normal", "hard"]),
        duel("war-of-life@1", "start=random", 5, war_of_life_names()),
    ] {
        let found = ask(&json!({ "op": "rerun", "record": record.to_text(), "bots": {} }));
        assert_eq!(found, json!({ "kind": "identical", "persons": 0 }));
    }
}

#[test]
fn a_game_is_identical_where_bots_answer_and_take_fuel_as_recorded_and_differs_otherwise() {
    let record = in_field();
    assert!(record.turns.len() > 10, "the bank of a seat becomes empty");
    assert_eq!(rerun(&record.to_text(), &record, &Scripted::of(&record))["kind"], "identical");
    let mut other = Scripted::of(&record);
    other.turns.get_mut(&2).expect("its turns")[3].0 += 1;
    let found = rerun(&record.to_text(), &record, &other);
    let expected = json!({
        "kind": "differs", "turn": 4, "seat": 2, "what": "fuel", "expected": "1", "found": "0",
    });
    assert_eq!(found, expected);
    let mut other = Scripted::of(&record);
    other.starts.insert(0, 7);
    let found = rerun(&record.to_text(), &record, &other);
    let expected = json!({
        "kind": "differs", "turn": null, "seat": 0, "what": "fuel_of_the_start", "expected": "7", "found": "1",
    });
    assert_eq!(found, expected);
    let mut other = Scripted::of(&record);
    let pass = game_of_game_of_life::Position::encode_action(&game_of_game_of_life::Action::Pass);
    other.turns.get_mut(&0).expect("its turns")[5].1 = Ok(pass);
    assert_eq!(rerun(&record.to_text(), &record, &other)["what"], "action");
}

#[test]
fn an_engine_that_fails_and_a_bot_that_is_not_there_are_no_verdict() {
    let record = in_field();
    let failing = Scripted::of(&record);
    failing.has_failed.set(true);
    assert_eq!(rerun(&record.to_text(), &record, &failing)["kind"], "not_checked");
    let nobody = ask(&json!({ "op": "rerun", "record": record.to_text(), "bots": {} }));
    assert_eq!(nobody["kind"], "not_checked");
}

#[test]
fn the_rules_alone_ask_no_bot_and_a_void_game_ends_or_has_no_verdict() {
    let record = duel("conquerors@2", &v2(), 3, ["normal", "hard"]);
    let found = ask(&json!({ "op": "agreed", "record": record.to_text() }));
    assert_eq!(found, json!({ "kind": "by_rules" }));
    let found = ask(&json!({ "op": "ended", "header": record.header, "bots": {} }));
    assert_eq!(found, json!({ "kind": "ended" }));
    let record = in_field();
    let agreed = ask(&json!({ "op": "agreed", "record": record.to_text() }));
    assert_eq!(agreed["kind"], "by_rules");
    let nobody = ask(&json!({ "op": "ended", "header": record.header, "bots": {} }));
    assert_eq!((&nobody["kind"], &nobody["why"]), (&json!("not_checked"), &json!("missing")));
}

/// A bot that fails in its third turn.
struct Failing(Claimer, u8, Fault);

impl Player for Failing {
    fn start(&mut self, observation_len: usize, fuel: u64) -> Result<Started, Failure> {
        self.0.start(observation_len, fuel)
    }

    fn turn(&mut self, observation: &[u8], fuel: u64) -> Result<Reply, Failure> {
        self.1 += 1;
        if self.1 == 3 { Err(Failure::Own(self.2.clone())) } else { self.0.turn(observation, fuel) }
    }
}

fn with_forfeit(code: ForfeitCode, detail: &str) -> Record {
    let entrants = [0, 1].map(|seat: u8| EntrantId::of_bytes(&[seat])).to_vec();
    let header = header(game_of_game_of_life::Position::ID, "seats=2,generations=50", 1, entrants);
    let fault = Fault { code, detail: detail.into() };
    let mut first = Failing(Claimer { fuel: 1, next: 0 }, 0, fault);
    let mut second = Claimer { fuel: 2, next: 1 };
    play(header, BySeat::from(vec![&mut first as &mut dyn Player, &mut second])).expect("a game")
}

/// Engines say less of a trap than records do.
#[test]
fn a_trap_is_what_the_record_says_if_it_can_have_been_that() {
    let bit = |trap: Trap| 1 << (4 + trap as u32);
    let overflow = bit(Trap::Overflow) | bit(Trap::Conversion);
    for (recorded, code, kind) in [
        (Trap::Conversion.detail(), overflow, "identical"),
        (Trap::Overflow.detail(), overflow, "identical"),
        (Trap::Division.detail(), overflow, "differs"),
        (UNREACHABLE, bit(Trap::Unreachable), "identical"),
        (Trap::Memory.detail(), bit(Trap::Table), "differs"),
        (Trap::Memory.detail(), 3, "not_checked"),
    ] {
        let record = with_forfeit(ForfeitCode::Trap, recorded);
        let guests = Scripted::failing(&record, 5, code);
        let found = rerun(&record.to_text(), &record, &guests);
        assert_eq!(found["kind"], kind, "{recorded}: {found}");
    }
}

#[test]
fn the_fuel_that_the_code_left_says_whether_a_trap_was_the_meters() {
    let exhausted = "the fuel was used up before the bot answered";
    let record = with_forfeit(ForfeitCode::FuelExhausted, exhausted);
    for (left, is_same) in [(i64::MIN, true), (i64::MIN + 1, false), (0, false)] {
        let set = Budgets::of(game_of_game_of_life::Position::ALLOWANCE).fuel_per_move as i64 + 1;
        // What is taken leaves so much.
        let took = set.wrapping_sub(left) as u64;
        let guests = Scripted::failing(&record, took, 1 << 4);
        let found = rerun(&record.to_text(), &record, &guests);
        assert_eq!(found["kind"] == "identical", is_same, "{left}: {found}");
    }
}

fn answer(ruleset: &Value, entrant: &Value, observation: &Value) -> Value {
    ask(&json!({ "op": "answer", "ruleset": ruleset, "entrant": entrant, "observation": observation }))["action"]
        .clone()
}

#[test]
fn only_built_in_opponents_of_this_version_and_game_answer() {
    let game = json!({ "ruleset": "conquerors@2", "options": v2(), "turns": [] });
    let seen = ask(&json!({ "op": "observe", "game": game, "seat": 0, "seat_seed": hex(&[0; 32]) }));
    let observation = &seen["observation"];
    assert!(answer(&json!("conquerors@2"), &json!("baseline:normal@1"), observation).is_string());
    let bot = format!("sha256:{}", hex(&[7; 32]));
    for other in ["baseline:normal@2", "baseline:nobody@1", "person:00000000000000a1", &bot] {
        assert_eq!(answer(&json!("conquerors@2"), &json!(other), observation), Value::Null, "{other}");
    }
    assert_eq!(answer(&json!("chess@1"), &json!("baseline:normal@1"), observation), Value::Null);
    let none =
        json!({ "op": "answer", "ruleset": "conquerors@2", "entrant": "baseline:normal@1", "observation": "00" });
    assert_eq!(refused(&none).0, "bad_request");
}

#[test]
fn a_record_with_another_winner_differs_by_the_rules() {
    let mut forged = duel("conquerors@2", &v2(), 3, ["normal", "hard"]);
    let unknown = forged.to_text().replacen("conquerors@2", "conquerors@9", 1);
    forged.outcome.winner = forged.outcome.winner.map_or(Some(0), |winner| Some(1 - winner));
    let asked = |record: String| refused(&json!({ "op": "rerun", "record": record, "bots": {} }));
    assert_eq!(asked(forged.to_text()), ("differs".into(), "the outcome or the final digest differs".into()));
    let agreed = json!({ "op": "agreed", "record": forged.to_text() });
    assert_eq!(refused(&agreed).0, "differs");
    assert_eq!(asked(unknown).0, "unknown_game");
}

#[test]
fn a_bot_of_a_game_that_does_not_count_is_started_and_asked() {
    let record = in_field();
    let guests = Scripted::of(&record);
    let asked = |request: Value| {
        let answer: Value = serde_json::from_str(&call_with(&request.to_string(), Some(&guests))).expect("JSON");
        answer
    };
    let ruleset = &record.header.ruleset;
    let begun = asked(json!({ "op": "begin", "ruleset": ruleset, "seat": 0, "start_fuel": 0, "observation_len": 20 }));
    assert_eq!(begun["ok"]["observation_at"], OBSERVATION);
    let turn =
        json!({ "op": "turn", "ruleset": ruleset, "seat": 0, "observation_at": OBSERVATION, "observation": "00" });
    assert_eq!(asked(turn.clone())["ok"]["action"], hex(&record.turns[0].plays[0].action.0));
    guests.has_failed.set(true);
    assert_eq!(asked(turn)["error"]["code"], "bot_failed");
}

#[test]
fn a_seat_of_a_game_in_progress_is_shown_what_it_would_be_in_a_room() {
    let record = duel("conquerors@2", &v2(), 3, ["normal", "hard"]);
    let turns: Vec<Value> = record.turns.iter().map(|turn| json!(turn.plays)).collect();
    let seeds = arena_referee::seat_seeds(&record.header);
    for (turn, played) in record.turns.iter().enumerate() {
        let game = json!({ "ruleset": "conquerors@2", "options": v2(), "turns": turns[..turn] });
        let seat = played.plays[0].seat;
        let seed = hex(&seeds[arena_rules::Seat(seat)]);
        let shown = ask(&json!({ "op": "observe", "game": game, "seat": seat, "seat_seed": seed }));
        let entrant = json!(record.header.entrants[usize::from(seat)]);
        let action = answer(&json!("conquerors@2"), &entrant, &shown["observation"]);
        assert_eq!(action, hex(&played.plays[0].action.0), "turn {turn}");
        assert_eq!(shown["budgets"]["memory_bytes"], json!(4_194_304));
        let nobody = json!({ "op": "observe", "game": game, "seat": 2, "seat_seed": seed });
        assert_eq!(refused(&nobody).0, "bad_request");
    }
}
