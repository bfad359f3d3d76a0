//! Worker processes, each lent to one player at a time.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arena_record::{Budgets, Bytes, EntrantId};
use arena_sandbox::{Refusal, RefusalCode};

use crate::RemoteBot;
use crate::message::{LINE_BYTES_MAX, Request, Response, refusal};

/// How long checking and compiling a bot may take.
const LOAD_LIMIT: Duration = Duration::from_secs(12);

/// Bots that a worker may have loaded when it goes back to the pool; one with more is ended, because a worker keeps all of
/// them. Twice what the largest tournament has.
pub const BOTS_PER_WORKER_MAX: usize = 128;

/// Starts workers and keeps those that are idle. Cheap to clone; the processes end with the last clone.
#[derive(Clone)]
pub struct Pool(Arc<Shared>);

struct Shared {
    program: PathBuf,
    arguments: Vec<OsString>,
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
    #[error("the worker died")]
    Died,
    /// It did not answer in time and was ended.
    #[error("the worker did not answer within {0:?} and was ended")]
    Hung(Duration),
    /// It said something that is no answer.
    #[error("the worker does not speak as a worker of this release")]
    Nonsense,
}

impl Pool {
    /// A pool of `program arguments...` processes, of which at most `idle_max` are kept while nobody needs them.
    pub fn new(program: PathBuf, arguments: Vec<OsString>, idle_max: usize) -> Pool {
        Pool(Arc::new(Shared { program, arguments, idle_max, idle: Mutex::new(Vec::new()) }))
    }

    /// A pool of this very binary as workers.
    ///
    /// # Errors
    /// When the path of the running binary is unknown.
    pub fn of_this_binary(idle_max: usize) -> io::Result<Pool> {
        Ok(Pool::new(std::env::current_exe()?, vec!["worker".into(), "--stdio".into()], idle_max))
    }

    /// Checks and compiles a bot in a worker.
    ///
    /// # Errors
    /// A worker that failed, or `Ok(Err)`: why these bytes are not a bot.
    pub fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Result<RemoteBot, Refusal>, WorkerError> {
        let bot = RemoteBot::new(self.clone(), bytes, *budgets);
        match self.lease().and_then(|mut lease| lease.load(&bot)) {
            Ok(loaded) => Ok(loaded.map(|exports| bot.with_exports(exports))),
            Err(WorkerError::Hung(limit)) => {
                let message = format!("the module took more than {} s to compile", limit.as_secs());
                Ok(Err(Refusal { code: RefusalCode::CompileBudget, message, offset: None }))
            }
            Err(error) => Err(error),
        }
    }

    /// Borrows an idle worker, or starts one.
    ///
    /// # Errors
    /// When none can be started.
    pub(crate) fn lease(&self) -> Result<Lease, WorkerError> {
        let idle = self.0.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let worker = match idle {
            Some(worker) => worker,
            None => Worker::start(&self.0.program, &self.0.arguments).map_err(WorkerError::Start)?,
        };
        Ok(Lease { pool: self.clone(), worker: Some(worker) })
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
        let mut worker = self.worker.take().ok_or(WorkerError::Died)?;
        let response = worker.ask(request, limit)?;
        self.worker = Some(worker);
        Ok(response)
    }

    /// Makes sure that the worker has the bot.
    pub(crate) fn ensure(&mut self, bot: &RemoteBot) -> Result<Result<(), Refusal>, WorkerError> {
        let worker = self.worker.as_ref().ok_or(WorkerError::Died)?;
        if worker.last_loaded.contains(&(bot.id().clone(), bot.budgets().memory_bytes)) {
            return Ok(Ok(()));
        }
        Ok(self.load(bot)?.map(drop))
    }

    /// Gives the worker the bot; the names of its exports.
    fn load(&mut self, bot: &RemoteBot) -> Result<Result<Vec<String>, Refusal>, WorkerError> {
        let request = Request::Load { bytes: Bytes(bot.bytes().to_vec()), budgets: *bot.budgets() };
        match self.ask(&request, LOAD_LIMIT)? {
            Response::Loaded { exports, .. } => {
                if let Some(worker) = &mut self.worker {
                    // The worker keeps one version of a bot, that of the last budgets.
                    worker.last_loaded.retain(|(id, _)| id != bot.id());
                    worker.last_loaded.insert((bot.id().clone(), bot.budgets().memory_bytes));
                }
                Ok(Ok(exports))
            }
            Response::Refused { code, message, offset } => Ok(Err(refusal(&code, message, offset))),
            _ => Err(self.nonsense()),
        }
    }

    /// Ends a worker that answers out of turn.
    pub(crate) fn nonsense(&mut self) -> WorkerError {
        self.worker = None;
        WorkerError::Nonsense
    }

    /// The worker's process, while it lives.
    pub(crate) fn process_id(&self) -> Option<u32> {
        self.worker.as_ref().map(|worker| worker.child.id())
    }
}

impl Drop for Lease {
    fn drop(&mut self) {
        let Some(worker) = self.worker.take() else { return };
        if worker.last_loaded.len() > BOTS_PER_WORKER_MAX {
            return;
        }
        let mut idle = self.pool.0.idle.lock().unwrap_or_else(PoisonError::into_inner);
        if idle.len() < self.pool.0.idle_max {
            idle.push(worker);
        }
    }
}

/// A worker process. Dropping it ends it.
struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    last_loaded: BTreeSet<(EntrantId, u64)>,
}

impl Worker {
    fn start(program: &PathBuf, arguments: &[OsString]) -> io::Result<Worker> {
        let mut child = Command::new(program)
            .args(arguments)
            .env_clear()
            .current_dir("/")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the pipes of a worker are missing"));
        };
        // A thread reads, so that waiting for an answer can end.
        let (sender, answers) = mpsc::sync_channel(1);
        let read = move || {
            let mut output = BufReader::new(output);
            loop {
                let mut line = String::new();
                match output.by_ref().take(LINE_BYTES_MAX).read_line(&mut line) {
                    Ok(1..) if sender.send(line).is_ok() => {}
                    _ => return,
                }
            }
        };
        thread::Builder::new().name("worker's answers".into()).spawn(read)?;
        Ok(Worker { child, input, answers, last_loaded: BTreeSet::new() })
    }

    fn ask(&mut self, request: &Request, limit: Duration) -> Result<Response, WorkerError> {
        let mut line = serde_json::to_vec(request).map_err(|_| WorkerError::Nonsense)?;
        line.push(b'\n');
        self.input.write_all(&line).and_then(|()| self.input.flush()).map_err(|_| WorkerError::Died)?;
        match self.answers.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| WorkerError::Nonsense),
            Err(RecvTimeoutError::Timeout) => Err(WorkerError::Hung(limit)),
            Err(RecvTimeoutError::Disconnected) => Err(WorkerError::Died),
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        // Both fail only for a process that is gone already.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
