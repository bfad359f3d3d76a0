//! The same work for many numbers, over threads, with results in the order of the numbers.

use std::sync::atomic::{AtomicU32, Ordering};
use std::thread;

use clap::Args;

/// How many threads to use.
#[derive(Args)]
pub(crate) struct Threads {
    /// Worker threads; all cores by default. The results do not depend on it.
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: Option<u16>,
}

impl Threads {
    /// So many as were asked for, or one for each processor this process may use.
    pub(crate) fn count(&self) -> usize {
        let all = || thread::available_parallelism().map_or(1, usize::from);
        self.threads.map_or_else(all, usize::from)
    }
}

/// `work` for every number below `count`, on so many threads; `done` is called after each. The results are in order,
/// whatever the threads.
pub(crate) fn map<T: Send>(
    count: u32,
    threads: usize,
    work: impl Fn(u32) -> T + Sync,
    done: impl Fn() + Sync,
) -> Vec<T> {
    let next = AtomicU32::new(0);
    let run = || {
        let mut results = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return results;
            }
            results.push((number, work(number)));
            done();
        }
    };
    let mut results = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.clamp(1, count.max(1) as usize)).map(|_| scope.spawn(run)).collect();
        let joined =
            workers.into_iter().map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        joined.flatten().collect::<Vec<_>>()
    });
    results.sort_unstable_by_key(|(number, _)| *number);
    results.into_iter().map(|(_, result)| result).collect()
}
