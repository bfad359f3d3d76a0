//! Processes that tests start. Each logs into a file of its own and ends with its test; every wait for one has an end,
//! and a test that fails shows what its processes have logged.

use std::fs;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, ExitStatus, Output, Stdio};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::NamedTempFile;

use crate::eventually::{eventually_here, eventually_or};

/// How much of a log a test shows that fails, in bytes: its end.
const SHOWN_BYTES: usize = 8 << 10;

/// A process that is killed with its test.
pub(crate) struct Process {
    name: String,
    child: Child,
    log: NamedTempFile,
}

impl Process {
    /// Starts a command whose standard error is its log. Its output goes where the command says.
    pub(crate) fn start(name: impl Into<String>, command: &mut Command) -> Process {
        let log = NamedTempFile::new().unwrap();
        let child = command.stderr(log.reopen().unwrap()).spawn().unwrap();
        Process { name: name.into(), child, log }
    }

    /// The same, with the lines of its output.
    pub(crate) fn heard(name: impl Into<String>, command: &mut Command) -> (Process, Lines) {
        let mut process = Process::start(name, command.stdout(Stdio::piped()));
        let lines = Lines::of(&process.name, process.child.stdout.take().unwrap());
        (process, lines)
    }

    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Where it reads from, if its command says that this is a pipe.
    pub(crate) fn input(&mut self) -> &mut ChildStdin {
        self.child.stdin.as_mut().unwrap()
    }

    /// All that it has logged.
    pub(crate) fn log(&self) -> String {
        String::from_utf8_lossy(&fs::read(self.log.path()).unwrap()).into_owned()
    }

    /// Waits until its log has these words; the log.
    pub(crate) fn logs(&self, words: &str) -> String {
        let looks = || Some(self.log()).filter(|log| log.contains(words));
        eventually_or(&format!("{words:?} in the log of {}", self.name), looks, || self.log())
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().unwrap().is_none()
    }

    pub(crate) fn signal(&self, signal: Signal) {
        kill_process(Pid::from_child(&self.child), signal).unwrap();
    }

    /// Waits until it has ended.
    pub(crate) fn ended(&mut self) -> ExitStatus {
        eventually_here(&format!("the end of {}", self.name), || self.child.try_wait().unwrap())
    }

    pub(crate) fn kill(&mut self) {
        self.child.kill().unwrap();
        self.ended();
    }

    /// Asks it to stop, as an operator does, and waits.
    pub(crate) fn stop(&mut self) -> ExitStatus {
        self.signal(Signal::TERM);
        self.ended()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if thread::panicking() {
            let log = self.log();
            let end = log.get(log.len().saturating_sub(SHOWN_BYTES)..).unwrap_or(&log);
            // Not `eprintln`, which tests of a product have no use for.
            let _ = writeln!(io::stderr(), "{} logged:\n{end}", self.name);
        }
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// What a process says, line by line.
pub(crate) struct Lines {
    of: String,
    said: Receiver<String>,
}

impl Lines {
    /// Reads on in a thread of its own, until this is dropped.
    pub(crate) fn of(name: &str, out: impl Read + Send + 'static) -> Lines {
        let (says, said) = mpsc::channel();
        thread::spawn(move || BufReader::new(out).lines().map_while(Result::ok).try_for_each(|line| says.send(line)));
        Lines { of: name.into(), said }
    }

    /// The next line; `None` after the last one.
    pub(crate) fn next(&self) -> Option<String> {
        eventually_here(&format!("the next line of {}", self.of), || match self.said.try_recv() {
            Ok(line) => Some(Some(line)),
            Err(TryRecvError::Disconnected) => Some(None),
            Err(TryRecvError::Empty) => None,
        })
    }

    /// The first that is like this, as it is read.
    pub(crate) fn find<T>(&self, wanted: impl Fn(&str) -> Option<T>) -> T {
        self.rest().find_map(|line| wanted(&line)).unwrap_or_else(|| panic!("{} never said it", self.of))
    }

    /// All lines to the end.
    pub(crate) fn rest(&self) -> impl Iterator<Item = String> {
        std::iter::from_fn(|| self.next())
    }
}

/// Runs a command to its end; what it said.
pub(crate) fn finished(command: &mut Command) -> Output {
    let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    output(&format!("{command:?}"), child)
}

/// Waits until a process has ended; what it said.
pub(crate) fn output(name: &str, child: Child) -> Output {
    let process = Pid::from_child(&child);
    let reads = thread::spawn(move || child.wait_with_output().unwrap());
    let gives_up = || {
        let _ = kill_process(process, Signal::KILL);
        String::new()
    };
    eventually_or(&format!("the end of {name}"), || reads.is_finished(), gives_up);
    reads.join().unwrap()
}
