//! Turns as text.

use arena_rules::conquerors::{Action, Target, Turn};

use crate::cell::{NoCell, cells_text, parse_cells};
use crate::{ParseTurnError, cell_text, parse_cell};

/// A turn as text: `m3,m4,n3,n4` places these cells in this order, `*m3` bombs the square around m3; `skip`, `pass`.
pub fn turn_text(turn: &Turn) -> String {
    match turn {
        Turn::Place(cells) => cells_text(cells.iter().copied()),
        Turn::Bomb(centre) => format!("*{}", cell_text(*centre)),
        Turn::Skip => "skip".into(),
        Turn::Pass => "pass".into(),
    }
}

/// The action of a text; the inverse of [`turn_text`]. It may be illegal in the position.
///
/// # Errors
/// If the text is not a turn, or names a cell that is not on the board.
pub fn parse_turn(text: &str) -> Result<Action, ParseTurnError> {
    match text {
        "skip" => return Ok(Action::Skip),
        "pass" => return Ok(Action::Pass),
        _ => {}
    }
    if let Some(centre) = text.strip_prefix('*') {
        let centre = parse_cell(centre).ok_or_else(|| ParseTurnError::Cell(centre.into()))?;
        return Ok(Action::Bomb(centre.into()));
    }
    // A word without a digit is no misspelt cell, so it is reported as an unknown turn.
    if !text.bytes().any(|byte| byte.is_ascii_digit()) {
        return Err(ParseTurnError::Turn(text.into()));
    }
    let cells = parse_cells(text).map_err(|NoCell(name)| ParseTurnError::Cell(name.into()))?;
    Ok(Action::Place(cells.into_iter().map(Target::from).collect()))
}
