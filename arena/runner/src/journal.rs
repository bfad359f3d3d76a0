//! The journal of a tournament: finished games in the order in which they finished, appended and never changed.
//!
//! Each line is the first eight bytes of the SHA-256 of the rest (as hex), the game's number in the schedule, and its
//! record, with a space between. A game that is void has `{"void":...}` in the place of a record: how often it was played,
//! and which seats are quarantined. A line that a kill cut short is dropped when the journal is opened again, and its game is
//! played again; a damaged line anywhere else is an error.

use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, BufRead, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use arena_record::{Hex, RECORD_BYTES_MAX, Record};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::Void;

/// How long finished games may wait for the disk. A killed process loses none of them, a power cut at most these.
const SYNC_EVERY: Duration = Duration::from_secs(1);
/// How a void game begins; no record does.
const VOID: &str = "{\"void\":";
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

/// What became of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
#[expect(clippy::large_enum_variant, reason = "nearly all of them are records")]
pub enum Ended {
    /// It was played to its end.
    Played(Record),
    /// It never will be.
    Void(Void),
}

impl Ended {
    /// The record, if there is one.
    pub fn record(&self) -> Option<&Record> {
        match self {
            Ended::Played(record) => Some(record),
            Ended::Void(_) => None,
        }
    }

    /// The line of a journal that says so of a game, by its number in the schedule.
    ///
    /// # Errors
    /// When it cannot be put in words.
    pub fn to_line(&self, number: usize) -> io::Result<String> {
        let game = match self {
            Ended::Played(record) => record.to_text(),
            Ended::Void(void) => void_text(void)?,
        };
        let rest = format!("{number} {game}");
        Ok(format!("{} {rest}", checksum(rest.as_bytes())))
    }

    /// What a line of a journal says: a game's number in the schedule, and what became of it. Whether that schedule has such
    /// a game is not asked.
    ///
    /// # Errors
    /// When it is not exactly one line as [`to_line`](Ended::to_line) spells it; what is wrong with it.
    pub fn parse_line(line: &[u8]) -> Result<(usize, Ended), String> {
        let text = std::str::from_utf8(line).map_err(|error| error.to_string())?;
        let (sum, rest) = text.split_once(' ').ok_or("it has no checksum")?;
        if sum != checksum(rest.as_bytes()).to_string() {
            return Err("its checksum does not fit".into());
        }
        let (number, game) = rest.split_once(' ').ok_or("it has no game")?;
        let parsed: usize = number.parse().map_err(|_| format!("{number:?} is not the number of a game"))?;
        if parsed.to_string() != number {
            return Err(format!("{number:?} is not the number of a game in its one spelling"));
        }
        if !game.starts_with(VOID) {
            return Ok((parsed, Ended::Played(Record::parse(game).map_err(|error| error.to_string())?)));
        }
        let VoidLine { void } = serde_json::from_str(game).map_err(|error| error.to_string())?;
        if void_text(&void).ok().as_deref() != Some(game) {
            return Err("its void game is not in its one spelling".into());
        }
        Ok((parsed, Ended::Void(void)))
    }
}

/// A void game in its one spelling.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct VoidLine {
    void: Void,
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

/// How long a file may stay locked by nobody who plays: a worker that was being started when its parent was killed holds what
/// the parent held until its own program runs.
const LOCK_WAIT: Duration = Duration::from_secs(1);
/// How often it is looked at meanwhile.
const LOCK_AGAIN: Duration = Duration::from_millis(10);

/// Locks a file, for as long as it is open.
fn lock(file: &File) -> Result<(), TryLockError> {
    let deadline = Instant::now() + LOCK_WAIT;
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if Instant::now() < deadline => thread::sleep(LOCK_AGAIN),
            done => return done,
        }
    }
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
            let damaged = |why: String| JournalError::Damaged { line: number + 1, why };
            games.push(Ended::parse_line(line).map_err(damaged)?);
        }
        if whole < bytes.len() {
            tracing::info!(bytes = bytes.len() - whole, "the last line of a journal was cut short and is dropped");
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
    pub fn append(&mut self, number: usize, game: &Ended) -> io::Result<()> {
        if self.is_torn {
            return Err(io::Error::other("an earlier line could not be written whole"));
        }
        let line = game.to_line(number)?;
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
            Some(_) => return Err(ReadError::Damaged { line, why: "it is longer than any game".into() }),
        }
        let (number, game) = Ended::parse_line(&bytes).map_err(|why| ReadError::Damaged { line, why })?;
        take(line, number, game).map_err(ReadError::Taker)?;
    }
    Ok(Tail::Whole)
}

fn void_text(void: &Void) -> io::Result<String> {
    Ok(serde_json::to_string(&VoidLine { void: void.clone() })? + "\n")
}

fn checksum(bytes: &[u8]) -> Hex<8> {
    let [a, b, c, d, e, f, g, h, ..]: [u8; 32] = Sha256::digest(bytes).into();
    Hex([a, b, c, d, e, f, g, h])
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

    fn game(seed: u8) -> Ended {
        let table = Table::new("conquerors@2", "chain_needs_home,weighted_majority", Budgets::DEFAULT, Wall::None);
        let easy = Contender::baseline("conquerors@2", "easy").unwrap();
        Ended::Played(table.play([seed; 32], &BySeat::from([&easy, &easy])).unwrap())
    }

    #[test]
    fn a_line_cut_short_anywhere_is_dropped_and_the_rest_kept() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (first, second) = (game(1), game(2));
        let kept = first.to_line(7).unwrap();
        let cut = second.to_line(3).unwrap();
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
        let text = game(1).to_line(0).unwrap() + &game(2).to_line(1).unwrap();
        for at in (0..text.len()).step_by(61) {
            let mut bytes = text.clone().into_bytes();
            bytes[at] ^= 1;
            fs::write(&path, bytes).unwrap();
            assert!(matches!(Journal::open(&path), Err(JournalError::Damaged { .. })), "byte {at}");
        }
    }

    /// Noise, and a line that somebody changed and gave a checksum that fits: refused, or a line in its one spelling.
    #[test]
    fn a_line_has_one_spelling_whatever_it_is_made_of() {
        let whole = game(1).to_line(12).unwrap();
        let (_, rest) = whole.split_once(' ').unwrap();
        let void = Ended::Void(Void { tries: 3, quarantined: vec![1] }).to_line(3).unwrap();
        let (_, void) = void.split_once(' ').unwrap();
        let mut rng = arena_rules::Rng::new(&[5; 32], 0);
        let (mut read, mut refused) = (0, 0);
        for number in 0..20_000 {
            let mut bytes = match number % 3 {
                0 => (0..rng.below(80)).map(|_| rng.word() as u8).collect(),
                1 => rest.as_bytes().to_vec(),
                _ => void.as_bytes().to_vec(),
            };
            if !bytes.is_empty() && rng.below(50) > 0 {
                let at = rng.below(bytes.len() as u32) as usize;
                bytes[at] = b"0123456789abcdef\"{}[],: \n\xff"[rng.below(26) as usize];
            }
            let text = [format!("{} ", checksum(&bytes)).as_bytes(), &bytes[..]].concat();
            match Ended::parse_line(&text) {
                Err(_) => refused += 1,
                Ok((number, game)) => {
                    assert_eq!(game.to_line(number).unwrap().as_bytes(), text);
                    read += 1;
                }
            }
        }
        assert!(read > 500 && refused > 5_000, "{read} read, {refused} refused");
    }

    #[test]
    fn a_void_game_is_kept_in_its_one_spelling() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        for quarantined in [vec![], vec![0], vec![0, 1]] {
            let void = Ended::Void(Void { tries: 3, quarantined });
            fs::write(&path, void.to_line(5).unwrap()).unwrap();
            assert_eq!(Journal::open(&path).unwrap().1, [(5, void)]);
        }
        let spaced = "5 {\"void\": {\"tries\":3,\"quarantined\":[]}}\n";
        fs::write(&path, format!("{} {spaced}", checksum(spaced.as_bytes()))).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Damaged { line: 1, .. })));
    }

    #[test]
    fn a_second_process_is_kept_out() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("journal");
        let (_held, _) = Journal::open(&path).unwrap();
        assert!(matches!(Journal::open(&path), Err(JournalError::Busy)));
    }
}
