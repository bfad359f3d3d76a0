//! A record's questions, and the built-in opponents that answer them again.

use arena_record::Budgets;
use arena_rules::{Ruleset, game_of_game_of_life};
use arena_wire::{Game, Protocol};
use serde_json::{Value, json};

use super::records::{duel, field_under, war_of_life_names};
use super::{ask, hex, refused, v2};

#[test]
fn the_players_of_a_record_can_be_asked_again() {
    for record in [
        duel("conquerors@2", &v2(), 3, ["normal", "hard"]),
        duel("conquerors@2", &format!("{},opening=symmetric:8", v2()), 4, ["normal", "hard"]),
        duel("war-of-life@1", "start=random", 5, war_of_life_names()),
    ] {
        let asked = ask(&json!({ "op": "questions", "record": record.to_text() }));
        let questions = asked["questions"].as_array().expect("a list");
        assert_eq!(questions.len(), record.turns.len());
        assert_eq!(asked["memory_bytes"], json!(4_194_304));
        for (question, turn) in questions.iter().zip(&record.turns) {
            let play = &turn.plays[0];
            assert_eq!((&question["seat"], &question["answer"]), (&json!(play.seat), &json!(hex(&play.action.0))));
            assert_eq!(question["broke"], false);
            let observation = &question["observation"];
            assert_eq!(asked["observation_len"], observation.as_str().expect("hex").len() / 2);
            let entrant = &asked["entrants"][usize::from(play.seat)];
            assert_eq!(answer(&asked["ruleset"], entrant, observation), question["answer"]);
        }
    }
}

fn answer(ruleset: &Value, entrant: &Value, observation: &Value) -> Value {
    ask(&json!({ "op": "answer", "ruleset": ruleset, "entrant": entrant, "observation": observation }))["action"]
        .clone()
}

#[test]
fn only_built_in_opponents_of_this_version_and_game_answer() {
    let record = duel("conquerors@2", &v2(), 3, ["normal", "hard"]);
    let asked = ask(&json!({ "op": "questions", "record": record.to_text() }));
    let observation = &asked["questions"][0]["observation"];
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
fn a_record_with_another_winner_differs() {
    let mut forged = duel("conquerors@2", &v2(), 3, ["normal", "hard"]);
    let unknown = forged.to_text().replacen("conquerors@2", "conquerors@9", 1);
    forged.outcome.winner = forged.outcome.winner.map_or(Some(0), |winner| Some(1 - winner));
    let asked = |record: String| refused(&json!({ "op": "questions", "record": record }));
    assert_eq!(asked(forged.to_text()), ("differs".into(), "the outcome or the final digest differs".into()));
    assert_eq!(asked(unknown).0, "unknown_game");
}

#[test]
fn a_seat_whose_bank_is_empty_is_not_asked() {
    let game = Game::named(game_of_game_of_life::Position::ID).expect("a game");
    let dear = game.allowance.fuel_per_move;
    let budgets = Budgets { fuel_per_game: Some(10 * dear), ..Budgets::of(game.allowance) };
    let record = field_under(budgets, "seats=3", 1, &[1, dear, 0]);
    assert!(record.turns.len() > 10);
    let asked = ask(&json!({ "op": "questions", "record": record.to_text() }));
    let questions = asked["questions"].as_array().expect("a list");
    let of = |seat: u8| questions.iter().filter(move |question| question["seat"] == seat);
    assert!(of(0).chain(of(2)).all(|question| question["broke"] == false));
    let broke: Vec<bool> = of(1).map(|question| question["broke"] == true).collect();
    let expected: Vec<bool> = (0..broke.len()).map(|turn| turn >= 10).collect();
    assert_eq!(broke, expected);
    let pass = game_of_game_of_life::Position::pass().expect("it has a pass");
    let pass = json!(hex(&game_of_game_of_life::Position::encode_action(&pass)));
    assert!(of(1).skip(10).all(|question| question["answer"] == pass));
    assert_eq!(asked["observation_len"], questions[0]["observation"].as_str().expect("hex").len() / 2);
}

#[test]
fn a_seat_of_a_game_in_progress_is_shown_what_it_would_be_in_a_room() {
    let record = duel("conquerors@2", &v2(), 3, ["normal", "hard"]);
    let turns: Vec<Value> = record.turns.iter().map(|turn| json!(turn.plays)).collect();
    let seeds = arena_referee::seat_seeds(&record.header);
    let asked = ask(&json!({ "op": "questions", "record": record.to_text() }));
    for (turn, question) in asked["questions"].as_array().expect("a list").iter().enumerate() {
        let game = json!({ "ruleset": "conquerors@2", "options": v2(), "turns": turns[..turn] });
        let seat = record.turns[turn].plays[0].seat;
        let seed = hex(&seeds[arena_rules::Seat(seat)]);
        let shown = ask(&json!({ "op": "observe", "game": game, "seat": seat, "seat_seed": seed }));
        assert_eq!(shown["observation"], question["observation"], "turn {turn}");
        assert_eq!(shown["memory_bytes"], asked["memory_bytes"]);
        let nobody = json!({ "op": "observe", "game": game, "seat": 2, "seat_seed": seed });
        assert_eq!(refused(&nobody).0, "bad_request");
    }
}
