//! Acts of a site's operator, each with its reason and a line in a log.

use arena_limits::{Kind, Refusal, Refused};
use arena_rooms::RoomId;
use strum::{EnumString, IntoStaticStr};

use crate::{
    AccountError, AccountId, Adjusted, BotError, BotId, BotName, ContestError, ContestId, Counted, DisplayName,
    NotAReason, REASON_CHARS_MAX, Reason, StoreError, TournamentId, UnixSeconds, WorldError, WorldLine, WorldName,
};

/// Browsers of the operator that are signed in at once. One more ends the session that would expire first.
pub const OPERATOR_SESSIONS_MAX: usize = 10;

/// What can be closed to everybody for some time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Gate {
    /// Submitting versions of bots.
    Submissions,
    /// Opening rooms.
    Rooms,
    /// Creating accounts.
    Accounts,
    /// Starting tournaments.
    Tournaments,
    /// Changing anything. The store only notes it: servers refuse what would change something.
    Changes,
}

impl Gate {
    /// Every gate.
    pub const EVERY: [Gate; 5] = [Gate::Submissions, Gate::Rooms, Gate::Accounts, Gate::Tournaments, Gate::Changes];

    /// Whether the tables have it as a measure: a release that does not know it goes on beside this one during an
    /// upgrade.
    pub(crate) fn is_a_measure(self) -> bool {
        !matches!(self, Gate::Submissions | Gate::Rooms)
    }
}

/// An act of the operator.
#[derive(Clone, PartialEq, Eq, Debug, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Act {
    /// Closes something to everybody.
    Close(Gate),
    /// Opens it again.
    Open(Gate),
    /// Disables a bot: it does not play.
    DisableBot(BotId),
    /// Enables it again.
    EnableBot(BotId),
    /// Gives a bot another name; nobody else gets the old one, as with [`Store::rename_bot`](crate::Store::rename_bot).
    RenameBot(BotId, BotName),
    /// Disables an account: it may do nothing, and none of its bots plays.
    DisableAccount(AccountId),
    /// Enables it again.
    EnableAccount(AccountId),
    /// Gives an account another name.
    RenameAccount(AccountId, DisplayName),
    /// Takes a game of people, given by its room, out of the count. The record stays, but the game gives no points.
    AnnulGame(RoomId),
    /// Lets it count again.
    RestoreGame(RoomId),
    /// Cancels a tournament that an account started.
    #[strum(serialize = "cancel_tournament")]
    CancelContest {
        /// Its number.
        id: ContestId,
        /// The event that says so, as for [`Store::append_to_contest`](crate::Store::append_to_contest): its place,
        seq: u32,
        /// its text,
        event: String,
        /// and what counts towards limits afterwards.
        counted: Counted,
    },
    /// Opens a tournament for an account, by the operator's limits: [`Store::open_contest`](crate::Store::open_contest)
    /// does it.
    #[strum(serialize = "open_tournament")]
    OpenContest(ContestId),
    /// Admits no new visitors, because the site is to be restarted. The store only notes it; a restart ends it.
    Drain,
    /// Admits new visitors again, without a restart.
    EndDrain,
    /// Starts a world, unless it is there.
    StartWorld {
        /// Its name.
        world: WorldName,
        /// The snapshot that its first span begins with, as for [`Store::begin_span`](crate::Store::begin_span).
        snapshot: String,
    },
    /// Gives one of the site's places in a world to a bot, or frees it.
    SeatBot {
        /// The world.
        world: WorldName,
        /// The line of its log that says so; `None` if the bot has the place already.
        line: Option<WorldLine>,
    },
    /// Frees a slot of a world.
    FreeSlot {
        /// The world.
        world: WorldName,
        /// The number of the slot, from 1.
        slot: u8,
        /// The account that held it, unless it was one of the site's places.
        account: Option<AccountId>,
        /// The line of the world's log that says so.
        line: WorldLine,
    },
    /// Shows a notice on all pages, instead of an earlier one.
    PostNotice(Notice),
    /// Shows none any more.
    RemoveNotice,
    /// Refuses all requests of a network until then.
    Ban {
        /// The network, as servers write it.
        network: String,
        /// When the ban ends. The network is then deleted.
        until: UnixSeconds,
    },
    /// Ends a ban, by its number.
    LiftBan(i64),
    /// Declares a tournament void. It stays as it is, marked.
    AnnulTournament(TournamentId),
    /// Lets it count again.
    RestoreTournament(TournamentId),
    /// Adjusts a limit, at all servers at once.
    SetLimit(Adjusted),
    /// Gives the limit of this name its usual value again.
    ResetLimit(&'static str),
}

/// The longest notice, in characters: two or three sentences.
pub const NOTICE_CHARS_MAX: usize = 300;

/// Most bans at once: more is a proxy's work.
pub const BANS_MAX: usize = 200;

/// A notice of the operator's: one line of 1 to [`NOTICE_CHARS_MAX`] characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Notice(Reason);

/// A text that is no notice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("a notice is one line of at most {NOTICE_CHARS_MAX} characters")]
pub struct NotANotice;

impl Refused for NotANotice {
    fn refusal(&self) -> Refusal {
        Kind::Invalid.says("bad_notice", "every page shows it")
    }
}

impl Notice {
    /// Parses a notice; surrounding white space is ignored.
    ///
    /// # Errors
    /// When it is empty, too long, or more than a line.
    pub fn parse(text: &str) -> Result<Notice, NotANotice> {
        // As long as a reason may be.
        const { assert!(NOTICE_CHARS_MAX == REASON_CHARS_MAX) };
        Reason::parse(text).map(Notice).map_err(|NotAReason| NotANotice)
    }

    /// The notice as text.
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

/// What a measure is.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum MeasureKind {
    /// A notice on all pages.
    Notice(String),
    /// A network whose requests are refused, as servers write it.
    Ban(String),
    /// A tournament that is void, and why.
    Annulled(TournamentId, Reason),
    /// A limit that is adjusted, and its value.
    Limit(String, String),
}

/// A measure of the operator's, which holds until further notice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Measure {
    /// The number of its line in the log.
    pub number: i64,
    /// What it is.
    pub kind: MeasureKind,
    /// When it was taken.
    pub since: UnixSeconds,
    /// When it ends, if that is known.
    pub until: Option<UnixSeconds>,
}

/// The kinds of measures in the tables.
pub(crate) const NOTICE: &str = "notice";
pub(crate) const BAN: &str = "ban";
pub(crate) const ANNULLED: &str = "annulled";
pub(crate) const LIMIT: &str = "limit";
/// A gate that is closed, which [`Store::closed`] has.
pub(crate) const CLOSED: &str = "closed";

impl Measure {
    /// A measure, as it is stored; `None` for a closed gate, and for a kind that this release does not know.
    pub(crate) fn stored(
        (number, kind, subject, text): (i64, &str, String, String),
        since: UnixSeconds,
        until: Option<UnixSeconds>,
    ) -> Option<Measure> {
        let kind = match kind {
            NOTICE => MeasureKind::Notice(text),
            BAN => MeasureKind::Ban(subject),
            ANNULLED => MeasureKind::Annulled(TournamentId::parse(&subject).ok()?, Reason::stored(text)),
            LIMIT => MeasureKind::Limit(subject, text),
            _ => return None,
        };
        Some(Measure { number, kind, since, until })
    }
}

impl Act {
    /// Its name in the log.
    pub fn word(&self) -> String {
        match self {
            Act::Close(gate) | Act::Open(gate) => format!("{}_{}", <&str>::from(self), <&str>::from(gate)),
            _ => <&str>::from(self).into(),
        }
    }

    /// The name of what it concerns, if that has no number and keeps its name: a world, a slot of one, a tournament's
    /// folder, a limit with its value, or a ban, whose network no log names. `number` is that of the line.
    pub(crate) fn subject(&self, number: i64) -> Option<String> {
        match self {
            Act::StartWorld { world, .. } | Act::SeatBot { world, .. } => Some(world.to_string()),
            Act::FreeSlot { world, slot, .. } => Some(format!("{world}/{slot}")),
            Act::Ban { .. } => Some(format!("ban {number}")),
            Act::LiftBan(ban) => Some(format!("ban {ban}")),
            Act::AnnulTournament(id) | Act::RestoreTournament(id) => Some(id.to_string()),
            Act::SetLimit(Adjusted { name, value }) => Some(format!("{name} {value}")),
            Act::ResetLimit(name) => Some((*name).into()),
            _ => None,
        }
    }

    /// The measure that it takes: its kind, subject and text, and when it ends.
    pub(crate) fn measure<'a>(
        &'a self,
        reason: &'a Reason,
    ) -> Option<(&'static str, &'a str, &'a str, Option<UnixSeconds>)> {
        match self {
            Act::Close(gate) if gate.is_a_measure() => Some((CLOSED, gate.into(), "", None)),
            Act::PostNotice(notice) => Some((NOTICE, "", notice.as_str(), None)),
            Act::Ban { network, until } => Some((BAN, network, "", Some(*until))),
            Act::AnnulTournament(id) => Some((ANNULLED, id.as_str(), reason.as_str(), None)),
            Act::SetLimit(Adjusted { name, value }) => Some((LIMIT, name, value, None)),
            _ => None,
        }
    }

    /// The bot that it concerns.
    pub fn bot(&self) -> Option<BotId> {
        match self {
            Act::DisableBot(bot) | Act::EnableBot(bot) | Act::RenameBot(bot, _) => Some(*bot),
            _ => None,
        }
    }

    /// The game that it concerns, by its room.
    pub fn game(&self) -> Option<RoomId> {
        match self {
            Act::AnnulGame(room) | Act::RestoreGame(room) => Some(*room),
            _ => None,
        }
    }

    /// The account that it concerns.
    pub fn account(&self) -> Option<AccountId> {
        match self {
            Act::DisableAccount(account) | Act::EnableAccount(account) | Act::RenameAccount(account, _) => {
                Some(*account)
            }
            Act::FreeSlot { account, .. } => *account,
            _ => None,
        }
    }

    /// The tournament that it concerns.
    pub fn contest(&self) -> Option<ContestId> {
        match self {
            Act::CancelContest { id, .. } | Act::OpenContest(id) => Some(*id),
            _ => None,
        }
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
    /// The bot that it concerned.
    pub bot: Option<BotId>,
    /// The account that it concerned.
    pub account: Option<AccountId>,
    /// The game that it concerned, by its room.
    pub game: Option<RoomId>,
    /// The tournament that it concerned.
    pub contest: Option<ContestId>,
    /// The name of the world, or of the slot of one, that it concerned; otherwise the current name of the bot, account
    /// or tournament, and `None` if that was deleted.
    pub name: Option<String>,
    /// The reason.
    pub reason: Reason,
}

/// Why an act was not performed.
#[derive(Debug, thiserror::Error)]
pub enum ActError {
    /// The bot does not exist.
    #[error("there is no such bot")]
    NoSuchBot,
    /// The account does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The game is not kept for the leaderboard of people.
    #[error("no finished game of people has this id; one appears some seconds after its end")]
    NoSuchGame,
    /// Another account or bot has a name that looks like the new one.
    #[error("this name, or one that looks like it, is taken")]
    NameTaken,
    /// The tournament's log accepts no event.
    #[error(transparent)]
    Contest(#[from] ContestError),
    /// The world's log accepts no such line.
    #[error("the store is not available at the moment; try again")]
    World(#[source] WorldError),
    /// The world does not run, or the place is not one of the site's.
    #[error("no world of this name has such a place: give WORLD/PLACE, with a place from 1 to 9")]
    NoSuchPlace,
    /// The world does not run, or nobody holds the slot.
    #[error("no world of this name has such a kingdom: give WORLD/SLOT, with the number of a slot that somebody holds")]
    NoSuchSlot,
    /// There are as many bots in the world as allowed.
    #[error("this world has as many bots as it may")]
    TooManyBots,
    /// The bot would hold up its world.
    #[error(
        "in a world a bot starts afresh every minute, and this one's start fails or takes more fuel than a turn has"
    )]
    UnfitBot,
    /// There are as many worlds as allowed.
    #[error("a site has at most {0} worlds")]
    TooManyWorlds(u32),
    /// No ban has the number.
    #[error("there is no ban with this number: it may be over")]
    NoSuchBan,
    /// There are as many bans as allowed.
    #[error("there are at most {BANS_MAX} bans at once")]
    TooManyBans,
    /// The tournament does not exist, or is not annulled.
    #[error("there is no such tournament")]
    NoSuchTournament,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl Refused for ActError {
    fn refusal(&self) -> Refusal {
        let by_name = "give its name as pages show it";
        match self {
            ActError::NoSuchBot => Kind::NotFound.says("no_such_bot", by_name),
            ActError::NoSuchAccount => Kind::NotFound.says("no_such_account", by_name),
            ActError::NoSuchGame => {
                Kind::NotFound.says("no_such_game", "its id is in the address of its replay, or of its room")
            }
            ActError::NameTaken => AccountError::NameTaken.refusal(),
            ActError::Contest(error) => error.refusal(),
            ActError::World(error) => StoreError::Unavailable(error.to_string().into()).refusal(),
            ActError::NoSuchPlace => Kind::NotFound.says("no_such_place", "the operator's page has all worlds"),
            ActError::NoSuchSlot => Kind::NotFound.says("no_such_slot", "the page of the world numbers its slots"),
            ActError::TooManyBots => Kind::Conflict.says("too_many_seated", "take one away first"),
            ActError::UnfitBot => {
                Kind::Conflict.says("unfit", "a start may take as much fuel as a turn: 10,000,000 in Life2")
            }
            ActError::TooManyWorlds(_) => Kind::Conflict.says("too_many_worlds", "a running world is never ended"),
            ActError::NoSuchBan => Kind::NotFound.says("no_such_ban", "the operator's page has all of them"),
            ActError::TooManyBans => Kind::Conflict.says("too_many_bans", "lift one, or let the proxy refuse them"),
            ActError::NoSuchTournament => {
                Kind::NotFound.says("no_such_tournament", "give its id, such as `cup-7` or `standing-12`")
            }
            ActError::Store(error) => error.refusal(),
        }
    }
}

impl From<AccountError> for ActError {
    fn from(error: AccountError) -> ActError {
        match error {
            AccountError::NameTaken => ActError::NameTaken,
            AccountError::Store(error) => ActError::Store(error),
            AccountError::NoSuchAccount
            | AccountError::Disabled
            | AccountError::TooManyAccounts
            | AccountError::Closed => ActError::NoSuchAccount,
        }
    }
}

impl From<WorldError> for ActError {
    fn from(error: WorldError) -> ActError {
        match error {
            WorldError::TooManyWorlds(max) => ActError::TooManyWorlds(max),
            WorldError::Store(error) => ActError::Store(error),
            error => ActError::World(error),
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
