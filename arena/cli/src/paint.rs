//! Positions of Conquerors in a terminal.

use std::fmt::Write as _;

use arena_rules::conquerors::{COLS, Cell, Colour, Plane, Position, ROUNDS, ROWS, Turn, Zone};
use arena_wire::Point;

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// ANSI colours.
    Coloured,
    /// Plain characters.
    Plain,
}

const RESET: &str = "\x1b[0m";

/// A position as lines of text: the board with what the turn before it placed or cleared marked, and its numbers.
pub(crate) fn position(position: &Position, last: Option<(Colour, &Turn)>, ink: Ink) -> String {
    let mut text = String::new();
    let marked = match last {
        Some((_, Turn::Place(cells))) => cells.iter().fold(Plane::EMPTY, |mut plane, cell| {
            plane.insert(*cell);
            plane
        }),
        Some((_, Turn::Bomb(centre))) => Plane::square(*centre),
        _ => Plane::EMPTY,
    };
    let digit = |col: usize| char::from(b'0' + (col % 10) as u8);
    let header: String = (0..COLS).map(|col| format!("{} ", digit(col))).collect();
    let _ = writeln!(text, "     {}", header.trim_end());
    for row in 0..ROWS {
        let _ = write!(text, "  {row:>2} ");
        for col in 0..COLS {
            if let Some(cell) = Cell::new(row as u8, col as u8) {
                text.push_str(&painted(position, cell, marked.contains(cell), ink));
            }
        }
        text.push('\n');
    }
    let scores = position.board().scores();
    let counts = position.board().counts();
    let cooldown = position.cooldown();
    let _ = writeln!(
        text,
        "     blue o {} points, {} cells{}   red x {} points, {} cells{}",
        scores.blue,
        counts.blue,
        cooling(cooldown.blue),
        scores.red,
        counts.red,
        cooling(cooldown.red)
    );
    text
}

fn cooling(turn_ends: u8) -> String {
    if turn_ends == 0 { String::new() } else { format!(" (bomb cools {turn_ends})") }
}

/// A cell in two columns of text. A mark says what the last turn touched.
fn painted(position: &Position, cell: Cell, marked: bool, ink: Ink) -> String {
    let colour = position.board().colour_at(cell);
    let symbol = match colour {
        Some(Colour::Blue) => 'o',
        Some(Colour::Red) => 'x',
        None => '.',
    };
    let mark = if marked { '\'' } else { ' ' };
    if ink == Ink::Plain {
        return format!("{symbol}{mark}");
    }
    let foreground = match colour {
        Some(Colour::Blue) => "\x1b[1;34m",
        Some(Colour::Red) => "\x1b[1;31m",
        None => "\x1b[90m",
    };
    let at_home = Colour::BOTH.into_iter().any(|side| Zone::home_of(side).contains(cell));
    let background = match (marked, at_home) {
        (true, _) => "\x1b[43m",
        (false, true) => "\x1b[48;5;236m",
        (false, false) => "",
    };
    format!("{background}{foreground}{symbol}{mark}{RESET}")
}

/// Cells as they are named beside the board.
pub(crate) fn cells(cells: &[Point]) -> String {
    cells.iter().map(|Point { row, col }| format!("({row}, {col})")).collect::<Vec<_>>().join(" ")
}

/// The round as people count it.
pub(crate) fn round(position: &Position) -> String {
    format!("round {} of {ROUNDS}", position.round().min(ROUNDS))
}
