//! Secrets that tournaments' seeds are drawn with, until they are revealed.

use async_trait::async_trait;

use crate::StoreError;

/// Secrets of series of draws, such as the editions of a standing tournament. A reader of one that is not yet revealed could
/// choose bots by their seeds, so they are shown to nobody.
///
/// Both calls change nothing when they are repeated.
#[async_trait]
pub trait Secrets: Send + Sync + 'static {
    /// The secret of a draw, which stays the same until it is forgotten: `fresh`, if there is none yet. Series are the caller's, and
    /// few.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn secret(&self, series: &str, number: u32, fresh: [u8; 32]) -> Result<[u8; 32], StoreError>;

    /// Forgets the secrets of a series up to this number: they are revealed, and must not be drawn with again.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn forget_secrets(&self, series: &str, up_to: u32) -> Result<(), StoreError>;
}
