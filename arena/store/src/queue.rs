//! Games of tournaments that other processes play. What a game is, and what came of it, are texts here, which
//! only the site and its workers read.
//!
//! A worker claims games under a lease: until a moment of the database's clock, with a token that grows with each claim of a game. A
//! lease that is over frees its game for others. What a worker submits late is no harm: a game is a pure function, so that it is the same
//! text, and counts as well as any. Where two workers differ a third decides, and who was wrong is quarantined: what it alone submitted
//! is taken back.
//!
//! A volunteer is a worker that an account runs, without access to the database. Its first games, a share of the later ones and all that
//! it says are void count only when one of the site's own workers has played them, too. Where it differs from those it is quarantined, and
//! all that nobody else played is played again.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use arena_record::{EntrantId, Hex, RECORD_BYTES_MAX};
use async_trait::async_trait;
use sha2::{Digest as _, Sha256};

use crate::{AccountId, StoreError, TournamentId};

/// The longest text of a game that is asked for, in bytes: seats, budgets and hashes of the largest field.
pub const JOB_BYTES_MAX: usize = 64 << 10;

/// The longest text of what came of a game, in bytes: a record, and less than 64 bytes before it.
pub const END_BYTES_MAX: usize = RECORD_BYTES_MAX + 64;

/// The most games of one call: bounds a transaction, which others wait for.
pub const GAMES_OF_A_CALL_MAX: usize = 64;

/// The longest lease, in milliseconds: a worker that is gone keeps its games from others for so long.
pub const LEASE_MS_MAX: u64 = 3_600_000;

/// The longest name of a worker, in bytes: a host's name.
pub const WORKER_NAME_BYTES_MAX: usize = 64;

/// Games of a volunteer that the site's own workers play, too, before only a share of them is.
pub const VOLUNTEER_FIRST_GAMES: u64 = 50;

/// Games that a volunteer has claimed at once: so many wait if it is gone.
pub const VOLUNTEER_GAMES_MAX: usize = 64;

/// The longest lease of a volunteer, in milliseconds. The site's own workers take its games sooner if there are no others.
pub const VOLUNTEER_LEASE_MS_MAX: u64 = 60_000;

/// What the names of volunteers begin with. No other worker's name has a colon.
pub(crate) const VOLUNTEER: &str = "volunteer:";

/// Releases that a worker hears of at once: a rolling upgrade has two.
pub(crate) const OTHERS_MAX: usize = 8;

/// What a worker is known as: it is the same worker under the same name, and another worker under another.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct WorkerName(String);

/// Why a text is no worker's name.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a worker's name has 1 to {WORKER_NAME_BYTES_MAX} characters: letters, digits, dots, `-` and `_`")]
pub struct NotAWorkerName;

impl WorkerName {
    /// The name that a text stands for.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(text: &str) -> Result<WorkerName, NotAWorkerName> {
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b".-_".contains(&byte);
        let is_one = (1..=WORKER_NAME_BYTES_MAX).contains(&text.len()) && text.bytes().all(plain);
        if is_one { Ok(WorkerName(text.into())) } else { Err(NotAWorkerName) }
    }

    /// What an account's workers are known as, all together.
    pub fn of_volunteer(account: AccountId) -> WorkerName {
        WorkerName(format!("{VOLUNTEER}{}", account.0))
    }

    /// The account whose worker it is; none for one of the site's own.
    pub fn volunteer(&self) -> Option<AccountId> {
        self.0.strip_prefix(VOLUNTEER)?.parse().ok().map(AccountId)
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A name that was checked when it was written.
    pub(crate) fn stored(text: String) -> WorkerName {
        WorkerName(text)
    }
}

impl fmt::Display for WorkerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A game that is to be played.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AskedGame {
    /// Names it among its tournament's: the hash of all that it is a function of.
    pub key: Hex<32>,
    /// Names what its result depends on. Only workers with the same play it.
    pub semantics: String,
    /// The release that asks, for those that cannot play it.
    pub build: String,
    /// All that it is a function of, but the bots' bytes.
    pub job: String,
}

/// The right to play a game, until it is over.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Lease {
    /// Whose game it is.
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

/// What a worker gets that asks for games.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Claim {
    /// Games, those first that were asked for first.
    pub games: Vec<Claimed>,
    /// The releases of games that wait and that this worker cannot play; looked for only where it got none.
    pub others: Vec<OtherRelease>,
}

/// Games wait that are of other semantics than a worker's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct OtherRelease {
    /// Theirs.
    pub semantics: String,
    /// The build that asks for them.
    pub build: String,
}

/// What came of a game, as a worker submits it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewEnd {
    /// The lease that it was played under.
    pub lease: Lease,
    /// Whether the game is void: an ended one takes its place.
    pub is_void: bool,
    /// Whether one of the site's own workers is to play it, too, before it counts, if a volunteer submits it. The volunteer does not
    /// know.
    pub is_sampled: bool,
    /// What came of it.
    pub text: String,
}

/// An account that plays games for the site.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Volunteer {
    /// Whose worker it is.
    pub account: AccountId,
    /// Games that it submitted.
    pub games: u64,
    /// Those of them that one of the site's own workers played, too, and found equal.
    pub verified: u64,
    /// Why it gets no games any more, if it does not.
    pub banned: Option<String>,
}

/// What became of what was submitted. None of it is to be tried again.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, thiserror::Error)]
pub enum Taken {
    /// The game has its end, and this is it.
    #[error("it counts")]
    Counts,
    /// Another worker says otherwise: a further one decides.
    #[error("another worker disagrees: a third one decides")]
    Disputed,
    /// Nobody wants the game any more.
    #[error("this game is no longer needed")]
    Unwanted,
    /// Others say otherwise together.
    #[error("other workers agree on something else")]
    Wrong,
    /// The worker never had this lease.
    #[error("this lease was never this worker's")]
    Foreign,
}

/// A game that has its end.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameEnd {
    /// The game.
    pub key: Hex<32>,
    /// Who submitted it; the first by name where several did.
    pub worker: WorkerName,
    /// What came of it.
    pub text: String,
}

/// Why the queue does not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum QueueError {
    /// The worker gets no games.
    #[error("the worker {name} is quarantined: {reason}. Once it is repaired, start it under another name")]
    Quarantined {
        /// Who.
        name: WorkerName,
        /// Why.
        reason: String,
    },
    /// A volunteer gets no games.
    #[error("this account may play no games for the site any more: {reason}")]
    Banned {
        /// Why.
        reason: String,
    },
    /// A text is longer than any of its kind.
    #[error("a text of a game has {0} bytes, more than any")]
    TooLong(usize),
    /// More games than one call may be about.
    #[error("a call is about at most {GAMES_OF_A_CALL_MAX} games")]
    TooMany,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Games that other processes play.
#[async_trait]
pub trait Queue: Send + Sync + 'static {
    /// Keeps the bytes of a bot for those who play a tournament's games. Again changes nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn keep_for_queue(
        &self,
        tournament: &TournamentId,
        entrant: &EntrantId,
        bytes: &[u8],
    ) -> Result<(), StoreError>;

    /// The bytes of a bot that plays in some tournament's games; none where it does not.
    ///
    /// # Errors
    /// When the store cannot be read, or the bytes are not the bot's any more.
    async fn module_in_queue(&self, entrant: &EntrantId) -> Result<Option<Vec<u8>>, StoreError>;

    /// Asks for games of a tournament. Those that were asked for before stay as they are.
    ///
    /// # Errors
    /// When they are too many or too long, or the store cannot be written.
    async fn ask_games(&self, tournament: &TournamentId, games: &[AskedGame]) -> Result<(), QueueError>;

    /// Which of these games of a tournament have their ends, in no order.
    ///
    /// # Errors
    /// When they are too many, or the store cannot be read.
    async fn ends(&self, tournament: &TournamentId, keys: &[Hex<32>]) -> Result<Vec<GameEnd>, QueueError>;

    /// All games of a tournament that were asked for, each with the hash of its end if it has one.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn end_hashes(&self, tournament: &TournamentId) -> Result<BTreeMap<Hex<32>, Option<Hex<32>>>, StoreError>;

    /// Forgets a tournament's games: all are played and kept elsewhere, or nobody wants them.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn forget_games(&self, tournament: &TournamentId) -> Result<(), StoreError>;

    /// Claims at most so many games of these semantics for a worker, for so many milliseconds by the database's clock. A volunteer gets
    /// games that nobody has played; the site's own workers get those of volunteers when there are no others.
    ///
    /// # Errors
    /// When the worker is quarantined, or the store cannot be written.
    async fn claim(
        &self,
        worker: &WorkerName,
        semantics: &[String],
        games_max: usize,
        lease_ms: u64,
    ) -> Result<Claim, QueueError>;

    /// Prolongs leases: so many milliseconds from now. Those that are not prolonged, because the game has its end, is another's by now or
    /// was forgotten, are returned.
    ///
    /// # Errors
    /// When they are too many, the worker is quarantined, or the store cannot be written.
    async fn renew(&self, worker: &WorkerName, leases: &[Lease], lease_ms: u64) -> Result<Vec<Lease>, QueueError>;

    /// Gives leases back, so that others may have the games at once. Those that are over are nobody's loss.
    ///
    /// # Errors
    /// When they are too many, or the store cannot be written.
    async fn hand_back(&self, worker: &WorkerName, leases: &[Lease]) -> Result<(), QueueError>;

    /// Submits what came of games; what became of each, in their order. Again changes nothing.
    ///
    /// # Errors
    /// When they are too many or too long, the worker is quarantined, or the store cannot be written.
    async fn submit_ends(&self, worker: &WorkerName, ends: &[NewEnd]) -> Result<Vec<Taken>, QueueError>;

    /// Gives a worker no games any more, and takes back all that it alone submitted. Again changes nothing.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn quarantine(&self, worker: &WorkerName, reason: &str) -> Result<(), StoreError>;

    /// The workers that are quarantined, each with the reason.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn quarantined(&self) -> Result<BTreeMap<WorkerName, String>, StoreError>;

    /// The volunteers that submitted games, those with most games first; at most [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn volunteers(&self) -> Result<Vec<Volunteer>, StoreError>;

    /// The volunteer of an account, if it submitted games.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn volunteer(&self, account: AccountId) -> Result<Option<Volunteer>, StoreError>;
}

/// Why a worker gets no games that is quarantined.
pub(crate) fn refused(worker: &WorkerName, reason: String) -> QueueError {
    match worker.volunteer() {
        Some(_) => QueueError::Banned { reason },
        None => QueueError::Quarantined { name: worker.clone(), reason },
    }
}

/// How many games a worker may claim that has `held`, of so many that it asks for, and for how long.
pub(crate) fn granted(worker: &WorkerName, held: usize, games_max: usize, lease_ms: u64) -> (usize, u64) {
    match worker.volunteer() {
        Some(_) => (games_max.min(VOLUNTEER_GAMES_MAX.saturating_sub(held)), lease_ms.min(VOLUNTEER_LEASE_MS_MAX)),
        None => (games_max, lease_ms.min(LEASE_MS_MAX)),
    }
}

/// What two ends are compared by.
pub(crate) fn end_hash(text: &str) -> Hex<32> {
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

/// Why a worker is quarantined whose word others contradict.
pub(crate) const WRONG: &str = "it submitted a game that other workers played otherwise";

/// One worker's word on a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Vote {
    pub(crate) worker: WorkerName,
    pub(crate) hash: Hex<32>,
    pub(crate) is_void: bool,
}

/// What the votes on a game come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Judged {
    /// Its end, if they agree on one.
    pub(crate) end: Option<Hex<32>>,
    /// Who was wrong.
    pub(crate) liars: BTreeSet<WorkerName>,
}

/// The ends that each worker submitted.
fn said(votes: &[Vote]) -> BTreeMap<&WorkerName, BTreeSet<Hex<32>>> {
    let mut said: BTreeMap<&WorkerName, BTreeSet<Hex<32>>> = BTreeMap::new();
    for vote in votes.iter().filter(|vote| !vote.is_void) {
        said.entry(&vote.worker).or_default().insert(vote.hash);
    }
    said
}

/// What the votes on a game come to that had the end `before`. The site's own workers decide once one of them has played it to its end.
/// Before that an end counts on which volunteers agree, unless the game is to be `checked`.
pub(crate) fn judge(votes: &[Vote], before: Option<Hex<32>>, checked: bool) -> Judged {
    let (volunteers, own): (Vec<Vote>, Vec<Vote>) =
        votes.iter().cloned().partition(|vote| vote.worker.volunteer().is_some());
    let Judged { end, mut liars } = decide(&own, before);
    let is_played = own.iter().any(|vote| !vote.is_void && !liars.contains(&vote.worker));
    let known = end.filter(|_| is_played);
    // Two volunteers may be one person, so nothing follows from how many of them say the same.
    let theirs = said(&volunteers);
    let is_wrong = |ends: &BTreeSet<Hex<32>>| ends.len() > 1 || known.is_some_and(|end| !ends.contains(&end));
    liars.extend(theirs.iter().filter(|(_, ends)| is_wrong(ends)).map(|(worker, _)| (*worker).clone()));
    let agreed: BTreeSet<Hex<32>> = theirs.into_values().flatten().collect();
    let counts = !is_played && !checked && agreed.len() == 1;
    Judged { end: if counts { agreed.first().copied() } else { end }, liars }
}

/// What the votes of the site's own workers come to. A game that ended takes the place of a void one, which says only that a process
/// died. Of ends one counts that nobody contradicts, or that two workers submitted and more than any other. A worker that
/// submitted two ends is wrong in any case.
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
    Judged { end, liars }
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

    /// Votes as a text: a worker, and a digit for an end or `-` for void. Volunteers have digits for names.
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
        let Judged { end, liars } = judge(&votes, before.map(|end| Hex([end; 32])), checked);
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
