//! A worker process, as its asker sees it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arena_record::EntrantId;
use tracing::debug;

use crate::failure::{Ending, WorkerError};
use crate::limits::LINE_BYTES_MAX;
use crate::message::{Request, Response, cut};

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
                // The one that ordered it waits for it.
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
                    Ok(_) => return,
                    Err(error) => {
                        debug!(%error, "a worker's pipe cannot be read");
                        return;
                    }
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
        let mut line = serde_json::to_vec(request).map_err(|error| self.nonsense(&error))?;
        line.push(b'\n');
        if let Err(error) = self.input.write_all(&line).and_then(|()| self.input.flush()) {
            debug!(worker = self.id(), %error, "a worker takes no request");
            return Err(WorkerError::Died(self.end()));
        }
        match self.answers.recv_timeout(limit) {
            Ok(line) => serde_json::from_str(&line).map_err(|error| self.nonsense(&error)),
            Err(RecvTimeoutError::Timeout) => Err(WorkerError::Hung(limit)),
            Err(RecvTimeoutError::Disconnected) => Err(WorkerError::Died(self.end())),
        }
    }

    fn nonsense(&self, error: &serde_json::Error) -> WorkerError {
        debug!(worker = self.id(), error = cut(error.to_string()), "a line of a worker's pipe cannot be read");
        WorkerError::Nonsense
    }

    /// Ends it, if it has not ended; how it did.
    fn end(&mut self) -> Ending {
        // Fails only for a process that is gone already, and changes nothing about how one ended.
        let _ = self.child.kill();
        match self.child.wait() {
            Ok(status) => status.into(),
            Err(error) => {
                debug!(worker = self.id(), %error, "the system does not say how a worker ended");
                Ending::Unknown
            }
        }
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        self.end();
    }
}
