//! The same work for many numbers, over threads, with results in the order of the numbers.

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::mpsc;
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
    let mut results = Vec::new();
    in_order(count, threads, work, done, |result| {
        results.push(result);
        ControlFlow::Continue(())
    });
    results
}

/// The same, with each result handed to `take` in the order of the numbers, as soon as all before it are there, until it
/// breaks. What other threads did beyond that number is dropped.
pub(crate) fn in_order<T: Send>(
    count: u32,
    threads: usize,
    work: impl Fn(u32) -> T + Sync,
    done: impl Fn() + Sync,
    mut take: impl FnMut(T) -> ControlFlow<()>,
) {
    let next = AtomicU32::new(0);
    let run = |results: mpsc::Sender<(u32, T)>| {
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count {
                return;
            }
            let result = work(number);
            done();
            if results.send((number, result)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        let (sender, results) = mpsc::channel();
        for _ in 0..threads.clamp(1, count.max(1) as usize) {
            let (run, sender) = (&run, sender.clone());
            scope.spawn(move || run(sender));
        }
        // Only the threads hold senders, so the loop ends with the last of them.
        drop(sender);
        let (mut early, mut expected) = (BTreeMap::new(), 0);
        for (number, result) in results {
            early.insert(number, result);
            while let Some(result) = early.remove(&expected) {
                expected += 1;
                if take(result).is_break() {
                    next.store(count, Ordering::Relaxed);
                    return;
                }
            }
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_taken_in_order_and_none_beyond_a_break() {
        for threads in [1, 4] {
            let mut taken = Vec::new();
            in_order(
                1_000,
                threads,
                |number| number * number,
                || (),
                |result| {
                    taken.push(result);
                    if taken.len() == 50 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                },
            );
            assert_eq!(taken, (0..50).map(|number| number * number).collect::<Vec<u32>>());
            assert_eq!(map(7, threads, |number| number, || ()), [0, 1, 2, 3, 4, 5, 6]);
            assert!(map(0, threads, |number| number, || ()).is_empty());
        }
    }
}
