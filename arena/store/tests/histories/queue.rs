//! Histories of the queue: whatever workers say, in whatever order.

use std::time::Duration;

use arena_clock::Clock;
use arena_record::Hex;
use arena_store::{AskedGame, Limits, TournamentId};
use proptest::collection::vec;
use proptest::prelude::*;
use tokio::runtime::Runtime;

use super::{plain, real};

const STEPS_MAX: usize = 60;
/// The last two are accounts', by their numbers.
pub(super) const WORKERS: [&str; 6] = ["a", "b", "c", "d", "7", "12"];
pub(super) const TOURNAMENTS: [&str; 2] = ["cup", "league"];
pub(super) const SEMANTICS: [&str; 2] = ["ours", "theirs"];
pub(super) const GAMES: u8 = 4;
/// Over at once, when some time has passed, and not within a test.
pub(super) const LEASES_MS: [u64; 3] = [0, 1_000, 3_600_000];

/// A call. Leases are chosen among those that were ever given.
#[derive(Clone, Debug)]
pub(crate) enum Step {
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

pub(super) fn tournament(number: usize) -> TournamentId {
    TournamentId::parse(TOURNAMENTS[number]).expect("an id")
}

pub(super) fn game(number: u8) -> AskedGame {
    let semantics = SEMANTICS[usize::from(number % 2)];
    AskedGame {
        key: Hex([number; 32]),
        semantics: semantics.into(),
        build: "1.0".into(),
        job: number.to_string(),
        is_sampled: number >= 2,
    }
}

async fn live_through(history: &[Step]) -> Result<(), TestCaseError> {
    let clock = Clock::manual(Duration::ZERO);
    let (store, _folder) = super::super::open(Limits::DEFAULT, clock.clone()).await;
    let plain = super::super::plain(Limits::DEFAULT, clock.clone()).await;
    let (mut plain, mut real) = (plain::workers::World::new(plain), real::workers::World::new(store));
    for (number, step) in history.iter().enumerate() {
        if let Step::Pass { ms } = step {
            clock.advance(Duration::from_millis(*ms));
        }
        prop_assert_eq!(plain.step(step).await, real.step(step).await, "step {} {:?}", number, step);
        prop_assert_eq!(plain.everything().await, real.everything().await, "after step {} {:?}", number, step);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(super::super::HISTORIES))]

    #[test]
    fn a_queue_answers_as_the_plain_one_does(history in vec(step(), 1..STEPS_MAX)) {
        Runtime::new().expect("a runtime").block_on(live_through(&history))?;
    }
}
