//! Positions of Conquerors in a terminal.

use std::fmt::Write as _;

use arena_limits::counted;
use arena_rules::conquerors::{COLS, Cell, Colour, Plane, Position, ROUNDS, ROWS, Turn, Zone};
use arena_wire::Point;

use crate::window::{Part, Window};

/// Whether to use colours.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ink {
    /// ANSI colours.
    Coloured,
    /// Plain characters.
    Plain,
}

const RESET: &str = "\x1b[0m";

/// A position as lines of text: a part of the board, with marks on what the last turn placed or cleared, and its
/// numbers.
pub(crate) fn position(position: &Position, last: Option<(Colour, &Turn)>, ink: Ink, part: Part<'_>) -> String {
    let mut text = String::new();
    let marked = match last {
        Some((_, Turn::Place(cells))) => cells.iter().fold(Plane::EMPTY, |mut plane, cell| {
            plane.insert(*cell);
            plane
        }),
        Some((_, Turn::Bomb(centre))) => Plane::square(*centre),
        _ => Plane::EMPTY,
    };
    let all = (0..ROWS as u8).flat_map(|row| (0..COLS as u8).filter_map(move |col| Cell::new(row, col)));
    let living = all.filter(|cell| position.board().colour_at(*cell).is_some());
    let living = living.map(|cell| Point { row: cell.row() as u16, col: cell.col() as u16 });
    if let Some(window) = Window::of(part, (ROWS, COLS), living) {
        text.push_str(&headings(&window));
        for row in window.rows {
            let _ = write!(text, "  {row:>2} ");
            for col in window.cols.clone() {
                if let Some(cell) = Cell::new(row as u8, col as u8) {
                    text.push_str(&painted(position, cell, marked.contains(cell), ink));
                }
            }
            text.push('\n');
        }
    }
    let scores = position.board().scores();
    let counts = position.board().counts();
    let cooldown = position.cooldown();
    let _ = writeln!(
        text,
        "     blue o {}, {}{}   red x {}, {}{}{}",
        counted(scores.blue, "point"),
        counted(counts.blue, "cell"),
        cooling(cooldown.blue),
        counted(scores.red, "point"),
        counted(counts.red, "cell"),
        cooling(cooldown.red),
        if marked == Plane::EMPTY { "" } else { "   ' this turn" }
    );
    text
}

/// The numbers of columns, which are two characters wide: tens above ones.
fn headings(window: &Window) -> String {
    let first = window.cols.start;
    let digits = |digit: &dyn Fn(usize) -> char| -> String {
        let digits: String = window.cols.clone().flat_map(|col| [digit(col), ' ']).collect();
        digits.trim_end().into()
    };
    let digit_of = |number: usize| char::from(b'0' + (number % 10) as u8);
    let tens = digits(&|col| if col >= 10 && (col % 10 == 0 || col == first) { digit_of(col / 10) } else { ' ' });
    let ones = digits(&digit_of);
    let tens = if tens.is_empty() { tens } else { format!("     {tens}\n") };
    format!("{tens}     {ones}\n")
}

fn cooling(turn_ends: u8) -> String {
    if turn_ends == 0 { String::new() } else { format!(" (bomb cools {turn_ends})") }
}

/// A cell in two columns of text, marked if the last turn touched it.
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
