//! The limits of worker processes. None of them decides a game.

use std::time::Duration;

use arena_limits::limits;
use arena_sandbox::RESERVED_BYTES;

limits! { pub LIMITS:
    /// Processor time for compiling a module, in seconds: six times what the costliest module that we know to pass the
    /// check takes in a release build, for slower machines and builds. Bots of the gallery take under 0.2. A module
    /// that takes longer is refused.
    pub COMPILE_CPU_SECONDS_MAX: u64 = 60, "compile_cpu_seconds", "seconds of processor time",
        "bots of the gallery take under 0.2, the costliest module known to pass the check 10 in a release build; with more it is refused";
    /// Time until a worker must have answered whether it compiled a module, in seconds: ten times its processor time. A
    /// worker that has not had so much by then waits for a machine that is too busy, which says nothing about the
    /// module.
    pub COMPILE_WALL_SECONDS_MAX: u64 = 600, "compile_wall_seconds", "seconds",
        "a worker that has not had that processor time by then waits for a busy machine; it is tried again";
    pub RECOMPILE_FACTOR: u64 = 2, "recompile_factor", "times these two",
        "an accepted bot is not turned out because the machine is slow today";
    pub WORKER_MEMORY_BYTES_MAX: u64 = 1_536 << 20, "worker_memory_bytes", "bytes of a process",
        "compiling a module of the largest size takes far less; more is refused";
    pub ADDRESS_SPACE_BYTES_MAX: u64 = WORKER_MEMORY_BYTES_MAX + (512 << 20) + SEATS_PER_WORKER_MAX as u64 * RESERVED_BYTES,
        "worker_address_space_bytes", "bytes of a process",
        "that memory, the program, and 4 GiB that are reserved for each seat and never filled";
    pub WORKER_STACK_BYTES_MIN: u64 = 2 << 20, "worker_stack_bytes", "bytes of a process, at least",
        "that of a guest, and what the engine and the compiler need; with less no bot is judged";
    pub COMPILE_TRIES: u32 = 3, "compile_tries", "processes",
        "that the machine ended, or let wait; a module that ends its compiler is refused at once";
    pub SEATS_PER_WORKER_MAX: u8 = 8, "seats_per_worker", "seats of a bot in a game in one process",
        "each reserves memory of the process's address space";
    /// Idle workers that a command or a site keeps, so that a module that plays again need not be compiled again: one
    /// for each bot of the largest tournament. Each holds 2 to 10 MB for modules of 1 to 65 kB.
    pub IDLE_WORKERS_MAX: usize = 64, "idle_workers", "processes of a command or a site",
        "one for each bot of the largest tournament";
    pub VERDICTS_MAX: usize = 128, "verdicts_remembered", "modules of a process that plays",
        "those of the largest tournament, and as many that come and go";
    pub FRAME_BYTES_MAX: usize = 2 << 20, "worker_frame_bytes", "bytes of a message between processes",
        "a module of the largest size, and as much again";
    pub TEXT_BYTES_MAX: usize = 2_000, "worker_text_bytes", "bytes of what a worker says of a failure",
        "those of its own have under 500; longer ones are cut";
    pub UNWALLED_NANOS_PER_FUEL: u64 = 100, "unwalled_nanos_per_fuel", "nanoseconds for each unit of fuel",
        "several times the costliest operator; a process that takes longer is broken";
}

/// Size of the buffer that is kept between messages, in bytes: most observations fit.
pub(crate) const FRAME_BYTES_KEPT: usize = 16 << 10;

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
    /// How many times as long a call into a bot may take as a wall budget or its fuel says: more than 1 where an
    /// engine interprets.
    pub slowness: u32,
}

impl Patience {
    /// The limits outside of tests.
    pub const DEFAULT: Patience = Patience {
        compile: Duration::from_secs(COMPILE_WALL_SECONDS_MAX),
        answer: Duration::from_secs(5),
        unwalled: Duration::from_secs(600),
        slowness: 1,
    };
}
