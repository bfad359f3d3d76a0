//! When a game is over.

use super::{BLUE, Grid, RED, count, moves};

/// Moves of both players after which a game is a draw. Source: the game's description, "Termination".
pub const MOVES_MAX: u16 = 250;

/// How a game ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum End {
    /// Nobody has a piece.
    Nobody,
    /// The moves are used up.
    Exhausted,
    /// Only this colour has pieces.
    Won(u8),
    /// The player to move cannot.
    Stalemate,
}

/// The end before a turn, after so many moves; `None` while the game goes on.
pub fn end(grid: &Grid, moves_made: u16) -> Option<End> {
    let mover = if moves_made.is_multiple_of(2) { BLUE } else { RED };
    let (blue, red) = (count(grid, BLUE), count(grid, RED));
    if blue == 0 && red == 0 {
        return Some(End::Nobody);
    }
    if moves_made >= MOVES_MAX {
        return Some(End::Exhausted);
    }
    if blue == 0 {
        return Some(End::Won(RED));
    }
    if red == 0 {
        return Some(End::Won(BLUE));
    }
    if moves(grid, mover).is_empty() { Some(End::Stalemate) } else { None }
}
