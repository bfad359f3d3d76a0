//! Versions of bots: submitted, then accepted or refused, never changed.

use std::path::PathBuf;
use std::sync::Arc;

use arena_record::EntrantId;
use sqlx::SqliteConnection;
use tokio::task;

use crate::accounts::exists;
use crate::bots;
use crate::error::{Database, number};
use crate::limits::DAY_SECONDS;
use crate::{
    AccountId, BotId, BotName, Limits, MODULE_BYTES_MAX, Page, REFUSAL_TEXT_BYTES_MAX, Store, StoreError, UnixSeconds,
};

/// A version of a bot.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct VersionId {
    /// The bot.
    pub bot: BotId,
    /// Its number, from 1 and without gaps.
    pub number: u32,
}

/// A submitted version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// Which it is.
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
    /// It may not, and why.
    Refused(Refusal),
}

/// Why a version may not play. The texts are kept up to [`REFUSAL_TEXT_BYTES_MAX`] bytes each.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Refusal {
    /// The stable code.
    pub code: String,
    /// What is wrong, in a sentence.
    pub message: String,
    /// What to do about it.
    pub hint: String,
    /// Where in the file, in bytes from its start, if the fault has a place.
    pub offset: Option<u64>,
}

/// The judgement on a version.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// It may play.
    Accepted,
    /// It may not, and why.
    Refused(Refusal),
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
    /// Somebody else has a bot of this name.
    #[error("a bot of this name belongs to somebody else")]
    NameTaken,
    /// The bot plays another game; which.
    #[error("this bot plays {0}, and a bot plays one game for good")]
    OtherGame(String),
    /// The module is too large.
    #[error("a module has at most {MODULE_BYTES_MAX} bytes, this one has {0}")]
    TooLarge(u64),
    /// The account has as many bots as it may.
    #[error("an account has at most {0} bots")]
    TooManyBots(u32),
    /// The bot got as many versions within 24 hours as it may.
    #[error("a bot gets at most {0} versions within 24 hours")]
    TooManyToday(u32),
    /// The bot has as many versions as it may ever have.
    #[error("a bot has at most {0} versions; choose another name")]
    TooManyVersions(u32),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Why a version is not judged.
#[derive(Debug, thiserror::Error)]
pub enum JudgeError {
    /// It does not exist.
    #[error("there is no such version")]
    NoSuchVersion,
    /// It has another verdict.
    #[error("this version was judged otherwise before")]
    AlreadyJudged,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

macro_rules! version_columns {
    () => {
        "v.bot, v.number, v.entrant, v.size_bytes, v.state, v.refusal_code, v.refusal_message, v.refusal_hint,
         v.refusal_offset, v.submitted_at"
    };
}

type VersionRow = (i64, i64, String, i64, String, Option<String>, Option<String>, Option<String>, Option<i64>, i64);

fn version(row: VersionRow) -> Result<Version, StoreError> {
    let (bot, version_number, entrant, size_bytes, state, code, message, hint, offset, submitted_at) = row;
    let state = match (state.as_str(), code, message, hint) {
        ("pending", None, None, None) => VersionState::Pending,
        ("accepted", None, None, None) => VersionState::Accepted,
        ("refused", Some(code), Some(message), Some(hint)) => {
            VersionState::Refused(Refusal { code, message, hint, offset: offset.map(number).transpose()? })
        }
        _ => return Err(StoreError::damaged("a version in no known state")),
    };
    Ok(Version {
        id: VersionId { bot: BotId(bot), number: number(version_number)? },
        entrant: entrant.parse().map_err(StoreError::damaged)?,
        size_bytes: number(size_bytes)?,
        state,
        submitted_at: UnixSeconds(submitted_at),
    })
}

pub(crate) async fn find(connection: &mut SqliteConnection, id: VersionId) -> Result<Option<Version>, StoreError> {
    let row =
        sqlx::query_as(concat!("select ", version_columns!(), " from versions v where v.bot = $1 and v.number = $2"))
            .bind(id.bot.0)
            .bind(i64::from(id.number))
            .fetch_optional(connection)
            .await;
    row.stored()?.map(version).transpose()
}

/// What a submission would lead to.
enum Plan {
    /// Nothing new.
    Known(Version),
    /// The first version of a new bot.
    NewBot,
    /// One more version.
    NewVersion(VersionId),
}

/// Judges a submission by names and quotas.
async fn plan(
    connection: &mut SqliteConnection,
    limits: &Limits,
    account: AccountId,
    name: &BotName,
    game: &str,
    entrant: &EntrantId,
    now: UnixSeconds,
) -> Result<Plan, SubmitError> {
    if !exists(connection, account).await? {
        return Err(SubmitError::NoSuchAccount);
    }
    let Some(bot) = bots::find(connection, name).await? else {
        let (bots,): (i64,) = sqlx::query_as("select count(*) from bots where account = $1")
            .bind(account.0)
            .fetch_one(connection)
            .await
            .stored()?;
        let full = bots >= i64::from(limits.bots_per_account_max);
        return if full { Err(SubmitError::TooManyBots(limits.bots_per_account_max)) } else { Ok(Plan::NewBot) };
    };
    if bot.account != account {
        return Err(SubmitError::NameTaken);
    }
    if bot.game != game {
        return Err(SubmitError::OtherGame(bot.game));
    }
    let latest: VersionRow = sqlx::query_as(concat!(
        "select ",
        version_columns!(),
        " from versions v where v.bot = $1 order by v.number desc limit 1"
    ))
    .bind(bot.id.0)
    .fetch_one(&mut *connection)
    .await
    .stored()?;
    let latest = version(latest)?;
    if latest.entrant == *entrant && !matches!(latest.state, VersionState::Refused(_)) {
        return Ok(Plan::Known(latest));
    }
    if latest.id.number >= limits.versions_per_bot_max {
        return Err(SubmitError::TooManyVersions(limits.versions_per_bot_max));
    }
    let (today,): (i64,) = sqlx::query_as("select count(*) from versions where bot = $1 and submitted_at > $2")
        .bind(bot.id.0)
        .bind(now.earlier(DAY_SECONDS).0)
        .fetch_one(connection)
        .await
        .stored()?;
    if today >= i64::from(limits.versions_per_bot_per_day_max) {
        return Err(SubmitError::TooManyToday(limits.versions_per_bot_per_day_max));
    }
    Ok(Plan::NewVersion(VersionId { bot: bot.id, number: latest.id.number + 1 }))
}

impl Store {
    /// Takes `bytes` as a pending version of the bot `name`, which is made if there is none and then plays `game` for
    /// good. Sending the same again changes nothing. Whether the bytes are a bot at all, and whether there is such a game,
    /// is for others to judge.
    ///
    /// # Errors
    /// When the name is somebody else's, the bot plays another game, or a limit is reached.
    pub async fn submit(
        &self,
        account: AccountId,
        name: &BotName,
        game: &str,
        bytes: Arc<[u8]>,
        now: UnixSeconds,
    ) -> Result<Submission, SubmitError> {
        let size_bytes = bytes.len() as u64;
        if size_bytes > MODULE_BYTES_MAX {
            return Err(SubmitError::TooLarge(size_bytes));
        }
        // Before a byte is written, so that what is refused here costs no space.
        let entrant = EntrantId::of_bytes(&bytes);
        let mut reader = self.reader().await?;
        if let Plan::Known(version) = plan(&mut reader, self.limits(), account, name, game, &entrant, now).await? {
            return Ok(Submission::Known(version));
        }
        drop(reader);
        let blobs = self.blobs().clone();
        blocking(move || blobs.put(&bytes)).await?;
        // Once more, because others may have come in between. Now nobody can.
        let mut writing = self.writing().await?;
        let id = match plan(&mut writing, self.limits(), account, name, game, &entrant, now).await? {
            Plan::Known(version) => return Ok(Submission::Known(version)),
            Plan::NewBot => VersionId { bot: insert_bot(&mut writing, account, name, game, now).await?, number: 1 },
            Plan::NewVersion(id) => id,
        };
        let row = sqlx::query_as(
            "insert into versions (bot, number, entrant, size_bytes, state, submitted_at)
             values ($1, $2, $3, $4, 'pending', $5)
             returning bot, number, entrant, size_bytes, state, refusal_code, refusal_message, refusal_hint,
             refusal_offset, submitted_at",
        )
        .bind(id.bot.0)
        .bind(i64::from(id.number))
        .bind(entrant.as_str())
        .bind(size_bytes as i64)
        .bind(now.0)
        .fetch_one(&mut *writing)
        .await;
        let version = version(row.stored()?)?;
        writing.commit().await.stored()?;
        Ok(Submission::New(version))
    }

    /// Gives a pending version its verdict. An accepted version is the active one unless a later one is accepted; a
    /// refused one leaves the one before active. The same verdict again changes nothing.
    ///
    /// # Errors
    /// When there is no such version, or it has another verdict.
    pub async fn judge(&self, id: VersionId, verdict: Verdict) -> Result<Version, JudgeError> {
        let state = match verdict {
            Verdict::Accepted => VersionState::Accepted,
            Verdict::Refused(refusal) => VersionState::Refused(clipped(refusal)),
        };
        let mut writing = self.writing().await?;
        let before = find(&mut writing, id).await?.ok_or(JudgeError::NoSuchVersion)?;
        if before.state == state {
            return Ok(before);
        }
        if before.state != VersionState::Pending {
            return Err(JudgeError::AlreadyJudged);
        }
        let (name, refusal) = match &state {
            VersionState::Refused(refusal) => ("refused", Some(refusal)),
            _ => ("accepted", None),
        };
        sqlx::query(
            "update versions set state = $3, refusal_code = $4, refusal_message = $5, refusal_hint = $6,
             refusal_offset = $7 where bot = $1 and number = $2",
        )
        .bind(id.bot.0)
        .bind(i64::from(id.number))
        .bind(name)
        .bind(refusal.map(|refusal| refusal.code.clone()))
        .bind(refusal.map(|refusal| refusal.message.clone()))
        .bind(refusal.map(|refusal| refusal.hint.clone()))
        .bind(refusal.and_then(|refusal| refusal.offset).map(|offset| offset as i64))
        .execute(&mut *writing)
        .await
        .stored()?;
        writing.commit().await.stored()?;
        Ok(Version { state, ..before })
    }

    /// A version.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn version(&self, id: VersionId) -> Result<Option<Version>, StoreError> {
        find(&mut *self.reader().await?, id).await
    }

    /// The versions of a bot, newest first; a page starts after, that is below, a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn versions(&self, bot: BotId, page: Page<u32>) -> Result<Vec<Version>, StoreError> {
        let limit = page.limit();
        let rows = sqlx::query_as(concat!(
            "select ",
            version_columns!(),
            " from versions v where v.bot = $1 and v.number < $2 order by v.number desc limit $3"
        ))
        .bind(bot.0)
        .bind(page.key(i64::MAX, i64::from))
        .bind(limit)
        .fetch_all(&mut *self.reader().await?)
        .await;
        rows.stored()?.into_iter().map(version).collect()
    }

    /// The versions that are still to be judged, by bot and number: what a server goes on with after a restart.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn pending_versions(&self, page: Page<VersionId>) -> Result<Vec<Version>, StoreError> {
        let limit = page.limit();
        let (bot, number) = page.key((i64::MIN, 0), |id| (id.bot.0, i64::from(id.number)));
        let rows = sqlx::query_as(concat!(
            "select ",
            version_columns!(),
            " from versions v where v.state = 'pending' and (v.bot, v.number) > ($1, $2)
             order by v.bot, v.number limit $3"
        ))
        .bind(bot)
        .bind(number)
        .bind(limit)
        .fetch_all(&mut *self.reader().await?)
        .await;
        rows.stored()?.into_iter().map(version).collect()
    }

    /// The bytes of a submitted version, compared with their hash.
    ///
    /// # Errors
    /// When they are missing or have changed.
    pub async fn module(&self, entrant: &EntrantId) -> Result<Vec<u8>, StoreError> {
        let (blobs, entrant) = (self.blobs().clone(), entrant.clone());
        blocking(move || blobs.read(&entrant)).await
    }

    /// The file with the bytes of a submitted version, for a worker or a tournament's folder, which check them
    /// themselves; `None` for others.
    pub fn module_path(&self, entrant: &EntrantId) -> Option<PathBuf> {
        self.blobs().path(entrant)
    }
}

async fn insert_bot(
    writing: &mut SqliteConnection,
    account: AccountId,
    name: &BotName,
    game: &str,
    now: UnixSeconds,
) -> Result<BotId, StoreError> {
    let (id,): (i64,) = sqlx::query_as(
        "insert into bots (account, name, name_key, game, created_at) values ($1, $2, $3, $4, $5) returning id",
    )
    .bind(account.0)
    .bind(name.as_str())
    .bind(name.key())
    .bind(game)
    .bind(now.0)
    .fetch_one(writing)
    .await
    .stored()?;
    Ok(BotId(id))
}

/// The refusal as it is kept.
fn clipped(refusal: Refusal) -> Refusal {
    let clip = |mut text: String| {
        text.truncate(text.floor_char_boundary(REFUSAL_TEXT_BYTES_MAX));
        text
    };
    let offset = refusal.offset.filter(|offset| i64::try_from(*offset).is_ok());
    Refusal { code: clip(refusal.code), message: clip(refusal.message), hint: clip(refusal.hint), offset }
}

/// Does file work where it may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    task::spawn_blocking(work).await.map_err(|error| StoreError::Unavailable(error.into()))?
}
