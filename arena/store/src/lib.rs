//! What a server remembers: accounts, bots and their versions, an index of played games, the logs of live rooms.
//!
//! ```
//! use arena_store::{DisplayName, Store, UnixSeconds};
//!
//! async fn first_visit(store: &Store, now: UnixSeconds) -> Result<(), Box<dyn std::error::Error>> {
//!     let name = DisplayName::parse("Ada Lovelace")?;
//!     let (account, code) = store.create_account(&name, now).await?;
//!     // The one and only time that the code can be shown.
//!     println!("{} plays with {}", account.name, code.expose());
//!     assert_eq!(store.account_by_code(&code).await?, Some(account));
//!     Ok(())
//! }
//! ```
//!
//! A [`Store`] is a folder with a database, the bytes of bots as files named by their hash, and a lock. When a writing
//! method returns `Ok`, what it wrote survives the death of the process and of the machine's power. When it refuses, it
//! wrote nothing. After [`StoreError`], or when its future was dropped before it was done, it wrote everything or
//! nothing, and who must know asks again: submissions, verdicts, new rooms and events happen once however often they are
//! sent.
//!
//! What this crate deliberately is not: it never reads a clock (whoever calls says what time it is), never judges a bot
//! or a ply, knows no HTTP, and is no second truth about tournaments: their folders are, and the table of games is an
//! index that can be thrown away. It is the only crate that names a database. That is SQLite now; the SQL is plain and
//! the types of the interface are our own, so that another one can come behind the same methods.

mod accounts;
mod blobs;
mod bots;
mod checked_names;
mod directory;
mod error;
mod games;
mod limits;
mod logs;
mod migrations;
mod open;
mod page;
mod rooms;
mod secret;
mod sessions;
mod time;
mod versions;

pub use accounts::{Account, AccountError, AccountId};
pub use bots::{ActiveBot, Bot, BotId};
pub use checked_names::{BotName, DisplayName, NameError, TournamentId};
pub use directory::NamedVersion;
pub use error::StoreError;
pub use games::{GameError, IndexedGame};
pub use limits::{
    DISPLAY_NAME_CHARS_MAX, EVENT_BYTES_MAX, GAMES_PER_TOURNAMENT_MAX, Limits, MODULE_BYTES_MAX, NAME_BYTES_MAX,
    PAGE_MAX, REFUSAL_TEXT_BYTES_MAX, SAMPLE_LOG_BYTES_MAX,
};
pub use logs::SampleLog;
pub use open::{OpenError, Store};
pub use page::Page;
pub use rooms::{Appended, Room, RoomError, RoomId, RoomState};
pub use secret::{NotASecret, PlayerCode, SessionToken};
pub use time::UnixSeconds;
pub use versions::{JudgeError, Refusal, Submission, SubmitError, Verdict, Version, VersionId, VersionState};
