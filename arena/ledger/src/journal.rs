//! The text of a journal, line by line: see `arena_runner` for how it is written.
//!
//! A line is the first eight bytes of the SHA-256 of the rest (in hex), the game's number in the schedule, and its
//! record, separated by spaces. A void game has `{"void":...}` in place of a record: how often it was tried, and which
//! seats are quarantined. A line with `change` in place of the number is an organiser's change (see [`Change`]).

use std::io::{self, BufRead, Read};

use crate::change::{CHANGE, Change};
use crate::ended::{Ended, LineError, parts};
use crate::limits::LINE_BYTES_MAX;

/// Bytes read at once for a single line: most lines are shorter.
const LINE_READ_BYTES: usize = 8 << 10;

/// The text of a journal, in a file or in memory.
pub trait Text {
    /// Reads it from its beginning.
    ///
    /// # Errors
    /// When it cannot be read.
    fn beginning(&self) -> io::Result<impl BufRead>;

    /// Reads some of it from an offset on; returns how many bytes that were, 0 at its end.
    ///
    /// # Errors
    /// When it cannot be read.
    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize>;
}

impl Text for &[u8] {
    fn beginning(&self) -> io::Result<impl BufRead> {
        Ok(*self)
    }

    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize> {
        self.get(at as usize..).unwrap_or_default().read(into)
    }
}

/// The offsets of games' lines in a journal, by game number.
#[derive(Default)]
pub struct Places(Vec<u64>);

impl Places {
    /// Stands for a missing game: no file is that long.
    const NONE: u64 = u64::MAX;

    /// No offsets yet, with room for this many games: growing step by step would fragment memory.
    pub fn for_games(games: usize) -> Places {
        Places(Vec::with_capacity(games))
    }

    /// Adds an offset. `number` must be in the schedule, for which there is room.
    pub fn insert(&mut self, number: usize, at: u64) {
        if number >= self.0.len() {
            self.0.resize(number + 1, Places::NONE);
        }
        self.0[number] = at;
    }

    /// The offset of a game's line; `None` if it is missing.
    pub fn get(&self, number: usize) -> Option<u64> {
        self.0.get(number).copied().filter(|at| *at != Places::NONE)
    }
}

/// Why a journal cannot be opened or read.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("the journal cannot be read or written")]
    Io(#[from] io::Error),
    /// Another process holds it.
    #[error("another process is playing this tournament")]
    Busy,
    /// A game that was read before cannot be read again.
    #[error("game {number} cannot be read again from the journal: {why}")]
    Unreadable {
        /// The game's number in the schedule.
        number: usize,
        /// The reason.
        why: LineError,
    },
    /// A line other than the last is broken.
    #[error(
        "line {line} of the journal is damaged: {why}. To resume, cut off this line and those after it: their games are played again"
    )]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: LineError,
    },
}

/// A line of a journal.
pub struct Line {
    /// Its number, from 1.
    pub line: usize,
    /// Its offset.
    pub at: u64,
    /// The game's number in the schedule.
    pub number: usize,
    /// Its result.
    pub ended: Ended,
}

/// The end of a journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct End {
    /// The end of the last whole line.
    pub whole: u64,
    /// What follows it.
    pub tail: Tail,
}

impl End {
    /// The end of an empty journal.
    pub const EMPTY: End = End { whole: 0, tail: Tail::Whole };
}

/// What is at the end of a journal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Tail {
    /// A whole line, or the journal is empty.
    Whole,
    /// A line that was cut short.
    Cut,
}

/// The changes in a journal of any origin, each with its line. Lines of games are not parsed.
pub fn changes(text: &impl Text) -> Result<Vec<(usize, Change)>, JournalError> {
    let mut changes = Vec::new();
    lines(text, |line, _, bytes| {
        if is_change(bytes) {
            let change = parts(bytes).and_then(|(_, text)| Change::parse(text));
            changes.push((line, change.map_err(|why| JournalError::Damaged { line, why })?));
        }
        Ok::<(), JournalError>(())
    })?;
    Ok(changes)
}

/// Whether a line claims to be a change.
pub fn is_change(line: &[u8]) -> bool {
    let mut words = line.splitn(3, |byte| *byte == b' ');
    words.nth(1) == Some(CHANGE.as_bytes())
}

/// Reads the games of a journal of any origin from its beginning, line by line.
pub fn read<E: From<JournalError>>(text: &impl Text, mut take: impl FnMut(Line) -> Result<(), E>) -> Result<End, E> {
    lines(text, |line, at, bytes| {
        if is_change(bytes) {
            return Ok(());
        }
        let (number, ended) = Ended::parse_line(bytes).map_err(|why| JournalError::Damaged { line, why })?;
        take(Line { line, at, number, ended })
    })
}

/// Passes on each whole line with its number, from 1, and its offset.
pub fn lines<E: From<JournalError>>(
    text: &impl Text,
    mut take: impl FnMut(usize, u64, &[u8]) -> Result<(), E>,
) -> Result<End, E> {
    let mut reader = text.beginning().map_err(JournalError::Io)?;
    let mut bytes = Vec::new();
    let mut at = 0;
    for line in 1.. {
        bytes.clear();
        reader.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes).map_err(JournalError::Io)?;
        match bytes.last() {
            None => break,
            Some(b'\n') => {}
            Some(_) if (bytes.len() as u64) < LINE_BYTES_MAX => return Ok(End { whole: at, tail: Tail::Cut }),
            Some(_) => return Err(JournalError::Damaged { line, why: LineError::TooLong }.into()),
        }
        take(line, at, &bytes)?;
        at += bytes.len() as u64;
    }
    Ok(End { whole: at, tail: Tail::Whole })
}

/// The game in the line at an offset.
///
/// # Errors
/// When there is no line of this game there.
pub fn game_at(text: &impl Text, at: u64, number: usize) -> Result<Ended, JournalError> {
    line_at(text, at, number, Ended::parse_line)
}

/// What `read_line` makes of the line at an offset, which must be that of a game.
pub fn line_at<T>(
    text: &impl Text,
    at: u64,
    number: usize,
    read_line: impl Fn(&[u8]) -> Result<(usize, T), LineError>,
) -> Result<T, JournalError> {
    let mut line = Vec::new();
    loop {
        let known = line.len();
        line.resize(known + LINE_READ_BYTES, 0);
        let read = text.read_at(&mut line[known..], at + known as u64)?;
        line.truncate(known + read);
        if let Some(end) = line[known..].iter().position(|byte| *byte == b'\n') {
            line.truncate(known + end + 1);
            break;
        }
        if read == 0 || line.len() as u64 >= LINE_BYTES_MAX {
            break;
        }
    }
    let unreadable = |why| JournalError::Unreadable { number, why };
    match read_line(&line).map_err(unreadable)? {
        (found, read) if found == number => Ok(read),
        (other, _) => Err(unreadable(LineError::OtherGame(other))),
    }
}
