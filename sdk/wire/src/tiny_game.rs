//! A whole game in one file, for tests of the arena alone: what a fourth game has to bring, and nothing else. Its board has more
//! than 255 columns, so it speaks in wide frames. It exists under `--cfg arena_tiny_game`, which no shipped binary has.
//!
//! The law: two seats take turns, [`TURNS`] in all, and bring up to [`CLAIMS_MAX`] dead cells to life in a turn. Cells never die.
//! Those from column [`FAR`] on count; who has more of them wins.

use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt;

use arena_rules::{BySeat, Outcome, Reason, Ruleset, Seat, Seats, Seed};

use crate::frame::end_bytes;
use crate::wide::{self, Window};
use crate::{ActionError, Allowance, Call, Input, Observation, ObservationError, Picture, Point, Protocol, Tool};

/// Rows of the board.
pub const ROWS: u16 = 3;
/// Columns of the board: more than a byte counts.
pub const COLS: u16 = 300;
/// The first column whose cells count, and the first that a byte does not reach.
pub const FAR: u16 = 256;
/// Turns of a game.
pub const TURNS: u16 = 8;
/// Cells that a seat brings to life in a turn, at most.
pub const CLAIMS_MAX: u16 = 2;

const PASS: u8 = 0;
const CLAIM: u8 = 1;

const CLAIMS: Tool = Tool { name: "claim", verb: "claims", input: Input::Cells { most: CLAIMS_MAX }, spread: 0 };
const PASSES: Tool = Tool { name: "pass", verb: "passes", input: Input::Nothing, spread: 0 };

/// What a seat submits: the cells it claims. None is a pass.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claim(pub Vec<Point>);

/// A legal turn: the places of its cells.
pub type Turn = Vec<usize>;

/// Why a claim is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Refusal {
    /// The game is over, or the other seat's turn.
    NotAwaited,
    /// More cells than a turn has.
    TooMany,
    /// A cell off the board, or one that lives.
    NotDead(Point),
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotAwaited => write!(f, "it is not your turn"),
            Refusal::TooMany => write!(f, "a turn claims at most {CLAIMS_MAX} cells"),
            Refusal::NotDead(Point { row, col }) => write!(f, "there is no dead cell at row {row}, column {col}"),
        }
    }
}

arena_rules::phrases! {
    Refusal {
        Refusal::NotAwaited => "not-your-turn"(),
        Refusal::TooMany => "too-many-cells"(most = CLAIMS_MAX),
        Refusal::NotDead(Point { row, col }) => "cell-alive"(row = *row, col = *col),
    }
}

/// A game between two turns.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Position {
    /// A byte a cell, row by row: 0 dead, 1 + seat living.
    cells: Vec<u8>,
    ply: u16,
    out: Option<Seat>,
}

impl Position {
    /// The dead cells, row by row.
    pub fn dead(&self) -> impl Iterator<Item = Point> {
        let points = Window::whole(ROWS, COLS).points().zip(&self.cells);
        points.filter(|(_, owner)| **owner == 0).map(|(point, _)| point)
    }

    fn mover(&self) -> Option<Seat> {
        (self.ply < TURNS && self.out.is_none()).then_some(Seat((self.ply % 2) as u8))
    }

    fn tally(&self) -> BySeat<u32> {
        let far = Window { top: 0, left: FAR, rows: ROWS, cols: COLS - FAR };
        let owners = || far.points().map(|point| self.cells[place(point)]);
        BySeat::new(2, |seat| owners().filter(|owner| *owner == 1 + seat.0).count() as u32)
    }
}

/// Where a cell of the board is among all, row by row.
fn place(point: Point) -> usize {
    usize::from(point.row) * usize::from(COLS) + usize::from(point.col)
}

impl Ruleset for Position {
    const ID: &'static str = "tiny-game@1";

    type Options = ();
    type Action = Claim;
    type Checked = Turn;
    type Refusal = Refusal;

    fn start((): &(), _seed: &Seed) -> Position {
        Position { cells: vec![0; Window::whole(ROWS, COLS).area()], ply: 0, out: None }
    }

    fn seats(&self) -> u8 {
        2
    }

    fn awaiting(&self) -> Seats {
        self.mover().map_or(Seats::NONE, Seats::only)
    }

    fn check(&self, seat: Seat, Claim(points): &Claim) -> Result<Turn, Refusal> {
        if self.mover() != Some(seat) {
            return Err(Refusal::NotAwaited);
        }
        if points.len() > CLAIMS_MAX.into() {
            return Err(Refusal::TooMany);
        }
        points.iter().try_fold(Vec::new(), |mut places, point| {
            let place = place(*point);
            let dead = point.row < ROWS && point.col < COLS && self.cells[place] == 0 && !places.contains(&place);
            places.push(place);
            dead.then_some(places).ok_or(Refusal::NotDead(*point))
        })
    }

    fn advance(&mut self, mut turns: BySeat<Option<Turn>>) {
        let Some(seat) = self.mover() else { return };
        for place in turns[seat].take().unwrap_or_default() {
            self.cells[place] = 1 + seat.0;
        }
        self.ply += 1;
    }

    fn forfeit(&mut self, seat: Seat) {
        if self.mover().is_some() {
            self.out = Some(seat);
        }
    }

    fn outcome(&self) -> Option<Outcome> {
        if self.mover().is_some() {
            return None;
        }
        let tally = self.tally();
        let lead = (tally[Seat(0)] != tally[Seat(1)]).then(|| Seat((tally[Seat(1)] > tally[Seat(0)]).into()));
        Some(match self.out {
            Some(seat) => Outcome { winner: Some(seat.opponent()), reason: Reason::Forfeit, tally },
            None => Outcome { winner: lead, reason: Reason::Majority, tally },
        })
    }
}

impl Protocol for Position {
    const TAG: u8 = 255;
    const TITLE: &'static str = "Tiny Game";
    const RANKED: &'static str = "plain";
    const CASUAL: &'static str = "plain";
    const TURNS_MAX: u16 = TURNS;
    const WIDE: bool = true;
    const TOOLS: &'static [Tool] = &[CLAIMS, PASSES];
    const RULES: &'static [&'static str] = &[
        "Bring up to two cells to life in a turn. Cells far to the right count, and after eight turns most of them win.",
    ];
    const ALLOWANCE: Allowance = Allowance { fuel_per_move: 50_000_000, fuel_per_game: None };

    fn observation_len(&self) -> usize {
        wide::Header::LEN + self.cells.len()
    }

    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8> {
        let window = Window::whole(ROWS, COLS);
        let header = wide::Header { seat, own: 0, turns: self.ply, window, seat_seed: *seat_seed };
        [header.encode(Position::TAG), self.cells.clone()].concat()
    }

    fn observe(bytes: &[u8]) -> Result<Observation<Position>, ObservationError> {
        let header = wide::Header::decode(Position::TAG, bytes)?;
        let (expected, got) = (wide::Header::LEN + header.window.area(), bytes.len());
        let cells = &bytes[wide::Header::LEN..];
        let expect = |at: usize, good: bool| if good { Ok(()) } else { Err(ObservationError::Byte(at)) };
        expect(2, header.seat.0 < 2)?;
        expect(3, header.own == 0)?;
        expect(4, header.turns <= TURNS)?;
        expect(6, header.window == Window::whole(ROWS, COLS))?;
        if expected != got {
            return Err(ObservationError::Length { expected, got });
        }
        cells.iter().enumerate().try_for_each(|(at, owner)| expect(wide::Header::LEN + at, *owner <= 2))?;
        let position = Position { cells: cells.to_vec(), ply: header.turns, out: None };
        Ok(Observation { position, seat: header.seat, seat_seed: header.seat_seed })
    }

    fn turns_played(&self) -> u32 {
        self.ply.into()
    }

    fn picture(&self) -> Picture {
        Picture { rows: ROWS, cols: COLS, cells: self.cells.clone(), tally: self.tally() }
    }

    fn decode_action(bytes: &[u8]) -> Result<Claim, ActionError> {
        let action = wide::Action::decode(bytes)?;
        match (action.kind, action.cells().len()) {
            (PASS, 0) => Ok(Claim(Vec::new())),
            (CLAIM, 1..) => Ok(Claim(action.cells().to_vec())),
            (PASS, count) => Err(ActionError::Cells { kind: "pass", cells: count as u16 }),
            (CLAIM, count) => Err(ActionError::Cells { kind: "claim", cells: count as u16 }),
            _ => Err(ActionError::Kind(action.kind)),
        }
    }

    fn encode_action(Claim(cells): &Claim) -> Vec<u8> {
        let kind = if cells.is_empty() { PASS } else { CLAIM };
        wide::Action::new(kind, cells.clone()).expect("no turn claims as many").encode()
    }

    fn describe(Claim(cells): &Claim) -> Vec<Call> {
        vec![Call::new(if cells.is_empty() { PASSES } else { CLAIMS }, cells.iter().copied())]
    }

    fn compose(calls: &[Call]) -> Option<Claim> {
        let [Call { tool, cells }] = calls else { return None };
        match (*tool, cells.len()) {
            (PASSES, 0) | (CLAIMS, 1..) => Some(Claim(cells.clone())),
            _ => None,
        }
    }

    fn choices(&self, seat: Seat, calls: &[Call]) -> Vec<Point> {
        match calls {
            [Call { tool: CLAIMS, cells }]
                if cells.len() < CLAIMS_MAX.into() && self.check(seat, &Claim(cells.clone())).is_ok() =>
            {
                self.dead().filter(|point| !cells.contains(point)).collect()
            }
            _ => Vec::new(),
        }
    }

    fn pass() -> Option<Claim> {
        Some(Claim(Vec::new()))
    }

    fn state(&self) -> Vec<u8> {
        [&self.ply.to_le_bytes()[..], &self.cells, &end_bytes(self.outcome())].concat()
    }

    fn may_count(_options: &Self::Options) -> bool {
        true
    }

    fn starts_from_seed((): &()) -> bool {
        false
    }

    fn options_help() -> String {
        "write `plain`".into()
    }

    fn options_text((): &()) -> String {
        "plain".into()
    }

    fn parse_options(text: &str) -> Option<()> {
        (text == "plain").then_some(())
    }
}
