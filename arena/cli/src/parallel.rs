//! The number of threads.

use std::thread;

use clap::Args;

/// How many threads to use.
#[derive(Args)]
pub(crate) struct Threads {
    /// Worker threads [default: all cores]. The results do not depend on their number.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// The number that was given, or one for each processor that this process may use.
    pub(crate) fn count(&self) -> usize {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }
}
