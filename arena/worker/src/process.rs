//! A worker process as the asker sees it.

use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::Pid;
use rustix::thread::{CpuSet, sched_setaffinity};
use tracing::debug;

use crate::failure::{Ending, WorkerError};
use crate::limits::LATENESS;
use crate::module::Loaded;
use crate::pipe::{Inbox, Outbox, Request, Response, cut};

/// Starts processes and kills late ones, on one thread that lives as long as this: a worker ends with the thread that
/// started it. Since this thread watches the clock, waiting for an answer takes no system call beyond the read.
pub(crate) struct Starter {
    program: PathBuf,
    arguments: Vec<OsString>,
    orders: Mutex<Option<Sender<Order>>>,
}

/// A request to start a process, which is sent to this channel.
type Order = SyncSender<io::Result<Started>>;

/// A process and the ends of its pipes.
struct Started {
    process: Arc<Process>,
    input: ChildStdin,
    output: ChildStdout,
}

impl Starter {
    pub(crate) fn new(program: PathBuf, arguments: Vec<OsString>) -> Starter {
        Starter { program, arguments, orders: Mutex::new(None) }
    }

    fn start(&self) -> io::Result<Started> {
        let (reply, started) = mpsc::sync_channel(1);
        let gone = || io::Error::other("the thread that starts workers is gone");
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let orders = match &mut *orders {
            Some(orders) => orders,
            none => none.insert(self.thread()?),
        };
        orders.send(reply).map_err(|_| gone())?;
        started.recv().map_err(|_| gone())?
    }

    fn thread(&self) -> io::Result<Sender<Order>> {
        let (orders, ordered) = mpsc::channel::<Order>();
        let (program, arguments) = (self.program.clone(), self.arguments.clone());
        let keep = move || {
            let mut processes: Vec<Weak<Process>> = Vec::new();
            loop {
                match ordered.recv_timeout(LATENESS) {
                    Ok(reply) => {
                        let started = spawn(&program, &arguments);
                        processes.extend(started.iter().map(|started| Arc::downgrade(&started.process)));
                        // Fails only if the order was abandoned meanwhile; dropping the process then kills it.
                        let _ = reply.send(started);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    Err(RecvTimeoutError::Disconnected) => return,
                }
                processes.retain(|process| process.upgrade().is_some_and(|process| process.is_wanted()));
            }
        };
        thread::Builder::new().name("starts workers".into()).spawn(keep)?;
        Ok(orders)
    }
}

fn spawn(program: &Path, arguments: &[OsString]) -> io::Result<Started> {
    let mut command = Command::new(program);
    command.args(arguments).env_clear().current_dir("/");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn()?;
    let ends = child.stdin.take().zip(child.stdout.take());
    let process = Arc::new(Process::new(child));
    let (input, output) = ends.ok_or_else(|| io::Error::other("a process without its pipes"))?;
    Ok(Started { process, input, output })
}

/// A process that is killed when its last owner is dropped, or when it is late.
struct Process {
    id: u32,
    child: Mutex<Child>,
    began: Instant,
    /// Deadline of its answer, in milliseconds from its start; or [`NEVER`] or [`LATE`].
    due: AtomicU64,
}

/// No answer is awaited.
const NEVER: u64 = u64::MAX;
/// The process was late and was killed for it.
const LATE: u64 = u64::MAX - 1;

impl Process {
    fn new(child: Child) -> Process {
        let due = AtomicU64::new(NEVER);
        Process { id: child.id(), child: Mutex::new(child), began: Instant::now(), due }
    }

    /// Sets the deadline to `limit` from now.
    fn expect_within(&self, limit: Duration) {
        let due = (self.began.elapsed() + limit).as_millis();
        self.due.store(u64::try_from(due).unwrap_or(NEVER).min(LATE - 1), Ordering::Release);
    }

    /// Clears the deadline. Returns whether the process was killed because it was late.
    fn was_late(&self) -> bool {
        self.due.swap(NEVER, Ordering::AcqRel) == LATE
    }

    /// Kills the process if it is late; returns whether it is not.
    fn is_wanted(&self) -> bool {
        let due = self.due.load(Ordering::Acquire);
        let is_late = due < LATE && u128::from(due) < self.began.elapsed().as_millis();
        // It may have answered meanwhile.
        if is_late && self.due.compare_exchange(due, LATE, Ordering::AcqRel, Ordering::Acquire).is_ok() {
            // The waiting thread finds its pipe closed, and waits for the process to end.
            let _ = self.child.lock().unwrap_or_else(PoisonError::into_inner).kill();
            return false;
        }
        true
    }

    /// Kills it, if it has not ended; returns how it ended.
    fn end(&self) -> Ending {
        let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
        // Fails only if the process is gone already; then its ending does not change.
        let _ = child.kill();
        match child.wait() {
            Ok(status) => status.into(),
            Err(error) => {
                debug!(worker = self.id, %error, "the system does not say how a worker ended");
                Ending::Unknown
            }
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.end();
    }
}

/// A worker process. Dropping it kills it.
pub(crate) struct Worker {
    process: Arc<Process>,
    requests: Outbox<ChildStdin>,
    answers: Inbox<ChildStdout>,
    /// The only module that it compiles, once it has.
    pub(crate) loaded: Option<Loaded>,
    /// The processors that it was last confined to.
    processors: Option<CpuSet>,
}

impl Worker {
    pub(crate) fn start(starter: &Starter) -> io::Result<Worker> {
        let Started { process, input, output } = starter.start()?;
        Ok(Worker {
            process,
            requests: Outbox::new(input),
            answers: Inbox::new(output),
            loaded: None,
            processors: None,
        })
    }

    pub(crate) fn id(&self) -> u32 {
        self.process.id
    }

    /// Confines it to these processors.
    pub(crate) fn confine(&mut self, processors: &CpuSet) {
        if self.processors.as_ref() == Some(processors) {
            return;
        }
        let process = Pid::from_raw(self.id().cast_signed());
        // A failure only costs time: the process may be gone already.
        let confined = process.map(|process| sched_setaffinity(Some(process), processors));
        self.processors = matches!(confined, Some(Ok(()))).then_some(*processors);
    }

    /// Sends a request and waits at most `limit` for the answer. After an error the worker is useless.
    pub(crate) fn ask(&mut self, request: &Request<'_>, limit: Duration) -> Result<Response, WorkerError> {
        self.process.expect_within(limit);
        let answer = self.requests.send(request).and_then(|()| self.answers.next());
        if self.process.was_late() {
            return Err(WorkerError::Hung(limit));
        }
        match answer {
            Ok(Some(response)) => Ok(response),
            Ok(None) => Err(WorkerError::Died(self.process.end())),
            Err(error) => {
                debug!(worker = self.id(), error = cut(error.to_string()), "a worker does not answer");
                Err(match error.kind() {
                    ErrorKind::InvalidData => WorkerError::Nonsense,
                    _ => WorkerError::Died(self.process.end()),
                })
            }
        }
    }
}

impl Drop for Worker {
    /// Kills the process whatever the starter's thread still holds of it.
    fn drop(&mut self) {
        self.process.end();
    }
}
