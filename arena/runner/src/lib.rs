//! Plays games and tournaments for real: over threads, with bots from files, into folders.
//!
//! [`Contender`] is whoever can be seated, [`Table`] plays one game between two of them, [`Folder`] is a tournament on
//! disk: started once, played by any number of threads, stopped at any moment and gone on with. [`verify_folder`] and
//! [`verify_record`] compute again what somebody says was played; [`debug`] asks a bot in the middle of a recorded game. The
//! command line and the service use the same code, so their results are the same bytes.
//!
//! What this crate deliberately is not: it prints nothing and parses no arguments.

mod contender;
mod folder;
mod host;
mod journal;
mod limits;
mod profile;
mod qualify;
mod recorded;
mod results;
mod semantics;
mod settlement;
mod table;
mod usage;
mod verify;
mod witness;

pub mod debug;

pub use contender::{Contender, Seated};
pub use folder::{Changed, Folder, FolderError, GAMES_MAX, Played, Progress, read_at_most};
pub use host::{Host, LoadError};
pub use journal::{Ended, Journal};
pub use limits::{Limit, LimitRow, limits};
pub use profile::{PROFILE_POINTS, Stack, profile, quick_points};
pub use qualify::{Objection, Qualification, QualifyError, Sample, SampleGame, qualify};
pub use semantics::{build_id, opponent_digests, semantics_id};
pub use table::{Table, TableError, Void};
pub use usage::{Call, Spread};
pub use verify::{BotFolder, Depth, Difference, Verdict, Verified, VerifyError, verify_folder, verify_record};
