//! War of Life in bytes.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use arena_rules::war_of_life::{
    Action, Board, ByColour, CELLS, COLS, Cell, Cells, Colour, MOVES_MAX, ParseStartError, Position, ROWS, Start,
    Target,
};
use arena_rules::{BySeat, Phrase, Ruleset, Seat, Seed};

use crate::frame::{Frame, HEADER_LEN, SEED_AT, end_bytes};
use crate::{
    ActionError, Allowance, Call, Input, ObservationError, Picture, Point, Protocol, RoomKind, Stages, Tool, VERSION,
};

/// Length of an observation in bytes: the header of all games, and a byte for each cell.
pub const OBSERVATION_LEN: usize = HEADER_LEN + CELLS;

/// The only kind of action, and the cells it comes with: from, to.
const MOVE: u8 = 1;
const MOVE_CELLS: u8 = 2;
const MOVES: Tool = Tool { name: "move", verb: "moves", input: Input::Piece, spread: 0 };
/// The text before the start in the options.
const START_IS: &str = "start=";

/// A bot's observation at its turn.
pub type Observation = crate::Observation<Position>;

impl Observation {
    /// The bot's own colour.
    ///
    /// # Panics
    /// If the observation is for a seat that does not exist.
    pub fn colour(&self) -> Colour {
        Colour::of(self.seat).expect("War of Life has two seats")
    }
}

impl Protocol for Position {
    const TAG: u8 = 2;
    const TITLE: &'static str = "War of Life";
    const RANKED: &'static str = "start=random";
    const CASUAL: &'static str = "start=pictured";
    const SEAT_NAMES: &'static [&'static str] = &["blue", "red"];
    const ROOM_KINDS: &'static [RoomKind] = &[
        RoomKind { name: "deal", title: "deal", options: None },
        RoomKind { name: "pictured", title: "the pictured start", options: Some("start=pictured") },
        RoomKind { name: "cross", title: "start in a cross", options: Some("start=cross") },
        RoomKind { name: "checkers", title: "start as checkers", options: Some("start=checkers") },
        RoomKind { name: "gliders", title: "start as two gliders", options: Some("start=gliders") },
    ];
    const TURNS_MAX: u16 = MOVES_MAX;
    const ANCHOR: &'static [&'static str] = &["bloodlust@1", "self-preservation@1", "land-grab@1"];
    const TOOLS: &'static [Tool] = &[MOVES];
    const RULES: &'static [&'static str] = &[
        "Each colour starts with twelve pieces on a board of 8 × 8. A turn moves one of your pieces to a neighbouring empty cell, \
         in any of eight directions; then the board advances one generation by Conway’s rules: two or three neighbours of \
         either colour keep a piece alive, and three bring an empty cell to life, in the colour that most of them have.",
        "A player without pieces loses. If both lose their last pieces at once, if the player to move has no move, or after 250 \
         moves, the game is a draw.",
    ];
    // A move is simpler than four cells on a board eleven times as large, and a game may have ten times as many;
    // with the same fuel a bot can look twice as far ahead as the strongest built-in opponent.
    const ALLOWANCE: Allowance = Allowance { fuel_per_move: 50_000_000, fuel_per_game: None };

    fn casual(number: u32) -> String {
        Position::options_text(&Start::Deal(number))
    }

    fn observation_len(&self) -> usize {
        OBSERVATION_LEN
    }

    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(OBSERVATION_LEN);
        bytes.extend([VERSION, Position::TAG, seat.0, 0]);
        bytes.extend(self.ply().to_le_bytes());
        bytes.resize(SEED_AT, 0);
        bytes.extend(seat_seed);
        bytes.extend(cell_bytes(self.board()));
        bytes
    }

    fn observe(bytes: &[u8]) -> Result<Observation, ObservationError> {
        if bytes.len() != OBSERVATION_LEN {
            return Err(ObservationError::Length { expected: OBSERVATION_LEN, got: bytes.len() });
        }
        let expect = |at: usize, good: bool| if good { Ok(()) } else { Err(ObservationError::Byte(at)) };
        expect(0, bytes[0] == VERSION)?;
        expect(1, bytes[1] == Position::TAG)?;
        let seat = Seat(bytes[2]);
        expect(2, Colour::of(seat).is_some())?;
        expect(3, bytes[3] == 0)?;
        expect(6, bytes[6..SEED_AT] == [0; SEED_AT - 6])?;
        let mut pieces = ByColour { blue: Cells::EMPTY, red: Cells::EMPTY };
        for (index, byte) in bytes[HEADER_LEN..].iter().enumerate() {
            let bit = Cells::from_bits(1 << index);
            match byte {
                0 => {}
                1 => pieces.blue = pieces.blue | bit,
                2 => pieces.red = pieces.red | bit,
                _ => return Err(ObservationError::Byte(HEADER_LEN + index)),
            }
        }
        let board = Board::new(pieces).unwrap_or(Board::EMPTY);
        let ply = u16::from_le_bytes([bytes[4], bytes[5]]);
        let position = Position::new(board, ply).map_err(|error| ObservationError::Position(error.to_string()))?;
        let mut seat_seed = [0; 32];
        seat_seed.copy_from_slice(&bytes[SEED_AT..HEADER_LEN]);
        Ok(Observation { position, seat, seat_seed })
    }

    fn turns_played(&self) -> u32 {
        self.ply().into()
    }

    fn picture(&self) -> Picture {
        picture(self.board())
    }

    fn clock(&self) -> Option<Phrase> {
        Some(Phrase::new("move", &[("turn", MOVES_MAX.min(self.ply() + 1).into()), ("turns", MOVES_MAX.into())]))
    }

    fn stages(&self, seat: Seat, calls: &[Call]) -> Option<Stages> {
        let step = self.check(seat, &Position::compose(calls)?).ok()?;
        let moved = self.board().moved(Colour::of(seat)?, step);
        Some(Stages { before: picture(&moved), after: picture(&moved.next()) })
    }

    fn decode_action(bytes: &[u8]) -> Result<Action, ActionError> {
        let frame = Frame::of(bytes, |kind| (kind == MOVE).then_some("move"))?;
        let [from_row, from_col, to_row, to_col] = *frame.rest else { return Err(frame.wrong_cells()) };
        Ok(Action { from: Target { row: from_row, col: from_col }, to: Target { row: to_row, col: to_col } })
    }

    fn encode_action(action: &Action) -> Vec<u8> {
        let Action { from, to } = action;
        Vec::from([VERSION, MOVE, MOVE_CELLS, from.row, from.col, to.row, to.col])
    }

    fn describe(action: &Action) -> Vec<Call> {
        Vec::from([Call::new(MOVES, [action.from, action.to])])
    }

    fn compose(calls: &[Call]) -> Option<Action> {
        let [Call { tool: MOVES, cells }] = calls else { return None };
        let [from, to] = cells[..] else { return None };
        Some(Action { from: target(from)?, to: target(to)? })
    }

    fn choices(&self, seat: Seat, calls: &[Call]) -> Vec<Point> {
        let [Call { tool: MOVES, cells }] = calls else { return Vec::new() };
        let moves = self.moves(seat).map(|step| (Point::from(Target::from(step.from)), Target::from(step.to).into()));
        match cells[..] {
            [] => {
                // The moves of one piece are consecutive.
                let mut pieces: Vec<Point> = moves.map(|(from, _)| from).collect();
                pieces.dedup();
                pieces
            }
            [piece] => moves.filter(|(from, _)| *from == piece).map(|(_, to)| to).collect(),
            _ => Vec::new(),
        }
    }

    fn pass() -> Option<Action> {
        None
    }

    fn state(&self) -> Vec<u8> {
        let mut bytes = Vec::from(self.ply().to_le_bytes());
        for colour in Colour::BOTH {
            bytes.extend(self.board().of(colour).bits().to_le_bytes());
        }
        bytes.extend(end_bytes(self.outcome()));
        bytes
    }

    fn may_count(_options: &Start) -> bool {
        true
    }

    fn starts_from_seed(start: &Start) -> bool {
        start.is_from_seed()
    }

    fn options_help() -> String {
        format!("write `{START_IS}` and after it the start; {ParseStartError}")
    }

    fn options_text(start: &Start) -> String {
        format!("{START_IS}{start}")
    }

    fn parse_options(text: &str) -> Option<Start> {
        text.strip_prefix(START_IS)?.parse().ok()
    }
}

impl From<Target> for Point {
    fn from(Target { row, col }: Target) -> Point {
        Point::new(row, col)
    }
}

fn target(point: Point) -> Option<Target> {
    point.narrow().map(|(row, col)| Target { row, col })
}

fn picture(board: &Board) -> Picture {
    let counts = board.counts();
    Picture {
        rows: ROWS as u16,
        cols: COLS as u16,
        cells: cell_bytes(board).to_vec(),
        tally: BySeat::from(Colour::BOTH.map(|colour| counts[colour])),
    }
}

/// One byte per cell, row by row: 0 empty, 1 blue, 2 red.
fn cell_bytes(board: &Board) -> [u8; CELLS] {
    let mut bytes = [0; CELLS];
    for (colour, byte) in Colour::BOTH.into_iter().zip(1..) {
        board.of(colour).map(Cell::index).for_each(|index| bytes[index] = byte);
    }
    bytes
}
