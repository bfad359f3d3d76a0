//! Measures the processor time of bots, one against the other, on your own machine. Not part of a bot built for the arena.
//!
//! In the arena fuel decides, and `arena check` measures it. This is for the work before: whether a change makes the same
//! search faster. A machine's speed drifts, so all subjects run in every round, one after the other. The report has
//! the median of the rounds' ratios, in processor time, not in wall-clock time.
//!
//! ```
//! use std::hint::black_box;
//!
//! use arena_sdk::bench::{Subject, compare};
//! use arena_sdk::conquerors::Board;
//! use arena_sdk::kit::Lookahead;
//!
//! let board = Board::EMPTY;
//! let one = Subject::new("one generation", 1, || _ = black_box(black_box(board).next()));
//! let four = Subject::new("a lookahead", 1, || _ = black_box(Lookahead::of(black_box(&board), 4)));
//! let report = compare(vec![one, four]);
//! assert_eq!(report.lines[1].name, "a lookahead");
//! println!("{report}");
//! ```

use std::fmt;
use std::hint::black_box;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::host::{quiet, tank};
use crate::{Bot, Observation, Protocol};

/// Rounds of which the median is taken.
const ROUNDS: usize = 15;
/// The least processor time of a subject in a round: short runs are repeated, because the clock has steps.
const ROUND_MIN: Duration = Duration::from_millis(5);

/// Something to measure.
pub struct Subject<'a> {
    name: String,
    turns: usize,
    run: Box<dyn FnMut() + 'a>,
}

impl<'a> Subject<'a> {
    /// A subject that calls `run`, which does the work of `turns` turns.
    pub fn new(name: &str, turns: usize, run: impl FnMut() + 'a) -> Subject<'a> {
        Subject { name: name.into(), turns: turns.max(1), run: Box::new(run) }
    }

    /// A bot that gets all these observations in order; a new one in each run, as in a game.
    pub fn bot<B: Bot<G>, G: Protocol>(name: &str, observations: &'a [Observation<G>]) -> Subject<'a> {
        Subject::new(name, observations.len(), move || {
            let mut bot = B::default();
            for observation in observations {
                tank::fill();
                black_box(bot.turn(black_box(observation)));
            }
        })
    }

    /// Processor time of a turn, averaged over `runs` runs.
    fn measure(&mut self, runs: u32) -> Duration {
        let start = ThreadTime::now();
        (0..runs).for_each(|_| (self.run)());
        start.elapsed() / runs / self.turns as u32
    }

    /// How many runs make a round long enough.
    fn runs(&mut self) -> u32 {
        let start = ThreadTime::now();
        let mut runs = 0;
        while start.elapsed() < ROUND_MIN {
            (self.run)();
            runs += 1;
        }
        runs
    }
}

/// Measures all subjects against the first. Their logs are discarded.
///
/// # Panics
/// If there are no subjects.
pub fn compare(subjects: Vec<Subject<'_>>) -> Report {
    assert!(!subjects.is_empty(), "there is nothing to compare");
    quiet::during(|| measured(subjects))
}

fn measured(mut subjects: Vec<Subject<'_>>) -> Report {
    let runs: Vec<u32> = subjects.iter_mut().map(Subject::runs).collect();
    let mut rounds: Vec<Vec<Duration>> = vec![Vec::new(); subjects.len()];
    for _ in 0..ROUNDS {
        for ((subject, runs), times) in subjects.iter_mut().zip(&runs).zip(&mut rounds) {
            times.push(subject.measure(*runs));
        }
    }
    let (first, lines) = (rounds[0].clone(), subjects.iter().zip(rounds));
    let line = |(subject, times): (&Subject<'_>, Vec<Duration>)| {
        let ratio = |(time, first): (&Duration, &Duration)| time.as_secs_f64() / first.as_secs_f64();
        let times_the_first = Spread::of(times.iter().zip(&first).map(ratio).collect());
        let micros_a_turn = Spread::of(times.iter().map(|time| time.as_secs_f64() * 1e6).collect()).median;
        Line { name: subject.name.clone(), micros_a_turn, times_the_first }
    };
    Report { lines: lines.map(line).collect() }
}

/// The result of a comparison; printed, it is a table.
#[derive(Clone, PartialEq, Debug)]
pub struct Report {
    /// A line for each subject, in order.
    pub lines: Vec<Line>,
}

/// The result of one subject.
#[derive(Clone, PartialEq, Debug)]
pub struct Line {
    /// Its name.
    pub name: String,
    /// Processor time of a turn in microseconds: the median of the rounds, on this machine today.
    pub micros_a_turn: f64,
    /// Its time relative to that of the first subject in the same round.
    pub times_the_first: Spread,
}

/// A figure over several rounds.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Spread {
    /// The smallest.
    pub least: f64,
    /// The median.
    pub median: f64,
    /// The largest.
    pub most: f64,
}

impl Spread {
    fn of(mut values: Vec<f64>) -> Spread {
        values.sort_by(f64::total_cmp);
        Spread { least: values[0], median: values[values.len() / 2], most: values[values.len() - 1] }
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let width = self.lines.iter().map(|line| line.name.chars().count()).max().unwrap_or_default();
        writeln!(
            f,
            "{:width$}  {:>12}  {:>9}  least to most of {ROUNDS} rounds",
            "processor time", "\u{b5}s a turn", "ratio"
        )?;
        for Line { name, micros_a_turn, times_the_first: Spread { least, median, most } } in &self.lines {
            writeln!(f, "{name:width$}  {micros_a_turn:>12.1}  {median:>9.3}  {least:.3} to {most:.3}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_is_measured_is_quiet() {
        let mut noisy = 0;
        let report = compare(vec![Subject::new("a bot", 1, || noisy += u32::from(!quiet::is()))]);
        assert_eq!((report.lines.len(), noisy, quiet::is()), (1, 0, false));
    }
}
