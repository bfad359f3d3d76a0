//! The journal of a tournament: finished games in the order in which they finished, appended and never changed.
//!
//! Each line is the first eight bytes of the SHA-256 of the rest (as hex), the game's number in the schedule, and its
//! record, with a space between. A game that is void has `{"void":...}` in the place of a record: how often it was played,
//! and which seats are quarantined. A line that a kill cut short is dropped when the journal is opened again, and its game is
//! played again; a damaged line anywhere else is an error.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{Duration, Instant};

use arena_files::{lock, sync_folder};
use arena_record::RECORD_BYTES_MAX;

use crate::ended::{Ended, LineError, line};

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
        "line {line} of the journal is damaged: {why}. To resume, cut off this line and those after it: their games are played again"
    )]
    Damaged {
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: LineError,
    },
}

/// Why a game is not in the journal.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Reading would refuse it.
    #[error("its record has {0} bytes and may have {RECORD_BYTES_MAX}")]
    TooLong(usize),
    /// Bytes of an earlier game that could not be written are still there.
    #[error("an earlier line could not be written whole")]
    Torn,
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Journal {
    /// Opens the journal, or starts it, and reads the games that are in it, each with its number in the schedule.
    ///
    /// # Errors
    /// When it cannot be read, is held by another process, or is damaged.
    pub fn open(path: &Path) -> Result<(Journal, Vec<(usize, Ended)>), JournalError> {
        let is_new = !path.exists();
        let mut file = OpenOptions::new().read(true).write(true).create(true).truncate(false).open(path)?;
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |last| last + 1);
        let mut games = Vec::new();
        for (number, line) in bytes[..whole].split_inclusive(|byte| *byte == b'\n').enumerate() {
            let damaged = |why| JournalError::Damaged { line: number + 1, why };
            games.push(Ended::parse_line(line).map_err(damaged)?);
        }
        if whole < bytes.len() {
            tracing::info!(bytes = bytes.len() - whole, "the last line of a journal was cut short and is dropped");
        }
        let end = whole as u64;
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        if let (true, Some(folder)) = (is_new, path.parent()) {
            sync_folder(folder)?;
        }
        Ok((Journal { file, end, is_torn: false }, games))
    }

    /// Appends a finished game. When this returns, killing the process does not lose it.
    ///
    /// # Errors
    /// When it cannot be written or is longer than what can be read again; then it is not in the journal.
    pub fn append(&mut self, number: usize, game: &Ended) -> Result<(), AppendError> {
        if self.is_torn {
            return Err(AppendError::Torn);
        }
        let text = game.to_text();
        if text.len() > RECORD_BYTES_MAX {
            return Err(AppendError::TooLong(text.len()));
        }
        self.write(&line(number, &text))
    }

    fn write(&mut self, line: &str) -> Result<(), AppendError> {
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // A part of the line may be there (the disk is full): nothing may ever stand behind it.
            let taken_back = self.file.set_len(self.end).and_then(|()| self.file.seek(SeekFrom::Start(self.end)));
            self.is_torn = taken_back.is_err();
            return Err(error.into());
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
    Damaged { line: usize, why: LineError },
    /// A line is longer than any game.
    TooLong { line: usize },
    /// The caller who took the games stopped.
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
/// game's number in the schedule, and what became of it.
pub(crate) fn read<E>(
    path: &Path,
    mut take: impl FnMut(usize, usize, Ended) -> Result<(), E>,
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
            Some(_) => return Err(ReadError::TooLong { line }),
        }
        let (number, game) = Ended::parse_line(&bytes).map_err(|why| ReadError::Damaged { line, why })?;
        take(line, number, game).map_err(ReadError::Taker)?;
    }
    Ok(Tail::Whole)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::fs;

    use super::*;
    use crate::VoidGame;
    use crate::testing::{played, record};

    #[test]
    fn a_line_cut_short_anywhere_is_dropped_and_the_rest_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (first, second) = (played(1), played(2));
        let kept = first.to_line(7);
        let cut = second.to_line(3);
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
        let text = played(1).to_line(0) + &played(2).to_line(1);
        for at in (0..text.len()).step_by(61) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            fs::write(&path, bytes).unwrap();
            assert!(matches!(Journal::open(&path), Err(JournalError::Damaged { .. })), "byte {at}");
        }
    }

    #[test]
    fn a_void_game_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let void = Ended::Void(VoidGame { tries: 3, quarantined: vec![0, 1] });
        Journal::open(&path).unwrap().0.append(5, &void).unwrap();
        assert_eq!(Journal::open(&path).unwrap().1, [(5, void)]);
    }

    #[test]
    fn a_record_of_the_longest_length_is_kept_and_one_byte_more_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, _) = Journal::open(&path).unwrap();
        let padded = |bytes: usize| {
            let mut record = record(1);
            let padding = bytes - record.to_text().len();
            record.header.build.extend(std::iter::repeat_n('x', padding));
            Ended::Played(record)
        };
        let longest = padded(RECORD_BYTES_MAX);
        journal.append(0, &longest).unwrap();
        let longer = journal.append(1, &padded(RECORD_BYTES_MAX + 1));
        assert!(matches!(longer, Err(AppendError::TooLong(bytes)) if bytes == RECORD_BYTES_MAX + 1), "{longer:?}");
        journal.append(2, &played(2)).unwrap();
        drop(journal);
        assert_eq!(Journal::open(&path).unwrap().1, [(0, longest), (2, played(2))]);
    }

    #[test]
    fn a_second_process_is_kept_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (_held, _) = Journal::open(&path).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Busy)));
    }
}
