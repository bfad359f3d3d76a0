//! The journal of a tournament: finished games in the order in which they finished, appended and never changed.
//!
//! Each line is the first eight bytes of the SHA-256 of the rest (as hex), the game's number in the schedule, and its
//! record, with a space between. A line that a kill cut short is dropped when the journal is opened again, and its game is
//! played again; a damaged line anywhere else is an error.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use arena_record::{Hex, RECORD_BYTES_MAX, Record};
use sha2::{Digest, Sha256};

/// How long finished games may wait for the disk. A killed process loses none of them, a power cut at most these.
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// The longest line, in bytes: a record, and less than 64 bytes before it.
const LINE_BYTES_MAX: u64 = RECORD_BYTES_MAX as u64 + 64;

/// An open journal, locked against a second process.
pub struct Journal {
    file: File,
    /// Where the whole lines end.
    end: u64,
    /// Whether bytes may stand behind the end that are no line: a write failed and could not be taken back.
    is_torn: bool,
}

/// Puts a journal on the disk, while others write to it.
pub(crate) struct Syncing {
    file: File,
    last: Instant,
}

impl Syncing {
    /// Waits until everything written so far is on the disk, unless that was so a short time ago.
    ///
    /// # Errors
    /// When the disk fails.
    pub(crate) fn now_and_then(&mut self) -> io::Result<()> {
        if self.last.elapsed() < SYNC_EVERY {
            return Ok(());
        }
        self.file.sync_data()?;
        self.last = Instant::now();
        Ok(())
    }
}

/// Why a journal cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum JournalError {
    /// Reading or writing failed.
    #[error("the journal cannot be read or written")]
    Io(#[from] io::Error),
    /// Another process holds it.
    #[error("another process is playing this tournament")]
    Busy,
    /// A line that is not the last is broken.
    #[error(
        "line {line} of the journal is damaged: {why}. Cut off this line and those after it to go on: their games are played again"
    )]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
}

impl Journal {
    /// Opens the journal, or starts it, and reads the games that are in it, each with its number in the schedule.
    ///
    /// # Errors
    /// When it cannot be read, is held by another process, or is damaged.
    pub fn open(path: &Path) -> Result<(Journal, Vec<(usize, Record)>), JournalError> {
        let is_new = !path.exists();
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let mut games = Vec::new();
        for (number, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
            let damaged = |why: String| JournalError::Damaged { line: number + 1, why };
            games.push(parse_line(line).map_err(damaged)?);
        }
        let end = whole as u64;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        if let (true, Some(folder)) = (is_new, path.parent()) {
            File::open(folder)?.sync_all()?;
        }
        Ok((Journal { file, end, is_torn: false }, games))
    }

    /// Appends a finished game. When this returns, killing the process does not lose it.
    ///
    /// # Errors
    /// When it cannot be written; then it is not in the journal.
    pub fn append(&mut self, number: usize, record: &Record) -> io::Result<()> {
        if self.is_torn {
            return Err(io::Error::other("an earlier line could not be written whole"));
        }
        let line = line(number, record);
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // A part of the line may be there (the disk is full): nothing may ever stand behind it.
            let taken_back = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            self.is_torn = taken_back.is_err();
            return Err(error);
        }
        self.end += line.len() as u64;
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// When the disk fails.
    pub fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// A second hand on the journal, for waiting for the disk while games are appended.
    pub(crate) fn syncing(&self) -> io::Result<Syncing> {
        Ok(Syncing { file: self.file.try_clone()?, last: Instant::now() })
    }
}

/// Why a journal is not read to its end.
pub(crate) enum ReadError<E> {
    /// Reading failed.
    Io(io::Error),
    /// A line is broken.
    Damaged { line: usize, why: String },
    /// Whoever took the games had enough.
    Taker(E),
}

/// How a journal ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tail {
    /// With a whole line, or it is empty.
    Whole,
    /// With a line that was cut short.
    Cut,
}

/// Reads a journal that may be anybody's, without opening it for writing: `take` gets each line's number (from 1), the
/// game's number in the schedule, and the record.
pub(crate) fn read<E>(
    path: &Path,
    mut take: impl FnMut(usize, usize, Record) -> Result<(), E>,
) -> Result<Tail, ReadError<E>> {
    let mut reader = io::BufReader::new(File::open(path).map_err(ReadError::Io)?);
    let mut bytes = Vec::new();
    for line in 1.. {
        bytes.clear();
        reader.by_ref().take(LINE_BYTES_MAX).read_until(b'\n', &mut bytes).map_err(ReadError::Io)?;
        match bytes.last() {
            None => return Ok(Tail::Whole),
            Some(b'\n') => {}
            Some(_) if (bytes.len() as u64) < LINE_BYTES_MAX => return Ok(Tail::Cut),
            Some(_) => return Err(ReadError::Damaged { line, why: "it is longer than any game".into() }),
        }
        let (number, record) = parse_line(&bytes).map_err(|why| ReadError::Damaged { line, why })?;
        take(line, number, record).map_err(ReadError::Taker)?;
    }
    Ok(Tail::Whole)
}

fn line(number: usize, record: &Record) -> String {
    let rest = format!("{number} {}", record.to_text());
    format!("{} {rest}", checksum(rest.as_bytes()))
}

fn checksum(bytes: &[u8]) -> Hex<8> {
    let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(bytes).into();
    Hex([a, b, c, d, e, f, g, h])
}

fn parse_line(line: &[u8]) -> Result<(usize, Record), String> {
    let text = std::str::from_utf8(line).map_err(|error| error.to_string())?;
    let (sum, rest) = text.split_once(' ').ok_or("it has no checksum")?;
    if sum != checksum(rest.as_bytes()).to_string() {
        return Err("its checksum does not fit".into());
    }
    let (number, record) = rest.split_once(' ').ok_or("it has no record")?;
    let parsed: usize = number.parse().map_err(|_| format!("{number:?} is not the number of a game"))?;
    if parsed.to_string() != number {
        return Err(format!("{number:?} is not the number of a game in its one spelling"));
    }
    Ok((parsed, Record::parse(record).map_err(|error| error.to_string())?))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::fs;

    use arena_record::Budgets;
    use arena_rules::BySeat;
    use arena_sandbox::Wall;

    use super::*;
    use crate::{Contender, Table};

    fn record(seed: u8) -> Record {
        let table = Table::new("conquerors@2", "chain_needs_home,weighted_majority", Budgets::DEFAULT, Wall::None);
        let easy = Contender::baseline("easy").unwrap();
        table.play([seed; 32], &BySeat::from([&easy, &easy])).unwrap()
    }

    #[test]
    fn a_line_cut_short_anywhere_is_dropped_and_the_rest_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (first, second) = (record(1), record(2));
        let kept = line(7, &first);
        let cut = line(3, &second);
        for length in (0..cut.len()).step_by(97).chain([cut.len() - 1]) {
            fs::write(&path, format!("{kept}{}", &cut[..length])).unwrap();
            let (mut journal, games) = Journal::open(&path).unwrap();
            assert_eq!(games, [(7, first.clone())]);
            journal.append(3, &second).unwrap();
            drop(journal);
            assert_eq!(fs::read_to_string(&path).unwrap(), format!("{kept}{cut}"));
        }
    }

    #[test]
    fn a_changed_byte_is_found() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let text = line(0, &record(1)) + &line(1, &record(2));
        for at in (0..text.len()).step_by(61) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            fs::write(&path, bytes).unwrap();
            assert!(matches!(Journal::open(&path), Err(JournalError::Damaged { .. })), "byte {at}");
        }
    }

    #[test]
    fn a_second_process_is_kept_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (_held, _) = Journal::open(&path).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Busy)));
    }
}
