//! War of Life a second time: slow, plain, and written from the rules alone. A board is a grid of bytes, a generation
//! visits every cell and counts eight neighbours, a strategy makes every move on a grid and counts.

mod game;
mod grid;
mod strategy;

pub use game::{End, MOVES_MAX, end};
pub use grid::{BLUE, EMPTY, Grid, Move, RED, SIDE, count, crank, moves, other, parse_grid, played, to_text};
pub use strategy::{LastPly, Sight, best_of_one_ply, best_of_two_plies};
