//! Worker processes, each lent to one player at a time.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use arena_record::{Budgets, Bytes};
use arena_sandbox::{Refusal, RefusalCode};

use crate::RemoteBot;
use crate::limits::{
    ADDRESS_SPACE_BYTES_MAX, BOTS_PER_WORKER_MAX, COMPILE_CPU_SECONDS_MAX, COMPILE_TRIES, Patience, RECOMPILE_FACTOR,
};
use crate::message::{Request, Response, refusal};
use crate::process::{Ending, Starter, Worker};
use crate::walls::{WallPolicy, Walls};

/// Starts workers and keeps those that are idle. Cheap to clone; the processes end with the last clone.
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    starter: Starter,
    patience: Patience,
    idle_max: usize,
    idle: Mutex<Vec<Worker>>,
}

/// A worker did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// It cannot be started.
    #[error("a worker cannot be started")]
    Start(#[source] io::Error),
    /// It is gone: it died, or closed its pipe.
    #[error("the worker died ({0})")]
    Died(Ending),
    /// It did not answer in time and was ended.
    #[error("the worker did not answer within {0:?} and was ended")]
    Hung(Duration),
    /// It said something that is no answer.
    #[error("the worker does not speak as a worker of this release")]
    Nonsense,
    /// It runs no bot, because a wall is missing and all are required.
    #[error("workers run no bots here, because all their walls are required; {0}")]
    Unwalled(Walls),
}

impl WorkerError {
    /// Whether the worker was there and is no more.
    pub(crate) fn is_death(&self) -> bool {
        matches!(self, WorkerError::Died(_) | WorkerError::Hung(_) | WorkerError::Nonsense)
    }
}

impl Pool {
    /// A pool of `program arguments...` processes, of which at most `idle_max` are kept while nobody needs them.
    pub fn new(program: PathBuf, arguments: Vec<OsString>, idle_max: usize) -> Pool {
        Pool::with_patience(program, arguments, idle_max, Patience::DEFAULT)
    }

    /// Like [`new`](Pool::new), waiting otherwise for answers.
    pub fn with_patience(program: PathBuf, arguments: Vec<OsString>, idle_max: usize, patience: Patience) -> Pool {
        let starter = Starter::new(program, arguments);
        Pool(Arc::new(Shared { starter, patience, idle_max, idle: Mutex::new(Vec::new()) }))
    }

    /// A pool of this very binary as workers, within the walls that the system has.
    ///
    /// # Errors
    /// When the path of the running binary is unknown.
    pub fn of_this_binary(idle_max: usize) -> io::Result<Pool> {
        Pool::of_this_binary_within(WallPolicy::Best, idle_max)
    }

    /// A pool of this very binary as workers.
    ///
    /// # Errors
    /// When the path of the running binary is unknown.
    pub fn of_this_binary_within(policy: WallPolicy, idle_max: usize) -> io::Result<Pool> {
        let arguments = ["worker", "--stdio", "--walls", policy.as_str()].map(OsString::from);
        Ok(Pool::new(std::env::current_exe()?, arguments.to_vec(), idle_max))
    }

    /// Within which walls the workers run bots.
    ///
    /// # Errors
    /// A worker that failed.
    pub fn walls(&self) -> Result<Walls, WorkerError> {
        let mut lease = self.lease(None)?;
        match lease.ask(&Request::Walls, self.patience().compile)? {
            Response::Walls(walls) => Ok(walls),
            _ => Err(lease.nonsense()),
        }
    }

    /// Checks a bot, then compiles it in a fresh worker with limits on processor time, time and address space.
    ///
    /// # Errors
    /// A worker that failed, or `Ok(Err)`: why these bytes are not a bot.
    pub fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Result<RemoteBot, Refusal>, WorkerError> {
        // Linear in the bytes, and most of what is wrong with them.
        if let Err(refusal) = arena_sandbox::check(bytes, budgets) {
            return Ok(Err(refusal));
        }
        let bot = RemoteBot::new(self.clone(), bytes, *budgets);
        let (began, mut tries) = (Instant::now(), 0);
        loop {
            tries += 1;
            let loaded = self.fresh().and_then(|mut lease| lease.load(&bot, 1));
            let (code, why) = match loaded {
                Ok(loaded) => return Ok(loaded.map(|exports| bot.with_exports(exports))),
                Err(WorkerError::Hung(limit)) => {
                    (RefusalCode::CompileBudget, format!("took more than {} s to compile", limit.as_secs()))
                }
                Err(WorkerError::Died(ending)) if ending.is_out_of_time() => {
                    let most = COMPILE_CPU_SECONDS_MAX;
                    (RefusalCode::CompileBudget, format!("took more than {most} s of processor time to compile"))
                }
                // Perhaps the machine's fault: seen again, it is the module's.
                Err(WorkerError::Died(ending)) if !ending.is_from_outside() => {
                    // Nobody waits longer for the last answer than for the first: what took long is not seen again.
                    if tries < COMPILE_TRIES && began.elapsed() * 2 < self.patience().compile {
                        continue;
                    }
                    let most = ADDRESS_SPACE_BYTES_MAX >> 20;
                    match ending.is_abort() {
                        true => (RefusalCode::CompileBudget, format!("took more than {most} MiB of memory to compile")),
                        false => (RefusalCode::CompileFailed, "ends the compiler each time".into()),
                    }
                }
                Err(error) => return Err(error),
            };
            return Ok(Err(Refusal { code, message: format!("the module {why}"), offset: None }));
        }
    }

    /// Borrows an idle worker, one that has `bot` if there is one, or starts one.
    ///
    /// # Errors
    /// When none can be started.
    pub(crate) fn lease(&self, bot: Option<&RemoteBot>) -> Result<Lease, WorkerError> {
        let mut idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let with_it = bot.and_then(|bot| idle.iter().position(|worker| worker.loaded().contains(&bot.key())));
        let worker = match with_it {
            Some(at) => Some(idle.swap_remove(at)),
            None => idle.pop(),
        };
        drop(idle);
        match worker {
            Some(worker) => Ok(Lease { pool: self.clone(), worker: Some(worker) }),
            None => self.fresh(),
        }
    }

    /// Starts a worker.
    fn fresh(&self) -> Result<Lease, WorkerError> {
        let worker = Worker::start(&self.0.starter).map_err(WorkerError::Start)?;
        Ok(Lease { pool: self.clone(), worker: Some(worker) })
    }

    pub(crate) fn patience(&self) -> &Patience {
        &self.0.patience
    }
}

/// A borrowed worker. It goes back to the pool, unless it failed: then it is ended.
pub(crate) struct Lease {
    pool: Pool,
    worker: Option<Worker>,
}

impl Lease {
    /// Asks the worker and waits for its answer, at most for `limit`. After an error the worker is gone.
    pub(crate) fn ask(&mut self, request: &Request, limit: Duration) -> Result<Response, WorkerError> {
        let mut worker = self.worker.take().ok_or(WorkerError::Died(Ending::Unknown))?;
        let response = worker.ask(request, limit)?;
        if let Response::Unwalled(walls) = response {
            return Err(WorkerError::Unwalled(walls));
        }
        self.worker = Some(worker);
        Ok(response)
    }

    /// Makes sure that the worker has the bot, which was accepted before. What else it keeps is never in the bot's way: if
    /// it has no room, or fails, a fresh one takes its place.
    pub(crate) fn ensure(&mut self, bot: &RemoteBot) -> Result<Result<(), Refusal>, WorkerError> {
        let loaded = self.worker.as_ref().map(Worker::loaded);
        if loaded.is_some_and(|loaded| loaded.contains(&bot.key())) {
            return Ok(Ok(()));
        }
        let kept = loaded.map_or(BOTS_PER_WORKER_MAX, BTreeSet::len);
        if kept > 0 {
            if kept < BOTS_PER_WORKER_MAX && matches!(self.load(bot, RECOMPILE_FACTOR), Ok(Ok(_))) {
                return Ok(Ok(()));
            }
            // The old one ends: it is full, or failed.
            self.end();
            *self = self.pool.fresh()?;
        }
        Ok(self.load(bot, RECOMPILE_FACTOR)?.map(drop))
    }

    /// Gives the worker the bot, `patience` times as long as for a verdict; the names of its exports.
    fn load(&mut self, bot: &RemoteBot, patience: u64) -> Result<Result<Vec<String>, Refusal>, WorkerError> {
        let cpu_seconds = patience * COMPILE_CPU_SECONDS_MAX;
        let request = Request::Load { bytes: Bytes(bot.bytes().to_vec()), budgets: *bot.budgets(), cpu_seconds };
        let limit = self.pool.patience().compile * patience as u32;
        match self.ask(&request, limit)? {
            Response::Loaded { exports, .. } => {
                if let Some(worker) = &mut self.worker {
                    worker.note_loaded(bot.id(), bot.budgets().memory_bytes);
                }
                Ok(Ok(exports))
            }
            Response::Refused { code, message, offset } => Ok(Err(refusal(&code, message, offset))),
            _ => Err(self.nonsense()),
        }
    }

    /// Ends the worker.
    pub(crate) fn end(&mut self) {
        self.worker = None;
    }

    /// Ends a worker that answers out of turn.
    pub(crate) fn nonsense(&mut self) -> WorkerError {
        self.end();
        WorkerError::Nonsense
    }

    /// The worker's process, while it lives.
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.worker.as_ref().map(Worker::id)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(worker) = self.worker.take() else { return };
        let mut idle = self.pool.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.pool.0.idle_max {
            idle.push(worker);
        }
    }
}
