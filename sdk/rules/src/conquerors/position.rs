//! A game of Conquerors between two turns.

use alloc::vec::Vec;
use core::fmt;

use super::{Board, ByColour, COLS, Cell, Colour, Plane, ROWS, Reach, Start, TurnDraft, Zone};
use crate::{BySeat, Outcome, Reason, Ruleset, Seat, Seats, Seed};

/// Cells a player places in one turn. Source: RR-001 §2.3, M.
pub const PLACEMENTS: u8 = 4;
/// Rounds of a game, each one turn by either player. Source: RR-001 §2.3, K.
pub const ROUNDS: u8 = 12;
/// The first round in which the bomb may be used. Source: RR-001 §2.3, K/2 + 1.
pub const BOMB_FROM_ROUND: u8 = 7;
/// Turn ends that must pass after a bomb; the bomber's own is the first. Source: RR-001 §2.3.
pub const BOMB_COOLDOWN: u8 = 3;

/// The differences between versions of the game. The default is V2, the version of RR-001.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// Whether a foothold at home is part of the chain that opens the enemy's home (V2), or only neutral and enemy
    /// presence are (v5.4, v5.5).
    pub chain_needs_home: bool,
    /// Whether cells in the opponent's home count twice when the last round is over (V2), or once (v5.4, v5.5).
    pub weighted_majority: bool,
    /// Study only, never for standings: blue reaches from red's home instead of its own. This is the flaw that the
    /// published balance study most likely had; see `arena study rr-001`.
    pub shared_home: bool,
}

impl Options {
    /// The rules of RR-001.
    pub const V2: Options = Options { chain_needs_home: true, weighted_majority: true, shared_home: false };
    /// The rules of TR-001, which is also what versions 5.4 and 5.5 play.
    pub const V5: Options = Options { chain_needs_home: false, weighted_majority: false, shared_home: false };
}

impl Default for Options {
    fn default() -> Options {
        Options::V2
    }
}

/// A place named by a player, not yet known to be on the board. Rows from the top, columns from the left.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Target {
    /// 0..26 on the board.
    pub row: u8,
    /// 0..28 on the board.
    pub col: u8,
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

/// What a seat submits for a turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Action {
    /// Place these cells in this order: four, or fewer when no further legal cell is left.
    Place(Vec<Target>),
    /// Clear the 3 x 3 square around a cell; takes the whole turn.
    Bomb(Target),
    /// Place nothing; once per player and game.
    Skip,
    /// Place nothing, allowed only if nothing else is possible.
    Pass,
}

/// A legal turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Turn {
    /// Cells to place, in order.
    Place(Vec<Cell>),
    /// The centre of the bomb.
    Bomb(Cell),
    /// The player's only skip.
    Skip,
    /// Nothing else was possible.
    Pass,
}

impl From<&Turn> for Action {
    fn from(turn: &Turn) -> Action {
        match turn {
            Turn::Place(cells) => Action::Place(cells.iter().map(|cell| Target::from(*cell)).collect()),
            Turn::Bomb(centre) => Action::Bomb(Target::from(*centre)),
            Turn::Skip => Action::Skip,
            Turn::Pass => Action::Pass,
        }
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
    /// A cell is already alive.
    Occupied(Cell),
    /// A cell is in a zone that is closed to the player at this moment.
    Unreachable(Cell, Zone),
    /// There are more than four cells.
    TooManyCells,
    /// The placement has no cells.
    NoCells,
    /// There are fewer than four cells, but another could be placed; with their number.
    TooFewCells(u8),
    /// The bomb is locked before round 7.
    BombTooEarly,
    /// The bomb is cooling down; with the number of turn ends left.
    BombCooling(u8),
    /// A bomb or skip is not possible after cells were placed in the same turn.
    TurnStarted,
    /// The skip has been used.
    SkipUsed,
    /// A pass is not allowed while a cell could be placed, or the bomb or skip used.
    PassNotNeeded,
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::GameOver => write!(f, "the game is over"),
            Refusal::NotYourTurn => write!(f, "it is the other player's turn"),
            Refusal::OffBoard(target) => {
                write!(f, "{target} is not on the board (rows 0-25, columns 0-27)")
            }
            Refusal::Occupied(cell) => {
                write!(f, "the cell at {} is alive already", Target::from(*cell))
            }
            Refusal::Unreachable(cell, zone) => {
                let why = match zone {
                    Zone::Home => "a home is always open",
                    Zone::Neutral => "neutral ground needs a living cell in your own home",
                    Zone::Enemy => "the enemy's home needs living cells in your home, in neutral and there",
                };
                write!(f, "{} is out of reach: {why}", Target::from(*cell))
            }
            Refusal::TooManyCells => write!(f, "a turn places at most {PLACEMENTS} cells"),
            Refusal::NoCells => {
                write!(f, "a placement names at least one cell; a turn without one is a skip or a pass")
            }
            Refusal::TooFewCells(placed) => {
                write!(f, "{placed} of {PLACEMENTS} cells were placed while another legal cell was left")
            }
            Refusal::BombTooEarly => write!(f, "the bomb unlocks in round {BOMB_FROM_ROUND}"),
            Refusal::BombCooling(turn_ends) => {
                write!(f, "the bomb cools for {turn_ends} more turn end(s)")
            }
            Refusal::TurnStarted => write!(f, "a bomb or skip takes a whole turn, and cells were placed in this one"),
            Refusal::SkipUsed => write!(f, "the only skip is used"),
            Refusal::PassNotNeeded => write!(f, "a pass is legal only when nothing else is"),
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
        Refusal::Occupied(cell) => "cell-alive"(row = cell.row() as u64, col = cell.col() as u64),
        Refusal::Unreachable(cell, Zone::Home) => "home-out-of-reach"(row = cell.row() as u64, col = cell.col() as u64),
        Refusal::Unreachable(cell, Zone::Neutral) => "neutral-out-of-reach"(row = cell.row() as u64, col = cell.col() as u64),
        Refusal::Unreachable(cell, Zone::Enemy) => "enemy-out-of-reach"(row = cell.row() as u64, col = cell.col() as u64),
        Refusal::TooManyCells => "too-many-cells"(most = PLACEMENTS),
        Refusal::NoCells => "no-cells"(),
        Refusal::TooFewCells(placed) => "too-few-cells"(placed = *placed, most = PLACEMENTS),
        Refusal::BombTooEarly => "bomb-too-early"(round = BOMB_FROM_ROUND),
        Refusal::BombCooling(turn_ends) => "bomb-cooling"(ends = *turn_ends),
        Refusal::TurnStarted => "turn-started"(),
        Refusal::SkipUsed => "skip-used"(),
        Refusal::PassNotNeeded => "pass-not-needed"(),
    }
}

/// Everything a position consists of, not yet validated.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setup {
    /// The rules in force.
    pub options: Options,
    /// Living cells.
    pub board: Board,
    /// Who moves.
    pub to_move: Colour,
    /// The round, from 1 to 12.
    pub round: u8,
    /// Turn ends until each player's bomb is ready again, 0..=2 between turns (3 only within the bomber's own turn).
    pub cooldown: ByColour<u8>,
    /// Who has used the skip.
    pub skip_used: ByColour<bool>,
}

/// Why a setup is not a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetupError {
    /// The round is not in 1..=12.
    Round(u8),
    /// A cooldown is above 3.
    Cooldown(u8),
}

impl fmt::Display for SetupError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SetupError::Round(round) => write!(f, "round {round} is not in 1..={ROUNDS}"),
            SetupError::Cooldown(cooldown) => {
                write!(f, "a cooldown of {cooldown} is above {BOMB_COOLDOWN}")
            }
        }
    }
}

impl core::error::Error for SetupError {}

impl Setup {
    /// The tally that decides after the last round: the scores, weighted or not.
    pub fn tally(&self) -> ByColour<u32> {
        if self.options.weighted_majority { self.board.scores() } else { self.board.counts() }
    }

    /// The position with this setup, in play.
    ///
    /// # Errors
    /// When round or cooldowns are out of range.
    pub fn position(self) -> Result<Position, SetupError> {
        if !(1..=ROUNDS).contains(&self.round) {
            return Err(SetupError::Round(self.round));
        }
        for cooldown in [self.cooldown.blue, self.cooldown.red] {
            if cooldown > BOMB_COOLDOWN {
                return Err(SetupError::Cooldown(cooldown));
            }
        }
        Ok(Position { setup: self, ended: None })
    }
}

/// A game between two turns, or its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    setup: Setup,
    ended: Option<(Option<Colour>, Reason)>,
}

impl Position {
    /// The empty board, blue to move in round 1.
    pub(super) fn empty(options: &Options) -> Position {
        Position::with_board(options, Board::EMPTY)
    }

    /// Blue to move in round 1, with these cells on the board.
    pub(super) fn with_board(options: &Options, board: Board) -> Position {
        let setup = Setup {
            options: *options,
            board,
            to_move: Colour::Blue,
            round: 1,
            cooldown: ByColour::default(),
            skip_used: ByColour::default(),
        };
        Position { setup, ended: None }
    }

    /// The rules in force.
    pub fn options(&self) -> &Options {
        &self.setup.options
    }

    /// Living cells.
    pub fn board(&self) -> &Board {
        &self.setup.board
    }

    /// The colour that moves, or `None` when the game is over.
    pub fn to_move(&self) -> Option<Colour> {
        self.ended.is_none().then_some(self.setup.to_move)
    }

    /// The round counter: 1 on the empty board, one more after each of red's turns; 13 after a full game.
    pub fn round(&self) -> u8 {
        self.setup.round
    }

    /// The number of this turn in a game from the start, from 0, opening included: two turns a round.
    /// Meaningless once the game is over.
    pub fn ply(&self) -> u16 {
        2 * u16::from(self.setup.round - 1) + u16::from(self.setup.to_move.seat().0)
    }

    /// Turn ends until each player's bomb is ready again; 0 is ready.
    pub fn cooldown(&self) -> ByColour<u8> {
        self.setup.cooldown
    }

    /// Who has used the skip.
    pub fn skip_used(&self) -> ByColour<bool> {
        self.setup.skip_used
    }

    /// Everything the position consists of, except how it ended.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The zones open to `colour` now.
    pub fn reach(&self, colour: Colour) -> Reach {
        Reach::of(&self.setup.board, colour, &self.setup.options)
    }

    /// The cells that `colour` could place first, were it to move now.
    pub fn placeable(&self, colour: Colour) -> Plane {
        self.reach(colour).cells() & !self.setup.board.living()
    }

    /// Whether `colour` may bomb now, were it to move.
    ///
    /// # Errors
    /// The reason if not.
    pub fn bomb_ready(&self, colour: Colour) -> Result<(), Refusal> {
        if self.setup.round < BOMB_FROM_ROUND {
            return Err(Refusal::BombTooEarly);
        }
        match self.setup.cooldown[colour] {
            0 => Ok(()),
            turn_ends => Err(Refusal::BombCooling(turn_ends)),
        }
    }

    /// The board after `turn` and its generation; the position is unchanged.
    pub fn preview(&self, colour: Colour, turn: &Turn) -> Board {
        let mut board = self.setup.board;
        match turn {
            Turn::Place(cells) => cells.iter().for_each(|cell| board.set(*cell, colour)),
            Turn::Bomb(centre) => board.clear(Plane::square(*centre)),
            Turn::Skip | Turn::Pass => {}
        }
        board.next()
    }

    /// The end of a turn after its generation. The order of the checks is part of the rules.
    fn end_turn(&mut self, mover: Colour) {
        let setup = &mut self.setup;
        if mover == Colour::Red {
            setup.round += 1;
        }
        let counts = setup.board.counts();
        let extinct = counts.map(|count| count == 0);
        // Extinction is possible only after both players have moved, so not before red's first turn.
        if setup.round >= 2 && (extinct.blue || extinct.red) {
            self.ended = Some(match (extinct.blue, extinct.red) {
                (true, true) => (None, Reason::MutualExtinction),
                (true, false) => (Some(Colour::Red), Reason::Extinction),
                _ => (Some(Colour::Blue), Reason::Extinction),
            });
        } else if setup.round > ROUNDS {
            let tally = setup.tally();
            let winner = match tally.blue.cmp(&tally.red) {
                core::cmp::Ordering::Greater => Some(Colour::Blue),
                core::cmp::Ordering::Less => Some(Colour::Red),
                core::cmp::Ordering::Equal => None,
            };
            self.ended = Some((winner, Reason::Majority));
        } else {
            setup.cooldown = setup.cooldown.map(|cooldown| cooldown.saturating_sub(1));
            setup.to_move = mover.other();
        }
    }
}

impl Ruleset for Position {
    const ID: &'static str = "conquerors@2";

    type Options = Start;
    type Action = Action;
    type Checked = Turn;
    type Refusal = Refusal;

    fn start(start: &Start, seed: &Seed) -> Position {
        start.opening.position(&start.options, seed)
    }

    fn seats(&self) -> u8 {
        2
    }

    fn awaiting(&self) -> Seats {
        self.to_move().map_or(Seats::NONE, |colour| Seats::only(colour.seat()))
    }

    fn check(&self, seat: Seat, action: &Action) -> Result<Turn, Refusal> {
        let mut draft = TurnDraft::new(self, seat)?;
        match action {
            Action::Place(targets) => {
                targets.iter().try_for_each(|target| draft.place(*target))?;
                draft.finish()
            }
            Action::Bomb(target) => draft.bomb(*target),
            Action::Skip => draft.skip(),
            Action::Pass => draft.pass(),
        }
    }

    fn advance(&mut self, mut turns: BySeat<Option<Turn>>) {
        let Some(mover) = self.to_move() else { return };
        let turn = turns.iter_mut().find(|(seat, _)| *seat == mover.seat()).and_then(|(_, turn)| turn.take());
        let turn = turn.unwrap_or(Turn::Pass);
        self.setup.board = self.preview(mover, &turn);
        match turn {
            Turn::Bomb(_) => self.setup.cooldown[mover] = BOMB_COOLDOWN,
            Turn::Skip => self.setup.skip_used[mover] = true,
            Turn::Place(_) | Turn::Pass => {}
        }
        self.end_turn(mover);
    }

    fn forfeit(&mut self, seat: Seat) {
        if self.ended.is_none() {
            let winner = Colour::of(seat).map(Colour::other);
            self.ended = Some((winner, Reason::Forfeit));
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        let (winner, reason) = self.ended?;
        let tally = self.setup.tally();
        Some(Outcome { winner: winner.map(Colour::seat), reason, tally: BySeat::from([tally.blue, tally.red]) })
    }
}
