//! A game between two generations.

use core::fmt;

use crate::{BySeat, Outcome, Reason, Ruleset, Seat, Seats, Seed};

use super::{Board, Cell, GENERATIONS, Options};

/// A place named by a player, not yet known to be on the board.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Target {
    /// Row from the top, from 0.
    pub row: u8,
    /// Column from the left, from 0.
    pub col: u8,
}

impl From<Cell> for Target {
    fn from(cell: Cell) -> Target {
        Target { row: cell.row(), col: cell.col() }
    }
}

impl fmt::Display for Target {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.row, self.col)
    }
}

/// What a seat submits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Action {
    /// Nothing.
    Pass,
    /// Kill an own cell, or claim any other.
    Cell(Target),
}

/// A checked action. A cell too far from all own cells has become a pass.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Nothing.
    Pass,
    /// Kill or claim a cell within reach.
    Cell(Cell),
}

/// Why an action is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The game is over.
    GameOver,
    /// The seat has no living cells, has dropped out, or does not exist.
    NotAwaited,
    /// The cell is not on the board, whose rows and columns have this length.
    OffBoard(Target, u8),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::GameOver => write!(f, "the game is over"),
            Refusal::NotAwaited => write!(f, "this seat has no living cell, or is out"),
            Refusal::OffBoard(target, len) => {
                write!(f, "{target} is not on the board (rows and columns 0-{})", len - 1)
            }
        }
    }
}

impl core::error::Error for Refusal {}

crate::phrases! {
    Refusal {
        Refusal::GameOver => "game-over"(),
        Refusal::NotAwaited => "seat-is-out"(),
        Refusal::OffBoard(at, len) =>
            "off-board"(row = at.row, col = at.col, bottom = *len - 1, right = *len - 1),
    }
}

/// Everything a position consists of, not yet validated.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Setup {
    /// Living cells.
    pub board: Board,
    /// Generations since the start of a game of full length, 0..=1,000; a [shorter](super::Length) game starts later.
    pub generation: u16,
    /// The cell on which each seat last acted with effect; `None` if its last turn had none, and at the start.
    pub last: BySeat<Option<Cell>>,
    /// The seats that have dropped out.
    pub forfeited: Seats,
}

/// Why a setup is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// There are more generations than a game has.
    Generation(u16),
    /// A last action is off the board, or is a seat's that does not exist.
    Last(Seat),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Generation(generation) => write!(f, "generation {generation} is above {GENERATIONS}"),
            SetupError::Last(seat) => write!(f, "the last action of {seat} cannot have been"),
        }
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// The position with this setup.
    ///
    /// # Errors
    /// When the generation is out of range, or a last action is invalid.
    pub fn position(self) -> Result<Position, SetupError> {
        if self.generation > GENERATIONS {
            return Err(SetupError::Generation(self.generation));
        }
        let (seats, side) = (self.board.seats(), self.board.side());
        if self.last.seats() != seats {
            return Err(SetupError::Last(Seat(seats.min(self.last.seats()))));
        }
        let off = |cell: Cell| side.cell(cell.row(), cell.col()).is_none();
        let wrong = self.last.iter().find(|(_, cell)| cell.is_some_and(off)).map(|(seat, _)| SetupError::Last(seat));
        wrong.map_or(Ok(Position { setup: self }), Err)
    }
}

/// A game between two generations, or its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    setup: Setup,
}

impl Position {
    /// Living cells.
    pub fn board(&self) -> &Board {
        &self.setup.board
    }

    /// Generations since the start of a game of full length.
    pub fn generation(&self) -> u16 {
        self.setup.generation
    }

    /// Where a seat last acted with effect; `None` if its last turn had none, at the start, and for a seat that does not exist.
    pub fn last_move(&self, seat: Seat) -> Option<Cell> {
        self.setup.last.iter().find(|(of, _)| *of == seat).and_then(|(_, cell)| *cell)
    }

    /// Everything the position consists of.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// Coloured cells by seat; 0 for seats that have dropped out.
    pub fn tally(&self) -> BySeat<u32> {
        let mut tally = self.setup.board.counts();
        tally.iter_mut().filter(|(seat, _)| self.setup.forfeited.contains(*seat)).for_each(|(_, count)| *count = 0);
        tally
    }

    /// The seats that have living cells and have not dropped out.
    fn contenders(&self) -> Seats {
        let Setup { board, forfeited, .. } = &self.setup;
        let seats = (0..board.seats()).map(Seat);
        seats.filter(|seat| !forfeited.contains(*seat) && !board.seat(*seat).is_empty()).collect()
    }
}

impl Position {
    /// The rule that has ended the game.
    fn ended(&self) -> Option<Reason> {
        let board = &self.setup.board;
        match (0..board.seats()).filter(|seat| !board.seat(Seat(*seat)).is_empty()).count() {
            0 => Some(Reason::MutualExtinction),
            1 => Some(Reason::Extinction),
            _ if self.setup.generation >= GENERATIONS => Some(Reason::Majority),
            _ if self.contenders().iter().nth(1).is_none() => Some(Reason::Forfeit),
            _ => None,
        }
    }
}

impl Ruleset for Position {
    const ID: &'static str = "game-of-game-of-life@1";

    type Options = Options;
    type Action = Action;
    type Checked = Turn;
    type Refusal = Refusal;

    fn start(options: &Options, seed: &Seed) -> Position {
        let board = options.board(seed);
        let last = BySeat::new(board.seats(), |_| None);
        let generation = GENERATIONS - options.length.generations();
        Position { setup: Setup { board, generation, last, forfeited: Seats::NONE } }
    }

    fn seats(&self) -> u8 {
        self.setup.board.seats()
    }

    fn awaiting(&self) -> Seats {
        if self.ended().is_some() { Seats::NONE } else { self.contenders() }
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<Turn, Refusal> {
        if self.ended().is_some() {
            return Err(Refusal::GameOver);
        }
        if !self.contenders().contains(seat) {
            return Err(Refusal::NotAwaited);
        }
        let Action::Cell(target) = *action else { return Ok(Turn::Pass) };
        let side = self.setup.board.side();
        let cell = side.cell(target.row, target.col).ok_or(Refusal::OffBoard(target, side.length()))?;
        Ok(if self.setup.board.reach(seat).contains(cell) { Turn::Cell(cell) } else { Turn::Pass })
    }

    fn advance(&mut self, turns: BySeat<Option<Turn>>) {
        let awaited = self.awaiting();
        if awaited.is_empty() {
            return;
        }
        let cells = BySeat::new(self.seats(), |seat| match turns.get(seat) {
            Some(Some(Turn::Cell(cell))) if awaited.contains(seat) => Some(*cell),
            _ => None,
        });
        (self.setup.board, self.setup.last) = self.setup.board.acted(&cells);
        self.setup.board.step();
        self.setup.generation += 1;
    }

    /// With two seats the opponent wins. With more the seat passes from then on, its cells live on, and its tally is 0. The
    /// game ends early once only one seat has living cells and has not dropped out.
    fn forfeit(&mut self, seat: Seat) {
        if self.ended().is_none() && seat.0 < self.seats() {
            self.setup.forfeited = self.setup.forfeited.with(seat);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let reason = self.ended()?;
        let tally = self.tally();
        let most = tally.values().iter().copied().max().unwrap_or(0);
        let leaders: Seats = tally.iter().filter(|(_, count)| **count == most).map(|(seat, _)| seat).collect();
        let winner = leaders.iter().next().filter(|seat| most > 0 && leaders == Seats::only(*seat));
        Some(Outcome { winner, reason, tally })
    }
}
