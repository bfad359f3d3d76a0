//! Versions in a table, their bytes in files.

use std::sync::Arc;

use arena_record::EntrantId;
use async_trait::async_trait;
use sqlx::{Connection, SqliteConnection};
use tokio::task;

use super::SqliteStore;
use super::accounts::exists;
use super::error::Database;
use super::rows::{VersionRow, bot_named, version, version_columns, version_of};
use crate::limits::DAY_SECONDS;
use crate::{
    AccountId, BotId, BotName, Limits, MODULE_BYTES_MAX, Page, StoreError, Submission, SubmitError, UnixSeconds,
    Verdict, VerdictError, Version, VersionId, VersionState, Versions,
};

/// What a submission would lead to.
enum Plan {
    /// Nothing new.
    Known(Version),
    /// The first version of a new bot.
    NewBot,
    /// One more version.
    NewVersion(VersionId),
}

/// What names and quotas say of a submission. For a connection in a transaction.
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
    let Some(bot) = bot_named(connection, name).await? else {
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

#[async_trait]
impl Versions for SqliteStore {
    async fn submit(
        &self,
        account: AccountId,
        name: &BotName,
        game: &str,
        bytes: Arc<[u8]>,
        now: UnixSeconds,
    ) -> Result<Submission, SubmitError> {
        let size_bytes = bytes.len() as u64;
        if size_bytes > MODULE_BYTES_MAX {
            return Err(SubmitError::TooLarge);
        }
        // Before a byte is written, so that what is refused here costs no space.
        let entrant = EntrantId::of_bytes(&bytes);
        let mut reader = self.reader().await?;
        // All of one moment: others submit meanwhile.
        let mut reading = reader.begin().await.stored()?;
        if let Plan::Known(version) = plan(&mut reading, &self.limits, account, name, game, &entrant, now).await? {
            return Ok(Submission::Known(version));
        }
        drop(reading);
        drop(reader);
        let blobs = self.blobs.clone();
        blocking(move || blobs.put(&bytes)).await?;
        // Once more, because others may have come in between. Now nobody can.
        let mut writing = self.writing().await?;
        let id = match plan(&mut writing, &self.limits, account, name, game, &entrant, now).await? {
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

    async fn set_verdict(&self, id: VersionId, verdict: Verdict) -> Result<Version, VerdictError> {
        let state = VersionState::from(verdict);
        let mut writing = self.writing().await?;
        let before = version_of(&mut writing, id).await?.ok_or(VerdictError::NoSuchVersion)?;
        if before.state == state {
            return Ok(before);
        }
        if before.state != VersionState::Pending {
            return Err(VerdictError::AlreadyJudged);
        }
        let (name, objection) = match &state {
            VersionState::Refused(objection) => ("refused", Some(objection)),
            _ => ("accepted", None),
        };
        sqlx::query(
            "update versions set state = $3, refusal_code = $4, refusal_message = $5, refusal_hint = $6,
             refusal_offset = $7 where bot = $1 and number = $2",
        )
        .bind(id.bot.0)
        .bind(i64::from(id.number))
        .bind(name)
        .bind(objection.map(|objection| objection.code.clone()))
        .bind(objection.map(|objection| objection.message.clone()))
        .bind(objection.map(|objection| objection.hint.clone()))
        .bind(objection.and_then(|objection| objection.offset).map(|offset| offset as i64))
        .execute(&mut *writing)
        .await
        .stored()?;
        writing.commit().await.stored()?;
        Ok(Version { state, ..before })
    }

    async fn version(&self, id: VersionId) -> Result<Option<Version>, StoreError> {
        version_of(&mut *self.reader().await?, id).await
    }

    async fn versions(&self, bot: BotId, page: Page<u32>) -> Result<Vec<Version>, StoreError> {
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

    async fn pending_versions(&self, page: Page<VersionId>) -> Result<Vec<Version>, StoreError> {
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

    async fn module(&self, entrant: &EntrantId) -> Result<Vec<u8>, StoreError> {
        let (blobs, entrant) = (self.blobs.clone(), entrant.clone());
        blocking(move || blobs.read(&entrant)).await
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

/// Does file work where it may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    task::spawn_blocking(work).await.map_err(|error| StoreError::Unavailable(error.into()))?
}
