//! Limits on what is held at once: a count for each holder. There are never more counts than held things.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena_clock::{Clock, Instant};
use arena_record::Hex;

use super::table::HEARD_FOR;
use super::{Key, Line, Refusal, table};
use crate::share::What;

/// Things of one kind.
pub(crate) struct Held {
    limit: table::AtOnce,
    clock: Clock,
    counts: Mutex<HashMap<Key, u32>>,
    /// What is held at other servers, by holder: the server, the count, and the time of its message.
    elsewhere: Mutex<HashMap<Key, Vec<Elsewhere>>>,
}

type Elsewhere = (Hex<16>, u32, Instant);

/// One part in this many of a share must be held here before the other servers are told.
const TELL_FROM: u32 = 8;

/// A held thing. It is released when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Hold(#[expect(dead_code, reason = "held, never looked at")] Arc<Taken>);

struct Taken {
    held: Arc<Held>,
    keys: Vec<Key>,
}

impl Held {
    pub(super) fn new(limit: table::AtOnce, clock: &Clock) -> Arc<Held> {
        Arc::new(Held { limit, clock: clock.clone(), counts: Mutex::default(), elsewhere: Mutex::default() })
    }

    fn most(&self, key: &Key) -> u32 {
        match key {
            Key::Account(_) => self.limit.account.unwrap_or(self.limit.network),
            Key::Network(_) => self.limit.network,
            Key::Everybody | Key::Others => self.limit.everybody,
        }
    }

    /// Takes one for all of `keys`, or for none of them.
    pub(super) fn take(self: &Arc<Self>, keys: impl Iterator<Item = Key>) -> Result<Hold, Refusal> {
        let keys: Vec<Key> = keys.collect();
        let mut counts = self.counts();
        let held = |key: &Key| counts.get(key).copied().unwrap_or(0).saturating_add(self.counted_elsewhere(key));
        let full = keys.iter().find(|key| held(key) >= self.most(key));
        if let Some(key) = full {
            return Err(Refusal { what: self.limit.what, key: *key, after: self.limit.free_after });
        }
        for key in &keys {
            *counts.entry(*key).or_default() += 1;
        }
        Ok(Hold(Arc::new(Taken { held: self.clone(), keys })))
    }

    /// The kind of thing.
    pub(super) fn what(&self) -> What {
        self.limit.what
    }

    /// The holders of so many that other servers must know.
    pub(super) fn to_tell(&self) -> Vec<Line> {
        let counts = self.counts();
        let many = counts.iter().filter(|(key, count)| count.saturating_mul(TELL_FROM) >= self.most(key));
        many.map(|(key, count)| (self.limit.what, *key, *count)).collect()
    }

    /// Notes how many a holder has at another server.
    pub(super) fn held_elsewhere(&self, server: Hex<16>, key: Key, count: u32) {
        let mut elsewhere = self.elsewhere();
        let servers = elsewhere.entry(key).or_default();
        servers.retain(|(of, _, said_at)| *of != server && self.clock.since(*said_at) < HEARD_FOR);
        servers.push((server, count, self.clock.now()));
    }

    /// Drops expired messages of other servers.
    pub(super) fn forget_idle(&self) {
        self.elsewhere()
            .retain(|_, servers| servers.iter().any(|(_, _, said_at)| self.clock.since(*said_at) < HEARD_FOR));
    }

    fn counted_elsewhere(&self, key: &Key) -> u32 {
        let elsewhere = self.elsewhere();
        let lately =
            elsewhere.get(key).into_iter().flatten().filter(|(_, _, said_at)| self.clock.since(*said_at) < HEARD_FOR);
        lately.map(|(_, count, _)| *count).fold(0, u32::saturating_add)
    }

    fn elsewhere(&self) -> MutexGuard<'_, HashMap<Key, Vec<Elsewhere>>> {
        self.elsewhere.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn counts(&self) -> MutexGuard<'_, HashMap<Key, u32>> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut counts = self.held.counts();
        for key in &self.keys {
            if let Some(count) = counts.get_mut(key) {
                *count -= 1;
                if *count == 0 {
                    counts.remove(key);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;
    use std::time::Duration;

    use arena_store::AccountId;

    use super::*;
    use crate::visitors::Network;

    fn network(last: u8) -> Key {
        Key::Network(Network::of(IpAddr::from([10, 0, last, 1])))
    }

    fn held(network: u32, everybody: u32) -> Arc<Held> {
        let row = table::at_once(What::Sockets);
        Held::new(table::AtOnce { account: Some(1), network, everybody, ..row }, &Clock::manual(Duration::ZERO))
    }

    #[test]
    fn a_network_holds_so_many_and_what_is_given_back_is_free() {
        let held = held(2, 3);
        let take = |last| held.take([network(last), Key::Everybody].into_iter());
        let (first, _second) = (take(1).expect("one"), take(1).expect("two"));
        assert_eq!(take(1).err().map(|refusal| refusal.key), Some(network(1)));
        let other = take(2).expect("another network has its own");
        assert_eq!(take(2).err().map(|refusal| refusal.key), Some(Key::Everybody));
        let clone = other.clone();
        drop(other);
        assert!(take(2).is_err(), "a clone still has it");
        drop(clone);
        drop(first);
        let again = (take(1).expect("given back"), take(2).expect("given back"));
        drop(again);
        assert_eq!(held.counts().len(), 2, "a key that holds nothing is removed");
    }

    #[test]
    fn one_that_is_refused_takes_nothing_of_the_others_either() {
        let held = held(2, 9);
        let account = Key::Account(AccountId(1));
        let _first = held.take([account, network(1)].into_iter()).expect("one");
        for _ in 0..5 {
            let refused = held.take([account, network(1)].into_iter()).err().expect("an account has one");
            assert_eq!(refused.key, account);
        }
        assert_eq!(held.counts().get(&network(1)), Some(&1));
    }
}
