//! What all rooms share: the processes and the memory that their bots may have.

use std::sync::{Arc, Mutex, PoisonError};

use arena_record::{Budgets, EntrantId};
use arena_referee::PlatformFault;
use arena_runner::{Contender, LoadError};
use arena_store::StoreError;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use crate::core::{Core, on_a_thread};
use crate::limits::{BOTS_REMEMBERED_MAX, LOGS_AT_ONCE_MAX, SEATED_BOTS_MAX, THINKING_MAX};

pub(crate) struct Desk {
    pub(crate) core: Arc<Core>,
    /// Held while a player thinks.
    pub(crate) thinking: Semaphore,
    /// Held while a game is played once more.
    pub(crate) logging: Semaphore,
    seated: Arc<Semaphore>,
    /// The bots that played last, the latest at the end.
    remembered: Mutex<Vec<(EntrantId, Budgets, Contender)>>,
}

/// Why nobody can be seated.
#[derive(Debug, thiserror::Error)]
pub(crate) enum Unseated {
    #[error("{0} does not play in this release")]
    Unknown(EntrantId),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Load(#[from] LoadError),
    #[error(transparent)]
    Platform(#[from] PlatformFault),
}

impl Desk {
    pub(crate) fn new(core: Arc<Core>) -> Desk {
        Desk {
            core,
            thinking: Semaphore::new(THINKING_MAX),
            logging: Semaphore::new(LOGS_AT_ONCE_MAX),
            seated: Arc::new(Semaphore::new(SEATED_BOTS_MAX)),
            remembered: Mutex::default(),
        }
    }

    /// The right to keep a player's process until its next turn, if there is one left.
    pub(crate) fn seat(&self) -> Option<OwnedSemaphorePermit> {
        self.seated.clone().try_acquire_owned().ok()
    }

    /// The contender with this id, ready to play the game.
    pub(crate) async fn contender(
        &self,
        ruleset: &str,
        id: &EntrantId,
        budgets: Budgets,
    ) -> Result<Contender, Unseated> {
        if id.baseline().is_some() {
            return Contender::of_baseline(ruleset, id).ok_or_else(|| Unseated::Unknown(id.clone()));
        }
        if let Some(contender) = self.recall(id, budgets) {
            return Ok(contender);
        }
        let bytes = self.core.store.module(id).await?;
        let host = self.core.host();
        let contender = blocking(move || host.load(&bytes, &budgets).map_err(Unseated::from)).await?;
        self.remember(id, budgets, &contender);
        Ok(contender)
    }

    fn recall(&self, id: &EntrantId, budgets: Budgets) -> Option<Contender> {
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        let found = remembered.iter().position(|(known, under, _)| (known, *under) == (id, budgets))?;
        let entry = remembered.remove(found);
        let contender = entry.2.clone();
        remembered.push(entry);
        Some(contender)
    }

    fn remember(&self, id: &EntrantId, budgets: Budgets, contender: &Contender) {
        let mut remembered = self.remembered.lock().unwrap_or_else(PoisonError::into_inner);
        remembered.retain(|(known, under, _)| (known, *under) != (id, budgets));
        if remembered.len() >= BOTS_REMEMBERED_MAX {
            remembered.remove(0);
        }
        remembered.push((id.clone(), budgets, contender.clone()));
    }
}

/// Does what may block where it may. A panic there is the machine's failure, not the player's.
pub(crate) async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, Unseated> + Send + 'static,
) -> Result<T, Unseated> {
    let done = on_a_thread("player", work)?.await;
    done.unwrap_or_else(|_| Err(PlatformFault("a thread of the service died".into()).into()))
}
