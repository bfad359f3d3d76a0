//! Limits on rates: a bucket for each account and network, in tables of bounded size, and one for everybody. Nothing is
//! taken from any of them unless all have enough, also where something takes of several kinds. Only the request itself
//! keeps its price: it was answered.
//!
//! What is everybody's goes to the least served first: a request gets it while several times as much is left as the
//! networks around its address have had lately, on average over their lengths. So each network that floods leaves a
//! part of what it found, and a visitor who had nothing lately is served as long as anything is left.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::time::Duration;

use arena_clock::{Clock, Instant};
use arena_store::AccountId;
use parking_lot::{Mutex, MutexGuard};

use super::origin::{Origin, Prefix};
use super::table::{Bucket, RATES, Rate, left_for_each};
use super::{Key, UsedUp};
use crate::limit_kind::LimitKind;
use crate::limits::KEYS_MAX;

const HOUR: Duration = Duration::from_secs(3_600);

/// What the operator sees of an account's or a network's use: at least this part of its own share, or of everybody's,
/// in per cent.
const MUCH_PERCENT: u32 = 10;

/// Less than this is no use that must be remembered, in units of what is taken.
const TRACE: f64 = 0.5;

/// Time since the buckets were made.
type Time = Duration;

/// Buckets of one size: when each is full again. A bucket that is not in the table is full.
struct Buckets {
    full_at: HashMap<Key, Time>,
    /// The time in which a bucket regains one.
    each: Duration,
    burst: u32,
}

impl Buckets {
    fn new(Bucket { burst, per_hour }: Bucket) -> Buckets {
        // Neither is 0 in the table.
        Buckets { full_at: HashMap::new(), each: HOUR / per_hour.max(1), burst: burst.max(1) }
    }

    /// The time in which a whole bucket is regained.
    fn whole(&self) -> Duration {
        self.each * self.burst
    }

    /// The key itself, or that of all for which there is no space.
    fn kept(&self, key: Key) -> Key {
        if self.full_at.len() < KEYS_MAX || self.full_at.contains_key(&key) { key } else { Key::Others }
    }

    fn full_at(&self, key: Key, now: Time) -> Time {
        self.full_at.get(&key).copied().unwrap_or_default().max(now)
    }

    /// How much is left.
    fn left(&self, key: Key, now: Time) -> f64 {
        let missing = self.full_at(key, now) - now;
        self.whole().saturating_sub(missing).as_secs_f64() / self.each.as_secs_f64()
    }

    /// When the bucket is full again after this amount is taken, or the time until it has that much.
    fn after(&self, key: Key, amount: u32, now: Time) -> Result<Time, Duration> {
        let full_at = self.full_at(self.kept(key), now) + self.each * amount;
        let latest = now + self.whole();
        if full_at <= latest { Ok(full_at) } else { Err(full_at - latest) }
    }

    fn set(&mut self, key: Key, full_at: Time) {
        self.full_at.insert(self.kept(key), full_at);
    }

    /// Takes as much of an amount as is left.
    fn take_what_is_left(&mut self, key: Key, amount: u32, now: Time) {
        let full_at = self.full_at(self.kept(key), now) + self.each * amount;
        self.set(key, full_at.min(now + self.whole()));
    }

    fn give_back(&mut self, key: Key, amount: u32) {
        let key = self.kept(key);
        if let Some(full_at) = self.full_at.get_mut(&key) {
            *full_at = full_at.saturating_sub(self.each * amount);
        }
    }

    /// What part of its share each key has used and not regained yet, in per cent.
    fn used(&self, now: Time) -> impl Iterator<Item = (Key, u32)> {
        let whole = self.whole().as_nanos().max(1);
        self.full_at.iter().map(move |(key, full_at)| {
            let percent = full_at.saturating_sub(now).as_nanos() * 100 / whole;
            (*key, u32::try_from(percent).unwrap_or(100))
        })
    }

    fn forget_full(&mut self, now: Time) {
        self.full_at.retain(|_, full_at| *full_at > now);
    }
}

/// What networks have had lately. It is forgotten steadily: after the time in which everybody's bucket is regained,
/// about a third is left.
struct Lately {
    had: HashMap<Prefix, (f64, Time)>,
    within: Duration,
}

impl Lately {
    fn new(within: Duration) -> Lately {
        Lately { had: HashMap::new(), within }
    }

    fn had(&self, prefix: Prefix, now: Time) -> f64 {
        self.had.get(&prefix).map_or(0.0, |(had, then)| {
            had * (-(now.saturating_sub(*then).as_secs_f64()) / self.within.as_secs_f64()).exp()
        })
    }

    fn note(&mut self, origin: &Origin, amount: u32, now: Time) {
        for prefix in origin.around() {
            // Narrow networks of one provider leave space for other providers. Those beyond are counted in the wide
            // ones alone.
            let most = if prefix.is_widest() { 2 * KEYS_MAX } else { KEYS_MAX };
            if self.had.len() < most || self.had.contains_key(&prefix) {
                let had = self.had(prefix, now) + f64::from(amount);
                self.had.insert(prefix, (had, now));
            }
        }
    }

    /// Forgets what was noted and given back.
    fn forget(&mut self, origin: &Origin, amount: u32, now: Time) {
        for prefix in origin.around() {
            if self.had.contains_key(&prefix) {
                let had = (self.had(prefix, now) - f64::from(amount)).max(0.0);
                self.had.insert(prefix, (had, now));
            }
        }
    }

    fn forget_traces(&mut self, now: Time) {
        let traces: Vec<Prefix> = self.had.keys().filter(|prefix| self.had(**prefix, now) < TRACE).copied().collect();
        for prefix in &traces {
            self.had.remove(prefix);
        }
    }
}

/// The buckets for one kind: for each account, for each network, and for all visitors.
struct Of {
    account: Option<Buckets>,
    network: Buckets,
    everybody: Buckets,
    lately: Lately,
    /// See [`left_for_each`].
    left_for_each: f64,
}

impl Of {
    fn new(row: &Rate) -> Of {
        let everybody = Buckets::new(row.everybody);
        let lately = Lately::new(everybody.whole());
        Of {
            account: row.account.map(Buckets::new),
            network: Buckets::new(row.network),
            everybody,
            lately,
            left_for_each: left_for_each(row.everybody.burst, row.network.burst),
        }
    }

    /// The buckets for a key; `None` for an account if accounts have none.
    fn buckets(&mut self, key: Key) -> Option<&mut Buckets> {
        match key {
            Key::Account(_) => self.account.as_mut(),
            Key::Network(_) | Key::Others => Some(&mut self.network),
            Key::Everybody => Some(&mut self.everybody),
            Key::Around(_) => None,
        }
    }

    /// The time until an origin gets an amount of what is everybody's; `None` if it gets it now.
    fn waits(&self, origin: &Origin, amount: u32, now: Time) -> Option<Duration> {
        let had = origin.mean(|prefix| self.lately.had(prefix, now));
        let missing = f64::from(amount) + self.left_for_each * had - self.everybody.left(Key::Everybody, now);
        // At worst the whole bucket has to be regained; what was had is forgotten meanwhile.
        (missing > 0.0).then(|| self.everybody.each.mul_f64(missing).min(self.everybody.whole()))
    }
}

/// All buckets.
pub(crate) struct Rates {
    pub(super) clock: Clock,
    began: Instant,
    all: Vec<(LimitKind, Mutex<Of>)>,
}

/// The holder of much of a share: an account of its own, a network of its own or of everybody's.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Holder {
    Account(AccountId),
    Network(Prefix),
}

impl Rates {
    pub(crate) fn new(clock: Clock) -> Rates {
        let all = RATES.iter().map(|row| (row.what, Mutex::new(Of::new(row)))).collect();
        Rates { began: clock.now(), clock, all }
    }

    fn now(&self) -> Time {
        self.clock.since(self.began)
    }

    fn of(&self, what: LimitKind) -> Option<MutexGuard<'_, Of>> {
        let (_, of) = self.all.iter().find(|(kind, _)| *kind == what)?;
        Some(of.lock())
    }

    /// Takes some for an account, for an origin and for all visitors, or nothing from any of them.
    pub(crate) fn take(
        &self,
        what: LimitKind,
        amount: u32,
        account: Option<AccountId>,
        origin: Option<&Origin>,
    ) -> Result<(), UsedUp> {
        let Some(mut of) = self.of(what) else { return Ok(()) };
        if amount == 0 {
            return Ok(());
        }
        let now = self.now();
        let of_origin = origin.map(|origin| [Key::Network(origin.network), Key::Everybody]);
        let keys = account.map(Key::Account).into_iter().chain(of_origin.into_iter().flatten());
        let mut taken = Vec::with_capacity(3);
        // The first share that is used up, and the time until all have enough.
        let mut refused: Option<UsedUp> = None;
        let mut refuse = |key: Key, after: Duration| {
            let first = *refused.get_or_insert(UsedUp { what, key, after });
            refused = Some(UsedUp { after: first.after.max(after), ..first });
        };
        for key in keys {
            let Some(buckets) = of.buckets(key) else { continue };
            match buckets.after(key, amount, now) {
                Ok(full_at) => taken.push((key, full_at)),
                Err(after) => refuse(key, after),
            }
        }
        if let Some(after) = origin.and_then(|origin| of.waits(origin, amount, now)) {
            refuse(Key::Everybody, after);
        }
        if let Some(refusal) = refused {
            return Err(refusal);
        }
        for (key, full_at) in taken {
            if let Some(buckets) = of.buckets(key) {
                buckets.set(key, full_at);
            }
        }
        if let Some(origin) = origin {
            of.lately.note(origin, amount, now);
        }
        Ok(())
    }

    /// Takes some of each of several kinds, or nothing of any of them.
    pub(crate) fn take_all(
        &self,
        wanted: &[(LimitKind, u32)],
        account: Option<AccountId>,
        origin: Option<&Origin>,
    ) -> Result<(), UsedUp> {
        for (place, (what, amount)) in wanted.iter().enumerate() {
            if let Err(refusal) = self.take(*what, *amount, account, origin) {
                self.give_back(&wanted[..place], account, origin);
                return Err(refusal);
            }
        }
        Ok(())
    }

    /// Gives back what was taken for something that another share then refused.
    pub(super) fn give_back(&self, taken: &[(LimitKind, u32)], account: Option<AccountId>, origin: Option<&Origin>) {
        let now = self.now();
        for (what, amount) in taken {
            let Some(mut of) = self.of(*what) else { continue };
            let of_origin = origin.map(|origin| [Key::Network(origin.network), Key::Everybody]);
            for key in account.map(Key::Account).into_iter().chain(of_origin.into_iter().flatten()) {
                if let Some(buckets) = of.buckets(key) {
                    buckets.give_back(key, *amount);
                }
            }
            if let Some(origin) = origin {
                of.lately.forget(origin, *amount, now);
            }
        }
    }

    /// Takes for an account, for an origin and for all visitors what was used already, or as much of it as is left.
    pub(super) fn owe(&self, what: LimitKind, amount: u32, account: Option<AccountId>, origin: &Origin) {
        let Some(mut of) = self.of(what) else { return };
        let now = self.now();
        for key in account.map(Key::Account).into_iter().chain([Key::Network(origin.network), Key::Everybody]) {
            if let Some(buckets) = of.buckets(key) {
                buckets.take_what_is_left(key, amount, now);
            }
        }
        of.lately.note(origin, amount, now);
    }

    /// The accounts that have used much of their share at this moment, and the networks that have used much of theirs
    /// or of everybody's, with the larger part in per cent: first those that have had much of everybody's, then the
    /// others, the most first. Else the many small networks of a wide one would hide it.
    pub(super) fn most_used(&self, rows: usize) -> Vec<(Holder, LimitKind, u32)> {
        let now = self.now();
        let (mut much, mut used) = (Vec::new(), Vec::new());
        for (what, of) in &self.all {
            let of = of.lock();
            for (key, percent) in of.account.iter().flat_map(|buckets| buckets.used(now)) {
                if let Key::Account(account) = key {
                    used.push((Holder::Account(account), *what, percent));
                }
            }
            let mut own: HashMap<Prefix, u32> = HashMap::new();
            for (key, percent) in of.network.used(now) {
                if let Key::Network(network) = key {
                    own.insert(network.into(), percent);
                }
            }
            for prefix in of.lately.had.keys() {
                let percent = (100.0 * of.lately.had(*prefix, now) / f64::from(of.everybody.burst)) as u32;
                if percent >= MUCH_PERCENT {
                    let own = own.remove(prefix).unwrap_or_default();
                    much.push((Holder::Network(*prefix), *what, percent.max(own)));
                }
            }
            used.extend(own.into_iter().map(|(prefix, percent)| (Holder::Network(prefix), *what, percent)));
        }
        used.retain(|(.., percent)| *percent >= MUCH_PERCENT);
        for rows in [&mut much, &mut used] {
            rows.sort_by_key(|(holder, what, percent)| (Reverse(*percent), holder.clone(), *what));
        }
        much.extend(used);
        much.truncate(rows);
        much
    }

    /// Drops full buckets, and what was had long ago.
    pub(crate) fn forget_idle(&self) {
        let now = self.now();
        for (_, of) in &self.all {
            let mut of = of.lock();
            let Of { account, network, everybody, lately, .. } = &mut *of;
            account.iter_mut().chain([network, everybody]).for_each(|buckets| buckets.forget_full(now));
            lately.forget_traces(now);
        }
    }
}

#[cfg(test)]
mod tests;
