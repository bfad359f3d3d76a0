//! Games of any ruleset in a terminal, drawn by the owners of cells.

use std::fmt::Write as _;
use std::io::Write;

use anyhow::{Context, Result};
use arena_record::{Play, Record};
use arena_referee::{Divergence, replay};
use arena_rules::Seat;
use arena_wire::{Call, Game, Picture, Point, Protocol, UnknownGame, Visitor, words};

use super::{Shown, outcome};
use crate::names::EntrantNames;
use crate::output::{self, grouped};
use crate::paint::Ink;
use crate::window::{Part, Window};

/// ANSI colours of seats, in order: those that are easiest to tell apart.
const COLOURS: [u8; 6] = [34, 31, 32, 35, 36, 33];

/// A replayed game of any ruleset.
pub(super) struct Grid<'a> {
    record: &'a Record,
    entrants: &'a EntrantNames,
    game: &'static Game,
    ink: Ink,
    names: Vec<String>,
    /// The pictures before the first turn and after each.
    pictures: Vec<Picture>,
}

/// Replays the game of a record by the rules.
///
/// # Errors
/// If record and rules disagree.
pub(super) fn replayed<'a>(record: &'a Record, entrants: &'a EntrantNames, ink: Ink) -> Result<Grid<'a>, Divergence> {
    struct Pictures<'a>(&'a Record);

    impl Visitor for Pictures<'_> {
        type Out = Result<Vec<Picture>, Divergence>;

        fn visit<P: Protocol>(self, _start: P) -> Self::Out {
            Ok(replay::<P>(self.0)?.positions().map(|position| position.picture()).collect())
        }
    }

    let header = &record.header;
    let pictures = arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Pictures(record))??;
    Ok(Grid { record, entrants, game: Game::named(&header.ruleset)?, ink, names: names(record)?, pictures })
}

/// The board before a turn, from 0, of a game by the rules, as plain text.
///
/// # Errors
/// If record and rules disagree, or the game has no such turn.
pub(super) fn board_before(record: &Record, turn: usize, part: Part<'_>) -> Result<String> {
    struct Before<'a>(&'a Record, usize);

    impl Visitor for Before<'_> {
        type Out = Result<Picture>;

        fn visit<P: Protocol>(self, _start: P) -> Self::Out {
            let Before(record, turn) = self;
            Ok(replay::<P>(record)?.asked(turn).context("no such turn")?.picture())
        }
    }

    let header = &record.header;
    let picture = arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Before(record, turn))??;
    Ok(board(&picture, &names(record)?, &[], Ink::Plain, part))
}

/// Cells as they are named beside the board.
pub(super) fn cells(cells: &[Point]) -> String {
    cells.iter().map(|Point { row, col }| format!("({row},{col})")).collect::<Vec<_>>().join(" ")
}

/// The names of a game's seats, for people.
fn names(record: &Record) -> Result<Vec<String>, UnknownGame> {
    let game = Game::named(&record.header.ruleset)?;
    Ok((0..).map(Seat).zip(&record.header.entrants).map(|(seat, _)| game.seat_name(seat)).collect())
}

/// The letter of a cell's owner.
fn letter(cell: u8) -> char {
    match cell {
        0 => '.',
        Picture::NEUTRAL => '#',
        owner => char::from(b'a' + (owner - 1) % 26),
    }
}

fn painted(cell: u8, marked: bool, ink: Ink) -> String {
    let letter = letter(cell);
    let (left, right) = if marked { ('[', ']') } else { (' ', ' ') };
    if ink == Ink::Plain || cell == 0 || cell == Picture::NEUTRAL {
        return format!("{left}{letter}{right}");
    }
    let colour = COLOURS[usize::from(cell - 1) % COLOURS.len()];
    format!("{left}\x1b[{colour}m{letter}\x1b[0m{right}")
}

/// A part of a board, with the cells that were just played in brackets.
fn board(picture: &Picture, names: &[String], played: &[Point], ink: Ink, part: Part<'_>) -> String {
    let width = |count: u16| count.saturating_sub(1).to_string().len().max(2);
    let (row_width, col_width) = (width(picture.rows), width(picture.cols));
    let (rows, cols) = (usize::from(picture.rows), usize::from(picture.cols));
    let point = |at: usize| Point { row: (at / cols) as u16, col: (at % cols) as u16 };
    let living = picture.cells.iter().enumerate().filter(|(_, cell)| **cell != 0).map(|(at, _)| point(at));
    let mut text = String::new();
    if let Some(window) = Window::of(part, (rows, cols), living) {
        let heading: String = window.cols.clone().map(|col| format!("{col:>col_width$} ")).collect();
        let _ = writeln!(text, "{}{}", " ".repeat(row_width + 2), heading.trim_end());
        for row in window.rows {
            let _ = write!(text, " {row:>row_width$} ");
            for at in window.cols.clone().map(|col| row * cols + col) {
                text.push_str(&" ".repeat(col_width - 2));
                text.push_str(&painted(picture.cells[at], played.contains(&point(at)), ink));
            }
            text.push('\n');
        }
    }
    let tally = (1..).zip(names).zip(picture.tally.values());
    let mut legend: Vec<String> =
        tally.map(|((owner, name), tally)| format!("{} {name} {tally}", letter(owner))).collect();
    if picture.cells.contains(&Picture::NEUTRAL) {
        legend.push(format!("{} nobody's", letter(Picture::NEUTRAL)));
    }
    if !played.is_empty() {
        legend.push("[ ] this turn".into());
    }
    let _ = writeln!(text, "    {}", legend.join("   "));
    text
}

impl Grid<'_> {
    /// The plays of a turn, in a line for each seat that did something.
    fn plays(&self, out: &mut dyn Write, plays: &[Play]) -> Result<()> {
        for play in plays {
            let calls = self.calls(play);
            if calls.iter().all(|call| call.cells.is_empty()) {
                continue;
            }
            let fuel = play.fuel.map_or_else(String::new, |fuel| format!(", {} fuel", grouped(fuel)));
            writeln!(out, "  {} {}{fuel}", self.names[usize::from(play.seat)], words(&calls, cells))?;
        }
        Ok(())
    }

    /// The calls of a play. The record was replayed, so all its plays are actions.
    fn calls(&self, play: &Play) -> Vec<Call> {
        self.game.describe(&play.action.0).unwrap_or_default()
    }
}

impl Shown for Grid<'_> {
    fn last(&self) -> usize {
        self.record.turns.len()
    }

    fn show(&self, out: &mut dyn Write, turn: usize) -> Result<()> {
        let plays = match turn.checked_sub(1) {
            None => {
                for ((owner, name), id) in (1..).zip(&self.names).zip(&self.record.header.entrants) {
                    writeln!(out, "{} {name}: {}", letter(owner), self.entrants.of(id))?;
                }
                writeln!(out, "\nstart")?;
                &[][..]
            }
            Some(before) => {
                writeln!(out, "turn {turn}")?;
                let plays = &self.record.turns[before].plays[..];
                self.plays(out, plays)?;
                plays
            }
        };
        let played: Vec<Point> = plays.iter().flat_map(|play| self.calls(play)).flat_map(|call| call.cells).collect();
        writeln!(out, "{}", board(&self.pictures[turn], &self.names, &played, self.ink, Part::Whole))?;
        if turn < self.last() {
            return Ok(());
        }
        for forfeit in &self.record.forfeits {
            let name = &self.names[usize::from(forfeit.seat)];
            writeln!(out, "{name} forfeits {}", output::text(&forfeit.to_string()))?;
        }
        writeln!(out, "{}", outcome(self.record))?;
        writeln!(out, "every action and digest of the record agrees with the rules")?;
        Ok(())
    }
}
