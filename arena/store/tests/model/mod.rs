//! A store in maps behind one lock: each method does what the store's says as plainly as possible. Random histories
//! compare the two. It has what they ask for, and not more.

mod accounts;
mod bots;
mod games;
mod operations;
mod people;
mod queue;
mod rooms;
mod slow;
mod tokens;
mod tombstones;
mod versions;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use arena_clock::Clock;
use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};

use crate::{
    AccountId, AuditEntry, BotId, Gate, IndexedGame, Limits, Page, Removed, Room, RoomTerms, SampleLog, StoreError,
    TokenId, TournamentId, UnixSeconds, VersionId,
};
use accounts::StoredAccount;
use bots::StoredBot;
use people::KeptGames;
use queue::QueueState;
use tokens::StoredToken;

/// The page of some rows: `follows` says whether a row comes after one with that key.
fn paged<K: Clone, T>(page: Page<K>, rows: impl Iterator<Item = T>, follows: impl Fn(&T, &K) -> bool) -> Vec<T> {
    let limit = page.limit() as usize;
    let after = page.key(None, Some);
    rows.filter(|row| after.as_ref().is_none_or(|after| follows(row, after))).take(limit).collect()
}

/// The model of a store.
pub(crate) struct Model {
    limits: Limits,
    /// The clock of leases.
    clock: Clock,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    accounts: BTreeMap<AccountId, StoredAccount>,
    /// By the hash of the token: the account, and the time of expiry.
    sessions: BTreeMap<[u8; 32], (AccountId, UnixSeconds)>,
    /// The browsers in which accounts signed in, and when they did so last.
    browsers: BTreeMap<(AccountId, Hex<32>), UnixSeconds>,
    tokens: BTreeMap<TokenId, StoredToken>,
    /// How many tokens were ever created.
    tokens_made: i64,
    bots: BTreeMap<BotId, StoredBot>,
    /// How many bots were ever created.
    bots_made: i64,
    modules: BTreeMap<EntrantId, Arc<[u8]>>,
    sample_logs: BTreeMap<VersionId, Vec<SampleLog>>,
    games: BTreeMap<TournamentId, BTreeMap<u32, IndexedGame>>,
    rooms: BTreeMap<RoomId, (Room, RoomTerms)>,
    room_people: BTreeMap<RoomId, BTreeSet<PersonId>>,
    people: KeptGames,
    /// What was removed, the oldest first, and when.
    gone: VecDeque<(Removed, UnixSeconds)>,
    closed_gates: BTreeSet<Gate>,
    /// Networks that are banned, and by which act.
    bans: BTreeMap<String, i64>,
    audit: Vec<AuditEntry>,
    queue: QueueState,
}

impl Model {
    /// An empty store whose leases end by this clock.
    fn new(limits: Limits, clock: Clock) -> Model {
        Model { limits, clock, state: Mutex::default() }
    }

    /// The time of leases, in milliseconds.
    fn now_ms(&self) -> u64 {
        self.clock.unix_micros() / 1_000
    }

    /// The state, locked. The error is the store's, which a model never has.
    fn state(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        Ok(self.state.lock().unwrap_or_else(PoisonError::into_inner))
    }

    async fn problems(&self) -> Result<Vec<String>, StoreError> {
        Ok(Vec::new())
    }
}
