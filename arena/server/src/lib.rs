//! The arena on the web: pages, a JSON API and live rooms over WebSocket, for [`arena_service`].
//!
//! [`serve`] serves a socket until it is stopped. `router.rs` is the table of contents: every address, grouped by its
//! callers. Pages are rendered here, and work without script where they can. The script of live rooms and replays, and
//! the rules compiled for pages, are embedded files of `web/static` and `web/engine`.
//!
//! ```
//! use std::path::Path;
//!
//! use arena_server::{Assets, AssetsError};
//!
//! assert!(arena_server::openapi().contains("/api/v1/standings"));
//! let refused = Assets::embedded().in_folder(Path::new("no/such/folder"));
//! assert!(matches!(refused, Err(AssetsError::Incomplete { .. })));
//! ```
//!
//! What this crate deliberately is not: it judges nothing, plays nothing and keeps nothing. It is the only crate that
//! knows HTTP or HTML.

#![warn(clippy::disallowed_methods)]

mod admission;
mod api;
mod app;
mod aside;
mod assets;
mod base_url;
mod bot_games;
mod browser;
mod changes;
mod clean_text;
mod clip;
mod clocks;
mod compression;
mod connections;
mod dates;
mod engines;
#[cfg(test)]
#[path = "../../tests/eventually.rs"]
mod eventually;
mod featured_games;
mod frames;
mod fuel;
mod games;
mod guide;
mod handlers;
mod hosts;
mod idempotency;
mod identity;
mod interval;
mod language;
mod latest;
mod lessons;
mod limit_kind;
mod limits;
mod measures;
mod metrics;
mod modules;
mod names;
mod notes;
mod offline;
mod operator;
mod operator_session;
mod pages;
mod pictures;
mod preview;
mod problem;
mod report;
mod requests;
mod revocations;
mod room_protocol;
mod room_state;
mod router;
mod said;
mod scopes;
mod security;
mod session_cache;
mod socket;
mod sources;
mod stream;
mod text;
mod tombstones;
mod upload;
mod visitors;
mod waiting_rooms;
mod words;
mod world_protocol;
mod world_rules;

/// The messages between a site and the worker of an account.
pub mod volunteering {
    pub use crate::api::volunteers::{
        Became, Claim, ClaimWanted, ClaimedGame, End, Ends, Lease, Leases, OtherRelease, Renewal, Taking,
    };
    pub use crate::limits::ENDS_BYTES_MAX;
}

use arena_store::Gate;
use idempotency::once;
use language::{back, is_closed, language, languages, notice};
use measures::closed;

pub use app::Site;
pub use aside::ASIDE;
pub use assets::{Assets, AssetsError};
pub use connections::{Stop, serve};
pub use guide::plain::{GuideText, guide_texts};
pub use guide::search::COSTLIEST_SEARCH;
pub use hosts::{NotAPublicUrl, PublicUrl};
pub use metrics::{Metrics, note_backup, serve_metrics};
pub use operator::{NotAnOperatorToken, OperatorToken};
pub use report::{Place, Records, Report, ReportError, ReportGame};
pub use router::openapi;
pub use visitors::{NotANetwork, TrustedProxy};

/// Every limit that a visitor can meet, as `/api/v1/limits` shows it.
pub fn limits() -> Vec<arena_limits::Limit> {
    let usual = arena_store::Limits::DEFAULT;
    api::limits::all(arena_service::limits::BOTS_PER_OWNER_MAX, usual.list(&usual))
}
