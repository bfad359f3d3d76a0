//! What work costs: the time that passes, and the processor time of the programs that it starts, theirs included.
//!
//! Time that passes says how busy the machine was, so it is only printed. Processor time is what limits are about.

use std::ops::{AddAssign, Sub};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};
use fs_err as fs;

/// How many ticks Linux counts in a second where it shows processor time to programs: `USER_HZ`, on all of its
/// machines.
const TICKS_PER_SECOND: u64 = 100;

/// Where the processor time of ended children stands in `/proc/self/stat`, counted from after the program's name: user
/// and system.
const CHILDREN: [usize; 2] = [13, 14];

/// Two durations.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub(crate) struct Cost {
    pub(crate) wall: Duration,
    /// Of programs that have ended.
    pub(crate) processor: Duration,
}

/// A moment, and the processor time until then.
pub(crate) struct Meter {
    began: Instant,
    before: Duration,
}

impl Meter {
    /// # Errors
    /// On a system other than Linux.
    pub(crate) fn start() -> Result<Meter> {
        Ok(Meter { began: Instant::now(), before: of_children()? })
    }

    /// The cost since the start.
    ///
    /// # Errors
    /// As [`Meter::start`].
    pub(crate) fn read(&self) -> Result<Cost> {
        Ok(Cost { wall: self.began.elapsed(), processor: of_children()?.saturating_sub(self.before) })
    }
}

/// The processor time of all children that have ended and were waited for, with all of theirs.
fn of_children() -> Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    ticks_of_children(&stat).map(|ticks| Duration::from_millis(ticks * 1_000 / TICKS_PER_SECOND))
}

fn ticks_of_children(stat: &str) -> Result<u64> {
    // The program's name may contain anything, also `)`.
    let (_, numbers) = stat.rsplit_once(')').context("a program's state has its name")?;
    let numbers: Vec<&str> = numbers.split_whitespace().collect();
    let ticks = CHILDREN.map(|place| numbers.get(place)?.parse::<u64>().ok());
    ticks.into_iter().sum::<Option<u64>>().context("a program's state has the processor time of its children")
}

impl AddAssign for Cost {
    fn add_assign(&mut self, other: Cost) {
        self.wall += other.wall;
        self.processor += other.processor;
    }
}

impl Sub for Cost {
    type Output = Cost;

    fn sub(self, other: Cost) -> Cost {
        Cost { wall: self.wall.saturating_sub(other.wall), processor: self.processor.saturating_sub(other.processor) }
    }
}

/// Both in columns of a table.
impl std::fmt::Display for Cost {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{:>8.1} s {:>8.1} s", self.wall.as_secs_f64(), self.processor.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn processor_time_is_read_behind_any_name_of_a_program() -> Result<()> {
        let stat = "7 (a) b) S 1 7 7 0 -1 4194560 1 2 3 4 50 60 700 11 20 0 1 0 5 6 7";
        assert_eq!(ticks_of_children(stat)?, 711);
        assert!(ticks_of_children("7 (a) S 1").is_err());
        Ok(())
    }

    #[test]
    fn what_a_child_uses_is_counted_once_it_has_ended() -> Result<()> {
        let meter = Meter::start()?;
        let spin = "i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done";
        anyhow::ensure!(Command::new("sh").args(["-c", spin]).status()?.success());
        assert!(meter.read()?.processor > Duration::ZERO);
        Ok(())
    }
}
