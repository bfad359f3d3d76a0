//! Limits on rates: buckets of the crate `governor`, one for each key, in tables of bounded size.

use std::cmp::Reverse;
use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena_clock::{Clock, Instant};
use arena_store::AccountId;
use governor::clock::Clock as _;
use governor::middleware::NoOpMiddleware;
use governor::nanos::Nanos;
use governor::state::StateStore;
use governor::state::keyed::ShrinkableKeyedStateStore;
use governor::{Quota, RateLimiter};

use super::table::{Bucket, RATES, Rate, TELL_EVERY, TOLD_MAX};
use super::{Key, Line, Refusal};
use crate::share::What;

/// Most accounts or networks with buckets of their own, of each kind. Later ones share a bucket until there is space: 32,768 of about
/// 50 bytes.
pub(crate) const KEYS_MAX: usize = 32_768;

const HOUR: Duration = Duration::from_secs(3_600);

/// What the operator sees of an account's use: at least this part of a share, in per cent.
const MUCH_PERCENT: u32 = 10;

/// The buckets of all keys of one kind: when each is full again. All clones are one table.
#[derive(Clone, Default)]
struct Keys(Arc<Mutex<HashMap<Key, Nanos>>>);

impl Keys {
    fn lock(&self) -> MutexGuard<'_, HashMap<Key, Nanos>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl StateStore for Keys {
    type Key = Key;

    fn measure_and_replace<T, F, E>(&self, key: &Key, f: F) -> Result<T, E>
    where
        F: Fn(Option<Nanos>) -> Result<(T, Nanos), E>,
    {
        let mut keys = self.lock();
        let key = if keys.len() < KEYS_MAX || keys.contains_key(key) { *key } else { Key::Others };
        let (taken, full_at) = f(keys.get(&key).copied())?;
        keys.insert(key, full_at);
        Ok(taken)
    }
}

impl ShrinkableKeyedStateStore<Key> for Keys {
    fn retain_recent(&self, drop_below: Nanos) {
        self.lock().retain(|_, full_at| *full_at > drop_below);
    }

    fn len(&self) -> usize {
        self.lock().len()
    }

    fn is_empty(&self) -> bool {
        self.lock().is_empty()
    }
}

/// Buckets of one size.
struct Buckets {
    limiter: RateLimiter<Key, Keys, Passed, NoOpMiddleware<Duration>>,
    keys: Keys,
    /// The time in which a bucket regains one.
    each: Duration,
    burst: u32,
}

impl Buckets {
    fn new(Bucket { burst, per_hour }: Bucket, clock: &Passed) -> Buckets {
        let each = HOUR / per_hour.max(1);
        // Neither is 0 in the table.
        let quota = Quota::with_period(each).unwrap_or(Quota::per_second(NonZeroU32::MIN));
        let quota = quota.allow_burst(NonZeroU32::new(burst).unwrap_or(NonZeroU32::MIN));
        let keys = Keys::default();
        Buckets { limiter: RateLimiter::new(quota, keys.clone(), clock.clone()), keys, each, burst }
    }

    /// What part of its share each key has used and not regained yet, in per cent.
    fn used(&self, clock: &Passed) -> Vec<(Key, u32)> {
        let now = Nanos::from(clock.now()).as_u64();
        let whole = (Nanos::from(self.each) * u64::from(self.burst)).as_u64().max(1);
        let part = |full_at: &Nanos| full_at.as_u64().saturating_sub(now).saturating_mul(100) / whole;
        let keys = self.keys.lock();
        keys.iter().map(|(key, full_at)| (*key, u32::try_from(part(full_at)).unwrap_or(100))).collect()
    }

    /// Takes some, or returns the time until they are available.
    fn take(&self, key: &Key, amount: NonZeroU32, clock: &Passed) -> Result<(), Duration> {
        match self.limiter.check_key_n(key, amount) {
            Ok(Ok(())) => Ok(()),
            Ok(Err(not_yet)) => Err(not_yet.wait_time_from(clock.now())),
            // More than a bucket holds, which never happens: a test checks the table for it.
            Err(_) => Err(HOUR),
        }
    }
}

/// The buckets for one kind: for each account, for each network, and for all visitors.
struct Of {
    what: What,
    account: Option<Buckets>,
    network: Buckets,
    everybody: Buckets,
}

impl Of {
    fn buckets(&self, key: &Key) -> &Buckets {
        match key {
            Key::Account(_) => self.account.as_ref().unwrap_or(&self.network),
            Key::Network(_) | Key::Others => &self.network,
            Key::Everybody => &self.everybody,
        }
    }
}

/// The time since the buckets were made, as governor reads it.
#[derive(Clone)]
struct Passed {
    clock: Clock,
    began: Instant,
}

impl governor::clock::Clock for Passed {
    type Instant = Duration;

    fn now(&self) -> Duration {
        self.clock.since(self.began)
    }
}

/// All buckets.
pub(crate) struct Rates {
    clock: Passed,
    all: Vec<Of>,
    /// Amounts that were taken and not yet sent to other servers, if there may be others.
    given: Mutex<HashMap<(What, Key), u32>>,
    is_told: AtomicBool,
}

impl Rates {
    pub(crate) fn new(clock: Clock) -> Rates {
        let clock = Passed { began: clock.now(), clock };
        let of = |row: &Rate| Of {
            what: row.what,
            account: row.account.map(|bucket| Buckets::new(bucket, &clock)),
            network: Buckets::new(row.network, &clock),
            everybody: Buckets::new(row.everybody, &clock),
        };
        let all = RATES.iter().map(of).collect();
        Rates { clock, all, given: Mutex::default(), is_told: AtomicBool::new(false) }
    }

    /// From now on, notes what is taken, for other servers.
    pub(super) fn will_be_told(&self) {
        self.is_told.store(true, Ordering::Relaxed);
    }

    fn given(&self) -> MutexGuard<'_, HashMap<(What, Key), u32>> {
        self.given.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes what other servers are to be told.
    pub(super) fn note(&self, what: What, key: Key, amount: u32) {
        if !self.is_told.load(Ordering::Relaxed) {
            return;
        }
        let mut given = self.given();
        if given.len() < KEYS_MAX || given.contains_key(&(what, key)) {
            let given = given.entry((what, key)).or_default();
            *given = given.saturating_add(amount);
        }
    }

    /// Whether this amount takes more than a moment to be regained.
    fn is_much(&self, what: What, key: &Key, amount: u32) -> bool {
        let each = self.all.iter().find(|of| of.what == what).map(|of| of.buckets(key).each);
        each.is_some_and(|each| each * amount >= TELL_EVERY / 4)
    }

    /// What other servers must know: amounts that take more than a moment to be regained.
    pub(super) fn to_tell(&self) -> Vec<Line> {
        let mut given = self.given();
        let much = given.iter().filter(|((what, key), amount)| self.is_much(*what, key, **amount));
        let much: Vec<Line> = much.map(|((what, key), amount)| (*what, *key, *amount)).take(TOLD_MAX).collect();
        for (what, key, _) in &much {
            given.remove(&(*what, *key));
        }
        much
    }

    /// Takes what another server gave, or as much of it as is left.
    pub(super) fn given_elsewhere(&self, (what, key, amount): Line) {
        let Some(of) = self.all.iter().find(|of| of.what == what) else { return };
        if matches!(key, Key::Account(_)) && of.account.is_none() {
            return;
        }
        let (buckets, mut left, mut step) = (of.buckets(&key), amount, amount);
        while let Some(some) = NonZeroU32::new(step.min(left)) {
            if buckets.take(&key, some, &self.clock).is_ok() {
                left -= some.get();
            } else {
                step = some.get() / 2;
            }
        }
    }

    /// Takes some for all of `keys`, all visitors' last, so that a request refused to one visitor takes nothing from the common share.
    pub(crate) fn take(&self, what: What, amount: u32, keys: impl Iterator<Item = Key>) -> Result<(), Refusal> {
        let Some(of) = self.all.iter().find(|of| of.what == what) else { return Ok(()) };
        let Some(amount) = NonZeroU32::new(amount) else { return Ok(()) };
        // Earlier shares have already been charged, so the wait must be long enough to regain that, too.
        let mut earned_back = Duration::ZERO;
        for key in keys {
            if matches!(key, Key::Account(_)) && of.account.is_none() {
                continue;
            }
            let buckets = of.buckets(&key);
            if let Err(after) = buckets.take(&key, amount, &self.clock) {
                return Err(Refusal { what, key, after: after.max(earned_back) });
            }
            self.note(what, key, amount.get());
            earned_back = earned_back.max(buckets.each * amount.get());
        }
        Ok(())
    }

    /// The accounts that have used much of a share at this moment, with what part of it in per cent, the most first.
    pub(super) fn most_used(&self, rows: usize) -> Vec<(AccountId, What, u32)> {
        let of_accounts = self.all.iter().filter_map(|of| Some((of.what, of.account.as_ref()?)));
        let mut used: Vec<(AccountId, What, u32)> = of_accounts
            .flat_map(|(what, buckets)| {
                buckets.used(&self.clock).into_iter().filter_map(move |(key, percent)| match key {
                    Key::Account(account) if percent >= MUCH_PERCENT => Some((account, what, percent)),
                    _ => None,
                })
            })
            .collect();
        used.sort_by_key(|(account, what, percent)| (Reverse(*percent), *account, *what));
        used.truncate(rows);
        used
    }

    /// Drops full buckets.
    pub(crate) fn forget_idle(&self) {
        for of in &self.all {
            let buckets = of.account.iter().chain([&of.network, &of.everybody]);
            buckets.for_each(|buckets| buckets.limiter.retain_recent());
        }
        // The rest is still to be sent to other servers.
        self.given().retain(|(what, key), amount| self.is_much(*what, key, *amount));
    }
}

#[cfg(test)]
mod tests {
    use std::net::IpAddr;

    use super::*;
    use crate::visitors::Network;

    /// More than any share has: a test ends that is never refused.
    const ENDLESS: u32 = 1_000_000;

    fn network(number: u32) -> Key {
        let [_, high, middle, low] = number.to_be_bytes();
        Key::Network(Network::of(IpAddr::from([high, middle, low, 1])))
    }

    struct Fake {
        clock: Clock,
        rates: Rates,
    }

    impl Fake {
        fn new() -> Fake {
            let clock = Clock::manual(Duration::ZERO);
            Fake { rates: Rates::new(clock.clone()), clock }
        }

        fn take(&self, what: What, key: Key) -> Result<(), Refusal> {
            self.rates.take(what, 1, [key, Key::Everybody].into_iter())
        }

        /// The number that is granted in a row.
        fn taken(&self, what: What, key: Key) -> u32 {
            (0..ENDLESS).find(|_| self.take(what, key).is_err()).expect("a share ends")
        }
    }

    #[test]
    fn every_share_is_given_to_the_last_one_and_no_further_and_is_earned_back() {
        for row in RATES {
            let fake = Fake::new();
            assert_eq!(fake.taken(row.what, network(1)), row.network.burst, "{:?}", row.what);
            assert_eq!(fake.take(row.what, network(2)), Ok(()), "another network has its own");
            if let Some(account) = row.account {
                assert_eq!(fake.taken(row.what, Key::Account(AccountId(1))), account.burst, "{:?}", row.what);
            }
            fake.clock.advance(HOUR);
            let earned = row.network.burst.min(row.network.per_hour);
            assert_eq!(fake.taken(row.what, network(1)), earned, "{:?}", row.what);
        }
    }

    #[test]
    fn who_has_used_most_of_a_share_is_told_first_until_it_is_regained() {
        let fake = Fake::new();
        let [ann, bob, eve] = [1, 2, 3].map(AccountId);
        assert_eq!(fake.taken(What::Rooms, Key::Account(ann)), 20);
        for _ in 0..15 {
            fake.take(What::Uploads, Key::Account(bob)).expect("half of its share");
        }
        fake.take(What::Rooms, Key::Account(eve)).expect("little of its share");
        fake.taken(What::Uploads, network(1));
        assert_eq!(fake.rates.most_used(9), [(ann, What::Rooms, 100), (bob, What::Uploads, 50)]);
        assert_eq!(fake.rates.most_used(1), [(ann, What::Rooms, 100)]);
        fake.clock.advance(Duration::from_secs(300));
        assert_eq!(fake.rates.most_used(9), [(ann, What::Rooms, 50), (bob, What::Uploads, 41)]);
        fake.clock.advance(HOUR);
        assert!(fake.rates.most_used(9).is_empty());
    }

    #[test]
    fn everybody_together_has_no_more_than_there_is() {
        let fake = Fake::new();
        let given: u32 = (0..100).map(|number| fake.taken(What::Accounts, network(number))).sum();
        assert_eq!(given, 400);
        let refused = fake.take(What::Accounts, network(1_000)).expect_err("no more in all");
        assert_eq!(refused.key, Key::Everybody);
    }

    #[test]
    fn who_waits_as_long_as_told_is_served() {
        let fake = Fake::new();
        // Limited by the own share, then by the common one.
        for taken in [1, 20] {
            for number in 0..taken {
                fake.taken(What::Rooms, network(number));
            }
            for number in [0, 19, 500] {
                if let Err(refused) = fake.take(What::Rooms, network(number)) {
                    assert!(refused.seconds() <= 10, "{refused}");
                    fake.clock.advance(Duration::from_secs(refused.seconds()));
                    assert_eq!(fake.take(What::Rooms, network(number)), Ok(()), "{refused}");
                }
            }
        }
    }

    #[test]
    fn what_is_refused_to_a_visitor_takes_nothing_from_others() {
        let fake = Fake::new();
        fake.taken(What::Uploads, network(1));
        for _ in 0..10_000 {
            assert!(fake.take(What::Uploads, network(1)).is_err());
        }
        assert_eq!(fake.taken(What::Uploads, network(2)), 120);
    }

    #[test]
    fn what_other_servers_have_to_know_is_not_forgotten_before_they_are_told() {
        let fake = Fake::new();
        fake.rates.will_be_told();
        fake.taken(What::Sessions, network(1));
        fake.take(What::Requests, network(2)).expect("a share");
        fake.rates.forget_idle();
        let told: Vec<What> = fake.rates.to_tell().into_iter().map(|(what, ..)| what).collect();
        assert_eq!(told, [What::Sessions; 2], "the network's, and everybody's");
    }

    #[test]
    fn keys_are_bounded_known_ones_go_on_and_idle_ones_are_forgotten() {
        let fake = Fake::new();
        let known = network(0);
        fake.take(What::Requests, known).expect("the first");
        let most = u32::try_from(KEYS_MAX).expect("small");
        for number in 1..2 * most {
            // Slowly enough never to use up the common share. Later keys share a bucket.
            fake.clock.advance(Duration::from_micros(250));
            let _ = fake.take(What::Requests, network(number));
        }
        let buckets = fake.rates.all.iter().find(|of| of.what == What::Requests).expect("a row");
        assert!(buckets.network.limiter.len() <= KEYS_MAX + 1);
        assert_eq!(fake.take(What::Requests, known), Ok(()));
        fake.clock.advance(HOUR);
        fake.rates.forget_idle();
        assert!(buckets.network.limiter.is_empty());
    }
}
