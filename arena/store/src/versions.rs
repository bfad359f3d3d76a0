//! Versions of bots: submitted, then accepted or refused, never changed.

use std::sync::Arc;

use arena_record::{EntrantId, Objection};
use async_trait::async_trait;

use crate::limits::kept;
use crate::{
    AccountId, BotId, BotName, MODULE_BYTES_MAX, OBJECTION_TEXT_BYTES_MAX, Page, StoreError, UnixSeconds, VersionId,
};

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
    #[error("{0} of your submissions wait for their verdicts; wait for one of them")]
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

/// Versions of bots and their bytes.
///
/// Everything here may be repeated. Concurrent submissions to one bot get consecutive numbers; of concurrent verdicts on one version
/// the first stands.
#[async_trait]
pub trait Versions: Send + Sync + 'static {
    /// Takes `bytes` as a pending version of the bot `name`, which is created if necessary and then plays `game` for good. On return the
    /// bytes can be read. Submitting again what is the bot's latest version that is not refused changes nothing. Whether the bytes are a
    /// bot, and whether the game exists, is for others to judge.
    ///
    /// In the same step the logs of the version that is no longer among the bot's [latest](crate::LOGGED_VERSIONS_MAX) are deleted.
    ///
    /// Refused versions take up no name, number or quota. A refused version makes way for the next one, which gets its number. A bot
    /// without a pending or accepted version makes way for any bot whose name looks like its own, and counts towards no limit.
    ///
    /// # Errors
    /// When submissions are closed, the name looks like another bot's, the bot is disabled or plays another game, there is no space, or a
    /// limit is reached: bots per account, pending versions, or versions per bot, ever or within the 86,400 seconds before `now`.
    async fn submit(
        &self,
        account: AccountId,
        name: &BotName,
        game: &str,
        bytes: Arc<[u8]>,
        now: UnixSeconds,
    ) -> Result<Submission, SubmitError>;

    /// Gives a pending version its verdict, for good. An accepted version becomes active, unless a later one is accepted or the bot's
    /// owner has chosen another one since it was submitted. After a refusal the previous version stays active, and the refused bytes are
    /// not kept. Repeating the verdict changes nothing.
    ///
    /// # Errors
    /// When there is no such version, or it has another verdict.
    async fn set_verdict(&self, id: VersionId, verdict: Verdict) -> Result<Version, VerdictError>;

    /// The version with this id; `None` when there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn version(&self, id: VersionId) -> Result<Option<Version>, StoreError>;

    /// The versions of a bot, newest first; a page starts below a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn versions(&self, bot: BotId, page: Page<u32>) -> Result<Vec<Version>, StoreError>;

    /// The versions of all bots of an account, by bot and number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn versions_of(&self, account: AccountId, page: Page<VersionId>) -> Result<Vec<Version>, StoreError>;

    /// The pending versions, by bot and number: what a server resumes with after a restart. Several processes see the same ones.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn pending_versions(&self, page: Page<VersionId>) -> Result<Vec<Version>, StoreError>;

    /// The bytes of a submitted version, checked against their hash.
    ///
    /// # Errors
    /// When the store cannot be read; [`Damaged`](StoreError::Damaged) when they are missing or have changed.
    async fn module(&self, entrant: &EntrantId) -> Result<Vec<u8>, StoreError>;
}

/// The objection with its texts cut to their limit.
fn clipped(objection: Objection) -> Objection {
    let Objection { code, message, hint, offset } = objection;
    let clip = |text: String| kept(&text, OBJECTION_TEXT_BYTES_MAX);
    // A position beyond 63 bits fits no column and is no place in a module.
    let offset = offset.filter(|offset| i64::try_from(*offset).is_ok());
    Objection { code: clip(code), message: clip(message), hint: clip(hint), offset }
}
