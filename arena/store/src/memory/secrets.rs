//! Secrets of draws.

use async_trait::async_trait;

use super::MemoryStore;
use crate::{Secrets, StoreError};

#[async_trait]
impl Secrets for MemoryStore {
    async fn secret(&self, series: &str, number: u32, fresh: [u8; 32]) -> Result<[u8; 32], StoreError> {
        Ok(*self.state()?.secrets.entry((series.into(), number)).or_insert(fresh))
    }

    async fn forget_secrets(&self, series: &str, up_to: u32) -> Result<(), StoreError> {
        self.state()?.secrets.retain(|(of, number), _| of != series || *number > up_to);
        Ok(())
    }
}
