//! Single actions against a state: accepted with this result, or refused.

use arena_oracle::{
    BySeat, Cell, Draft, Game, Options, Outcome, PLACEMENTS, Player, Reason, Refusal, counts, scores, to_text,
};
use serde_json::Value;

use super::vectors::{Line, board, flags, for_each_line, number, numbers, player, same};

/// A state after an action, as the vectors write it.
#[derive(Debug, PartialEq)]
struct After {
    board: String,
    to_move: Player,
    moves_left: usize,
    round: u32,
    cooldown: BySeat<u32>,
    skip_used: BySeat<bool>,
    over: bool,
}

#[test]
fn illegal() {
    for_each_line("illegal.jsonl", 67, |line| match (attempt(line), line.get("v2_expected").as_str()) {
        (Ok(after), Some("accepted")) => compare(line, after),
        (Err(_), Some("rejected" | "rejected_by_report_full_turn_action")) => Ok(()),
        (ours, wanted) => Err(format!("{}: {ours:?}, wanted {wanted:?}", line.get("name"))),
    });
}

/// The state after the line's action, or why there is none.
fn attempt(line: &Line) -> Result<After, String> {
    let state = line.get("state");
    if state["started"] == false {
        return Err("the game has not started".into());
    }
    let game = game(state);
    let placed = PLACEMENTS - number(&state["moves"]) as usize;
    let refused = |refusal: Refusal| refusal.to_string();
    let mut draft = game.resume_draft(player(line.get("actor")), placed).map_err(refused)?;
    let action = line.get("action");
    let after = match action["type"].as_str() {
        Some("move") => {
            draft.place(target(action)?).map_err(refused)?;
            if draft.placed() < PLACEMENTS {
                return Ok(unfinished(&draft, &game));
            }
            draft.finish()
        }
        Some("bomb") => draft.bomb(target(action)?),
        Some("skip") => draft.skip(),
        other => return Err(format!("no action {other:?}")),
    };
    after.map(|game| finished(&game)).map_err(refused)
}

/// A cell, if both coordinates are whole numbers from 0.
fn target(action: &Value) -> Result<Cell, String> {
    let coordinate = |key: &str| action[key].as_u64().ok_or(format!("{key} is no coordinate"));
    Ok(Cell { row: coordinate("r")? as usize, column: coordinate("c")? as usize })
}

fn game(state: &Value) -> Game {
    let board = board(&state["board"]);
    let over = Outcome {
        winner: None,
        reason: Reason::Majority,
        cells: counts(&board),
        scores: scores(&board),
        round_counter: number(&state["round"]),
    };
    Game {
        options: Options::V2,
        board,
        to_move: player(&state["player"]),
        round: number(&state["round"]),
        cooldown: numbers(&state["cd"]),
        skip_used: flags(&state["skip"]),
        outcome: (state["over"] == true).then_some(over),
    }
}

fn unfinished(draft: &Draft, before: &Game) -> After {
    After {
        board: to_text(draft.board()),
        to_move: before.to_move,
        moves_left: PLACEMENTS - draft.placed(),
        round: before.round,
        cooldown: before.cooldown,
        skip_used: before.skip_used,
        over: false,
    }
}

fn finished(game: &Game) -> After {
    After {
        board: to_text(&game.board),
        to_move: game.to_move,
        moves_left: if game.outcome.is_some() { 0 } else { PLACEMENTS },
        round: game.round,
        cooldown: game.cooldown,
        skip_used: game.skip_used,
        over: game.outcome.is_some(),
    }
}

fn compare(line: &Line, ours: After) -> Result<(), String> {
    let after = line.get("after");
    let wanted = After {
        board: to_text(&board(&after["board"])),
        to_move: player(&after["player"]),
        moves_left: number(&after["moves"]) as usize,
        round: number(&after["round"]),
        cooldown: numbers(&after["cd"]),
        skip_used: flags(&after["skip"]),
        over: after["over"] == true,
    };
    same("after", ours, wanted)
}
