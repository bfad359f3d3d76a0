//! The limits of worker processes. None of them decides a game.

use std::time::Duration;

use arena_sandbox::RESERVED_BYTES;

/// Processor time for compiling a module, in seconds: six times what the costliest module that we know to pass the
/// check takes in a release build, for slower machines and builds. Bots of the gallery take under 0.2. A module that
/// takes longer is refused.
pub const COMPILE_CPU_SECONDS_MAX: u64 = 60;
/// Time until a worker must have answered whether it compiled a module, in seconds: ten times its processor time. A
/// worker that has not had so much by then waits for a machine that is too busy, which says nothing about the module.
pub const COMPILE_WALL_SECONDS_MAX: u64 = 600;
/// How many times as long the compilation of an accepted bot may take when it is repeated, so that no bot is refused
/// because the machine is slow today.
pub const RECOMPILE_FACTOR: u64 = 2;
/// Memory that a worker may write, in bytes: far beyond what compiling a module of 1 MiB takes.
pub const WORKER_MEMORY_BYTES_MAX: u64 = 1_536 << 20;
/// Address space of a worker, in bytes: that memory, the program, and what the memories of its seats reserve without
/// touching it.
pub const ADDRESS_SPACE_BYTES_MAX: u64 =
    WORKER_MEMORY_BYTES_MAX + (512 << 20) + SEATS_PER_WORKER_MAX as u64 * RESERVED_BYTES;
/// Stack that a worker needs, in bytes: that of a guest, and as much for the engine and the compiler as they may need.
pub const WORKER_STACK_BYTES_MIN: u64 = 2 << 20;
/// How often a module is given to a fresh worker, when the one before ended otherwise than by a limit.
pub const COMPILE_TRIES: u32 = 3;
/// Seats of one game that a bot plays in one process; further seats get another. Each [reserves](RESERVED_BYTES)
/// address space.
pub const SEATS_PER_WORKER_MAX: u8 = 8;
/// Idle workers that a command or a site keeps, so that a module that plays again need not be compiled again: one for
/// each bot of the largest tournament. Each holds 2 to 10 MB for modules of 1 to 65 kB.
pub const IDLE_WORKERS_MAX: usize = 64;
/// Accepted modules that a pool remembers: those of the largest tournament, and as many that come and go.
pub const VERDICTS_MAX: usize = 128;
/// The longest message that either side of the pipe sends or reads, in bytes: a module of the largest size, and as much
/// again.
pub const FRAME_BYTES_MAX: usize = 2 << 20;
/// Size of the buffer that is kept between messages, in bytes: most observations fit.
pub(crate) const FRAME_BYTES_KEPT: usize = 16 << 10;

/// Bytes kept of the reason of a failure that a worker sends. A worker's own reasons have under 500.
pub const TEXT_BYTES_MAX: usize = 2_000;

/// How often late workers are looked for.
pub(crate) const LATENESS: Duration = Duration::from_millis(50);

/// How long the asker waits for answers. A worker that takes longer counts as hung and is killed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Patience {
    /// For a verdict on a module.
    pub compile: Duration,
    /// For an answer that needs no call into a bot, in a game with a wall budget.
    pub answer: Duration,
    /// For an answer without a wall budget, in addition to [`UNWALLED_NANOS_PER_FUEL`]. Fuel, or the processor time of
    /// a compilation, ends the work long before, unless the machine or the engine is broken.
    pub unwalled: Duration,
}

/// Waiting time for each unit of fuel without a wall budget, in nanoseconds: several times the costliest operator.
pub const UNWALLED_NANOS_PER_FUEL: u64 = 100;

impl Patience {
    /// The limits outside of tests.
    pub const DEFAULT: Patience = Patience {
        compile: Duration::from_secs(COMPILE_WALL_SECONDS_MAX),
        answer: Duration::from_secs(5),
        unwalled: Duration::from_secs(600),
    };
}
