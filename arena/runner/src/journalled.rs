//! The games of a journal, taken into the course of their tournament.

use std::collections::BTreeMap;
use std::fs::File;
use std::{io, mem};

use crate::course::Course;
use crate::ended::{Ended, LineError};
use crate::journal::{End, JournalError, Line, Places, ReadError, game_at, read};
use crate::plan::{Misfit, Plan};

/// A journal that was read to its end.
pub(crate) struct Journalled {
    pub(crate) places: Places,
    pub(crate) end: End,
    /// The line of each game, by the game's number; 0 for none.
    lines: Vec<u32>,
}

/// What is wrong with a journal.
pub(crate) enum Wrong {
    /// It cannot be read.
    Io(io::Error),
    /// A line is none.
    Damaged { line: usize, why: LineError },
    /// A game is none of this tournament.
    Game { line: usize, number: usize, why: Misfit },
}

impl Journalled {
    /// The line of a game, from 1; 0 for a game that is not there.
    pub(crate) fn line(&self, number: usize) -> usize {
        self.lines.get(number).map_or(0, |line| *line as usize)
    }

    fn insert(&mut self, number: usize, line: usize, at: u64) {
        if number >= self.lines.len() {
            self.lines.resize(number + 1, 0);
        }
        self.lines[number] = line as u32;
        self.places.insert(number, at);
    }
}

/// Takes all games of a journal, each if it is one of the schedule and `check` finds nothing. Games of later rounds are taken when
/// it is known which they are.
///
/// # Errors
/// The first thing that is wrong.
pub(crate) fn journalled(
    file: &File,
    plan: &Plan,
    course: &mut Course,
    mut check: impl FnMut(&Ended) -> Result<(), Misfit>,
) -> Result<Journalled, Wrong> {
    let end = End::EMPTY;
    let mut journalled = Journalled { places: Places::default(), end, lines: Vec::new() };
    let mut later = BTreeMap::new();
    let read = read(file, |Line { line, at, number, ended }| {
        let wrong = |why| Wrong::Game { line, number, why };
        let is_known = course.accept(plan, number, &ended).map_err(wrong)?;
        check(&ended).map_err(wrong)?;
        if !is_known && later.insert(number, at).is_some() {
            return Err(wrong(Misfit::Twice));
        }
        journalled.insert(number, line, at);
        Ok(())
    });
    journalled.end = read.map_err(|error| match error {
        ReadError::Io(error) => Wrong::Io(error),
        ReadError::Damaged { line, why } => Wrong::Damaged { line, why },
        ReadError::Taker(wrong) => wrong,
    })?;
    loop {
        course.settle(plan);
        let unknown = later.split_off(&course.settled.len());
        let known = mem::replace(&mut later, unknown);
        if known.is_empty() {
            break;
        }
        for (number, at) in known {
            let line = journalled.line(number);
            let ended = game_at(file, at, number).map_err(|error| match error {
                JournalError::Unreadable { why, .. } => Wrong::Damaged { line, why },
                error => Wrong::Io(io::Error::other(error)),
            })?;
            course.accept(plan, number, &ended).map_err(|why| Wrong::Game { line, number, why })?;
        }
    }
    match later.first_key_value() {
        Some((&number, _)) => Err(Wrong::Game { line: journalled.line(number), number, why: Misfit::NotScheduled }),
        None => Ok(journalled),
    }
}
