//! Worker processes, each lent to one player at a time.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError, RwLock};
use std::time::Duration;

use arena_record::Budgets;
use arena_sandbox::Refusal;
use tracing::{debug, warn};

use crate::failure::{Ending, WorkerError};
use crate::limits::{BOTS_PER_WORKER_MAX, COMPILE_CPU_SECONDS_MAX, Patience, RECOMPILE_FACTOR};
use crate::module::Module;
use crate::pipe::{Request, Response, cut, refusal};
use crate::process::{Starter, Worker};
use crate::walls::{WallPolicy, Walls};

/// Starts workers and keeps those that are idle. Cheap to clone; the processes end with the last clone.
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    starter: Starter,
    patience: Patience,
    idle_max: usize,
    idle: Mutex<Vec<Worker>>,
    /// Held shared while a module is compiled for a verdict, or alone.
    compiling: RwLock<()>,
}

impl Pool {
    /// A pool of `program arguments...` processes, of which at most `idle_max` are kept while nobody needs them.
    pub fn new(program: PathBuf, arguments: Vec<OsString>, idle_max: usize) -> Pool {
        Pool::with_patience(program, arguments, idle_max, Patience::DEFAULT)
    }

    /// Like [`new`](Pool::new), waiting otherwise for answers.
    pub fn with_patience(program: PathBuf, arguments: Vec<OsString>, idle_max: usize, patience: Patience) -> Pool {
        let starter = Starter::new(program, arguments);
        Pool(Arc::new(Shared {
            starter,
            patience,
            idle_max,
            idle: Mutex::new(Vec::new()),
            compiling: RwLock::default(),
        }))
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

    /// Borrows an idle worker, one that has `module` if there is one, or starts one.
    ///
    /// # Errors
    /// When none can be started.
    pub(crate) fn lease(&self, module: Option<&Module>) -> Result<Lease, WorkerError> {
        let mut idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        let with_it = module.and_then(|module| idle.iter().position(|worker| worker.loaded().contains(&module.key())));
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
    pub(crate) fn fresh(&self) -> Result<Lease, WorkerError> {
        let worker = Worker::start(&self.0.starter).map_err(|error| {
            warn!(%error, "a worker cannot be started");
            WorkerError::Start(error)
        })?;
        debug!(worker = worker.id(), "a worker is started");
        Ok(Lease { pool: self.clone(), worker: Some(worker) })
    }

    pub(crate) fn compiling(&self) -> &RwLock<()> {
        &self.0.compiling
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
    pub(crate) fn ask(&mut self, request: &Request<'_>, limit: Duration) -> Result<Response, WorkerError> {
        let mut worker = self.worker.take().ok_or(WorkerError::Died(Ending::Unknown))?;
        let answered = match worker.ask(request, limit) {
            Ok(Response::Unwalled(walls)) => Err(WorkerError::Unwalled(walls)),
            answered => answered,
        };
        match answered {
            Ok(response) => {
                self.worker = Some(worker);
                Ok(response)
            }
            Err(error) => {
                warn!(worker = worker.id(), error = cut(error.to_string()), "a worker failed");
                Err(error)
            }
        }
    }

    /// Makes sure that the worker has the bot's module, which was accepted before. What else it keeps is never in its way: if
    /// it has no room, or fails, a fresh one takes its place.
    pub(crate) fn ensure(&mut self, module: &Module) -> Result<Result<(), Refusal>, WorkerError> {
        let loaded = self.worker.as_ref().map(Worker::loaded);
        if loaded.is_some_and(|loaded| loaded.contains(&module.key())) {
            return Ok(Ok(()));
        }
        let kept = loaded.map_or(BOTS_PER_WORKER_MAX, BTreeSet::len);
        if kept > 0 {
            if kept < BOTS_PER_WORKER_MAX && matches!(self.load(module, RECOMPILE_FACTOR), Ok(Ok(_))) {
                return Ok(Ok(()));
            }
            // The old one ends: it is full, or failed.
            self.end();
            *self = self.pool.fresh()?;
        }
        Ok(self.load(module, RECOMPILE_FACTOR)?.map(drop))
    }

    /// Gives the worker the module, `patience` times as long as for a verdict; the names of its exports.
    pub(crate) fn load(&mut self, module: &Module, patience: u64) -> Result<Result<Vec<String>, Refusal>, WorkerError> {
        let cpu_seconds = patience * COMPILE_CPU_SECONDS_MAX;
        let Budgets { module_bytes, memory_bytes, .. } = module.budgets;
        let request = Request::Load { module: &module.bytes, module_bytes, memory_bytes, cpu_seconds };
        let limit = self.pool.patience().compile * patience as u32;
        match self.ask(&request, limit)? {
            Response::Loaded { exports, .. } => {
                if let Some(worker) = &mut self.worker {
                    worker.note_loaded(&module.id, module.budgets.memory_bytes);
                }
                Ok(Ok(exports))
            }
            Response::Refused { code, message, offset } => Ok(Err(refusal(&code, cut(message), offset))),
            _ => Err(self.nonsense()),
        }
    }

    /// Ends the worker.
    pub(crate) fn end(&mut self) {
        self.worker = None;
    }

    /// Ends a worker that answers out of turn.
    pub(crate) fn nonsense(&mut self) -> WorkerError {
        warn!(worker = self.process_id(), "a worker answers out of turn");
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
