//! The thread that plays tournaments: whose turn it is. The standing tournament of each game has a share, and so has each account
//! that started one.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

use arena_store::{AccountId, ContestId, StoreError};
use arena_wire::GAMES;
use tokio::runtime::Handle;
use tracing::{error, warn};

use crate::bell::Bell;
use crate::contests::{self, Desk, Runner};
use crate::core::{Core, now, with_causes};
use crate::duties::TOURNAMENTS;
use crate::limits::{CONTEST_SLEEP_MAX, FOLLOW_EVERY, STANDING_PAUSES, STANDING_TURNS, pause};
use crate::shares::{Shares, Wish};
use crate::shelf::ShelfError;
use crate::standing::{Ending, Next, StandingTournaments, Track};

/// What is played in a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Task {
    Standing(usize),
    Contest(ContestId),
}

/// Who pays for a turn.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Payer {
    Standing(usize),
    Account(AccountId),
}

/// Plays until it is stopped. Blocks; `runtime` does what is asynchronous.
pub(crate) fn play(
    standing: StandingTournaments,
    desk: Desk,
    core: Arc<Core>,
    data: PathBuf,
    threads: usize,
    runtime: Handle,
) {
    let _ending = Ending(standing.clone());
    let tracks = GAMES.iter().map(|game| {
        let track = Track::new(game, standing.clone(), core.clone(), data.clone(), threads, runtime.clone());
        Turns { track, is_held: standing.standing(game).held, rest: Rest::default() }
    });
    let bell = standing.bell().clone();
    let mut tracks: Vec<Turns> = tracks.collect();
    let runner = Runner::new(core.clone(), desk, bell.clone(), threads, runtime.clone());
    let mut contests = Contests { runner, known: BTreeMap::new(), look: Some(Instant::now()), failures: 0 };
    let mut shares = Shares::new(1, 0, 0);
    let (_, turn) = STANDING_TURNS;
    while !bell.is_stopping() {
        match whose(&core, &runtime) {
            Whose::Ours => {}
            Whose::OursAnew => {
                tracks.iter_mut().for_each(Turns::forget);
                contests.forget();
            }
            Whose::Others => {
                follow(&mut tracks, &mut contests, &bell);
                continue;
            }
        }
        let now = Instant::now();
        contests.look(&bell.take_contests(), now);
        let ready = tracks.iter().enumerate().filter(|(_, turns)| turns.is_ready(&standing, now));
        let ready = ready.map(|(track, _)| (Task::Standing(track), Payer::Standing(track)));
        // Somebody waits for each tournament of an account, perhaps nobody for an edition.
        let ready: Vec<(Task, Payer)> = contests.ready(now).chain(ready).collect();
        // What was cancelled waits no longer.
        shares.keep(|task| ready.iter().any(|(ready, _)| ready == task));
        let waiting: BTreeSet<Task> = shares.waiting().copied().collect();
        // The last newcomer is first: so they begin in this order.
        for (task, key) in ready.iter().rev().filter(|(task, _)| !waiting.contains(task)) {
            let (key, cost) = (*key, millis(turn));
            shares.wait(Wish { key, asker: key, weight: NonZeroU32::MIN, cost, reserve: false }, *task);
        }
        let Some((next, service)) = shares.begin() else {
            let idle = tracks.iter().filter(|turns| turns.rest.is_idle());
            let games: BTreeSet<&str> = idle.map(|turns| turns.track.game().ruleset).collect();
            let ends = tracks.iter().filter_map(|turns| turns.rest.end()).chain(contests.ends());
            bell.sleep(&games, ends.min());
            continue;
        };
        let others_wait = ready.iter().any(|(task, _)| *task != next);
        let goes_on = match next {
            Task::Standing(track) => tracks[track].take(others_wait),
            Task::Contest(id) => contests.take(id, others_wait),
        };
        // Who was not asked to make place pays for one turn all the same.
        shares.end(service, millis(now.elapsed().min(turn)));
        if !goes_on {
            return;
        }
    }
}

/// Who plays tournaments.
enum Whose {
    Ours,
    /// This server, from now on or again: another may have played since it last did.
    OursAnew,
    Others,
}

/// Whether tournaments are this server's to play. It has what the others have played before it plays on.
fn whose(core: &Core, runtime: &Handle) -> Whose {
    if core.duties.holds(TOURNAMENTS) && core.shelf.is_in_step() {
        return Whose::Ours;
    }
    let anew = async {
        // First without the duty: there may be much to fetch.
        core.shelf.fetch().await?;
        if !core.duties.take(TOURNAMENTS).await? {
            return Ok(false);
        }
        core.shelf.fetch().await?;
        core.shelf.send_new().await?;
        Ok::<bool, ShelfError>(true)
    };
    match runtime.block_on(anew) {
        Ok(true) => Whose::OursAnew,
        Ok(false) => Whose::Others,
        Err(error) => {
            warn!(cause = with_causes(&error), "cannot find out what other servers have played");
            Whose::Others
        }
    }
}

/// Shows what another server plays, and waits a little.
fn follow(tracks: &mut [Turns], contests: &mut Contests, bell: &Bell) {
    for Turns { track, rest, .. } in tracks.iter_mut() {
        *rest = Rest::default();
        if let Err(trouble) = track.follow() {
            track.trouble(with_causes(&trouble));
        }
    }
    contests.follow(&bell.take_contests());
    bell.sleep(&BTreeSet::new(), Some(Instant::now() + FOLLOW_EVERY));
}

/// A turn's cost.
fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX).max(1)
}

/// When it is somebody's turn again.
#[derive(Clone, Copy, Default)]
struct Rest {
    until: Until,
    /// Failed steps since the last good one.
    failures: u32,
}

#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Until {
    /// There is something to do.
    #[default]
    Now,
    /// All that is to be played is played.
    Changed,
    /// Something failed, or has its date.
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

    fn until(until: Until) -> Rest {
        Rest { until, failures: 0 }
    }

    /// After another failure.
    fn failed(self) -> Rest {
        let failures = self.failures.saturating_add(1);
        Rest { until: Until::Moment(Instant::now() + pause(STANDING_PAUSES, failures)), failures }
    }
}

/// A game's standing tournament, and when it is its turn again.
struct Turns {
    track: Track,
    /// Whether it is played here; else what there is of it is shown.
    is_held: bool,
    rest: Rest,
}

impl Turns {
    /// Begins anew, in what another server has played.
    fn forget(&mut self) {
        self.track.forget();
        self.rest.until = Until::Now;
    }

    fn is_ready(&self, standing: &StandingTournaments, now: Instant) -> bool {
        match self.rest.until {
            Until::Now => true,
            Until::Changed => standing.has_changed(self.track.game()),
            Until::Moment(end) => end <= now,
        }
    }

    /// Takes a turn; whether there may be another.
    fn take(&mut self, others_wait: bool) -> bool {
        let step = if self.is_held {
            self.track.step(others_wait, self.rest.failures)
        } else {
            self.track.follow().map(|()| Next::Sleep)
        };
        self.rest = match step {
            Ok(Next::Step) => Rest::until(Until::Now),
            Ok(Next::Sleep) => Rest::until(Until::Changed),
            Ok(Next::Stop) => return false,
            Err(trouble) => {
                self.track.trouble(with_causes(&trouble));
                self.rest.failed()
            }
        };
        true
    }
}

/// The tournaments of accounts, and when it is the turn of each again.
struct Contests {
    runner: Runner,
    known: BTreeMap<ContestId, (AccountId, Rest)>,
    /// When all are looked at, if that is still to be done.
    look: Option<Instant>,
    failures: u32,
}

impl Contests {
    /// Begins anew, in what another server has played.
    fn forget(&mut self) {
        self.runner.forget();
        self.look = Some(Instant::now());
    }

    /// Looks at those that have changed, and at the start at all.
    fn look(&mut self, changed: &BTreeSet<ContestId>, now: Instant) {
        let mut changed = changed.clone();
        let looked = match self.look {
            Some(at) if at <= now => self.runner.under_way(),
            _ => Ok(Vec::new()),
        };
        let looked = looked.and_then(|under_way| {
            changed.extend(under_way);
            changed.iter().try_for_each(|id| self.changed(*id))
        });
        match looked {
            Ok(()) if self.look.is_some_and(|at| at <= now) => {
                if let Err(trouble) = self.runner.tidy() {
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

    /// Shows what another server plays of those that are under way or have changed.
    fn follow(&mut self, changed: &BTreeSet<ContestId>) {
        // All are looked at when it is this server's turn.
        (self.look, self.failures) = (Some(Instant::now()), 0);
        self.known.clear();
        let under_way = self.runner.under_way().unwrap_or_default();
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

    fn changed(&mut self, id: ContestId) -> Result<(), StoreError> {
        match self.known.get_mut(&id) {
            Some((_, rest)) => rest.until = Until::Now,
            None => {
                if let Some(owner) = self.runner.owner(id)? {
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

    fn ends(&self) -> impl Iterator<Item = Instant> {
        self.known.values().filter_map(|(_, rest)| rest.end()).chain(self.look)
    }

    /// Takes a turn; whether there may be another.
    fn take(&mut self, id: ContestId, others_wait: bool) -> bool {
        let Some((_, rest)) = self.known.get_mut(&id) else { return true };
        match self.runner.step(id, others_wait, rest.failures) {
            Ok(contests::Next::Step) => *rest = Rest::until(Until::Now),
            Ok(contests::Next::Wait(None)) => *rest = Rest::until(Until::Changed),
            Ok(contests::Next::Wait(Some(date))) => {
                let seconds = u64::try_from(date.saturating_sub(now().0)).unwrap_or(0);
                // A clock that is set forward is noticed soon.
                let sleep = Duration::from_secs(seconds).min(CONTEST_SLEEP_MAX);
                *rest = Rest::until(Until::Moment(Instant::now() + sleep));
            }
            Ok(contests::Next::Over) => drop(self.known.remove(&id)),
            Ok(contests::Next::Stop) => return false,
            Err(trouble) => {
                self.runner.trouble(id, &trouble);
                *rest = rest.failed();
            }
        }
        true
    }
}
