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

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use arena_limits::{Kind, Refusal, Refused};
use arena_record::{Hex, RECORD_BYTES_MAX};
use sha2::{Digest as _, Sha256};

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

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name from the store, checked when it was written.
    pub(crate) fn stored(text: String) -> WorkerName {
        WorkerName(text)
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
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

/// The error for a quarantined worker.
pub(crate) fn refused(worker: &WorkerName, reason: String) -> QueueError {
    match worker.volunteer() {
        Some(_) => QueueError::Banned { reason },
        None => QueueError::Quarantined { name: worker.clone(), reason },
    }
}

/// How many games a worker that holds `held` may claim of those that it asks for, and for how long.
pub(crate) fn granted(worker: &WorkerName, held: usize, games_max: usize, lease_ms: u64) -> (usize, u64) {
    match worker.volunteer() {
        Some(_) => (games_max.min(VOLUNTEER_GAMES_MAX.saturating_sub(held)), lease_ms.min(VOLUNTEER_LEASE_MS_MAX)),
        None => (games_max, lease_ms.min(LEASE_MS_MAX)),
    }
}

/// Whether a worker had the lease with a `token`, of a game that was claimed so many times, the last two times by
/// these. Who had earlier ones is not kept: the site's own workers are believed, a volunteer is not, for it might name
/// any game.
pub(crate) fn was_held(worker: &WorkerName, token: u64, claims: u64, [holder, before]: [Option<&str>; 2]) -> bool {
    let is = |name: Option<&str>| name == Some(worker.as_str());
    match claims.checked_sub(token) {
        _ if token == 0 => false,
        None => false,
        Some(0) => is(holder),
        Some(1) => is(before),
        Some(_) => worker.volunteer().is_none(),
    }
}

/// The hash by which results are compared.
pub(crate) fn end_hash(text: &[u8]) -> Hex<32> {
    Hex(Sha256::digest(text).into())
}

pub(crate) fn checked_count(count: usize) -> Result<(), QueueError> {
    if count > GAMES_OF_A_CALL_MAX { Err(QueueError::TooMany) } else { Ok(()) }
}

pub(crate) fn checked_games(games: &[AskedGame]) -> Result<(), QueueError> {
    checked_count(games.len())?;
    match games.iter().find(|game| game.job.len() > JOB_BYTES_MAX) {
        Some(game) => Err(QueueError::TooLong(game.job.len())),
        None => Ok(()),
    }
}

pub(crate) fn checked_ends(ends: &[NewEnd]) -> Result<(), QueueError> {
    checked_count(ends.len())?;
    match ends.iter().find(|end| end.text.len() > END_BYTES_MAX) {
        Some(end) => Err(QueueError::TooLong(end.text.len())),
        None => Ok(()),
    }
}

/// Why a worker is quarantined if others contradict it.
pub(crate) const WRONG: &str = "it submitted a game that other workers played otherwise";

/// Why a volunteer is quarantined whose void games others play.
pub(crate) const VOID: &str = "it submitted games as void that the site's own workers played to a result";

/// One worker's result of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Vote {
    pub(crate) worker: WorkerName,
    pub(crate) hash: Hex<32>,
    pub(crate) is_void: bool,
}

/// The outcome of the votes on a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Judged {
    /// The result, if the votes settle on one.
    pub(crate) end: Option<Hex<32>>,
    /// Workers that were wrong.
    pub(crate) liars: BTreeSet<WorkerName>,
    /// Volunteers that say it is void, although one of the site's own workers has played it. A machine may fail once,
    /// so only [`REFUTED_VOIDS_MAX`](crate::REFUTED_VOIDS_MAX) of these make a liar.
    pub(crate) refuted: BTreeSet<WorkerName>,
}

/// The results that each worker submitted, without void ones.
fn said(votes: &[Vote]) -> BTreeMap<&WorkerName, BTreeSet<Hex<32>>> {
    let mut said: BTreeMap<&WorkerName, BTreeSet<Hex<32>>> = BTreeMap::new();
    for vote in votes.iter().filter(|vote| !vote.is_void) {
        said.entry(&vote.worker).or_default().insert(vote.hash);
    }
    said
}

/// Evaluates the votes on a game whose result was `before`. Once one of the site's own workers has played it to its
/// end, these decide. Until then a result counts if all volunteers agree on it, unless the game is to be `checked`.
pub(crate) fn judge(votes: &[Vote], before: Option<Hex<32>>, checked: bool) -> Judged {
    let (volunteers, own): (Vec<Vote>, Vec<Vote>) =
        votes.iter().cloned().partition(|vote| vote.worker.volunteer().is_some());
    let Judged { end, mut liars, .. } = decide(&own, before);
    let is_played = own.iter().any(|vote| !vote.is_void && !liars.contains(&vote.worker));
    let known = end.filter(|_| is_played);
    // Two volunteers may be the same person, so it means nothing how many of them agree.
    let theirs = said(&volunteers);
    let is_wrong = |ends: &BTreeSet<Hex<32>>| ends.len() > 1 || known.is_some_and(|end| !ends.contains(&end));
    liars.extend(theirs.iter().filter(|(_, ends)| is_wrong(ends)).map(|(worker, _)| (*worker).clone()));
    let agreed: BTreeSet<Hex<32>> = theirs.into_values().flatten().collect();
    let counts = !is_played && !checked && agreed.len() == 1;
    let void = volunteers.iter().filter(|vote| is_played && vote.is_void);
    let refuted = void.map(|vote| vote.worker.clone()).collect();
    Judged { end: if counts { agreed.first().copied() } else { end }, liars, refuted }
}

/// Evaluates the votes of the site's own workers. A played game replaces a void one, which says only that a process
/// died. A result counts if none contradicts it, or if more workers than for any other submitted it, and at least two.
/// A worker that submitted two different results is wrong in any case.
fn decide(votes: &[Vote], before: Option<Hex<32>>) -> Judged {
    let said = said(votes);
    let mut liars: BTreeSet<WorkerName> =
        said.iter().filter(|(_, ends)| ends.len() > 1).map(|(worker, _)| (*worker).clone()).collect();
    let mut backed: BTreeMap<Hex<32>, usize> = BTreeMap::new();
    for (_, ends) in said.iter().filter(|(worker, _)| !liars.contains(**worker)) {
        ends.iter().for_each(|end| *backed.entry(*end).or_default() += 1);
    }
    let most = backed.values().copied().max().unwrap_or(0);
    let leading: Vec<Hex<32>> = backed.iter().filter(|(_, count)| **count == most).map(|(end, _)| *end).collect();
    let end = match (backed.len(), leading.as_slice()) {
        (0, _) => {
            let mut void = votes.iter().filter(|vote| vote.is_void && !liars.contains(&vote.worker));
            let kept = void.clone().find(|vote| Some(vote.hash) == before);
            kept.or_else(|| void.next()).map(|vote| vote.hash)
        }
        (1, _) => leading.first().copied(),
        (_, [one]) if most > 1 => Some(*one),
        _ => None,
    };
    if let Some(end) = end.filter(|end| backed.contains_key(end)) {
        liars.extend(said.iter().filter(|(_, ends)| !ends.contains(&end)).map(|(worker, _)| (*worker).clone()));
    }
    Judged { end, liars, refuted: BTreeSet::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn name(text: &str) -> WorkerName {
        match text.parse() {
            Ok(account) => WorkerName::of_volunteer(AccountId(account)),
            Err(_) => WorkerName::parse(text).expect(text),
        }
    }

    /// Votes as a text: each is a worker, and a digit for a result or `-` for void. Volunteers' names are digits.
    fn judged(votes: &str, before: Option<u8>) -> (Option<u8>, String) {
        judged_if(votes, before, false)
    }

    fn judged_if(votes: &str, before: Option<u8>, checked: bool) -> (Option<u8>, String) {
        let vote = |word: &str| {
            let (worker, end) = word.split_at(1);
            let is_void = end.starts_with('-');
            let number = end.trim_start_matches('-').parse().unwrap_or(99);
            Vote { worker: name(worker), hash: Hex([number; 32]), is_void }
        };
        let votes: Vec<Vote> = votes.split_whitespace().map(vote).collect();
        let Judged { end, liars, refuted } = judge(&votes, before.map(|end| Hex([end; 32])), checked);
        assert!(refuted.iter().all(|name| name.volunteer().is_some()));
        let short = |name: &WorkerName| name.as_str().trim_start_matches(VOLUNTEER).to_string();
        (end.map(|end| end.0[0]), liars.iter().map(short).collect())
    }

    #[test]
    fn an_end_counts_that_nobody_contradicts_or_that_most_submitted() {
        for (votes, end, liars) in [
            ("", None, ""),
            ("a1", Some(1), ""),
            ("a1 b1", Some(1), ""),
            ("a1 b2", None, ""),
            ("a1 b2 c1", Some(1), "b"),
            ("a1 b2 c3", None, ""),
            ("a1 b2 c3 d2", Some(2), "ac"),
            ("a1 b1 c2 d2", None, ""),
            ("a1 a2", None, "a"),
            ("a1 a2 b1", Some(1), "a"),
            ("a1 a2 b3 c1", None, "a"),
            ("a-", Some(99), ""),
            ("a- b1", Some(1), ""),
            ("a- b1 c2", None, ""),
        ] {
            assert_eq!(judged(votes, None), (end, liars.into()), "{votes}");
        }
        assert_eq!(judged("a-7 b-8", Some(8)), (Some(8), String::new()), "a void game stays as it was");
        assert_eq!(judged("a-7 b-8", None), (Some(7), String::new()));
    }

    #[test]
    fn a_volunteers_word_counts_until_one_of_the_sites_own_has_played_the_game() {
        for (votes, end, checked, liars) in [
            ("71", Some(1), None, ""),
            ("71 81", Some(1), None, ""),
            ("71 82", None, None, ""),
            ("71 82 92", None, None, ""),
            ("71 a1", Some(1), Some(1), ""),
            ("71 81 91 a2", Some(2), Some(2), "789"),
            ("71 a1 b2", None, None, ""),
            ("71 a1 b2 c2", Some(2), Some(2), "a7"),
            ("71 72", None, None, "7"),
            ("71 a-", Some(1), Some(99), ""),
            ("7-", None, None, ""),
            ("7- a1", Some(1), Some(1), ""),
        ] {
            assert_eq!(judged_if(votes, None, false), (end, liars.into()), "{votes}");
            assert_eq!(judged_if(votes, None, true), (checked, liars.into()), "{votes}, checked");
        }
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
