//! A chart of figures with their intervals: a row for each matchup, a mark for each source.

use std::ops::RangeInclusive;

use arena_tournaments::svg::{CHAR_WIDTH, LINE, Picture, escaped};

use super::figures::shown;

const MARGIN: i32 = 12;
const ROW: i32 = 30;
/// Length of the axis in pixels.
const AXIS: i32 = 480;
/// Vertical distance between neighbouring marks of a row, in pixels.
const BESIDE: i32 = 8;
/// Most sources of a chart.
pub(super) const SOURCES_MAX: usize = 3;
/// The look of each source: a class, and the path of its mark around (0, 0).
const LOOKS: [(&str, &str); SOURCES_MAX] =
    [("a", "M-5 0L0 -5L5 0L0 5Z"), ("b", "M-4 0A4 4 0 1 0 4 0A4 4 0 1 0 -4 0Z"), ("c", "M-4 -4H4V4H-4Z")];
/// The published figures are outlines, ours are filled: marks differ in shape, not in colour alone.
const STYLE: &str = ".a{fill:none;stroke:currentColor;stroke-width:1.5}.b{fill:#2f6fb7;stroke:#2f6fb7}\
    .c{fill:#d96c1e;stroke:#d96c1e}.b.bar,.c.bar{stroke-width:2}\
    @media(prefers-color-scheme:dark){.b{fill:#7db4f0;stroke:#7db4f0}.c{fill:#f0a36b;stroke:#f0a36b}}";

/// A value, and half of its 95 % interval.
pub(super) type Estimate = (f64, f64);

/// A chart. All values must be on the axis.
pub(super) struct Chart {
    pub(super) title: String,
    /// The label of the axis.
    pub(super) axis: &'static str,
    pub(super) range: RangeInclusive<i32>,
    /// The distance between two ticks of the axis.
    pub(super) step: i32,
    pub(super) sources: Vec<String>,
    /// Each row's name, and its values by source.
    pub(super) rows: Vec<(String, Vec<Option<Estimate>>)>,
}

impl Chart {
    /// The chart as SVG.
    pub(super) fn svg(&self) -> String {
        let char_width = CHAR_WIDTH as i32;
        let names = self.rows.iter().map(|(name, _)| name.chars().count() as i32).max().unwrap_or(0);
        let left = MARGIN + names * char_width + char_width;
        let top = MARGIN + 2 * LINE as i32;
        let bottom = top + self.rows.len() as i32 * ROW;
        let (width, height) = (left + AXIS + 4 * char_width, bottom + 2 * LINE as i32 + MARGIN);
        let sources = self.sources.join(", ");
        let description = format!("{} by matchup: {sources}; bars are 95 % intervals.", self.axis);
        let mut picture = Picture::new(width as usize, height as usize, &self.title, &description);
        picture.add(format_args!("<style>{STYLE}</style>"));
        picture.add(format_args!("<text x=\"{MARGIN}\" y=\"{}\">{}</text>", MARGIN + 8, escaped(&self.title)));
        self.legend(&mut picture, left, top - 14);
        for mark in self.range.clone().step_by(self.step as usize) {
            let x = left + self.pixel(mark.into());
            let class = if mark == 0 { "line" } else { "grid" };
            picture.add(format_args!(
                "<line class=\"{class}\" x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>\
                 <text class=\"soft\" x=\"{x}\" y=\"{}\" text-anchor=\"middle\">{mark}</text>",
                bottom + LINE as i32 - 4
            ));
        }
        picture.add(format_args!(
            "<text class=\"soft\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>",
            left + AXIS / 2,
            bottom + 2 * LINE as i32 - 2,
            escaped(self.axis)
        ));
        for (line, (name, values)) in (0..).zip(&self.rows) {
            let middle = top + line * ROW + ROW / 2;
            picture.add(format_args!(
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>",
                left - char_width,
                middle + 4,
                escaped(name)
            ));
            let first = middle - BESIDE * (self.sources.len() as i32 - 1) / 2;
            for (source, value) in values.iter().enumerate() {
                let Some((value, half)) = *value else { continue };
                let [shown, around] = shown(value, half);
                let name = format!("{name}, {}: {shown} ± {around}", self.sources[source]);
                self.mark(&mut picture, left, first + source as i32 * BESIDE, source, (value, half), &name);
            }
        }
        picture.finish()
    }

    fn legend(&self, picture: &mut Picture, left: i32, y: i32) {
        let mut x = left;
        for (name, (class, path)) in self.sources.iter().zip(LOOKS) {
            picture.add(format_args!(
                "<path class=\"{class}\" transform=\"translate({} {})\" d=\"{path}\"/><text x=\"{}\" y=\"{y}\">{}</text>",
                x + 5,
                y - 4,
                x + 16,
                escaped(name)
            ));
            x += (name.chars().count() as i32 + 4) * CHAR_WIDTH as i32;
        }
    }

    fn mark(&self, picture: &mut Picture, left: i32, y: i32, source: usize, (value, half): (f64, f64), name: &str) {
        let [low, x, high] = [value - half, value, value + half].map(|value| left + self.pixel(value));
        let (class, path) = LOOKS[source];
        picture.add(format_args!(
            "<g><title>{}</title><path class=\"{class} bar\" d=\"M{low} {y}H{high}\"/>\
             <path class=\"{class}\" transform=\"translate({x} {y})\" d=\"{path}\"/></g>",
            escaped(name)
        ));
    }

    /// The position of a value on the axis; values beyond an end are drawn at the end.
    fn pixel(&self, value: f64) -> i32 {
        let (low, high) = (f64::from(*self.range.start()), f64::from(*self.range.end()));
        ((value.clamp(low, high) - low) / (high - low) * f64::from(AXIS)).round() as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_lie_on_the_axis_in_order_and_names_are_escaped() {
        let row = |value| ("a<b".to_owned(), vec![Some((value, 1.0)), None]);
        let chart = Chart {
            title: "t".into(),
            axis: "%",
            range: 0..=100,
            step: 20,
            sources: vec!["one".into(), "other".into()],
            rows: vec![row(0.0), row(50.0), row(120.0)],
        };
        assert_eq!([chart.pixel(-3.0), chart.pixel(50.0), chart.pixel(120.0)], [0, AXIS / 2, AXIS]);
        let svg = chart.svg();
        assert!(svg.contains("a&lt;b, one: 50.0 ± 1.0") && !svg.contains("a<b"));
        assert_eq!(svg.matches("<g>").count(), 3);
    }
}
