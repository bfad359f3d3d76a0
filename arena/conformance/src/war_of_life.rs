//! Readers for War of Life. Boards are lists of 8 rows of 8 characters. A move is `[row, column, row, column]`, counted
//! from 1: from where to where. Players are `b` and `r`.

use arena_baselines::war_of_life::{Child, OnePly, Strategy, Terminals, children, choose};
use arena_rules::war_of_life::{Action, Board, Colour, Move, Position, Target};
use arena_rules::{BySeat, Rng, Ruleset};
use serde::Deserialize;

use crate::difference::{Difference, expect};
use crate::{Reader, parse};

/// A move as the vectors write it.
type At = [u8; 4];

pub(crate) fn reader(file: &str) -> Option<Reader> {
    Some(match file {
        "crank" => |line| crank(&parse(line)?),
        "moves" => |line| moves(&parse(line)?),
        "strategy" => |line| strategy(&parse(line)?),
        "minimax" => |line| two_plies(&parse(line)?),
        "games" => |line| game(&parse(line)?),
        _ => return None,
    })
}

fn board(rows: &[String]) -> Result<Board, Difference> {
    rows.join("/").parse().map_err(Difference::refused)
}

fn colour(player: &str) -> Result<Colour, Difference> {
    match player {
        "b" => Ok(Colour::Blue),
        "r" => Ok(Colour::Red),
        other => Err(Difference::unknown("player", other)),
    }
}

fn at(step: Move) -> At {
    [step.from.row(), step.from.col(), step.to.row(), step.to.col()].map(|number| number as u8 + 1)
}

/// The strategy of this name. The vectors write names with `_`.
fn named(name: &str) -> Result<Strategy, Difference> {
    Strategy::from_name(&name.replace('_', "-")).ok_or_else(|| Difference::unknown("strategy", name))
}

/// The choice of a strategy that uses no randomness.
fn chosen(board: &Board, colour: Colour, strategy: Strategy) -> Option<At> {
    choose(board, colour, strategy, &mut Rng::new(&[0; 32], 0)).map(at)
}

/// One generation.
#[derive(Deserialize)]
struct Crank {
    rows: Vec<String>,
    next_rows: Vec<String>,
}

fn crank(line: &Crank) -> Result<(), Difference> {
    expect("next_rows", line.next_rows.join("/"), board(&line.rows)?.next().to_string())
}

/// All moves of a player, in order.
#[derive(Deserialize)]
struct Moves {
    rows: Vec<String>,
    player: String,
    moves_in_generation_order: Vec<At>,
}

fn moves(line: &Moves) -> Result<(), Difference> {
    let (board, colour) = (board(&line.rows)?, colour(&line.player)?);
    expect("moves", line.moves_in_generation_order.clone(), board.moves(colour).map(at).collect())?;
    expect("can_move", !line.moves_in_generation_order.is_empty(), board.can_move(colour))
}

/// What a one-ply strategy thinks best: the value, and every move that has it, in order. The strategy plays the first
/// of them.
#[derive(Deserialize)]
struct StrategyLine {
    rows: Vec<String>,
    player: String,
    strategy: String,
    best_value: Option<i32>,
    best_moves: Vec<At>,
    n_moves: usize,
}

fn strategy(line: &StrategyLine) -> Result<(), Difference> {
    let (board, colour, strategy) = (board(&line.rows)?, colour(&line.player)?, named(&line.strategy)?);
    let Strategy::OnePly(one_ply) = strategy else {
        return Err(Difference::unknown("one-ply strategy", &line.strategy));
    };
    let values = board.moves(colour).map(|step| (at(step), one_ply.value(&board.after(colour, step), colour)));
    let values: Vec<(At, i32)> = values.collect();
    expect("n_moves", line.n_moves, values.len())?;
    let (best, best_moves) = best(&values);
    expect("best_value", line.best_value, best)?;
    expect("best_moves", line.best_moves.clone(), best_moves)?;
    expect("the choice", line.best_moves.first().copied(), chosen(&board, colour, strategy))
}

/// The highest value and all moves that have it.
fn best(values: &[(At, i32)]) -> (Option<i32>, Vec<At>) {
    let most = values.iter().map(|(_, value)| *value).max();
    (most, values.iter().filter(|(_, value)| Some(*value) == most).map(|(step, _)| *step).collect())
}

/// Every move with the kind of its result and a value. For the kind `ok` the value is the least difference of own and
/// opponent's pieces after an answer; for the others it is the difference at once. The best moves are taken by these
/// values; where every move is `ok`, they are those of minimax.
#[derive(Deserialize)]
struct Minimax {
    rows: Vec<String>,
    player: String,
    depth: u8,
    move_values: Vec<(u8, u8, u8, u8, String, i32)>,
    best_value_static_terminals: Option<i32>,
    best_moves: Vec<At>,
    has_terminal_child: bool,
}

fn two_plies(line: &Minimax) -> Result<(), Difference> {
    let (board, colour) = (board(&line.rows)?, colour(&line.player)?);
    expect("depth", line.depth, 2)?;
    let found: Vec<(At, &str, i32)> = children(&board, colour)
        .map(|(step, child)| {
            let at_once = OnePly::LandGrab.value(&board.after(colour, step), colour);
            let (kind, value) = match child {
                Child::Answered(value) => ("ok", value),
                Child::Win => ("win", at_once),
                Child::Loss => ("loss", at_once),
                Child::Nobody => ("draw", at_once),
                Child::Stalemate => ("stalemate", at_once),
            };
            (at(step), kind, value)
        })
        .collect();
    let wanted = line.move_values.iter().map(|(a, b, c, d, kind, value)| ([*a, *b, *c, *d], kind.as_str(), *value));
    expect("move_values", wanted.collect(), found.clone())?;
    let values: Vec<(At, i32)> = found.iter().map(|(step, _, value)| (*step, *value)).collect();
    let (best, best_moves) = best(&values);
    expect("best_value_static_terminals", line.best_value_static_terminals, best)?;
    expect("best_moves", line.best_moves.clone(), best_moves)?;
    expect("has_terminal_child", line.has_terminal_child, found.iter().any(|(_, kind, _)| *kind != "ok"))?;
    if !line.has_terminal_child {
        let choice = chosen(&board, colour, Strategy::Minimax(Terminals::Clean));
        expect("the choice", line.best_moves.first().copied(), choice)?;
    }
    Ok(())
}

/// A whole game: every move is legal and, unless the strategy draws, the strategy's own; then the outcome.
#[derive(Deserialize)]
struct Game {
    rows: Vec<String>,
    p1: String,
    p2: String,
    moves: Vec<At>,
    n_moves: u16,
    outcome: String,
}

fn game(line: &Game) -> Result<(), Difference> {
    let strategies = [named(&line.p1)?, named(&line.p2)?];
    let mut position = Position::new(board(&line.rows)?, 0).map_err(Difference::refused)?;
    for (number, wanted) in (1..).zip(&line.moves) {
        let colour = position.to_move().ok_or(Difference::Missing("game to move in").in_turn(number))?;
        let strategy = strategies[colour.seat().index()];
        if strategy != Strategy::Random {
            expect(&format!("move {number}"), Some(*wanted), chosen(position.board(), colour, strategy))?;
        }
        // A number below 1 wraps round to one that is on no board.
        let [from_row, from_col, row, col] = wanted.map(|number| number.wrapping_sub(1));
        let action = Action { from: Target { row: from_row, col: from_col }, to: Target { row, col } };
        let step =
            position.check(colour.seat(), &action).map_err(|refusal| Difference::refused(refusal).in_turn(number))?;
        position.advance(BySeat::new(2, |seat| (seat == colour.seat()).then_some(step)));
    }
    expect("n_moves", line.n_moves, position.ply())?;
    let outcome = position.outcome().ok_or(Difference::Missing("end after the last move"))?;
    let winner = outcome.winner.and_then(Colour::of);
    let got = match winner {
        Some(Colour::Blue) => "b",
        Some(Colour::Red) => "r",
        None => "draw",
    };
    expect("outcome", line.outcome.as_str(), got)
}
