//! What a tournament's folder says, as pure functions over its texts: the plan that its manifest and definition make,
//! the course of its games by its journal, and the results that follow.
//!
//! ```
//! use arena_ledger::{Ended, VoidGame};
//!
//! let void = Ended::Void(VoidGame { tries: 3, quarantined: vec![1] });
//! assert_eq!(Ended::parse_line(void.to_line(5).as_bytes())?, (5, void));
//! # Ok::<(), arena_ledger::LineError>(())
//! ```
//!
//! What this crate deliberately is not: it plays no game and opens no file. It compiles to WebAssembly, so that a page
//! reads a folder as `arena verify` does.

mod change;
mod course;
mod ended;
mod folder;
mod index;
mod journal;
mod journalled;
pub mod layout;
mod limits;
mod manifest;
mod native;
mod plan;
mod results;
mod semantics;
mod settlement;
mod terms;
#[cfg(test)]
mod testing;

pub use change::{CHANGE, CHANGES_MAX, Change, ChangeError, ChangeKind, REASON_CHARS_MAX};
pub use course::Course;
pub use ended::{Ended, LineError, VoidGame, line, numbered, parts};
pub use folder::{
    BEGUN_OTHERWISE, BYTE_ORDER_MARK, Damaged, Entries, FILES_MAX, Flaw, Incomplete, Kind, Names, has_other_line_ends,
};
pub use index::{ENTRY_BYTES, place, text as index_text};
pub use journal::{End, JournalError, Line, Places, Tail, Text, changes, game_at, is_change, line_at, lines, read};
pub use journalled::{Journalled, Wrong, change, journalled};
pub use limits::{GAMES_MAX, JOURNAL_BYTES_MAX, LIMITS, LINE_BYTES_MAX};
pub use manifest::{FORM, MANIFEST_BYTES_MAX, Manifest, ManifestEntrant, ManifestError};
pub use native::BuiltIn;
pub use plan::{Misfit, Plan, PlanError, format_of};
pub use results::{Pieces, Summary};
pub use semantics::{opponent_digests, semantics_id};
pub use terms::Terms;
