//! Worker processes, each for one module and lent to one game at a time.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena_sandbox::{Checks, Refusal};
use rustix::thread::sched_getaffinity;
use tracing::{debug, warn};

use crate::failure::{Ending, WorkerError};
use crate::limits::{COMPILE_CPU_SECONDS_MAX, Patience, RECOMPILE_FACTOR, VERDICTS_MAX};
use crate::machine::Lack;
use crate::module::{Loaded, Module};
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
    /// Idle workers, the most recently used at the end.
    idle: Mutex<Vec<Worker>>,
    /// Accepted modules, the latest at the end.
    accepted: Mutex<Vec<Loaded>>,
}

impl Pool {
    /// A pool of `program arguments...` processes that keeps at most `idle_max` idle ones.
    pub fn new(program: PathBuf, arguments: Vec<OsString>, idle_max: usize) -> Pool {
        Pool::with_patience(program, arguments, idle_max, Patience::DEFAULT)
    }

    /// Like [`new`](Pool::new), with other limits for waiting.
    pub fn with_patience(program: PathBuf, arguments: Vec<OsString>, idle_max: usize, patience: Patience) -> Pool {
        let starter = Starter::new(program, arguments);
        Pool(Arc::new(Shared { starter, patience, idle_max, idle: Mutex::default(), accepted: Mutex::default() }))
    }

    /// A pool whose workers are this binary, within the walls that the system has.
    ///
    /// # Errors
    /// When the path of the running binary is unknown.
    pub fn of_this_binary(idle_max: usize) -> io::Result<Pool> {
        Pool::of_this_binary_within(WallPolicy::Best, idle_max)
    }

    /// A pool whose workers are this binary.
    ///
    /// # Errors
    /// When the path of the running binary is unknown.
    pub fn of_this_binary_within(policy: WallPolicy, idle_max: usize) -> io::Result<Pool> {
        let arguments = ["guests", "--walls", policy.as_str()].map(OsString::from);
        Ok(Pool::new(std::env::current_exe()?, arguments.to_vec(), idle_max))
    }

    /// The walls within which the workers run bots.
    ///
    /// # Errors
    /// A worker that failed.
    pub fn walls(&self) -> Result<Walls, WorkerError> {
        let mut lease = self.fresh()?;
        match lease.ask(&Request::Walls, self.patience().compile)? {
            Response::Walls(walls) => Ok(walls),
            _ => Err(lease.nonsense()),
        }
    }

    /// Borrows an idle worker that has compiled `module`, or has one compile it now. The module was accepted before.
    ///
    /// # Errors
    /// A worker that failed. `Ok(Err)` says why the module is refused this time.
    pub(crate) fn lease(&self, module: &Module) -> Result<Result<Lease, Refusal>, WorkerError> {
        if let Some(lease) = self.idle(|worker| worker.loaded.as_ref() == Some(&module.loaded)) {
            return Ok(Ok(lease));
        }
        let mut lease = self.fresh()?;
        let limit = self.patience().compile * RECOMPILE_FACTOR as u32;
        Ok(lease.load(module, RECOMPILE_FACTOR * COMPILE_CPU_SECONDS_MAX, limit)?.map(|_| lease))
    }

    /// Borrows a worker that has compiled nothing.
    pub(crate) fn fresh(&self) -> Result<Lease, WorkerError> {
        if let Some(lease) = self.idle(|worker| worker.loaded.is_none()) {
            return Ok(lease);
        }
        if let Some(lack) = Lack::here() {
            return Err(lack.into());
        }
        let worker = Worker::start(&self.0.starter).map_err(|error| {
            warn!(%error, "a worker cannot be started");
            Lack::of_start(&error).map_or(WorkerError::Start(error), WorkerError::Lacking)
        })?;
        debug!(worker = worker.id(), "a worker is started");
        Ok(Lease { pool: self.clone(), worker: Some(worker) })
    }

    /// The most recently used idle worker of this kind.
    fn idle(&self, is_wanted: impl Fn(&Worker) -> bool) -> Option<Lease> {
        let mut idle = locked(&self.0.idle);
        let worker = idle.iter().rposition(is_wanted).map(|at| idle.remove(at))?;
        Some(Lease { pool: self.clone(), worker: Some(worker) })
    }

    /// Whether an idle worker has compiled the module.
    pub(crate) fn has_compiled(&self, module: &Module) -> bool {
        locked(&self.0.idle).iter().any(|worker| worker.loaded.as_ref() == Some(&module.loaded))
    }

    /// Whether a module was accepted before. It is then the latest.
    pub(crate) fn has_accepted(&self, module: &Module) -> bool {
        let mut accepted = locked(&self.0.accepted);
        let at = accepted.iter().position(|known| *known == module.loaded);
        at.map(|at| accepted[at..].rotate_left(1)).is_some()
    }

    /// Remembers that a module was accepted.
    pub(crate) fn accept(&self, module: &Module) {
        let mut accepted = locked(&self.0.accepted);
        accepted.retain(|known| *known != module.loaded);
        if accepted.len() >= VERDICTS_MAX {
            accepted.remove(0);
        }
        accepted.push(module.loaded.clone());
    }

    pub(crate) fn patience(&self) -> &Patience {
        &self.0.patience
    }
}

/// A borrowed worker. It goes back to the pool unless it failed; then it is killed.
pub(crate) struct Lease {
    pool: Pool,
    worker: Option<Worker>,
}

impl Lease {
    /// Sends a request and waits at most `limit` for the answer. After an error the worker is gone.
    pub(crate) fn ask(&mut self, request: &Request<'_>, limit: Duration) -> Result<Response, WorkerError> {
        let mut worker = self.worker.take().ok_or(WorkerError::Died(Ending::Unknown))?;
        let answered = match worker.ask(request, limit) {
            Ok(Response::Unwalled(walls)) => Err(WorkerError::Unwalled(walls)),
            Ok(Response::Unable { why }) => Err(Lack::Engine(cut(why)).into()),
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

    /// Confines the worker to the processors that this thread may use.
    pub(crate) fn come_along(&mut self) {
        // A failure only costs time.
        if let (Some(worker), Ok(here)) = (&mut self.worker, sched_getaffinity(None)) {
            worker.confine(&here);
        }
    }

    /// Sends the module to the worker, which compiles it within these limits.
    pub(crate) fn load(
        &mut self,
        module: &Module,
        cpu_seconds: u64,
        limit: Duration,
    ) -> Result<Result<(), Refusal>, WorkerError> {
        let Loaded { id, memory_bytes, checks } = &module.loaded;
        let is_profiled = *checks == Checks::Everywhere;
        let request = Request::Load { module: &module.bytes, memory_bytes: *memory_bytes, is_profiled, cpu_seconds };
        debug!(worker = self.process_id(), bot = %id, "a worker compiles a module");
        match self.ask(&request, limit)? {
            Response::Loaded => {
                if let Some(worker) = &mut self.worker {
                    worker.loaded = Some(module.loaded.clone());
                }
                Ok(Ok(()))
            }
            Response::Refused { code, message, offset } => Ok(Err(refusal(&code, cut(message), offset))),
            _ => Err(self.nonsense()),
        }
    }

    /// Kills the worker.
    pub(crate) fn end(&mut self) {
        self.worker = None;
    }

    /// Kills a worker that answers out of turn.
    pub(crate) fn nonsense(&mut self) -> WorkerError {
        warn!(worker = self.process_id(), "a worker answers out of turn");
        self.end();
        WorkerError::Nonsense
    }

    /// The id of the worker's process while it lives.
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.worker.as_ref().map(Worker::id)
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(worker) = self.worker.take() else { return };
        let mut idle = locked(&self.pool.0.idle);
        idle.push(worker);
        let beyond = (idle.len() > self.pool.0.idle_max).then(|| idle.remove(0));
        drop(idle);
        // Ends that worker after the lock is released, so that others need not wait for it.
        drop(beyond);
    }
}

/// Ignores poisoning: a panic elsewhere leaves no list half changed.
fn locked<T>(list: &Mutex<T>) -> MutexGuard<'_, T> {
    list.lock().unwrap_or_else(PoisonError::into_inner)
}
