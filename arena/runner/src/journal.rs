//! The journal of a tournament: finished games in the order in which they finished, only ever appended. Records are
//! kept nowhere else.
//!
//! A line is the first eight bytes of the SHA-256 of the rest (in hex), the game's number in the schedule, and its
//! record, separated by spaces. A void game has `{"void":...}` in place of a record: how often it was tried, and which
//! seats are quarantined. A line with `change` in place of the number is an organiser's change (see [`Change`]). A last
//! line that a kill cut short is dropped when the journal is opened again, and its game is played again; any other
//! damaged line is an error.

use std::fs::{File, TryLockError};
use std::io::{self, BufRead, Seek, SeekFrom, Write};
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::time::{Duration, Instant};

use arena_files::{is_read_only, lock, open, open_with, sync_folder};
use arena_ledger::{
    CHANGE, Change, End, Ended, JournalError, Places, Tail, Text, game_at, is_change, line, line_at, lines, numbered,
};
use arena_record::RECORD_BYTES_MAX;

/// How long finished games may wait for the disk. Killing the process loses none of them, a power failure at most
/// these.
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// Bytes read at once when all lines are read.
const READ_BYTES: usize = 64 << 10;
/// A journal open for writing, locked against other processes.
pub(crate) struct Journal {
    file: File,
    /// The end of the last whole line.
    end: u64,
    places: Places,
    /// Whether there may be garbage after the end: a write failed and could not be undone.
    is_torn: bool,
}

/// Syncs a journal to the disk while others write to it.
pub(crate) struct Syncing {
    file: File,
    last: Instant,
}

impl Syncing {
    /// Waits until everything written so far is on the disk, unless it was synced a short time ago.
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

/// Why a game was not added to the journal.
#[derive(Debug, thiserror::Error)]
pub enum AppendError {
    /// Its line is longer than what can be read.
    #[error("its record has {0} bytes and may have {RECORD_BYTES_MAX}")]
    TooLong(usize),
    /// Garbage of a failed write is still at the end.
    #[error("an earlier line could not be written whole")]
    Torn,
    /// Writing failed.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl Journal {
    /// Opens or creates the file of a journal, and locks it. A file that cannot be written is opened for reading.
    ///
    /// # Errors
    /// When it cannot be opened, or another process holds it.
    pub(crate) fn locked(path: &Path) -> Result<File, JournalError> {
        let is_new = !path.exists();
        let file = match open_with(File::options().read(true).write(true).create(true).truncate(false), path) {
            Err(error) if is_read_only(&error) => open(path)?,
            opened => opened?,
        };
        match lock(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(JournalError::Busy),
            Err(TryLockError::Error(error)) => return Err(error.into()),
        }
        if let (true, Some(folder)) = (is_new, path.parent()) {
            sync_folder(folder)?;
        }
        Ok(file)
    }

    /// Continues after the whole lines of a journal that was read to its end. A last line that was cut short is
    /// dropped.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn after(mut file: File, places: Places, end: End) -> Result<Journal, JournalError> {
        let End { whole: end, tail } = end;
        if tail == Tail::Cut {
            tracing::info!("the last line of a journal was cut short and is dropped");
            file.set_len(end)?;
        }
        file.seek(SeekFrom::Start(end))?;
        Ok(Journal { file, end, places, is_torn: false })
    }

    /// Appends the text of a finished game. After this returns, killing the process does not lose it.
    ///
    /// # Errors
    /// When it cannot be written, or is too long to be read again. Then it is not in the journal.
    pub(crate) fn append(&mut self, number: usize, text: &str) -> Result<(), AppendError> {
        if self.is_torn {
            return Err(AppendError::Torn);
        }
        if text.len() > RECORD_BYTES_MAX {
            return Err(AppendError::TooLong(text.len()));
        }
        let at = self.end;
        self.write(&line(number, text))?;
        self.places.insert(number, at);
        Ok(())
    }

    /// Appends a change, and waits until it is on the disk.
    ///
    /// # Errors
    /// When it cannot be written.
    pub(crate) fn append_change(&mut self, change: &Change) -> Result<(), AppendError> {
        self.write(&line(CHANGE, &change.to_text()))?;
        Ok(self.sync()?)
    }

    /// Cuts off the first game for which `is_wrong` returns true and everything after it; returns the number of games
    /// cut off. The places of games must be read again then.
    ///
    /// # Errors
    /// When it cannot be read or written.
    pub(crate) fn cut(&mut self, mut is_wrong: impl FnMut(usize, &str) -> bool) -> Result<usize, JournalError> {
        let (mut from, mut count) = (None, 0);
        lines(&OnDisk(&self.file), |line, at, bytes| {
            if is_change(bytes) {
                return Ok(());
            }
            let (number, text) = numbered(bytes).map_err(|why| JournalError::Damaged { line, why })?;
            if from.is_none() && is_wrong(number, text) {
                from = Some(at);
            }
            count += usize::from(from.is_some());
            Ok::<(), JournalError>(())
        })?;
        if let Some(from) = from {
            self.file.set_len(from)?;
            self.sync()?;
            self.end = from;
        }
        self.file.seek(SeekFrom::Start(self.end))?;
        Ok(count)
    }

    /// The offsets of games.
    pub(crate) fn places(&self) -> &Places {
        &self.places
    }

    /// A game in the journal; `None` if it is missing.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn game(&self, number: usize) -> Result<Option<Ended>, JournalError> {
        self.places.get(number).map(|at| game_at(&OnDisk(&self.file), at, number)).transpose()
    }

    /// The text of a game's result in the journal, which is not parsed; `None` if it is missing.
    ///
    /// # Errors
    /// When it cannot be read.
    pub(crate) fn text(&self, number: usize) -> Result<Option<String>, JournalError> {
        let text = |line: &[u8]| numbered(line).map(|(found, text)| (found, text.to_owned()));
        self.places.get(number).map(|at| line_at(&OnDisk(&self.file), at, number, text)).transpose()
    }

    fn write(&mut self, line: &str) -> Result<(), AppendError> {
        if let Err(error) = self.file.write_all(line.as_bytes()) {
            // A part of the line may be written (the disk is full), and nothing may follow it.
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
    pub(crate) fn sync(&mut self) -> io::Result<()> {
        self.file.sync_data()
    }

    /// A second handle to the journal, for syncing while games are appended.
    pub(crate) fn syncing(&self) -> io::Result<Syncing> {
        Ok(Syncing { file: self.file.try_clone()?, last: Instant::now() })
    }
}

/// A journal's file as the text that it is.
pub(crate) struct OnDisk<'a>(pub(crate) &'a File);

impl Text for OnDisk<'_> {
    fn beginning(&self) -> io::Result<impl BufRead> {
        let mut file = self.0;
        file.rewind()?;
        Ok(io::BufReader::with_capacity(READ_BYTES, file))
    }

    fn read_at(&self, into: &mut [u8], at: u64) -> io::Result<usize> {
        self.0.read_at(into, at)
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::fs;

    use arena_ledger::VoidGame;

    use super::*;
    use crate::testing::{played, record};

    /// Opens a journal; returns also the games in it.
    fn open(path: &Path) -> Result<(Journal, Vec<(usize, Ended)>), JournalError> {
        let file = Journal::locked(path)?;
        let (mut games, mut places) = (Vec::new(), Places::default());
        let end = arena_ledger::read(&OnDisk(&file), |line| {
            places.insert(line.number, line.at);
            games.push((line.number, line.ended));
            Ok::<(), JournalError>(())
        })?;
        Ok((Journal::after(file, places, end)?, games))
    }

    #[test]
    fn a_line_cut_short_anywhere_is_dropped_and_the_rest_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (first, second) = (played(1), played(2));
        let kept = first.to_line(7);
        let cut = second.to_line(3);
        for length in (0..cut.len()).step_by(97).chain([cut.len() - 1]) {
            fs::write(&path, format!("{kept}{}", &cut[..length])).unwrap();
            let (mut journal, games) = open(&path).unwrap();
            assert_eq!(games, [(7, first.clone())]);
            journal.append(3, &second.to_text()).unwrap();
            assert_eq!(
                [7, 3, 0].map(|number| journal.game(number).unwrap()),
                [Some(first.clone()), Some(second.clone()), None]
            );
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
            assert!(matches!(open(&path), Err(JournalError::Damaged { .. })), "byte {at}");
        }
    }

    #[test]
    fn a_void_game_is_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let void = Ended::Void(VoidGame { tries: 3, quarantined: vec![0, 1] });
        open(&path).unwrap().0.append(5, &void.to_text()).unwrap();
        assert_eq!(open(&path).unwrap().1, [(5, void)]);
    }

    #[test]
    fn a_record_of_the_longest_length_is_kept_and_one_byte_more_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (mut journal, _) = open(&path).unwrap();
        let padded = |bytes: usize| {
            let mut record = record(1);
            let padding = bytes - record.to_text().len();
            record.header.build.extend(std::iter::repeat_n('x', padding));
            Ended::Played(record)
        };
        let longest = padded(RECORD_BYTES_MAX);
        journal.append(0, &longest.to_text()).unwrap();
        let longer = journal.append(1, &padded(RECORD_BYTES_MAX + 1).to_text());
        assert!(matches!(longer, Err(AppendError::TooLong(bytes)) if bytes == RECORD_BYTES_MAX + 1), "{longer:?}");
        journal.append(2, &played(2).to_text()).unwrap();
        drop(journal);
        assert_eq!(open(&path).unwrap().1, [(0, longest), (2, played(2))]);
    }

    #[test]
    fn a_place_of_another_game_or_of_no_line_is_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (first, second) = (played(1).to_line(0), played(2).to_line(1));
        fs::write(&path, first.clone() + &second).unwrap();
        let file = File::open(&path).unwrap();
        let at = first.len() as u64;
        assert_eq!(game_at(&OnDisk(&file), at, 1).unwrap(), played(2));
        for (at, number) in [(at, 0), (0, 1), (at + 1, 1), (at - 1, 1), (at + second.len() as u64, 1), (1 << 40, 1)] {
            let found = game_at(&OnDisk(&file), at, number);
            assert!(matches!(found, Err(JournalError::Unreadable { number: named, .. }) if named == number), "{at}");
        }
    }

    #[test]
    fn a_second_process_is_kept_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (_held, _) = open(&path).unwrap();
        assert!(matches!(open(&path), Err(JournalError::Busy)));
    }
}
