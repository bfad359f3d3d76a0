//! Limits on what is held at once: a count for each holder. There are never more counts than held things, and six for
//! each of these. As with rates, a visitor gets one while several times as many are free as the networks around its
//! address hold.

use std::collections::HashMap;
use std::sync::Arc;

use arena_store::AccountId;
use parking_lot::Mutex;

use super::origin::Origin;
use super::table::left_for_each;
use super::{Key, UsedUp, table};

/// Things of one kind.
pub(crate) struct Held {
    limit: table::AtOnce,
    counts: Mutex<HashMap<Key, u32>>,
}

/// A held thing. It is released when the last clone is dropped.
#[derive(Clone)]
pub(crate) struct Hold(#[expect(dead_code, reason = "held, never looked at")] Arc<Taken>);

struct Taken {
    held: Arc<Held>,
    keys: Vec<Key>,
}

impl Held {
    pub(super) fn new(limit: table::AtOnce) -> Arc<Held> {
        Arc::new(Held { limit, counts: Mutex::default() })
    }

    fn most(&self, key: &Key) -> u32 {
        match key {
            Key::Account(_) => self.limit.account.unwrap_or(self.limit.network),
            Key::Network(_) => self.limit.network,
            Key::Everybody | Key::Others | Key::Around(_) => self.limit.everybody,
        }
    }

    /// Takes one for an account, for an origin and for all visitors, or for none of them.
    pub(super) fn take(self: &Arc<Self>, account: Option<AccountId>, origin: Option<&Origin>) -> Result<Hold, UsedUp> {
        let network = origin.map(|origin| Key::Network(origin.network));
        let around = origin.into_iter().flat_map(Origin::around).map(Key::Around);
        let all = [account.map(Key::Account), network, Some(Key::Everybody)];
        let keys: Vec<Key> = all.into_iter().flatten().chain(around).collect();
        let mut counts = self.counts.lock();
        let held = |key: &Key| counts.get(key).copied().unwrap_or(0);
        let refused = |key: Key| UsedUp { what: self.limit.what, key, after: self.limit.free_after };
        if let Some(key) = keys.iter().find(|key| held(key) >= self.most(key)) {
            return Err(refused(*key));
        }
        if let Some(origin) = origin {
            let left = f64::from(self.limit.everybody.saturating_sub(held(&Key::Everybody)));
            let has = origin.mean(|prefix| f64::from(held(&Key::Around(prefix))));
            if left < 1.0 + has * left_for_each(self.limit.everybody, self.limit.network) {
                return Err(refused(Key::Everybody));
            }
        }
        for key in &keys {
            *counts.entry(*key).or_default() += 1;
        }
        Ok(Hold(Arc::new(Taken { held: self.clone(), keys })))
    }
}

impl Drop for Taken {
    fn drop(&mut self) {
        let mut counts = self.held.counts.lock();
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
    use std::net::{IpAddr, Ipv6Addr};

    use super::*;
    use crate::limit_kind::LimitKind;

    fn network(number: u8) -> Origin {
        Origin::of(IpAddr::from([10, number, 0, 1]))
    }

    fn held(network: u32, everybody: u32) -> Arc<Held> {
        let row = table::at_once(LimitKind::Sockets);
        Held::new(table::AtOnce { account: Some(1), network, everybody, ..row })
    }

    #[test]
    fn a_network_holds_so_many_and_what_is_given_back_is_free() {
        let held = held(2, 3);
        let take = |number| held.take(None, Some(&network(number)));
        let (first, _second) = (take(1).expect("one"), take(1).expect("two"));
        assert_eq!(take(1).err().map(|refusal| refusal.key), Some(Key::Network(network(1).network)));
        let other = take(2).expect("another network has its own");
        assert_eq!(take(2).err().map(|refusal| refusal.key), Some(Key::Everybody));
        let clone = other.clone();
        drop(other);
        assert!(take(2).is_err(), "a clone still has it");
        drop(clone);
        drop(first);
        let again = (take(1).expect("given back"), take(2).expect("given back"));
        drop(again);
        assert_eq!(held.counts.lock().len(), 4, "a key that holds nothing is removed");
    }

    #[test]
    fn one_that_is_refused_takes_nothing_of_the_others_either() {
        let held = held(2, 9);
        let account = AccountId(1);
        let _first = held.take(Some(account), Some(&network(1))).expect("one");
        for _ in 0..5 {
            let refused = held.take(Some(account), Some(&network(1))).err().expect("an account has one");
            assert_eq!(refused.key, Key::Account(account));
        }
        assert_eq!(held.counts.lock().get(&Key::Network(network(1).network)), Some(&1));
    }

    #[test]
    fn all_networks_of_a_provider_together_leave_places_for_others() {
        for row in table::AT_ONCE.into_iter().chain([table::ARCHIVES, table::TURNED_AWAY]) {
            let held = Held::new(row);
            let six = |number: u32| Origin::of(Ipv6Addr::from(0x2001_0db8 << 96 | u128::from(number) << 72).into());
            let _provider: Vec<Hold> =
                (0..1_000_000).map_while(|number| held.take(None, Some(&six(number))).ok()).collect();
            let others: Vec<Hold> = (0..row.network).map_while(|_| held.take(None, Some(&network(7))).ok()).collect();
            assert!(!others.is_empty(), "{:?}", row.what);
        }
    }
}
