//! Game of Game of Life in bytes.

use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;

use arena_rules::game_of_game_of_life::{
    Action, Board, Cell, Colour, GENERATIONS, Length, Lots, Options, Plane, Position, SEATS_MAX, SEATS_MIN, Setup,
    Side, Target,
};
use arena_rules::{BySeat, Phrase, Ruleset, Seat, Seats, Seed};

use crate::frame::{Frame, HEADER_LEN, SEED_AT};
use crate::{ActionError, Allowance, Call, Input, ObservationError, Picture, Point, Protocol, Tool, VERSION};

/// Bytes of the last actions: row and column of each of 16 seats.
const LAST_LEN: usize = 2 * SEATS_MAX as usize;
/// The offset of the cells: after the header of all games and the last actions.
const CELLS_AT: usize = HEADER_LEN + LAST_LEN;
/// Row and column of a last action without effect, and of a seat that does not exist.
const NOWHERE: u8 = 255;

const PASS: u8 = 0;
const CELL: u8 = 1;

const CELLS: Tool = Tool { name: "cell", verb: "plays", input: Input::Cell, spread: 0 };
const PASSES: Tool = Tool { name: "pass", verb: "passes", input: Input::Nothing, spread: 0 };

const SEATS_ARE: &str = "seats=";
const FIXED_LOTS: &str = ",lots=fixed";
const GENERATIONS_ARE: &str = ",generations=";

/// Length of an observation on a board of this side: a header, the last actions, and a byte per cell.
pub fn observation_len(side: Side) -> usize {
    CELLS_AT + side.area()
}

/// A bot's observation at its turn. It does not show which seats have forfeited: to a bot these pass.
pub type Observation = crate::Observation<Position>;

impl Protocol for Position {
    const TAG: u8 = 3;
    const TITLE: &'static str = "Game of Game of Life";
    // The smallest field on the board of 18 x 18, where four lots are black: room to grow into, at the price of five calls.
    const RANKED: &'static str = "seats=5";
    const CASUAL: &'static str = "seats=2,lots=fixed";
    const ROOM_SEATS: (u8, u8) = (SEATS_MIN, SEATS_MAX);
    // A person's game of 1,000 generations would take hours.
    const ROOM_TURNS: &'static [u16] = &[100, 50, GENERATIONS];
    const TURNS_MAX: u16 = GENERATIONS;
    const ANCHOR: &'static [&'static str] = &["greedy@1", "safety@1"];
    const TOOLS: &'static [Tool] = &[CELLS, PASSES];
    const RULES: &'static [&'static str] = &[
        "Two to sixteen colours begin with a block of four cells each, on a board without edges. In every turn each names one \
         cell or passes: its own cell dies, a dead cell within two cells of its own comes to life. All of this happens at once. \
         Then the board advances one generation by Conway’s rules; a cell is born in the colour that most of its three \
         neighbours have.",
        "A cell that several name at once, or that is born of three colours, is black: it lives like others but has no owner. \
         A place without a player begins with a black block.",
        "The last colour on the board wins; after 1000 generations, the one with the most cells.",
    ];
    // The question allows 50 ms a call on average. Here it is 1,000,000 fuel, some milliseconds of bot time, in a bank for the
    // game's 1,000 calls, so that a bot can think longer where it matters.
    const ALLOWANCE: Allowance =
        Allowance { fuel_per_move: 5_000_000, fuel_per_game: Some(GENERATIONS as u64 * 1_000_000) };

    fn in_room(seats: u8, turns: u16) -> Option<String> {
        let length = Length::ALL.into_iter().find(|length| length.generations() == turns)?;
        Some(Position::options_text(&Options { seats, lots: Lots::Fixed, length }))
    }

    fn observation_len(&self) -> usize {
        observation_len(self.board().side())
    }

    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8> {
        let Setup { board, generation, last, .. } = self.setup();
        let mut bytes = Vec::with_capacity(observation_len(board.side()));
        bytes.extend([VERSION, Position::TAG, seat.0, board.seats()]);
        bytes.extend(generation.to_le_bytes());
        bytes.push(board.side().length());
        bytes.resize(SEED_AT, 0);
        bytes.extend(seat_seed);
        bytes.extend(last_bytes(last));
        bytes.extend(cell_bytes(board));
        bytes
    }

    fn observe(bytes: &[u8]) -> Result<Observation, ObservationError> {
        let wrong = ObservationError::Byte;
        let expect = |at: usize, good: bool| if good { Ok(()) } else { Err(wrong(at)) };
        if bytes.len() < CELLS_AT {
            let expected = observation_len(Side::Twelve);
            return Err(ObservationError::Length { expected, got: bytes.len() });
        }
        expect(0, bytes[0] == VERSION)?;
        expect(1, bytes[1] == Position::TAG)?;
        let (seat, seats) = (Seat(bytes[2]), bytes[3]);
        expect(3, (SEATS_MIN..=SEATS_MAX).contains(&seats))?;
        expect(2, seat.0 < seats)?;
        let side = Options { seats, ..Options::default() }.side();
        expect(6, bytes[6] == side.length())?;
        if bytes.len() != observation_len(side) {
            return Err(ObservationError::Length { expected: observation_len(side), got: bytes.len() });
        }
        (7..SEED_AT).try_for_each(|at| expect(at, bytes[at] == 0))?;
        let mut seat_seed = [0; 32];
        seat_seed.copy_from_slice(&bytes[SEED_AT..HEADER_LEN]);
        let setup = Setup {
            board: board(side, seats, &bytes[CELLS_AT..]).map_err(|at| wrong(CELLS_AT + at))?,
            generation: u16::from_le_bytes([bytes[4], bytes[5]]),
            last: last(side, seats, &bytes[HEADER_LEN..CELLS_AT]).map_err(|at| wrong(HEADER_LEN + at))?,
            forfeited: Seats::NONE,
        };
        let position = setup.position().map_err(|error| ObservationError::Position(error.to_string()))?;
        Ok(Observation { position, seat, seat_seed })
    }

    fn turns_played(&self) -> u32 {
        self.generation().into()
    }

    fn clock(&self) -> Option<Phrase> {
        Some(Phrase::new("turns-left", &[("turns", GENERATIONS.saturating_sub(self.generation()).into())]))
    }

    fn picture(&self) -> Picture {
        let length = u16::from(self.board().side().length());
        Picture { rows: length, cols: length, cells: cell_bytes(self.board()), tally: self.tally() }
    }

    fn decode_action(bytes: &[u8]) -> Result<Action, ActionError> {
        let frame = Frame::of(bytes, |kind| match kind {
            PASS => Some("pass"),
            CELL => Some("cell's action"),
            _ => None,
        })?;
        match (frame.kind, frame.rest) {
            (PASS, []) => Ok(Action::Pass),
            (CELL, [row, col]) => Ok(Action::Cell(Target { row: *row, col: *col })),
            _ => Err(frame.wrong_cells()),
        }
    }

    fn encode_action(action: &Action) -> Vec<u8> {
        match action {
            Action::Pass => Vec::from([VERSION, PASS, 0]),
            Action::Cell(Target { row, col }) => Vec::from([VERSION, CELL, 1, *row, *col]),
        }
    }

    fn describe(action: &Action) -> Vec<Call> {
        Vec::from([match action {
            Action::Pass => Call::new(PASSES, [] as [Point; 0]),
            Action::Cell(Target { row, col }) => Call::new(CELLS, [Point::new(*row, *col)]),
        }])
    }

    fn compose(calls: &[Call]) -> Option<Action> {
        let [Call { tool, cells }] = calls else { return None };
        match (*tool, &cells[..]) {
            (PASSES, []) => Some(Action::Pass),
            (CELLS, [point]) => point.narrow().map(|(row, col)| Action::Cell(Target { row, col })),
            _ => None,
        }
    }

    /// Cells out of reach are legal, too, but not offered, because naming one is a pass.
    fn choices(&self, seat: Seat, calls: &[Call]) -> Vec<Point> {
        match calls {
            [Call { tool: CELLS, cells }] if cells.is_empty() && self.awaiting().contains(seat) => {
                self.board().reach(seat).cells().map(|cell| Point::new(cell.row(), cell.col())).collect()
            }
            _ => Vec::new(),
        }
    }

    fn pass() -> Option<Action> {
        Some(Action::Pass)
    }

    /// Without the outcome, which follows from the rest.
    fn state(&self) -> Vec<u8> {
        let Setup { board, generation, last, forfeited } = self.setup();
        let mut bytes = Vec::from([board.seats()]);
        bytes.extend(generation.to_le_bytes());
        bytes.extend((0..SEATS_MAX).map(|seat| u8::from(forfeited.contains(Seat(seat)))));
        bytes.extend(last_bytes(last));
        bytes.extend(cell_bytes(board));
        bytes
    }

    /// Short games are for people.
    fn may_count(options: &Options) -> bool {
        options.length == Length::Thousand
    }

    fn duel(options: &Options) -> Option<Options> {
        (options.seats > 2).then_some(Options { seats: 2, ..*options })
    }

    fn starts_from_seed(options: &Options) -> bool {
        options.lots == Lots::Shuffled
    }

    fn options_help() -> String {
        format!(
            "write `{SEATS_ARE}N` with N from {SEATS_MIN} to {SEATS_MAX}, `{FIXED_LOTS}` after it if the game's seed is not to \
             shuffle the lots, and `{GENERATIONS_ARE}50` or `{GENERATIONS_ARE}100` last for a short game, which counts for no \
             standings"
        )
    }

    fn options_text(options: &Options) -> String {
        let lots = if options.lots == Lots::Fixed { FIXED_LOTS } else { "" };
        let length = match options.length {
            Length::Thousand => String::new(),
            short => format!("{GENERATIONS_ARE}{}", short.generations()),
        };
        format!("{SEATS_ARE}{}{lots}{length}", options.seats)
    }

    fn parse_options(text: &str) -> Option<Options> {
        let seats = SEATS_MIN..=SEATS_MAX;
        let lots = seats.flat_map(|seats| [Lots::Shuffled, Lots::Fixed].map(|lots| (seats, lots)));
        let mut all = lots.flat_map(|(seats, lots)| Length::ALL.map(|length| Options { seats, lots, length }));
        all.find(|options| Position::options_text(options) == text)
    }
}

/// One byte per cell, row by row: 0 dead, 1 + seat living, [`Picture::NEUTRAL`] black.
fn cell_bytes(board: &Board) -> Vec<u8> {
    let length = usize::from(board.side().length());
    let mut bytes = vec![0; board.side().area()];
    let mut paint = |cells: Plane, value: u8| {
        cells.cells().for_each(|cell| bytes[usize::from(cell.row()) * length + usize::from(cell.col())] = value);
    };
    (0..board.seats()).for_each(|seat| paint(board.seat(Seat(seat)), 1 + seat));
    paint(board.black(), Picture::NEUTRAL);
    bytes
}

/// Parses a board's cells; on an error, the offset of the first invalid byte.
fn board(side: Side, seats: u8, bytes: &[u8]) -> Result<Board, usize> {
    let mut board = Board::empty(side, seats);
    let length = usize::from(side.length());
    for (index, value) in bytes.iter().enumerate().filter(|(_, value)| **value != 0) {
        let colour = match *value {
            Picture::NEUTRAL => Colour::Black,
            value if value <= seats => Colour::Seat(Seat(value - 1)),
            _ => return Err(index),
        };
        let cell = side.cell((index / length) as u8, (index % length) as u8).ok_or(index)?;
        board.set(cell, colour);
    }
    Ok(board)
}

/// Row and column of each seat's last action.
fn last_bytes(last: &BySeat<Option<Cell>>) -> [u8; LAST_LEN] {
    let mut bytes = [NOWHERE; LAST_LEN];
    for (pair, cell) in bytes.chunks_exact_mut(2).zip(last.values()) {
        if let Some(cell) = cell {
            pair.copy_from_slice(&[cell.row(), cell.col()]);
        }
    }
    bytes
}

/// Parses the seats' last actions; on an error, the offset of the first invalid byte.
fn last(side: Side, seats: u8, bytes: &[u8]) -> Result<BySeat<Option<Cell>>, usize> {
    let mut last = BySeat::new(seats, |_| None);
    for (seat, pair) in bytes.chunks_exact(2).enumerate() {
        if pair == [NOWHERE; 2] {
            continue;
        }
        if seat >= usize::from(seats) {
            return Err(2 * seat + usize::from(pair[0] == NOWHERE));
        }
        let cell = side.cell(pair[0], pair[1]).ok_or(2 * seat + usize::from(pair[0] < side.length()))?;
        last[Seat(seat as u8)] = Some(cell);
    }
    Ok(last)
}
