//! Judging submissions, one at a time. Accounts take turns according to what judging them has cost: compiling, and the fuel of the
//! sample games. A newcomer is next.
//!
//! The queue is the store's list of pending versions, so nothing is lost however the process ends.

pub(crate) mod cost;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena_clock::Instant;
use arena_record::{Budgets, Objection};
use arena_runner::{Contender, Qualification, QualifyError, qualify};
use arena_store::{
    AccountId, BotName, PAGE_MAX, Page, SampleLog, SampleLogError, StoreError, Submission, SubmitError, UnixSeconds,
    Verdict, VerdictError, Version, VersionId, VersionState,
};
use arena_wire::{GAMES, Game};
use arena_worker::WorkerError;
use tokio::sync::{Notify, watch};
use tracing::{Instrument, error, error_span, info, warn};

use crate::core::{Core, WALL, game_of, on_a_thread, unavailable, with_causes};
use crate::duties::JUDGE;
use crate::limits::{DUTY_LOOK, JUDGE_COST, JUDGE_PAUSES, JUDGE_SLOTS, JUDGE_TRIES, QUEUE_MAX, pause};
use crate::shares::{Shares, Wish};
use crate::standing::StandingTournaments;

/// The seed of sample games: that of `arena check`, so that both play the same ones.
const SAMPLE_SEED: u64 = 1;

pub(crate) struct Judge {
    core: Arc<Core>,
    standing: StandingTournaments,
    arrived: Notify,
    /// Changes with every verdict.
    judged: watch::Sender<()>,
    counts: Counts,
    /// Pending versions that cannot be judged now because of a fault of the machine.
    unjudgeable: Mutex<BTreeSet<VersionId>>,
    /// How many versions of each account waited when the judge last looked.
    queues: Mutex<BTreeMap<AccountId, usize>>,
}

/// What was judged since the start.
#[derive(Default)]
pub(crate) struct Counts {
    pub(crate) accepted: AtomicU64,
    pub(crate) refused: AtomicU64,
    pub(crate) faults: AtomicU64,
}

/// Versions that are put off because the machine failed: how often it did, and when they are tried again.
type PutOff = BTreeMap<VersionId, (u32, Instant)>;

impl Judge {
    /// Starts judging what is pending.
    pub(crate) fn start(core: Arc<Core>, standing: StandingTournaments) -> Arc<Judge> {
        let judge = Judge {
            core,
            standing,
            arrived: Notify::new(),
            judged: watch::Sender::new(()),
            counts: Counts::default(),
            unjudgeable: Mutex::default(),
            queues: Mutex::default(),
        };
        let judge = Arc::new(judge);
        judge.core.tasks.spawn(judge.clone().run());
        judge
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Pending versions that cannot be judged now because of a fault of the machine. They are retried at intervals.
    pub(crate) fn unjudgeable(&self) -> MutexGuard<'_, BTreeSet<VersionId>> {
        self.unjudgeable.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many versions of each account waited when the judge last looked.
    pub(crate) fn queues(&self) -> MutexGuard<'_, BTreeMap<AccountId, usize>> {
        self.queues.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Another server changed something about versions: there may be one to judge, or a verdict.
    pub(crate) fn heard(&self) {
        self.arrived.notify_one();
        self.judged.send_replace(());
    }

    pub(crate) async fn submit(
        self: &Arc<Self>,
        account: AccountId,
        name: &BotName,
        game: Option<&'static Game>,
        bytes: Arc<[u8]>,
        now: UnixSeconds,
    ) -> Result<Submission, SubmitError> {
        if is_built_in(name) {
            return Err(SubmitError::NameTaken);
        }
        let (judge, name) = (self.clone(), name.clone());
        // In a task of its own, because the caller may be gone before the store is done.
        let submitting = async move {
            let store = &judge.core.store;
            let game = match game {
                Some(game) => game.ruleset.into(),
                None => store.bot_by_name(&name).await?.map_or_else(|| GAMES[0].ruleset.into(), |bot| bot.game),
            };
            let submission = store.submit(account, &name, &game, bytes, now).await?;
            let Version { id, entrant, size_bytes, .. } = submission.version();
            info!(account = account.0, bot = id.bot.0, version = id.number, %entrant, size_bytes, "submitted");
            judge.arrived.notify_one();
            Ok(submission)
        };
        let submitted = self.core.tasks.spawn(submitting.in_current_span());
        submitted.await.unwrap_or_else(|error| Err(unavailable(error).into()))
    }

    pub(crate) async fn verdict(&self, id: VersionId, wait: Duration) -> Result<Option<Version>, StoreError> {
        let end = self.core.clock.now() + wait;
        let mut judged = self.judged.subscribe();
        loop {
            let version = self.core.store.version(id).await?;
            let pending = version.as_ref().is_some_and(|version| version.state == VersionState::Pending);
            if !pending || self.unjudgeable().contains(&id) {
                return Ok(version);
            }
            tokio::select! {
                biased;
                () = self.core.stopping.cancelled() => return Ok(version),
                Ok(()) = judged.changed() => {}
                () = self.core.clock.sleep_until(end) => return Ok(version),
            }
        }
    }

    async fn run(self: Arc<Self>) {
        let mut queue = Queue::new();
        let mut failures = 0;
        loop {
            let again = match self.judge_next(&mut queue).await {
                Ok(Done::Stopped) => return,
                Ok(Done::Elsewhere) => Some(self.core.clock.now() + DUTY_LOOK),
                Ok(Done::One) => {
                    failures = 0;
                    continue;
                }
                Ok(Done::All) => {
                    failures = 0;
                    queue.put_off.values().map(|(_, at)| *at).min()
                }
                Err(error) => {
                    failures += 1;
                    error!(failures, cause = with_causes(&error), "the queue of submissions cannot be judged");
                    Some(self.core.clock.now() + pause(JUDGE_PAUSES, failures))
                }
            };
            tokio::select! {
                () = self.core.stopping.cancelled() => return,
                () = self.arrived.notified() => {}
                () = self.core.clock.sleep_until_any(again) => {}
            }
        }
    }

    /// Judges the version whose turn it is, of all that are pending now.
    async fn judge_next(&self, queue: &mut Queue) -> Result<Done, StoreError> {
        if !self.core.duties.take(JUDGE).await? {
            return Ok(Done::Elsewhere);
        }
        self.look(queue).await?;
        let Some((version, service)) = queue.shares.begin() else { return Ok(Done::All) };
        let span = error_span!("judge", bot = version.id.bot.0, version = version.id.number);
        let judged = self.judge(&version).instrument(span.clone()).await;
        let cost = match judged {
            Ok(Judged::Yes(cost)) => cost,
            // The real cost is unknown, so the maximum is charged.
            _ => service.cost(),
        };
        queue.shares.end(service, cost);
        match judged? {
            Judged::Yes(_) => {
                queue.put_off.remove(&version.id);
                self.unjudgeable().remove(&version.id);
            }
            Judged::Stopped => return Ok(Done::Stopped),
            Judged::MachineFailed => {
                let (failures, at) = queue.put_off.entry(version.id).or_insert((0, self.core.clock.now()));
                *failures = failures.saturating_add(1);
                *at = self.core.clock.now() + pause(JUDGE_PAUSES, *failures);
                self.unjudgeable().insert(version.id);
                span.in_scope(|| error!(failures, "put off: it cannot be judged now"));
                self.judged.send_replace(());
            }
        }
        Ok(Done::One)
    }

    /// Brings a queue up to date with the store: adds new versions and removes judged ones.
    async fn look(&self, queue: &mut Queue) -> Result<(), StoreError> {
        let pending = self.pending().await?;
        let ids: BTreeSet<VersionId> = pending.iter().map(|version| version.id).collect();
        queue.put_off.retain(|id, _| ids.contains(id));
        self.unjudgeable().retain(|id| ids.contains(id));
        queue.shares.keep(|version| ids.contains(&version.id));
        let waiting: BTreeSet<VersionId> = queue.shares.waiting().map(|version| version.id).collect();
        for version in pending.into_iter().filter(|version| !waiting.contains(&version.id)) {
            let due = queue.put_off.get(&version.id).is_none_or(|(_, at)| *at <= self.core.clock.now());
            let Some(bot) = self.core.store.bot(version.id.bot).await?.filter(|_| due) else { continue };
            let (key, cost) = (bot.account, cost::at_most(game_of(&bot.game)));
            queue.shares.wait(Wish { key, asker: key, weight: NonZeroU32::MIN, cost, reserve: false }, version);
        }
        *self.queues() = queue.shares.queues();
        Ok(())
    }

    /// What is pending, oldest first.
    async fn pending(&self) -> Result<Vec<Version>, StoreError> {
        let mut queue: Vec<Version> = Vec::new();
        let mut page = Page::first(PAGE_MAX);
        loop {
            let versions = self.core.store.pending_versions(page).await?;
            let Some(last) = versions.last().map(|version| version.id) else { break };
            queue.extend(versions);
            if queue.len() >= QUEUE_MAX {
                break;
            }
            page = Page::after(last, PAGE_MAX);
        }
        queue.sort_by_key(|version| (version.submitted_at, version.id));
        Ok(queue)
    }

    async fn judge(&self, version: &Version) -> Result<Judged, StoreError> {
        let bytes = match self.core.store.module(&version.entrant).await {
            // Somebody has to look at the data. Meanwhile others are judged.
            Err(error @ StoreError::Damaged(_)) => {
                error!(entrant = %version.entrant, cause = with_causes(&error), "the bytes of a version are damaged");
                return Ok(Judged::MachineFailed);
            }
            bytes => bytes?,
        };
        let bot = self.core.store.bot(version.id.bot).await?;
        // This release does not have the game; another one may judge the bot.
        let Some(game) = bot.and_then(|bot| game_of(&bot.game)) else {
            warn!("this release does not have the bot's game");
            return Ok(Judged::MachineFailed);
        };
        let host = self.core.host();
        let examine = move || {
            for _ in 0..JUDGE_TRIES {
                match qualify(&*host, &bytes, game, &Budgets::of(game.allowance), SAMPLE_SEED, WALL) {
                    Ok(found) => {
                        let cost = cost::of(&bytes, &found);
                        return Examined::Found((found.objection(), logs(&found), cost));
                    }
                    // The pool has tried often enough.
                    Err(QualifyError::Worker(error @ (WorkerError::Hung(_) | WorkerError::Lacking(_)))) => {
                        warn!(
                            cause = with_causes(&error),
                            "the machine is too busy to judge a module, or lacks something"
                        );
                        return Examined::Failed;
                    }
                    Err(error) => warn!(cause = with_causes(&error), "the machine failed while it judged"),
                }
            }
            Examined::Failed
        };
        let examined = on_a_thread("judge", examine)?;
        let (objection, logs, cost) = match self.core.stopping.run_until_cancelled(examined).await {
            None => return Ok(Judged::Stopped),
            Some(Ok(Examined::Found(found))) => found,
            Some(Ok(Examined::Failed)) => {
                self.counts.faults.fetch_add(1, Ordering::Relaxed);
                return Ok(Judged::MachineFailed);
            }
            Some(Err(_)) => {
                error!("the thread that judges died");
                return Ok(Judged::MachineFailed);
            }
        };
        let accepted = objection.is_none();
        // Without the message, which may quote the module.
        let code = objection.as_ref().map(|objection| objection.code.clone());
        let offset = objection.as_ref().and_then(|objection| objection.offset);
        // Before the verdict, so that they are there when it is read.
        match self.core.store.keep_sample_logs(version.id, &logs).await {
            Ok(()) | Err(SampleLogError::NoSuchVersion | SampleLogError::SeatTwice(_)) => {}
            Err(SampleLogError::Store(error)) => return Err(error),
        }
        let verdict = objection.map_or(Verdict::Accepted, Verdict::Refused);
        match self.core.store.set_verdict(version.id, verdict).await {
            Ok(_) | Err(VerdictError::AlreadyJudged | VerdictError::NoSuchVersion) => {}
            Err(VerdictError::Store(error)) => return Err(error),
        }
        let count = if accepted { &self.counts.accepted } else { &self.counts.refused };
        count.fetch_add(1, Ordering::Relaxed);
        info!(entrant = %version.entrant, game = game.ruleset, accepted, code, offset, "judged");
        // Before the verdict is announced, because its readers look at the standing tournament next.
        if accepted {
            self.standing.field_changed(game);
        }
        self.judged.send_replace(());
        Ok(Judged::Yes(cost))
    }
}

/// Pending versions, shared out among accounts. The store is the queue; this is the order in which it is served.
struct Queue {
    shares: Shares<AccountId, Version>,
    put_off: PutOff,
}

impl Queue {
    fn new() -> Queue {
        Queue { shares: Shares::new(JUDGE_SLOTS, 0, JUDGE_COST), put_off: PutOff::new() }
    }
}

enum Done {
    /// One was judged; there may be more.
    One,
    /// All were judged except those that are put off.
    All,
    /// Another server judges.
    Elsewhere,
    /// The service closes.
    Stopped,
}

/// The result of examining a version.
enum Examined {
    /// The objection if it may not play, its logs, and the cost.
    Found((Option<Objection>, Vec<SampleLog>, u64)),
    /// The machine failed in every try.
    Failed,
}

enum Judged {
    /// The cost.
    Yes(u64),
    MachineFailed,
    Stopped,
}

/// Whether a built-in opponent of any game has this name, or one that looks like it.
pub(crate) fn is_built_in(name: &BotName) -> bool {
    let mut names = GAMES.iter().flat_map(|game| Contender::built_in(game.ruleset));
    names.any(|built_in| name.looks_like(built_in))
}

/// What the bot logged in its sample games, one for each seat: the one from an opening where it forfeited that.
fn logs(qualification: &Qualification) -> Vec<SampleLog> {
    let Qualification::Played(sample) = qualification else { return Vec::new() };
    let log = |game: &arena_runner::SampleGame| SampleLog {
        seat: game.seat.0,
        text: game.log.iter().map(|line| format!("{line}\n")).collect(),
        dropped: game.log_dropped,
    };
    let forfeited = |seat| sample.openings.iter().find(|opening| opening.seat == seat && opening.forfeit().is_some());
    sample.games.iter().map(|game| log(forfeited(game.seat).unwrap_or(game))).collect()
}
