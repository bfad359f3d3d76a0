//! Versions of bots: submitted, then accepted or refused, never changed.

use std::mem;

use arena_limits::{CLOSED_SECONDS, Kind, Refusal, Refused};
use arena_record::{EntrantId, Objection, Said};

use crate::limits::kept;
use crate::{Licence, MODULE_BYTES_MAX, OBJECTION_TEXT_BYTES_MAX, StoreError, UnixSeconds, VersionId};

/// A submitted version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// Its bot, and its number within that bot.
    pub id: VersionId,
    /// The id of its bytes, as in tournaments and records.
    pub entrant: EntrantId,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// Its state.
    pub state: VersionState,
    /// When it was submitted.
    pub submitted_at: UnixSeconds,
    /// The licence under which its author lets pages show its source; `None` if they may not.
    pub licence: Option<Licence>,
}

/// The state of a version: `Pending`, then one of the others for good.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VersionState {
    /// Not judged yet.
    Pending,
    /// It may play.
    Accepted,
    /// It may not play, for this reason. Each text is kept up to [`OBJECTION_TEXT_BYTES_MAX`] bytes.
    Refused(Objection),
}

/// Whether a version may play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It may.
    Accepted,
    /// It may not, for this reason.
    Refused(Objection),
}

impl From<Verdict> for VersionState {
    /// The state that follows from a verdict.
    fn from(verdict: Verdict) -> VersionState {
        match verdict {
            Verdict::Accepted => VersionState::Accepted,
            Verdict::Refused(objection) => VersionState::Refused(clipped(objection)),
        }
    }
}

/// The result of a submission.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Submission {
    /// A new version, to be judged.
    New(Version),
    /// The bot's latest version has these bytes already and was not refused: the submission was repeated.
    Known(Version),
}

impl Submission {
    /// The version, new or known.
    pub fn version(&self) -> &Version {
        let (Submission::New(version) | Submission::Known(version)) = self;
        version
    }
}

/// Why a submission was refused. Nothing of it is kept.
#[derive(Debug, thiserror::Error)]
pub enum SubmitError {
    /// The account does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The operator has closed submissions.
    #[error("no submissions are taken at the moment")]
    Closed,
    /// The operator has disabled the bot or the account.
    #[error("the operator of this arena has disabled this bot or its account")]
    Disabled,
    /// Another bot has this name or one that looks like it.
    #[error("this name, or one that looks like it, is another bot's")]
    NameTaken,
    /// The bot plays another game: this one.
    #[error("this bot plays {0:?}; a bot's game never changes")]
    OtherGame(String),
    /// The module is too large.
    #[error("a module has at most {MODULE_BYTES_MAX} bytes, this one has more")]
    TooLarge,
    /// The account has as many bots as allowed.
    #[error("an account has at most {0} bots")]
    TooManyBots(u32),
    /// The bot got as many versions within 24 hours as allowed.
    #[error("a bot gets at most {max} versions within 24 hours; the next in {again_in} s")]
    TooManyToday {
        /// The maximum.
        max: u32,
        /// Seconds until the first of them is a day old.
        again_in: u64,
    },
    /// The account has as many pending versions as allowed.
    #[error("an account has at most {0} submissions that wait for their verdicts; wait for one of yours")]
    TooManyWaiting(u32),
    /// There are as many pending versions as allowed.
    #[error("too many submissions wait for their verdicts; try again later")]
    QueueFull,
    /// The bot has as many versions as it may ever have.
    #[error("a bot has at most {0} versions; choose another name")]
    TooManyVersions(u32),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Seconds after which one of a few submissions is judged.
const WAITING_SECONDS: u64 = 30;

/// Seconds after which a full queue has places again.
const QUEUE_SECONDS: u64 = 300;

impl Refused for SubmitError {
    fn refusal(&self) -> Refusal {
        let at_home = "`arena check` judges at home as often as you like";
        match self {
            SubmitError::NoSuchAccount => Kind::Unauthorized.says("sign_in", "sign in again at /account"),
            SubmitError::Closed => Kind::Busy.says("closed", at_home).again_in(CLOSED_SECONDS),
            SubmitError::Disabled => Kind::Forbidden.says("disabled", "ask the operator why"),
            SubmitError::NameTaken => Kind::Conflict.says("name_taken", "choose another name for your bot"),
            SubmitError::OtherGame(_) => {
                Kind::Conflict.says("other_game", "choose another name for a bot that plays another game")
            }
            SubmitError::TooLarge => Kind::TooLarge
                .says("too_large", "build in release mode, optimise for size and strip names and debug information"),
            SubmitError::TooManyBots(_) => {
                Kind::Conflict.says("too_many_bots", "submit it as a new version of one of your bots")
            }
            SubmitError::TooManyToday { again_in, .. } => Kind::TooMany
                .says("too_many_versions", "`arena check` judges as often as you like; come back tomorrow")
                .again_in(*again_in),
            SubmitError::TooManyWaiting(_) => {
                Kind::TooMany.says("too_many_waiting", "your bots' pages show their verdicts").again_in(WAITING_SECONDS)
            }
            SubmitError::QueueFull => Kind::Busy.says("busy", at_home).again_in(QUEUE_SECONDS),
            SubmitError::TooManyVersions(_) => {
                Kind::Conflict.says("too_many_versions", "choose another name for your bot")
            }
            SubmitError::Store(error) => error.refusal(),
        }
    }
}

/// Why a version did not get a verdict.
#[derive(Debug, thiserror::Error)]
pub enum VerdictError {
    /// The version does not exist.
    #[error("there is no such version")]
    NoSuchVersion,
    /// It has another verdict already.
    #[error("this version already has another verdict")]
    AlreadyJudged,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The objection with its texts cut to their limit.
fn clipped(objection: Objection) -> Objection {
    let Objection { code, message, hint, offset } = objection;
    let clip = |text: String| kept(&text, OBJECTION_TEXT_BYTES_MAX);
    let clipped = |mut said: Said| {
        match &mut said {
            Said::Words(words) => *words = clip(mem::take(words).into()).into(),
            Said::Told(told) => {
                told.english = clip(mem::take(&mut told.english).into()).into();
                told.parts.values_mut().for_each(|part| *part = clip(mem::take(part)));
            }
        }
        said
    };
    // A position beyond 63 bits fits no column and is no place in a module.
    let offset = offset.filter(|offset| i64::try_from(*offset).is_ok());
    Objection { code: clip(code), message: clipped(message), hint: clipped(hint), offset }
}
