//! A store that counts what it is asked, and fails as a test wishes.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Debug, Write};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use arena_clock::Clock;
use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};
use arena_store::{
    AccessToken, Account, AccountError, AccountId, Accounts, Act, ActError, ActiveBot, Appended, AskedGame, AuditEntry,
    Bot, BotError, BotId, BotName, Bots, Claim, Contest, ContestError, ContestEvent, ContestId, Contests,
    Counted as ContestCounted, DisplayName, Folders, GameEnd, GameError, GamesIndex, GamesKept, Gate, IndexedGame,
    Lease, Limits, Measure, MemoryStore, NamedVersion, NewContest, NewEnd, NewPeopleGame, NewToken, Operations, Order,
    OwnRoom, Page, PeopleGame, PeopleGames, PlayedGame, Player, PlayerCode, Queue, QueueError, QueueFigures, Reason,
    Removed, Results, Room, RoomError, RoomLogs, RoomTerms, SampleLog, SampleLogError, SampleLogs, Secrets,
    SessionToken, Shared, StoreError, Submission, SubmitError, Taken, Token, TokenError, TokenId, Tokens, Tombstones,
    TournamentId, UnixSeconds, Upkeep, Verdict, VerdictError, Version, VersionId, Versions, Volunteer, Which,
    WorkerName, WorldError, WorldLogs, WorldName, WorldSpan,
};
use async_trait::async_trait;

/// The thread of the service that plays tournaments. What it asks belongs to no answer: it looks at whole fields, whenever one changes.
const TOURNAMENTS: &str = "tournaments";

/// A store in memory that counts its queries: each call of a method is one, except those of [`TOURNAMENTS`].
pub(crate) struct Counted {
    store: Arc<MemoryStore>,
    queries: AtomicUsize,
    /// Whether it answers nobody.
    is_down: AtomicBool,
    /// Whether its disk has no room for anything new.
    is_full: AtomicBool,
    /// Whether the bytes of what it answers are counted, and how many they are so far, as `{:?}` writes them.
    is_metered: AtomicBool,
    read: AtomicU64,
    /// Whether it was asked with a text that has U+0000, while this is looked at.
    heard_null: AtomicBool,
    /// The clock, and how long each query takes by it.
    slow: Mutex<Option<(Clock, Duration)>>,
}

impl Counted {
    /// An empty store.
    pub(crate) fn new(limits: Limits) -> Counted {
        let (is_down, is_full) = (AtomicBool::new(false), AtomicBool::new(false));
        let store = Arc::new(MemoryStore::new(limits));
        let (queries, read) = (AtomicUsize::new(0), AtomicU64::new(0));
        let (is_metered, heard_null) = (AtomicBool::new(false), AtomicBool::new(false));
        Counted { store, queries, is_down, is_full, is_metered, read, heard_null, slow: Mutex::default() }
    }

    /// Queries so far.
    pub(crate) fn queries(&self) -> usize {
        self.queries.load(Ordering::Relaxed)
    }

    /// Counts the bytes of what it answers, and looks for U+0000 in what it is asked with, from now on. That takes time.
    pub(crate) fn meter(&self) {
        self.is_metered.store(true, Ordering::Relaxed);
    }

    /// The bytes of what it has answered since.
    pub(crate) fn read(&self) -> u64 {
        self.read.load(Ordering::Relaxed)
    }

    /// Whether it was asked with a text that has U+0000.
    pub(crate) fn heard_null(&self) -> bool {
        self.heard_null.load(Ordering::Relaxed)
    }

    /// Lets every query fail from now on, or none any more.
    pub(crate) fn fail(&self, fails: bool) {
        self.is_down.store(fails, Ordering::Relaxed);
    }

    /// Fills its disk, or makes space again.
    pub(crate) fn fill(&self, full: bool) {
        self.is_full.store(full, Ordering::Relaxed);
    }

    /// Lets each query take so long by a clock.
    pub(crate) fn slow_down(&self, clock: &Clock, by: Duration) {
        *self.slow.lock().unwrap_or_else(PoisonError::into_inner) = Some((clock.clone(), by));
    }

    /// Looks for U+0000 in what it is asked with.
    fn heard(&self, asked: fmt::Arguments<'_>) {
        if self.is_metered.load(Ordering::Relaxed) {
            let mut nulls = Nulls { is_escaped: false, found: &self.heard_null };
            // Looking cannot fail.
            let _ = nulls.write_fmt(asked);
        }
    }

    /// Counts the bytes of an answer.
    fn answered<T: Debug>(&self, answer: T) -> T {
        let is_counted = std::thread::current().name() != Some(TOURNAMENTS);
        if is_counted && self.is_metered.load(Ordering::Relaxed) {
            // Counting cannot fail.
            let _ = write!(Bytes(&self.read), "{answer:?}");
        }
        answer
    }

    fn count(&self) -> Result<(), StoreError> {
        if std::thread::current().name() != Some(TOURNAMENTS) {
            self.queries.fetch_add(1, Ordering::Relaxed);
        }
        if let Some((clock, by)) = &*self.slow.lock().unwrap_or_else(PoisonError::into_inner) {
            clock.advance(*by);
        }
        if self.is_down.load(Ordering::Relaxed) { Err(StoreError::Unavailable("a test".into())) } else { Ok(()) }
    }
}

/// Counts what is written.
struct Bytes<'a>(&'a AtomicU64);

impl Write for Bytes<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.0.fetch_add(text.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}

/// Finds U+0000 in what `{:?}` writes, where it is a backslash and a zero.
struct Nulls<'a> {
    /// Whether a backslash stands before what is written next, and none before that.
    is_escaped: bool,
    found: &'a AtomicBool,
}

impl Write for Nulls<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            if self.is_escaped && byte == b'0' {
                self.found.store(true, Ordering::Relaxed);
            }
            self.is_escaped = byte == b'\\' && !self.is_escaped;
        }
        Ok(())
    }
}

/// The methods of a trait: each counts one query and asks the store.
macro_rules! counted {
    ($($trait:ident { $(fn $name:ident($($arg:ident: $type:ty),*) -> $answer:ty;)* })*) => {$(
        #[async_trait]
        impl $trait for Counted {
            $(async fn $name(&self, $($arg: $type),*) -> $answer {
                self.count()?;
                self.heard(format_args!("{:?}", ($(&$arg,)*)));
                self.answered(self.store.$name($($arg),*).await)
            })*
        }
    )*};
}

counted! {
    Accounts {
        fn create_account(name: &DisplayName, now: UnixSeconds) -> Result<(Account, PlayerCode), AccountError>;
        fn account(id: AccountId) -> Result<Option<Account>, StoreError>;
        fn account_by_code(code: &PlayerCode) -> Result<Option<Account>, StoreError>;
        fn rename_account(id: AccountId, name: &DisplayName) -> Result<Account, AccountError>;
        fn replace_code(id: AccountId) -> Result<PlayerCode, AccountError>;
        fn create_session(id: AccountId, expires_at: UnixSeconds) -> Result<SessionToken, AccountError>;
        fn account_by_session(token: &SessionToken, now: UnixSeconds) -> Result<Option<Account>, StoreError>;
        fn end_session(token: &SessionToken) -> Result<(), StoreError>;
        fn delete_account(id: AccountId, now: UnixSeconds) -> Result<(), AccountError>;
        fn drop_expired_sessions(now: UnixSeconds) -> Result<u64, StoreError>;
        fn note_browser(id: AccountId, browser: Hex<32>, now: UnixSeconds) -> Result<(), AccountError>;
        fn browsers_of(accounts: &[AccountId]) -> Result<BTreeMap<AccountId, BTreeSet<Hex<32>>>, StoreError>;
    }
    WorldLogs {
        fn worlds() -> Result<Vec<WorldName>, StoreError>;
        fn begin_span(world: &WorldName, from: u64, snapshot: &str) -> Result<Appended, WorldError>;
        fn append_to_world(world: &WorldName, from: u64, seq: u32, line: &str) -> Result<Appended, WorldError>;
        fn world_span(world: &WorldName, until: u64) -> Result<Option<WorldSpan>, StoreError>;
        fn world_lines(world: &WorldName, from: u64, seq: u32) -> Result<Vec<String>, StoreError>;
        fn world_spans(world: &WorldName, page: Page<u64>) -> Result<Vec<u64>, StoreError>;
    }
    Tokens {
        fn create_token(account: AccountId, new: &NewToken, now: UnixSeconds)
            -> Result<(Token, AccessToken), TokenError>;
        fn tokens_of(account: AccountId) -> Result<Vec<Token>, StoreError>;
        fn account_by_token(secret: &AccessToken, now: UnixSeconds) -> Result<Option<(Account, Token)>, StoreError>;
        fn note_use(id: TokenId, now: UnixSeconds) -> Result<(), StoreError>;
        fn revoke_token(account: AccountId, id: TokenId) -> Result<bool, StoreError>;
    }
    Bots {
        fn bot(id: BotId) -> Result<Option<Bot>, StoreError>;
        fn bot_by_name(name: &BotName) -> Result<Option<Bot>, StoreError>;
        fn bots_of(account: AccountId, page: Page<BotId>) -> Result<Vec<Bot>, StoreError>;
        fn active_bots(game: Option<&str>, page: Page<BotId>) -> Result<Vec<ActiveBot>, StoreError>;
        fn active_bots_named(game: &str, names: &[BotName]) -> Result<Vec<ActiveBot>, StoreError>;
        fn choose_version(id: BotId, number: Option<u32>) -> Result<Bot, BotError>;
        fn rename_bot(id: BotId, name: &BotName) -> Result<Bot, BotError>;
        fn delete_bot(id: BotId, now: UnixSeconds) -> Result<(), StoreError>;
        fn named(game: Option<&str>, entrants: &[EntrantId]) -> Result<BTreeMap<EntrantId, NamedVersion>, StoreError>;
    }
    Queue {
        fn keep_for_queue(tournament: &TournamentId, entrant: &EntrantId, bytes: &[u8]) -> Result<(), StoreError>;
        fn module_in_queue(entrant: &EntrantId) -> Result<Option<Vec<u8>>, StoreError>;
        fn ask_games(tournament: &TournamentId, games: &[AskedGame]) -> Result<(), QueueError>;
        fn ends(tournament: &TournamentId, keys: &[Hex<32>]) -> Result<Vec<GameEnd>, QueueError>;
        fn end_hashes(tournament: &TournamentId) -> Result<BTreeMap<Hex<32>, Option<Hex<32>>>, StoreError>;
        fn forget_games(tournament: &TournamentId) -> Result<(), StoreError>;
        fn claim(worker: &WorkerName, semantics: &[String], games_max: usize, lease_ms: u64)
            -> Result<Claim, QueueError>;
        fn renew(worker: &WorkerName, leases: &[Lease], lease_ms: u64) -> Result<Vec<Lease>, QueueError>;
        fn hand_back(worker: &WorkerName, leases: &[Lease]) -> Result<(), QueueError>;
        fn submit_ends(worker: &WorkerName, ends: &[NewEnd]) -> Result<Vec<Taken>, QueueError>;
        fn quarantine(worker: &WorkerName, reason: &str) -> Result<(), StoreError>;
        fn quarantined() -> Result<BTreeMap<WorkerName, String>, StoreError>;
        fn queue_state() -> Result<QueueFigures, StoreError>;
        fn volunteers() -> Result<Vec<Volunteer>, StoreError>;
        fn volunteer(account: AccountId) -> Result<Option<Volunteer>, StoreError>;
    }
    PeopleGames {
        fn rooms_to_tally(until: UnixSeconds) -> Result<Vec<RoomId>, StoreError>;
        fn tally_room(id: &RoomId, game: Option<&NewPeopleGame<'_>>, now: UnixSeconds) -> Result<(), StoreError>;
        fn people_games(page: Page<i64>) -> Result<(u64, Vec<PeopleGame>), StoreError>;
        fn games_kept() -> Result<GamesKept, StoreError>;
        fn people_games_of(account: AccountId, page: Page<i64>) -> Result<Vec<PeopleGame>, StoreError>;
        fn people_game(room: &RoomId) -> Result<Option<PeopleGame>, StoreError>;
        fn names_of(accounts: &[AccountId]) -> Result<BTreeMap<AccountId, DisplayName>, StoreError>;
    }
    Versions {
        fn submit(account: AccountId, name: &BotName, game: &str, bytes: Arc<[u8]>, now: UnixSeconds)
            -> Result<Submission, SubmitError>;
        fn set_verdict(id: VersionId, verdict: Verdict) -> Result<Version, VerdictError>;
        fn version(id: VersionId) -> Result<Option<Version>, StoreError>;
        fn versions(bot: BotId, page: Page<u32>) -> Result<Vec<Version>, StoreError>;
        fn versions_of(account: AccountId, page: Page<VersionId>) -> Result<Vec<Version>, StoreError>;
        fn pending_versions(page: Page<VersionId>) -> Result<Vec<Version>, StoreError>;
        fn module(entrant: &EntrantId) -> Result<Vec<u8>, StoreError>;
    }
    SampleLogs {
        fn keep_sample_logs(id: VersionId, logs: &[SampleLog]) -> Result<(), SampleLogError>;
        fn sample_logs(id: VersionId) -> Result<Vec<SampleLog>, StoreError>;
    }
    GamesIndex {
        fn reindex(tournament: &TournamentId, games: &[IndexedGame]) -> Result<(), GameError>;
        fn remove_games(tournament: &TournamentId, now: UnixSeconds) -> Result<(), StoreError>;
        fn games_count(tournament: &TournamentId) -> Result<usize, StoreError>;
        fn game(tournament: &TournamentId, number: u32) -> Result<Option<IndexedGame>, StoreError>;
        fn games(tournament: &TournamentId, page: Page<u32>) -> Result<Vec<IndexedGame>, StoreError>;
        fn latest_games(tournament: &TournamentId, page: Page<u32>) -> Result<Vec<IndexedGame>, StoreError>;
        fn games_of(player: &Player, among: &[TournamentId], which: &Which, order: Order, page: Page<(usize, u32)>)
            -> Result<Vec<PlayedGame>, StoreError>;
        fn results_of(entrant: &EntrantId, tournament: &TournamentId) -> Result<BTreeMap<EntrantId, Results>, StoreError>;
        fn first_played(entrant: &EntrantId, tournaments: &[TournamentId]) -> Result<Option<TournamentId>, StoreError>;
    }
    Tombstones {
        fn gone_since(what: &Removed) -> Result<Option<UnixSeconds>, StoreError>;
        fn forgotten_before() -> Result<Option<UnixSeconds>, StoreError>;
    }
    Operations {
        fn act(act: &Act, reason: &Reason, now: UnixSeconds) -> Result<AuditEntry, ActError>;
        fn audit(page: Page<i64>) -> Result<Vec<AuditEntry>, StoreError>;
        fn closed() -> Result<BTreeSet<Gate>, StoreError>;
        fn measures(now: UnixSeconds) -> Result<Vec<Measure>, StoreError>;
        fn account_by_name(name: &DisplayName) -> Result<Option<Account>, StoreError>;
        fn begin_operator_session(hash: &[u8; 32], expires_at: UnixSeconds, now: UnixSeconds) -> Result<(), StoreError>;
        fn is_operator_session(hash: &[u8; 32], now: UnixSeconds) -> Result<bool, StoreError>;
        fn end_operator_session(hash: &[u8; 32]) -> Result<(), StoreError>;
    }
    RoomLogs {
        fn create_room(id: &RoomId, event: &str, terms: &RoomTerms, now: UnixSeconds) -> Result<(), RoomError>;
        fn append(id: &RoomId, seq: u32, event: &str, now: UnixSeconds) -> Result<Appended, RoomError>;
        fn finish_room(id: &RoomId, sat: &[PersonId], now: UnixSeconds) -> Result<(), RoomError>;
        fn room(id: &RoomId) -> Result<Option<Room>, StoreError>;
        fn rooms_of(person: PersonId, page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError>;
        fn latest_rooms_of(person: PersonId, limit: u32) -> Result<Vec<OwnRoom>, StoreError>;
        fn open_rooms(page: Page<RoomId>) -> Result<Vec<RoomId>, StoreError>;
        fn silent_rooms(now: UnixSeconds) -> Result<Vec<RoomId>, StoreError>;
        fn quietest_room(since: UnixSeconds) -> Result<Option<RoomId>, StoreError>;
    }
    Contests {
        fn open_contest(new: &NewContest<'_>, now: UnixSeconds) -> Result<ContestId, ContestError>;
        fn append_to_contest(id: ContestId, seq: u32, event: &str, counted: &ContestCounted, now: UnixSeconds)
            -> Result<(), ContestError>;
        fn contest(id: ContestId) -> Result<Option<(Contest, Vec<ContestEvent>)>, StoreError>;
        fn contests(owner: Option<AccountId>, page: Page<ContestId>) -> Result<Vec<Contest>, StoreError>;
        fn contests_under_way() -> Result<Vec<ContestId>, StoreError>;
        fn forget_contest(id: ContestId, now: UnixSeconds) -> Result<(), StoreError>;
        fn contest_secret(id: ContestId) -> Result<Option<[u8; 32]>, StoreError>;
    }
    Secrets {
        fn secret(series: &str, number: u32, fresh: [u8; 32]) -> Result<[u8; 32], StoreError>;
        fn forget_secrets(series: &str, up_to: u32) -> Result<(), StoreError>;
    }
}

/// A process's own.
impl Shared for Counted {}
impl Folders for Counted {}

#[async_trait]
impl Upkeep for Counted {
    async fn ping(&self) -> Result<(), StoreError> {
        self.count()?;
        self.store.ping().await
    }

    async fn problems(&self) -> Result<Vec<String>, StoreError> {
        self.store.problems().await
    }

    fn asked(&self) -> u64 {
        self.queries() as u64
    }

    fn has_space(&self) -> Result<(), StoreError> {
        if self.is_full.load(Ordering::Relaxed) { Err(StoreError::NoSpace) } else { self.store.has_space() }
    }

    async fn close(self: Arc<Self>) {
        self.store.clone().close().await;
    }
}
