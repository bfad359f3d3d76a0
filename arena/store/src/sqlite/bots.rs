//! Bots in a table. The active version is not stored: it is the accepted one with the highest number.

use arena_record::EntrantId;
use async_trait::async_trait;
use sqlx::Connection;

use super::SqliteStore;
use super::error::{Database, number};
use super::rows::{BotRow, bot, bot_columns, bot_named, version_of};
use crate::error::Damage;
use crate::{AccountId, ActiveBot, Bot, BotId, BotName, Bots, NamedVersion, Page, StoreError};

/// The columns of [`BotRow`], from a table or an alias `b`.
#[async_trait]
impl Bots for SqliteStore {
    async fn bot(&self, id: BotId) -> Result<Option<Bot>, StoreError> {
        let row = sqlx::query_as(concat!("select ", bot_columns!(), " from bots b where b.id = $1"))
            .bind(id.0)
            .fetch_optional(&mut *self.reader().await?)
            .await;
        row.stored()?.map(bot).transpose()
    }

    async fn bot_by_name(&self, name: &BotName) -> Result<Option<Bot>, StoreError> {
        bot_named(&mut *self.reader().await?, name).await
    }

    async fn bots_of(&self, account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>, StoreError> {
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

    async fn active_bots(&self, game: Option<&str>, page: Page<BotId>) -> Result<Vec<ActiveBot>, StoreError> {
        let limit = page.limit();
        let mut reader = self.reader().await?;
        // One transaction, so that all versions are of the same moment as their bots.
        let mut reading = reader.begin().await.stored()?;
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
            let version = version_of(&mut reading, active).await?;
            let version = version.ok_or(Damage::ActiveVersion)?;
            field.push(ActiveBot { bot, version });
        }
        Ok(field)
    }

    async fn named(&self, game: Option<&str>, entrant: &EntrantId) -> Result<Option<NamedVersion>, StoreError> {
        let row: Option<(String, i64, i64)> = sqlx::query_as(
            "select b.name, v.number, b.account from versions v join bots b on b.id = v.bot
             where v.entrant = $1 and v.state = 'accepted' and ($2 is null or b.game = $2)
             order by v.submitted_at, v.bot, v.number limit 1",
        )
        .bind(entrant.as_str().to_owned())
        .bind(game.map(str::to_owned))
        .fetch_optional(&mut *self.reader().await?)
        .await
        .stored()?;
        row.map(|(name, version, account)| {
            Ok(NamedVersion { name: BotName::stored(name), number: number(version)?, account: AccountId(account) })
        })
        .transpose()
    }
}
