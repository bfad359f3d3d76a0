//! Standings as pictures: SVG with the same bytes for the same standings, on every machine.
//!
//! All coordinates are whole numbers. Names are escaped, labels are text, and what a colour says is also written. All
//! follow the reader's light or dark theme.

mod bracket;
mod crosstable;
mod ratings;
pub mod svg;

pub(crate) use bracket::{Drawn, Title, bracket_svg};
