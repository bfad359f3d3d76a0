//! What the operator of a site does, each act with its reason and a line in a log.

use std::collections::BTreeSet;
use std::fmt;

use arena_rooms::RoomId;
use async_trait::async_trait;

use crate::{
    Account, AccountError, AccountId, BotError, BotId, BotName, ContestError, ContestId, Counted, DisplayName, Page,
    StoreError, UnixSeconds, WorldName,
};

/// The longest reason of an act, in characters: a few sentences.
pub const REASON_CHARS_MAX: usize = 300;

/// Browsers of the operator at once; one more ends the one that would expire first.
pub const OPERATOR_SESSIONS_MAX: usize = 10;

/// What can be closed to everybody for a while.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Gate {
    /// No version of a bot is taken.
    Submissions,
    /// No room is opened.
    Rooms,
}

impl Gate {
    /// Every gate.
    pub const EVERY: [Gate; 2] = [Gate::Submissions, Gate::Rooms];

    /// How it is called.
    pub fn word(self) -> &'static str {
        match self {
            Gate::Submissions => "submissions",
            Gate::Rooms => "rooms",
        }
    }

    /// The gate of this name.
    pub(crate) fn named(word: &str) -> Option<Gate> {
        Gate::EVERY.into_iter().find(|gate| gate.word() == word)
    }
}

/// What an operator does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Act {
    /// Closes something to everybody.
    Close(Gate),
    /// Opens it again.
    Open(Gate),
    /// Lets a bot play no longer.
    DisableBot(BotId),
    /// Lets it play again.
    EnableBot(BotId),
    /// Gives a bot another name; its old one stays with it, as with [`Bots::rename_bot`](crate::Bots::rename_bot).
    RenameBot(BotId, BotName),
    /// Lets an account do nothing any more, and none of its bots play.
    DisableAccount(AccountId),
    /// Lets it do everything again.
    EnableAccount(AccountId),
    /// Gives an account another name.
    RenameAccount(AccountId, DisplayName),
    /// Takes a game of people out of the count, by its room: the record stays, and for points it was never played.
    AnnulGame(RoomId),
    /// Lets it count again.
    RestoreGame(RoomId),
    /// Cancels a tournament that an account started.
    CancelContest {
        /// Which.
        id: ContestId,
        /// The event that says so, as [`Contests::append_to_contest`](crate::Contests::append_to_contest) takes it: its place,
        seq: u32,
        /// its text,
        event: String,
        /// and what is counted from then on.
        counted: Counted,
    },
    /// Takes no new visitors, because the site is to be restarted. The store only notes it: it is over with the restart.
    Drain,
    /// Takes new visitors again, without a restart.
    EndDrain,
    /// Starts a world. The store only notes it: a world begins with its first span.
    StartWorld(WorldName),
    /// Gives a place of the site's in a world to a bot, or to none. The store only notes it: the world's own log says which.
    SeatBot(WorldName),
}

impl Act {
    /// How the log calls it.
    pub fn word(&self) -> &'static str {
        match self {
            Act::Close(Gate::Submissions) => "close_submissions",
            Act::Close(Gate::Rooms) => "close_rooms",
            Act::Open(Gate::Submissions) => "open_submissions",
            Act::Open(Gate::Rooms) => "open_rooms",
            Act::DisableBot(_) => "disable_bot",
            Act::EnableBot(_) => "enable_bot",
            Act::RenameBot(..) => "rename_bot",
            Act::DisableAccount(_) => "disable_account",
            Act::EnableAccount(_) => "enable_account",
            Act::RenameAccount(..) => "rename_account",
            Act::AnnulGame(_) => "annul_game",
            Act::RestoreGame(_) => "restore_game",
            Act::CancelContest { .. } => "cancel_tournament",
            Act::Drain => "drain",
            Act::EndDrain => "end_drain",
            Act::StartWorld(_) => "start_world",
            Act::SeatBot(_) => "seat_bot",
        }
    }

    /// The world that it is about.
    pub fn world(&self) -> Option<&WorldName> {
        match self {
            Act::StartWorld(world) | Act::SeatBot(world) => Some(world),
            _ => None,
        }
    }

    /// The bot that it is about.
    pub fn bot(&self) -> Option<BotId> {
        match self {
            Act::DisableBot(bot) | Act::EnableBot(bot) | Act::RenameBot(bot, _) => Some(*bot),
            _ => None,
        }
    }

    /// The game that it is about, by its room.
    pub fn game(&self) -> Option<RoomId> {
        match self {
            Act::AnnulGame(room) | Act::RestoreGame(room) => Some(*room),
            _ => None,
        }
    }

    /// The account that it is about.
    pub fn account(&self) -> Option<AccountId> {
        match self {
            Act::DisableAccount(account) | Act::EnableAccount(account) | Act::RenameAccount(account, _) => {
                Some(*account)
            }
            _ => None,
        }
    }

    /// The tournament that it is about.
    pub fn contest(&self) -> Option<ContestId> {
        match self {
            Act::CancelContest { id, .. } => Some(*id),
            _ => None,
        }
    }
}

/// Why an act was done, in the operator's words: one line of 1 to [`REASON_CHARS_MAX`] characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reason(String);

/// A text that is no reason.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an act needs a reason: one line of at most {REASON_CHARS_MAX} characters")]
pub struct NotAReason;

impl Reason {
    /// The reason that a text says; white space around it is ignored.
    ///
    /// # Errors
    /// When it is empty, too long, or more than a line.
    pub fn parse(text: &str) -> Result<Reason, NotAReason> {
        let text = text.trim();
        let fits = !text.is_empty() && text.chars().count() <= REASON_CHARS_MAX && !text.chars().any(char::is_control);
        if fits { Ok(Reason(text.into())) } else { Err(NotAReason) }
    }

    /// The reason as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// A reason as it was stored by this crate.
    pub(crate) fn stored(text: String) -> Reason {
        Reason(text)
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

/// A line of the log of acts.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AuditEntry {
    /// Its number, from 1.
    pub number: i64,
    /// When it was done.
    pub at: UnixSeconds,
    /// What was done: [`Act::word`].
    pub act: String,
    /// The bot that it was about.
    pub bot: Option<BotId>,
    /// The account that it was about.
    pub account: Option<AccountId>,
    /// The game that it was about, by its room.
    pub game: Option<RoomId>,
    /// The tournament that it was about.
    pub contest: Option<ContestId>,
    /// What the bot, the account, the tournament or the world is called now; none when it is gone.
    pub name: Option<String>,
    /// Why.
    pub reason: Reason,
}

/// Why an act was not done.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// It is about a bot that does not exist.
    #[error("there is no such bot")]
    NoSuchBot,
    /// It is about an account that does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// It is about a game that is not kept for the leaderboard of people.
    #[error("no finished game of people has this id; one appears some seconds after its end")]
    NoSuchGame,
    /// Somebody has a name that looks like the one that was to be given.
    #[error("this name, or one that looks like it, is taken")]
    NameTaken,
    /// Nothing can be added to the log of the tournament.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// It is about a world that does not go on, or a place that is none of the site's.
    #[error("no world of this name has such a place: give WORLD/PLACE, with a place from 1 to 9")]
    NoSuchPlace,
    /// There are as many bots in the world as may be.
    #[error("this world has as many bots as it may")]
    TooManyBots,
    /// The bot would hold its world up.
    #[error(
        "in a world a bot starts afresh every minute, and this one's start fails or takes more fuel than a turn has"
    )]
    UnfitBot,
    /// There are as many worlds as may be.
    #[error("a site has at most {0} worlds")]
    TooManyWorlds(u32),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl From<AccountError> for ActError {
    fn from(error: AccountError) -> ActError {
        match error {
            AccountError::NameTaken => ActError::NameTaken,
            AccountError::Store(error) => ActError::Store(error),
            AccountError::NoSuchAccount | AccountError::TooManyAccounts => ActError::NoSuchAccount,
        }
    }
}

impl From<BotError> for ActError {
    fn from(error: BotError) -> ActError {
        match error {
            BotError::NameTaken => ActError::NameTaken,
            BotError::Store(error) => ActError::Store(error),
            BotError::NoSuchBot | BotError::NotAccepted => ActError::NoSuchBot,
        }
    }
}

/// What operators do, and what they did.
#[async_trait]
pub trait Operations: Send + Sync + 'static {
    /// Does something, and notes it in the same step. Doing it again leaves everything as it is, and notes it again.
    ///
    /// # Errors
    /// When it cannot be done; then nothing is noted.
    async fn act(&self, act: &Act, reason: &Reason, now: UnixSeconds) -> Result<AuditEntry, ActError>;

    /// What was done, newest first; a page starts after, that is below, a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn audit(&self, page: Page<i64>) -> Result<Vec<AuditEntry>, StoreError>;

    /// What is closed.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn closed(&self) -> Result<BTreeSet<Gate>, StoreError>;

    /// The account with this name, or with one that looks like it.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn account_by_name(&self, name: &DisplayName) -> Result<Option<Account>, StoreError>;

    /// Begins a session of the operator's, by the hash of its secret. In the same step those that are over at `now` end, and what is more
    /// than [`OPERATOR_SESSIONS_MAX`].
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn begin_operator_session(
        &self,
        hash: &[u8; 32],
        expires_at: UnixSeconds,
        now: UnixSeconds,
    ) -> Result<(), StoreError>;

    /// Whether the operator has a session with this hash that is not over at `now`.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn is_operator_session(&self, hash: &[u8; 32], now: UnixSeconds) -> Result<bool, StoreError>;

    /// Ends a session of the operator's. Nothing happens when there is none.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn end_operator_session(&self, hash: &[u8; 32]) -> Result<(), StoreError>;
}
