//! Positions, turns and whole games of Conquerors as text that people read and write.
//!
//! A record is for machines: bytes in hex, a digest after every turn. Notation is the same game for people, and loses
//! nothing: the rules derive the digests and the outcome again, and everything else is written. `NOTATION.md` in this
//! crate's folder describes it.
//!
//! What this crate deliberately is not: a second record format. Only [`parse_game`] reads notation, and the referee
//! checks what it returns.
//!
//! ```
//! use arena_notation::{game_text, parse_game};
//!
//! let game = "1. m3,m4,n3,n4  skip   ; red has no cell left\n";
//! let record = parse_game(game).expect("a whole game");
//! assert_eq!(record.outcome().tally.values(), [4, 0]);
//! let text = game_text(&record).expect("a game by the rules");
//! assert!(text.contains("[Result \"blue extinction 4:0\"]"));
//! assert_eq!(parse_game(&text).expect("its own text"), record);
//! ```

mod cell;
mod error;
mod game;
mod parse;
mod position;
mod tag;
mod turn;

use arena_record::RECORD_BYTES_MAX;

pub use cell::{cell_text, parse_cell};
pub use error::{LineProblem, ParseGameError, ParseTurnError};
pub use game::game_text;
pub use parse::parse_game;
pub use position::{ParsePositionError, parse_position, position_text};
pub use turn::{parse_turn, turn_text};

/// The version of the notation, as every printed game names it.
pub const NOTATION: &str = "arena-notation/1";

/// The longest text that is read, in bytes: the space that a record of the greatest length may take as text. The delete
/// character grows most when it is escaped, to `\u{7f}`.
pub const NOTATION_BYTES_MAX: usize = 6 * RECORD_BYTES_MAX;
