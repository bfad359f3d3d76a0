//! One processor for each game. Asker and worker take turns, so on two processors they would only wake each other,
//! which costs more than most answers on a virtual machine.

use std::collections::BTreeMap;
use std::fs::File;
use std::marker::PhantomData;
use std::os::unix::fs::FileExt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustix::thread::{CpuSet, sched_getaffinity, sched_getcpu, sched_setaffinity};

/// A processor is crowded if a game waits for it this many times as long as the game's own thread runs.
const CROWDED: u64 = 4;

/// The processors that this process may use, and how many games are on each.
pub struct Processors {
    all: CpuSet,
    taken: Mutex<Taken>,
}

#[derive(Default)]
struct Taken {
    games: BTreeMap<usize, u32>,
    /// The last processor on which a game had to wait for others.
    crowded: Option<usize>,
}

impl Processors {
    /// The processors of the calling thread.
    pub fn here() -> Processors {
        // On a system that does not tell, there are none to choose from.
        let all = sched_getaffinity(None).unwrap_or_else(|_| CpuSet::new());
        let games = (0..CpuSet::MAX_CPU).filter(|processor| all.is_set(*processor)).map(|processor| (processor, 0));
        Processors { all, taken: Mutex::new(Taken { games: games.collect(), crowded: None }) }
    }

    /// Keeps this thread on the processor with the fewest games until the returned value is dropped. Workers that it
    /// asks meanwhile [come along](crate::RemoteBot). `None` if there is no choice.
    pub fn one(&self) -> Option<Processor<'_>> {
        let (mut taken, here) = (self.taken(), sched_getcpu());
        if taken.games.len() < 2 {
            return None;
        }
        let crowded = taken.crowded;
        let order = |(number, games): &(&usize, &mut u32)| (**games, crowded == Some(**number), **number != here);
        let (number, games) = taken.games.iter_mut().min_by_key(order)?;
        let mut only = CpuSet::new();
        only.set(*number);
        sched_setaffinity(None, &only).ok()?;
        *games += 1;
        Some(Processor { of: self, number: *number, before: ran_and_waited(), _of_this_thread: PhantomData })
    }

    fn taken(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The processor that this thread is kept on.
pub struct Processor<'a> {
    of: &'a Processors,
    number: usize,
    before: (u64, u64),
    _of_this_thread: PhantomData<*const ()>,
}

impl Drop for Processor<'_> {
    fn drop(&mut self) {
        let ((ran_before, waited_before), (ran, waited)) = (self.before, ran_and_waited());
        let is_crowded = waited.saturating_sub(waited_before) > CROWDED * ran.saturating_sub(ran_before);
        // Fails only if the system took processors away; then the system has already moved this thread.
        let _ = sched_setaffinity(None, &self.of.all);
        let mut taken = self.of.taken();
        if let Some(games) = taken.games.get_mut(&self.number) {
            *games -= 1;
        }
        if is_crowded {
            taken.crowded = Some(self.number);
        } else if taken.crowded == Some(self.number) {
            taken.crowded = None;
        }
    }
}

thread_local! {
    /// What the system counts of this thread. It stays open: opening it takes longer than all else that a game does
    /// with processors.
    static COUNTED: Option<File> = File::open("/proc/thread-self/schedstat").ok();
}

/// Nanoseconds for which this thread ran and waited for a processor so far; zeros on a system that does not count them.
fn ran_and_waited() -> (u64, u64) {
    let counts = |file: &File| {
        let mut text = [0; 64];
        let length = file.read_at(&mut text, 0).ok()?;
        let mut counts = str::from_utf8(&text[..length]).ok()?.split_whitespace().map_while(|count| count.parse().ok());
        counts.next().zip(counts.next())
    };
    COUNTED.with(|file| file.as_ref().and_then(counts)).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;
    use std::thread;

    use super::*;

    fn allowed() -> Vec<usize> {
        let set = sched_getaffinity(None).expect("Linux says");
        (0..CpuSet::MAX_CPU).filter(|processor| set.is_set(*processor)).collect()
    }

    #[test]
    fn a_thread_is_kept_on_one_processor_until_its_game_is_over() {
        let (processors, before) = (Processors::here(), allowed());
        let one = processors.one();
        assert_eq!(one.is_some(), before.len() > 1);
        assert_eq!(allowed().len(), 1);
        drop(one);
        assert_eq!(allowed(), before);
        assert!(processors.taken().games.values().all(|games| *games == 0));
    }

    #[test]
    fn games_at_once_have_processors_of_their_own_while_there_are_any() {
        let (processors, all) = (Processors::here(), allowed());
        if all.len() < 2 {
            return;
        }
        let (inside, mut used) = (Barrier::new(all.len()), Vec::new());
        thread::scope(|scope| {
            let game = || {
                let _one = processors.one();
                inside.wait();
                allowed()
            };
            let games: Vec<_> = all.iter().map(|_| scope.spawn(game)).collect();
            used.extend(games.into_iter().flat_map(|game| game.join().expect("no panic")));
        });
        used.sort_unstable();
        assert_eq!(used, all);
    }
}
