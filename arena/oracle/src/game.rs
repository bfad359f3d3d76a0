//! Turns, and how a game ends.

use std::fmt;

use crate::board::{Board, BySeat, COLUMNS, Cell, EMPTY, Player, ROWS, blast, counts, next};
use crate::reach::{Options, legal_cells, scores, zone, zones};

/// Placements of a turn. Source: RR-001 §2.3.
pub const PLACEMENTS: usize = 4;
/// Rounds of a game; a round is one turn of each player. Source: RR-001 §2.3.
pub const ROUNDS: u32 = 12;
/// The first round in which a bomb may be thrown. Source: RR-001 §2.3.
pub const BOMB_ROUND_MIN: u32 = 7;
/// Turn ends a bomb blocks the next one for, its own included. Source: RR-001 §2.3, counted as the shipped client does.
pub const BOMB_COOLDOWN: u32 = 3;

/// What a player does when it is its turn.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Turn {
    /// Four cells, in this order; fewer (never none) only when no further one can be placed.
    Place(Vec<Cell>),
    /// Empties the 3x3 around a cell, any cell of the board. A whole turn.
    Bomb(Cell),
    /// Places nothing, once a game. A whole turn.
    Skip,
    /// Places nothing because nothing at all is possible: no legal cell, no bomb, no skip.
    Pass,
}

/// Why a turn, or a part of one, is not possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// The game has ended.
    Over,
    /// The other player is to move.
    NotYourTurn,
    /// The board has no such cell.
    OffBoard,
    /// The cell is alive.
    Occupied,
    /// The cell's zone is not open to the player.
    OutOfReach,
    /// The four placements are used up.
    TooManyCells,
    /// Fewer than four cells while a further one could be placed.
    TooFewCells,
    /// A bomb or a skip after a placement in the same turn.
    NotAWholeTurn,
    /// A bomb before its first round.
    BombTooEarly,
    /// A bomb during its cooldown.
    BombCoolingDown,
    /// A second skip.
    SkipUsed,
    /// A pass while something is possible.
    PassNotNeeded,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Refusal::Over => "the game is over",
            Refusal::NotYourTurn => "it is the other player's turn",
            Refusal::OffBoard => "the cell is not on the board",
            Refusal::Occupied => "the cell is occupied",
            Refusal::OutOfReach => "the cell's zone is locked",
            Refusal::TooManyCells => "more than four cells",
            Refusal::TooFewCells => "fewer than four cells while another could be placed",
            Refusal::NotAWholeTurn => "a bomb or a skip is a whole turn",
            Refusal::BombTooEarly => "the bomb is still locked",
            Refusal::BombCoolingDown => "the bomb is cooling down",
            Refusal::SkipUsed => "the skip is used up",
            Refusal::PassNotNeeded => "a pass while something can be done",
        })
    }
}

impl std::error::Error for Refusal {}

/// How a finished game was decided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reason {
    /// One side has no cell left.
    Extinction,
    /// Neither side has a cell left.
    MutualExtinction,
    /// The rounds are over: the higher score wins, equal ones draw.
    Majority,
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// Who won, if anyone.
    pub winner: Option<Player>,
    /// Why it ended.
    pub reason: Reason,
    /// Live cells at the end.
    pub cells: BySeat<u32>,
    /// Weighted scores at the end, whatever decided.
    pub scores: BySeat<u32>,
    /// The raw round counter: 13 after a full game.
    pub round_counter: u32,
}

/// A game at the start of a turn. The fields are open: set up any position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// The rules it is played by.
    pub options: Options,
    /// The board now.
    pub board: Board,
    /// Whose turn it is; at the end of the game, who moved last.
    pub to_move: Player,
    /// The round, from 1; raised when red's turn ends.
    pub round: u32,
    /// Turn ends until each side's bomb is ready.
    pub cooldown: BySeat<u32>,
    /// Who has skipped.
    pub skip_used: BySeat<bool>,
    /// Set once the game has ended.
    pub outcome: Option<Outcome>,
}

impl Game {
    /// The empty board, blue to move.
    pub fn new(options: Options) -> Game {
        Game {
            options,
            board: [[EMPTY; COLUMNS]; ROWS],
            to_move: Player::Blue,
            round: 1,
            cooldown: BySeat::default(),
            skip_used: BySeat::default(),
            outcome: None,
        }
    }

    /// Plays a whole turn of the player to move: the action, one generation, the end of the turn.
    ///
    /// # Errors
    /// The first reason against it; the game is then as it was.
    pub fn play(&mut self, turn: &Turn) -> Result<(), Refusal> {
        let mut draft = self.draft(self.to_move)?;
        *self = match turn {
            Turn::Place(cells) => {
                for &cell in cells {
                    draft.place(cell)?;
                }
                draft.finish()?
            }
            Turn::Bomb(target) => draft.bomb(*target)?,
            Turn::Skip => draft.skip()?,
            Turn::Pass => draft.pass()?,
        };
        Ok(())
    }

    /// Starts a turn that is played piece by piece.
    ///
    /// # Errors
    /// [`Refusal::Over`] and [`Refusal::NotYourTurn`].
    pub fn draft(&self, actor: Player) -> Result<Draft, Refusal> {
        self.resume_draft(actor, 0)
    }

    /// A turn of which some placements have been made; they are on the board already.
    ///
    /// # Errors
    /// [`Refusal::Over`] and [`Refusal::NotYourTurn`].
    pub fn resume_draft(&self, actor: Player, placed: usize) -> Result<Draft, Refusal> {
        if self.outcome.is_some() {
            return Err(Refusal::Over);
        }
        if actor != self.to_move {
            return Err(Refusal::NotYourTurn);
        }
        Ok(Draft { game: self.clone(), placed })
    }

    /// Why the player to move may not throw a bomb, if so.
    ///
    /// # Errors
    /// [`Refusal::BombTooEarly`] and [`Refusal::BombCoolingDown`].
    pub fn bomb_ready(&self) -> Result<(), Refusal> {
        if self.round < BOMB_ROUND_MIN {
            Err(Refusal::BombTooEarly)
        } else if *self.cooldown.of(self.to_move) > 0 {
            Err(Refusal::BombCoolingDown)
        } else {
            Ok(())
        }
    }

    /// The end of a turn, in the order that decides: generation, counts, round, extinction, majority; only a game
    /// that goes on lowers the cooldowns and changes sides. Source: RR-001 §2.3, ordered as the shipped client does.
    fn end_turn(mut self) -> Game {
        self.board = next(&self.board);
        let cells = counts(&self.board);
        if self.to_move == Player::Red {
            self.round += 1;
        }
        self.outcome = self.ending(cells);
        if self.outcome.is_none() {
            self.cooldown.blue = self.cooldown.blue.saturating_sub(1);
            self.cooldown.red = self.cooldown.red.saturating_sub(1);
            self.to_move = self.to_move.opponent();
        }
        self
    }

    /// The outcome, if the board and the round as they are now end the game. Nobody is extinct before red has moved.
    fn ending(&self, cells: BySeat<u32>) -> Option<Outcome> {
        let scores = scores(&self.board);
        let (reason, by) = if self.round >= 2 && cells.blue == 0 && cells.red == 0 {
            (Reason::MutualExtinction, cells)
        } else if self.round >= 2 && (cells.blue == 0 || cells.red == 0) {
            (Reason::Extinction, cells)
        } else if self.round > ROUNDS {
            (Reason::Majority, if self.options.weighted_majority { scores } else { cells })
        } else {
            return None;
        };
        let winner = match by.blue.cmp(&by.red) {
            std::cmp::Ordering::Greater => Some(Player::Blue),
            std::cmp::Ordering::Less => Some(Player::Red),
            std::cmp::Ordering::Equal => None,
        };
        Some(Outcome { winner, reason, cells, scores, round_counter: self.round })
    }
}

/// A turn under way. It owns its game: drop it and nothing has happened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Draft {
    game: Game,
    placed: usize,
}

impl Draft {
    /// The board with the cells placed so far.
    pub fn board(&self) -> &Board {
        &self.game.board
    }

    /// Placements made so far, 0..=4.
    pub fn placed(&self) -> usize {
        self.placed
    }

    /// Places one cell. Reach is that of the board as it is now.
    ///
    /// # Errors
    /// The first reason against it; the draft is then as it was.
    pub fn place(&mut self, cell: Cell) -> Result<(), Refusal> {
        let game = &mut self.game;
        if !cell.is_on_board() {
            return Err(Refusal::OffBoard);
        }
        if self.placed >= PLACEMENTS {
            return Err(Refusal::TooManyCells);
        }
        if game.board[cell.row][cell.column] != EMPTY {
            return Err(Refusal::Occupied);
        }
        let reach = zones(&game.board, game.to_move, game.options);
        if !reach.contains(zone(game.to_move, cell.column, game.options)) {
            return Err(Refusal::OutOfReach);
        }
        game.board[cell.row][cell.column] = game.to_move.colour();
        self.placed += 1;
        Ok(())
    }

    /// Ends a turn of placements and returns the game after it.
    ///
    /// # Errors
    /// [`Refusal::TooFewCells`]: none, or fewer than four while another could be placed.
    pub fn finish(self) -> Result<Game, Refusal> {
        if self.placed == 0 || (self.placed < PLACEMENTS && self.can_place()) {
            return Err(Refusal::TooFewCells);
        }
        Ok(self.game.end_turn())
    }

    /// Throws the bomb as the whole turn.
    ///
    /// # Errors
    /// The first reason against it.
    pub fn bomb(mut self, target: Cell) -> Result<Game, Refusal> {
        self.whole_turn()?;
        self.game.bomb_ready()?;
        if !target.is_on_board() {
            return Err(Refusal::OffBoard);
        }
        self.game.board = blast(&self.game.board, target);
        *self.game.cooldown.of_mut(self.game.to_move) = BOMB_COOLDOWN;
        Ok(self.game.end_turn())
    }

    /// Skips the whole turn.
    ///
    /// # Errors
    /// [`Refusal::NotAWholeTurn`] and [`Refusal::SkipUsed`].
    pub fn skip(mut self) -> Result<Game, Refusal> {
        self.whole_turn()?;
        let used = self.game.skip_used.of_mut(self.game.to_move);
        if *used {
            return Err(Refusal::SkipUsed);
        }
        *used = true;
        Ok(self.game.end_turn())
    }

    /// Does nothing because nothing is possible.
    ///
    /// # Errors
    /// [`Refusal::PassNotNeeded`] if a cell, the bomb or the skip is possible.
    pub fn pass(self) -> Result<Game, Refusal> {
        self.whole_turn()?;
        let can_skip = !*self.game.skip_used.of(self.game.to_move);
        if self.can_place() || can_skip || self.game.bomb_ready().is_ok() {
            return Err(Refusal::PassNotNeeded);
        }
        Ok(self.game.end_turn())
    }

    fn whole_turn(&self) -> Result<(), Refusal> {
        if self.placed == 0 { Ok(()) } else { Err(Refusal::NotAWholeTurn) }
    }

    fn can_place(&self) -> bool {
        !legal_cells(&self.game.board, self.game.to_move, self.game.options).is_empty()
    }
}
