//! The interval of a row, for its picture.

use arena_tournaments::Stretch;

/// An interval and its middle, on a line from 0 to [`Interval::SCALE`] that all rows share.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Interval {
    pub(crate) low: u32,
    /// `None` for a bound, and for a value beyond the line.
    pub(crate) mid: Option<u32>,
    pub(crate) high: u32,
}

impl Interval {
    const SCALE: f64 = 100.0;

    pub(crate) fn of(Stretch { low, mid, high }: Stretch) -> Interval {
        let at = |part: f64| (Interval::SCALE * part).round() as u32;
        Interval { low: at(low), mid: mid.map(at), high: at(high) }
    }
}
