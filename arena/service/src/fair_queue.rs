//! A weighted fair queue: of thinking players, submissions to be judged and editions to be played.
//!
//! Pure: the result is a function of the calls, in their order. Keys (accounts, games) wait for service that costs
//! something. There is a number of slots; some of them are a reserve, for what should never have to wait. Free slots go
//!
//! 1. to newcomers, the last one first, so that a newcomer is next whatever waits. Their number is limited where
//!    they come in;
//! 2. then to the key that has used least for its weight. A key that was idle gets a little ahead of those that never
//!    were, and no further: shares are not saved up;
//! 3. if several askers wait on one key's account, such as the games of many people against one bot, to the asker for
//!    whom least was used since it began to wait. An asker that asks for much holds up only itself.

use std::collections::{BTreeMap, VecDeque};
use std::num::NonZeroU32;

/// Keys that are remembered while they neither wait nor are served: 10,000 of about 50 bytes. Beyond this, those that
/// have used least are forgotten and count as newcomers again.
const IDLE_KEYS_MAX: usize = 10_000;

/// A request for service.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Request<K> {
    /// The key that pays.
    pub(crate) key: K,
    /// The key that asks, often the one that pays.
    pub(crate) asker: K,
    /// How large the key's share is compared to others'.
    pub(crate) weight: NonZeroU32,
    /// The most that it costs, in a unit common to all keys.
    pub(crate) cost: u64,
    /// Whether it may take a slot of the reserve.
    pub(crate) reserve: bool,
}

/// A service in progress. End it with [`FairQueue::end`].
#[derive(Debug)]
pub(crate) struct Service<K> {
    request: Request<K>,
}

impl<K> Service<K> {
    /// What it costs at most.
    pub(crate) fn cost(&self) -> u64 {
        self.request.cost
    }
}

/// Slots, and the requests for them.
#[derive(Debug)]
pub(crate) struct FairQueue<K, T> {
    slots: usize,
    /// How many of these are the reserve.
    reserve: usize,
    /// How far a key that was idle gets ahead of those that never were.
    credit: u64,
    /// What a key of weight 1 that is served all the time has paid.
    now: u64,
    keys: BTreeMap<K, Paid<K>>,
    /// In the order of arrival.
    waiting: VecDeque<(Request<K>, T)>,
    /// How many are being served, in the reserve and outside of it.
    served: (usize, usize),
}

/// What a key has used.
#[derive(Clone, Debug)]
struct Paid<K> {
    cost: u64,
    /// How many of its requests wait or are served.
    active: u32,
    /// Whether it was ever served.
    known: bool,
    /// Askers on its account that wait or are served: what was used for each, and how many of its requests wait or are
    /// served.
    askers: BTreeMap<K, (u64, u32)>,
    /// What was used for an asker that is served all the time.
    asked: u64,
}

impl<K: Ord + Copy> Paid<K> {
    fn enters(&mut self, asker: K) {
        self.active += 1;
        self.askers.entry(asker).or_insert((self.asked, 0)).1 += 1;
    }

    fn leaves(&mut self, asker: K) {
        self.active = self.active.saturating_sub(1);
        if let Some((_, active)) = self.askers.get_mut(&asker) {
            *active = active.saturating_sub(1);
        }
        self.askers.retain(|_, (_, active)| *active > 0);
        if self.active == 0 {
            self.asked = 0;
        }
    }

    fn pays(&mut self, asker: K, cost: u64) {
        self.cost = self.cost.saturating_add(cost);
        if let Some((used, _)) = self.askers.get_mut(&asker) {
            self.asked = self.asked.max(*used);
            *used = used.saturating_add(cost);
        }
    }

    /// Replaces what was charged in advance by what was used.
    fn corrects(&mut self, asker: K, asked: u64, used: u64) {
        let correct = |cost: u64| cost.saturating_sub(asked).saturating_add(used);
        self.cost = correct(self.cost);
        if let Some((cost, _)) = self.askers.get_mut(&asker) {
            *cost = correct(*cost);
        }
    }
}

impl<K: Ord + Copy, T> FairQueue<K, T> {
    pub(crate) fn new(slots: usize, reserve: usize, credit: u64) -> FairQueue<K, T> {
        let (keys, waiting) = (BTreeMap::new(), VecDeque::new());
        FairQueue {
            slots,
            reserve: reserve.min(slots.saturating_sub(1)),
            credit,
            now: 0,
            keys,
            waiting,
            served: (0, 0),
        }
    }

    /// Adds a request.
    pub(crate) fn wait(&mut self, request: Request<K>, task: T) {
        let ahead = self.now.saturating_sub(self.credit);
        let new = Paid { cost: self.now, active: 0, known: false, askers: BTreeMap::new(), asked: 0 };
        let paid = self.keys.entry(request.key).or_insert(new);
        if paid.active == 0 {
            paid.cost = paid.cost.max(ahead);
        }
        paid.enters(request.asker);
        self.waiting.push_back((request, task));
    }

    /// The next request to serve, if one waits and a slot is free for it.
    pub(crate) fn begin(&mut self) -> Option<(T, Service<K>)> {
        self.begin_of(|_| true)
    }

    /// The same of those that may take a slot of the reserve.
    pub(crate) fn begin_reserved(&mut self) -> Option<(T, Service<K>)> {
        self.begin_of(|request| request.reserve)
    }

    fn begin_of(&mut self, is_wanted: impl Fn(&Request<K>) -> bool) -> Option<(T, Service<K>)> {
        let (reserve, others) = self.served;
        if reserve + others >= self.slots {
            return None;
        }
        // Services of the reserve take its slots first.
        let free_for_all = others + reserve.saturating_sub(self.reserve) < self.slots - self.reserve;
        let may = |request: &Request<K>| (request.reserve || free_for_all) && is_wanted(request);
        let rank = |place: usize, request: &Request<K>| match self.keys.get(&request.key) {
            Some(paid) if paid.known => {
                let asker = paid.askers.get(&request.asker).map_or(0, |(used, _)| *used);
                (1, paid.cost, asker, place)
            }
            _ => (0, 0, 0, usize::MAX - place),
        };
        let waiting = self.waiting.iter().enumerate().filter(|(_, (request, _))| may(request));
        let next = waiting.min_by_key(|(place, (request, _))| rank(*place, request)).map(|(place, _)| place)?;
        let (request, task) = self.waiting.remove(next)?;
        if request.reserve {
            self.served.0 += 1
        } else {
            self.served.1 += 1
        }
        if let Some(paid) = self.keys.get_mut(&request.key) {
            self.now = self.now.max(paid.cost);
            paid.known = true;
            paid.pays(request.asker, share(request.cost, request.weight));
        }
        Some((task, Service { request }))
    }

    /// Ends a service, with its real cost.
    pub(crate) fn end(&mut self, Service { request }: Service<K>, cost: u64) {
        if request.reserve {
            self.served.0 -= 1
        } else {
            self.served.1 -= 1
        }
        if let Some(paid) = self.keys.get_mut(&request.key) {
            let (asked, used) = (share(request.cost, request.weight), share(cost, request.weight));
            paid.corrects(request.asker, asked, used);
            paid.leaves(request.asker);
        }
        self.forget();
    }

    /// Drops requests that wait no longer.
    pub(crate) fn keep(&mut self, still_waits: impl Fn(&T) -> bool) {
        let keys = &mut self.keys;
        self.waiting.retain(|(request, task)| {
            let stays = still_waits(task);
            if let Some(paid) = keys.get_mut(&request.key).filter(|_| !stays) {
                paid.leaves(request.asker);
                if paid.active == 0 && !paid.known {
                    keys.remove(&request.key);
                }
            }
            stays
        });
    }

    /// The waiting tasks, in the order of arrival.
    pub(crate) fn waiting(&self) -> impl Iterator<Item = &T> {
        self.waiting.iter().map(|(_, task)| task)
    }

    /// How many requests of each key wait.
    pub(crate) fn queues(&self) -> BTreeMap<K, usize> {
        let mut queues = BTreeMap::new();
        for (request, _) in &self.waiting {
            *queues.entry(request.key).or_default() += 1;
        }
        queues
    }

    fn forget(&mut self) {
        if self.keys.len() <= IDLE_KEYS_MAX {
            return;
        }
        let idle = self.keys.values().filter(|paid| paid.active == 0).count();
        if idle > IDLE_KEYS_MAX {
            // Half of them at once, so that this happens rarely.
            let mut costs: Vec<u64> =
                self.keys.values().filter(|paid| paid.active == 0).map(|paid| paid.cost).collect();
            let (_, middle, _) = costs.select_nth_unstable(idle / 2);
            let middle = *middle;
            self.keys.retain(|_, paid| paid.active > 0 || paid.cost > middle);
        }
    }
}

/// A cost divided by its weight. At least 1: nothing is free.
fn share(cost: u64, weight: NonZeroU32) -> u64 {
    (cost / u64::from(weight.get())).max(1)
}

#[cfg(test)]
mod tests {
    use proptest::collection::vec;
    use proptest::prelude::*;

    use super::*;

    const COST: u64 = 1_000;
    const CREDIT: u64 = COST;

    fn request(key: u32, cost: u64) -> Request<u32> {
        Request { key, asker: key, weight: NonZeroU32::MIN, cost, reserve: false }
    }

    /// What may happen: somebody comes, a slot is filled, a service ends.
    #[derive(Clone, Debug)]
    enum Event {
        Wait { key: u32, asker: u32, weight: u32, cost: u64, reserve: bool },
        Begin,
        End { which: usize, cost: u64 },
    }

    fn event() -> impl Strategy<Value = Event> {
        prop_oneof![
            2 => (0_u32..6, 0_u32..3, 1_u32..4, 0..COST, any::<bool>())
                .prop_map(|(key, asker, weight, cost, reserve)| Event::Wait { key, asker, weight, cost, reserve }),
            2 => Just(Event::Begin),
            1 => (any::<usize>(), 0..COST).prop_map(|(which, cost)| Event::End { which, cost }),
        ]
    }

    proptest! {
        #[test]
        fn slots_and_the_reserve_hold_nobody_is_forgotten_and_no_slot_is_idle(
            events in vec(event(), 0..200), slots in 1_usize..5, reserve in 0_usize..5,
        ) {
            let mut queue = FairQueue::new(slots, reserve, CREDIT);
            let reserve = reserve.min(slots - 1);
            let (mut came, mut begun) = (0_usize, Vec::new());
            let mut served: Vec<Service<u32>> = Vec::new();
            for event in events {
                match event {
                    Event::Wait { key, asker, weight, cost, reserve } => {
                        let weight = NonZeroU32::new(weight).expect("not 0");
                        queue.wait(Request { key, asker, weight, cost, reserve }, came);
                        came += 1;
                    }
                    Event::Begin => {
                        let waits = |queue: &FairQueue<u32, usize>, reserved: bool| {
                            queue.waiting.iter().any(|(request, _)| request.reserve || !reserved)
                        };
                        let others = served.iter().filter(|service| !service.request.reserve).count();
                        let free = served.len() < slots;
                        let of_reserve = served.len() - others;
                        let left_of_reserve = reserve.saturating_sub(of_reserve);
                        let free_for_all = free && slots - served.len() > left_of_reserve;
                        let expected = (free && waits(&queue, true)) || (free_for_all && waits(&queue, false));
                        let next = queue.begin();
                        prop_assert_eq!(next.is_some(), expected);
                        if let Some((task, service)) = next {
                            begun.push(task);
                            served.push(service);
                        }
                    }
                    Event::End { which, cost } => if !served.is_empty() {
                        let service = served.swap_remove(which % served.len());
                        queue.end(service, cost);
                    },
                }
                prop_assert!(served.len() <= slots);
                prop_assert!(served.iter().filter(|service| !service.request.reserve).count() <= slots - reserve);
                for paid in queue.keys.values() {
                    let active: u32 = paid.askers.values().map(|(_, active)| active).sum();
                    prop_assert_eq!(active, paid.active, "nobody is remembered who does not wait");
                }
            }
            for service in served.drain(..) {
                queue.end(service, 0);
            }
            while let Some((task, service)) = queue.begin() {
                begun.push(task);
                queue.end(service, 0);
            }
            begun.sort_unstable();
            prop_assert_eq!(begun, (0..came).collect::<Vec<_>>());
        }

        #[test]
        fn whatever_waits_a_newcomer_is_begun_after_at_most_as_many_services_as_there_are_slots(
            flood in vec((0_u32..50, 0..COST), 1..200), slots in 1_usize..5, ended in 0_usize..300,
        ) {
            let mut queue = FairQueue::new(slots, 0, CREDIT);
            for (key, cost) in flood {
                queue.wait(request(key, cost), key);
            }
            let mut served = VecDeque::new();
            for _ in 0..ended {
                while let Some((_, service)) = queue.begin() {
                    served.push_back(service);
                }
                let Some(service) = served.pop_front() else { break };
                let cost = service.request.cost;
                queue.end(service, cost);
            }
            while let Some((_, service)) = queue.begin() {
                served.push_back(service);
            }
            queue.wait(request(99, COST), 99);
            let mut verdicts = 0;
            loop {
                match queue.begin() {
                    Some((99, _)) => break,
                    Some((_, service)) => served.push_back(service),
                    None => {
                        let service = served.pop_front().expect("a slot is taken");
                        queue.end(service, COST);
                        verdicts += 1;
                    }
                }
            }
            prop_assert!(verdicts <= slots, "{} verdicts", verdicts);
        }

        #[test]
        fn those_who_always_wait_get_equal_shares_by_their_weights(
            costs in vec((1..COST, 1_u32..5), 2..8), rounds in 100_usize..400,
        ) {
            let mut queue = FairQueue::new(1, 0, CREDIT);
            let of = |key: usize| {
                let (cost, weight) = costs[key];
                Request { key, asker: key, weight: NonZeroU32::new(weight).expect("not 0"), cost, reserve: false }
            };
            for key in 0..costs.len() {
                queue.wait(of(key), key);
            }
            let mut used = vec![0_u64; costs.len()];
            for _ in 0..rounds * costs.len() {
                let (key, service) = queue.begin().expect("all wait");
                used[key] += share(of(key).cost, of(key).weight);
                queue.wait(of(key), key);
                queue.end(service, of(key).cost);
            }
            let (least, most) = (used.iter().min().expect("some"), used.iter().max().expect("some"));
            prop_assert!(most - least <= 2 * COST, "{:?}", used);
        }
    }

    /// How many services end before each of an honest visitor's turns begins, against 100 floods that always have ten
    /// requests waiting. Between two turns the visitor thinks for a while.
    fn turns_waited(slots: usize, reserve: usize, plays_already: bool) -> Vec<usize> {
        const HONEST: u32 = 1_000;
        let mut queue = FairQueue::new(slots, reserve, CREDIT);
        for key in 0..100 {
            (0..10).for_each(|_| queue.wait(request(key, COST), key));
        }
        let (mut served, mut waited) = (VecDeque::new(), Vec::new());
        let end_one = |queue: &mut FairQueue<u32, u32>, served: &mut VecDeque<Service<u32>>| {
            while let Some((_, service)) = queue.begin() {
                served.push_back(service);
            }
            let service = served.pop_front().expect("floods are served");
            let key = service.request.key;
            queue.end(service, COST);
            queue.wait(request(key, COST), key);
        };
        for _ in 0..20 {
            // Two rounds of the floods, so the visitor uses no more than its share.
            for _ in 0..200 {
                end_one(&mut queue, &mut served);
            }
            while let Some((_, service)) = queue.begin() {
                served.push_back(service);
            }
            queue.wait(Request { reserve: plays_already, ..request(HONEST, COST) }, HONEST);
            let mut turns = 0;
            loop {
                match queue.begin() {
                    Some((HONEST, service)) => break queue.end(service, COST),
                    Some((_, service)) => served.push_back(service),
                    None => {
                        let service = served.pop_front().expect("floods are served");
                        let key = service.request.key;
                        queue.end(service, COST);
                        queue.wait(request(key, COST), key);
                        turns += 1;
                    }
                }
            }
            waited.push(turns);
        }
        waited
    }

    /// How many services end before each of a visitor's turns against a bot begins, while another person has a hundred
    /// rooms against the same bot. As soon as a room gets its answer, it asks again.
    fn turns_waited_for_a_popular_bot(slots: usize, reserve: bool) -> Vec<usize> {
        const BOT: u32 = 7;
        let turn = |asker: u32| Request { key: BOT, asker, weight: NonZeroU32::MIN, cost: COST, reserve };
        let mut queue = FairQueue::new(slots, slots / 2, CREDIT);
        (0..100).for_each(|_| queue.wait(turn(1), 1));
        let (mut served, mut waited) = (VecDeque::new(), Vec::new());
        for _ in 0..20 {
            // The visitor thinks, and the flood has ten turns meanwhile.
            let (mut ended, mut turns) = (0, None);
            loop {
                while let Some((asker, service)) = queue.begin() {
                    served.push_back((asker, service));
                }
                if turns.is_some() && served.iter().any(|(asker, _)| *asker == 2) {
                    break;
                }
                let (asker, service) = served.pop_front().expect("the flood is served");
                queue.end(service, COST);
                queue.wait(turn(asker), asker);
                ended += 1;
                turns = turns.map(|turns| turns + 1);
                if ended == 10 {
                    queue.wait(turn(2), 2);
                    turns = Some(0);
                }
            }
            waited.push(turns.expect("it waited"));
            let own = served.iter().position(|(asker, _)| *asker == 2).expect("it is served");
            let (_, service) = served.remove(own).expect("there");
            queue.end(service, COST);
        }
        waited
    }

    #[test]
    fn a_hundred_rooms_of_one_person_against_a_bot_let_another_persons_turn_against_it_wait_for_one() {
        for (slots, reserve) in [(1, false), (4, false), (4, true)] {
            let waited = turns_waited_for_a_popular_bot(slots, reserve);
            assert!(waited.iter().all(|turns| *turns <= 1), "{slots} slots: {waited:?}");
        }
    }

    #[test]
    fn what_a_service_really_cost_is_what_is_paid() {
        let mut queue = FairQueue::new(1, 0, 0);
        for key in [1, 2, 1, 2, 1, 2] {
            queue.wait(request(key, COST), key);
        }
        let mut order = Vec::new();
        while let Some((key, service)) = queue.begin() {
            order.push(key);
            queue.end(service, if key == 1 { 1 } else { COST });
        }
        assert_eq!(order, [2, 1, 1, 1, 2, 2], "the last newcomer, the other one, then the cheap one");
    }

    #[test]
    fn who_waits_no_longer_and_who_is_idle_for_long_are_forgotten() {
        let mut queue = FairQueue::new(1, 0, CREDIT);
        for key in 0..3 * IDLE_KEYS_MAX as u32 {
            queue.wait(request(key, COST), key);
            queue.keep(|task| task % 2 == 0);
            if let Some((_, service)) = queue.begin() {
                queue.end(service, COST);
            }
        }
        assert_eq!(queue.waiting().count(), 0);
        assert!(queue.keys.len() <= IDLE_KEYS_MAX + 1, "{}", queue.keys.len());
    }

    mod slow {
        use super::*;

        #[test]
        fn an_honest_visitor_waits_for_no_turn_behind_a_hundred_floods_once_it_plays_and_for_one_before() {
            assert_eq!(turns_waited(4, 2, true), [0; 20]);
            // Without a reserve it waits for the first slot that becomes free.
            assert_eq!(turns_waited(4, 0, false), [1; 20]);
            assert_eq!(turns_waited(1, 0, false), [1; 20]);
        }
    }
}
