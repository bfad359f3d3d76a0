//! Judging submissions. Accounts take turns according to what judging them has cost: compiling, and the fuel of the
//! sample games. A newcomer is next.
//!
//! Modules that are light to compile, as bots are, go before heavy ones, and one place is always theirs. So a flood of
//! the heaviest modules that pass the check delays nobody else's verdict.
//!
//! The queue is the store's list of pending versions, so nothing is lost however the process ends. Beside it wait the
//! modules that are only checked (`checks.rs`), in memory.

mod checks;
pub(crate) mod cost;
mod examining;

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use arena_clock::Instant;
use arena_runner::Contender;
use arena_store::{
    AccountId, BotName, PAGE_MAX, Page, SampleLogError, StoreError, Submission, SubmitError, UnixSeconds, Verdict,
    VerdictError, Version, VersionId, VersionState,
};
use arena_wire::{GAMES, Game};
use parking_lot::Mutex;
use tokio::sync::{Notify, watch};
use tokio::task::{JoinError, JoinSet};
use tracing::{Instrument, error, error_span, info, warn};

use self::checks::{Check, Party, Waiting};
use self::examining::{Found, Unjudged};
use crate::core::{Core, game_of, on_a_thread, unavailable, with_causes};
use crate::fair_queue::{FairQueue, Request, Service};
use crate::limits::{DUTY_LOOK, JUDGE_COST, JUDGE_PAUSES, JUDGE_RESERVE, JUDGE_SLOTS, QUEUE_MAX, pause};
use crate::servers::JUDGE;
use crate::standing::StandingTournaments;

pub use self::checks::{Asker, CheckError, Checked};

/// The seed of sample games: that of `arena check`, so that both play the same ones.
const SAMPLE_SEED: u64 = 1;

/// Judges submitted bots.
pub struct Judge {
    core: Arc<Core>,
    standing: StandingTournaments,
    arrived: Notify,
    /// Changes with every verdict.
    judged: watch::Sender<()>,
    counts: Counts,
    /// Pending versions that cannot be judged now because of a fault of the machine.
    pub(crate) unjudgeable: Mutex<BTreeSet<VersionId>>,
    /// How much of each account waited when the judge last looked.
    pub(crate) queues: Mutex<BTreeMap<AccountId, usize>>,
    /// What came to be checked since then.
    checks: Mutex<Vec<Check>>,
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
        let judge = Arc::new(Judge::new(core, standing));
        judge.core.tasks.spawn(judge.clone().run());
        judge
    }

    fn new(core: Arc<Core>, standing: StandingTournaments) -> Judge {
        Judge {
            core,
            standing,
            arrived: Notify::new(),
            judged: watch::Sender::new(()),
            counts: Counts::default(),
            unjudgeable: Mutex::default(),
            queues: Mutex::default(),
            checks: Mutex::default(),
        }
    }

    pub(crate) fn counts(&self) -> &Counts {
        &self.counts
    }

    /// Whether a pending version cannot be judged now because of a fault of the machine. It is tried again.
    pub fn is_unjudgeable(&self, id: VersionId) -> bool {
        self.unjudgeable.lock().contains(&id)
    }

    /// Another server changed something about versions: there may be one to judge, or a verdict.
    pub(crate) fn notified(&self) {
        self.arrived.notify_one();
        self.judged.send_replace(());
    }

    /// Takes a version of a bot, as [`Store::submit`](arena_store::Store::submit) does, and judges it in the background
    /// even if the caller goes away. `arena check` gives the same verdict on the same bytes. Without a game it is the
    /// one that the bot plays, or the first of the list for a new bot.
    ///
    /// # Errors
    /// When it is refused.
    pub async fn submit(
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

    /// A version as soon as it is judged, or as it is after `wait`; `None` if there is none.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn verdict(&self, id: VersionId, wait: Duration) -> Result<Option<Version>, StoreError> {
        let end = self.core.clock.now() + wait;
        let mut judged = self.judged.subscribe();
        loop {
            let version = self.core.store.version(id).await?;
            let pending = version.as_ref().is_some_and(|version| version.state == VersionState::Pending);
            if !pending || self.unjudgeable.lock().contains(&id) {
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
        let (mut queue, mut judging) = (Queue::new(), JoinSet::new());
        let (mut ended, mut failures) = (Ok(()), 0);
        loop {
            let begun = match std::mem::replace(&mut ended, Ok(())) {
                Ok(()) => self.begin(&mut queue, &mut judging).await,
                Err(error) => Err(error),
            };
            let again = match begun {
                Ok(again) => {
                    failures = 0;
                    again
                }
                Err(error) => {
                    failures += 1;
                    error!(failures, cause = with_causes(&error), "the queue of submissions cannot be judged");
                    Some(self.core.clock.now() + pause(JUDGE_PAUSES, failures))
                }
            };
            tokio::select! {
                () = self.core.stopping.cancelled() => break,
                Some(judged) = judging.join_next() => ended = self.end(&mut queue, judged),
                () = self.arrived.notified() => {}
                () = self.core.clock.sleep_until_any(again) => {}
            }
        }
        // They end with the service, but for a verdict that is being written.
        while judging.join_next().await.is_some() {}
    }

    /// Begins to judge what has its turn, of all that waits now. When to look again, if nothing happens before. A
    /// server that does not have the duty checks what it was itself asked for, and nothing else.
    async fn begin(
        self: &Arc<Self>,
        queue: &mut Queue,
        judging: &mut JoinSet<Ended>,
    ) -> Result<Option<Instant>, StoreError> {
        let has_duty = self.core.leases.take(JUDGE).await?;
        if has_duty {
            self.look(queue).await?;
        } else {
            queue.fair.keep(|waiting| matches!(waiting, Waiting::Check(_)));
        }
        self.look_at_checks(queue).await?;
        let of_account = |(party, waiting)| if let Party::Account(id) = party { Some((id, waiting)) } else { None };
        *self.queues.lock() = queue.fair.queues().into_iter().filter_map(of_account).collect();
        while let Some((waiting, service)) = next(&mut queue.fair) {
            let judge = self.clone();
            match waiting {
                Waiting::Version(version) => {
                    let id = version.id;
                    queue.judging.insert(id);
                    let span = error_span!("judge", bot = id.bot.0, version = id.number);
                    let judged = async move { Ended { id: Some(id), service, judged: judge.judge(&version).await } };
                    judging.spawn(judged.instrument(span));
                }
                Waiting::Check(check) => {
                    let judged = async move { Ended { id: None, service, judged: judge.do_check(check).await } };
                    judging.spawn(judged);
                }
            }
        }
        let now = self.core.clock.now();
        if !has_duty {
            return Ok(Some(now + DUTY_LOOK));
        }
        Ok(queue.put_off.values().map(|(_, at)| *at).filter(|at| *at > now).min())
    }

    /// Makes room for the next one.
    fn end(&self, queue: &mut Queue, ended: Result<Ended, JoinError>) -> Result<(), StoreError> {
        let Ended { id, service, judged } = ended.map_err(unavailable)?;
        let cost = match judged {
            Ok(Ok(cost)) => cost,
            // The real cost is unknown, so the maximum is charged.
            _ => service.cost(),
        };
        queue.fair.end(service, cost);
        let Some(id) = id else { return judged.map(|_| ()) };
        queue.judging.remove(&id);
        match judged? {
            Ok(_) => {
                queue.put_off.remove(&id);
                self.unjudgeable.lock().remove(&id);
            }
            Err(Unjudged::Stopped) => {}
            Err(Unjudged::MachineFailed) => {
                let (failures, at) = queue.put_off.entry(id).or_insert((0, self.core.clock.now()));
                *failures = failures.saturating_add(1);
                *at = self.core.clock.now() + pause(JUDGE_PAUSES, *failures);
                self.unjudgeable.lock().insert(id);
                let failures = *failures;
                error!(bot = id.bot.0, version = id.number, failures, "put off: it cannot be judged now");
                self.judged.send_replace(());
            }
        }
        Ok(())
    }

    /// Brings a queue up to date with the store: adds new versions and removes judged ones.
    async fn look(&self, queue: &mut Queue) -> Result<(), StoreError> {
        let pending = self.pending().await?;
        let ids: BTreeSet<VersionId> = pending.iter().map(|version| version.id).collect();
        queue.put_off.retain(|id, _| ids.contains(id));
        self.unjudgeable.lock().retain(|id| ids.contains(id));
        queue.fair.keep(|waiting| !matches!(waiting, Waiting::Version(version) if !ids.contains(&version.id)));
        let version = |waiting: &Waiting| if let Waiting::Version(it) = waiting { Some(it.id) } else { None };
        let waiting: BTreeSet<VersionId> = queue.fair.waiting().filter_map(version).collect();
        let is_new = |id: &VersionId| !waiting.contains(id) && !queue.judging.contains(id);
        for version in pending.into_iter().filter(|version| is_new(&version.id)) {
            let due = queue.put_off.get(&version.id).is_none_or(|(_, at)| *at <= self.core.clock.now());
            let Some(bot) = self.core.store.bot(version.id.bot).await?.filter(|_| due) else { continue };
            let (key, cost) = (Party::Account(bot.account), cost::at_most(game_of(&bot.game)));
            let reserve = self.is_light(&version).await?;
            let request = Request { key, asker: key, weight: NonZeroU32::MIN, cost, reserve };
            queue.fair.wait(request, Waiting::Version(version));
        }
        Ok(())
    }

    /// Whether a version is light to compile.
    async fn is_light(&self, version: &Version) -> Result<bool, StoreError> {
        match self.core.store.module(&version.entrant).await {
            Ok(bytes) => on_a_thread("weigh", move || cost::is_light(&bytes))?.await.map_err(unavailable),
            // It is not compiled.
            Err(StoreError::Damaged(_)) => Ok(true),
            Err(error) => Err(error),
        }
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
                return Ok(Err(Unjudged::MachineFailed));
            }
            bytes => bytes?,
        };
        let bot = self.core.store.bot(version.id.bot).await?;
        // This release does not have the game; another one may judge the bot.
        let Some(game) = bot.and_then(|bot| game_of(&bot.game)) else {
            warn!("this release does not have the bot's game");
            return Ok(Err(Unjudged::MachineFailed));
        };
        let Found { objection, logs, cost, .. } = match self.examine(bytes.into(), game).await? {
            Ok(found) => found,
            Err(unjudged) => return Ok(Err(unjudged)),
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
        Ok(Ok(cost))
    }
}

/// Pending versions, and what is checked, shared out among those who pay. The store is the queue of the former; this is
/// the order in which it is served.
struct Queue {
    /// The reserve is for light modules.
    fair: FairQueue<Party, Waiting>,
    put_off: PutOff,
    judging: BTreeSet<VersionId>,
}

impl Queue {
    fn new() -> Queue {
        Queue { fair: fair(), put_off: PutOff::new(), judging: BTreeSet::new() }
    }
}

fn fair<K: Ord + Copy, T>() -> FairQueue<K, T> {
    FairQueue::new(JUDGE_SLOTS, JUDGE_RESERVE, JUDGE_COST)
}

/// The next version to judge, if there is a place for it: a light one, if one waits.
fn next<K: Ord + Copy, T>(fair: &mut FairQueue<K, T>) -> Option<(T, Service<K>)> {
    fair.begin_reserved().or_else(|| fair.begin())
}

/// What became of a version that was judged, or of a module that was checked.
struct Ended {
    /// The version.
    id: Option<VersionId>,
    service: Service<Party>,
    judged: Result<Judged, StoreError>,
}

/// What a verdict cost.
type Judged = Result<u64, Unjudged>;

/// Whether a built-in opponent of any game has this name, or one that looks like it.
pub(crate) fn is_built_in(name: &BotName) -> bool {
    let mut names = GAMES.iter().flat_map(|game| Contender::built_in(game.ruleset));
    names.any(|built_in| name.looks_like(built_in))
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;
    use arena_sandbox::{COMPILE_WEIGHT_TOTAL_MAX, compile_weight};
    use arena_store::{DisplayName, Limits, Store};

    use super::*;
    use crate::limits::JUDGE_LIGHT_WEIGHT_MAX;
    use crate::wakeup::Wakeup;

    /// A module that takes long to compile, and no longer than one may.
    fn heavy() -> Vec<u8> {
        let function = format!("(func {})", "(drop (i64.load (i32.const 0)))".repeat(1_600));
        let bytes = wat::parse_str(format!("(module (memory 1) {})", function.repeat(32))).expect("a module");
        let weight = compile_weight(&bytes);
        assert!((JUDGE_LIGHT_WEIGHT_MAX + 1..=COMPILE_WEIGHT_TOTAL_MAX).contains(&weight), "{weight}");
        bytes
    }

    #[tokio::test]
    async fn an_honest_author_is_judged_beside_the_first_of_the_heavy_modules_of_many_accounts() {
        let now = UnixSeconds(1);
        let core = Core::without_bots(Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store")));
        let judge = Arc::new(Judge::new(core, StandingTournaments::new(&[], 1, Wakeup::default())));
        let submit = async |name: &str, bytes: Vec<u8>| {
            let owner = DisplayName::parse(name).expect("a name");
            let owner = judge.core.store.create_account(&owner, now).await.expect("an account").0.id;
            let bot = BotName::parse(name).expect("a name");
            judge.submit(owner, &bot, None, bytes.into(), now).await.expect("taken").version().id
        };
        let heavy = heavy();
        for number in 0..10 {
            // A custom section, so that each is another module.
            submit(&format!("heavy-{number}"), [&*heavy, &[0, 3, 1, b'n', number]].concat()).await;
        }
        let mason = wat::parse_str(include_str!("../../../bots/gallery/mason/bot.wat")).expect("a module");
        let honest = submit("honest", mason).await;
        let mut queue = Queue::new();
        judge.look(&mut queue).await.expect("readable");
        let id = |waiting| if let Waiting::Version(version) = waiting { Some(version.id) } else { None };
        let begun = [(); 3].map(|()| next(&mut queue.fair).and_then(|(waiting, _)| id(waiting)));
        assert!(begun[0] == Some(honest) && begun[1].is_some() && begun[2].is_none(), "{begun:?}");
        assert_eq!(queue.fair.waiting().count(), 9);
    }

    fn wait(fair: &mut FairQueue<u32, bool>, account: u32, is_light: bool) {
        let request =
            Request { key: account, asker: account, weight: NonZeroU32::MIN, cost: JUDGE_COST, reserve: is_light };
        fair.wait(request, is_light);
    }

    #[test]
    fn twenty_heavy_modules_of_twenty_accounts_hold_up_no_light_one() {
        let mut fair = fair();
        (0..20).for_each(|account| wait(&mut fair, account, false));
        let (_, heavy) = next(&mut fair).expect("a place");
        assert!(next(&mut fair).is_none(), "one heavy module at a time");
        for account in 20..40 {
            wait(&mut fair, account, true);
            let (is_light, service) = next(&mut fair).expect("a place of its own");
            assert!(is_light);
            fair.end(service, JUDGE_COST);
        }
        fair.end(heavy, JUDGE_COST);
        assert!(next(&mut fair).is_some_and(|(is_light, _)| !is_light), "then the next heavy one");
    }

    #[test]
    fn whatever_comes_and_ends_heavy_modules_go_after_light_ones_and_one_at_a_time() {
        let mut rng = Rng::new(&[7; 32], 0);
        let mut below = |most: usize| rng.below(most as u32) as usize;
        let (mut fair, mut judged, mut heavy_ones) = (fair(), Vec::new(), 0);
        for _ in 0..20_000 {
            match below(4) {
                0 => wait(&mut fair, below(30) as u32, true),
                1 => wait(&mut fair, below(30) as u32, false),
                _ if !judged.is_empty() => {
                    let (_, service) = judged.swap_remove(below(judged.len()));
                    fair.end(service, JUDGE_COST);
                }
                _ => {}
            }
            while let Some((is_light, service)) = next(&mut fair) {
                assert!(is_light || fair.waiting().all(|is_light| !is_light), "a light one waits");
                heavy_ones += u32::from(!is_light);
                judged.push((is_light, service));
            }
            let lights = judged.iter().filter(|(is_light, _)| *is_light).count();
            assert!(judged.len() - lights <= JUDGE_SLOTS - JUDGE_RESERVE);
            assert!(lights >= JUDGE_RESERVE || fair.waiting().all(|is_light| !is_light), "their place is free");
        }
        assert!(heavy_ones > 1_000, "{heavy_ones}");
    }
}
