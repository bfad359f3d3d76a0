//! Judging submissions, one at a time, in the order in which they came.
//!
//! The queue is the store's list of pending versions, so nothing is forgotten however the process ends.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use arena_record::Budgets;
use arena_runner::{Contender, Qualification, qualify};
use arena_store::{
    AccountId, BotName, PAGE_MAX, Page, SampleLog, SampleLogError, StoreError, Submission, SubmitError, UnixSeconds,
    Verdict, VerdictError, Version, VersionId, VersionState,
};
use arena_wire::{GAMES, Game};
use tokio::sync::{Notify, watch};
use tokio::time::{Instant, sleep_until, timeout_at};
use tracing::{Instrument, error, error_span, info, warn};

use crate::core::{Core, WALL, game_of, on_a_thread, unavailable, with_causes};
use crate::limits::{JUDGE_PAUSES, JUDGE_TRIES, QUEUE_MAX, pause};
use crate::standing::StandingTournaments;

/// The seed of sample games: that of `arena check`, so that both play the same ones.
const SAMPLE_SEED: u64 = 1;

pub(crate) struct Judge {
    core: Arc<Core>,
    standing: StandingTournaments,
    arrived: Notify,
    /// Changes with every verdict.
    judged: watch::Sender<()>,
}

/// Versions that the machine failed on: how often, and when they are tried again.
type PutOff = BTreeMap<VersionId, (u32, Instant)>;

impl Judge {
    /// Begins to judge, with what is pending.
    pub(crate) fn start(core: Arc<Core>, standing: StandingTournaments) -> Arc<Judge> {
        let judge = Arc::new(Judge { core, standing, arrived: Notify::new(), judged: watch::Sender::new(()) });
        judge.core.tasks.spawn(judge.clone().run());
        judge
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
        // A task, because the caller may be gone before the store is done.
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
        let end = Instant::now() + wait;
        let mut judged = self.judged.subscribe();
        loop {
            let version = self.core.store.version(id).await?;
            let pending = version.as_ref().is_some_and(|version| version.state == VersionState::Pending);
            if !pending {
                return Ok(version);
            }
            tokio::select! {
                () = self.core.stopping.cancelled() => return Ok(version),
                changed = timeout_at(end, judged.changed()) => if !matches!(changed, Ok(Ok(()))) {
                    return Ok(version);
                }
            }
        }
    }

    async fn run(self: Arc<Self>) {
        let mut put_off = PutOff::new();
        let mut failures = 0;
        loop {
            let again = match self.judge_all(&mut put_off).await {
                Ok(Queue::Stopped) => return,
                Ok(Queue::Cut) => continue,
                Ok(Queue::Whole) => {
                    failures = 0;
                    put_off.values().map(|(_, at)| *at).min()
                }
                Err(error) => {
                    failures += 1;
                    error!(failures, cause = with_causes(&error), "the queue of submissions cannot be judged");
                    Some(Instant::now() + pause(JUDGE_PAUSES, failures))
                }
            };
            let due = async {
                match again {
                    Some(at) => sleep_until(at).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = self.core.stopping.cancelled() => return,
                () = self.arrived.notified() => {}
                () = due => {}
            }
        }
    }

    /// Judges what is pending now, but for versions that are put off.
    async fn judge_all(&self, put_off: &mut PutOff) -> Result<Queue, StoreError> {
        let (queue, whole) = self.queue().await?;
        put_off.retain(|id, _| queue.iter().any(|version| version.id == *id));
        let due = |put_off: &PutOff, id| put_off.get(&id).is_none_or(|(_, at)| *at <= Instant::now());
        let mut judged = 0;
        for version in queue {
            if !due(put_off, version.id) {
                continue;
            }
            let span = error_span!("judge", bot = version.id.bot.0, version = version.id.number);
            match self.judge(&version).instrument(span.clone()).await? {
                Judged::Yes => drop(put_off.remove(&version.id)),
                Judged::Stopped => return Ok(Queue::Stopped),
                Judged::MachineFailed => {
                    let (failures, at) = put_off.entry(version.id).or_insert((0, Instant::now()));
                    *failures += 1;
                    *at = Instant::now() + pause(JUDGE_PAUSES, *failures);
                    span.in_scope(|| error!(failures, "put off, because it cannot be judged here and now"));
                }
            }
            judged += 1;
        }
        Ok(if whole || judged == 0 { Queue::Whole } else { Queue::Cut })
    }

    /// What is pending, oldest first, and whether that is all.
    async fn queue(&self) -> Result<(Vec<Version>, bool), StoreError> {
        let mut queue: Vec<Version> = Vec::new();
        let mut page = Page::first(PAGE_MAX);
        let whole = loop {
            let versions = self.core.store.pending_versions(page).await?;
            let Some(last) = versions.last().map(|version| version.id) else { break true };
            queue.extend(versions);
            if queue.len() >= QUEUE_MAX {
                break false;
            }
            page = Page::after(last, PAGE_MAX);
        };
        queue.sort_by_key(|version| (version.submitted_at, version.id));
        Ok((queue, whole))
    }

    async fn judge(&self, version: &Version) -> Result<Judged, StoreError> {
        let bytes = match self.core.store.module(&version.entrant).await {
            // Someone has to look at the data; others are judged meanwhile.
            Err(error @ StoreError::Damaged(_)) => {
                error!(entrant = %version.entrant, cause = with_causes(&error), "the bytes of a version are damaged");
                return Ok(Judged::MachineFailed);
            }
            bytes => bytes?,
        };
        let bot = self.core.store.bot(version.id.bot).await?;
        // A game that this release does not have: another one may judge it.
        let Some(game) = bot.and_then(|bot| game_of(&bot.game)) else {
            warn!("this release does not have the bot's game");
            return Ok(Judged::MachineFailed);
        };
        let host = self.core.host();
        let examine = move || {
            let try_once = || match qualify(&*host, &bytes, game, &Budgets::of(game.allowance), SAMPLE_SEED, WALL) {
                Ok(qualification) => Some((qualification.objection(), logs(&qualification))),
                Err(error) => {
                    warn!(cause = with_causes(&error), "the machine failed while it judged");
                    None
                }
            };
            (0..JUDGE_TRIES).find_map(|_| try_once())
        };
        let examined = on_a_thread("judge", examine)?;
        let (objection, logs) = match self.core.stopping.run_until_cancelled(examined).await {
            None => return Ok(Judged::Stopped),
            Some(Ok(Some(found))) => found,
            Some(Ok(None)) => return Ok(Judged::MachineFailed),
            Some(Err(_)) => {
                error!("the thread that judges died");
                return Ok(Judged::MachineFailed);
            }
        };
        let accepted = objection.is_none();
        // Not the message, which may quote the module.
        let code = objection.as_ref().map(|objection| objection.code.clone());
        let offset = objection.as_ref().and_then(|objection| objection.offset);
        // Before the verdict, so that its readers find them.
        match self.core.store.keep_sample_logs(version.id, &logs).await {
            Ok(()) | Err(SampleLogError::NoSuchVersion | SampleLogError::SeatTwice(_)) => {}
            Err(SampleLogError::Store(error)) => return Err(error),
        }
        let verdict = objection.map_or(Verdict::Accepted, Verdict::Refused);
        match self.core.store.set_verdict(version.id, verdict).await {
            Ok(_) | Err(VerdictError::AlreadyJudged | VerdictError::NoSuchVersion) => {}
            Err(VerdictError::Store(error)) => return Err(error),
        }
        info!(entrant = %version.entrant, game = game.ruleset, accepted, code, offset, "judged");
        // Before the verdict is announced: its readers will look at the standing tournament.
        if accepted {
            self.standing.field_changed(game);
        }
        self.judged.send_replace(());
        Ok(Judged::Yes)
    }
}

/// What is left of the pending versions.
enum Queue {
    /// None but those put off.
    Whole,
    /// There were more than are looked at together.
    Cut,
    /// The service closes.
    Stopped,
}

enum Judged {
    Yes,
    MachineFailed,
    Stopped,
}

/// Whether a built-in opponent of any game has this name, or one that looks like it.
fn is_built_in(name: &BotName) -> bool {
    let mut names = GAMES.iter().flat_map(|game| Contender::built_in(game.ruleset));
    names.any(|built_in| name.looks_like(built_in))
}

/// What the bot logged in its sample games.
fn logs(qualification: &Qualification) -> Vec<SampleLog> {
    let Qualification::Played(sample) = qualification else { return Vec::new() };
    let log = |game: &arena_runner::SampleGame| SampleLog {
        seat: game.seat.0,
        text: game.log.iter().map(|line| format!("{line}\n")).collect(),
        dropped: game.log_dropped,
    };
    sample.games.iter().map(log).collect()
}
