//! What bots logged in their sample games. Whose eyes it is for is for others to see to.

use crate::error::{Database, number};
use crate::{SAMPLE_LOG_BYTES_MAX, Store, StoreError, VersionId};

/// What a bot logged in one sample game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SampleLog {
    /// The seat it had, from 0.
    pub seat: u8,
    /// Its lines, each with a newline at its end: hostile text. Kept up to [`SAMPLE_LOG_BYTES_MAX`] bytes.
    pub text: String,
    /// Lines beyond the sandbox's limits, which were dropped.
    pub dropped: u64,
}

impl Store {
    /// Keeps the logs of a version's sample games, instead of those that were kept before.
    ///
    /// # Errors
    /// When there is no such version.
    pub async fn keep_sample_logs(&self, id: VersionId, logs: &[SampleLog]) -> Result<(), StoreError> {
        let mut writing = self.writing().await?;
        sqlx::query("delete from sample_logs where bot = $1 and number = $2")
            .bind(id.bot.0)
            .bind(i64::from(id.number))
            .execute(&mut *writing)
            .await
            .stored()?;
        for log in logs {
            let end = log.text.floor_char_boundary(SAMPLE_LOG_BYTES_MAX);
            sqlx::query("insert into sample_logs (bot, number, seat, text, dropped) values ($1, $2, $3, $4, $5)")
                .bind(id.bot.0)
                .bind(i64::from(id.number))
                .bind(i64::from(log.seat))
                // SQLite ends a text at a zero when others read it.
                .bind(log.text[..end].replace('\0', "\u{fffd}"))
                .bind(i64::try_from(log.dropped).unwrap_or(i64::MAX))
                .execute(&mut *writing)
                .await
                .stored()?;
        }
        writing.commit().await.stored()
    }

    /// The logs of a version's sample games, by seat; none of a version that is not judged or was never played.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn sample_logs(&self, id: VersionId) -> Result<Vec<SampleLog>, StoreError> {
        let rows: Vec<(i64, String, i64)> =
            sqlx::query_as("select seat, text, dropped from sample_logs where bot = $1 and number = $2 order by seat")
                .bind(id.bot.0)
                .bind(i64::from(id.number))
                .fetch_all(&mut *self.reader().await?)
                .await
                .stored()?;
        let log = |(seat, text, dropped)| Ok(SampleLog { seat: number(seat)?, text, dropped: number(dropped)? });
        rows.into_iter().map(log).collect()
    }
}
