//! A worker process, as its asker sees it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arena_record::EntrantId;

use crate::limits::LINE_BYTES_MAX;
use crate::message::{Request, Response};
use crate::pool::WorkerError;

/// How a worker that died ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// By a signal: its number.
    Signal(i32),
    /// With an exit code.
    Code(i32),
    /// The system does not say.
    Unknown,
}

/// Linux's numbers of the signals that say something about a module.
mod signal {
    pub(super) const ABORT: i32 = 6;
    pub(super) const KILL: i32 = 9;
    pub(super) const PROCESSOR_TIME: i32 = 24;
}

impl Ending {
    /// Whether it used up its processor time.
    pub(crate) fn is_out_of_time(self) -> bool {
        self == Ending::Signal(signal::PROCESSOR_TIME)
    }

    /// Whether it gave up by itself, as a process without memory does.
    pub(crate) fn is_abort(self) -> bool {
        self == Ending::Signal(signal::ABORT)
    }

    /// Whether somebody else ended it: a person, or a kernel short of memory.
    pub(crate) fn is_from_outside(self) -> bool {
        matches!(self, Ending::Signal(signal::KILL) | Ending::Unknown)
    }
}

impl From<ExitStatus> for Ending {
    fn from(status: ExitStatus) -> Ending {
        #[cfg(unix)]
        if let Some(signal) = std::os::unix::process::ExitStatusExt::signal(&status) {
            return Ending::Signal(signal);
        }
        status.code().map_or(Ending::Unknown, Ending::Code)
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ending::Signal(signal) => write!(f, "signal {signal}"),
            Ending::Code(code) => write!(f, "exit code {code}"),
            Ending::Unknown => f.write_str("unknown cause"),
        }
    }
}

/// Starts processes, all from one thread that lives as long as this: a worker ends with the thread that started it.
pub(crate) struct Starter {
    program: PathBuf,
    arguments: Vec<OsString>,
    orders: Mutex<Option<Sender<SyncSender<io::Result<Child>>>>>,
}

impl Starter {
    pub(crate) fn new(program: PathBuf, arguments: Vec<OsString>) -> Starter {
        Starter { program, arguments, orders: Mutex::new(None) }
    }

    fn start(&self) -> io::Result<Child> {
        let (sender, child) = mpsc::sync_channel(1);
        let gone = || io::Error::other("the thread that starts workers is gone");
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let orders = match &mut *orders {
            Some(orders) => orders,
            none => none.insert(self.thread()?),
        };
        orders.send(sender).map_err(|_| gone())?;
        child.recv().map_err(|_| gone())?
    }

    fn thread(&self) -> io::Result<Sender<SyncSender<io::Result<Child>>>> {
        let (orders, ordered) = mpsc::channel::<SyncSender<io::Result<Child>>>();
        let (program, arguments) = (self.program.clone(), self.arguments.clone());
        let start = move || {
            for order in ordered {
                let mut command = Command::new(&program);
                command.args(&arguments).env_clear().current_dir("/");
                let child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
                // Whoever ordered it waits for it.
                let _ = order.send(child);
            }
        };
        thread::Builder::new().name("starts workers".into()).spawn(start)?;
        Ok(orders)
    }
}

/// A worker process. Dropping it ends it.
pub(crate) struct Worker {
    child: Child,
    input: ChildStdin,
    answers: Receiver<String>,
    loaded: BTreeSet<(EntrantId, u64)>,
}

impl Worker {
    pub(crate) fn start(starter: &Starter) -> io::Result<Worker> {
        let mut child = starter.start()?;
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
        Ok(Worker { child, input, answers, loaded: BTreeSet::new() })
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Bots it keeps, each with the memory it was loaded for.
    pub(crate) fn loaded(&self) -> &BTreeSet<(EntrantId, u64)> {
        &self.loaded
    }

    /// Notes that it has a bot. It keeps one version of a bot, that of the last budgets.
    pub(crate) fn note_loaded(&mut self, id: &EntrantId, memory_bytes: u64) {
        self.loaded.retain(|(other, _)| other != id);
        self.loaded.insert((id.clone(), memory_bytes));
    }

    /// Asks it and waits for its answer, at most for `limit`. After an error it is of no more use.
    pub(crate) fn ask(&mut self, request: &Request, limit: Duration) -> Result<Response, WorkerError> {
        let mut line = serde_json::to_vec(request).map_err(|_| WorkerError::Nonsense)?;
        line.push(b'\n');
        if self.input.write_all(&line).and_then(|()| self.input.flush()).is_err() {
            return Err(WorkerError::Died(self.end()));
        }
        match self.answers.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line).map_err(|_| WorkerError::Nonsense),
            Err(RecvTimeoutError::Timeout) => Err(WorkerError::Hung(limit)),
            Err(RecvTimeoutError::Disconnected) => Err(WorkerError::Died(self.end())),
        }
    }

    /// Ends it, if it has not ended; how it did.
    fn end(&mut self) -> Ending {
        // Fails only for a process that is gone already, and changes nothing about how one ended.
        let _ = self.child.kill();
        self.child.wait().map_or(Ending::Unknown, Ending::from)
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}
