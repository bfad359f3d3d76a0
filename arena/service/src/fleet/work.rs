//! A worker: claims games, plays them within the walls, and submits the results.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::pin::Pin;
use std::sync::{Arc, mpsc};
use std::time::Duration;

use arena_clock::Clock;
use arena_record::{Budgets, EntrantId};
use arena_rules::BySeat;
use arena_runner::{Contender, Finished, Fixture, GameError, Host, LoadError, Workers, opponent_digests, semantics_id};
use arena_store::{Claimed, Lease, NewEnd, OtherRelease, Taken};
use arena_wire::GAMES;
use arena_worker::Pool;
use parking_lot::Mutex;
use tokio::sync::mpsc as async_mpsc;
use tracing::{info, warn};

use super::cache::Cache;
use super::job::{Job, end};
use super::source::{NoAnswer, Source};
use super::worker_state::{Call, Pace, WorkerState};
use crate::error_chain::with_causes;
use crate::limits::{HAND_BACK_TRIES, HAND_BACK_WAIT, WORKER_BOTS_MAX};

/// The parts of a worker.
pub struct Worker<S> {
    /// The clock by which it asks and renews.
    pub clock: Clock,
    /// Where games come from.
    pub source: Arc<S>,
    /// The processes in which bots run.
    pub pool: Pool,
    /// How many games at once, and how long leases are.
    pub pace: Pace,
    /// A folder for bots' bytes, which may vanish.
    pub cache: PathBuf,
}

/// An event to report to the worker's operator.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum News {
    /// The number of games that were submitted so far and count.
    Played(u64),
    /// Games wait that only another release can play.
    Other(OtherRelease),
    /// This many more claimed games are lost: their leases expired and others have them, or they are no longer needed.
    Lost(usize),
    /// A submitted game does not count, or not yet.
    NotCounted(Taken),
    /// The queue does not answer; with the reason.
    Trouble(String),
    /// It answers again.
    Back,
}

/// Why a worker gives up.
#[derive(Debug, thiserror::Error)]
pub enum WorkError {
    /// The queue refuses it.
    #[error(transparent)]
    Refused(Box<dyn Error + Send + Sync>),
    /// A thread cannot be started.
    #[error("cannot start a thread")]
    Thread(#[from] io::Error),
}

/// Works until `stop` completes, then hands back what it had claimed. Returns how many submitted games count.
///
/// # Errors
/// When the queue refuses the worker, for example because it is quarantined. A queue that does not answer is waited
/// for.
pub async fn work<S: Source>(
    worker: Worker<S>,
    stop: impl Future<Output = ()>,
    told: impl Fn(News),
) -> Result<u64, WorkError> {
    let Worker { clock, source, pool, pace, cache } = worker;
    let bench = Arc::new(Bench {
        host: Workers::new(pool),
        source: source.clone(),
        cache: Cache::new(&cache),
        loaded: Mutex::default(),
    });
    let (games, mut played) = play_on_threads(&bench, pace.places)?;
    let semantics: Vec<String> = GAMES.iter().map(|game| semantics_id(game.ruleset)).collect();
    let began = clock.now();
    let now = || u64::try_from(clock.since(began).as_millis()).unwrap_or(u64::MAX);
    let (mut state, mut submitted, mut known) = (WorkerState::new(pace), 0, BTreeSet::new());
    // Of those that were renewed last: a game that is being played stays lost.
    let mut lost_before = Vec::new();
    tokio::pin!(stop);
    let mut stop = Stop { clock: &clock, asked: stop, is_asked: false };
    loop {
        while let Ok((lease, result)) = played.try_recv() {
            take(&mut state, lease, result, now());
        }
        while let Some(claimed) = state.begin() {
            // The threads live as long as this.
            let _ = games.send(claimed);
        }
        tokio::select! {
            biased;
            () = stop.asked() => state.stop(),
            () = std::future::ready(()) => {}
        }
        let (before, was_asked) = (state.troubles(), stop.is_asked);
        let answered: Result<(), NoAnswer> = match state.next(now()) {
            Call::Stop => return Ok(submitted),
            Call::Wait(until) => {
                tokio::select! {
                    Some((lease, result)) = played.recv() => take(&mut state, lease, result, now()),
                    () = clock.sleep_until(began + Duration::from_millis(until)) => {}
                    () = stop.asked() => state.stop(),
                }
                continue;
            }
            Call::Claim(games_max) => stop.or(source.claim(&semantics, games_max, pace.lease_ms)).await.map(|claim| {
                let fresh = claim.others.into_iter().filter(|other| known.insert(other.clone()));
                fresh.for_each(|other| told(News::Other(other)));
                state.claimed(claim.games, now());
            }),
            Call::Renew(leases) => stop.or(source.renew(&leases, pace.lease_ms)).await.map(|lost| {
                let more = lost.iter().filter(|lease| !lost_before.contains(*lease)).count();
                if more > 0 {
                    told(News::Lost(more));
                }
                state.renewed(&lost, now());
                lost_before = lost;
            }),
            Call::HandBack(leases) => stop.or(source.hand_back(&leases)).await.map(|()| state.handed_back(&leases)),
            Call::Submit(ends) => stop.or(source.submit(&ends)).await.map(|taken| {
                state.submitted(&ends);
                submitted += taken.iter().filter(|taken| **taken == Taken::Counts).count() as u64;
                taken.iter().filter(|taken| **taken != Taken::Counts).for_each(|taken| told(News::NotCounted(*taken)));
                told(News::Played(submitted));
            }),
        };
        match answered {
            Ok(()) if before > 0 => told(News::Back),
            Ok(()) => {}
            Err(NoAnswer::Passing(why)) => {
                if before == 0 {
                    told(News::Trouble(why));
                }
                state.failed(now());
                // A worker that is to stop does not wait for a site that is down: its leases expire by themselves.
                if stop.is_asked && state.troubles() >= HAND_BACK_TRIES {
                    return Ok(submitted);
                }
            }
            Err(NoAnswer::Lasting(why)) => return Err(WorkError::Refused(why)),
        }
        if stop.is_asked && !was_asked {
            state.stop();
        }
    }
}

/// A game that was played, or why it was not.
type Ended = (Lease, Result<NewEnd, NotPlayed>);

/// Starts threads that play what is sent to them, until either end of their channels is dropped.
fn play_on_threads<S: Source>(
    bench: &Arc<Bench<S>>,
    threads: usize,
) -> io::Result<(mpsc::Sender<Claimed>, async_mpsc::UnboundedReceiver<Ended>)> {
    let (ended, played) = async_mpsc::unbounded_channel();
    let (games, given) = mpsc::channel::<Claimed>();
    let given = Arc::new(Mutex::new(given));
    for _ in 0..threads {
        let (bench, given, ended) = (bench.clone(), given.clone(), ended.clone());
        std::thread::Builder::new().name("games".into()).spawn(move || {
            loop {
                let next = given.lock().recv();
                let Ok(Claimed { lease, job }) = next else { return };
                let played = bench.play(&job).map(|finished| end(lease.clone(), &finished));
                if ended.send((lease, played)).is_err() {
                    return;
                }
            }
        })?;
    }
    Ok((games, played))
}

/// Whether the worker is to stop.
struct Stop<'a, F> {
    clock: &'a Clock,
    asked: Pin<&'a mut F>,
    is_asked: bool,
}

impl<F: Future<Output = ()>> Stop<'_, F> {
    /// Waits until it is to stop; forever if it knows that already.
    async fn asked(&mut self) {
        if self.is_asked {
            std::future::pending::<()>().await;
        }
        self.asked.as_mut().await;
        self.is_asked = true;
    }

    /// Waits for an answer of the queue, but not for long once the worker is to stop.
    async fn or<T>(&mut self, answer: impl Future<Output = Result<T, NoAnswer>>) -> Result<T, NoAnswer> {
        tokio::pin!(answer);
        if !self.is_asked {
            tokio::select! {
                biased;
                answered = &mut answer => return answered,
                () = self.asked() => {}
            }
        }
        let silent = || Err(NoAnswer::Passing("the queue does not answer".into()));
        self.clock.timeout(HAND_BACK_WAIT, answer).await.unwrap_or_else(silent)
    }
}

fn take(state: &mut WorkerState, lease: Lease, result: Result<NewEnd, NotPlayed>, now: u64) {
    match result {
        Ok(end) => state.played(end, now),
        Err(why) => {
            warn!(cause = with_causes(&why), "a game is handed back");
            state.unable(lease, now);
        }
    }
}

/// Why a game was not played here.
#[derive(Debug, thiserror::Error)]
enum NotPlayed {
    #[error("this release cannot read the game that it was asked for")]
    Job(#[from] serde_json::Error),
    #[error("the game needs release {0}: this one has no such opponent, or other semantics")]
    Release(String),
    #[error("the bytes of {0} cannot be found")]
    NoBytes(EntrantId),
    #[error(transparent)]
    Bytes(#[from] NoAnswer),
    #[error("a bot cannot be loaded")]
    Load(#[from] LoadError),
    #[error(transparent)]
    Game(#[from] GameError),
}

/// What the playing threads share.
struct Bench<S> {
    host: Workers,
    source: Arc<S>,
    cache: Cache,
    /// Bots that were checked, by id and budgets.
    loaded: Mutex<BTreeMap<(EntrantId, String), Contender>>,
}

impl<S: Source> Bench<S> {
    fn play(&self, job: &str) -> Result<Finished, NotPlayed> {
        let job = Job::parse(job)?;
        let wall = job.wall();
        let header = job.header;
        let opponents = opponent_digests(&header.ruleset, &header.entrants);
        let is_ours = header.semantics == semantics_id(&header.ruleset) && header.opponents == opponents;
        let known = header.entrants.iter().map(|id| self.contender(&header.ruleset, id, &header.budgets));
        let contenders = known.collect::<Result<Vec<Option<Contender>>, NotPlayed>>()?;
        let contenders: Option<Vec<&Contender>> = contenders.iter().map(Option::as_ref).collect();
        let Some(contenders) = contenders.filter(|_| is_ours) else {
            return Err(NotPlayed::Release(header.build));
        };
        let game = Fixture { header, contenders: BySeat::from(contenders), wall, endings: Vec::new() };
        Ok(self.host.play(&game)?)
    }

    /// The contender with an id; `None` if this release does not know it.
    fn contender(&self, ruleset: &str, id: &EntrantId, budgets: &Budgets) -> Result<Option<Contender>, NotPlayed> {
        if id.baseline().is_some() {
            return Ok(Contender::of_baseline(ruleset, id));
        }
        let place = (id.clone(), format!("{budgets:?}"));
        if let Some(known) = self.loaded.lock().get(&place) {
            return Ok(Some(known.clone()));
        }
        let bytes = match self.cache.get(id) {
            Some(bytes) => bytes,
            None => {
                let bytes = self.source.module(id)?.ok_or_else(|| NotPlayed::NoBytes(id.clone()))?;
                if let Err(error) = self.cache.put(id, &bytes) {
                    info!(%error, "a bot's bytes are not kept in the cache");
                }
                bytes
            }
        };
        let bot = self.host.load(&bytes, budgets)?;
        let mut loaded = self.loaded.lock();
        if loaded.len() >= WORKER_BOTS_MAX {
            // They are then checked again, which costs milliseconds while their process still runs.
            loaded.clear();
        }
        loaded.insert(place, bot.clone());
        Ok(Some(bot))
    }
}
