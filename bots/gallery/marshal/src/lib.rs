//! `marshal`: plays War of Life by looking as many moves ahead as a third of its fuel allows.
//!
//! The rules come with the SDK, so every line can be played out: [`Board::after`] *is* the referee's move and generation.
//! The marshal searches as a chess program does. It asks for the best line of one move, then of two, of three, and so on
//! (iterative deepening), each time cutting off whatever cannot change the choice any more (alpha-beta), with the most
//! promising boards first, because they cut off the most. What a line is worth: own pieces less the opponent's at its end;
//! a win above everything, the sooner the better; a draw is nothing.
//!
//! Within the search the side to move is blue: colours are exchanged after each move.
//!
//! Before it looks at what follows from a board, it asks how much fuel is left, and stops in time with the choice of the
//! last depth it came through with.
//!
//! ```
//! use arena_sdk::war_of_life::{Position, Start};
//! use arena_sdk::{Bot, Observation, Ruleset, Seat};
//!
//! let position = Position::start(&Start::Random, &[1; 32]);
//! let seen = Observation { position, seat: Seat(0), seat_seed: [1; 32] };
//! let action = marshal::Marshal.turn(&seen);
//! assert!(seen.position.check(seen.seat, &action).is_ok());
//! ```

use arena_sdk::war_of_life::{Action, Board, Colour, MOVES_MAX, Move, Position};
use arena_sdk::{Bot, Observation, fuel};

/// What it spends of a turn's fuel is one part of so many. All of it would look hardly further, in three times the time.
const PARTS: u64 = 3;
/// Depth beyond which no line is looked at: on a board with few pieces more would be possible, and of no use.
const DEPTH_MAX: u16 = 24;
/// Above every number of pieces and every number of moves.
const WIN: i32 = 10_000;
/// Below every worth.
const LOWEST: i32 = -2 * WIN;

/// Looks ahead.
#[derive(Default)]
pub struct Marshal;

impl Bot<Position> for Marshal {
    fn turn(&mut self, observation: &Observation<Position>) -> Action {
        let position = &observation.position;
        let board = match observation.colour() {
            Colour::Blue => *position.board(),
            Colour::Red => position.board().recoloured(),
        };
        let told = fuel();
        let search = Search { least: told - told / PARTS };
        let mut lines: Vec<Line> = lines(&board);
        lines.sort_by_key(|line| -line.lead);
        let left = MOVES_MAX - position.ply();
        for depth in 1..=DEPTH_MAX.min(left) {
            let Some(best) = search.best_line(&lines, depth, left) else { break };
            lines[..=best].rotate_right(1);
        }
        let best = lines.first().expect("a player who is asked has a move");
        Action::from(best.step)
    }
}

/// A move and what it leads to.
struct Line {
    step: Move,
    /// As the opponent sees it.
    board: Board,
    /// Pieces of the one who moved, less the opponent's.
    lead: i32,
}

/// All of blue's moves.
fn lines(board: &Board) -> Vec<Line> {
    let line = |step| {
        let after = board.after(Colour::Blue, step);
        Line { step, board: after.recoloured(), lead: lead(&after) }
    };
    board.moves(Colour::Blue).map(line).collect()
}

fn lead(board: &Board) -> i32 {
    let counts = board.counts();
    counts.blue as i32 - counts.red as i32
}

/// The worth of a game that is over to blue, who is to move with so many moves left; sooner wins are worth more.
fn over(board: &Board, left: u16) -> Option<i32> {
    let [own, enemy] = Colour::BOTH.map(|colour| !board.of(colour).is_empty());
    match (own, enemy) {
        (false, false) => Some(0),
        _ if left == 0 => Some(0),
        (false, true) => Some(-WIN - i32::from(left)),
        (true, false) => Some(WIN + i32::from(left)),
        (true, true) => (!board.can_move(Colour::Blue)).then_some(0),
    }
}

struct Search {
    /// The fuel that is to be left.
    least: u64,
}

impl Search {
    /// The number of the best line; `None` when there is too little fuel left to tell.
    fn best_line(&self, lines: &[Line], depth: u16, left: u16) -> Option<usize> {
        let mut best = (LOWEST, 0);
        for (number, line) in lines.iter().enumerate() {
            let worth = -self.worth(&line.board, depth - 1, left - 1, LOWEST, -best.0)?;
            if worth > best.0 {
                best = (worth, number);
            }
        }
        Some(best.1)
    }

    /// What `board` is worth to blue, who is to move, when both move best, looking `depth` moves deep. Outside of
    /// `low..high` only a bound.
    fn worth(&self, board: &Board, depth: u16, left: u16, mut low: i32, high: i32) -> Option<i32> {
        if let Some(worth) = over(board, left) {
            return Some(worth);
        }
        match depth {
            0 => return Some(lead(board)),
            _ if fuel() < self.least => return None,
            1 => return Some(last_move(board, left, high)),
            _ => {}
        }
        let mut lines = lines(board);
        let mut best = LOWEST;
        while let Some(next) = (0..lines.len()).max_by_key(|number| lines[*number].lead) {
            let line = lines.swap_remove(next);
            let worth = -self.worth(&line.board, depth - 1, left - 1, -high, -low)?;
            best = best.max(worth);
            low = low.max(worth);
            if low >= high {
                break;
            }
        }
        Some(best)
    }
}

/// The same for one move, which most of the work is. Nothing is gained by order here, and no stalemate is looked for.
fn last_move(board: &Board, left: u16, high: i32) -> i32 {
    let mut best = LOWEST;
    let empty = board.empty_cells();
    for from in board.of(Colour::Blue) {
        for to in from.neighbours() & empty {
            let after = board.after(Colour::Blue, Move { from, to });
            let counts = after.counts();
            let worth = match (counts.blue, counts.red) {
                _ if left == 1 => 0,
                (0, 0) => 0,
                (0, _) => -WIN,
                (_, 0) => WIN,
                (own, enemy) => own as i32 - enemy as i32,
            };
            best = best.max(worth);
            if best >= high {
                return best;
            }
        }
    }
    best
}

arena_sdk::bot!(Marshal: arena_sdk::war_of_life::Position);
