//! Processor time, user and system, of a process with everything it has started.

use std::collections::BTreeMap;
use std::fs;
use std::process::{Child, ExitStatus};

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use rustix::time::{ClockId, clock_gettime};

/// Ticks a second in `/proc`, on every Linux for this processor.
const TICKS_PER_SECOND: f64 = 100.0;
/// What a sample takes at least, so that a tick is a few hundredths of it.
pub(crate) const SAMPLE_SECONDS_MIN: f64 = 0.3;

/// Seconds of processor time.
#[derive(Clone, Copy)]
pub(crate) struct Spent {
    /// In programs.
    pub(crate) user: f64,
    /// In the kernel, for them.
    pub(crate) system: f64,
}

/// Seconds that a process, its children that live, and those that it has waited for have used so far.
pub(crate) fn seconds_of(process: u32) -> f64 {
    let Spent { user, system } = spent_by(process);
    user + system
}

/// The same, apart.
pub(crate) fn spent_by(process: u32) -> Spent {
    let entries = fs::read_dir("/proc").expect("Linux has /proc").flatten();
    let processes = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let stats: BTreeMap<u32, Stat> = processes.filter_map(|process| Some((process, Stat::of(process)?))).collect();
    let is_of = |mut other: u32| loop {
        match stats.get(&other) {
            _ if other == process => return true,
            Some(stat) => other = stat.parent,
            None => return false,
        }
    };
    let ours = || stats.iter().filter(|(other, _)| is_of(**other)).map(|(_, stat)| stat);
    let sum = |ticks: fn(&Ticks) -> u64| ours().map(|stat| ticks(&stat.own) + ticks(&stat.waited_for)).sum();
    Spent { user: seconds(sum(|ticks| ticks.user)), system: seconds(sum(|ticks| ticks.system)) }
}

/// Seconds that a process itself has used so far, without others that it has started.
pub(crate) fn own_seconds_of(process: u32) -> f64 {
    let own = Stat::of(process).expect("it has not been waited for").own;
    seconds(own.user + own.system)
}

/// Waits for a process to end; also returns the seconds that it used itself. Both its user and its system time are cut
/// down to whole ticks, by half a tick on average, which is added.
pub(crate) fn own_seconds_at_end(mut child: Child) -> (ExitStatus, f64) {
    // Not waited for yet, so that the system still counts its time apart from that of its children.
    let ended = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
    waitid(WaitId::Pid(Pid::from_child(&child)), ended).expect("it is ours");
    let own = own_seconds_of(child.id()) + 1.0 / TICKS_PER_SECOND;
    (child.wait().expect("it is ours"), own)
}

fn seconds(ticks: u64) -> f64 {
    ticks as f64 / TICKS_PER_SECOND
}

/// Seconds of `process` for one unit of `work`, which says how many it did; repeated twice as often until that is long
/// enough, since looking at the clock takes milliseconds.
pub(crate) fn per_unit(process: u32, mut work: impl FnMut() -> u64) -> f64 {
    let mut times = 1;
    loop {
        let start = seconds_of(process);
        let units: u64 = (0..times).map(|_| work()).sum();
        let spent = seconds_of(process) - start;
        if spent >= SAMPLE_SECONDS_MIN {
            return spent / units as f64;
        }
        times *= 2;
    }
}

/// The same of this process.
pub(crate) fn per_unit_here(work: impl FnMut() -> u64) -> f64 {
    per_unit(std::process::id(), work)
}

/// Seconds of processor time that this thread has used so far, to a microsecond.
pub(crate) fn thread_seconds() -> f64 {
    let time = clock_gettime(ClockId::ThreadCPUTime);
    time.tv_sec as f64 + time.tv_nsec as f64 / 1e9
}

struct Stat {
    parent: u32,
    own: Ticks,
    /// Of the children that it has waited for.
    waited_for: Ticks,
}

struct Ticks {
    user: u64,
    system: u64,
}

impl Stat {
    /// What `/proc/PROCESS/stat` says; none of a process that is gone.
    fn of(process: u32) -> Option<Stat> {
        let text = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
        // The name in parentheses may hold anything, so the fields after it are counted: state, parent, ...
        let fields: Vec<&str> = text.rsplit_once(')')?.1.split_whitespace().collect();
        let number = |place: usize| fields.get(place)?.parse::<u64>().ok();
        // ... user and system time from the twelfth, then those of the children it has waited for.
        let ticks = |place: usize| Some(Ticks { user: number(place)?, system: number(place + 1)? });
        Some(Stat { parent: number(1)? as u32, own: ticks(11)?, waited_for: ticks(13)? })
    }
}
