//! The service as a whole: opened, asked, closed.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arena_clock::Clock;
use arena_record::{EntrantId, Record};
use arena_rooms::{Newcomer, RoomId};
use arena_rules::Seat;
use arena_rules::life2::{SLOTS, Slot};
use arena_store::{
    AccountError, AccountId, Act, ActError, AuditEntry, Bot, BotError, BotId, BotName, ContestError, ContestId,
    GamesKept, PAGE_MAX, Page, QueueFigures, Reason, Store, StoreError, UnixSeconds, Version, VersionId, WorldName,
};
use arena_wire::{GAMES, Game};
use arena_worker::Pool;
use tokio::runtime::Handle;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::{Instrument, info, warn};

use crate::contests::{By, ContestRefused, ContestSnapshot, Contests};
use crate::core::{Core, unavailable, with_causes};
use crate::fleet::{QueueClient, Share, Volunteers};
use crate::games::Games;
use crate::judge::{Judge, is_built_in};
use crate::leaderboard::Leaderboard;
use crate::limits::{APPEND_TRIES, CLOSE_GRACE, CLOSE_MAX};
use crate::logs::{self, GameLog, LogError};
use crate::people::person_of_account;
use crate::profiles::{self, GameProfile};
use crate::random::Random;
use crate::rooms::{NewRoom, NewTable, OpenRoomError, Report, Rooms};
use crate::servers::{FolderReplica, Leases, Listener, Messages, follow};
use crate::standing::{LeftOut, Placing, StandingTournaments, WhyOut, deleted_of};
use crate::tournaments::play;
use crate::wakeup::Wakeup;
use crate::what_if::{self, Again, AgainError};
use crate::worlds::{self, CallError, OpenWorldError, UnseatableError, Worlds};

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
        let began = clock.now();
        let stopping = CancellationToken::new();
        let queue = (games == Games::Elsewhere)
            .then(|| QueueClient::start(store.clone(), clock.clone(), random.clone(), stopping.clone()));
        let (leases, replica) = (Leases::new(store.clone(), clock.clone()), FolderReplica::new(store.clone(), &data));
        let (tasks, faults) = (TaskTracker::new(), Arc::default());
        let (messages, notifications) = (Messages::new(store.clone(), clock.clone()), store.notifications());
        let core =
            Core { clock, random, store, leases, messages, replica, pool, queue, stopping, tasks, began, faults };
        let core = Arc::new(core);
        // Before anything else is read: whatever is written from now on is news.
        let seen = core.store.news_after(None).await.ok().map(|news| news.last);
        let wakeup = Wakeup::default();
        let standing = StandingTournaments::new(&held, bots_per_account, wakeup.clone());
        let contests = Contests::new(core.store.clone(), core.random.clone(), wakeup.clone(), &tournaments);
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
        let listener = Listener {
            core: core.clone(),
            rooms: rooms.clone(),
            worlds: worlds.clone(),
            judge: judge.clone(),
            wakeup,
            contests: contests.clone(),
            seen,
        };
        core.tasks.spawn(follow(listener, notifications));
        Ok(Service(Arc::new(Inner {
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
        })))
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
            self.0.judge.queues().iter().map(|(account, waiting)| (*account, *waiting)).collect();
        submissions.sort_by_key(|(account, waiting)| (std::cmp::Reverse(*waiting), *account));
        let thinking = self.0.rooms.slots().thinking.queues();
        Queues {
            submissions,
            thinking: thinking.values().sum(),
            thinking_for: thinking.len(),
            unjudgeable: self.0.judge.unjudgeable().iter().copied().collect(),
        }
    }

    /// Performs an operator's act in the store, as [`Store::act`](arena_store::Store::act) does, and applies it to what
    /// is running.
    ///
    /// # Errors
    /// When it cannot be done.
    pub async fn act(&self, act: &Act, reason: &Reason, now: UnixSeconds) -> Result<AuditEntry, ActError> {
        if matches!(act, Act::RenameBot(_, name) if is_built_in(name)) {
            return Err(ActError::NameTaken);
        }
        if act.game().is_some() {
            // Its game may have ended since the leaderboard last took games from rooms.
            self.0.leaderboard.tally(now).await?;
        }
        let entry = self.store().act(act, reason, now).await?;
        warn!(number = entry.number, act = act.word(), "the operator acted");
        match act {
            Act::Drain | Act::EndDrain => self.0.draining.store(*act == Act::Drain, Ordering::Relaxed),
            // The leaderboard notices it the next time it is read; servers read what is closed, and measures, at
            // intervals. Limits are read where they hold.
            Act::Close(_)
            | Act::Open(_)
            | Act::RenameAccount(..)
            | Act::AnnulGame(_)
            | Act::RestoreGame(_)
            | Act::OpenContest(_)
            | Act::SeatBot { .. }
            | Act::FreeSlot { .. }
            | Act::PostNotice(_)
            | Act::RemoveNotice
            | Act::Ban { .. }
            | Act::LiftBan(_)
            | Act::AnnulTournament(_)
            | Act::RestoreTournament(_)
            | Act::SetLimit(_)
            | Act::ResetLimit(_) => {}
            Act::StartWorld { world, .. } => {
                self.0.worlds.start(world).await.map_err(|error| match error {
                    OpenWorldError::TooMany(max) => ActError::TooManyWorlds(max),
                    OpenWorldError::Store(error) => error.into(),
                    damaged @ OpenWorldError::Damaged { .. } => StoreError::Damaged(damaged.into()).into(),
                })?;
            }
            Act::CancelContest { id, .. } => self.0.contests.changed(*id),
            Act::DisableBot(bot) | Act::EnableBot(bot) | Act::RenameBot(bot, _) => {
                self.field_changed(self.store().bot(*bot).await?.as_slice());
            }
            Act::DisableAccount(account) | Act::EnableAccount(account) => {
                if matches!(act, Act::DisableAccount(_)) {
                    self.cancel_contests_of(*account, By::Operator, now).await;
                    self.leave_worlds(*account).await;
                }
                self.field_changed(&self.store().bots_of(*account, Page::first(PAGE_MAX)).await?);
            }
        }
        Ok(entry)
    }

    /// Deletes an account, as [`Store::delete_account`](arena_store::Store::delete_account) does. Its bots leave the
    /// standing tournaments and appear as deleted in editions, and rooms forget its messages.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn delete_account(&self, account: AccountId, now: UnixSeconds) -> Result<(), AccountError> {
        let bots = self.store().bots_of(account, Page::first(PAGE_MAX)).await?;
        self.store().delete_account(account, now).await?;
        self.cancel_contests_of(account, By::Arena, now).await;
        self.leave_worlds(account).await;
        if let Err(error) = self.0.rooms.forget_said(person_of_account(account)).await {
            warn!(
                cause = with_causes(&error),
                "other servers keep what a deleted account said until its rooms leave their memory"
            );
        }
        info!(account = account.0, bots = bots.len(), "an account was deleted");
        self.gone(&bots).await;
        Ok(())
    }

    /// Unseats the bots of an account in all worlds.
    async fn leave_worlds(&self, account: AccountId) {
        for world in self.0.worlds.all() {
            if let Err(error) = world.seat(account, None).await {
                warn!(world = world.name().as_str(), cause = with_causes(&error), "a bot stays in a world");
            }
        }
    }

    /// Removes deleted bots from what the standing tournaments of their games play and show.
    async fn gone(&self, bots: &[Bot]) {
        self.field_changed(bots);
        for game in GAMES.iter().filter(|game| bots.iter().any(|bot| bot.game == game.ruleset)) {
            let standing = self.standing().of(game);
            let shown = standing.edition.iter().flat_map(|edition| &edition.entrants);
            let earlier = standing.earlier.iter().flat_map(|(_, earlier)| &earlier.entrants);
            let entrants: Vec<_> = shown.chain(earlier).cloned().collect();
            match deleted_of(self.store(), game, &entrants).await {
                Ok(deleted) => self.0.standing.forget(game, &deleted),
                // Their names stay until the next edition or restart.
                Err(error) => warn!(cause = with_causes(&error), "cannot find out which bots were deleted"),
            }
        }
    }

    /// Cancels the unfinished tournaments of an account that is deleted or disabled.
    async fn cancel_contests_of(&self, account: AccountId, by: By, now: UnixSeconds) {
        let Ok(reason) = Reason::parse("the account of the organiser was deleted or disabled") else { return };
        let cancelled = async {
            for id in self.store().contests_under_way().await? {
                let owner = self.store().contest(id).await?.map(|(contest, _)| contest.owner);
                if owner == Some(account) {
                    self.0.contests.cancel_by(id, by, &reason, now).await?;
                }
            }
            Ok::<(), ContestRefused>(())
        };
        if let Err(error) = cancelled.await {
            // Tournaments that have not begun are cancelled at their start.
            warn!(account = account.0, cause = with_causes(&error), "cannot cancel the tournaments of an account");
        }
    }

    /// Makes the standing tournaments of these bots look at their fields.
    fn field_changed(&self, bots: &[Bot]) {
        let games = GAMES.iter().filter(|game| bots.iter().any(|bot| bot.game == game.ruleset));
        games.for_each(|game| self.0.standing.field_changed(game));
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

    /// Chooses the version of a bot that plays, or withdraws the bot, as
    /// [`Store::choose_version`](arena_store::Store::choose_version) does. The standing tournament follows.
    ///
    /// # Errors
    /// When there is no such bot or version.
    pub async fn choose_version(&self, bot: BotId, number: Option<u32>) -> Result<Bot, BotError> {
        let chosen = self.store().choose_version(bot, number).await?;
        self.field_changed(std::slice::from_ref(&chosen));
        Ok(chosen)
    }

    /// Renames a bot, as [`Store::rename_bot`](arena_store::Store::rename_bot) does; built-in opponents' names stay
    /// theirs.
    ///
    /// # Errors
    /// When there is no such bot, or the name is taken.
    pub async fn rename_bot(&self, bot: BotId, name: &BotName) -> Result<Bot, BotError> {
        if is_built_in(name) {
            return Err(BotError::NameTaken);
        }
        let renamed = self.store().rename_bot(bot, name).await?;
        self.field_changed(std::slice::from_ref(&renamed));
        Ok(renamed)
    }

    /// Deletes a bot, as [`Store::delete_bot`](arena_store::Store::delete_bot) does; a room in which it plays ends
    /// without it.
    ///
    /// # Errors
    /// When the store fails.
    pub async fn delete_bot(&self, bot: &Bot) -> Result<(), StoreError> {
        self.store().delete_bot(bot.id, self.now()).await?;
        self.gone(std::slice::from_ref(bot)).await;
        Ok(())
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
            let other = store.bot_by_name(&first.name).await?.and_then(|other| other.active);
            if other.is_some_and(|other| other.number == first.number) {
                return Ok(Placing::Out(WhyOut::CopyOf(first.name.to_string())));
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

    /// Cancels a tournament of an account as the operator, with a line in the log of acts.
    ///
    /// # Errors
    /// When there is none, or it is over.
    pub async fn cancel_contest_as_operator(
        &self,
        id: ContestId,
        reason: &Reason,
        now: UnixSeconds,
    ) -> Result<AuditEntry, ContestRefused> {
        let mut tries = 1..APPEND_TRIES;
        loop {
            let act = self.0.contests.cancellation(id, reason, now).await?;
            match self.act(&act, reason, now).await {
                // Another line took its place; tried again.
                Err(ActError::Contest(ContestError::Taken)) if tries.next().is_some() => {}
                acted => return Ok(acted?),
            }
        }
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

    /// The chat messages that were reported lately, the latest first.
    pub fn reports(&self) -> Vec<Report> {
        self.0.rooms.slots().reports.latest()
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

    /// Gives one of the site's places in a world to a bot, or frees it, and logs the operator's act.
    ///
    /// # Errors
    /// When there is no such place or bot, or the store fails.
    pub async fn seat_for_site(
        &self,
        world: &WorldName,
        place: u8,
        bot: Option<&str>,
        reason: &Reason,
    ) -> Result<AuditEntry, ActError> {
        let live = self.0.worlds.world(world).filter(|_| (1..=SLOTS).contains(&usize::from(place)));
        let live = live.ok_or(ActError::NoSuchPlace)?;
        let id = match bot {
            Some(name) => Some(self.bot_for_world(name, None).await.map_err(|error| match error {
                UnseatableError::NoSuchBot => ActError::NoSuchBot,
                UnseatableError::Store(error) => error.into(),
            })?),
            None => None,
        };
        let acted = live.seat_by(worlds::site_account(place), id, Some(reason.clone())).await;
        let number = acted.map_err(|error| match error {
            CallError::Store(error) => error.into(),
            CallError::Seat(_) | CallError::TooManyWallets => ActError::TooManyBots,
            CallError::Unfit => ActError::UnfitBot,
            busy @ (CallError::Busy | CallError::Refused(_)) => unavailable(busy).into(),
        })?;
        self.acted(number).await
    }

    /// Frees a slot of a world, by its number from 1, and logs the operator's act. Its holder may join again.
    ///
    /// # Errors
    /// When there is no such world, nobody holds the slot, or the store fails.
    pub async fn free_slot(&self, world: &WorldName, slot: u8, reason: &Reason) -> Result<AuditEntry, ActError> {
        let live = self.0.worlds.world(world).ok_or(ActError::NoSuchSlot)?;
        let slot = Slot::new(slot).ok_or(ActError::NoSuchSlot)?;
        let Some(holder) = live.look(|world| Some(world.kingdom(slot)?.account)).await else {
            let number = live.freed(slot, reason).await.ok_or(ActError::NoSuchSlot)?;
            return self.acted(number).await;
        };
        let account = AccountId(holder.0.cast_signed());
        let number = live.free(account, reason.clone()).await.map_err(|error| match error {
            CallError::Store(error) => error.into(),
            CallError::Refused(_) => ActError::NoSuchSlot,
            busy => unavailable(busy).into(),
        })?;
        self.acted(number).await
    }

    /// An act in a world, from the log of acts, in which that world wrote it.
    async fn acted(&self, number: u64) -> Result<AuditEntry, ActError> {
        let number = number.cast_signed();
        let entry = self.store().audit(Page::after(number + 1, 1)).await?.into_iter().next();
        let entry = entry.ok_or_else(|| unavailable("the log of acts lacks a line"))?;
        warn!(number, act = entry.act.as_str(), "the operator acted");
        Ok(entry)
    }

    /// The bot with a name in a world: a built-in opponent, or an active bot, of `owner` if one is given.
    ///
    /// # Errors
    /// When there is none.
    pub async fn bot_for_world(&self, name: &str, owner: Option<AccountId>) -> Result<EntrantId, UnseatableError> {
        worlds::named(&self.0.core, name, owner).await
    }

    /// What a bot logged in a recorded game, which is replayed for that. For its author only.
    ///
    /// # Errors
    /// When another release played it, or the machine failed.
    pub async fn game_log(&self, record: Record, bot: &EntrantId) -> Result<Vec<GameLog>, LogError> {
        logs::of_game(self.0.rooms.slots(), record, bot).await
    }

    /// Which functions the fuel of the bot in a seat of a recorded game went to. For its author only.
    ///
    /// # Errors
    /// When another release played it, or the machine failed.
    pub async fn game_profile(&self, record: Record, seat: Seat) -> Result<GameProfile, LogError> {
        profiles::of_game(self.0.rooms.slots(), record, seat).await
    }

    /// A recorded game, replayed with another version of a bot in a seat. For the bot's author only.
    ///
    /// # Errors
    /// When a person played in it, another release played it, or the machine failed.
    pub async fn play_again(&self, record: Record, seat: Seat, bot: &EntrantId) -> Result<Again, AgainError> {
        what_if::with(self.0.rooms.slots(), record, seat, bot).await
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
