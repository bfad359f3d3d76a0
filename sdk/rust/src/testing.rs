//! Tests of a bot on your own machine, with recorded games. Not part of a bot built for the arena.
//!
//! `arena debug BOT.wasm GAME.json --turn TURN --save tests/lost.txt` writes all that the bot was shown up to a turn of
//! its own in a recorded game. A test feeds it to the bot again, and looks at what it does:
//!
//! ```no_run
//! # use arena_sdk::conquerors::{Action, Position};
//! # #[derive(Default)]
//! # struct Mine;
//! # impl arena_sdk::Bot for Mine {
//! #     fn turn(&mut self, seen: &arena_sdk::Observation) -> Action { arena_sdk::first_legal(seen) }
//! # }
//! # let recording = "";
//! // let recording = include_str!("lost.txt");
//! let last = arena_sdk::testing::replay::<Mine, Position>(recording).unwrap_or_else(|error| panic!("{error}"));
//! assert!(matches!(last.action, Action::Bomb(_)), "this is where it should have bombed");
//! ```

use std::fmt;

use crate::host::tank;
use crate::{Bot, Observation, ObservationError, Protocol};

/// A bot's observation in a turn, and its answer.
pub struct Turn<G: Protocol> {
    /// The observation.
    pub observation: Observation<G>,
    /// The answer, which is a legal action.
    pub action: G::Action,
}

/// Why a recording cannot be replayed. Lines are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ReplayError {
    /// There is no observation.
    Empty,
    /// A line is neither a comment nor pairs of hex digits.
    NotHex {
        /// The line.
        line: usize,
    },
    /// A line is not an observation of this game and version.
    NotAnObservation {
        /// The line.
        line: usize,
        /// The reason.
        error: ObservationError,
    },
    /// The bot answered an observation with an illegal action, which is a forfeit in the arena.
    Illegal {
        /// The observation's line.
        line: usize,
        /// Turns played before it.
        turns_played: u32,
        /// The rule it broke.
        why: String,
    },
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Empty => {
                write!(f, "no line of the recording has an observation: save one with `arena debug --save`")
            }
            ReplayError::NotHex { line } => {
                write!(f, "line {line} of the recording is neither hex digits nor a comment that begins with #")
            }
            ReplayError::NotAnObservation { line, error } => {
                write!(f, "line {line} of the recording is no observation of this game: {error}")
            }
            ReplayError::Illegal { line, turns_played, why } => {
                let turn = turns_played + 1;
                write!(f, "in turn {turn} (line {line} of the recording) the bot would forfeit: {why}")
            }
        }
    }
}

impl std::error::Error for ReplayError {}

/// Feeds a new bot all observations of a recording in order, as in a game, and checks every answer by the referee's rules.
/// Returns the last turn.
///
/// # Errors
/// When the text is not a recording of game `G`, or an answer is not legal.
pub fn replay<B: Bot<G>, G: Protocol>(recording: &str) -> Result<Turn<G>, ReplayError> {
    let mut bot = B::default();
    let mut last = None;
    for (line, observation) in lines(recording) {
        let observation: Observation<G> = observation?;
        refuel();
        let action = bot.turn(&observation);
        let illegal = |why| ReplayError::Illegal { line, turns_played: observation.position.turns_played(), why };
        // Encoded and decoded, as in the arena.
        let heard = G::decode_action(&G::encode_action(&action)).map_err(|error| illegal(error.to_string()))?;
        observation.position.check(observation.seat, &heard).map_err(|refusal| illegal(refusal.to_string()))?;
        last = Some(Turn { observation, action });
    }
    last.ok_or(ReplayError::Empty)
}

/// Gives this thread a turn's fuel, which natively is spent by [asking for it](crate::fuel). [`replay`] and benches do so
/// before each turn.
pub fn refuel() {
    tank::fill();
}

/// The observations of a recording, in order; at least one.
///
/// # Errors
/// When the text is not a recording of game `G`.
pub fn observations<G: Protocol>(recording: &str) -> Result<Vec<Observation<G>>, ReplayError> {
    let all: Vec<Observation<G>> = lines(recording).map(|(_, observation)| observation).collect::<Result<_, _>>()?;
    if all.is_empty() { Err(ReplayError::Empty) } else { Ok(all) }
}

/// The lines that are observations, with their numbers from 1.
fn lines<G: Protocol>(recording: &str) -> impl Iterator<Item = (usize, Result<Observation<G>, ReplayError>)> {
    let lines = (1..).zip(recording.lines().map(str::trim));
    lines.filter(|(_, text)| !text.is_empty() && !text.starts_with('#')).map(|(line, text)| {
        let bytes = bytes(text).ok_or(ReplayError::NotHex { line });
        let decoded = bytes.and_then(|bytes| {
            Observation::decode(&bytes).map_err(|error| ReplayError::NotAnObservation { line, error })
        });
        (line, decoded)
    })
}

/// The bytes of an even number of hex digits.
fn bytes(hex: &str) -> Option<Vec<u8>> {
    let digits: Vec<u8> = hex.chars().map(|digit| Some(digit.to_digit(16)? as u8)).collect::<Option<_>>()?;
    let (pairs, rest) = digits.as_chunks::<2>();
    rest.is_empty().then(|| pairs.iter().map(|[high, low]| high << 4 | low).collect())
}
