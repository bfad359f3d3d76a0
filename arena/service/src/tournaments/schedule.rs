//! Schedules the turns of tournaments. Each game's standing tournament has a share, and so has each account that
//! started a tournament.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use arena_clock::{Clock, Instant};
use arena_store::{AccountId, ContestId, StoreError};
use arena_wire::GAMES;
use tokio::runtime::Handle;
use tracing::{error, warn};

use super::contest::ContestRunner;
use super::edition::EditionRunner;
use super::run::{Others, Run};
use super::{Next, Trouble};
use crate::contests::Contests;
use crate::core::{Core, with_causes};
use crate::fair_queue::{FairQueue, Request};
use crate::limits::{CONTEST_SLEEP_MAX, FOLLOW_EVERY, STANDING_PAUSES, STANDING_TURNS, pause};
use crate::servers::{ReplicaError, TOURNAMENTS};
use crate::standing::{Ending, StandingTournaments};
use crate::wakeup::Wakeup;

/// What is played in one turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Task {
    Standing(usize),
    Contest(ContestId),
}

/// Whose share pays for a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Payer {
    Standing(usize),
    Account(AccountId),
}

/// Plays until it is stopped. Blocks its thread; `runtime` runs what does not.
pub(crate) fn play(
    standing: StandingTournaments,
    contests: Contests,
    core: Arc<Core>,
    data: PathBuf,
    threads: usize,
    runtime: Handle,
) {
    let _ending = Ending(standing.clone());
    let run = Run::new(core, standing.wakeup().clone(), threads);
    runtime.block_on(play_in_turns(&standing, contests, run, &data));
}

async fn play_in_turns(standing: &StandingTournaments, contests: Contests, run: Run, data: &Path) {
    let editions = GAMES.iter().map(|game| {
        let edition = EditionRunner::new(game, run.clone(), standing.clone(), data.into());
        Turns { edition, is_held: standing.of(game).held, rest: Rest::default() }
    });
    let (core, wakeup) = (run.core.clone(), standing.wakeup().clone());
    let mut editions: Vec<Turns> = editions.collect();
    let runner = ContestRunner::new(run, contests);
    let clock = core.clock.clone();
    let mut contests = OpenContests { runner, known: BTreeMap::new(), look: Some(clock.now()), failures: 0 };
    let mut queue = FairQueue::new(1, 0, 0);
    let (_, turn) = STANDING_TURNS;
    while !wakeup.is_stopping() {
        match whose(&core).await {
            Whose::Ours => {}
            Whose::OursAnew => {
                editions.iter_mut().for_each(Turns::forget);
                contests.forget(clock.now());
            }
            Whose::Others => {
                follow(&mut editions, &mut contests, &wakeup, clock.now()).await;
                wakeup.sleep(&BTreeSet::new(), Some(clock.now() + FOLLOW_EVERY), &clock).await;
                continue;
            }
        }
        let now = clock.now();
        contests.look(&wakeup.take_contests(), now).await;
        let ready = editions.iter().enumerate().filter(|(_, turns)| turns.is_ready(standing, now));
        let ready = ready.map(|(edition, _)| (Task::Standing(edition), Payer::Standing(edition)));
        // Accounts' tournaments first: people wait for each of them, but perhaps not for an edition.
        let ready: Vec<(Task, Payer)> = contests.ready(now).chain(ready).collect();
        // Cancelled tournaments no longer wait.
        queue.keep(|task| ready.iter().any(|(ready, _)| ready == task));
        let waiting: BTreeSet<Task> = queue.waiting().copied().collect();
        // A fair queue serves the last newcomer first, so adding them in reverse keeps this order.
        for (task, key) in ready.iter().rev().filter(|(task, _)| !waiting.contains(task)) {
            let (key, cost) = (*key, millis(turn));
            queue.wait(Request { key, asker: key, weight: NonZeroU32::MIN, cost, reserve: false }, *task);
        }
        // What has only waited for a moment has mostly something short to do: it waits for no turn.
        let due = rests(&editions, &contests).find(|(_, rest)| rest.is_due(now));
        let due = due.map(|(task, _)| (task, None));
        let next = due.or_else(|| queue.begin().map(|(task, service)| (task, Some(service))));
        let Some((next, service)) = next else {
            let idle = editions.iter().filter(|turns| turns.rest.is_idle());
            let games: BTreeSet<&str> = idle.map(|turns| turns.edition.game().ruleset).collect();
            let ends = rests(&editions, &contests).filter_map(|(_, rest)| rest.end()).chain(contests.look);
            wakeup.sleep(&games, ends.min(), &clock).await;
            continue;
        };
        let rest = rests(&editions, &contests).filter(|(task, _)| *task != next);
        let ends = rest.filter_map(|(_, rest)| rest.end()).chain(contests.look).filter(|end| *end > now);
        let others = Others { wait: ready.iter().any(|(task, _)| *task != next), due: ends.min() };
        let continues = match next {
            Task::Standing(edition) => editions[edition].take(others, &clock).await,
            Task::Contest(id) => contests.take(id, others, &clock).await,
        };
        if let Some(service) = service {
            // A long turn that nobody interrupted costs no more than one turn.
            queue.end(service, millis(clock.since(now).min(turn)));
        }
        if !continues {
            return;
        }
    }
}

/// All tournaments, and what each waits for.
fn rests(editions: &[Turns], contests: &OpenContests) -> impl Iterator<Item = (Task, Rest)> {
    let of_editions = editions.iter().enumerate().map(|(edition, turns)| (Task::Standing(edition), turns.rest));
    of_editions.chain(contests.known.iter().map(|(id, (_, rest))| (Task::Contest(*id), *rest)))
}

/// Which server plays tournaments.
enum Whose {
    Ours,
    /// This server, newly or again: another may have played since it last did.
    OursAnew,
    Others,
}

/// Whether this server is the one to play tournaments. It fetches what others have played before it continues.
async fn whose(core: &Core) -> Whose {
    if core.leases.holds(TOURNAMENTS) && core.replica.is_in_step() {
        return Whose::Ours;
    }
    let anew = async {
        // Before taking the duty, because there may be much to fetch.
        core.replica.fetch().await?;
        if !core.leases.take(TOURNAMENTS).await? {
            return Ok(false);
        }
        core.replica.fetch().await?;
        core.replica.send_new().await?;
        Ok::<bool, ReplicaError>(true)
    };
    match anew.await {
        Ok(true) => Whose::OursAnew,
        Ok(false) => Whose::Others,
        Err(error) => {
            warn!(cause = with_causes(&error), "cannot find out what other servers have played");
            Whose::Others
        }
    }
}

/// Shows what another server plays.
async fn follow(editions: &mut [Turns], contests: &mut OpenContests, wakeup: &Wakeup, now: Instant) {
    for Turns { edition, rest, .. } in editions.iter_mut() {
        *rest = Rest::default();
        if let Err(trouble) = edition.follow().await {
            edition.trouble(with_causes(&trouble));
        }
    }
    contests.follow(&wakeup.take_contests(), now).await;
}

/// The cost of a turn.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

/// When a tournament is ready for its next turn.
#[derive(Clone, Copy, Default)]
struct Rest {
    until: Until,
    /// Failed steps since the last good one.
    failures: u32,
}

/// What a step leads to.
enum After {
    Rest(Rest),
    Over,
    /// The service stops.
    Stop,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Until {
    /// Now.
    #[default]
    Now,
    /// When its field changes: everything is played.
    Changed,
    /// At this moment: a step failed, or a date comes.
    Moment(Instant),
}

impl Rest {
    fn end(&self) -> Option<Instant> {
        match self.until {
            Until::Moment(end) => Some(end),
            Until::Now | Until::Changed => None,
        }
    }

    fn is_idle(&self) -> bool {
        self.until == Until::Changed
    }

    /// Whether its date has come. What is tried again after a failure may take long, and is not meant.
    fn is_due(&self, now: Instant) -> bool {
        self.failures == 0 && self.end().is_some_and(|end| end <= now)
    }

    fn until(until: Until) -> Rest {
        Rest { until, failures: 0 }
    }

    /// What a step leads to.
    fn after(self, step: Result<Next, Trouble>, clock: &Clock) -> After {
        After::Rest(match step {
            Ok(Next::Step) => Rest::until(Until::Now),
            Ok(Next::Wait(None)) => Rest::until(Until::Changed),
            Ok(Next::Wait(Some(date))) => {
                let seconds = u64::try_from(date.saturating_sub(clock.unix_seconds())).unwrap_or(0);
                // Not longer, so that a clock set forward is noticed soon.
                let sleep = Duration::from_secs(seconds).min(CONTEST_SLEEP_MAX);
                Rest::until(Until::Moment(clock.now() + sleep))
            }
            Ok(Next::Over) => return After::Over,
            Ok(Next::Stop) => return After::Stop,
            Err(_) => self.failed(clock.now()),
        })
    }

    /// The pause after one more failure.
    fn failed(self, now: Instant) -> Rest {
        let failures = self.failures.saturating_add(1);
        Rest { until: Until::Moment(now + pause(STANDING_PAUSES, failures)), failures }
    }
}

/// A game's standing tournament, and when it is ready for its next turn.
struct Turns {
    edition: EditionRunner,
    /// Whether its editions are played here. Otherwise existing editions are only shown.
    is_held: bool,
    rest: Rest,
}

impl Turns {
    /// Starts over from what another server has played.
    fn forget(&mut self) {
        self.edition.forget();
        self.rest.until = Until::Now;
    }

    fn is_ready(&self, standing: &StandingTournaments, now: Instant) -> bool {
        match self.rest.until {
            Until::Now => true,
            Until::Changed => standing.has_changed(self.edition.game()),
            Until::Moment(end) => end <= now,
        }
    }

    /// Takes a turn; `false` when the service stops.
    async fn take(&mut self, others: Others, clock: &Clock) -> bool {
        let step = if self.is_held {
            self.edition.step(others, self.rest.failures).await
        } else {
            self.edition.follow().await.map(|()| Next::Wait(None))
        };
        if let Err(trouble) = &step {
            self.edition.trouble(with_causes(trouble));
        }
        match self.rest.after(step, clock) {
            After::Rest(rest) => self.rest = rest,
            // A standing tournament is never over.
            After::Over => {}
            After::Stop => return false,
        }
        true
    }
}

/// The tournaments of accounts, and when each is ready for its next turn.
struct OpenContests {
    runner: ContestRunner,
    known: BTreeMap<ContestId, (AccountId, Rest)>,
    /// When to look at all of them; `None` once that is done.
    look: Option<Instant>,
    failures: u32,
}

impl OpenContests {
    /// Starts over from what another server has played.
    fn forget(&mut self, now: Instant) {
        self.runner.forget();
        self.look = Some(now);
    }

    /// Looks at those that changed, or at all if that is still to be done.
    async fn look(&mut self, changed: &BTreeSet<ContestId>, now: Instant) {
        let is_due = self.look.is_some_and(|at| at <= now);
        let looked = self.look_at(changed, is_due).await;
        match looked {
            Ok(()) if is_due => {
                if let Err(trouble) = self.runner.tidy().await {
                    warn!(
                        cause = with_causes(&trouble),
                        "cannot remove unused folders: they stay until the next start"
                    );
                }
                (self.look, self.failures) = (None, 0);
            }
            Ok(()) => {}
            Err(error) => {
                self.failures = self.failures.saturating_add(1);
                error!(cause = with_causes(&error), "cannot look at the tournaments of accounts");
                self.look = Some(now + pause(STANDING_PAUSES, self.failures));
            }
        }
    }

    async fn look_at(&mut self, changed: &BTreeSet<ContestId>, all: bool) -> Result<(), StoreError> {
        let under_way = if all { self.runner.under_way().await? } else { Vec::new() };
        for id in changed.iter().copied().chain(under_way) {
            self.changed(id).await?;
        }
        Ok(())
    }

    /// Shows what another server plays: tournaments under way, and those that changed.
    async fn follow(&mut self, changed: &BTreeSet<ContestId>, now: Instant) {
        // This server looks at all of them when it becomes the one to play.
        (self.look, self.failures) = (Some(now), 0);
        self.known.clear();
        let under_way = self.runner.under_way().await.unwrap_or_default();
        for id in changed.iter().chain(&under_way) {
            if let Err(error) = self.runner.follow(*id) {
                warn!(
                    contest = id.0,
                    cause = with_causes(&error),
                    "cannot show a tournament that another server plays"
                );
            }
        }
    }

    async fn changed(&mut self, id: ContestId) -> Result<(), StoreError> {
        match self.known.get_mut(&id) {
            Some((_, rest)) => rest.until = Until::Now,
            None => {
                if let Some(owner) = self.runner.owner(id).await? {
                    self.known.insert(id, (owner, Rest::default()));
                }
            }
        }
        Ok(())
    }

    fn ready(&self, now: Instant) -> impl Iterator<Item = (Task, Payer)> {
        let ready = self.known.iter().filter(move |(_, (_, rest))| match rest.until {
            Until::Now => true,
            Until::Changed => false,
            Until::Moment(end) => end <= now,
        });
        ready.map(|(id, (owner, _))| (Task::Contest(*id), Payer::Account(*owner)))
    }

    /// Takes a turn; `false` when the service stops.
    async fn take(&mut self, id: ContestId, others: Others, clock: &Clock) -> bool {
        let Some((_, rest)) = self.known.get_mut(&id) else { return true };
        let step = self.runner.step(id, others, rest.failures).await;
        if let Err(trouble) = &step {
            self.runner.trouble(id, trouble);
        }
        match rest.after(step, clock) {
            After::Rest(after) => *rest = after,
            After::Over => drop(self.known.remove(&id)),
            After::Stop => return false,
        }
        true
    }
}
