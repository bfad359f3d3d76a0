//! Logs of sample games in a table.

use super::columns::values;
use super::connection::{Connection, query};
use super::rows::version_of;
use crate::error::Result;
use crate::logs::checked;
use crate::{BotId, LOGGED_VERSIONS_MAX, SampleLog, SampleLogError, Store, VersionId};

/// Logs of sample games.
///
/// Keeping the same logs again changes nothing. Of concurrent calls for one version, the logs of one call remain, never
/// some of each.
impl Store {
    /// Keeps the logs of a version's sample games, replacing earlier ones. Only the latest
    /// [`LOGGED_VERSIONS_MAX`](crate::LOGGED_VERSIONS_MAX) versions of a bot keep theirs: those of an earlier one are
    /// dropped at once.
    ///
    /// # Errors
    /// When there is no such version, or two logs are of one seat.
    pub async fn keep_sample_logs(&self, id: VersionId, logs: &[SampleLog]) -> Result<(), SampleLogError> {
        let logs = checked(logs)?;
        let mut writing = self.writing().await?;
        if version_of(&mut writing, id).await?.is_none() {
            return Err(SampleLogError::NoSuchVersion);
        }
        query("delete from sample_logs where bot = $1 and number = $2")
            .with(values![id.bot, id.number])
            .execute(&mut writing)
            .await?;
        for log in logs {
            query("insert into sample_logs (bot, number, seat, text, dropped) values ($1, $2, $3, $4, $5)")
                .with(values![id.bot, id.number, log.seat, log.text, log.dropped])
                .execute(&mut writing)
                .await?;
        }
        trim(&mut writing, id.bot).await?;
        Ok(writing.commit().await?)
    }

    /// The logs of a version's sample games, by seat; none if it was not judged or not played, or if it is not among
    /// the bot's latest.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn sample_logs(&self, id: VersionId) -> Result<Vec<SampleLog>> {
        let rows: Vec<_> =
            query("select seat, text, dropped from sample_logs where bot = $1 and number = $2 order by seat")
                .with(values![id.bot, id.number])
                .fetch_all(&mut self.reader().await?)
                .await?;
        Ok(rows.into_iter().map(|(seat, text, dropped)| SampleLog { seat, text, dropped }).collect())
    }
}

/// Deletes the logs of all but a bot's latest versions.
pub(super) async fn trim(writing: &mut Connection, bot: BotId) -> Result<()> {
    let earlier = "delete from sample_logs
                   where bot = $1 and number <= (select max(number) from versions where bot = $1) - $2";
    query(earlier).with(values![bot, LOGGED_VERSIONS_MAX]).execute(writing).await.map(drop)
}
