//! A queue that is asked, and what was answered. It is compiled for each kind of store.

use std::sync::Arc;

use arena_record::Hex;
use arena_store::{AccountId, AskedGame, Lease, NewEnd, WorkerName};

use super::super::queue::{GAMES, LEASES_MS, SEMANTICS, Step, TOURNAMENTS, WORKERS, game, tournament};
use super::Tested;

/// A store, and the leases that it ever gave.
pub(crate) struct World {
    store: Arc<Tested>,
    leases: Vec<Lease>,
}

impl World {
    pub(crate) fn new(store: Arc<Tested>) -> World {
        World { store, leases: Vec::new() }
    }

    fn lease(&self, number: usize) -> Option<Lease> {
        self.leases.get(number % self.leases.len().max(1)).cloned()
    }

    pub(crate) async fn step(&mut self, step: &Step) -> String {
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
    pub(crate) async fn everything(&self) -> String {
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
