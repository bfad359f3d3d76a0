//! Secrets that seeds of tournaments are drawn with, until they are revealed.

use async_trait::async_trait;

use crate::StoreError;

/// Secrets of series of draws, such as the editions of a standing tournament. Nobody is shown a secret before it is revealed: who knows
/// it could choose bots by the seeds that follow.
///
/// Repeating either call changes nothing.
#[async_trait]
pub trait Secrets: Send + Sync + 'static {
    /// The secret of a draw, which stays the same until it is forgotten; `fresh` becomes the secret if there is none. The caller names
    /// the series, of which there are few.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn secret(&self, series: &str, number: u32, fresh: [u8; 32]) -> Result<[u8; 32], StoreError>;

    /// Forgets the secrets of a series up to this number: they are revealed, and must not be used again.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn forget_secrets(&self, series: &str, up_to: u32) -> Result<(), StoreError>;
}
