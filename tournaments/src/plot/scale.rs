//! The values by which entrants are ranked, on one axis for all of them.

use crate::{Gap, Rating, Share, Standings, Value};

/// Per this many rows, one may be beyond the axis, at either end, if it is far from all others.
const FAR_OF: usize = 4;

/// An open end is drawn this fraction of the others' range long.
const OPEN_PART: i64 = 8;

/// The interval of a row, in tenths of an Elo point or in units of [`Share`](crate::Share). An open one has a bound and
/// no middle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Ends {
    pub(super) low: Option<i64>,
    pub(super) mid: Option<i64>,
    pub(super) high: Option<i64>,
}

/// The place of a row, as fractions of the axis from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Stretch {
    /// The start of the interval: 0 if it has no lower end, or one beyond the axis.
    pub low: f64,
    /// The estimate; `None` for a bound, and if it is beyond the axis.
    pub mid: Option<f64>,
    /// The end of the interval: 1 if it has no upper end, or one beyond the axis.
    pub high: f64,
}

impl Ends {
    pub(super) fn of_rating(rating: Rating) -> Ends {
        Ends { low: rating.low(), mid: rating.tenths(), high: rating.high() }
    }

    pub(super) fn of(value: &Value) -> Option<Ends> {
        match value {
            Value::Rating(rating) | Value::Lead(Some(Gap::Elo(rating))) => Some(Ends::of_rating(*rating)),
            // Without an end it may be anything down to nothing, or up to the whole.
            Value::Share(Share { mean, low, high }) => {
                Some(Ends { low: low.or(Some(0)), mid: Some(*mean), high: high.or(Some(Share::WHOLE as i64)) })
            }
            _ => None,
        }
    }

    /// The value that places the row: its estimate, or its bound.
    fn place(self) -> Option<i64> {
        self.mid.or(self.low).or(self.high)
    }
}

/// The range of the axis: all estimates and bounds except a few that are farther from the others than these are from
/// each other, and their intervals up to that same distance.
pub(super) fn shown(rows: &[Ends]) -> Option<(i64, i64)> {
    let mut places: Vec<i64> = rows.iter().filter_map(|row| row.place()).collect();
    places.sort_unstable();
    let mut near = &places[..];
    for _ in 0..places.len() / FAR_OF {
        near = match near {
            [first, second, .., before, last] => {
                let far = |gap: i64, others: i64| others > 0 && gap > others;
                if far(last - before, before - first) {
                    &near[..near.len() - 1]
                } else if far(second - first, last - second) {
                    &near[1..]
                } else {
                    break;
                }
            }
            _ => break,
        };
    }
    let (first, last) = (*near.first()?, *near.last()?);
    let of_near = || rows.iter().filter(|row| row.place().is_some_and(|place| (first..=last).contains(&place)));
    let low = of_near().filter_map(|row| row.low).fold(first, i64::min);
    let high = of_near().filter_map(|row| row.high).fold(last, i64::max);
    let room = if first == last { i64::MAX / 4 } else { last - first };
    Some((low.max(first.saturating_sub(room)), high.min(last.saturating_add(room))))
}

impl Standings {
    /// The place of each row by its rating or score; `None` if these standings show no interval of it, as those of two
    /// entrants.
    pub fn stretches(&self) -> Vec<Option<Stretch>> {
        let ends = |row| self.strength(row).and_then(|(_, value)| Ends::of(value));
        drawn(&self.rows.iter().map(ends).collect::<Vec<_>>())
    }
}

fn drawn(rows: &[Option<Ends>]) -> Vec<Option<Stretch>> {
    let known: Vec<Ends> = rows.iter().flatten().copied().collect();
    let Some((low, high)) = shown(&known) else { return vec![None; rows.len()] };
    // Open ends get room to be visible.
    let room = (high - low) / OPEN_PART;
    let low = if known.iter().any(|row| row.low.is_none()) { low - room } else { low };
    let high = if known.iter().any(|row| row.high.is_none()) { high + room } else { high };
    let part = |end: i64| (end - low) as f64 / (high - low).max(1) as f64;
    let stretch = |row: Ends| Stretch {
        low: row.low.map_or(0.0, |end| part(end).clamp(0.0, 1.0)),
        mid: row.mid.map(part).filter(|mid| (0.0..=1.0).contains(mid)),
        high: row.high.map_or(1.0, |end| part(end).clamp(0.0, 1.0)),
    };
    rows.iter().map(|row| row.map(stretch)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rated(ratings: &[(i64, i64)]) -> Vec<Ends> {
        let ends = |(mid, half): &(i64, i64)| Ends { low: Some(mid - half), mid: Some(*mid), high: Some(mid + half) };
        ratings.iter().map(ends).collect()
    }

    #[test]
    fn two_that_run_away_do_not_squeeze_the_others() {
        let mut ratings = vec![(-300, 40), (-100, 30), (0, 20), (50, 30), (200, 50), (220, 60), (240, 50), (260, 20)];
        assert_eq!(shown(&rated(&ratings)), Some((-340, 290)));
        ratings.extend([(11_000, 4_800), (90_000, 10)]);
        assert_eq!(shown(&rated(&ratings)), Some((-340, 290)), "they are beyond the line");
    }

    #[test]
    fn wide_intervals_are_cut_and_few_rows_are_all_shown() {
        assert_eq!(shown(&rated(&[(0, 5_000), (100, 10), (200, 10)])), Some((-200, 400)));
        assert_eq!(shown(&rated(&[(0, 10), (10_000, 20)])), Some((-10, 10_020)));
        assert_eq!(shown(&rated(&[(7, 3)])), Some((4, 10)));
        assert_eq!(shown(&[]), None);
    }

    #[test]
    fn a_bound_is_a_place() {
        let mut rows = rated(&[(0, 10), (100, 10)]);
        rows.push(Ends { low: Some(150), mid: None, high: None });
        assert_eq!(shown(&rows), Some((-10, 150)));
    }

    #[test]
    fn an_open_end_reaches_that_of_the_line_and_the_others_lie_within() {
        let mut rows: Vec<Option<Ends>> = rated(&[(1_000, 500), (-1_000, 500)]).into_iter().map(Some).collect();
        rows.push(None);
        rows.push(Some(Ends { low: Some(4_000), mid: None, high: None }));
        rows.push(Some(Ends { low: None, mid: None, high: Some(-2_000) }));
        let [Some(one), Some(other), None, Some(won), Some(lost)] = drawn(&rows)[..] else { panic!("{rows:?}") };
        assert!(0.0 < other.low && other.high < one.low && one.high < won.low && won.low < 1.0);
        assert!(one.low < one.mid.unwrap_or_default() && one.mid.unwrap_or_default() < one.high);
        assert_eq!((won.mid, won.high, lost.low, lost.mid), (None, 1.0, 0.0, None));
        assert!(0.0 < lost.high && lost.high < other.low);
    }
}
