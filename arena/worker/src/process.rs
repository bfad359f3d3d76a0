//! A worker process, as its asker sees it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{self, Sender, SyncSender};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use arena_record::EntrantId;
use tracing::debug;

use crate::failure::{Ending, WorkerError};
use crate::pipe::timed::Timed;
use crate::pipe::{Inbox, Outbox, Request, Response, cut};

/// Starts processes, all from one thread that lives as long as this: a worker ends with the thread that started it.
pub(crate) struct Starter {
    program: PathBuf,
    arguments: Vec<OsString>,
    orders: Mutex<Option<Sender<Order>>>,
}

/// A process is to be started with this end of a pipe, and sent there.
struct Order {
    pipe: UnixStream,
    reply: SyncSender<io::Result<Child>>,
}

impl Starter {
    pub(crate) fn new(program: PathBuf, arguments: Vec<OsString>) -> Starter {
        Starter { program, arguments, orders: Mutex::new(None) }
    }

    fn start(&self, pipe: UnixStream) -> io::Result<Child> {
        let (reply, child) = mpsc::sync_channel(1);
        let gone = || io::Error::other("the thread that starts workers is gone");
        let mut orders = self.orders.lock().unwrap_or_else(PoisonError::into_inner);
        let orders = match &mut *orders {
            Some(orders) => orders,
            none => none.insert(self.thread()?),
        };
        orders.send(Order { pipe, reply }).map_err(|_| gone())?;
        child.recv().map_err(|_| gone())?
    }

    fn thread(&self) -> io::Result<Sender<Order>> {
        let (orders, ordered) = mpsc::channel::<Order>();
        let (program, arguments) = (self.program.clone(), self.arguments.clone());
        let start = move || {
            for Order { pipe, reply } in ordered {
                // Fails only if the order was given up meanwhile; dropping the child's pipe ends it then.
                let _ = reply.send(spawn(&program, &arguments, pipe));
            }
        };
        thread::Builder::new().name("starts workers".into()).spawn(start)?;
        Ok(orders)
    }
}

fn spawn(program: &Path, arguments: &[OsString], pipe: UnixStream) -> io::Result<Child> {
    let input = OwnedFd::from(pipe.try_clone()?);
    let mut command = Command::new(program);
    command.args(arguments).env_clear().current_dir("/");
    command.stdin(input).stdout(OwnedFd::from(pipe)).stderr(Stdio::null()).spawn()
}

/// A worker process. Dropping it ends it.
pub(crate) struct Worker {
    child: Child,
    requests: Outbox<Timed>,
    answers: Inbox<Timed>,
    loaded: BTreeSet<(EntrantId, u64)>,
}

impl Worker {
    pub(crate) fn start(starter: &Starter) -> io::Result<Worker> {
        // One socket instead of two pipes: only a socket's calls can end at a deadline.
        let (ours, theirs) = UnixStream::pair()?;
        let (requests, answers) = (Outbox::new(Timed::new(ours.try_clone()?)), Inbox::new(Timed::new(ours)));
        let child = starter.start(theirs)?;
        Ok(Worker { child, requests, answers, loaded: BTreeSet::new() })
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
    pub(crate) fn ask(&mut self, request: &Request<'_>, limit: Duration) -> Result<Response, WorkerError> {
        self.requests.output().begin(limit);
        self.answers.input().begin(limit);
        let answer = self.requests.send(request).and_then(|()| self.answers.next());
        match answer {
            Ok(Some(response)) => Ok(response),
            Ok(None) => Err(WorkerError::Died(self.end())),
            Err(error) => {
                debug!(worker = self.id(), error = cut(error.to_string()), "a worker does not answer");
                Err(match error.kind() {
                    ErrorKind::WouldBlock | ErrorKind::TimedOut => WorkerError::Hung(limit),
                    ErrorKind::InvalidData => WorkerError::Nonsense,
                    _ => WorkerError::Died(self.end()),
                })
            }
        }
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
