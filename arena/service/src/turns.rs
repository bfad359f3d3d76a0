//! Turns at something that [`Shares`] shares out: tasks wait here for a slot.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::oneshot;

use crate::shares::{Service, Shares, Wish};

/// Slots that tasks wait for. Cheap to clone.
pub(crate) struct Turns<K: Ord + Copy>(Arc<Mutex<Shares<K, oneshot::Sender<Turn<K>>>>>);

/// A slot, held until this is dropped.
pub(crate) struct Turn<K: Ord + Copy> {
    turns: Turns<K>,
    service: Option<Service<K>>,
    cost: u64,
}

impl<K: Ord + Copy> Clone for Turns<K> {
    fn clone(&self) -> Turns<K> {
        Turns(self.0.clone())
    }
}

impl<K: Ord + Copy> Turns<K> {
    pub(crate) fn new(slots: usize, reserve: usize, credit: u64) -> Turns<K> {
        Turns(Arc::new(Mutex::new(Shares::new(slots, reserve, credit))))
    }

    /// Waits for a slot. A waiter that is dropped is forgotten.
    pub(crate) async fn turn(&self, wish: Wish<K>) -> Option<Turn<K>> {
        let (sender, slot) = oneshot::channel();
        self.shares().wait(wish, sender);
        self.go_on();
        // A sender is dropped only together with its waiter.
        slot.await.ok()
    }

    /// How many requests of each key wait.
    pub(crate) fn queues(&self) -> BTreeMap<K, usize> {
        self.shares().queues()
    }

    fn go_on(&self) {
        loop {
            let next = {
                let mut shares = self.shares();
                shares.keep(|slot| !slot.is_closed());
                shares.begin()
            };
            let Some((slot, service)) = next else { return };
            let cost = service.cost();
            // If the waiter has just gone, the turn is dropped and its slot goes to the next.
            drop(slot.send(Turn { turns: self.clone(), service: Some(service), cost }));
        }
    }

    fn shares(&self) -> MutexGuard<'_, Shares<K, oneshot::Sender<Turn<K>>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Ord + Copy> Turn<K> {
    /// Sets the real cost; until then it is the cost that was asked for.
    pub(crate) fn cost(&mut self, cost: u64) {
        self.cost = cost;
    }
}

impl<K: Ord + Copy> Drop for Turn<K> {
    fn drop(&mut self) {
        if let Some(service) = self.service.take() {
            self.turns.shares().end(service, self.cost);
            self.turns.go_on();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn wish(key: u32) -> Wish<u32> {
        Wish { key, asker: key, weight: NonZeroU32::MIN, cost: 10, reserve: false }
    }

    #[tokio::test]
    async fn a_slot_is_free_when_its_turn_is_over_and_who_has_gone_gets_none() {
        let turns = Turns::new(1, 0, 0);
        let first = turns.turn(wish(1)).await.expect("it is free");
        let mut gone = Box::pin(turns.turn(wish(2)));
        let mut waits = Box::pin(turns.turn(wish(3)));
        for waiting in [&mut gone, &mut waits] {
            let polled = std::future::poll_fn(|context| std::task::Poll::Ready(waiting.as_mut().poll(context))).await;
            assert!(polled.is_pending());
        }
        drop(gone);
        drop(first);
        drop(waits.await.expect("its turn"));
        turns.turn(wish(4)).await.expect("free again");
    }
}
