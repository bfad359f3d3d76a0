//! The store in memory: maps behind one lock. Each method implements its trait's description as plainly as possible, as a model for the
//! other stores.

mod accounts;
mod bots;
mod contests;
mod folders;
mod games;
mod operations;
mod people;
mod queue;
mod rooms;
mod secrets;
mod tokens;
mod tombstones;
mod versions;
mod worlds;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena_clock::Clock;
use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};
use async_trait::async_trait;

use crate::{
    AccountId, AuditEntry, BotId, ContestId, Gate, IndexedGame, Limits, Removed, Room, RoomTerms, SampleLog, Shared,
    StoreError, TokenId, TournamentId, UnixSeconds, Upkeep, VersionId, WorldName,
};
use accounts::StoredAccount;
use bots::StoredBot;
use contests::StoredContest;
use folders::KeptFolders;
use people::KeptGames;
use queue::QueueState;
use tokens::StoredToken;

/// A store that lasts as long as its process: for tests, and as the model of what a store does.
#[derive(Debug)]
pub struct MemoryStore {
    limits: Limits,
    /// The clock of leases.
    clock: Clock,
    state: Mutex<State>,
    asked: AtomicU64,
}

#[derive(Debug, Default)]
struct State {
    closed: bool,
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
    contests: BTreeMap<ContestId, StoredContest>,
    /// How many tournaments were ever opened.
    contests_made: i64,
    /// By world and first generation: the lines.
    worlds: BTreeMap<WorldName, BTreeMap<u64, Vec<String>>>,
    /// What was removed, the oldest first, and when.
    gone: VecDeque<(Removed, UnixSeconds)>,
    /// Whether there were others before these.
    has_forgotten: bool,
    closed_gates: BTreeSet<Gate>,
    measures: Vec<operations::StoredMeasure>,
    audit: Vec<AuditEntry>,
    /// Browsers of the operator, by the hash of what they have, and until when.
    operator_sessions: BTreeMap<[u8; 32], UnixSeconds>,
    queue: QueueState,
    folders: KeptFolders,
    /// By series and number.
    secrets: BTreeMap<(String, u32), [u8; 32]>,
}

/// A store was used after it was closed.
#[derive(Debug, thiserror::Error)]
#[error("the store is closed")]
struct Closed;

impl MemoryStore {
    /// An empty store whose leases never end.
    pub fn new(limits: Limits) -> MemoryStore {
        let clock = Clock::manual(Duration::ZERO);
        MemoryStore { limits, clock, state: Mutex::default(), asked: AtomicU64::new(0) }
    }

    /// The same store, whose leases end by this clock.
    pub fn with_clock(self, clock: Clock) -> MemoryStore {
        MemoryStore { clock, ..self }
    }

    /// The time of leases, in milliseconds.
    fn now_ms(&self) -> u64 {
        self.clock.unix_micros() / 1_000
    }

    /// The state, locked.
    fn state(&self) -> Result<MutexGuard<'_, State>, StoreError> {
        self.asked.fetch_add(1, Ordering::Relaxed);
        let state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.closed { Err(StoreError::Unavailable(Closed.into())) } else { Ok(state) }
    }
}

impl Default for MemoryStore {
    /// An empty store with the usual limits.
    fn default() -> MemoryStore {
        MemoryStore::new(Limits::DEFAULT)
    }
}

#[async_trait]
impl Upkeep for MemoryStore {
    async fn ping(&self) -> Result<(), StoreError> {
        self.state().map(drop)
    }

    async fn problems(&self) -> Result<Vec<String>, StoreError> {
        self.state().map(|_| Vec::new())
    }

    fn has_space(&self) -> Result<(), StoreError> {
        Ok(())
    }

    fn asked(&self) -> u64 {
        self.asked.load(Ordering::Relaxed)
    }

    async fn close(self: Arc<Self>) {
        if let Ok(mut state) = self.state() {
            state.closed = true;
        }
    }
}

/// Never shared: a process has it to itself.
impl Shared for MemoryStore {}
