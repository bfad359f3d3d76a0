//! The slots that a [`FairQueue`] shares out: tasks wait here for one.

use std::collections::BTreeMap;
use std::sync::Arc;

use parking_lot::Mutex;
use tokio::sync::oneshot;

use crate::fair_queue::{FairQueue, Request, Service};

/// Slots that tasks wait for. Cheap to clone.
pub(crate) struct Slots<K: Ord + Copy>(Arc<Mutex<FairQueue<K, oneshot::Sender<Slot<K>>>>>);

/// A slot, held until this is dropped.
pub(crate) struct Slot<K: Ord + Copy> {
    slots: Slots<K>,
    service: Option<Service<K>>,
    cost: u64,
}

impl<K: Ord + Copy> Clone for Slots<K> {
    fn clone(&self) -> Slots<K> {
        Slots(self.0.clone())
    }
}

impl<K: Ord + Copy> Slots<K> {
    pub(crate) fn new(slots: usize, reserve: usize, credit: u64) -> Slots<K> {
        Slots(Arc::new(Mutex::new(FairQueue::new(slots, reserve, credit))))
    }

    /// Waits for a slot. A waiter that is dropped is forgotten.
    pub(crate) async fn turn(&self, request: Request<K>) -> Option<Slot<K>> {
        let (sender, slot) = oneshot::channel();
        self.0.lock().wait(request, sender);
        self.serve_next();
        // A sender is dropped only together with its waiter.
        slot.await.ok()
    }

    /// How many requests of each key wait.
    pub(crate) fn queues(&self) -> BTreeMap<K, usize> {
        self.0.lock().queues()
    }

    fn serve_next(&self) {
        loop {
            let next = {
                let mut queue = self.0.lock();
                queue.keep(|slot| !slot.is_closed());
                queue.begin()
            };
            let Some((slot, service)) = next else { return };
            let cost = service.cost();
            // If the waiter has just gone, the turn is dropped and its slot goes to the next.
            drop(slot.send(Slot { slots: self.clone(), service: Some(service), cost }));
        }
    }
}

impl<K: Ord + Copy> Slot<K> {
    /// Sets the real cost; until then it is the cost that was asked for.
    pub(crate) fn cost(&mut self, cost: u64) {
        self.cost = cost;
    }
}

impl<K: Ord + Copy> Drop for Slot<K> {
    fn drop(&mut self) {
        if let Some(service) = self.service.take() {
            self.slots.0.lock().end(service, self.cost);
            self.slots.serve_next();
        }
    }
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use super::*;

    fn request(key: u32) -> Request<u32> {
        Request { key, asker: key, weight: NonZeroU32::MIN, cost: 10, reserve: false }
    }

    #[tokio::test]
    async fn a_slot_is_free_when_its_turn_is_over_and_who_has_gone_gets_none() {
        let slots = Slots::new(1, 0, 0);
        let first = slots.turn(request(1)).await.expect("it is free");
        let mut gone = Box::pin(slots.turn(request(2)));
        let mut waits = Box::pin(slots.turn(request(3)));
        for waiting in [&mut gone, &mut waits] {
            let polled = std::future::poll_fn(|context| std::task::Poll::Ready(waiting.as_mut().poll(context))).await;
            assert!(polled.is_pending());
        }
        drop(gone);
        drop(first);
        drop(waits.await.expect("its turn"));
        slots.turn(request(4)).await.expect("free again");
    }
}
