//! The scores of entrants against each other, as a heat map.

use super::svg::{CHAR_WIDTH, LINE, Picture};
use crate::report::percent;
use crate::{Row, Standings, Tally};

/// The size of a cell, in pixels: room for `100.0`.
const CELL_WIDTH: usize = 48;
const CELL_HEIGHT: usize = 28;
const MARGIN: usize = 12;

/// A colour as red, green and blue.
type Colour = [u8; 3];
/// The colours for a score of 0, 50 and 100 %. Colour-blind people can distinguish orange and blue, too.
const SCALE: [Colour; 3] = [[0xd9, 0x6c, 0x1e], [0xf4, 0xf1, 0xea], [0x2f, 0x6f, 0xb7]];

impl Standings {
    /// The crosstable as an SVG: each entrant's score (a row) against each other one (a column), in percent. `None` if
    /// there is no crosstable.
    pub fn crosstable_svg(&self) -> Option<String> {
        let crosstable = self.crosstable.as_ref()?;
        let labels = self.labels();
        let rank_width = 4 * CHAR_WIDTH;
        let left = MARGIN + rank_width + labels.width() + CHAR_WIDTH;
        let width = (left + self.rows.len() * CELL_WIDTH + MARGIN).max(MARGIN + 48 * CHAR_WIDTH);
        let (head, high) = self.head(MARGIN, width);
        let top = MARGIN + 2 * LINE + high;
        let height = top + self.rows.len() * CELL_HEIGHT + MARGIN;
        let description = "The score of each entrant (a row) against each other one (a column), in percent: blue above half, orange below.";
        let mut picture = Picture::new(width, height, "Crosstable", description);
        let y = MARGIN + 8 + high;
        picture.add(format_args!("{head}<text x=\"{MARGIN}\" y=\"{y}\">score in %, row against column</text>"));
        for (column, row) in self.rows.iter().enumerate() {
            let middle = left + column * CELL_WIDTH + CELL_WIDTH / 2;
            picture.add(format_args!(
                "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">#{}<title>{}</title></text>",
                top - 6,
                row.rank,
                row.in_picture()
            ));
        }
        for (line, (row, against)) in self.rows.iter().zip(crosstable).enumerate() {
            let cell_top = top + line * CELL_HEIGHT;
            let baseline = cell_top + CELL_HEIGHT / 2 + 4;
            picture.add(format_args!(
                "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\">{}</text>{}",
                MARGIN + rank_width - CHAR_WIDTH,
                row.rank,
                labels.drawn(row.shown(), &row.id, MARGIN + rank_width, baseline)
            ));
            for (column, tally) in against.iter().enumerate() {
                let cell_left = left + column * CELL_WIDTH;
                cell(&mut picture, (cell_left, cell_top, baseline), (row, &self.rows[column]), *tally);
            }
        }
        Some(picture.finish())
    }
}

fn cell(picture: &mut Picture, (left, top, baseline): (usize, usize, usize), rows: (&Row, &Row), tally: Tally) {
    let middle = left + CELL_WIDTH / 2;
    if tally.games() == 0 {
        picture
            .add(format_args!("<text class=\"soft\" x=\"{middle}\" y=\"{baseline}\" text-anchor=\"middle\">-</text>"));
        return;
    }
    let fill = colour(tally);
    let ink = if is_dark(fill) { "#fff" } else { "#000" };
    let [red, green, blue] = fill;
    picture.add(format_args!(
        "<g><title>{} against {}: won {}, drew {}, lost {}</title>\
         <rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"#{red:02x}{green:02x}{blue:02x}\"/>\
         <text x=\"{middle}\" y=\"{baseline}\" text-anchor=\"middle\" style=\"fill:{ink}\">{}</text></g>",
        rows.0.in_picture(),
        rows.1.in_picture(),
        tally.wins,
        tally.draws,
        tally.losses,
        left + 1,
        top + 1,
        CELL_WIDTH - 2,
        CELL_HEIGHT - 2,
        percent(tally).trim_end_matches(" %"),
    ));
}

/// The colour of a score: between orange, nearly white and blue, in whole numbers.
fn colour(tally: Tally) -> Colour {
    let (got, all) = (u64::from(tally.half_points()), u64::from(tally.games()));
    // The first half of the points blends the first colour into the second, the rest the second into the third.
    let (from, to, part) = if got <= all { (SCALE[0], SCALE[1], got) } else { (SCALE[1], SCALE[2], got - all) };
    core::array::from_fn(|channel| {
        let (from, to) = (u64::from(from[channel]), u64::from(to[channel]));
        ((from * (all - part) + to * part) / all) as u8
    })
}

/// Whether white text is easier to read on it than black. Source: ITU-R BT.601, luma.
fn is_dark([red, green, blue]: Colour) -> bool {
    299 * u32::from(red) + 587 * u32::from(green) + 114 * u32::from(blue) < 109_000
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_goes_from_colour_to_colour() {
        let tally = |wins, draws, losses| Tally { wins, draws, losses };
        assert_eq!(colour(tally(0, 0, 7)), SCALE[0]);
        assert_eq!(colour(tally(3, 1, 3)), SCALE[1]);
        assert_eq!(colour(tally(7, 0, 0)), SCALE[2]);
        // More points are never less blue, nor more orange.
        let reds: Vec<u8> = (0..=40).map(|wins| colour(tally(wins, 0, 40 - wins))).map(|[red, ..]| red).collect();
        assert!(reds[20..].is_sorted_by(|one, next| one >= next), "{reds:?}");
        let blues: Vec<u8> = (0..=20).map(|wins| colour(tally(wins, 0, 40 - wins))).map(|[.., blue]| blue).collect();
        assert!(blues.is_sorted(), "{blues:?}");
        assert_eq!(colour(tally(u32::MAX / 2, 0, 0)), SCALE[2]);
    }

    /// Source: WCAG 2.2, relative luminance and the contrast of 4.5 that it asks of text.
    #[test]
    fn every_score_can_be_read_on_its_colour() {
        let linear = |channel: u8| match f64::from(channel) / 255.0 {
            dark if dark <= 0.040_45 => dark / 12.92,
            bright => ((bright + 0.055) / 1.055).powf(2.4),
        };
        let luminance =
            |[red, green, blue]: Colour| 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
        for wins in 0..=1000 {
            let fill = colour(Tally { wins, draws: 0, losses: 1000 - wins });
            let ink = if is_dark(fill) { [0xff; 3] } else { [0; 3] };
            let (one, other) = (luminance(fill), luminance(ink));
            let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
            assert!(contrast >= 4.5, "{wins} of 1000: {contrast}");
        }
    }
}
