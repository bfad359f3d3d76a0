//! Work on several threads: items are begun in order, and results are taken by the calling thread, which does the work
//! itself if one thread is enough.
//!
//! ```
//! use std::ops::ControlFlow;
//!
//! let mut squares = Vec::new();
//! let flow = arena_runner::in_order(1..=4, 2, |number| number * number, |square| {
//!     squares.push(square);
//!     if square < 9 { ControlFlow::Continue(()) } else { ControlFlow::Break("enough") }
//! });
//! assert_eq!((flow, squares), (ControlFlow::Break("enough"), vec![1, 4, 9]));
//! ```

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::ops::ControlFlow;
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use std::{iter, panic, thread};

/// Items per thread that may be begun and not yet taken: a slow one holds up no thread until this many others are done.
/// Bounds the waiting results, each usually a record of about 4 kB.
const AHEAD_PER_THREAD: usize = 32;

/// Does `work` for every item, on this many threads, and passes each result to `take` in the order of the items, until
/// it breaks. Then no other items are begun, and results beyond are dropped.
///
/// # Panics
/// When `work` or `take` panics; no other item is begun then.
pub fn in_order<I, T: Send, B>(
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    threads: usize,
    work: impl Fn(I) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let (mut early, mut expected) = (BTreeMap::new(), 0);
    run(items, threads, work, |number, result, queue| {
        early.insert(number, result);
        while let Some(result) = early.remove(&expected) {
            expected += 1;
            take(result)?;
            queue.taken();
        }
        ControlFlow::Continue(())
    })
}

/// Does `work` for every item, on this many threads, and passes each result to `take` as soon as it is there. After a
/// break no other items are begun; those in progress are completed and passed on like all others. Returns the first
/// break.
///
/// # Panics
/// When `work` or `take` panics; no other item is begun then.
pub fn as_they_come<I, T: Send, B>(
    items: impl IntoIterator<Item = I, IntoIter: Send>,
    threads: usize,
    work: impl Fn(I) -> T + Sync,
    mut take: impl FnMut(T) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let mut first = ControlFlow::Continue(());
    let ControlFlow::Continue(()) = run(items, threads, work, |_, result, queue| {
        queue.taken();
        if let (ControlFlow::Break(value), true) = (take(result), first.is_continue()) {
            queue.stop();
            first = ControlFlow::Break(value);
        }
        ControlFlow::<Infallible>::Continue(())
    });
    first
}

/// Items to begin and results to take, shared by the threads.
struct Queue<I, T> {
    state: Mutex<State<I, T>>,
    /// Notified when there may be an item to begin, or no more will come.
    changed: Condvar,
    /// Notified at the first result, when there are [enough](GATHERED), and when no more will come.
    filled: Condvar,
    ahead_max: usize,
}

struct State<I, T> {
    items: I,
    begun: usize,
    taken: usize,
    stopped: bool,
    /// Threads that wait for an item.
    waiting: usize,
    /// Threads that may still produce results.
    working: usize,
    done: Vec<(usize, T)>,
}

/// How many results are taken at once, within [this time](GATHERING): waking the taker for each would slow down short
/// games by 4 %.
const GATHERED: usize = 16;
/// How long the first result waits for others.
const GATHERING: Duration = Duration::from_millis(5);

impl<I: Iterator, T> Queue<I, T> {
    /// The next item with its number, once it may be begun.
    fn next(&self) -> Option<(usize, I::Item)> {
        let mut state = self.state();
        while !state.stopped && state.begun - state.taken >= self.ahead_max {
            state.waiting += 1;
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
            state.waiting -= 1;
        }
        if state.stopped {
            return None;
        }
        let item = state.items.next()?;
        state.begun += 1;
        Some((state.begun - 1, item))
    }
}

impl<I, T> Queue<I, T> {
    fn done(&self, number: usize, result: T) {
        let mut state = self.state();
        state.done.push((number, result));
        if matches!(state.done.len(), 1 | GATHERED) {
            self.filled.notify_one();
        }
    }

    /// Some results; none once all are taken and no thread works.
    fn results(&self) -> Vec<(usize, T)> {
        let few = |most: usize| move |state: &mut State<I, T>| state.working > 0 && state.done.len() < most;
        let state = self.filled.wait_while(self.state(), few(1)).unwrap_or_else(PoisonError::into_inner);
        let gathered = self.filled.wait_timeout_while(state, GATHERING, few(GATHERED));
        std::mem::take(&mut gathered.unwrap_or_else(PoisonError::into_inner).0.done)
    }

    fn taken(&self) {
        let mut state = self.state();
        state.taken += 1;
        if state.waiting > 0 {
            self.changed.notify_one();
        }
    }

    fn stop(&self) {
        self.state().stopped = true;
        self.changed.notify_all();
    }

    /// Ignores poisoning: a panic leaves only the items in doubt, and none is begun after one.
    fn state(&self) -> MutexGuard<'_, State<I, T>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops a queue when it is dropped, so that nobody waits for items or results that never come.
struct StopOnDrop<'a, I, T>(&'a Queue<I, T>);

impl<I, T> Drop for StopOnDrop<'_, I, T> {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// A working thread. When it ends, by a panic too, no other thread begins an item, and its results are not waited for.
struct Working<'a, I, T>(&'a Queue<I, T>);

impl<I, T> Drop for Working<'_, I, T> {
    fn drop(&mut self) {
        self.0.stop();
        self.0.state().working -= 1;
        self.0.filled.notify_one();
    }
}

fn run<I: Iterator + Send, T: Send, B>(
    items: impl IntoIterator<Item = I::Item, IntoIter = I>,
    threads: usize,
    work: impl Fn(I::Item) -> T + Sync,
    mut take: impl FnMut(usize, T, &Queue<I, T>) -> ControlFlow<B>,
) -> ControlFlow<B> {
    let items = items.into_iter();
    let threads = threads.min(items.size_hint().1.unwrap_or(threads)).max(1);
    let done = Vec::with_capacity(GATHERED);
    let state = State { items, begun: 0, taken: 0, stopped: false, waiting: 0, working: threads, done };
    let ahead_max = threads * AHEAD_PER_THREAD;
    let queue = Queue { state: Mutex::new(state), changed: Condvar::new(), filled: Condvar::new(), ahead_max };
    if threads == 1 {
        // Then the taker works itself: passing results between threads would wake another processor for each.
        let each = || queue.next().map(|(number, item)| (number, work(item)));
        return iter::from_fn(each).try_for_each(|(number, result)| take(number, result, &queue));
    }
    let work_through = || {
        let _working = Working(&queue);
        while let Some((number, item)) = queue.next() {
            queue.done(number, work(item));
        }
    };
    thread::scope(|scope| {
        let running: Vec<_> = (0..threads).map(|_| scope.spawn(work_through)).collect();
        let flow = {
            let _stop = StopOnDrop(&queue);
            iter::repeat_with(|| queue.results())
                .take_while(|results| !results.is_empty())
                .flatten()
                .try_for_each(|(number, result)| take(number, result, &queue))
        };
        for thread in running {
            if let Err(panic) = thread.join() {
                panic::resume_unwind(panic);
            }
        }
        flow
    })
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    const THREADS: [usize; 3] = [1, 2, 7];

    fn until<T>(taken: &mut Vec<T>, enough: usize) -> impl FnMut(T) -> ControlFlow<()> {
        move |result| {
            taken.push(result);
            if taken.len() == enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        }
    }

    #[test]
    fn results_are_taken_in_order_and_none_beyond_a_break() {
        for threads in THREADS {
            let mut taken = Vec::new();
            assert!(in_order(0..1_000, threads, |number| number * number, until(&mut taken, 50)).is_break());
            assert_eq!(taken, (0..50).map(|number| number * number).collect::<Vec<u32>>());
            let mut taken = Vec::new();
            assert!(in_order(0..7, threads, |number| number, until(&mut taken, 8)).is_continue());
            assert_eq!(taken, [0, 1, 2, 3, 4, 5, 6]);
            assert!(in_order(0..0, threads, |number: u32| number, |_| ControlFlow::Break(())).is_continue());
        }
    }

    #[test]
    fn what_was_begun_before_a_break_is_handed_over_and_nothing_else_is_begun() {
        for threads in THREADS {
            let (begun, mut taken) = (Mutex::new(BTreeSet::new()), BTreeSet::new());
            let work = |number: usize| {
                begun.lock().expect("no panic").insert(number);
                number
            };
            let flow = as_they_come(0..100_000, threads, work, |number| {
                taken.insert(number);
                if taken.len() >= 50 { ControlFlow::Break(taken.len()) } else { ControlFlow::Continue(()) }
            });
            assert_eq!(flow, ControlFlow::Break(50), "the first break is returned");
            let begun = begun.into_inner().expect("no panic");
            assert_eq!(begun, taken);
            assert!(begun.len() <= 50 + threads * AHEAD_PER_THREAD, "{}", begun.len());
            assert_eq!(begun, (0..begun.len()).collect(), "in their order");
        }
    }

    #[test]
    fn an_error_stops_the_work_and_in_order_it_is_the_first() {
        for threads in THREADS {
            let begun = AtomicUsize::new(0);
            let work = |number: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                if number % 100 == 99 { Err(number) } else { Ok(number) }
            };
            let take = |result: Result<usize, usize>| match result {
                Ok(_) => ControlFlow::Continue(()),
                Err(number) => ControlFlow::Break(number),
            };
            assert_eq!(in_order(0..100_000, threads, work, take), ControlFlow::Break(99));
            assert!(begun.load(Ordering::Relaxed) <= 100 + threads * AHEAD_PER_THREAD);
            assert!(as_they_come(0..100_000, threads, work, take).is_break());
        }
    }

    #[test]
    fn a_panic_goes_to_who_asked_and_stops_the_others() {
        for threads in THREADS {
            let begun = AtomicUsize::new(0);
            let work = |number: usize| {
                begun.fetch_add(1, Ordering::Relaxed);
                assert_ne!(number, 20, "twenty");
            };
            let run = || in_order(0..100_000, threads, work, |()| ControlFlow::<()>::Continue(()));
            let panic = catch_unwind(AssertUnwindSafe(run)).expect_err("it panics");
            assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("twenty")));
            assert!(begun.load(Ordering::Relaxed) <= 20 + threads * AHEAD_PER_THREAD);
            let taking = || {
                in_order(
                    0..100_000,
                    threads,
                    |number| number,
                    |number| -> ControlFlow<()> {
                        assert_ne!(number, 20, "twenty");
                        ControlFlow::Continue(())
                    },
                )
            };
            catch_unwind(AssertUnwindSafe(taking)).expect_err("it panics");
        }
    }

    #[test]
    fn one_item_that_takes_long_holds_up_the_others_only_at_the_bound() {
        let threads = 4;
        let ahead_max = threads * AHEAD_PER_THREAD;
        let (begun, taken, most) = (AtomicUsize::new(0), AtomicUsize::new(0), AtomicUsize::new(0));
        let work = |number: usize| {
            let now = begun.fetch_add(1, Ordering::SeqCst) + 1;
            most.fetch_max(now - taken.load(Ordering::SeqCst), Ordering::SeqCst);
            // The first is done only once no other item may be begun.
            while number == 0 && begun.load(Ordering::SeqCst) < ahead_max {
                thread::yield_now();
            }
        };
        let flow = in_order(0..10 * ahead_max, threads, work, |()| {
            taken.fetch_add(1, Ordering::SeqCst);
            ControlFlow::<()>::Continue(())
        });
        assert!(flow.is_continue());
        assert_eq!((taken.into_inner(), most.into_inner()), (10 * ahead_max, ahead_max));
    }
}
