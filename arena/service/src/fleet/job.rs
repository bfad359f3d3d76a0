//! A game as text, for the process that is to play it, and its result as text.

use arena_record::{EntrantId, Header, Hex};
use arena_referee::Divergence;
use arena_runner::{Ended, Finished, LineError, line, parts};
use arena_store::{AskedGame, NewEnd};
use arena_worker::Wall;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

/// The game's number in the journal line of its result. A game that is asked for by itself always has this one.
const NUMBER: usize = 0;

/// A game to be played: all that it is a function of except the bots' bytes, and the wall that protects the machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Job {
    /// All that decides the game.
    pub header: Header,
    /// How long a turn may take before it counts as a platform fault, in milliseconds; `None` for no limit.
    pub wall_ms: Option<u64>,
}

/// Why a text is not the result of a game.
#[derive(Debug, thiserror::Error)]
pub enum NotItsEnd {
    /// It is not a line of a journal.
    #[error("the record cannot be read: {0}")]
    Misspelt(#[from] LineError),
    /// It is the result of another game.
    #[error("the record is of another game")]
    OtherGame,
    /// No game becomes void in this way.
    #[error("the game cannot be void in that way")]
    Void,
    /// It was not played by the rules.
    #[error("the record breaks the rules: {0}")]
    Rules(#[from] Box<Divergence>),
}

impl Job {
    /// A game with this header and wall.
    pub fn new(header: Header, wall: Wall) -> Job {
        let wall_ms = match wall {
            Wall::Milliseconds(ms) => Some(ms),
            Wall::None => None,
        };
        Job { header, wall_ms }
    }

    /// The wall that protects the machine.
    pub fn wall(&self) -> Wall {
        self.wall_ms.map_or(Wall::None, Wall::Milliseconds)
    }

    /// The game as the queue takes it, not sampled.
    pub fn asked(&self) -> AskedGame {
        AskedGame {
            key: key(&self.header),
            semantics: self.header.semantics.clone(),
            build: self.header.build.clone(),
            // Texts, numbers and lists always serialise.
            job: serde_json::to_string(self).unwrap_or_default(),
            is_sampled: false,
        }
    }

    /// Parses a game that was asked for.
    ///
    /// # Errors
    /// When the text is malformed.
    pub fn parse(text: &str) -> Result<Job, serde_json::Error> {
        serde_json::from_str(text)
    }
}

/// The key of a game in the queue: the hash of its header without the build, which is only informative.
pub fn key(header: &Header) -> Hex<32> {
    let header = Header { build: String::new(), ..header.clone() };
    Hex(Sha256::digest(serde_json::to_string(&header).unwrap_or_default()).into())
}

/// The hash by which the queue compares results, of a result with this text.
pub fn hash_of(text: &str) -> Hex<32> {
    Hex(Sha256::digest(line(NUMBER, text)).into())
}

/// The result of a game, to be submitted under its lease.
pub fn end(lease: arena_store::Lease, finished: &Finished) -> NewEnd {
    let is_void = finished.ended.record().is_none();
    NewEnd { lease, is_void, is_sampled: false, text: line(NUMBER, &finished.text) }
}

/// The result of the game with this header that a worker reports, if it is consistent with the rules. Bots are not
/// asked.
///
/// # Errors
/// When it is not.
pub fn read_end(reported: &str, header: &Header) -> Result<Finished, NotItsEnd> {
    let (number, ended) = Ended::parse_line(reported.as_bytes())?;
    match &ended {
        _ if number != NUMBER => return Err(NotItsEnd::OtherGame),
        Ended::Played(record) => {
            // Another build of the same semantics may have asked for it.
            let expected = Header { build: record.header.build.clone(), ..header.clone() };
            if record.header != expected {
                return Err(NotItsEnd::OtherGame);
            }
            arena_referee::check(record).map_err(Box::new)?;
        }
        Ended::Void(void) => {
            let is_bot = |id: &EntrantId| id.hash().is_some();
            let in_order = void.quarantined.windows(2).all(|pair| pair[0] < pair[1]);
            let accused = |seat: &u8| header.entrants.get(usize::from(*seat)).is_some_and(is_bot);
            if !in_order || !void.quarantined.iter().all(accused) || !header.entrants.iter().any(is_bot) {
                return Err(NotItsEnd::Void);
            }
        }
    }
    // Platform faults on the worker's machine are not counted here, except for a void game.
    let platform_faults = match &ended {
        Ended::Played(_) => 0,
        Ended::Void(void) => void.tries,
    };
    let (_, text) = parts(reported.as_bytes())?;
    Ok(Finished { text: text.into(), ended, platform_faults })
}
