//! Logs of sample games in a table.

use async_trait::async_trait;

use super::connection::{Connection, query};
use super::error::{Stored, number};
use super::rows::version_of;
use super::{Engine, SqlStore};
use crate::logs::checked;
use crate::{BotId, LOGGED_VERSIONS_MAX, SampleLog, SampleLogError, SampleLogs, StoreError, VersionId};

#[async_trait]
impl<E: Engine> SampleLogs for SqlStore<E> {
    async fn keep_sample_logs(&self, id: VersionId, logs: &[SampleLog]) -> Result<(), SampleLogError> {
        let logs = checked(logs)?;
        let mut writing = self.writing().await?;
        if version_of(&mut writing, id).await?.is_none() {
            return Err(SampleLogError::NoSuchVersion);
        }
        query("delete from sample_logs where bot = $1 and number = $2")
            .bind(id.bot.0)
            .bind(i64::from(id.number))
            .execute(&mut writing)
            .await
            .stored()?;
        for log in logs {
            query("insert into sample_logs (bot, number, seat, text, dropped) values ($1, $2, $3, $4, $5)")
                .bind(id.bot.0)
                .bind(i64::from(id.number))
                .bind(i64::from(log.seat))
                .bind(log.text)
                .bind(log.dropped as i64)
                .execute(&mut writing)
                .await
                .stored()?;
        }
        trim(&mut writing, id.bot).await?;
        Ok(writing.commit().await.stored()?)
    }

    async fn sample_logs(&self, id: VersionId) -> Result<Vec<SampleLog>, StoreError> {
        let rows: Vec<(i64, String, i64)> =
            query("select seat, text, dropped from sample_logs where bot = $1 and number = $2 order by seat")
                .bind(id.bot.0)
                .bind(i64::from(id.number))
                .fetch_all(&mut self.reader().await?)
                .await
                .stored()?;
        let log = |(seat, text, dropped)| Ok(SampleLog { seat: number(seat)?, text, dropped: number(dropped)? });
        rows.into_iter().map(log).collect()
    }
}

/// Deletes the logs of all but a bot's latest versions.
pub(super) async fn trim(writing: &mut Connection, bot: BotId) -> Result<(), StoreError> {
    let earlier = "delete from sample_logs
                   where bot = $1 and number <= (select max(number) from versions where bot = $1) - $2";
    query(earlier).bind(bot.0).bind(LOGGED_VERSIONS_MAX as i64).execute(writing).await.stored().map(drop)
}
