//! With a clock that is set by hand.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use arena_rules::Rng;

use super::*;

/// Networks of different providers.
fn network(number: u32) -> Origin {
    let [_, high, middle, low] = number.to_be_bytes();
    Origin::of(IpAddr::from([middle, low, high, 1]))
}

/// A network of a /48 of IPv6, which has 256 of them, each with 256 of its own.
fn in_one_48(number: u32) -> Origin {
    Origin::of(IpAddr::from(Ipv6Addr::from(0x2001_0db8_0001 << 80 | u128::from(number & 0xffff) << 64 | 1)))
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

    fn take(&self, what: LimitKind, origin: Origin) -> Result<(), UsedUp> {
        self.rates.take(what, 1, None, Some(&origin))
    }

    fn take_of(&self, what: LimitKind, account: i64) -> Result<(), UsedUp> {
        self.rates.take(what, 1, Some(AccountId(account)), None)
    }

    /// The number that is granted in a row.
    fn taken(&self, what: LimitKind, origin: Origin) -> u32 {
        (0..1_000_000).find(|_| self.take(what, origin).is_err()).expect("a share ends")
    }
}

#[test]
fn what_was_used_already_is_taken_as_far_as_it_is_left() {
    let clock = Clock::manual(Duration::ZERO);
    let (rates, origin) = (Rates::new(clock.clone()), Origin::of(IpAddr::from([192, 0, 2, 1])));
    let asks = |amount: u32| rates.take(LimitKind::Requests, amount, Some(AccountId(1)), Some(&origin));
    assert_eq!(asks(1), Ok(()));
    // More than the account ever has.
    rates.owe(LimitKind::Requests, 10_000, Some(AccountId(1)), &origin);
    let refusal = asks(1).expect_err("nothing is left");
    assert_eq!(refusal.key, Key::Account(AccountId(1)));
    // An account earns 200 a second.
    clock.advance(Duration::from_millis(10));
    assert_eq!(asks(1), Ok(()), "and no debt remains");
}

#[test]
fn every_share_is_given_to_the_last_one_and_no_further_and_is_earned_back() {
    for row in RATES {
        let fake = Fake::new();
        assert_eq!(fake.taken(row.what, network(1)), row.network.burst, "{:?}", row.what);
        assert_eq!(fake.take(row.what, network(2)), Ok(()), "another network has its own");
        if let Some(account) = row.account {
            let taken = (0..).find(|_| fake.take_of(row.what, 1).is_err()).unwrap_or_default();
            assert_eq!(taken, account.burst, "{:?}", row.what);
        }
        fake.clock.advance(HOUR);
        let earned = row.network.burst.min(row.network.per_hour);
        assert_eq!(fake.taken(row.what, network(1)), earned, "{:?}", row.what);
    }
}

#[test]
fn who_has_used_most_of_a_share_is_told_first_until_it_is_regained() {
    let fake = Fake::new();
    let [ann, bob] = [1, 2].map(|account| Holder::Account(AccountId(account)));
    while fake.take_of(LimitKind::Rooms, 1).is_ok() {}
    for _ in 0..15 {
        fake.take_of(LimitKind::Uploads, 2).expect("half of its share");
    }
    fake.take_of(LimitKind::Rooms, 3).expect("little of its share");
    let ann_and_bob = [(ann.clone(), LimitKind::Rooms, 100), (bob.clone(), LimitKind::Uploads, 50)];
    assert_eq!(fake.rates.most_used(9), ann_and_bob);
    assert_eq!(fake.rates.most_used(1), ann_and_bob[..1]);
    fake.clock.advance(Duration::from_secs(300));
    assert_eq!(fake.rates.most_used(9), [(ann, LimitKind::Rooms, 50), (bob, LimitKind::Uploads, 41)]);
    fake.taken(LimitKind::Accounts, network(7));
    let shown = fake.rates.most_used(9);
    let networks: Vec<String> = shown
        .iter()
        .filter_map(|(holder, what, percent)| match holder {
            Holder::Network(prefix) => Some(format!("{prefix} {what:?} {percent}")),
            Holder::Account(_) => None,
        })
        .collect();
    assert_eq!(networks, ["0.7.0.0/24 Accounts 100", "0.7.0.0/16 Accounts 10"], "forty of four hundred");
    fake.clock.advance(HOUR * 2);
    assert!(fake.rates.most_used(9).is_empty());
}

#[test]
fn a_network_that_is_refused_is_seen_until_it_has_regained_its_share() {
    let fake = Fake::new();
    for number in 0..50 {
        assert_eq!(fake.take(LimitKind::Accounts, network(7)).is_err(), number >= 40, "{number}");
    }
    let seen = |percent| (Holder::Network(network(7).network.into()), LimitKind::Accounts, percent);
    fake.clock.advance(HOUR / 2);
    assert_eq!(fake.rates.most_used(9), [seen(75)], "little of everybody's is left to see, much of its own");
    fake.clock.advance(HOUR);
    assert_eq!(fake.rates.most_used(9), [seen(25)]);
    fake.clock.advance(HOUR / 2);
    assert!(fake.rates.most_used(9).is_empty());
}

#[test]
fn the_small_networks_of_a_wide_one_do_not_hide_it() {
    let fake = Fake::new();
    let parts = [0, 1].map(|part| Origin::of(IpAddr::from([9, 9, part, 1])));
    assert!(parts.iter().all(|part| fake.taken(LimitKind::Accounts, *part) > 20));
    fake.clock.advance(HOUR / 12);
    let shown = fake.rates.most_used(9);
    let wide = parts[0].around().next().expect("the widest");
    assert_eq!((shown.len(), &shown[0].0), (3, &Holder::Network(wide)));
    assert!(shown[1..].iter().all(|row| row.2 > shown[0].2), "they have used more of their own: {shown:?}");
}

#[test]
fn everybody_together_has_no_more_than_there_is() {
    let fake = Fake::new();
    let given: u32 = (0..2_000).map(|number| fake.taken(LimitKind::Accounts, network(number))).sum();
    assert_eq!(given, 400);
    let refused = fake.take(LimitKind::Accounts, network(3_000)).expect_err("no more in all");
    assert_eq!(refused.key, Key::Everybody);
}

#[test]
fn who_waits_as_long_as_told_is_served() {
    let fake = Fake::new();
    // Limited by the own share, then by the common one.
    for taken in [1, 300] {
        for number in 0..taken {
            fake.taken(LimitKind::Rooms, network(number));
        }
        for number in [0, 19, 500] {
            if let Err(refused) = fake.take(LimitKind::Rooms, network(number)) {
                fake.clock.advance(Duration::from_secs(refused.seconds()));
                assert_eq!(fake.take(LimitKind::Rooms, network(number)), Ok(()), "{refused}");
            }
        }
    }
}

#[test]
fn what_is_refused_takes_nothing_from_anybody() {
    let taken_after = |refused: u32| {
        let fake = Fake::new();
        fake.taken(LimitKind::Uploads, network(1));
        for _ in 0..refused {
            assert!(fake.take(LimitKind::Uploads, network(1)).is_err());
        }
        fake.taken(LimitKind::Uploads, network(2))
    };
    assert_eq!(taken_after(10_000), taken_after(0));
    assert!(taken_after(0) > 100);
    // Nor does the visitor pay who is refused because nothing is left for everybody.
    let fake = Fake::new();
    for number in 0..2_000 {
        fake.taken(LimitKind::Accounts, network(number));
    }
    for _ in 0..1_000 {
        let refused = fake.take(LimitKind::Accounts, network(3_000)).expect_err("nothing is left");
        assert_eq!(refused.key, Key::Everybody);
    }
    fake.clock.advance(HOUR);
    assert_eq!(fake.taken(LimitKind::Accounts, network(3_000)), 40, "all of its share");
}

/// What each share of these kinds has left, in thousandths, and what was had lately around an origin.
fn left(rates: &Rates, account: AccountId, origin: &Origin) -> Vec<(LimitKind, i64, i64)> {
    let (mut all, now) = (Vec::new(), rates.now());
    for row in RATES {
        let mut of = rates.of(row.what).expect("a row");
        for key in [Key::Account(account), Key::Network(origin.network), Key::Everybody] {
            let left = of.buckets(key).map_or(0.0, |buckets| buckets.left(key, now));
            let had = origin.mean(|prefix| of.lately.had(prefix, now));
            all.push((row.what, (1_000.0 * left).round() as i64, (1_000.0 * had).round() as i64));
        }
    }
    all
}

/// Random amounts of random kinds, several at once, by some accounts from some networks: what is refused leaves every
/// share as it was, and what is granted takes of each kind what was asked.
#[test]
fn what_takes_of_several_kinds_takes_of_all_or_of_none() {
    let mut rng = arena_rules::Rng::new(&[11; 32], 0);
    let (mut granted, mut refused_late) = (0, 0);
    for _ in 0..60 {
        let fake = Fake::new();
        for _ in 0..60 {
            let (account, origin) = (AccountId(i64::from(rng.below(3))), network(rng.below(4)));
            let kinds = 1 + rng.below(4);
            let mut wanted: Vec<(LimitKind, u32)> = Vec::new();
            for _ in 0..kinds {
                let row = RATES[rng.below(RATES.len() as u32) as usize];
                let most = row.account.unwrap_or(row.network).burst;
                wanted.push((row.what, rng.below(most / 2 + 2)));
            }
            let before = left(&fake.rates, account, &origin);
            match fake.rates.take_all(&wanted, Some(account), Some(&origin)) {
                Ok(()) => granted += 1,
                Err(refusal) => {
                    refused_late += u32::from(wanted[0].0 != refusal.what);
                    assert_eq!(left(&fake.rates, account, &origin), before, "{wanted:?}: {refusal}");
                }
            }
            fake.clock.advance(Duration::from_millis(u64::from(rng.below(20_000))));
        }
    }
    assert!(granted > 200 && refused_late > 200, "{granted} {refused_late}");
}

/// A flood from a /48 takes what it gets, as often as it can. Meanwhile somebody elsewhere tries a hundred times, and a
/// class of thirty behind one address signs up within ten minutes.
#[test]
fn a_flood_from_one_48_shuts_nobody_else_out() {
    const KINDS: [LimitKind; 3] = [LimitKind::Accounts, LimitKind::Rooms, LimitKind::Joins];
    let fake = Fake::new();
    let (honest, school) = (network(9), Origin::of(IpAddr::from([203, 0, 113, 77])));
    let (mut number, mut tried, mut refused, mut pupils) = (0, 0, 0, 0);
    for second in 0..600 {
        for what in KINDS {
            // 400 requests a second, each from the next network.
            for _ in 0..400 {
                number += 1;
                let _ = fake.take(what, in_one_48(number));
            }
            if second < 60 && tried < 100 && (what != LimitKind::Accounts || second % 2 == 0) {
                tried += 1;
                refused += u32::from(fake.take(what, honest).is_err());
            }
        }
        if second % 20 == 10 {
            pupils += u32::from(fake.take(LimitKind::Accounts, school).is_ok());
        }
        fake.clock.advance(Duration::from_secs(1));
    }
    assert_eq!((tried, pupils), (100, 30));
    assert!(refused <= 1, "{refused} of {tried} tries were refused");
}

/// Somebody who floods from all addresses of a network.
struct Flooder {
    rng: Rng,
    /// The first address, and how many of its bits are the network's.
    first: u128,
    length: u32,
}

impl Flooder {
    /// One in a network of its own provider's. Lengths up to 24 are those of IPv4.
    fn new(number: u32, length: u32) -> Flooder {
        let first = if length <= 24 { u128::from(number) << 16 } else { u128::from(0x2a00_0000 + number) << 96 };
        Flooder { rng: Rng::new(&[7; 32], number.into()), first, length }
    }

    fn next(&mut self) -> Origin {
        let drawn = (0..4).fold(0, |drawn, _| drawn << 32 | u128::from(self.rng.word()));
        if self.length > 24 {
            return Origin::of(Ipv6Addr::from(self.first | drawn & (u128::MAX >> self.length)).into());
        }
        let host = (drawn >> 96) as u32 & (u32::MAX >> self.length);
        Origin::of(Ipv4Addr::from(self.first as u32 | host).into())
    }
}

/// Somebody who had nothing.
fn newcomer() -> Origin {
    Origin::of(IpAddr::from([250, 0, 0, 1]))
}

/// How many networks of these lengths, one after another, shut newcomers out when each takes all that it gets; of a
/// large share, a four-hundredth at a time.
fn shut_by(row: &Rate, lengths: &[u32]) -> u32 {
    let (fake, what, some) = (Fake::new(), row.what, (row.everybody.burst / 400).max(1));
    let served = || fake.rates.of(what).is_some_and(|of| of.waits(&newcomer(), some, fake.rates.now()).is_none());
    for number in 0.. {
        if !served() {
            return number;
        }
        let mut flooder = Flooder::new(number + 1, lengths[number as usize % lengths.len()]);
        let mut refused = 0;
        while refused < 20 {
            let taken = fake.rates.take(what, some, None, Some(&flooder.next()));
            refused = if taken.is_ok() { 0 } else { refused + 1 };
        }
    }
    unreachable!("everything is used up at some time")
}

/// The numbers in SECURITY.md are those that a flood of any kind takes; no mixture of networks needs fewer than the
/// widest ones.
#[test]
fn security_says_how_many_networks_a_flood_takes() {
    let text = include_str!("../../../../../SECURITY.md").replace("\n  ", " ");
    let (mut least_six, mut least_four) = (u32::MAX, u32::MAX);
    for row in RATES {
        let (six, four) = (shut_by(&row, &[32]), shut_by(&row, &[16]));
        for lengths in [&[32, 48][..], &[16, 32], &[24, 16, 56, 48, 64, 32]] {
            assert!(shut_by(&row, lengths) >= six, "{:?} {lengths:?}", row.what);
        }
        if row.what == LimitKind::Accounts {
            let said =
                format!("it takes {six} providers' networks of IPv6 (/32) or {four} of IPv4 (/16) to use up sign-ups");
            assert!(text.contains(&said), "{said}");
        }
        (least_six, least_four) = (least_six.min(six), least_four.min(four));
    }
    let said = format!("the scarcest share takes {least_six} or {least_four}");
    assert!(text.contains(&said), "{said}");
}

#[test]
fn keys_are_bounded_known_ones_go_on_and_idle_ones_are_forgotten() {
    let fake = Fake::new();
    let known = network(0);
    fake.take(LimitKind::Requests, known).expect("the first");
    let most = u32::try_from(KEYS_MAX).expect("small");
    for number in 1..2 * most {
        // Slowly enough never to use up the common share. Later keys share a bucket.
        fake.clock.advance(Duration::from_micros(250));
        let _ = fake.take(LimitKind::Requests, network(number));
    }
    {
        let of = fake.rates.of(LimitKind::Requests).expect("a row");
        assert!(of.network.full_at.len() <= KEYS_MAX + 1 && of.lately.had.len() <= 2 * KEYS_MAX);
    }
    assert_eq!(fake.take(LimitKind::Requests, known), Ok(()));
    fake.clock.advance(HOUR);
    fake.rates.forget_idle();
    let of = fake.rates.of(LimitKind::Requests).expect("a row");
    assert!(of.network.full_at.is_empty() && of.lately.had.is_empty());
}
