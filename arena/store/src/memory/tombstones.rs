//! What was removed.

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::{Limits, Removed, StoreError, Tombstones, UnixSeconds};

impl State {
    /// Notes that something was removed, and forgets the oldest notes beyond the limit.
    pub(super) fn note_removed(&mut self, what: Removed, now: UnixSeconds, limits: &Limits) {
        if self.gone.iter().all(|(gone, _)| *gone != what) {
            self.gone.push_back((what, now));
        }
        while self.gone.len() > limits.gone_max as usize {
            self.gone.pop_front();
            self.has_forgotten = true;
        }
    }
}

#[async_trait]
impl Tombstones for MemoryStore {
    async fn gone_since(&self, what: &Removed) -> Result<Option<UnixSeconds>, StoreError> {
        Ok(self.state()?.gone.iter().find(|(gone, _)| gone == what).map(|(_, at)| *at))
    }

    async fn forgotten_before(&self) -> Result<Option<UnixSeconds>, StoreError> {
        let state = self.state()?;
        Ok(state.gone.front().filter(|_| state.has_forgotten).map(|(_, at)| *at))
    }
}
