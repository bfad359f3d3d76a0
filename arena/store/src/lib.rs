//! Everything that a server remembers: accounts, bots and their versions, an index of played games, the logs of live
//! rooms and worlds, tournaments' logs, and a queue of games for workers.
//!
//! ```
//! use arena_store::{DisplayName, Limits, Store, UnixSeconds};
//!
//! async fn first_visit(store: &Store, now: UnixSeconds) -> Result<(), Box<dyn std::error::Error>> {
//!     let name = DisplayName::parse("Ada Lovelace")?;
//!     let (account, code) = store.create_account(&name, now).await?;
//!     // The one and only time that the code can be shown.
//!     println!("{} plays with {}", account.name, code.expose());
//!     assert_eq!(store.account_by_code(&code).await?, Some(account));
//!     Ok(())
//! }
//!
//! # let visit = async {
//! let store = Store::in_memory(Limits::DEFAULT).await?;
//! first_visit(&store, UnixSeconds(1_800_000_000)).await
//! # };
//! # tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap().block_on(visit).unwrap();
//! ```
//!
//! [`Store`] has a method for everything that is asked of it, and promises to concurrent callers that hold for all of
//! them. Servers hold an `Arc<Store>`. It keeps everything in a [folder](Store::open), in the database of a
//! [server](Store::connect), or for tests [in memory](Store::in_memory), with the same statements.
//!
//! What this crate deliberately is not: it never reads a clock (callers pass the time; only leases go by the database's
//! single clock, or by one that a test passes), never judges a bot or a ply, and knows no HTTP. Tournament folders are
//! authoritative for tournaments, and servers that share a store [keep](Store::keep_folder) them in it; the table of
//! games is an index that can be rebuilt. This is the only crate that names a database, and only it knows where and in
//! what form anything is kept.

#![warn(clippy::disallowed_methods)]
#![cfg_attr(test, expect(clippy::duplicate_mod, reason = "histories are compiled for each kind of store"))]

// By this name, too, for tests that are modules of this crate and of another.
#[cfg(test)]
extern crate self as arena_store;

mod accounts;
mod adjusted;
mod blobs;
mod bots;
mod checked_names;
mod contests;
mod error;
mod folders;
mod games;
mod ids;
mod licence;
mod limits;
mod logs;
mod message;
#[cfg(test)]
#[path = "../tests/model/mod.rs"]
mod model;
mod operations;
mod page;
mod people;
mod policy;
mod probe;
mod queue;
mod reason;
mod rooms;
mod secret;
mod shared;
mod space;
mod sql;
mod time;
mod tokens;
mod tombstones;
mod versions;
mod workers;
mod worlds;

pub use accounts::{Account, AccountError, AccountId, DELETED};
pub use adjusted::{AdjustError, Adjusted};
pub use bots::{ActiveBot, Bot, BotError, NamedVersion};
pub use checked_names::{BotName, DisplayName, NameError, TournamentId, WorldName};
pub use contests::{
    CONTEST_EVENT_BYTES_MAX, Contest, ContestError, ContestEvent, ContestId, Counted, NewContest, Phase,
};
pub use error::StoreError;
pub use folders::{FileChange, JournalChange, KeptFolder, KeptLine, NewLine, PIECE_BYTES_MAX, Piece};
pub use games::{GameError, GameResult, IndexedGame, Order, PlayedGame, Player, Results, Which};
pub use ids::{BotId, VersionId};
pub use licence::Licence;
pub use limits::{
    CONTEST_EVENTS_MAX, DISPLAY_NAME_CHARS_MAX, GAMES_PER_TOURNAMENT_MAX, LOGGED_VERSIONS_MAX, Limits,
    MODULE_BYTES_MAX, NAME_BYTES_MAX, OBJECTION_TEXT_BYTES_MAX, PAGE_MAX, SAMPLE_LOG_BYTES_MAX,
};
pub use logs::{SampleLog, SampleLogError};
pub use message::{
    MESSAGE_BYTES_MAX, PackedCall, RoomMessage, Sent, ServerId, ServerMessage, WorldAnswer, WorldMessage,
};
pub use operations::{
    Act, ActError, AuditEntry, BANS_MAX, Gate, Measure, MeasureKind, NOTICE_CHARS_MAX, NotANotice, Notice,
    OPERATOR_SESSIONS_MAX,
};
pub use page::Page;
pub use people::{GamesKept, Keeping, NewPeopleGame, PeopleGame};
pub use probe::{Event, Probe};
pub use queue::{
    AskedGame, Claim, Claimed, END_BYTES_MAX, GAMES_OF_A_CALL_MAX, GameEnd, JOB_BYTES_MAX, LEASE_MS_MAX, Lease, NewEnd,
    NotAWorkerName, OtherRelease, QueueError, QueueFigures, REFUTED_VOIDS_MAX, Taken, VOLUNTEER_FIRST_GAMES,
    VOLUNTEER_GAMES_MAX, VOLUNTEER_LEASE_MS_MAX, Volunteer, WORKER_NAME_BYTES_MAX, WorkerName,
};
pub use reason::{NotAReason, REASON_CHARS_MAX, Reason};
pub use rooms::{Appended, OwnRoom, Room, RoomError, RoomState, RoomTerms};
pub use secret::{AccessToken, Credential, NotASecret, PlayerCode, SessionToken, WorkerToken, random_bytes};
pub use shared::{DUTY_BYTES_MAX, NEWS_AT_ONCE_MAX, NEWS_KEPT, News, Notifications, Topic};
pub use sql::{ConnectError, Copied, CopyError, Inspection, OpenError, Store};
pub use time::UnixSeconds;
pub use tokens::{NewToken, Scope, Token, TokenError, TokenId};
pub use tombstones::Removed;
pub use versions::{Submission, SubmitError, Verdict, VerdictError, Version, VersionState};
pub use workers::{OwnWorker, WorkerError};
pub use worlds::{WORLD_LINE_BYTES_MAX, WORLD_SPAN_LINES_MAX, WorldError, WorldLine, WorldSpan};
