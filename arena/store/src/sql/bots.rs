//! Bots in a table. The active version is not stored, but follows from the accepted versions and the owner's choice.

use std::collections::BTreeMap;

use arena_record::EntrantId;

use super::columns::{list, values};
use super::connection::{Connection, Query, query};
use super::deletion::delete_bots;
use super::names::{claim_look, holder, keeps_any, make_way};
use super::rows::{active, bot_columns, select_bots, version_columns, version_of};
use crate::error::Result;
use crate::policy::names::{NameView, may_rename_bot};
use crate::policy::version::{ChoiceView, may_choose};
use crate::{
    AccountId, ActiveBot, Bot, BotError, BotId, BotName, DisplayName, Limits, NamedVersion, Page, Store, UnixSeconds,
    Version, VersionId, VersionState,
};

/// Columns of some active bots `b`, or of their active versions `v`: in the same order, oldest bot first.
macro_rules! active_bots {
    ($columns:ident, $which:literal) => {
        concat!(
            "select ",
            $columns!(),
            " from bots b join versions v on v.bot = b.id and v.number = ",
            active!(),
            " where b.deleted_at is null and b.disabled_at is null
                and not exists (select 1 from accounts a where a.id = b.account and a.disabled_at is not null)
                and ",
            $which
        )
    };
}

/// A page of those of one game, or of all.
macro_rules! page_of_active {
    ($columns:ident) => {
        active_bots!($columns, "b.id > $1 and ($3 is null or b.game = $3) order by b.id limit $2")
    };
}

/// Those of one game that have one of these names.
macro_rules! named_active {
    ($columns:ident) => {
        active_bots!($columns, "b.game = $1 and b.name_key in (select value from json_each($2)) order by b.id")
    };
}

/// Bots. They are created by [`Store::submit`](crate::Store::submit).
///
/// A bot is returned with the version that is active at the moment of the call. That the bot is the asker's is for the
/// caller to check. Calls that change a bot may be repeated.
impl Store {
    /// The bot with this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn bot(&self, id: BotId) -> Result<Option<Bot>> {
        bot_of(&mut self.reader().await?, id).await
    }

    /// The bot with this name, ignoring case.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn bot_by_name(&self, name: &BotName) -> Result<Option<Bot>> {
        query(select_bots!("where b.name_key = $1 and b.deleted_at is null"))
            .bind(name.key())
            .fetch_optional(&mut self.reader().await?)
            .await
    }

    /// The bots of an account, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn bots_of(&self, account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>> {
        query(select_bots!("where b.account = $1 and b.deleted_at is null and b.id > $2 order by b.id limit $3"))
            .with(values![account, page.key(i64::MIN, |id| id.0), page.limit()])
            .fetch_all(&mut self.reader().await?)
            .await
    }

    /// The bots with an active version, oldest first: those of one game, which are candidates for its standing
    /// tournament, or all.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn active_bots(&self, game: Option<&str>, page: Page<BotId>) -> Result<Vec<ActiveBot>> {
        let after = page.key(i64::MIN, |id| id.0);
        // One transaction, so that versions and bots are read at the same moment.
        let mut reading = self.reading().await?;
        let asked = [query(page_of_active!(bot_columns)), query(page_of_active!(version_columns))];
        let asked = asked.map(|query| query.with(values![after, page.limit(), game]));
        active_of(&mut reading, asked).await
    }

    /// Those of a game's bots with an active version that have one of these names, ignoring case, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn active_bots_named(&self, game: &str, names: &[BotName]) -> Result<Vec<ActiveBot>> {
        let keys = list(names.iter().map(BotName::key));
        let mut reading = self.reading().await?;
        let asked = [query(named_active!(bot_columns)), query(named_active!(version_columns))];
        active_of(&mut reading, asked.map(|query| query.with(values![game, keys.clone()]))).await
    }

    /// The bots that were accepted with some bytes, for one game or any, by the bytes' id; ids without an accepted bot
    /// are left out. If there are several bots, the one whose version was submitted first: the others are copies.
    /// Deleted bots come last, and are named [`DELETED`](crate::DELETED).
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn named(&self, game: Option<&str>, entrants: &[EntrantId]) -> Result<BTreeMap<EntrantId, NamedVersion>> {
        let rows: Vec<(EntrantId, BotName, u32, AccountId, DisplayName, UnixSeconds)> = query(
            "select n.entrant, n.name, n.number, n.account, (select a.name from accounts a where a.id = n.account),
             n.submitted_at
             from (select v.entrant, b.name, v.number, b.account, v.submitted_at, row_number() over (
                   partition by v.entrant order by b.deleted_at is not null, v.submitted_at, v.bot, v.number) as place
                from json_each($1) id
                join versions v on v.entrant = id.value
                join bots b on b.id = v.bot
                where v.state = 'accepted' and ($2 is null or b.game = $2)) n
             where n.place = 1",
        )
        .with(values![list(entrants.iter().filter(|id| id.hash().is_some())), game])
        .fetch_all(&mut self.reader().await?)
        .await?;
        let rows = rows.into_iter().map(|(entrant, name, number, account, owner, submitted_at)| {
            (entrant, NamedVersion { name, number, account, owner, submitted_at })
        });
        Ok(rows.collect())
    }

    /// Makes an accepted version of a bot the one that plays, or withdraws the bot if there is no number. The choice
    /// holds until a version that is submitted later is accepted.
    ///
    /// # Errors
    /// When there is no such bot, or the version is not an accepted one.
    pub async fn choose_version(&self, id: BotId, number: Option<u32>) -> Result<Bot, BotError> {
        let mut writing = self.writing().await?;
        let is_accepted = match number {
            Some(number) => {
                let version = version_of(&mut writing, VersionId { bot: id, number }).await?;
                Some(version.is_some_and(|version| version.state == VersionState::Accepted))
            }
            None => None,
        };
        may_choose(ChoiceView { is_there: bot_of(&mut writing, id).await?.is_some(), is_accepted })?;
        query(
            "update bots set chosen = $2, chosen_after =
             (select coalesce(max(number), 0) from versions where bot = $1 and state <> 'refused') where id = $1",
        )
        .with(values![id, number])
        .execute(&mut writing)
        .await?;
        let chosen = bot_of(&mut writing, id).await?.ok_or(BotError::NoSuchBot)?;
        writing.commit().await?;
        Ok(chosen)
    }

    /// Gives a bot another name, which may differ only in case. Nobody else gets the old one, because kept editions
    /// show it.
    ///
    /// # Errors
    /// When there is no such bot, all its versions were refused, or the name looks like another bot's.
    pub async fn rename_bot(&self, id: BotId, name: &BotName) -> Result<Bot, BotError> {
        let mut writing = self.writing().await?;
        let renamed = rename_bot(&mut writing, &self.limits, id, name).await?;
        writing.commit().await?;
        Ok(renamed)
    }

    /// Deletes a bot: its logs, its pending and refused versions, and their bytes unless another bot has them. Accepted
    /// versions may be in a published edition: they stay under their hash, with a name that nobody else gets. The bot
    /// no longer counts towards its owner's limit; its number is never given out again.
    ///
    /// # Errors
    /// When the store fails. Deleting a missing bot succeeds.
    pub async fn delete_bot(&self, id: BotId, now: UnixSeconds) -> Result<()> {
        let mut writing = self.writing().await?;
        let freed = delete_bots(&mut writing, vec![id], now).await?;
        writing.commit().await?;
        self.release(freed).await
    }
}

/// Gives a bot another name, unless another bot has it.
pub(super) async fn rename_bot(
    writing: &mut Connection,
    limits: &Limits,
    id: BotId,
    name: &BotName,
) -> Result<Bot, BotError> {
    let bot = bot_of(writing, id).await?.ok_or(BotError::NoSuchBot)?;
    let is_there = keeps_any(writing, id).await?;
    may_rename_bot(NameView { is_there, is_taken: holder(writing, name, Some(id)).await?.is_some() })?;
    make_way(writing, limits, bot.account, name).await?;
    let renamed = query("update bots set name = $2, name_key = $3 where id = $1");
    renamed.with(values![id, name, name.key()]).execute(writing).await?;
    claim_look(writing, id, name).await?;
    Ok(Bot { name: name.clone(), ..bot })
}

/// The active bots that two statements find, of which the first has the bots and the second their versions.
async fn active_of(reading: &mut Connection, [bots, versions]: [Query; 2]) -> Result<Vec<ActiveBot>> {
    let (bots, versions): (Vec<Bot>, Vec<Version>) =
        (bots.fetch_all(reading).await?, versions.fetch_all(reading).await?);
    Ok(bots.into_iter().zip(versions).map(|(bot, version)| ActiveBot { bot, version }).collect())
}

/// The bot with this number.
async fn bot_of(connection: &mut Connection, id: BotId) -> Result<Option<Bot>> {
    query(select_bots!("where b.id = $1 and b.deleted_at is null")).bind(id).fetch_optional(connection).await
}
