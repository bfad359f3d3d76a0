//! Conway's Conquerors in bytes.

use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

use arena_rules::conquerors::{
    Action, BOMB_FROM_ROUND, Board, ByColour, CELLS, COLS, Colour, HOME_COLS, OPENING_CELLS_MAX, OPENING_CELLS_MIN,
    OPENING_NAMED_MAX, OPENING_TURNS_MAX, OPENING_TURNS_MIN, Opening, Options, PLACEMENTS, Plane, Position, ROUNDS,
    ROWS, Refusal, Setup, Start, Target, Turn, TurnDraft, Zone as Reached,
};
use arena_rules::{BySeat, Phrase, Ruleset, Seat, Seed};

use crate::frame::{Frame, HEADER_LEN, SEED_AT, end_bytes};
use crate::{
    ActionError, Allowance, Call, Input, ObservationError, Picture, Point, Protocol, RoomKind, Stages, Tool, VERSION,
    Zone,
};

/// Length of an observation in bytes: the header of all games, and a byte for each cell.
pub const OBSERVATION_LEN: usize = HEADER_LEN + CELLS;

const PASS: u8 = 0;
const PLACE: u8 = 1;
const BOMB: u8 = 2;
const SKIP: u8 = 3;

const PLACES: Tool = Tool { name: "place", verb: "places", input: Input::Cells { most: PLACEMENTS as u16 }, spread: 0 };
const BOMBS: Tool = Tool { name: "bomb", verb: "bombs the square around", input: Input::Cell, spread: 1 };
const SKIPS: Tool = Tool { name: "skip", verb: "skips", input: Input::Nothing, spread: 0 };
const PASSES: Tool = Tool { name: "pass", verb: "can do nothing", input: Input::Nothing, spread: 0 };

/// Name and bit of each option, in canonical order.
const CHAIN_NEEDS_HOME: (&str, u8) = ("chain_needs_home", 1);
const WEIGHTED_MAJORITY: (&str, u8) = ("weighted_majority", 2);
const SHARED_HOME: (&str, u8) = ("shared_home", 4);
/// The text before an opening other than the empty one. It is the last of the options and not part of observations: a
/// bot sees the position after it.
const OPENING_IS: &str = "opening=";

/// A bot's observation at its turn.
pub type Observation = crate::Observation<Position>;

impl Observation {
    /// The bot's own colour.
    ///
    /// # Panics
    /// If the observation is for a seat that does not exist.
    pub fn colour(&self) -> Colour {
        Colour::of(self.seat).expect("Conquerors has two seats")
    }

    /// An empty draft of this turn.
    ///
    /// # Errors
    /// When it is not this bot's turn; the referee never asks then.
    pub fn draft(&self) -> Result<TurnDraft<'_>, Refusal> {
        TurnDraft::new(&self.position, self.seat)
    }
}

impl Protocol for Position {
    const TAG: u8 = 1;
    const TITLE: &'static str = "Conway's Conquerors";
    // From the empty board, two bots that ignore their seed repeat one pair of games however many are scheduled. Eight
    // cells a colour are two turns' worth, and there are a million patterns of them.
    const RANKED: &'static str = "chain_needs_home,weighted_majority,opening=symmetric:8";
    const CASUAL: &'static str = "chain_needs_home,weighted_majority";
    const SEAT_NAMES: &'static [&'static str] = &["blue", "red"];
    const ROOM_KINDS: &'static [RoomKind] = &[
        RoomKind { name: "v2", title: "V2 rules", options: None },
        RoomKind { name: "v1", title: "V1 rules (versions 5.4 and 5.5)", options: Some("") },
    ];
    const TURNS_MAX: u16 = 2 * ROUNDS as u16;
    const ANCHOR: &'static [&'static str] = &["easy@1", "normal@1", "hard@1"];
    const TOOLS: &'static [Tool] = &[PLACES, BOMBS, SKIPS, PASSES];
    const RULES: &'static [&'static str] = &[
        "A turn is four cells of your colour, a bomb, or, once a game, a skip. After each turn the board advances one generation \
         by Conway’s rules: two or three living neighbours keep a cell alive, and three bring an empty one to life, in the \
         colour that most of them have.",
        "You may always place in your home. The neutral zone opens with a cell of yours in your home, the enemy’s home with \
         cells of yours in your home, in the neutral zone and in the enemy’s home.",
        "From round 7 on a bomb clears three by three cells of both colours. It takes a whole turn, and you can use it every \
         second turn.",
        "A player without cells loses. After twelve rounds the higher score wins; cells in the enemy’s home count twice.",
        "Under the V1 rules only cells of yours in the neutral zone and in the enemy’s home open the enemy’s home, and all cells \
         count once. People may choose them for a room, and games against the opponents of versions 5.4 and 5.5 have them.",
    ];
    const ZONES: &'static [Zone] = &[
        Zone { name: "Blue’s home", cols: HOME_COLS as u16, seat: Some(Seat(0)) },
        Zone { name: "Neutral", cols: (COLS - 2 * HOME_COLS) as u16, seat: None },
        Zone { name: "Red’s home", cols: HOME_COLS as u16, seat: Some(Seat(1)) },
    ];
    const ALLOWANCE: Allowance = Allowance { fuel_per_move: 50_000_000, fuel_per_game: None };

    fn observation_len(&self) -> usize {
        OBSERVATION_LEN
    }

    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8> {
        let setup = self.setup();
        let mut bytes = Vec::with_capacity(OBSERVATION_LEN);
        bytes.extend([VERSION, Position::TAG, seat.0, options_bits(&setup.options)]);
        bytes.extend(self.ply().to_le_bytes());
        bytes.extend([setup.round, 0, setup.cooldown.blue, setup.cooldown.red]);
        bytes.extend([u8::from(setup.skip_used.blue), u8::from(setup.skip_used.red)]);
        bytes.resize(SEED_AT, 0);
        bytes.extend(seat_seed);
        bytes.extend(cell_bytes(&setup.board));
        bytes
    }

    fn observe(bytes: &[u8]) -> Result<Observation, ObservationError> {
        if bytes.len() != OBSERVATION_LEN {
            return Err(ObservationError::Length { expected: OBSERVATION_LEN, got: bytes.len() });
        }
        let expect = |at: usize, good: bool| if good { Ok(()) } else { Err(ObservationError::Byte(at)) };
        let flag = |at: usize| expect(at, bytes[at] <= 1).map(|()| bytes[at] == 1);
        expect(0, bytes[0] == VERSION)?;
        expect(1, bytes[1] == Position::TAG)?;
        let seat = Seat(bytes[2]);
        expect(2, Colour::of(seat).is_some())?;
        let options = options_of_bits(bytes[3]).ok_or(ObservationError::Byte(3))?;
        let cells = &bytes[HEADER_LEN..];
        let board = board_of(cells).ok_or_else(|| {
            let wrong = cells.iter().position(|byte| *byte > 2).unwrap_or_default();
            ObservationError::Byte(HEADER_LEN + wrong)
        })?;
        let setup = Setup {
            options,
            board,
            to_move: if bytes[4] & 1 == 0 { Colour::Blue } else { Colour::Red },
            round: bytes[6],
            cooldown: ByColour { blue: bytes[8], red: bytes[9] },
            skip_used: ByColour { blue: flag(10)?, red: flag(11)? },
        };
        let position = setup.position().map_err(|error| ObservationError::Position(error.to_string()))?;
        expect(4, bytes[4..6] == position.ply().to_le_bytes())?;
        expect(7, bytes[7] == 0)?;
        expect(12, bytes[12..SEED_AT] == [0; 4])?;
        let mut seat_seed = [0; 32];
        seat_seed.copy_from_slice(&bytes[SEED_AT..HEADER_LEN]);
        Ok(Observation { position, seat, seat_seed })
    }

    fn turns_played(&self) -> u32 {
        self.ply().into()
    }

    fn picture(&self) -> Picture {
        picture(*self.setup())
    }

    fn clock(&self) -> Option<Phrase> {
        Some(Phrase::new("round", &[("round", self.round().min(ROUNDS).into()), ("rounds", ROUNDS.into())]))
    }

    fn limit(&self, seat: Seat, tool: &Tool) -> Option<Phrase> {
        let colour = Colour::of(seat)?;
        Some(match *tool {
            BOMBS => match (self.round(), self.cooldown()[colour]) {
                (..BOMB_FROM_ROUND, _) => Phrase::new("from-round", &[("round", BOMB_FROM_ROUND.into())]),
                (_, 0) => Phrase::new("ready", &[]),
                (_, turn_ends) => Phrase::new("ready-in", &[("ends", turn_ends.into())]),
            },
            SKIPS if self.skip_used()[colour] => Phrase::new("used", &[]),
            SKIPS => Phrase::new("once", &[]),
            _ => return None,
        })
    }

    fn open(&self, seat: Seat, calls: &[Call]) -> Vec<Phrase> {
        let Some(draft) = drafted(self, seat, calls) else { return Vec::new() };
        let name = |zone: Reached| match zone {
            Reached::Home => Phrase::new("open-home", &[]),
            Reached::Neutral => Phrase::new("open-neutral", &[]),
            Reached::Enemy => Phrase::new("open-enemy-home", &[]),
        };
        draft.reach().zones().map(name).collect()
    }

    fn stages(&self, seat: Seat, calls: &[Call]) -> Option<Stages> {
        let board = match calls {
            [Call { tool: PLACES, cells }] if !cells.is_empty() => *drafted(self, seat, calls)?.board(),
            whole => {
                let mut board = *self.board();
                if let Turn::Bomb(centre) = self.check(seat, &Position::compose(whole)?).ok()? {
                    board.clear(Plane::square(centre));
                }
                board
            }
        };
        let shown = |board: Board| picture(Setup { board, ..*self.setup() });
        Some(Stages { before: shown(board), after: shown(board.next()) })
    }

    fn decode_action(bytes: &[u8]) -> Result<Action, ActionError> {
        let frame = Frame::of(bytes, |kind| match kind {
            PASS => Some("pass"),
            PLACE => Some("placement"),
            BOMB => Some("bomb"),
            SKIP => Some("skip"),
            _ => None,
        })?;
        let mut targets = frame.rest.chunks_exact(2).map(|pair| Target { row: pair[0], col: pair[1] });
        match (frame.kind, targets.len()) {
            (PASS, 0) => Ok(Action::Pass),
            (SKIP, 0) => Ok(Action::Skip),
            (PLACE, _) => Ok(Action::Place(targets.collect())),
            (BOMB, 1) => targets.next().map(Action::Bomb).ok_or_else(|| frame.wrong_cells()),
            _ => Err(frame.wrong_cells()),
        }
    }

    fn encode_action(action: &Action) -> Vec<u8> {
        let (kind, targets): (u8, &[Target]) = match action {
            Action::Pass => (PASS, &[]),
            Action::Place(targets) => (PLACE, targets),
            Action::Bomb(target) => (BOMB, core::slice::from_ref(target)),
            Action::Skip => (SKIP, &[]),
        };
        // More cells than a byte can count are too many anyway; sending that many of them has the same result.
        let targets = &targets[..targets.len().min(u8::MAX.into())];
        let mut bytes = Vec::from([VERSION, kind, targets.len() as u8]);
        bytes.extend(targets.iter().flat_map(|target| [target.row, target.col]));
        bytes
    }

    fn describe(action: &Action) -> Vec<Call> {
        let (tool, targets): (Tool, &[Target]) = match action {
            Action::Place(targets) => (PLACES, targets),
            Action::Bomb(target) => (BOMBS, core::slice::from_ref(target)),
            Action::Skip => (SKIPS, &[]),
            Action::Pass => (PASSES, &[]),
        };
        Vec::from([Call::new(tool, targets.iter().copied())])
    }

    fn compose(calls: &[Call]) -> Option<Action> {
        let [Call { tool, cells }] = calls else { return None };
        let targets: Vec<Target> = cells.iter().copied().map(target).collect::<Option<_>>()?;
        match (*tool, &targets[..]) {
            (PLACES, [..]) if targets.len() <= u8::MAX.into() => Some(Action::Place(targets)),
            (BOMBS, [centre]) => Some(Action::Bomb(*centre)),
            (SKIPS, []) => Some(Action::Skip),
            (PASSES, []) => Some(Action::Pass),
            _ => None,
        }
    }

    fn choices(&self, seat: Seat, calls: &[Call]) -> Vec<Point> {
        let ([Call { tool, cells }], Some(draft)) = (calls, drafted(self, seat, calls)) else { return Vec::new() };
        let open = match (*tool, &cells[..]) {
            (PLACES, _) => draft.placeable(),
            // Every centre on the board is legal.
            (BOMBS, []) if self.bomb_ready(self.setup().to_move).is_ok() => Plane::FULL,
            _ => Plane::EMPTY,
        };
        open.cells().map(|cell| Target::from(cell).into()).collect()
    }

    fn pass() -> Option<Action> {
        Some(Action::Pass)
    }

    fn state(&self) -> Vec<u8> {
        let setup = self.setup();
        let mut bytes = Vec::from([
            options_bits(&setup.options),
            setup.to_move.seat().0,
            setup.round,
            setup.cooldown.blue,
            setup.cooldown.red,
            setup.skip_used.blue.into(),
            setup.skip_used.red.into(),
        ]);
        for colour in Colour::BOTH {
            bytes.extend(setup.board.of(colour).rows().iter().flat_map(|row| row.to_le_bytes()));
        }
        bytes.extend(end_bytes(self.outcome()));
        bytes
    }

    fn may_count(start: &Start) -> bool {
        start.options == Options::V2
    }

    fn for_study(start: &Start) -> bool {
        start.options.shared_home
    }

    fn starts_from_seed(start: &Start) -> bool {
        start.opening.is_drawn()
    }

    fn options_help() -> String {
        let (chain, majority) = (CHAIN_NEEDS_HOME.0, WEIGHTED_MAJORITY.0);
        format!(
            "write those of {chain} and {majority} that are wanted, joined by a comma, in this order, and after them, if wanted, \
             `{OPENING_IS}symmetric:N` (N from {OPENING_CELLS_MIN} to {OPENING_CELLS_MAX}), \
             `{OPENING_IS}turns:K` (K from {OPENING_TURNS_MIN} to {OPENING_TURNS_MAX}, even) or \
             `{OPENING_IS}cells:BLUE/RED` (1 to {OPENING_NAMED_MAX} cells each, row by row from the top, such as c3c4d3d4)"
        )
    }

    fn options_text(start: &Start) -> String {
        let bits = options_bits(&start.options);
        let set = [CHAIN_NEEDS_HOME, WEIGHTED_MAJORITY, SHARED_HOME].into_iter().filter(|(_, bit)| bits & bit != 0);
        let opening = (!start.opening.is_empty()).then(|| format!("{OPENING_IS}{}", start.opening));
        set.map(|(name, _)| name.into()).chain(opening).collect::<Vec<String>>().join(",")
    }

    fn parse_options(text: &str) -> Option<Start> {
        let last = text.rsplit(',').next().and_then(|last| last.strip_prefix(OPENING_IS));
        let opening = last.map_or(Some(Opening::default()), |opening| opening.parse().ok())?;
        let mut starts = (0..8).filter_map(options_of_bits).map(|options| Start { options, opening });
        starts.find(|start| Position::options_text(start) == text)
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

/// A seat's draft with the cells of these calls; `None` if a cell is refused or it is not the seat's turn.
fn drafted<'a>(position: &'a Position, seat: Seat, calls: &[Call]) -> Option<TurnDraft<'a>> {
    let mut draft = TurnDraft::new(position, seat).ok()?;
    for cell in calls.iter().filter(|call| call.tool == PLACES).flat_map(|call| &call.cells) {
        draft.place(target(*cell)?).ok()?;
    }
    Some(draft)
}

fn picture(setup: Setup) -> Picture {
    let tally = setup.tally();
    Picture {
        rows: ROWS as u16,
        cols: COLS as u16,
        cells: cell_bytes(&setup.board).to_vec(),
        tally: BySeat::from(Colour::BOTH.map(|colour| tally[colour])),
    }
}

/// One byte per cell, row by row: 0 dead, 1 blue, 2 red.
fn cell_bytes(board: &Board) -> [u8; CELLS] {
    let (blue, red) = (board.of(Colour::Blue).rows(), board.of(Colour::Red).rows());
    core::array::from_fn(|index| {
        let (row, col) = (index / COLS, index % COLS);
        (blue[row] >> col & 1) as u8 | ((red[row] >> col & 1) << 1) as u8
    })
}

/// The columns at which eight cells are read at once. Together they cover a row, with four cells read twice.
const EIGHTS: [usize; 4] = [0, 8, 16, COLS - 8];
/// The lowest bit of each of eight bytes.
const ONES: u64 = 0x0101_0101_0101_0101;
/// The factor that moves these bits next to each other, to the top.
const TO_THE_TOP: u64 = 0x0102_0408_1020_4080;

/// The board of these bytes; `None` if one is not a cell's. Works on words, because a guest decodes a board in every turn.
fn board_of(cells: &[u8]) -> Option<Board> {
    let (mut blue, mut red, mut all) = ([0; ROWS], [0; ROWS], 0);
    for (row, bytes) in cells.as_chunks::<COLS>().0.iter().enumerate().take(ROWS) {
        for col in EIGHTS {
            let eight = bytes[col..].first_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
            let bits = |eight: u64| ((eight & ONES).wrapping_mul(TO_THE_TOP) >> (u64::BITS - 8)) as u32;
            blue[row] |= bits(eight) << col;
            red[row] |= bits(eight >> 1) << col;
            all |= eight;
        }
    }
    // A cell with both colours is invalid, too.
    let cells = ByColour { blue: Plane::from_rows(blue), red: Plane::from_rows(red) };
    Board::new(cells).filter(|_| all & !(0b11 * ONES) == 0)
}

fn options_bits(options: &Options) -> u8 {
    let bit = |(_, bit): (&str, u8), set: bool| if set { bit } else { 0 };
    bit(CHAIN_NEEDS_HOME, options.chain_needs_home)
        | bit(WEIGHTED_MAJORITY, options.weighted_majority)
        | bit(SHARED_HOME, options.shared_home)
}

fn options_of_bits(bits: u8) -> Option<Options> {
    let set = |(_, bit): (&str, u8)| bits & bit != 0;
    (bits < 8).then(|| Options {
        chain_needs_home: set(CHAIN_NEEDS_HOME),
        weighted_majority: set(WEIGHTED_MAJORITY),
        shared_home: set(SHARED_HOME),
    })
}
