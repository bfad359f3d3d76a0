//! What was removed.

use super::{Model, State};
use crate::{Limits, Removed, StoreError, UnixSeconds};

impl State {
    /// Notes that something was removed, and forgets the oldest notes beyond the limit.
    pub(super) fn note_removed(&mut self, what: Removed, now: UnixSeconds, limits: &Limits) {
        if self.gone.iter().all(|(gone, _)| *gone != what) {
            self.gone.push_back((what, now));
        }
        while self.gone.len() > limits.gone_max as usize {
            self.gone.pop_front();
        }
    }
}

impl Model {
    pub(crate) async fn gone_since(&self, what: &Removed) -> Result<Option<UnixSeconds>, StoreError> {
        Ok(self.state()?.gone.iter().find(|(gone, _)| gone == what).map(|(_, at)| *at))
    }
}
