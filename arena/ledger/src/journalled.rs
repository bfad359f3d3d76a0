//! Takes the games of a journal into the course of their tournament.

use std::collections::BTreeMap;
use std::{io, mem};

use arena_record::Hex;

use crate::change::ChangeError;
use crate::course::Course;
use crate::ended::{Ended, LineError};
use crate::journal::{End, JournalError, Line, Places, Text, changes, game_at, read};
use crate::plan::{Misfit, Plan};

/// A journal that was read to its end.
pub struct Journalled {
    /// Where the lines of its games are.
    pub places: Places,
    /// Where it ends.
    pub end: End,
    /// The line of each game, by game number; 0 if it is missing.
    lines: Vec<u32>,
}

/// What is wrong with a journal.
pub enum Wrong {
    /// It cannot be read.
    Io(io::Error),
    /// A line is invalid.
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: LineError,
    },
    /// A game does not belong to this tournament.
    Game {
        /// The line, from 1.
        line: usize,
        /// Its number in the schedule.
        number: usize,
        /// Why not.
        why: Misfit,
    },
    /// A change is not possible.
    Change {
        /// The line, from 1.
        line: usize,
        /// Why not.
        why: ChangeError,
    },
}

impl From<JournalError> for Wrong {
    fn from(error: JournalError) -> Wrong {
        match error {
            JournalError::Io(error) => Wrong::Io(error),
            JournalError::Damaged { line, why } => Wrong::Damaged { line, why },
            error => Wrong::Io(io::Error::other(error)),
        }
    }
}

impl Journalled {
    /// The line of a game, from 1; 0 if it is missing.
    pub fn line(&self, number: usize) -> usize {
        self.lines.get(number).map_or(0, |line| *line as usize)
    }

    /// Whether a game of this or a later round comes before a line.
    fn has_started(&self, course: &Course, round: usize, line: usize) -> bool {
        let first = self.lines.len().min(course.settled.first_of(round));
        self.lines[first..].iter().any(|of_game| (1..line).contains(&(*of_game as usize)))
    }

    fn insert(&mut self, number: usize, line: usize, at: u64) {
        if number >= self.lines.len() {
            self.lines.resize(number + 1, 0);
        }
        self.lines[number] = line as u32;
        self.places.insert(number, at);
    }
}

/// Applies the changes of a journal to the plan. `start` is the hash of the manifest.
///
/// # Errors
/// The first error.
pub fn change(text: &impl Text, plan: &mut Plan, start: Hex<32>) -> Result<(), Wrong> {
    changes(text)?
        .into_iter()
        .try_for_each(|(line, change)| plan.take(line, change, start).map_err(|why| Wrong::Change { line, why }))
}

/// Takes all games of a journal, each if it is in the schedule and passes `check`. Games of later rounds are taken once
/// these are scheduled.
///
/// # Errors
/// The first error.
pub fn journalled(
    text: &impl Text,
    plan: &Plan,
    course: &mut Course,
    mut check: impl FnMut(&Ended) -> Result<(), Misfit>,
) -> Result<Journalled, Wrong> {
    let (games, end) = (course.settled.len(), End::EMPTY);
    let mut journalled = Journalled { places: Places::for_games(games), end, lines: Vec::with_capacity(games) };
    let mut later = BTreeMap::new();
    journalled.end = read(text, |Line { line, at, number, ended }| {
        let wrong = |why| Wrong::Game { line, number, why };
        let is_known = course.accept(plan, number, &ended).map_err(wrong)?;
        check(&ended).map_err(wrong)?;
        if !is_known && later.insert(number, at).is_some() {
            return Err(wrong(Misfit::Twice));
        }
        journalled.insert(number, line, at);
        Ok(())
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
            let ended = game_at(text, at, number).map_err(|error| match error {
                JournalError::Unreadable { why, .. } => Wrong::Damaged { line, why },
                error => Wrong::Io(io::Error::other(error)),
            })?;
            course.accept(plan, number, &ended).map_err(|why| Wrong::Game { line, number, why })?;
        }
    }
    if let Some((&number, _)) = later.first_key_value() {
        return Err(Wrong::Game { line: journalled.line(number), number, why: Misfit::NotScheduled });
    }
    match plan.changes.iter().find(|(line, change)| journalled.has_started(course, change.round, *line)) {
        Some((line, change)) => Err(Wrong::Change { line: *line, why: ChangeError::Started(change.round) }),
        None => Ok(journalled),
    }
}
