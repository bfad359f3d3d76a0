//! Versions in a table, their bytes in files.

use std::sync::Arc;

use arena_record::{EntrantId, Objection};

use super::accounts::account_of;
use super::columns::values;
use super::connection::{Connection, query};
use super::counters::Counter;
use super::gates::is_closed;
use super::logs;
use super::modules::aside;
use super::names::{claim_look, holder, kept, make_way, remove_versions};
use super::rows::{select_versions, version_columns, version_of};
use crate::error::Result;
use crate::limits::DAY_SECONDS;
use crate::policy::submit::{Admitted, Holder, SubmitView, may_submit};
use crate::policy::version::may_judge;
use crate::{
    AccountId, Bot, BotId, BotName, Gate, Licence, Limits, MODULE_BYTES_MAX, Page, Store, StoreError, Submission,
    SubmitError, UnixSeconds, Verdict, VerdictError, Version, VersionId, VersionState,
};

/// What decides on a submission. The connection must be in a transaction.
async fn submit_view(
    connection: &mut Connection,
    account: AccountId,
    name: &BotName,
    now: UnixSeconds,
) -> Result<SubmitView> {
    let owner = account_of(connection, account).await?;
    let closed = is_closed(connection, Gate::Submissions).await?;
    let holder = match holder(connection, name, None).await? {
        Some(bot) => Some(holder_view(connection, bot, account, name, now).await?),
        None => None,
    };
    let bots = query(concat!("select count(*) from bots b where account = $1 and deleted_at is null and ", kept!()))
        .bind(account)
        .fetch_value(connection)
        .await?;
    let (waiting_of_all, waiting) = query(
        "select count(*), count(*) filter (where b.account = $1) from versions v join bots b on b.id = v.bot
         where v.state = 'pending'",
    )
    .bind(account)
    .fetch_one(connection)
    .await?;
    let module_bytes = u64::try_from(Counter::ModuleBytes.value(connection).await?).unwrap_or(0);
    let disabled = owner.map(|owner| owner.disabled);
    Ok(SubmitView { closed, disabled, holder, bots, waiting, waiting_of_all, module_bytes })
}

/// The bot that has a name, for an account that submits under it.
async fn holder_view(
    connection: &mut Connection,
    bot: Bot,
    account: AccountId,
    name: &BotName,
    now: UnixSeconds,
) -> Result<Holder> {
    let latest = query(select_versions!("where v.bot = $1 and v.state <> 'refused' order by v.number desc limit 1"))
        .bind(bot.id)
        .fetch_one(connection)
        .await?;
    let today: Vec<UnixSeconds> = query(
        "select submitted_at from versions where bot = $1 and state <> 'refused' and submitted_at > $2 order by 1",
    )
    .with(values![bot.id, now.earlier(DAY_SECONDS)])
    .fetch_values(connection)
    .await?;
    let is_it = bot.account == account && bot.name.key() == name.key();
    let today = today.into_iter().map(|at| at.later(DAY_SECONDS)).collect();
    Ok(Holder { is_it, disabled: bot.disabled, game: bot.game, latest, today })
}

impl Store {
    /// Removes bytes that no version needs. A crash before that leaves bytes that no version names.
    pub(super) async fn release(&self, freed: impl IntoIterator<Item = EntrantId>) -> Result<()> {
        for entrant in freed {
            // With the write lock, so that no submission takes them over meanwhile.
            let mut writing = self.writing().await?;
            let needed = query("select 1 from versions where entrant = $1 and state <> 'refused' limit 1");
            if !needed.bind(&entrant).exists(&mut writing).await? {
                self.database.modules().remove(&mut writing, &entrant).await?;
            }
            writing.commit().await?;
        }
        Ok(())
    }
}

/// Versions of bots and their bytes.
///
/// Everything here may be repeated. Concurrent submissions to one bot get consecutive numbers; of concurrent verdicts
/// on one version the first stands.
impl Store {
    /// Takes `bytes` as a pending version of the bot `name`, which is created if necessary and then plays `game` for
    /// good. On return the bytes can be read. Submitting again what is the bot's latest version that is not refused
    /// changes nothing. Whether the bytes are a bot, and whether the game exists, is for others to judge.
    ///
    /// In the same step the logs of the version that is no longer among the bot's [latest](crate::LOGGED_VERSIONS_MAX)
    /// are deleted.
    ///
    /// Refused versions take up no name, number or quota. A refused version makes way for the next one, which gets its
    /// number. A bot without a pending or accepted version makes way for any bot whose name looks like its own, and
    /// counts towards no limit.
    ///
    /// # Errors
    /// When submissions are closed, the name looks like another bot's, the bot is disabled or plays another game, there
    /// is no space, or a limit is reached: bots per account, pending versions, or versions per bot, ever or within the
    /// 86,400 seconds before `now`.
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
            return Err(SubmitError::TooLarge);
        }
        // Before a byte is written, so that a refused submission costs no space.
        let entrant = aside(&bytes, EntrantId::of_bytes).await?;
        let admitted = |view, limits: &Limits| may_submit(view, limits, game, (&entrant, size_bytes), now);
        // Read at one moment, since others submit meanwhile.
        let mut reading = self.reading().await?;
        let limits = self.limits_in(&mut reading).await?;
        if let Admitted::Known(version) = admitted(submit_view(&mut reading, account, name, now).await?, &limits)? {
            return Ok(Submission::Known(version));
        }
        drop(reading);
        self.has_space()?;
        let modules = self.database.modules();
        modules.put_early(&bytes).await?;
        // Checked again, because others may have written in between. Now nobody can.
        let mut writing = self.writing().await?;
        let limits = self.limits_in(&mut writing).await?;
        let admitted = admitted(submit_view(&mut writing, account, name, now).await?, &limits)?;
        if let Admitted::Known(version) = admitted {
            return Ok(Submission::Known(version));
        }
        make_way(&mut writing, &limits, account, name).await?;
        let id = match admitted {
            Admitted::NewVersion(id) => id,
            _ => VersionId { bot: insert_bot(&mut writing, account, name, game, now).await?, number: 1 },
        };
        remove_versions(&mut writing, id).await?;
        // The choice was made before this version, even if this version reuses the number of a refused one from before
        // it.
        query("update bots set chosen_after = $2 where id = $1 and chosen_after > $2")
            .with(values![id.bot, i64::from(id.number) - 1])
            .execute(&mut writing)
            .await?;
        modules.put(&mut writing, &entrant, bytes).await?;
        Counter::ModuleBytes.add(&mut writing, size_bytes as i64).await?;
        let version = query(
            "insert into versions (bot, number, entrant, size_bytes, state, submitted_at)
             values ($1, $2, $3, $4, 'pending', $5)
             returning bot, number, entrant, size_bytes, state, refusal_code, refusal_message, refusal_hint,
             refusal_offset, refusal_told, submitted_at, licence",
        )
        .with(values![id.bot, id.number, &entrant, size_bytes, now])
        .fetch_one(&mut writing)
        .await?;
        logs::trim(&mut writing, id.bot).await?;
        writing.commit().await?;
        Ok(Submission::New(version))
    }

    /// Gives a pending version its verdict, for good. An accepted version becomes active, unless a later one is
    /// accepted or the bot's owner has chosen another one since it was submitted. After a refusal the previous version
    /// stays active, and the refused bytes are not kept. Repeating the verdict changes nothing.
    ///
    /// # Errors
    /// When there is no such version, or it has another verdict.
    pub async fn set_verdict(&self, id: VersionId, verdict: Verdict) -> Result<Version, VerdictError> {
        let state = VersionState::from(verdict);
        let mut writing = self.writing().await?;
        let before = version_of(&mut writing, id).await?;
        let is_new = may_judge(before.as_ref().map(|before| &before.state), &state)?;
        let before = before.ok_or(VerdictError::NoSuchVersion)?;
        if !is_new {
            return Ok(before);
        }
        let (name, objection) = match &state {
            VersionState::Refused(objection) => ("refused", Some(objection)),
            _ => ("accepted", None),
        };
        let told = |Objection { message, hint, .. }: &Objection| serde_json::to_string(&[message, hint]);
        let told = objection.map(told).transpose().map_err(StoreError::damaged)?;
        query(
            "update versions set state = $3, refusal_code = $4, refusal_message = $5, refusal_hint = $6,
             refusal_offset = $7, refusal_told = $8 where bot = $1 and number = $2",
        )
        .with(values![id.bot, id.number, name])
        .bind(objection.map(|objection| objection.code.clone()))
        .bind(objection.map(|objection| objection.message.to_string()))
        .bind(objection.map(|objection| objection.hint.to_string()))
        .bind(objection.and_then(|objection| objection.offset))
        .bind(told)
        .execute(&mut writing)
        .await?;
        let refused = name == "refused";
        if refused {
            Counter::ModuleBytes.add(&mut writing, -(before.size_bytes as i64)).await?;
        }
        writing.commit().await?;
        if refused {
            self.release([before.entrant.clone()]).await?;
        }
        Ok(Version { state, ..before })
    }

    /// Lets pages show the source of a version under a licence, or no longer. Nothing happens if there is no such
    /// version.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn license(&self, id: VersionId, licence: Option<Licence>) -> Result<()> {
        let licensed = query("update versions set licence = $3 where bot = $1 and number = $2");
        self.execute(licensed.with(values![id.bot, id.number, licence])).await.map(drop)
    }

    /// The version with this id; `None` when there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn version(&self, id: VersionId) -> Result<Option<Version>> {
        version_of(&mut self.reader().await?, id).await
    }

    /// The same with its bytes, checked against their hash.
    ///
    /// # Errors
    /// When the store cannot be read; [`Damaged`](StoreError::Damaged) when the bytes are missing or have changed.
    pub async fn version_with_module(&self, id: VersionId) -> Result<Option<(Version, Vec<u8>)>> {
        let mut reader = self.reader().await?;
        let Some(version) = version_of(&mut reader, id).await? else { return Ok(None) };
        let module = self.database.modules().read_over(&mut reader, &version.entrant).await?;
        Ok(Some((version, module)))
    }

    /// The versions of a bot, newest first; a page starts below a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn versions(&self, bot: BotId, page: Page<u32>) -> Result<Vec<Version>> {
        query(select_versions!(
            "where v.bot = $1 and v.number < $2 and b.deleted_at is null order by v.number desc limit $3"
        ))
        .with(values![bot, page.key(i64::MAX, i64::from), page.limit()])
        .fetch_all(&mut self.reader().await?)
        .await
    }

    /// The versions of all bots of an account, by bot and number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn versions_of(&self, account: AccountId, page: Page<VersionId>) -> Result<Vec<Version>> {
        let (bot, number) = page.key((i64::MIN, 0), |id| (id.bot.0, i64::from(id.number)));
        query(select_versions!(
            "where b.account = $1 and b.deleted_at is null and (v.bot, v.number) > ($2, $3)
             order by v.bot, v.number limit $4"
        ))
        .with(values![account, bot, number, page.limit()])
        .fetch_all(&mut self.reader().await?)
        .await
    }

    /// The pending versions, by bot and number: what a server resumes with after a restart. Several processes see the
    /// same ones.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn pending_versions(&self, page: Page<VersionId>) -> Result<Vec<Version>> {
        let (bot, number) = page.key((i64::MIN, 0), |id| (id.bot.0, i64::from(id.number)));
        query(select_versions!(
            "where v.state = 'pending' and (v.bot, v.number) > ($1, $2)
             order by v.bot, v.number limit $3"
        ))
        .with(values![bot, number, page.limit()])
        .fetch_all(&mut self.reader().await?)
        .await
    }

    /// The bytes of a submitted version, checked against their hash.
    ///
    /// # Errors
    /// When the store cannot be read; [`Damaged`](StoreError::Damaged) when they are missing or have changed.
    pub async fn module(&self, entrant: &EntrantId) -> Result<Vec<u8>> {
        self.database.modules().read(async || self.reader().await, entrant).await
    }
}

async fn insert_bot(
    writing: &mut Connection,
    account: AccountId,
    name: &BotName,
    game: &str,
    now: UnixSeconds,
) -> Result<BotId> {
    // A number is given out once, even if its bot is gone.
    let id = BotId(Counter::LastBot.add(writing, 1).await?);
    query("insert into bots (id, account, name, name_key, game, created_at) values ($1, $2, $3, $4, $5, $6)")
        .with(values![id, account, name, name.key(), game, now])
        .execute(writing)
        .await?;
    claim_look(writing, id, name).await?;
    Ok(id)
}
