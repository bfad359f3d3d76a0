//! The number of threads, and a parallel map.

use std::convert::Infallible;
use std::ops::ControlFlow;
use std::thread;

use arena_runner::in_order;
use clap::Args;
use indicatif::ProgressBar;

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

/// Runs `work` for every number below `count` on this many threads. The results are in order, whatever the number of threads.
pub(crate) fn map<T: Send>(count: u32, threads: usize, bar: &ProgressBar, work: impl Fn(u32) -> T + Sync) -> Vec<T> {
    let mut results = Vec::new();
    let ControlFlow::Continue(()) = in_order(0..count, threads, work, |result| {
        results.push(result);
        bar.inc(1);
        ControlFlow::<Infallible>::Continue(())
    });
    results
}
