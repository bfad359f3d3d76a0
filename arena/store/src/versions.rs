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
    /// Its bot, and its number among that bot's versions.
    pub id: VersionId,
    /// The id of its bytes, by which tournaments and records know it.
    pub entrant: EntrantId,
    /// How many bytes it has.
    pub size_bytes: u64,
    /// What became of it.
    pub state: VersionState,
    /// When it was submitted.
    pub submitted_at: UnixSeconds,
}

/// What became of a version: `Pending`, then one of the others for ever.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VersionState {
    /// Not judged yet.
    Pending,
    /// It may play.
    Accepted,
    /// It may not, and why. The texts are kept up to [`OBJECTION_TEXT_BYTES_MAX`] bytes each.
    Refused(Objection),
}

/// Whether a version may play.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It may.
    Accepted,
    /// It may not, and why.
    Refused(Objection),
}

impl From<Verdict> for VersionState {
    /// The state as it is kept.
    fn from(verdict: Verdict) -> VersionState {
        match verdict {
            Verdict::Accepted => VersionState::Accepted,
            Verdict::Refused(objection) => VersionState::Refused(clipped(objection)),
        }
    }
}

/// What a submission led to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Submission {
    /// A new version, to be judged.
    New(Version),
    /// The bot's latest version has these bytes already and was not refused: the same submission, sent twice.
    Known(Version),
}

impl Submission {
    /// The version, new or known.
    pub fn version(&self) -> &Version {
        let (Submission::New(version) | Submission::Known(version)) = self;
        version
    }
}

/// Why a submission is not taken. Nothing of it is kept.
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
    /// There is another bot of this name, or of one that looks like it.
    #[error("this name, or one that looks like it, is another bot's")]
    NameTaken,
    /// The bot plays another game; which.
    #[error("this bot plays {0:?}; a bot's game never changes")]
    OtherGame(String),
    /// The module is too large.
    #[error("a module has at most {MODULE_BYTES_MAX} bytes, this one has more")]
    TooLarge,
    /// The account has as many bots as it may.
    #[error("an account has at most {0} bots")]
    TooManyBots(u32),
    /// The bot got as many versions within 24 hours as it may.
    #[error("a bot gets at most {max} versions within 24 hours; the next in {again_in} s")]
    TooManyToday {
        /// The most it may get.
        max: u32,
        /// Seconds until the first of them is a day old.
        again_in: u64,
    },
    /// As many versions of the account wait for their verdict as may.
    #[error("{0} submissions of yours wait for their verdicts; wait for one of them")]
    TooManyWaiting(u32),
    /// As many versions wait as may.
    #[error("too many submissions wait for their verdicts; try again later")]
    QueueFull,
    /// The bot has as many versions as it may ever have.
    #[error("a bot has at most {0} versions; choose another name")]
    TooManyVersions(u32),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a version gets no verdict.
#[derive(Debug, thiserror::Error)]
pub enum VerdictError {
    /// It does not exist.
    #[error("there is no such version")]
    NoSuchVersion,
    /// It has another verdict.
    #[error("this version already has another verdict")]
    AlreadyJudged,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Versions of bots and their bytes.
///
/// Everything here may be repeated. Of concurrent submissions to one bot each new one gets the next number; of
/// concurrent verdicts on one version the first stands.
#[async_trait]
pub trait Versions: Send + Sync + 'static {
    /// Takes `bytes` as a pending version of the bot `name`, which is made if there is none and then plays `game` for
    /// good. When it returns, the bytes can be read. Submitting again what is the bot's latest version that is not refused
    /// changes nothing. Whether the bytes are a bot at all, and whether there is such a game, is for others to judge.
    ///
    /// What was refused takes no name, number or place: a refused version makes way for the next one, which gets its
    /// number; a bot without a version that is pending or accepted makes way for any bot whose name looks like its own, and
    /// counts for no limit.
    ///
    /// # Errors
    /// When submissions are closed, the name looks like another bot's, the bot is disabled or plays another game, there is no space, or a
    /// limit is reached: of bots per account, of versions that wait, or of versions per bot, ever or within the 86,400 seconds before `now`.
    async fn submit(
        &self,
        account: AccountId,
        name: &BotName,
        game: &str,
        bytes: Arc<[u8]>,
        now: UnixSeconds,
    ) -> Result<Submission, SubmitError>;

    /// Gives a pending version its verdict, for good. An accepted version is the active one unless a later one is
    /// accepted, or the bot's owner chose otherwise since it was submitted; a refused one leaves the one before active, and its
    /// bytes are kept no longer. The same verdict again
    /// changes nothing.
    ///
    /// # Errors
    /// When there is no such version, or it has another verdict.
    async fn set_verdict(&self, id: VersionId, verdict: Verdict) -> Result<Version, VerdictError>;

    /// The version with this id; `None` when there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn version(&self, id: VersionId) -> Result<Option<Version>, StoreError>;

    /// The versions of a bot, newest first; a page starts after, that is below, a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn versions(&self, bot: BotId, page: Page<u32>) -> Result<Vec<Version>, StoreError>;

    /// The versions of all bots of an account, by bot and number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn versions_of(&self, account: AccountId, page: Page<VersionId>) -> Result<Vec<Version>, StoreError>;

    /// The versions that are still to be judged, by bot and number: what a server resumes with after a restart. Several
    /// processes see the same ones.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn pending_versions(&self, page: Page<VersionId>) -> Result<Vec<Version>, StoreError>;

    /// The bytes of a submitted version, compared with their hash.
    ///
    /// # Errors
    /// When the store cannot be read; [`Damaged`](StoreError::Damaged) when they are missing or have changed.
    async fn module(&self, entrant: &EntrantId) -> Result<Vec<u8>, StoreError>;
}

/// The objection as it is kept.
fn clipped(objection: Objection) -> Objection {
    let Objection { code, message, hint, offset } = objection;
    let clip = |text: String| kept(&text, OBJECTION_TEXT_BYTES_MAX);
    // What no column of 63 bits holds is no place in a module.
    let offset = offset.filter(|offset| i64::try_from(*offset).is_ok());
    Objection { code: clip(code), message: clip(message), hint: clip(hint), offset }
}
