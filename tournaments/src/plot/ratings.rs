//! Ratings, or the scores of a field, with their intervals on an axis.

use super::scale::{Ends, shown};
use super::svg::{CHAR_WIDTH, LINE, Picture};
use crate::{Share, Standings};

const MARGIN: usize = 12;
const ROW: usize = 26;
/// The length of the axis, in pixels.
const AXIS: usize = 480;
/// The width of a label such as `33.3 -32.4 +47.2 %`, in pixels.
const VALUE_WIDTH: usize = 18 * CHAR_WIDTH;
/// The maximum number of marks on the axis, so that their labels do not touch.
const MARKS_MAX: i64 = 9;

/// A quantity to be drawn, with its units.
struct Kind {
    /// The column.
    column: &'static str,
    title: &'static str,
    description: &'static str,
    heading: &'static str,
    /// The unit of labels, in the unit of the values.
    unit: i64,
    /// The minimum distance between marks, a power of ten.
    step_min: i64,
}

const RATINGS: Kind = Kind {
    column: "rating",
    title: "Ratings",
    description: "The rating of each entrant in Elo points, with its 95 % interval over pairs.",
    heading: "rating in Elo points, 95 % interval",
    unit: 10,
    step_min: 100,
};
const SCORES: Kind = Kind {
    column: "score",
    title: "Scores",
    description: "The mean share of each entrant at the end of a game in percent, with its 95 % interval over games.",
    heading: "mean share at the end of a game in percent, 95 % interval",
    unit: PERCENT,
    step_min: PERCENT,
};
/// A percent in the unit of shares.
const PERCENT: i64 = Share::WHOLE as i64 / 100;

impl Standings {
    /// Every entrant's rating and its 95 % interval, as an SVG. `None` if these standings show no ratings, as those of
    /// two entrants.
    pub fn ratings_svg(&self) -> Option<String> {
        self.line(&RATINGS)
    }

    /// The same for mean shares, by which a field is ranked; `None` in other formats.
    pub fn scores_svg(&self) -> Option<String> {
        self.line(&SCORES).filter(|_| !self.columns.iter().any(|column| column.name == RATINGS.column))
    }

    fn line(&self, kind: &Kind) -> Option<String> {
        let column = self.columns.iter().position(|column| column.name == kind.column && column.is_for_people())?;
        let values = || self.rows.iter().map(|row| &row.values[column]);
        let ends: Vec<Ends> = values().map(Ends::of).collect::<Option<_>>()?;
        let axis = Axis::of(&ends, kind.step_min);
        let labels = self.labels();
        let left = MARGIN + labels.width() + 2 * CHAR_WIDTH;
        let width = left + AXIS + CHAR_WIDTH + VALUE_WIDTH + MARGIN;
        let (head, high) = self.head(MARGIN, width);
        let top = MARGIN + LINE + high;
        let bottom = top + self.rows.len() * ROW;
        let height = bottom + 2 * LINE + MARGIN;
        let mut picture = Picture::new(width, height, kind.title, kind.description);
        picture.add(format_args!("{head}<text x=\"{MARGIN}\" y=\"{}\">{}</text>", MARGIN + 8 + high, kind.heading));
        for mark in axis.marks() {
            let x = left + axis.pixel(mark);
            let class = if mark == 0 { "line" } else { "grid" };
            picture.add(format_args!(
                "<line class=\"{class}\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>\
                 <text class=\"soft\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
                bottom + LINE - 4,
                mark / kind.unit
            ));
        }
        for (line, ((row, ends), value)) in self.rows.iter().zip(&ends).zip(values()).enumerate() {
            let y = top + line * ROW + ROW / 2;
            let pixel = |end: i64| left + axis.pixel(end);
            // An interval that is open or continues beyond the axis is drawn to the axis's end, without a mark there.
            let drawn = |end: Option<i64>| end.filter(|end| axis.has(*end)).map(pixel);
            let (from, to) = (drawn(ends.low), drawn(ends.high));
            let (low, high) = (ends.low.map_or(left, pixel), ends.high.map_or(left + AXIS, pixel));
            let end = |x: Option<usize>| x.map(|x| format!("M{x} {}v10", y - 5)).unwrap_or_default();
            let dot = ends
                .mid
                .filter(|mid| axis.has(*mid))
                .map(|mid| format!("<circle class=\"dot\" cx=\"{}\" cy=\"{y}\" r=\"5\"/>", pixel(mid)));
            picture.add(format_args!(
                "<g><title>{}: {value}</title>{}\
                 <path class=\"bar\" fill=\"none\" d=\"M{low} {y}H{high}{}{}\"/>{}\
                 <text x=\"{}\" y=\"{}\">{value}</text></g>",
                row.in_picture(),
                labels.drawn(row.shown(), &row.id, MARGIN, y + 4),
                end(from),
                end(to),
                dot.unwrap_or_default(),
                left + AXIS + 2 * CHAR_WIDTH,
                y + 4,
            ));
        }
        Some(picture.finish())
    }
}

/// The displayed range, in the unit of the values, and the distance between its marks.
struct Axis {
    low: i64,
    high: i64,
    step: i64,
}

impl Axis {
    /// Includes what is [`shown`] and 0, and extends to marks on both sides.
    fn of(ends: &[Ends], step_min: i64) -> Axis {
        let (low, high) = shown(ends).unwrap_or((0, 0));
        let (low, high) = (low.min(0), high.max(0));
        // 1, 2 and 5 times a power of ten: the first that needs few enough marks.
        let steps = (0..).flat_map(|power| [1, 2, 5].map(|digit| digit * step_min * 10_i64.pow(power)));
        let marks = |step: i64| high.div_euclid(step) + 1 - low.div_euclid(step);
        let step = steps.take(30).find(|step| marks(*step) < MARKS_MAX).unwrap_or(i64::MAX / 4);
        let up = |tenths: i64| -(-tenths).div_euclid(step) * step;
        Axis { low: low.div_euclid(step) * step, high: up(high).max(low.div_euclid(step) * step + step), step }
    }

    fn marks(&self) -> impl Iterator<Item = i64> {
        let (low, step) = (self.low, self.step);
        (0..=(self.high - self.low) / step).map(move |number| low + number * step)
    }

    fn has(&self, end: i64) -> bool {
        (self.low..=self.high).contains(&end)
    }

    /// Pixels from the axis's left end; positions beyond the axis are moved to its nearer end.
    fn pixel(&self, end: i64) -> usize {
        let part = i128::from(end.clamp(self.low, self.high) - self.low) * AXIS as i128;
        (part / i128::from(self.high - self.low)) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rating;

    #[test]
    fn the_axis_holds_what_is_near_and_has_few_marks() {
        let cases: [&[(i64, i64)]; 6] = [
            &[(0, 0)],
            &[(11_210, 4_820), (-11_740, 4_830)],
            &[(50, 3), (60, 4)],
            &[(-900, 100)],
            &[(99, 1)],
            &[(i64::from(i32::MAX), 1)],
        ];
        for ratings in cases {
            let ends = |(tenths, half): &(i64, i64)| {
                Ends::of_rating(Rating::Estimate { tenths: *tenths, low: tenths - half, high: tenths + half })
            };
            let axis = Axis::of(&ratings.iter().map(ends).collect::<Vec<_>>(), RATINGS.step_min);
            let marks: Vec<i64> = axis.marks().collect();
            assert!((2..=MARKS_MAX as usize).contains(&marks.len()), "{ratings:?}: {marks:?}");
            assert!(marks.contains(&0) && marks.iter().all(|mark| mark % 10 == 0), "{ratings:?}: {marks:?}");
            assert_eq!((marks.first(), marks.last()), (Some(&axis.low), Some(&axis.high)));
            for (rating, half) in ratings {
                assert!(axis.has(*rating), "{ratings:?}: {marks:?}");
                assert!(axis.pixel(rating - half) <= axis.pixel(rating + half));
            }
            assert_eq!((axis.pixel(axis.low), axis.pixel(axis.high)), (0, AXIS));
        }
    }
}
