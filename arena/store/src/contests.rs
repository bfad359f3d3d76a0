//! Tournaments that accounts start on a site: each a log of events that everybody may read. What they mean is not known here,
//! but for what is counted: whose a tournament is, whether it is over, and what its games may cost.

use async_trait::async_trait;

use crate::{AccountId, DisplayName, Page, StoreError, UnixSeconds};

/// The longest event of a tournament, in bytes: the definition of a full field.
pub const CONTEST_EVENT_BYTES_MAX: usize = 64 << 10;

/// The most events of a tournament: everybody comes and goes a few times.
pub const CONTEST_EVENTS_MAX: u32 = 1_000;

/// The number of a tournament that an account started, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContestId(pub i64);

/// How far a tournament is, as far as the store has to know.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// Its field is not frozen.
    Entry,
    /// It is being played.
    Playing,
    /// It is finished or cancelled: nothing is appended any more.
    Over,
}

impl Phase {
    /// Every phase.
    pub const EVERY: [Phase; 3] = [Phase::Entry, Phase::Playing, Phase::Over];

    /// How it is called.
    pub fn word(self) -> &'static str {
        match self {
            Phase::Entry => "entry",
            Phase::Playing => "playing",
            Phase::Over => "over",
        }
    }

    pub(crate) fn named(word: &str) -> Option<Phase> {
        Phase::EVERY.into_iter().find(|phase| phase.word() == word)
    }
}

/// What is counted of a tournament: it changes with its events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// How far it is.
    pub phase: Phase,
    /// Games that it has at most.
    pub games: u32,
    /// Fuel that these use at most.
    pub fuel: u64,
}

/// A tournament that is to be opened.
#[derive(Clone, Debug)]
pub struct NewContest<'a> {
    /// Who starts it.
    pub owner: AccountId,
    /// What it is called: one line.
    pub name: &'a str,
    /// Name and version of its ruleset.
    pub game: &'a str,
    /// The first event.
    pub event: &'a str,
    /// What its seed will be drawn with. Nobody is shown it before the field is frozen.
    pub secret: [u8; 32],
    /// What is counted.
    pub counted: Counted,
}

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contest {
    /// Its number.
    pub id: ContestId,
    /// Who started it.
    pub owner: AccountId,
    /// How its owner is known now; [`DELETED`](crate::DELETED) when the account is.
    pub owner_name: DisplayName,
    /// What it is called.
    pub name: String,
    /// Name and version of its ruleset.
    pub game: String,
    /// When it was opened.
    pub opened_at: UnixSeconds,
    /// What is counted of it.
    pub counted: Counted,
}

/// An event of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestEvent {
    /// When it came.
    pub at: UnixSeconds,
    /// What it says.
    pub event: String,
}

/// Why a tournament is as before.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// It does not exist.
    #[error("there is no such tournament")]
    NoSuchContest,
    /// The account does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The operator has disabled the account.
    #[error("the operator of this arena has disabled this account")]
    Disabled,
    /// The account has as many that are not over as it may.
    #[error("an account has at most {0} unfinished tournaments")]
    TooManyOfAccount(u32),
    /// As many are not over as may be.
    #[error("there are at most {0} unfinished tournaments")]
    TooMany(u32),
    /// The account has asked for as many games, or as much fuel, as it may within 24 hours.
    #[error(
        "the tournaments that an account starts within 24 hours have at most {games} games and {fuel} units of fuel; come back in {again_in} s"
    )]
    TooMuchToday {
        /// The most games.
        games: u32,
        /// The most fuel.
        fuel: u64,
        /// Seconds until some are forgotten.
        again_in: u64,
    },
    /// What all that are not over may use together is used up.
    #[error("unfinished tournaments use at most {0} units of fuel together")]
    TooMuch(u64),
    /// Another event has this place: somebody was faster.
    #[error("another event has this place in the log")]
    Taken,
    /// Nothing is appended any more: it is over, or has as many events as it may.
    #[error("nothing can be changed in this tournament any more")]
    Over,
    /// The event is too long.
    #[error("an event has at most {CONTEST_EVENT_BYTES_MAX} bytes, this one has {0}")]
    EventTooLarge(usize),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Tournaments that accounts start.
///
/// A log has no gaps, and a place in it that is taken never changes: of concurrent events for one place exactly one gets it.
#[async_trait]
pub trait Contests: Send + Sync + 'static {
    /// Opens a tournament. Called again it opens another.
    ///
    /// # Errors
    /// When the account may not, a limit is reached, or there is no space.
    async fn open_contest(&self, new: &NewContest<'_>, now: UnixSeconds) -> Result<ContestId, ContestError>;

    /// Appends an event at the place `seq`, which must be the next one, from 1, and notes what is counted from now on.
    ///
    /// # Errors
    /// When the place is taken or not the next one, the tournament is over or does not exist, or a limit is reached.
    async fn append_to_contest(
        &self,
        id: ContestId,
        seq: u32,
        event: &str,
        counted: &Counted,
        now: UnixSeconds,
    ) -> Result<(), ContestError>;

    /// A tournament with its whole log, both of one moment.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn contest(&self, id: ContestId) -> Result<Option<(Contest, Vec<ContestEvent>)>, StoreError>;

    /// Tournaments, the newest first, of one account or of all; a page starts after, that is below, a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn contests(&self, owner: Option<AccountId>, page: Page<ContestId>) -> Result<Vec<Contest>, StoreError>;

    /// The numbers of all tournaments that are not over, the oldest first: what a server resumes with.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn contests_under_way(&self) -> Result<Vec<ContestId>, StoreError>;

    /// Forgets a tournament that is over, with its log, and notes that it is [gone](crate::Gone). Any other stays, and one that is not
    /// there is forgotten.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn forget_contest(&self, id: ContestId, now: UnixSeconds) -> Result<(), StoreError>;

    /// What a tournament's seed is drawn with; none of one that does not exist.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn contest_secret(&self, id: ContestId) -> Result<Option<[u8; 32]>, StoreError>;
}

pub(crate) fn checked(event: &str) -> Result<(), ContestError> {
    if event.len() > CONTEST_EVENT_BYTES_MAX { Err(ContestError::EventTooLarge(event.len())) } else { Ok(()) }
}
