//! What all parts of the service share.

use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arena_clock::{Clock, Instant};
use arena_record::Budgets;
use arena_runner::{Contender, Finished, Fixture, GameError, Host, LoadError, Workers};
use arena_sandbox::WALL_MS_DEFAULT;
use arena_store::{Store, StoreError, TournamentId, UnixSeconds};
use arena_wire::{GAMES, Game};
use arena_worker::{Pool, Wall};
use tokio::sync::oneshot;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Span;

pub use crate::error_chain::with_causes;
use crate::fleet::{QueueClient, RemoteHost};
use crate::games::Games;
use crate::limits::ELSEWHERE_GAMES;
use crate::random::Random;
use crate::room_time::RoomTime;
use crate::servers::{FolderReplica, Leases, Messages};

/// The wall that protects the machine. It never decides a game.
pub(crate) const WALL: Wall = Wall::Milliseconds(WALL_MS_DEFAULT);

/// The game of a ruleset, by name and version as bots and rooms store them; `None` if this release no longer has it.
pub(crate) fn game_of(ruleset: &str) -> Option<&'static Game> {
    GAMES.iter().find(|game| game.ruleset == ruleset)
}

pub(crate) struct Core {
    pub(crate) clock: Clock,
    pub(crate) random: Random,
    pub(crate) store: Arc<Store>,
    /// The duties of this server among those that share the store.
    pub(crate) leases: Leases,
    /// Sends messages to all servers.
    pub(crate) messages: Messages,
    /// Copies of the tournament folders that servers share.
    pub(crate) replica: FolderReplica,
    pub(crate) pool: Pool,
    /// Sends games of tournaments to the queue, if other processes play them.
    pub(crate) queue: Option<QueueClient>,
    /// Set when the service closes: nothing new is begun then.
    pub(crate) stopping: CancellationToken,
    /// Tasks that closing the service waits for.
    pub(crate) tasks: TaskTracker,
    /// The time of the clocks in rooms.
    pub(crate) room_time: RoomTime,
    /// How often the machine failed in games of tournaments and of the judge that were played here, and how often a
    /// module took too long to compile.
    pub(crate) faults: Arc<AtomicU64>,
}

/// Workers, and how often the machine failed in their games.
struct Counting {
    workers: Workers,
    faults: Arc<AtomicU64>,
}

impl Host for Counting {
    fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError> {
        self.workers.load(bytes, budgets)
    }

    fn play(&self, game: &Fixture<'_>) -> Result<Finished, GameError> {
        let played = self.workers.play(game);
        self.faults.fetch_add(faults_of(&played).into(), Ordering::Relaxed);
        played
    }
}

/// How often the machine failed in a game.
fn faults_of(played: &Result<Finished, GameError>) -> u32 {
    match played {
        Ok(finished) => finished.platform_faults,
        Err(GameError::Platform { tries, .. }) => *tries,
        Err(GameError::Play(_) | GameError::Elsewhere(_)) => 0,
    }
}

impl Core {
    /// The date, for the store.
    pub(crate) fn now(&self) -> UnixSeconds {
        UnixSeconds(self.clock.unix_seconds())
    }

    /// When the clocks of a room were started whose last event came at `heard_at`, in the time of rooms: then, but not
    /// before this process took over, or the last standstill ended.
    pub(crate) fn clocks_since(&self, heard_at: UnixSeconds) -> Instant {
        let ago = Duration::from_secs(u64::try_from(self.now().0.saturating_sub(heard_at.0)).unwrap_or(0));
        self.room_time.started(ago)
    }

    /// Where bots run.
    pub(crate) fn host(&self) -> Arc<dyn Host> {
        Arc::new(Counting { workers: Workers::new(self.pool.clone()), faults: self.faults.clone() })
    }

    /// Where the games of a tournament are played.
    pub(crate) fn host_of(&self, tournament: &TournamentId) -> Arc<dyn Host> {
        let Some(queue) = &self.queue else { return self.host() };
        let here = Workers::new(self.pool.clone());
        Arc::new(RemoteHost::new(tournament.clone(), here, queue.clone()))
    }

    /// Who plays the games of tournaments.
    pub(crate) fn games(&self) -> Games {
        if self.queue.is_some() { Games::Elsewhere } else { Games::Here }
    }

    /// How many games of a tournament are played at once; `threads` is the number for games on this machine.
    pub(crate) fn games_at_once(&self, threads: usize) -> usize {
        if self.queue.is_some() { ELSEWHERE_GAMES } else { threads }
    }
}

#[cfg(test)]
impl Core {
    /// A core over a store, for tests in which no bot runs.
    pub(crate) fn without_bots(store: Arc<Store>) -> Arc<Core> {
        let clock = Clock::manual(Duration::ZERO);
        let (pool, stopping) = (Pool::new("/nothing".into(), Vec::new(), 0), CancellationToken::new());
        let (leases, replica) =
            (Leases::new(store.clone(), clock.clone()), FolderReplica::new(store.clone(), Path::new("/nothing")));
        let (tasks, random) = (TaskTracker::new(), Random::repeatable());
        let messages = Messages::new(store.clone(), clock.clone());
        let (room_time, faults, queue) = (RoomTime::new(clock.clone()), Arc::default(), None);
        Arc::new(Core {
            clock,
            random,
            store,
            leases,
            messages,
            replica,
            pool,
            queue,
            stopping,
            tasks,
            room_time,
            faults,
        })
    }
}

/// Does work on a thread of its own, because it may outlast closing: the process's end waits for the runtime's threads,
/// but not for these.
pub(crate) fn on_a_thread<T: Send + 'static>(
    name: &str,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<oneshot::Receiver<T>, StoreError> {
    let (sender, receiver) = oneshot::channel();
    let span = Span::current();
    let run = move || {
        // Fails only when nobody waits any more because the service has closed.
        let _ = sender.send(span.in_scope(work));
    };
    std::thread::Builder::new().name(name.into()).spawn(run).map_err(unavailable)?;
    Ok(receiver)
}

/// As [`on_a_thread`], holding `right` until the work is done, even if the caller has stopped waiting.
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

/// A text without the path of the data folder, because it is shown to the public.
pub(crate) fn without_place(text: &str, data: &Path) -> String {
    text.replace(&format!("{}/", data.display()), "")
}

/// A passing error of the store's type, for failures elsewhere.
pub(crate) fn unavailable(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> StoreError {
    StoreError::Unavailable(why.into())
}

#[cfg(test)]
mod tests {
    use arena_referee::PlatformFault;
    use arena_runner::{Ended, VoidGame};

    use super::*;

    #[test]
    fn every_failure_of_the_machine_in_a_game_is_counted() {
        let void = VoidGame { tries: 3, quarantined: Vec::new() };
        let void = Finished::new(Ended::Void(void), 3);
        assert_eq!(faults_of(&Ok(void)), 3);
        let source = PlatformFault("no process".into());
        assert_eq!(faults_of(&Err(GameError::Platform { tries: 2, source })), 2);
        assert_eq!(faults_of(&Err(GameError::Elsewhere("no answer".into()))), 0, "another machine's");
    }

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
