//! Readers for Game of Game of Life. A grid is a list of rows: -1 black, 0 dead, other numbers are seats counted from
//! 1. Actions are `[row, column]`, one a seat.

use arena_rules::game_of_game_of_life::{Action, Board, Cell, Colour, Refusal, SEATS_MIN, Setup, Side, Target, Turn};
use arena_rules::{BySeat, Ruleset, Seat, Seats};
use serde::Deserialize;

use crate::difference::{Difference, expect};
use crate::{Reader, parse};

type Grid = Vec<Vec<i16>>;

pub(crate) fn reader(file: &str) -> Option<Reader> {
    Some(match file {
        "step" => |line| step(&parse(line)?),
        _ => return None,
    })
}

/// One turn of all seats and a generation: the board before, after the actions, and after the generation, and the
/// status of each action. For the board, an illegal action is a pass.
#[derive(Deserialize)]
struct Step {
    size: u8,
    grid: Grid,
    actions: Vec<[i16; 2]>,
    status: Vec<Status>,
    mid_rules: Grid,
    next_rules: Grid,
}

#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
#[serde(rename_all = "lowercase")]
enum Status {
    Pass,
    Claim,
    Kill,
    Noop,
    Illegal,
}

fn step(line: &Step) -> Result<(), Difference> {
    let seats = line.actions.len() as u8;
    let board = board(&line.grid, line.size, seats)?;
    let turns = (0..).map(Seat).zip(&line.actions).map(|(seat, action)| turn(&board, seat, *action));
    let turns: Vec<Result<Option<Cell>, Status>> = turns.collect();
    let cells = BySeat::from(turns.iter().map(|turn| turn.ok().flatten()).collect::<Vec<_>>());
    let (mid, effective) = board.acted(&cells);
    let status = (0..).map(Seat).zip(&turns).map(|(seat, turn)| match turn {
        Err(status) => *status,
        Ok(None) => Status::Pass,
        Ok(Some(_)) if effective[seat].is_none() => Status::Noop,
        Ok(Some(cell)) if board.seat(seat).contains(*cell) => Status::Kill,
        Ok(Some(_)) => Status::Claim,
    });
    expect("status", line.status.clone(), status.collect())?;
    expect("mid_rules", line.mid_rules.clone(), grid(&mid))?;
    let mut next = mid;
    next.step();
    expect("next_rules", line.next_rules.clone(), grid(&next))?;
    through_the_ruleset(board, line)
}

/// The same through a whole position, unless the game is over before the turn.
fn through_the_ruleset(board: Board, line: &Step) -> Result<(), Difference> {
    let last = BySeat::new(board.seats(), |_| None);
    let setup = Setup { board, generation: 0, last, forfeited: Seats::NONE };
    let mut position = setup.position().map_err(Difference::refused)?;
    if position.awaiting().is_empty() || position.seats() < SEATS_MIN {
        return Ok(());
    }
    let mut turns = BySeat::new(position.seats(), |_| None);
    for (seat, [row, col]) in (0..).map(Seat).zip(&line.actions) {
        let action = match (u8::try_from(*row), u8::try_from(*col)) {
            (Ok(row), Ok(col)) => Action::Cell(Target { row, col }),
            _ => Action::Pass,
        };
        turns[seat] = match position.check(seat, &action) {
            Ok(turn) => Some(turn),
            Err(Refusal::OffBoard(..)) if line.status[seat.index()] == Status::Illegal => Some(Turn::Pass),
            Err(Refusal::NotAwaited) if position.board().seat(seat).is_empty() => None,
            Err(refusal) => return Err(Difference::refused(refusal)),
        };
    }
    position.advance(turns);
    expect("next position", line.next_rules.clone(), grid(position.board()))
}

/// The cell that a seat acts on; `None` for a pass; the status if it is neither.
fn turn(board: &Board, seat: Seat, [row, col]: [i16; 2]) -> Result<Option<Cell>, Status> {
    if [row, col] == [-1, -1] {
        return Ok(None);
    }
    let cell = u8::try_from(row).ok().zip(u8::try_from(col).ok()).and_then(|(row, col)| board.side().cell(row, col));
    let cell = cell.ok_or(Status::Illegal)?;
    Ok(board.reach(seat).contains(cell).then_some(cell))
}

fn board(grid: &Grid, size: u8, seats: u8) -> Result<Board, Difference> {
    let side = Side::of_length(size).ok_or_else(|| Difference::unknown("board with a side of", size))?;
    let mut board = Board::empty(side, seats);
    for (row, cells) in (0..).zip(grid) {
        for (col, value) in (0..).zip(cells) {
            let cell = side.cell(row, col).ok_or_else(|| Difference::unknown("cell", (row, col)))?;
            match value {
                0 => {}
                -1 => board.set(cell, Colour::Black),
                seat => board.set(cell, Colour::Seat(Seat((seat - 1) as u8))),
            }
        }
    }
    Ok(board)
}

fn grid(board: &Board) -> Grid {
    let len = board.side().length();
    let value = |row, col| match board.side().cell(row, col).and_then(|cell| board.colour_at(cell)) {
        None => 0,
        Some(Colour::Black) => -1,
        Some(Colour::Seat(seat)) => i16::from(seat.0) + 1,
    };
    (0..len).map(|row| (0..len).map(|col| value(row, col)).collect()).collect()
}
