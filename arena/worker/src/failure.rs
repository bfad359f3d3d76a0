//! How a worker fails.

use std::fmt;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

use crate::machine::Lack;
use crate::walls::Walls;

/// Why a worker did not do what it was asked.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The process cannot be started.
    #[error("a worker cannot be started")]
    Start(#[source] io::Error),
    /// No bot can be compiled or played on this machine as it is.
    #[error(transparent)]
    Lacking(#[from] Lack),
    /// It died or closed its pipe.
    #[error("the worker died ({0})")]
    Died(Ending),
    /// It did not answer in time and was killed.
    #[error("the worker did not answer within {0:?} and was ended")]
    Hung(Duration),
    /// It sent something that is not an answer.
    #[error("the worker does not speak the protocol of this release")]
    Nonsense,
    /// It runs no bot, because a wall is missing and the policy requires all.
    #[error("workers run no bots here, because all their walls are required; {0}")]
    Unwalled(Walls),
}

impl WorkerError {
    /// Whether the worker used up its processor time or its memory. A module that needs so much needs it each time.
    pub(crate) fn is_beyond_a_limit(&self) -> bool {
        matches!(self, WorkerError::Died(ending) if ending.is_out_of_time() || ending.is_abort())
    }

    /// Whether the worker had started and is gone now.
    pub(crate) fn is_death(&self) -> bool {
        matches!(self, WorkerError::Died(_) | WorkerError::Hung(_) | WorkerError::Nonsense)
    }
}

/// How a worker that died ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ending {
    /// Killed by a signal of this number.
    Signal(i32),
    /// Exited with this code.
    Code(i32),
    /// The system does not tell.
    Unknown,
}

/// Linux's numbers of the signals that tell something about a module.
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

    /// Whether it aborted, as a process that runs out of memory does.
    pub(crate) fn is_abort(self) -> bool {
        self == Ending::Signal(signal::ABORT)
    }

    /// Whether it was killed from outside: by a person, or by a kernel short of memory.
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
