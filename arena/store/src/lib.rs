//! Everything that a server remembers: accounts, bots and their versions, an index of played games, the logs of live rooms and worlds,
//! tournaments' logs, and a queue of games for workers.
//!
//! ```
//! use arena_store::{DisplayName, MemoryStore, Store, UnixSeconds};
//!
//! async fn first_visit(store: &dyn Store, now: UnixSeconds) -> Result<(), Box<dyn std::error::Error>> {
//!     let name = DisplayName::parse("Ada Lovelace")?;
//!     let (account, code) = store.create_account(&name, now).await?;
//!     // The one and only time that the code can be shown.
//!     println!("{} plays with {}", account.name, code.expose());
//!     assert_eq!(store.account_by_code(&code).await?, Some(account));
//!     Ok(())
//! }
//!
//! let store = MemoryStore::default();
//! let visit = first_visit(&store, UnixSeconds(1_800_000_000));
//! # tokio::runtime::Builder::new_current_thread().build().unwrap().block_on(visit).unwrap();
//! ```
//!
//! [`Store`] is the interface: one trait for each subject, with promises to concurrent callers that hold for all of them. Servers
//! hold an `Arc<dyn Store>`. [`SqliteStore`] keeps everything in a folder, [`PostgresStore`] in the database of a server.
//! [`MemoryStore`] keeps it in maps. It is the plain model that the others are compared with, and the store of tests.
//!
//! What this crate deliberately is not: it never reads a clock (callers pass the time; only leases go by the database's single clock, or by
//! one that a test passes), never judges a bot or a ply, and knows no HTTP. Tournament folders are authoritative for tournaments, and servers that
//! share a store [keep](Folders) them in it; the table of games is an index that can be rebuilt. This is the only crate that names a
//! database, and only it knows where and in what form anything is kept.

#![warn(clippy::disallowed_methods)]

mod accounts;
mod blobs;
mod bots;
mod checked_names;
mod contests;
mod error;
mod folders;
mod games;
mod ids;
mod limits;
mod logs;
mod memory;
mod message;
mod operations;
mod page;
mod people;
mod postgres;
mod queue;
mod reason;
mod rooms;
mod secret;
mod secrets;
mod shared;
mod space;
mod sql;
mod sqlite;
mod store;
mod time;
mod tokens;
mod tombstones;
mod versions;
mod worlds;

pub use accounts::{Account, AccountError, AccountId, Accounts, DELETED};
pub use bots::{ActiveBot, Bot, BotError, Bots, NamedVersion};
pub use checked_names::{BotName, DisplayName, NameError, TournamentId, WorldName};
pub use contests::{
    CONTEST_EVENT_BYTES_MAX, CONTEST_EVENTS_MAX, Contest, ContestError, ContestEvent, ContestId, Contests, Counted,
    NewContest, Phase,
};
pub use error::StoreError;
pub use folders::{FileChange, Folders, KeptFolder, PIECE_BYTES_MAX, Piece};
pub use games::{GameError, GameResult, GamesIndex, IndexedGame, Order, PlayedGame, Player, Results, Which};
pub use ids::{BotId, VersionId};
pub use limits::{
    DISPLAY_NAME_CHARS_MAX, GAMES_PER_TOURNAMENT_MAX, LOGGED_VERSIONS_MAX, Limits, MODULE_BYTES_MAX, NAME_BYTES_MAX,
    OBJECTION_TEXT_BYTES_MAX, PAGE_MAX, SAMPLE_LOG_BYTES_MAX,
};
pub use logs::{SampleLog, SampleLogError, SampleLogs};
pub use memory::MemoryStore;
pub use message::{
    MESSAGE_BYTES_MAX, PackedCall, RoomMessage, Sent, ServerId, ServerMessage, WorldAnswer, WorldMessage,
};
pub use operations::{
    Act, ActError, AuditEntry, BANS_MAX, Gate, Measure, MeasureKind, NOTICE_CHARS_MAX, NotANotice, Notice,
    OPERATOR_SESSIONS_MAX, Operations,
};
pub use page::Page;
pub use people::{GamesKept, Keeping, NewPeopleGame, PeopleGame, PeopleGames};
pub use postgres::{ConnectError, PostgresStore};
pub use queue::{
    AskedGame, Claim, Claimed, END_BYTES_MAX, GAMES_OF_A_CALL_MAX, GameEnd, JOB_BYTES_MAX, LEASE_MS_MAX, Lease, NewEnd,
    NotAWorkerName, OtherRelease, Queue, QueueError, QueueFigures, REFUTED_VOIDS_MAX, Taken, VOLUNTEER_FIRST_GAMES,
    VOLUNTEER_GAMES_MAX, VOLUNTEER_LEASE_MS_MAX, Volunteer, WORKER_NAME_BYTES_MAX, WorkerName,
};
pub use reason::{NotAReason, REASON_CHARS_MAX, Reason};
pub use rooms::{Appended, OwnRoom, Room, RoomError, RoomLogs, RoomState, RoomTerms};
pub use secret::{AccessToken, Credential, NotASecret, PlayerCode, SessionToken, random_bytes};
pub use secrets::Secrets;
pub use shared::{DUTY_BYTES_MAX, NEWS_AT_ONCE_MAX, NEWS_KEPT, News, Notifications, Shared, Topic};
pub use sql::{Copied, CopyError, Inspection};
pub use sqlite::{OpenError, SqliteStore};
pub use store::{Store, Upkeep};
pub use time::UnixSeconds;
pub use tokens::{NewToken, Scope, Token, TokenError, TokenId, Tokens};
pub use tombstones::{Removed, Tombstones};
pub use versions::{Submission, SubmitError, Verdict, VerdictError, Version, VersionState, Versions};
pub use worlds::{WORLD_LINE_BYTES_MAX, WORLD_SPAN_LINES_MAX, WorldError, WorldLine, WorldLogs, WorldSpan};
