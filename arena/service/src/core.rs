//! What all parts of the service share.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use arena_runner::{Host, Workers};
use arena_sandbox::{WALL_MS_DEFAULT, Wall};
use arena_store::{Store, StoreError, TournamentId, UnixSeconds};
use arena_wire::{GAMES, Game};
use arena_worker::Pool;
use tokio::runtime::Handle;
use tokio::sync::oneshot;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Span;

pub use crate::causes::with_causes;
use crate::duties::Duties;
use crate::fleet::{Elsewhere, Post};
use crate::games::Games;
use crate::limits::ELSEWHERE_GAMES;
use crate::shelf::Shelf;

/// Protects the machine, never decides a game.
pub(crate) const WALL: Wall = Wall::Milliseconds(WALL_MS_DEFAULT);

/// The game of a ruleset, with its version as bots and rooms have it; `None` when this release does not have it any more.
pub(crate) fn game_of(ruleset: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.ruleset == ruleset)
}

pub(crate) struct Core {
    pub(crate) store: Arc<dyn Store>,
    /// What this one of several servers does.
    pub(crate) duties: Duties,
    /// Folders of tournaments, if servers share the store.
    pub(crate) shelf: Shelf,
    pub(crate) pool: Pool,
    /// Where games of tournaments are asked for, if other processes play them.
    pub(crate) post: Option<Post>,
    /// Set when the service closes: nothing new is begun then.
    pub(crate) stopping: CancellationToken,
    /// What is waited for when the service closes.
    pub(crate) tasks: TaskTracker,
    /// When this process took the rooms: no clock of theirs runs before.
    pub(crate) began: Instant,
}

impl Core {
    /// Since when the clocks of a room run whose last event came at `heard_at`: since then, but not while no process held it.
    pub(crate) fn clocks_since(&self, heard_at: UnixSeconds) -> Instant {
        let ago = Duration::from_secs(u64::try_from(now().0.saturating_sub(heard_at.0)).unwrap_or(0));
        Instant::now().checked_sub(ago).map_or(self.began, |at| at.max(self.began))
    }

    /// Where bots run.
    pub(crate) fn host(&self) -> Arc<dyn Host> {
        Arc::new(Workers::new(self.pool.clone()))
    }

    /// Where the games of a tournament are played.
    pub(crate) fn host_of(&self, tournament: &TournamentId, runtime: &Handle) -> Arc<dyn Host> {
        let Some(post) = &self.post else { return self.host() };
        let here = Workers::new(self.pool.clone());
        Arc::new(Elsewhere::new(tournament.clone(), here, self.store.clone(), post.clone(), runtime.clone()))
    }

    /// Who plays the games of tournaments.
    pub(crate) fn games(&self) -> Games {
        if self.post.is_some() { Games::Elsewhere } else { Games::Here }
    }

    /// How many games of a tournament are played at once, if this machine plays so many.
    pub(crate) fn games_at_once(&self, threads: usize) -> usize {
        if self.post.is_some() { ELSEWHERE_GAMES } else { threads }
    }
}

#[cfg(test)]
impl Core {
    /// Over a store, for tests in which no bot runs.
    pub(crate) fn without_bots(store: Arc<dyn Store>) -> Arc<Core> {
        let (pool, stopping) = (Pool::new("/nothing".into(), Vec::new(), 0), CancellationToken::new());
        let (duties, shelf) = (Duties::new(store.clone()), Shelf::new(store.clone(), Path::new("/nothing")));
        let tasks = TaskTracker::new();
        Arc::new(Core { store, duties, shelf, pool, post: None, stopping, tasks, began: Instant::now() })
    }
}

/// Does work that may take longer than closing may: a process that ends does not wait for these threads, as it would
/// for those of the runtime.
pub(crate) fn on_a_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, StoreError> {
    let (sender, receiver) = oneshot::channel();
    let span = Span::current();
    let run = move || {
        // Nobody waits for the result any more when the service has closed.
        let _ = sender.send(span.in_scope(work));
    };
    std::thread::Builder::new().name(name.into()).spawn(run).map_err(unavailable)?;
    Ok(receiver)
}

/// As [`on_a_thread`], holding `right` until the work is done: also when nobody waits for it any more.
pub(crate) fn on_a_thread_with<R: Send + 'static, T: Send + 'static>(
    right: R,
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, StoreError> {
    on_a_thread(name, move || {
        let _right = right;
        work()
    })
}

/// A text without the place of our data: everybody reads it.
pub(crate) fn without_place(text: &str, data: &Path) -> String {
    text.replace(&format!("{}/", data.display()), "")
}

/// The store's error for what is not the store's, but as passing.
pub(crate) fn unavailable(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::Unavailable(why.into())
}

/// The time, as the store gets it. The only clock that says what time it is: nothing it says decides a game of bots.
pub fn now() -> UnixSeconds {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    UnixSeconds(i64::try_from(since.as_secs()).unwrap_or(i64::MAX))
}

/// The time in microseconds, so that what gets it as a number is later than all of an earlier process.
pub(crate) fn microseconds() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_micros();
    u64::try_from(now).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_reads_where_our_data_is() {
        let said = without_place("/srv/x/tournaments/cup-1: no, /srv/x/tournaments/cup-1/a", Path::new("/srv/x"));
        assert_eq!(said, "tournaments/cup-1: no, tournaments/cup-1/a");
    }

    #[tokio::test]
    async fn who_goes_away_leaves_the_work_and_the_right_to_it() {
        let rights = Arc::new(tokio::sync::Semaphore::new(1));
        let right = rights.clone().acquire_owned().await.expect("open");
        let (go, wait) = std::sync::mpsc::channel::<()>();
        let working = on_a_thread_with(right, "test", move || wait.recv().is_ok()).expect("a thread");
        drop(working);
        assert_eq!(rights.available_permits(), 0, "it works on");
        go.send(()).expect("it waits");
        drop(rights.acquire().await.expect("free when it is done"));
    }
}
