//! Positions as text: one line of seven fields.

use arena_rules::conquerors::{Board, ByColour, Cell, Colour, Plane, Position, Setup, SetupError};
use arena_wire::Protocol;

use crate::cell::{NoCell, cells_text, parse_cells};

/// What stands for an empty field.
const NOTHING: &str = "-";

/// Why a text is not a position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ParsePositionError {
    /// It has not seven fields.
    #[error(
        "a position has seven fields: blue's cells, red's cells, who moves, round, cooldowns, who has skipped, rules; not {0}"
    )]
    Fields(usize),
    /// A field is wrong.
    #[error("{text:?} is not {wanted}")]
    Field {
        /// Its text.
        text: String,
        /// What belongs there.
        wanted: &'static str,
    },
    /// A cell is named twice.
    #[error("a cell is named twice")]
    Twice,
    /// The round or a cooldown is out of range.
    #[error(transparent)]
    Setup(#[from] SetupError),
}

/// A position as text; `None` if the game is over. The fields are separated by spaces: blue's living cells row by row,
/// red's, `blue` or `red` to move, the round, blue's and red's cooldown, who has used the skip (`blue`, `red`, `both`),
/// the rules. An empty field is written as `-`.
pub fn position_text(position: &Position) -> Option<String> {
    let to_move = position.to_move()?.name();
    let setup = position.setup();
    let cells = |colour: Colour| or_nothing(cells_text(setup.board.of(colour).cells()));
    let skipped = match (setup.skip_used.blue, setup.skip_used.red) {
        (false, false) => NOTHING,
        (true, false) => "blue",
        (false, true) => "red",
        (true, true) => "both",
    };
    let fields = [
        cells(Colour::Blue),
        cells(Colour::Red),
        to_move.into(),
        setup.round.to_string(),
        format!("{},{}", setup.cooldown.blue, setup.cooldown.red),
        skipped.into(),
        or_nothing(Position::options_text(&setup.options.into())),
    ];
    Some(fields.join(" "))
}

/// The position of a text; the inverse of [`position_text`]. Cells may be named in any order.
///
/// # Errors
/// The first field that is wrong.
pub fn parse_position(text: &str) -> Result<Position, ParsePositionError> {
    let fields: Vec<&str> = text.split_whitespace().collect();
    let [blue, red, to_move, round, cooldown, skipped, rules] = fields[..] else {
        return Err(ParsePositionError::Fields(fields.len()));
    };
    let cells = ByColour { blue: plane(blue)?, red: plane(red)? };
    let (blue_skipped, red_skipped) = match skipped {
        NOTHING => (false, false),
        "blue" => (true, false),
        "red" => (false, true),
        "both" => (true, true),
        other => return wrong(other, "who has skipped: -, blue, red or both"),
    };
    let Some(rules) = Position::parse_options(if rules == NOTHING { "" } else { rules }) else {
        return wrong(rules, "the rules in force, such as chain_needs_home,weighted_majority");
    };
    if !rules.opening.is_empty() {
        return wrong(fields[6], "rules in force: an opening is over in every position");
    }
    let setup = Setup {
        options: rules.options,
        board: Board::new(cells).ok_or(ParsePositionError::Twice)?,
        to_move: match to_move {
            "blue" => Colour::Blue,
            "red" => Colour::Red,
            other => return wrong(other, "who moves: blue or red"),
        },
        round: number(round).ok_or_else(|| field(round, "a round"))?,
        cooldown: cooldowns(cooldown).ok_or_else(|| field(cooldown, "two cooldowns, such as 0,2"))?,
        skip_used: ByColour { blue: blue_skipped, red: red_skipped },
    };
    Ok(setup.position()?)
}

fn or_nothing(text: String) -> String {
    if text.is_empty() { NOTHING.into() } else { text }
}

fn plane(text: &str) -> Result<Plane, ParsePositionError> {
    let cells: Vec<Cell> = match text {
        NOTHING => Vec::new(),
        cells => parse_cells(cells).map_err(|NoCell(name)| field(name, "the name of a cell, such as m3"))?,
    };
    let mut plane = Plane::EMPTY;
    cells.iter().for_each(|cell| plane.insert(*cell));
    if plane.count() as usize == cells.len() { Ok(plane) } else { Err(ParsePositionError::Twice) }
}

/// A number without sign or leading zeros.
fn number(text: &str) -> Option<u8> {
    text.parse().ok().filter(|number: &u8| number.to_string() == text)
}

fn cooldowns(text: &str) -> Option<ByColour<u8>> {
    let (blue, red) = text.split_once(',')?;
    Some(ByColour { blue: number(blue)?, red: number(red)? })
}

fn field(text: &str, wanted: &'static str) -> ParsePositionError {
    ParsePositionError::Field { text: text.into(), wanted }
}

fn wrong<T>(text: &str, wanted: &'static str) -> Result<T, ParsePositionError> {
    Err(field(text, wanted))
}
