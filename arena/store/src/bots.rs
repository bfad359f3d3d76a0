//! Bots: a name that belongs to an account, and versions under it.

use sqlx::SqliteConnection;

use crate::error::{Database, number};
use crate::{AccountId, BotName, Page, Store, StoreError, UnixSeconds, Version, VersionId};

/// The number of a bot. Not for people: they say its name.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct BotId(pub i64);

/// A bot.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Bot {
    /// Its number.
    pub id: BotId,
    /// Whose it is.
    pub account: AccountId,
    /// Its name, as it was first written.
    pub name: BotName,
    /// The game it plays, for good: name and version of its ruleset.
    pub game: String,
    /// The version that plays: the accepted one with the highest number.
    pub active: Option<VersionId>,
    /// When its first version was submitted.
    pub created_at: UnixSeconds,
}

/// A bot that plays, with the version that does.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ActiveBot {
    /// The bot.
    pub bot: Bot,
    /// Its active version.
    pub version: Version,
}

/// The columns of [`BotRow`], from a table or an alias `b`.
macro_rules! bot_columns {
    () => {
        "b.id, b.account, b.name, b.game, b.created_at,
         (select max(v.number) from versions v where v.bot = b.id and v.state = 'accepted')"
    };
}

type BotRow = (i64, i64, String, String, i64, Option<i64>);

fn bot((id, account, name, game, created_at, active): BotRow) -> Result<Bot, StoreError> {
    let id = BotId(id);
    let active =
        active.map(|active| Ok::<_, StoreError>(VersionId { bot: id, number: number(active)? })).transpose()?;
    let (account, name, created_at) = (AccountId(account), BotName::stored(name), UnixSeconds(created_at));
    Ok(Bot { id, account, name, game, active, created_at })
}

/// The bot with this name, in capitals or not.
pub(crate) async fn find(connection: &mut SqliteConnection, name: &BotName) -> Result<Option<Bot>, StoreError> {
    let row = sqlx::query_as(concat!("select ", bot_columns!(), " from bots b where b.name_key = $1"))
        .bind(name.key())
        .fetch_optional(connection)
        .await;
    row.stored()?.map(bot).transpose()
}

impl Store {
    /// The bot with this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn bot(&self, id: BotId) -> Result<Option<Bot>, StoreError> {
        let row = sqlx::query_as(concat!("select ", bot_columns!(), " from bots b where b.id = $1"))
            .bind(id.0)
            .fetch_optional(&mut *self.reader().await?)
            .await;
        row.stored()?.map(bot).transpose()
    }

    /// The bot with this name, in capitals or not.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn bot_by_name(&self, name: &BotName) -> Result<Option<Bot>, StoreError> {
        find(&mut *self.reader().await?, name).await
    }

    /// The bots of an account, oldest first.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn bots_of(&self, account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>, StoreError> {
        let limit = page.limit();
        let rows = sqlx::query_as(concat!(
            "select ",
            bot_columns!(),
            " from bots b where b.account = $1 and b.id > $2 order by b.id limit $3"
        ))
        .bind(account.0)
        .bind(page.key(i64::MIN, |id| id.0))
        .bind(limit)
        .fetch_all(&mut *self.reader().await?)
        .await;
        rows.stored()?.into_iter().map(bot).collect()
    }

    /// The bots with an active version, oldest first: of one game the field of its standing tournament, or of all.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn active_bots(&self, game: Option<&str>, page: Page<BotId>) -> Result<Vec<ActiveBot>, StoreError> {
        let limit = page.limit();
        let mut reader = self.reader().await?;
        // One transaction, so that all versions are of the same moment as their bots.
        let mut reading = sqlx::Connection::begin(&mut *reader).await.stored()?;
        let rows: Vec<BotRow> = sqlx::query_as(concat!(
            "select ",
            bot_columns!(),
            " from bots b where b.id > $1
              and exists (select 1 from versions v where v.bot = b.id and v.state = 'accepted')
              and ($3 is null or b.game = $3)
             order by b.id limit $2"
        ))
        .bind(page.key(i64::MIN, |id| id.0))
        .bind(limit)
        .bind(game.map(str::to_owned))
        .fetch_all(&mut *reading)
        .await
        .stored()?;
        let mut field = Vec::with_capacity(rows.len());
        for bot in rows.into_iter().map(bot) {
            let bot = bot?;
            let Some(active) = bot.active else { continue };
            let version = crate::versions::find(&mut reading, active).await?;
            let version = version.ok_or_else(|| StoreError::damaged("an active version that is not there"))?;
            field.push(ActiveBot { bot, version });
        }
        Ok(field)
    }
}
