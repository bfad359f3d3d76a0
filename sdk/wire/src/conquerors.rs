//! Conway's Conquerors in bytes.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

use arena_rules::conquerors::{
    Action, Board, ByColour, CELLS, COLS, Cell, Colour, Opening, Options, Position, Refusal, Setup, SetupError, Start,
    Target, TurnDraft,
};
use arena_rules::{Rng, Ruleset, Seat, Seed};

use crate::{ActionError, Protocol, VERSION};

/// Length of an observation in bytes: a header of 16, the seat's seed, and a byte per cell.
pub const OBSERVATION_LEN: usize = BOARD_AT + CELLS;

const SEED_AT: usize = 16;
const BOARD_AT: usize = SEED_AT + 32;

const PASS: u8 = 0;
const PLACE: u8 = 1;
const BOMB: u8 = 2;
const SKIP: u8 = 3;

/// Name and bit of each option, in canonical order.
const CHAIN_NEEDS_HOME: (&str, u8) = ("chain_needs_home", 1);
const WEIGHTED_MAJORITY: (&str, u8) = ("weighted_majority", 2);
const SHARED_HOME: (&str, u8) = ("shared_home", 4);
/// The options that may count for standings, as their text has them.
pub(crate) const OPTION_NAMES: [&str; 2] = [CHAIN_NEEDS_HOME.0, WEIGHTED_MAJORITY.0];
/// What comes before an opening other than the empty one. It is the last of the options, and no part of observations: a
/// bot sees the position that it led to.
const OPENING_IS: &str = "opening=";

/// What a bot sees at its turn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Observation {
    /// The position, everything in it visible to both players.
    pub position: Position,
    /// The bot's own colour.
    pub colour: Colour,
    /// A seed of the bot's own for this game; the same every turn.
    pub seat_seed: Seed,
}

/// Why bytes are not an observation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ObservationError {
    /// Not the length of an observation.
    Length(usize),
    /// Another version, another ruleset, or a byte that no observation has there; the offset.
    Byte(usize),
    /// Round or cooldowns out of range.
    Setup(SetupError),
}

impl fmt::Display for ObservationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ObservationError::Length(got) => write!(f, "an observation has {OBSERVATION_LEN} bytes, not {got}"),
            ObservationError::Byte(at) => write!(f, "byte {at} does not belong in an observation of this version"),
            ObservationError::Setup(_) => write!(f, "the observed position makes no sense"),
        }
    }
}

impl core::error::Error for ObservationError {
    fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
        match self {
            ObservationError::Setup(error) => Some(error),
            _ => None,
        }
    }
}

impl Observation {
    /// The bot's own seat.
    pub fn seat(&self) -> Seat {
        self.colour.seat()
    }

    /// An empty draft of this turn.
    ///
    /// # Errors
    /// When it is not this bot's turn. The referee never asks then.
    pub fn draft(&self) -> Result<TurnDraft<'_>, Refusal> {
        TurnDraft::new(&self.position, self.seat())
    }

    /// This turn's generator: ChaCha8 keyed by the seat's seed, its stream the ply.
    pub fn rng(&self) -> Rng {
        Rng::new(&self.seat_seed, self.position.ply().into())
    }

    /// The bytes of this observation, as `sdk/ABI.md` lays them out.
    pub fn encode(&self) -> Vec<u8> {
        let setup = self.position.setup();
        let mut bytes = Vec::with_capacity(OBSERVATION_LEN);
        bytes.extend([VERSION, Position::TAG, self.colour.seat().0, options_bits(&setup.options)]);
        bytes.extend(self.position.ply().to_le_bytes());
        bytes.extend([setup.round, 0, setup.cooldown.blue, setup.cooldown.red]);
        bytes.extend([u8::from(setup.skip_used.blue), u8::from(setup.skip_used.red)]);
        bytes.resize(SEED_AT, 0);
        bytes.extend(self.seat_seed);
        bytes.extend(cell_bytes(&setup.board));
        bytes
    }

    /// The observation that bytes stand for.
    ///
    /// # Errors
    /// When they are not an observation of this version and ruleset.
    pub fn decode(bytes: &[u8]) -> Result<Observation, ObservationError> {
        if bytes.len() != OBSERVATION_LEN {
            return Err(ObservationError::Length(bytes.len()));
        }
        let expect = |at: usize, good: bool| if good { Ok(()) } else { Err(ObservationError::Byte(at)) };
        let flag = |at: usize| expect(at, bytes[at] <= 1).map(|()| bytes[at] == 1);
        expect(0, bytes[0] == VERSION)?;
        expect(1, bytes[1] == Position::TAG)?;
        let colour = Colour::of(Seat(bytes[2])).ok_or(ObservationError::Byte(2))?;
        let options = options_of_bits(bytes[3]).ok_or(ObservationError::Byte(3))?;
        let mut board = Board::EMPTY;
        for (index, byte) in bytes[BOARD_AT..].iter().enumerate() {
            let colour = match byte {
                0 => continue,
                1 => Colour::Blue,
                2 => Colour::Red,
                _ => return Err(ObservationError::Byte(BOARD_AT + index)),
            };
            if let Some(cell) = Cell::new((index / COLS) as u8, (index % COLS) as u8) {
                board.set(cell, colour);
            }
        }
        let setup = Setup {
            options,
            board,
            to_move: if bytes[4] & 1 == 0 { Colour::Blue } else { Colour::Red },
            round: bytes[6],
            cooldown: ByColour { blue: bytes[8], red: bytes[9] },
            skip_used: ByColour { blue: flag(10)?, red: flag(11)? },
        };
        let position = setup.position().map_err(ObservationError::Setup)?;
        expect(4, bytes[4..6] == position.ply().to_le_bytes())?;
        expect(7, bytes[7] == 0)?;
        expect(12, bytes[12..SEED_AT] == [0; 4])?;
        let mut seat_seed = [0; 32];
        seat_seed.copy_from_slice(&bytes[SEED_AT..BOARD_AT]);
        Ok(Observation { position, colour, seat_seed })
    }
}

impl Protocol for Position {
    const TAG: u8 = 1;

    fn observation_len(&self) -> usize {
        OBSERVATION_LEN
    }

    fn observation(&self, seat: Seat, seat_seed: &Seed) -> Vec<u8> {
        let colour = Colour::of(seat).unwrap_or(Colour::Blue);
        Observation { position: self.clone(), colour, seat_seed: *seat_seed }.encode()
    }

    fn decode_action(bytes: &[u8]) -> Result<Action, ActionError> {
        let [version, kind, cells, rest @ ..] = bytes else { return Err(ActionError::Short(bytes.len())) };
        if *version != VERSION {
            return Err(ActionError::Version(*version));
        }
        let name = match *kind {
            PASS => "pass",
            PLACE => "placement",
            BOMB => "bomb",
            SKIP => "skip",
            other => return Err(ActionError::Kind(other)),
        };
        if rest.len() != 2 * usize::from(*cells) {
            return Err(ActionError::Length { expected: 3 + 2 * usize::from(*cells), got: bytes.len() });
        }
        let mut targets = rest.chunks_exact(2).map(|pair| Target { row: pair[0], col: pair[1] });
        match (*kind, *cells) {
            (PASS, 0) => Ok(Action::Pass),
            (SKIP, 0) => Ok(Action::Skip),
            (PLACE, _) => Ok(Action::Place(targets.collect())),
            (BOMB, 1) => targets.next().map(Action::Bomb).ok_or(ActionError::Short(bytes.len())),
            (_, cells) => Err(ActionError::Cells { kind: name, cells }),
        }
    }

    fn encode_action(action: &Action) -> Vec<u8> {
        let (kind, targets): (u8, &[Target]) = match action {
            Action::Pass => (PASS, &[]),
            Action::Place(targets) => (PLACE, targets),
            Action::Bomb(target) => (BOMB, core::slice::from_ref(target)),
            Action::Skip => (SKIP, &[]),
        };
        // More cells than a byte can count are too many anyway: the first of them say so as well.
        let targets = &targets[..targets.len().min(u8::MAX.into())];
        let mut bytes = Vec::from([VERSION, kind, targets.len() as u8]);
        bytes.extend(targets.iter().flat_map(|target| [target.row, target.col]));
        bytes
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
        match self.outcome() {
            None => bytes.push(0),
            Some(outcome) => {
                bytes.extend([1, outcome.winner.map_or(0xff, |seat| seat.0)]);
                bytes.extend(outcome.reason.code().as_bytes());
            }
        }
        bytes
    }

    fn may_count(&self) -> bool {
        !self.options().shared_home
    }

    fn starts_from_seed(start: &Start) -> bool {
        !start.opening.is_empty()
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

/// One byte per cell, row by row: 0 dead, 1 blue, 2 red.
fn cell_bytes(board: &Board) -> [u8; CELLS] {
    let (blue, red) = (board.of(Colour::Blue).rows(), board.of(Colour::Red).rows());
    core::array::from_fn(|index| {
        let (row, col) = (index / COLS, index % COLS);
        (blue[row] >> col & 1) as u8 | ((red[row] >> col & 1) << 1) as u8
    })
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
