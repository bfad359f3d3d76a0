//! The service as a whole: opened, asked, closed.

mod acts;
mod followers;

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arena_clock::Clock;
use arena_rooms::{Newcomer, RoomId};
use arena_store::{
    AccountId, Bot, ContestId, GamesKept, PAGE_MAX, Page, QueueFigures, Store, StoreError, UnixSeconds, Version,
    VersionId,
};
use arena_wire::Game;
use arena_worker::Pool;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, warn};

use crate::contests::{ContestSnapshot, Contests};
use crate::core::{Core, unavailable, with_causes};
use crate::fleet::{QueueClient, Share, Volunteers};
use crate::games::Games;
use crate::judge::Judge;
use crate::leaderboard::Leaderboard;
use crate::limits::{CLOSE_GRACE, CLOSE_MAX};
use crate::random::Random;
use crate::room_time::RoomTime;
use crate::rooms::{NewRoom, NewTable, OpenRoomError, Rooms};
use crate::servers::{FolderReplica, Leases, Messages};
use crate::standing::{LeftOut, Placing, StandingTournaments, WhyOut};
use crate::tournaments::play;
use crate::wakeup::Wakeup;
use crate::worlds::Worlds;

/// What a service is opened with.
pub struct Config {
    /// The clock by which everything happens.
    pub clock: Clock,
    /// Where seeds, ids and secrets come from.
    pub random: Random,
    /// The store of accounts, bots and rooms. The service closes it when it closes.
    pub store: Arc<Store>,
    /// The folder in which tournaments are played; see [`Service::open`].
    pub data: PathBuf,
    /// The processes in which bots run.
    pub pool: Pool,
    /// The games that have a standing tournament. Existing editions of other games are only shown.
    pub standing: Vec<&'static Game>,
    /// Games that are played at once, in all standing tournaments together.
    pub standing_threads: usize,
    /// Bots of one account in an edition, from 1 to
    /// [`EDITION_BOTS_PER_OWNER_MAX`](crate::limits::EDITION_BOTS_PER_OWNER_MAX), usually
    /// [`BOTS_PER_OWNER_MAX`](crate::limits::BOTS_PER_OWNER_MAX). Editions that have begun stay as they are.
    pub bots_per_account: usize,
    /// Where the games of tournaments are played.
    pub games: Games,
    /// Lets accounts play tournament games for the site; this share of their games is replayed by the site's own
    /// workers.
    pub volunteers: Option<Share>,
}

/// Everything that a server of the arena runs. Cheap to clone; all clones are one service.
#[derive(Clone)]
pub struct Service(Arc<Inner>);

struct Inner {
    core: Arc<Core>,
    tournaments: PathBuf,
    judge: Arc<Judge>,
    standing: StandingTournaments,
    contests: Contests,
    rooms: Arc<Rooms>,
    leaderboard: Arc<Leaderboard>,
    worlds: Arc<Worlds>,
    volunteers: Option<Volunteers>,
    /// Set while no new visitors are admitted, because the process is to be restarted.
    draining: AtomicBool,
}

/// Figures for monitoring. Counts are since the service was opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figures {
    /// Rooms in memory.
    pub rooms: usize,
    /// Versions that wait for their verdicts.
    pub pending: usize,
    /// When the oldest of these was submitted.
    pub oldest_pending: Option<UnixSeconds>,
    /// Games that wait for workers, or are played by them.
    pub queue: QueueFigures,
    /// Versions that were accepted.
    pub accepted: u64,
    /// Versions that were refused.
    pub refused: u64,
    /// Attempts to judge that failed because of the machine.
    pub judge_faults: u64,
    /// Failures of the machine in games of tournaments and in sample games that were played here, and modules that took
    /// too long to compile.
    pub platform_faults: u64,
    /// How much is kept of finished games.
    pub kept: GamesKept,
}

/// What waits at this moment.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Queues {
    /// Versions that wait for their verdicts, by account, the longest queue first.
    pub submissions: Vec<(AccountId, usize)>,
    /// Turns of rooms' opponents that wait for a slot to think, in all.
    pub thinking: usize,
    /// How many pay for them: owners of bots, and people who play against built-in opponents.
    pub thinking_for: usize,
    /// Pending versions that cannot be judged because of a fault of ours.
    pub unjudgeable: Vec<VersionId>,
}

/// Why a service cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder of tournaments cannot be used.
    #[error("cannot use the folder {path}")]
    Folder {
        /// The folder.
        path: PathBuf,
        /// Why not.
        source: io::Error,
    },
    /// The thread of the standing tournaments cannot be started.
    #[error("cannot start a thread")]
    Thread(#[source] io::Error),
}

impl Service {
    /// Opens the service over a store and a folder, and resumes what was in progress: versions to be judged and
    /// unfinished editions at once, rooms as soon as somebody looks at them. No other service may have the folder open;
    /// where servers share the store, the folder has copies of what is in the store. Call it within a tokio runtime.
    ///
    /// ```text
    /// tournaments/standing-N/       editions of the standing tournament of the first game, each a tournament's folder
    /// tournaments/GAME-N/           the same of each other game
    /// tournaments/cup-N/            tournaments that accounts started
    /// ```
    ///
    /// # Errors
    /// When the folder cannot be used.
    pub async fn open(config: Config) -> Result<Service, OpenError> {
        let Config {
            clock,
            random,
            store,
            data,
            pool,
            standing: held,
            standing_threads,
            bots_per_account,
            games,
            volunteers,
        } = config;
        let volunteers = volunteers.map(|share| Volunteers { store: store.clone(), share, random: random.clone() });
        let tournaments = data.join("tournaments");
        let made = std::fs::create_dir_all(&tournaments);
        made.map_err(|source| OpenError::Folder { path: tournaments.clone(), source })?;
        let room_time = RoomTime::new(clock.clone());
        let stopping = CancellationToken::new();
        let queue = (games == Games::Elsewhere)
            .then(|| QueueClient::start(store.clone(), clock.clone(), random.clone(), stopping.clone()));
        let (leases, replica) = (Leases::new(store.clone(), clock.clone()), FolderReplica::new(store.clone(), &data));
        let (tasks, faults) = (TaskTracker::new(), Arc::default());
        let (messages, notifications) = (Messages::new(store.clone(), clock.clone()), store.notifications());
        let core =
            Core { clock, random, store, leases, messages, replica, pool, queue, stopping, tasks, room_time, faults };
        let core = Arc::new(core);
        // Before anything else is read: whatever is written from now on is news.
        let seen = core.store.news_after(None).await.ok().map(|news| news.last);
        let wakeup = Wakeup::default();
        let standing = StandingTournaments::new(&held, bots_per_account, wakeup.clone());
        let contests = Contests::new(core.store.clone(), core.random.clone(), wakeup, &tournaments);
        let plays = {
            let (standing, contests, core, runtime) =
                (standing.clone(), contests.clone(), core.clone(), Handle::current());
            move || play(standing, contests, core, data, standing_threads, runtime)
        };
        std::thread::Builder::new().name("tournaments".into()).spawn(plays).map_err(OpenError::Thread)?;
        let judge = Judge::start(core.clone(), standing.clone());
        let leaderboard = Leaderboard::start(&core);
        let rooms = Rooms::start(core.clone(), leaderboard.clone());
        if let Err(error) = rooms.resume().await {
            warn!(
                cause = with_causes(&error),
                "cannot resume rooms in which people wait: each is resumed when they look"
            );
        }
        let worlds = Arc::new(Worlds::resume(core.clone()).await);
        let keeps = core.clone();
        core.tasks.spawn(async move { keeps.leases.keep(keeps.stopping.clone()).await });
        let inner = Arc::new(Inner {
            core,
            tournaments,
            judge,
            standing,
            contests,
            rooms,
            leaderboard,
            worlds,
            volunteers,
            draining: AtomicBool::new(false),
        });
        inner.follow(notifications, seen);
        Ok(Service(inner))
    }

    /// The clock by which everything happens.
    pub fn clock(&self) -> &Clock {
        &self.0.core.clock
    }

    /// The date.
    pub fn now(&self) -> UnixSeconds {
        self.0.core.now()
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.0.core.store
    }

    /// The processes in which bots run.
    pub fn pool(&self) -> &Pool {
        &self.0.core.pool
    }

    /// The settings for volunteers, if the site has any.
    pub fn volunteers(&self) -> Option<&Volunteers> {
        self.0.volunteers.as_ref()
    }

    /// The folder of all tournaments, to which the paths of indexed games are relative.
    pub fn tournaments(&self) -> &Path {
        &self.0.tournaments
    }

    /// The current figures.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn figures(&self) -> Result<Figures, StoreError> {
        let (mut pending, mut oldest_pending, mut page) = (0, None, Page::first(PAGE_MAX));
        loop {
            let versions = self.store().pending_versions(page).await?;
            let Some(last) = versions.last() else { break };
            pending += versions.len();
            let oldest = versions.iter().map(|version| version.submitted_at).min();
            oldest_pending = oldest_pending.into_iter().chain(oldest).min();
            page = Page::after(last.id, PAGE_MAX);
        }
        let counts = self.0.judge.counts();
        let count = |count: &AtomicU64| count.load(Ordering::Relaxed);
        Ok(Figures {
            rooms: self.0.rooms.in_memory(),
            pending,
            oldest_pending,
            queue: self.store().queue_state().await?,
            accepted: count(&counts.accepted),
            refused: count(&counts.refused),
            judge_faults: count(&counts.faults),
            platform_faults: count(&self.0.core.faults),
            kept: self.store().games_kept().await?,
        })
    }

    /// What waits at this moment.
    pub fn queues(&self) -> Queues {
        let mut submissions: Vec<(AccountId, usize)> =
            self.0.judge.queues.lock().iter().map(|(account, waiting)| (*account, *waiting)).collect();
        submissions.sort_by_key(|(account, waiting)| (std::cmp::Reverse(*waiting), *account));
        let thinking = self.0.rooms.slots().thinking.queues();
        Queues {
            submissions,
            thinking: thinking.values().sum(),
            thinking_for: thinking.len(),
            unjudgeable: self.0.judge.unjudgeable.lock().iter().copied().collect(),
        }
    }

    /// The bots that are submitted and judged.
    pub fn judge(&self) -> &Arc<Judge> {
        &self.0.judge
    }

    /// The tournaments that accounts start.
    pub fn contests(&self) -> &Contests {
        &self.0.contests
    }

    /// The standing tournaments.
    pub fn standing(&self) -> &StandingTournaments {
        &self.0.standing
    }

    /// The live rooms.
    pub fn rooms(&self) -> &Arc<Rooms> {
        &self.0.rooms
    }

    /// The running worlds.
    pub fn worlds(&self) -> &Arc<Worlds> {
        &self.0.worlds
    }

    /// The leaderboard of people.
    pub fn leaderboard(&self) -> &Arc<Leaderboard> {
        &self.0.leaderboard
    }

    /// Whether the operator has stopped the site from admitting new visitors.
    pub fn is_draining(&self) -> bool {
        self.0.draining.load(Ordering::Relaxed)
    }

    /// Whether a bot's active version plays in the next edition of its game. Until the field is chosen anew, this is
    /// what the store alone says: who had these bytes first, and how many bots the owner has.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn placing(&self, bot: &Bot, active: &Version) -> Result<Placing, StoreError> {
        let Ok(game) = Game::named(&bot.game) else { return Ok(Placing::NoTournament) };
        let standing = self.standing().of(game);
        if !standing.held {
            return Ok(Placing::NoTournament);
        }
        let is_this = |out: &&LeftOut| out.bot == bot.name.as_str() && out.id == active.entrant;
        if let Some(out) = standing.left_out.iter().find(is_this) {
            return Ok(Placing::Out(out.why.clone()));
        }
        let played = |bot: &Bot| {
            let mut rows = standing.edition.iter().flat_map(|edition| &edition.standings.rows);
            rows.any(|row| row.name == bot.name.as_str())
        };
        if !standing.waiting || played(bot) {
            return Ok(Placing::Plays);
        }
        let store = &self.0.core.store;
        let mut first = store.named(Some(&bot.game), std::slice::from_ref(&active.entrant)).await?;
        if let Some(first) = first.remove(&active.entrant).filter(|first| first.name != bot.name) {
            let other = store.bot_by_name(&first.name).await?;
            if let Some(other) = other.filter(|other| other.active.is_some_and(|it| it.number == first.number)) {
                // Not again: nobody had these bytes before.
                match Box::pin(self.placing(&other, active)).await? {
                    Placing::Plays => return Ok(Placing::Out(WhyOut::CopyOf(first.name.to_string()))),
                    Placing::Out(WhyOut::OwnersOthers(_)) => {}
                    other => return Ok(other),
                }
            }
        }
        let own = store.bots_of(bot.account, Page::first(PAGE_MAX)).await?;
        // Those that played keep their places, then the oldest come.
        let is_before = |other: &&Bot| other.id < bot.id || (other.id != bot.id && played(other));
        let others = own.iter().filter(|other| other.active.is_some() && other.game == bot.game).filter(is_before);
        let mut others: Vec<&Bot> = others.collect();
        if others.len() < self.standing().bots_per_account() {
            return Ok(Placing::Plays);
        }
        others.sort_by_key(|other| (!played(other), other.id));
        others.truncate(self.standing().bots_per_account());
        Ok(Placing::Out(WhyOut::OwnersOthers(others.into_iter().map(|other| other.name.to_string()).collect())))
    }

    /// The unfinished tournaments of accounts, oldest first, with the state of their games.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn contests_under_way(&self) -> Result<Vec<(ContestId, ContestSnapshot)>, StoreError> {
        let under_way = self.store().contests_under_way().await?.into_iter();
        Ok(under_way.map(|id| (id, self.0.contests.watch(id).borrow().clone())).collect())
    }

    /// Opens a room. The write completes even if the caller stops waiting.
    ///
    /// # Errors
    /// When there is no such opponent, no room left, rooms are closed, or the machine failed.
    pub async fn open_room(&self, new: NewRoom, now: UnixSeconds) -> Result<RoomId, OpenRoomError> {
        self.with_rooms(|rooms| async move { rooms.open(new, now).await }).await
    }

    /// Opens a room that others may join. The write completes even if the caller stops waiting.
    ///
    /// # Errors
    /// When its options are refused, no room is left, or rooms are closed.
    pub async fn open_table(&self, new: NewTable, now: UnixSeconds) -> Result<RoomId, OpenRoomError> {
        self.with_rooms(|rooms| async move { rooms.open_table(new, now).await }).await
    }

    /// Seats a person opposite somebody who waits for an opponent in this game. If nobody waits, opens a room to wait
    /// in if it may; otherwise returns `None`.
    ///
    /// # Errors
    /// As [`open_table`](Service::open_table).
    pub async fn pair(
        &self,
        newcomer: Newcomer,
        game: &'static Game,
        may_wait: bool,
        now: UnixSeconds,
    ) -> Result<Option<RoomId>, OpenRoomError> {
        self.with_rooms(move |rooms| async move { rooms.pair(newcomer, game, may_wait, now).await }).await
    }

    async fn with_rooms<T, F>(&self, open: impl FnOnce(Arc<Rooms>) -> F) -> Result<T, OpenRoomError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, OpenRoomError>> + Send + 'static,
    {
        if self.is_draining() {
            return Err(OpenRoomError::Closed);
        }
        let opened = self.0.core.tasks.spawn(open(self.0.rooms.clone()).in_current_span());
        opened.await.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    /// Begins nothing new, completes the writes in progress, and closes the store. It takes a few seconds at most. Work
    /// that is still unfinished then is no more lost than if the process were killed.
    #[expect(clippy::disallowed_methods, reason = "a process ends in real time")]
    pub async fn close(self) {
        self.0.stop();
        let ended = async {
            self.0.core.tasks.wait().await;
            self.0.standing.ended().await;
        };
        let closed = async {
            if timeout(CLOSE_GRACE, ended).await.is_err() {
                warn!(tasks = self.0.core.tasks.len(), "shut down with unfinished work; the next start redoes it");
            }
            self.0.core.leases.end().await;
            self.0.core.store.clone().close().await;
        };
        if timeout(CLOSE_MAX, closed).await.is_err() {
            warn!("closed before the store was: what it has acknowledged is there when it is opened again");
        }
    }
}

impl Inner {
    fn stop(&self) {
        self.core.stopping.cancel();
        self.core.tasks.close();
        self.standing.wakeup().stop();
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        self.stop();
    }
}
