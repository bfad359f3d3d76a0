//! Secrets of draws in a table.

use super::columns::values;
use super::connection::query;
use crate::Store;
use crate::error::Result;

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
            .with(values![series, number, &fresh[..]])
            .execute(&mut writing)
            .await?;
        let kept = query("select secret from secrets where series = $1 and number = $2");
        let kept = kept.with(values![series, number]).fetch_value(&mut writing).await?;
        writing.commit().await?;
        Ok(kept)
    }

    /// Forgets the secrets of a series up to this number: they are revealed, and must not be used again.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn forget_secrets(&self, series: &str, up_to: u32) -> Result<()> {
        let old = query("delete from secrets where series = $1 and number <= $2");
        self.execute(old.with(values![series, up_to])).await.map(drop)
    }
}
