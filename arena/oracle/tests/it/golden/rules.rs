//! The automaton, reach, scores and whole games.

use arena_oracle::{
    Game, Options, Player, Reach, Reason, Turn, all_cells, blast, counts, next, scores, text_fnv1a, to_text, zones,
};
use serde_json::Value;

use super::vectors::{Line, board, cell, cells, flags, for_each_line, list, number, numbers, player, same, strings};

#[test]
fn evolve() {
    for_each_line("evolve.jsonl", 167, |line| {
        same("next", to_text(&next(&line.board())), to_text(&board(line.get("next"))))
    });
}

#[test]
fn reach() {
    for_each_line("reach.jsonl", 166, |line| {
        let board = line.board();
        let v2 = names(zones(&board, line.player(), Options::V2));
        same("zones", v2, strings(line.get("zones")))?;
        let v5_4 = names(zones(&board, line.player(), Options::V5_4));
        same("zones without the home clause", v5_4, strings(line.get("shipped_server_zones")))?;
        same("counts", counts(&board), numbers(line.get("n")))?;
        same("scores", scores(&board), numbers(line.get("score")))
    });
}

#[test]
fn games() {
    for_each_line("games.jsonl", 115, |line| {
        let mut game = Game::new(Options::V2);
        let turns = list(line.get("turns"));
        let hashes = strings(line.get("hashes"));
        same("hashes", hashes.len(), turns.len())?;
        for (index, (turn, hash)) in turns.iter().zip(hashes).enumerate() {
            play(&mut game, turn, hash).map_err(|reason| format!("turn {}: {reason}", index + 1))?;
            if let Some(boards) = line.get("boards").as_array() {
                same("board", to_text(&game.board), to_text(&board(&boards[index])))?;
            }
        }
        outcome(line, &game)
    });
}

/// Plays one stored turn and compares what is stored before and after it.
fn play(game: &mut Game, turn: &Value, hash: &str) -> Result<(), String> {
    same("player", game.to_move, player(&turn["p"]))?;
    same("round", game.round, number(&turn["round"]))?;
    same("reach", names(zones(&game.board, game.to_move, game.options)), strings(&turn["reach"]))?;
    let action = match turn["a"].as_str() {
        Some("place") => Turn::Place(cells(&turn["cells"])),
        Some("bomb") => Turn::Bomb(cell(&turn["at"])),
        Some("skip") => Turn::Skip,
        other => return Err(format!("no action {other:?}")),
    };
    if let Turn::Bomb(target) = action {
        let after = blast(&game.board, target);
        let killed = all_cells().filter(|at| after[at.row][at.column] != game.board[at.row][at.column]).count();
        same("killed", killed, number(&turn["killed"]) as usize)?;
    }
    game.play(&action).map_err(|refusal| refusal.to_string())?;

    let after = &turn["after"];
    same("round after", game.round, number(&after["round"]))?;
    same("cooldown", game.cooldown, numbers(&after["cd"]))?;
    same("skip", game.skip_used, flags(&after["skip"]))?;
    same("counts", counts(&game.board), numbers(&after["n"]))?;
    same("scores", scores(&game.board), numbers(&after["score"]))?;
    same("over", Some(game.outcome.is_some()), after["over"].as_bool())?;
    same("hash", format!("{:016x}", text_fnv1a(&game.board)).as_str(), hash)
}

fn outcome(line: &Line, game: &Game) -> Result<(), String> {
    let wanted = line.get("outcome");
    let ours = game.outcome.ok_or("the game is not over")?;
    let winner = match ours.winner {
        None => 0,
        Some(Player::Blue) => 1,
        Some(Player::Red) => 2,
    };
    let reason = match ours.reason {
        Reason::Extinction => "extinction",
        Reason::MutualExtinction => "mutual_extinction",
        Reason::Majority => "majority",
    };
    same("winner", winner, number(&wanted["winner"]))?;
    same("reason", Some(reason), wanted["reason"].as_str())?;
    same("counts", ours.cells, numbers(&wanted["n"]))?;
    same("scores", ours.scores, numbers(&wanted["score"]))?;
    same("round counter", ours.round_counter, number(&wanted["round_counter"]))
}

fn names(reach: Reach) -> Vec<&'static str> {
    let open = [(true, "home"), (reach.neutral, "neutral"), (reach.enemy, "enemy")];
    open.into_iter().filter(|(open, _)| *open).map(|(_, name)| name).collect()
}
