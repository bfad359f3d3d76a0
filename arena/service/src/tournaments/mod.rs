//! Plays tournaments: the editions of the standing ones, and those that accounts start. All of them take turns on one
//! thread, so that a site with many games works no more at once than one with a single game. What may happen in them,
//! and what people see of them, is in `standing` and `contests`.

mod contest;
mod edition;
mod paused;
mod run;
mod samples;
mod schedule;

use std::io;

use arena_runner::FolderError;
use arena_store::{GameError, NameError, StoreError};
use arena_tournaments::DefinitionError;
use arena_wire::UnknownGame;

use crate::contests::ContestRefused;
use crate::fleet::Unread;
use crate::servers::ReplicaError;

pub(crate) use schedule::play;

/// What comes next in a tournament.
enum Next {
    /// There is more to do.
    Step,
    /// Nothing to do until it changes or, if given, until this time in seconds since 1970.
    Wait(Option<i64>),
    /// It is over.
    Over,
    /// The service stops.
    Stop,
}

/// Why a step failed. The step is retried.
#[derive(Debug, thiserror::Error)]
enum Trouble {
    #[error("edition {edition} cannot be resumed, so the next is played")]
    Abandoned {
        edition: u32,
        #[source]
        why: FolderError,
    },
    #[error("it is finished, but workers disagree on {games} of its games: it waits for more results")]
    Undecided { games: usize },
    #[error(transparent)]
    Unread(#[from] Unread),
    #[error(transparent)]
    Folder(#[from] FolderError),
    #[error(transparent)]
    FolderReplica(#[from] ReplicaError),
    #[error(transparent)]
    Refused(#[from] ContestRefused),
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error(transparent)]
    Definition(#[from] DefinitionError),
    #[error(transparent)]
    Game(#[from] UnknownGame),
    #[error(transparent)]
    Name(#[from] NameError),
    #[error(transparent)]
    Index(#[from] GameError),
    #[error(transparent)]
    Disk(#[from] io::Error),
}
