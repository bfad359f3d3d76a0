//! Tournaments that accounts start on a site. Each is a public log of events. Their meaning is not known here, except
//! what counts towards limits: the owner, whether the tournament is over, and what its games may cost.

use arena_limits::{CLOSED_SECONDS, Kind, Refusal, Refused};
use strum::{EnumString, IntoStaticStr};

use crate::{AccountError, AccountId, DisplayName, Reason, StoreError, UnixSeconds};

/// The longest event of a tournament, in bytes: enough for the definition of a full field.
pub const CONTEST_EVENT_BYTES_MAX: usize = 64 << 10;

/// The number of a tournament that an account started, from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ContestId(pub i64);

/// The phase of a tournament, as far as the store needs it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
pub enum Phase {
    /// Its field is not frozen.
    Entry,
    /// It is being played.
    Playing,
    /// It is finished or cancelled: nothing is appended any more.
    Over,
}

/// What counts towards limits. It changes with the tournament's events.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Counted {
    /// The phase.
    pub phase: Phase,
    /// The maximum number of its games.
    pub games: u32,
    /// The most fuel that these use.
    pub fuel: u64,
}

/// A tournament to be opened.
#[derive(Clone, Debug)]
pub struct NewContest<'a> {
    /// The account that starts it.
    pub owner: AccountId,
    /// Its name, in one line.
    pub name: &'a str,
    /// The ruleset's name and version.
    pub game: &'a str,
    /// The first event.
    pub event: &'a str,
    /// The secret that its seed will be drawn with. Shown to nobody before the field is frozen.
    pub secret: [u8; 32],
    /// What counts towards limits.
    pub counted: Counted,
    /// The operator's reason, if the operator opens it for the account: the log of acts then gets its line in the same
    /// step.
    pub by_operator: Option<&'a Reason>,
}

/// A tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Contest {
    /// Its number.
    pub id: ContestId,
    /// The account that started it.
    pub owner: AccountId,
    /// The current name of its owner; [`DELETED`](crate::DELETED) if the account is deleted.
    pub owner_name: DisplayName,
    /// Its name.
    pub name: String,
    /// The ruleset's name and version.
    pub game: String,
    /// When it was opened.
    pub opened_at: UnixSeconds,
    /// What counts towards limits.
    pub counted: Counted,
}

/// An event of a tournament.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ContestEvent {
    /// When it was appended.
    pub at: UnixSeconds,
    /// Its text.
    pub event: String,
}

/// Why a tournament was not changed.
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
    /// The operator has closed starting tournaments.
    #[error("the operator of this arena takes no new tournaments at the moment")]
    Closed,
    /// The account has as many unfinished ones as allowed.
    #[error("an account has at most {0} unfinished tournaments")]
    TooManyOfAccount(u32),
    /// There are as many unfinished ones as allowed.
    #[error("there are at most {0} unfinished tournaments")]
    TooMany(u32),
    /// Within 24 hours the account has asked for as many games, or as much fuel, as allowed.
    #[error(
        "the tournaments that an account starts within 24 hours have at most {games} games and {fuel} units of fuel; come back in {again_in} s"
    )]
    TooMuchToday {
        /// The most games.
        games: u32,
        /// The most fuel.
        fuel: u64,
        /// Seconds until some of these no longer count.
        again_in: u64,
    },
    /// It alone has more games, or asks for more fuel, than an account's tournaments of a day may.
    #[error(
        "the tournaments that an account starts within 24 hours have at most {games} games and {fuel} units of fuel"
    )]
    TooLarge {
        /// The most games.
        games: u32,
        /// The most fuel.
        fuel: u64,
    },
    /// The games, or the fuel, of all unfinished tournaments together are used up.
    #[error("unfinished tournaments have at most {games} games and {fuel} units of fuel together")]
    TooMuch {
        /// The most games.
        games: u32,
        /// The most fuel.
        fuel: u64,
    },
    /// Another event has taken this place.
    #[error("another event has this place in the log")]
    Taken,
    /// It accepts no more events: it is over, or has as many as allowed.
    #[error("this tournament can no longer be changed")]
    Over,
    /// The event is too long.
    #[error("an event has at most {CONTEST_EVENT_BYTES_MAX} bytes, this one has {0}")]
    EventTooLarge(usize),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Seconds after which one of many tournaments is over.
const TOURNAMENT_SECONDS: u64 = 600;

impl Refused for ContestError {
    fn refusal(&self) -> Refusal {
        match self {
            ContestError::NoSuchContest => Kind::NotFound.says("no_such_tournament", "/tournaments has all of them"),
            ContestError::NoSuchAccount => AccountError::NoSuchAccount.refusal(),
            ContestError::Disabled => AccountError::Disabled.refusal(),
            ContestError::Closed => {
                Kind::Busy.says("closed", "`arena tournament run` plays one at home").again_in(CLOSED_SECONDS)
            }
            ContestError::TooManyOfAccount(_) => Kind::TooMany
                .says("too_many_tournaments", "cancel one that you do not need, or wait for its end")
                .again_in(TOURNAMENT_SECONDS),
            ContestError::TooMuchToday { again_in, .. } => Kind::TooMany
                .says("too_many_tournaments", "lower `pairs` or the number of places, or play it at home")
                .again_in(*again_in),
            ContestError::TooLarge { .. } => {
                Kind::Invalid.says("bad_tournament", "lower `pairs` or the number of places, or play it at home")
            }
            ContestError::TooMany(_) | ContestError::TooMuch { .. } => Kind::Busy
                .says("busy", "wait until others are over, or play it at home with `arena tournament run`")
                .again_in(TOURNAMENT_SECONDS),
            ContestError::Taken => Kind::Busy.says("busy", "too many changes at once: try again").again_in(1),
            ContestError::Over | ContestError::EventTooLarge(_) => {
                Kind::Conflict.says("over", "/tournaments has the others")
            }
            ContestError::Store(error) => error.refusal(),
        }
    }
}

pub(crate) fn checked(event: &str) -> Result<(), ContestError> {
    if event.len() > CONTEST_EVENT_BYTES_MAX { Err(ContestError::EventTooLarge(event.len())) } else { Ok(()) }
}
