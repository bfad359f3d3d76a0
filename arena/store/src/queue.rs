//! Games of tournaments that workers play in other processes. A game and its result are texts here, whose content only
//! the site and its workers understand.
//!
//! A worker claims games under a lease: until a moment of the database's clock, with a token that grows with each claim
//! of the game. An expired lease frees its game for others. Late results do no harm: a game is a pure function, so they
//! are the same text and count as well as any. Where two workers differ a third decides, and the wrong one is
//! quarantined: what it alone submitted is taken back. So that a wrong one is found out, some games are sampled: once
//! one of the site's own workers has played such a game, it is offered to the others before all else.
//!
//! A volunteer is a worker that an account runs. Its first games, a share of the later ones, and all that it reports as
//! void count only once one of the site's own workers has played them, too. If it differs from those it is quarantined,
//! and all its games that nobody else played are played again.

use arena_limits::{Kind, Refusal, Refused};
use arena_record::{Hex, RECORD_BYTES_MAX};
use sha2::{Digest as _, Sha256};

use crate::checked_names::checked_text;
use crate::{AccountId, StoreError, TournamentId};

/// The longest text of a requested game, in bytes: seats, budgets and hashes of the largest field.
pub const JOB_BYTES_MAX: usize = 64 << 10;

/// The longest text of a result, in bytes: a record, and less than 64 bytes before it.
pub const END_BYTES_MAX: usize = RECORD_BYTES_MAX + 64;

/// What waits for workers, and what they hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct QueueFigures {
    /// Games without a result that nobody plays.
    pub waiting: u64,
    /// Milliseconds since the oldest of these was asked for, by the database's clock; 0 for none.
    pub oldest_ms: u64,
    /// Games that a worker plays now, as far as its lease says.
    pub leased: u64,
    /// The workers that hold these.
    pub workers: u64,
}

/// The most games in one call. Bounds the transaction, which others wait for.
pub const GAMES_OF_A_CALL_MAX: usize = 64;

/// The longest lease, in milliseconds: a worker that vanishes keeps its games from others that long.
pub const LEASE_MS_MAX: u64 = 3_600_000;

/// The longest name of a worker, in bytes: long enough for a host's name.
pub const WORKER_NAME_BYTES_MAX: usize = 64;

/// The first games of a volunteer, all of which the site's own workers replay; of later games they replay only a share.
pub const VOLUNTEER_FIRST_GAMES: u64 = 50;

/// The number of games, of whatever tournaments, that a volunteer called void although one of the site's own workers
/// played them to a result, for which it is banned. A machine that fails once does so in a game or two.
pub const REFUTED_VOIDS_MAX: usize = 3;

/// Games that a volunteer may hold at once: this many wait if it vanishes.
pub const VOLUNTEER_GAMES_MAX: usize = 64;

/// The longest lease of a volunteer, in milliseconds. The site's own workers take its games sooner if there are no
/// others.
pub const VOLUNTEER_LEASE_MS_MAX: u64 = 60_000;

/// The prefix of volunteers' names. No other worker's name has a colon.
pub(crate) const VOLUNTEER: &str = "volunteer:";

/// Other releases that are named to a worker at once: a rolling upgrade has two.
pub(crate) const OTHERS_MAX: usize = 8;

/// The identity of a worker: equal names are one worker, different names are different workers.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WorkerName(String);

checked_text!(WorkerName);

/// A text that is not the name of a worker.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a worker's name has 1 to {WORKER_NAME_BYTES_MAX} characters: letters, digits, dots, `-` and `_`")]
pub struct NotAWorkerName;

impl WorkerName {
    /// Parses a name.
    ///
    /// # Errors
    /// When the text is not one.
    pub fn parse(text: &str) -> Result<WorkerName, NotAWorkerName> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        let is_one = (1..=WORKER_NAME_BYTES_MAX).contains(&text.len()) && text.bytes().all(plain);
        if is_one { Ok(WorkerName(text.into())) } else { Err(NotAWorkerName) }
    }

    /// The common name of all workers of an account.
    pub fn of_volunteer(account: AccountId) -> WorkerName {
        WorkerName(format!("{VOLUNTEER}{}", account.0))
    }

    /// The account behind a volunteer; `None` for the site's own workers.
    pub fn volunteer(&self) -> Option<AccountId> {
        self.0.strip_prefix(VOLUNTEER)?.parse().ok().map(AccountId)
    }

    /// A name from the store, checked when it was written.
    pub(crate) fn stored(text: String) -> WorkerName {
        WorkerName(text)
    }
}

/// A game to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedGame {
    /// Its key within its tournament: the hash of all that it is a function of.
    pub key: Hex<32>,
    /// The semantics id: what its result depends on. Only workers with the same one play it.
    pub semantics: String,
    /// The release that asks, for workers that cannot play it.
    pub build: String,
    /// All that it is a function of, except the bots' bytes.
    pub job: String,
    /// Whether two of the site's own workers are to play it, as far as there are two. Workers do not know.
    pub is_sampled: bool,
}

/// The right to play a game until it expires.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lease {
    /// The game's tournament.
    pub tournament: TournamentId,
    /// The game.
    pub key: Hex<32>,
    /// The fencing token: how often the game was claimed.
    pub token: u64,
}

/// A game that a worker has claimed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Claimed {
    /// Its lease.
    pub lease: Lease,
    /// As it was asked for.
    pub job: String,
}

/// The answer to a claim.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claim {
    /// Games, in the order in which they were asked for.
    pub games: Vec<Claimed>,
    /// Releases of waiting games that this worker cannot play; looked up only if it got none.
    pub others: Vec<OtherRelease>,
}

/// The release of waiting games with other semantics than a worker's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OtherRelease {
    /// Their semantics id.
    pub semantics: String,
    /// The build that asks for them.
    pub build: String,
}

/// The result of a game, as a worker submits it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEnd {
    /// The lease under which it was played.
    pub lease: Lease,
    /// Whether the game is void. A played one replaces it.
    pub is_void: bool,
    /// Whether a game submitted by a volunteer counts only once one of the site's own workers has played it, too. The
    /// volunteer does not know.
    pub is_sampled: bool,
    /// The result.
    pub text: String,
}

/// An account that plays games for the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Volunteer {
    /// The account of the worker.
    pub account: AccountId,
    /// Games that it submitted.
    pub games: u64,
    /// Those of them that one of the site's own workers replayed with the same result.
    pub verified: u64,
    /// The reason, if it gets no more games.
    pub banned: Option<String>,
}

/// What became of a submitted result. None of these should be submitted again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum Taken {
    /// It is the game's result.
    #[error("it counts")]
    Counts,
    /// Another worker submitted something else; a further one decides.
    #[error("another worker disagrees: a third one decides")]
    Disputed,
    /// The game is not asked for any more.
    #[error("this game is no longer needed")]
    Unwanted,
    /// Others agree on another result.
    #[error("other workers agree on something else")]
    Wrong,
    /// The worker never had this lease, or is a volunteer and the game was claimed twice since.
    #[error("not your lease, or it has expired")]
    Foreign,
}

/// A game with a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The game.
    pub key: Hex<32>,
    /// Who submitted it; if several did, the first by name.
    pub worker: WorkerName,
    /// The result.
    pub text: String,
}

/// Why the queue refused a call.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The worker is quarantined and gets no games.
    #[error(
        "the worker {name} is quarantined: {reason}. Repair it, run `arena admin worker add NEW-NAME`, and start it \
         with that token"
    )]
    Quarantined {
        /// Who.
        name: WorkerName,
        /// Why.
        reason: String,
    },
    /// The volunteer is banned and gets no games.
    #[error("this account may no longer play games for the site: {reason}")]
    Banned {
        /// Why.
        reason: String,
    },
    /// A text is longer than allowed.
    #[error("a text of a game has {0} bytes, more than any")]
    TooLong(usize),
    /// The call has more games than allowed.
    #[error("a call is about at most {GAMES_OF_A_CALL_MAX} games")]
    TooMany,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Refused for QueueError {
    fn refusal(&self) -> Refusal {
        match self {
            QueueError::Quarantined { .. } => Kind::Forbidden.says("banned", "the command needs the site's database"),
            QueueError::Banned { .. } => Kind::Forbidden.says("banned", "ask the operator if you think this is wrong"),
            QueueError::TooLong(_) | QueueError::TooMany => Kind::TooLarge
                .says("too_large", format!("send at most {GAMES_OF_A_CALL_MAX} at a time, each as it was played")),
            QueueError::Store(error) => error.refusal(),
        }
    }
}

/// The hash by which results are compared.
pub(crate) fn end_hash(text: &[u8]) -> Hex<32> {
    Hex(Sha256::digest(text).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> WorkerName {
        WorkerName::parse(text).expect(text)
    }

    #[test]
    fn no_worker_takes_a_volunteers_name() {
        let volunteer = WorkerName::of_volunteer(AccountId(7));
        assert_eq!(volunteer.volunteer(), Some(AccountId(7)));
        assert_eq!(WorkerName::parse(volunteer.as_str()), Err(NotAWorkerName));
        assert_eq!(name("volunteer").volunteer(), None);
    }

    #[test]
    fn names_of_workers_are_plain() {
        for text in ["a", "host-1.example", "A_b", &"x".repeat(WORKER_NAME_BYTES_MAX)] {
            assert_eq!(name(text).to_string(), text);
        }
        for text in ["", "a b", "a/b", "ä", "a\n", &"x".repeat(WORKER_NAME_BYTES_MAX + 1)] {
            assert_eq!(WorkerName::parse(text), Err(NotAWorkerName), "{text}");
        }
    }
}
