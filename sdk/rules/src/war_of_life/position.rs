//! A game of War of Life between two moves.

use core::fmt;

use super::{Board, COLS, Cell, Colour, Move, Moves, ROWS, Start};
use crate::{BySeat, Outcome, Reason, Ruleset, Seat, Seats, Seed};

/// The maximum number of moves of both players together, after which a game is a draw. Source: README of
/// `jkatsioloudes/War-of-Life`, "Termination".
pub const MOVES_MAX: u16 = 250;

/// A place named by a player, not yet known to be on the board. Rows from the top, columns from the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// 0..8 on the board.
    pub row: u8,
    /// 0..8 on the board.
    pub col: u8,
}

impl Target {
    fn cell(self) -> Result<Cell, Refusal> {
        Cell::new(self.row, self.col).ok_or(Refusal::OffBoard(self))
    }
}

impl From<Cell> for Target {
    fn from(cell: Cell) -> Target {
        Target { row: cell.row() as u8, col: cell.col() as u8 }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "row {}, column {}", self.row, self.col)
    }
}

/// What a seat submits for a turn: always a move.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Action {
    /// Where the piece is.
    pub from: Target,
    /// Where it goes.
    pub to: Target,
}

impl From<Move> for Action {
    fn from(step: Move) -> Action {
        Action { from: step.from.into(), to: step.to.into() }
    }
}

/// Why an action is not legal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The game is over.
    GameOver,
    /// The other player moves.
    NotYourTurn,
    /// A place is not on the board.
    OffBoard(Target),
    /// A cell has no piece of the player's.
    NotYours(Cell),
    /// A cell is not next to the piece.
    NotANeighbour(Cell),
    /// A cell has a piece.
    Occupied(Cell),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let at = |cell: &Cell| Target::from(*cell);
        match self {
            Refusal::GameOver => write!(f, "the game is over"),
            Refusal::NotYourTurn => write!(f, "it is the other player's turn"),
            Refusal::OffBoard(target) => {
                write!(f, "{target} is not on the board (rows 0-{}, columns 0-{})", ROWS - 1, COLS - 1)
            }
            Refusal::NotYours(cell) => write!(f, "there is no piece of yours at {}", at(cell)),
            Refusal::NotANeighbour(cell) => write!(f, "{} does not touch the piece's cell", at(cell)),
            Refusal::Occupied(cell) => write!(f, "there is a piece at {} already", at(cell)),
        }
    }
}

impl core::error::Error for Refusal {}

crate::phrases! {
    Refusal {
        Refusal::GameOver => "game-over"(),
        Refusal::NotYourTurn => "not-your-turn"(),
        Refusal::OffBoard(at) =>
            "off-board"(row = at.row, col = at.col, bottom = ROWS as u64 - 1, right = COLS as u64 - 1),
        Refusal::NotYours(cell) => "not-your-piece"(row = cell.row() as u64, col = cell.col() as u64),
        Refusal::NotANeighbour(cell) => "not-a-neighbour"(row = cell.row() as u64, col = cell.col() as u64),
        Refusal::Occupied(cell) => "piece-there"(row = cell.row() as u64, col = cell.col() as u64),
    }
}

/// There are more moves than a game can have.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlyError(pub u16);

impl fmt::Display for PlyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} moves are more than the {MOVES_MAX} of a game", self.0)
    }
}

impl core::error::Error for PlyError {}

/// A game between two moves, or its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    board: Board,
    ply: u16,
    ended: Option<(Option<Colour>, Reason)>,
}

impl Position {
    /// The position with this board after this many moves; the game may be over by the rules.
    ///
    /// # Errors
    /// When the number of moves is above [`MOVES_MAX`].
    pub fn new(board: Board, ply: u16) -> Result<Position, PlyError> {
        if ply > MOVES_MAX {
            return Err(PlyError(ply));
        }
        Ok(Position { board, ply, ended: end(&board, ply) })
    }

    /// The first position with this board.
    pub(super) fn first(board: Board) -> Position {
        Position { board, ply: 0, ended: end(&board, 0) }
    }

    /// The pieces.
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Moves made, of both players together, 0..=250.
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// The colour that moves, or `None` when the game is over.
    pub fn to_move(&self) -> Option<Colour> {
        self.ended.is_none().then(|| mover(self.ply))
    }

    /// The moves that `seat` may make now, in the order of [`Board::moves`]; none when it is not its turn.
    pub fn moves(&self, seat: Seat) -> Moves {
        let colour = self.to_move().filter(|colour| colour.seat() == seat);
        colour.map_or(Moves::NONE, |colour| self.board.moves(colour))
    }

    /// The board after `step` and its generation; the position is unchanged.
    pub fn preview(&self, colour: Colour, step: Move) -> Board {
        self.board.after(colour, step)
    }
}

/// The colour to move after this many moves.
fn mover(ply: u16) -> Colour {
    if ply.is_multiple_of(2) { Colour::Blue } else { Colour::Red }
}

/// The checks before a turn. Their order is part of the rules: extinction of both comes before the limit of moves, and the limit before
/// a win by the last move.
fn end(board: &Board, ply: u16) -> Option<(Option<Colour>, Reason)> {
    let extinct = board.counts().map(|count| count == 0);
    if extinct.blue && extinct.red {
        Some((None, Reason::MutualExtinction))
    } else if ply >= MOVES_MAX {
        Some((None, Reason::Exhausted))
    } else if extinct.blue {
        Some((Some(Colour::Red), Reason::Extinction))
    } else if extinct.red {
        Some((Some(Colour::Blue), Reason::Extinction))
    } else if !board.can_move(mover(ply)) {
        Some((None, Reason::Stalemate))
    } else {
        None
    }
}

impl Ruleset for Position {
    const ID: &'static str = "war-of-life@1";

    type Options = Start;
    type Action = Action;
    type Checked = Move;
    type Refusal = Refusal;

    fn start(start: &Start, seed: &Seed) -> Position {
        Position::first(start.board(seed))
    }

    fn seats(&self) -> u8 {
        2
    }

    fn awaiting(&self) -> Seats {
        self.to_move().map_or(Seats::NONE, |colour| Seats::only(colour.seat()))
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<Move, Refusal> {
        let colour = self.to_move().ok_or(Refusal::GameOver)?;
        if colour.seat() != seat {
            return Err(Refusal::NotYourTurn);
        }
        let (from, to) = (action.from.cell()?, action.to.cell()?);
        if self.board.colour_at(from) != Some(colour) {
            return Err(Refusal::NotYours(from));
        }
        if !from.neighbours().contains(to) {
            return Err(Refusal::NotANeighbour(to));
        }
        if self.board.colour_at(to).is_some() {
            return Err(Refusal::Occupied(to));
        }
        Ok(Move { from, to })
    }

    /// A missing move moves no piece, but the generation still passes and counts.
    fn advance(&mut self, turns: BySeat<Option<Move>>) {
        let Some(colour) = self.to_move() else { return };
        let step = turns.get(colour.seat()).copied().flatten();
        self.board = step.map_or_else(|| self.board.next(), |step| self.preview(colour, step));
        self.ply += 1;
        self.ended = end(&self.board, self.ply);
    }

    fn forfeit(&mut self, seat: Seat) {
        if self.ended.is_none() {
            let winner = Colour::of(seat).map(Colour::other);
            self.ended = Some((winner, Reason::Forfeit));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let (winner, reason) = self.ended?;
        let counts = self.board.counts();
        Some(Outcome { winner: winner.map(Colour::seat), reason, tally: BySeat::from([counts.blue, counts.red]) })
    }
}
