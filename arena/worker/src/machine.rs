//! What a machine lacks to judge bots. It is said instead of a verdict, because no bot can help it.

use std::fmt;
use std::io;

use arena_sandbox::NATIVE_STACK_BYTES;
use rustix::io::Errno;
use rustix::process::{Resource, getrlimit};

use crate::limits::{
    ADDRESS_SPACE_BYTES_MAX, COMPILE_CPU_SECONDS_MAX, WORKER_MEMORY_BYTES_MAX, WORKER_STACK_BYTES_MIN,
};

/// What this machine lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lack {
    /// Workers may have less of something than they need.
    Less {
        /// Of what.
        what: Needed,
        /// How much they need.
        needed: u64,
        /// How much they may have.
        allowed: u64,
    },
    /// No further process or thread may be started.
    Processes,
    /// No further file may be opened.
    Descriptors,
    /// There is no memory for another process.
    Memory,
    /// The engine cannot be set up, for this reason.
    Engine(String),
    /// Even the smallest module ends a worker, in this way.
    Everything(String),
}

/// What a worker needs.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Needed {
    /// Address space, most of which is never touched.
    AddressSpace,
    /// Memory that is written.
    Memory,
    /// The stack.
    Stack,
    /// Processor time.
    ProcessorTime,
}

impl Needed {
    const ALL: [Needed; 4] = [Needed::AddressSpace, Needed::Memory, Needed::Stack, Needed::ProcessorTime];

    /// How much of it a worker needs, in bytes or seconds.
    fn amount(self) -> u64 {
        const { assert!(WORKER_STACK_BYTES_MIN > NATIVE_STACK_BYTES as u64) };
        match self {
            Needed::AddressSpace => ADDRESS_SPACE_BYTES_MAX,
            Needed::Memory => WORKER_MEMORY_BYTES_MAX,
            Needed::Stack => WORKER_STACK_BYTES_MIN,
            Needed::ProcessorTime => COMPILE_CPU_SECONDS_MAX,
        }
    }

    /// How much of it a process that is started now may have; `None` if that is not limited.
    fn allowed(self) -> Option<u64> {
        match self {
            Needed::AddressSpace => getrlimit(Resource::As).maximum,
            Needed::Memory => getrlimit(Resource::Data).maximum,
            // The system gives the main thread what is allowed at its start.
            Needed::Stack => getrlimit(Resource::Stack).current,
            Needed::ProcessorTime => getrlimit(Resource::Cpu).maximum,
        }
    }

    fn unlimit(self) -> &'static str {
        match self {
            Needed::AddressSpace => "ulimit -v",
            Needed::Memory => "ulimit -d",
            Needed::Stack => "ulimit -s",
            Needed::ProcessorTime => "ulimit -t",
        }
    }
}

impl fmt::Display for Needed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Needed::AddressSpace => "address space",
            Needed::Memory => "memory",
            Needed::Stack => "stack",
            Needed::ProcessorTime => "processor time",
        })
    }
}

impl Lack {
    /// What workers would lack that were started now; `None` if they have all that they need.
    pub fn here() -> Option<Lack> {
        Needed::ALL.into_iter().find_map(Lack::of)
    }

    /// Whether a process that was started now would have too little of this.
    pub fn of(what: Needed) -> Option<Lack> {
        let (needed, allowed) = (what.amount(), what.allowed()?);
        (allowed < needed).then_some(Lack::Less { what, needed, allowed })
    }

    /// What the machine lacks if a process cannot be started for this reason.
    pub(crate) fn of_start(error: &io::Error) -> Option<Lack> {
        match Errno::from_io_error(error)? {
            Errno::AGAIN => Some(Lack::Processes),
            Errno::MFILE | Errno::NFILE => Some(Lack::Descriptors),
            Errno::NOMEM => Some(Lack::Memory),
            _ => None,
        }
    }
}

impl fmt::Display for Lack {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Lack::Less { what, needed, allowed } => {
                let (unit, shift) = match what {
                    Needed::ProcessorTime => ("s", 0),
                    Needed::Stack => ("KiB", 10),
                    Needed::AddressSpace | Needed::Memory => ("MiB", 20),
                };
                let (needed, allowed, unlimit) = (needed >> shift, allowed >> shift, what.unlimit());
                write!(f, "a process needs {needed} {unit} of {what}, and {allowed} are allowed here (`{unlimit}`)")
            }
            Lack::Processes => f.write_str("no more processes may be started here (`ulimit -u`)"),
            Lack::Descriptors => f.write_str("no more files may be open here (`ulimit -n`)"),
            Lack::Memory => f.write_str("this machine has no memory for another process"),
            Lack::Engine(why) => write!(f, "this machine cannot run bots: {why}"),
            Lack::Everything(how) => write!(f, "on this machine even the smallest module ends the compiler: {how}"),
        }
    }
}

impl std::error::Error for Lack {}
