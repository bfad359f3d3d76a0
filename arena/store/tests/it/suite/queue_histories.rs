//! Random histories of the queue: whatever workers say, in whatever order, a store answers as the plain one in memory does, with which the
//! protocol is simulated.

use std::sync::Arc;
use std::time::Duration;

use arena_clock::Clock;
use arena_record::Hex;
use arena_store::{AccountId, AskedGame, Lease, Limits, MemoryStore, NewEnd, Store, TournamentId, WorkerName};
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::runtime::Runtime;

const STEPS_MAX: usize = 60;
/// The last two are accounts', by their numbers.
const WORKERS: [&str; 6] = ["a", "b", "c", "d", "7", "12"];
const TOURNAMENTS: [&str; 2] = ["cup", "league"];
const SEMANTICS: [&str; 2] = ["ours", "theirs"];
const GAMES: u8 = 4;
/// Over at once, when some time has passed, and not within a test.
const LEASES_MS: [u64; 3] = [0, 1_000, 3_600_000];

/// A call. Leases are chosen among those that were ever given.
#[derive(Clone, Debug)]
enum Step {
    Ask { tournament: usize, games: Vec<u8> },
    Claim { worker: usize, semantics: usize, games_max: usize, lease: usize },
    Renew { worker: usize, leases: Vec<usize>, lease: usize },
    HandBack { worker: usize, leases: Vec<usize> },
    Submit { worker: usize, ends: Vec<(usize, u8)> },
    Quarantine { worker: usize },
    Forget { tournament: usize },
    Pass { ms: u64 },
}

fn step() -> impl Strategy<Value = Step> {
    let (worker, tournament, lease) = (0..WORKERS.len(), 0..TOURNAMENTS.len(), 0..LEASES_MS.len());
    let leases = vec(0_usize..64, 1..4);
    prop_oneof![
        3 => (tournament.clone(), vec(0..GAMES, 1..4)).prop_map(|(tournament, games)| Step::Ask { tournament, games }),
        6 => (worker.clone(), 0_usize..3, 1_usize..4, lease.clone())
            .prop_map(|(worker, semantics, games_max, lease)| Step::Claim { worker, semantics, games_max, lease }),
        2 => (worker.clone(), leases.clone(), lease)
            .prop_map(|(worker, leases, lease)| Step::Renew { worker, leases, lease }),
        1 => (worker.clone(), leases).prop_map(|(worker, leases)| Step::HandBack { worker, leases }),
        // Mostly the truth, which is 0; 1 and 2 are lies, 3 is void.
        8 => (worker.clone(), vec((0_usize..64, prop_oneof![5 => Just(0_u8), 2 => 1_u8..4]), 1..4))
            .prop_map(|(worker, ends)| Step::Submit { worker, ends }),
        1 => worker.prop_map(|worker| Step::Quarantine { worker }),
        1 => tournament.prop_map(|tournament| Step::Forget { tournament }),
        2 => (1_u64..1_500).prop_map(|ms| Step::Pass { ms }),
    ]
}

fn tournament(number: usize) -> TournamentId {
    TournamentId::parse(TOURNAMENTS[number]).expect("an id")
}

fn game(number: u8) -> AskedGame {
    let semantics = SEMANTICS[usize::from(number % 2)];
    AskedGame { key: Hex([number; 32]), semantics: semantics.into(), build: "1.0".into(), job: number.to_string() }
}

/// A store, and the leases that it ever gave.
struct World {
    store: Arc<dyn Store>,
    leases: Vec<Lease>,
}

impl World {
    fn lease(&self, number: usize) -> Option<Lease> {
        self.leases.get(number % self.leases.len().max(1)).cloned()
    }

    async fn step(&mut self, step: &Step) -> String {
        let store = self.store.clone();
        let worker = |number: &usize| match WORKERS[*number].parse() {
            Ok(account) => WorkerName::of_volunteer(AccountId(account)),
            Err(_) => WorkerName::parse(WORKERS[*number]).expect("a name"),
        };
        let chosen = |leases: &[usize]| leases.iter().filter_map(|lease| self.lease(*lease)).collect::<Vec<Lease>>();
        match step {
            Step::Ask { tournament: of, games } => {
                let games: Vec<AskedGame> = games.iter().copied().map(game).collect();
                format!("{:?}", store.ask_games(&tournament(*of), &games).await)
            }
            Step::Claim { worker: by, semantics, games_max, lease } => {
                let semantics: Vec<String> = SEMANTICS.iter().take(*semantics).map(|id| (*id).into()).collect();
                let claim = store.claim(&worker(by), &semantics, *games_max, LEASES_MS[*lease]).await;
                self.leases.extend(claim.iter().flat_map(|claim| &claim.games).map(|claimed| claimed.lease.clone()));
                format!("{claim:?}")
            }
            Step::Renew { worker: by, leases, lease } => {
                format!("{:?}", store.renew(&worker(by), &chosen(leases), LEASES_MS[*lease]).await)
            }
            Step::HandBack { worker: by, leases } => {
                format!("{:?}", store.hand_back(&worker(by), &chosen(leases)).await)
            }
            Step::Submit { worker: by, ends } => {
                let end = |(lease, said): &(usize, u8)| {
                    let text = format!("said {said}");
                    Some(NewEnd { lease: self.lease(*lease)?, is_void: *said == 3, is_sampled: *said == 2, text })
                };
                let ends: Vec<NewEnd> = ends.iter().filter_map(end).collect();
                format!("{:?}", store.submit_ends(&worker(by), &ends).await)
            }
            Step::Quarantine { worker: by } => format!("{:?}", store.quarantine(&worker(by), "a reason").await),
            // Of both stores at once: the clock is theirs.
            Step::Pass { .. } => String::new(),
            Step::Forget { tournament: of } => format!("{:?}", store.forget_games(&tournament(*of)).await),
        }
    }

    /// All that can be read.
    async fn everything(&self) -> String {
        let keys: Vec<Hex<32>> = (0..GAMES).map(|number| Hex([number; 32])).collect();
        let mut seen = format!("{:?}", self.store.quarantined().await.expect("readable"));
        seen += &format!("{:?}", self.store.volunteers().await.expect("readable"));
        for number in 0..TOURNAMENTS.len() {
            let mut ends = self.store.ends(&tournament(number), &keys).await.expect("readable");
            ends.sort_by_key(|end| end.key);
            seen += &format!("{ends:?} {:?}", self.store.end_hashes(&tournament(number)).await.expect("readable"));
        }
        seen
    }
}

async fn live_through(history: &[Step]) -> Result<(), TestCaseError> {
    let clock = Clock::manual(Duration::ZERO);
    let (store, _folder) = super::open(Limits::DEFAULT, clock.clone()).await;
    let world = |store| World { store, leases: Vec::new() };
    let (mut model, mut real) = (world(Arc::new(MemoryStore::default().with_clock(clock.clone()))), world(store));
    for (number, step) in history.iter().enumerate() {
        if let Step::Pass { ms } = step {
            clock.advance(Duration::from_millis(*ms));
        }
        prop_assert_eq!(model.step(step).await, real.step(step).await, "step {} {:?}", number, step);
        prop_assert_eq!(model.everything().await, real.everything().await, "after step {} {:?}", number, step);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(super::HISTORIES))]

    #[test]
    fn a_queue_answers_as_the_plain_one_does(history in vec(step(), 1..STEPS_MAX)) {
        Runtime::new().expect("a runtime").block_on(live_through(&history))?;
    }
}
