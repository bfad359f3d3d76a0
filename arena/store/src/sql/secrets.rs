//! Secrets of draws in a table.

use super::connection::{query, values};
use crate::error::Result;
use crate::{Store, StoreError};

/// Secrets of series of draws, such as the editions of a standing tournament. Nobody is shown a secret before it is
/// revealed: who knows it could choose bots by the seeds that follow.
///
/// Repeating either call changes nothing.
impl Store {
    /// The secret of a draw, which stays the same until it is forgotten; `fresh` becomes the secret if there is none.
    /// The caller names the series, of which there are few.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn secret(&self, series: &str, number: u32, fresh: [u8; 32]) -> Result<[u8; 32]> {
        let mut writing = self.writing().await?;
        query("insert into secrets (series, number, secret) values ($1, $2, $3) on conflict do nothing")
            .with(values![series, i64::from(number), &fresh[..]])
            .execute(&mut writing)
            .await?;
        let (kept,): (Vec<u8>,) = query("select secret from secrets where series = $1 and number = $2")
            .with(values![series, i64::from(number)])
            .fetch_one(&mut writing)
            .await?;
        writing.commit().await?;
        <[u8; 32]>::try_from(&kept[..]).map_err(StoreError::damaged)
    }

    /// Forgets the secrets of a series up to this number: they are revealed, and must not be used again.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn forget_secrets(&self, series: &str, up_to: u32) -> Result<()> {
        self.execute(
            query("delete from secrets where series = $1 and number <= $2").with(values![series, i64::from(up_to)]),
        )
        .await
        .map(drop)
    }
}
