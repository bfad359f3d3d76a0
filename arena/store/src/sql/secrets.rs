//! Secrets of draws in a table.

use async_trait::async_trait;

use super::connection::query;
use super::error::Stored;
use super::{Engine, SqlStore};
use crate::{Secrets, StoreError};

#[async_trait]
impl<E: Engine> Secrets for SqlStore<E> {
    async fn secret(&self, series: &str, number: u32, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        let mut writing = self.writing().await?;
        query("insert into secrets (series, number, secret) values ($1, $2, $3) on conflict do nothing")
            .bind(series)
            .bind(i64::from(number))
            .bind(&fresh[..])
            .execute(&mut writing)
            .await
            .stored()?;
        let (kept,): (Vec<u8>,) = query("select secret from secrets where series = $1 and number = $2")
            .bind(series)
            .bind(i64::from(number))
            .fetch_one(&mut writing)
            .await
            .stored()?;
        writing.commit().await.stored()?;
        <[u8; 32]>::try_from(&kept[..]).map_err(StoreError::damaged)
    }

    async fn forget_secrets(&self, series: &str, up_to: u32) -> Result<(), StoreError> {
        let mut writing = self.writing().await?;
        query("delete from secrets where series = $1 and number <= $2")
            .bind(series)
            .bind(i64::from(up_to))
            .execute(&mut writing)
            .await
            .stored()?;
        writing.commit().await.stored()
    }
}
