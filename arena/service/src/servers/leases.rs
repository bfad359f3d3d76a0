//! Leases on duties: work that only one of several servers does at a time. Where one process has the store to itself,
//! all duties are its own.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_clock::{Clock, Instant};
use arena_store::{ServerId, Store, StoreError};
use parking_lot::Mutex;
use tokio::runtime::Handle;
use tokio_util::sync::CancellationToken;
use tracing::warn;

use crate::error_chain::with_causes;
use crate::limits::{DUTY_KEEP, DUTY_LEASE, DUTY_MARGIN};

/// Judging what is submitted.
pub(crate) const JUDGE: &str = "judge";
/// Playing tournaments.
pub(crate) const TOURNAMENTS: &str = "tournaments";

/// The leases of this server, as far as it knows. A lease ends here before it ends in the store.
pub(crate) struct Leases {
    store: Arc<Store>,
    clock: Clock,
    held: Mutex<BTreeMap<String, Instant>>,
    /// Held while the store is asked, so that taking and prolonging do not overlap.
    asking: tokio::sync::Mutex<()>,
}

/// The length of a lease in the store's unit.
fn lease_ms() -> u64 {
    u64::try_from(DUTY_LEASE.as_millis()).unwrap_or(u64::MAX)
}

impl Leases {
    pub(crate) fn new(store: Arc<Store>, clock: Clock) -> Leases {
        Leases { store, clock, held: Mutex::default(), asking: tokio::sync::Mutex::default() }
    }

    /// The id of this server.
    pub(crate) fn server(&self) -> ServerId {
        self.store.server()
    }

    /// Whether this server has a duty, as far as it knows.
    pub(crate) fn holds(&self, duty: &str) -> bool {
        !self.store.is_shared() || self.held.lock().get(duty).is_some_and(|until| self.clock.now() < *until)
    }

    /// Takes a duty unless another server has it; whether it is now this server's.
    pub(crate) async fn take(&self, duty: &str) -> Result<bool, StoreError> {
        if self.holds(duty) {
            return Ok(true);
        }
        let _asking = self.asking.lock().await;
        let asked = self.clock.now();
        let taken = self.store.take_duty(duty, lease_ms()).await?;
        if taken {
            self.held.lock().insert(duty.into(), asked + DUTY_LEASE - DUTY_MARGIN);
        } else {
            self.held.lock().remove(duty);
        }
        Ok(taken)
    }

    /// Gives up a duty, soon, for another server to take.
    pub(crate) fn leave(&self, duty: &str) {
        if self.held.lock().remove(duty).is_none() {
            return;
        }
        // Without a runtime the process is ending, and the lease ends with it.
        let Ok(runtime) = Handle::try_current() else { return };
        let (store, duty) = (self.store.clone(), duty.to_owned());
        runtime.spawn(async move {
            if let Err(error) = store.leave_duties(Some(&duty)).await {
                // The next renewal gives it up.
                warn!(cause = with_causes(&error), "cannot hand over a duty yet");
            }
        });
    }

    /// Renews all leases until the service stops.
    pub(crate) async fn keep(&self, stopping: CancellationToken) {
        if !self.store.is_shared() {
            return;
        }
        while stopping.run_until_cancelled(self.clock.sleep(DUTY_KEEP)).await.is_some() {
            if let Err(error) = self.prolong().await {
                warn!(cause = with_causes(&error), "cannot renew the duties of this server");
            }
        }
    }

    async fn prolong(&self) -> Result<(), StoreError> {
        let _asking = self.asking.lock().await;
        let asked = self.clock.now();
        let kept = self.store.keep_duties(lease_ms()).await?;
        let mut unwanted = Vec::new();
        {
            let mut held = self.held.lock();
            held.retain(|duty, _| kept.contains(duty));
            for duty in kept {
                match held.get_mut(&duty) {
                    Some(until) => *until = asked + DUTY_LEASE - DUTY_MARGIN,
                    None => unwanted.push(duty),
                }
            }
        }
        for duty in unwanted {
            self.store.leave_duties(Some(&duty)).await?;
        }
        Ok(())
    }

    /// Gives up all leases, because this server ends.
    pub(crate) async fn end(&self) {
        self.held.lock().clear();
        if let Err(error) = self.store.leave_duties(None).await {
            warn!(
                cause = with_causes(&error),
                "cannot hand over the duties of this server: others take them when its leases expire"
            );
        }
    }
}
