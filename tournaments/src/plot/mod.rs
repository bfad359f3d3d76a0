//! Standings as pictures: SVG with the same bytes for the same standings, on every machine. Not here: the figures,
//! which are computed elsewhere and only drawn here.
//!
//! All coordinates are whole numbers. Names are escaped, labels are text, and everything shown by colour is also
//! written. All pictures follow the reader's light or dark theme.

mod bracket;
mod crosstable;
mod ratings;
mod scale;
pub mod svg;

use arena_record::EntrantId;
use svg::{CHAR_WIDTH, LINE, escaped, label, names_width};

use crate::{Row, Standings};

pub use bracket::BracketPicture;
pub(crate) use bracket::{Drawn, Title};
pub use scale::Stretch;

/// The columns of names and ids in a picture. Names are the organiser's word, so each has its id beside it.
struct Labels {
    /// The width of the longest name, in pixels.
    name_width: usize,
    /// The width of the longest id, in pixels.
    id_width: usize,
}

impl Labels {
    /// The columns for these names and ids.
    fn of<'a>(names: impl Iterator<Item = &'a str>, ids: impl Iterator<Item = &'a EntrantId>) -> Labels {
        Labels { name_width: names_width(names), id_width: names_width(ids.map(EntrantId::short)) }
    }

    /// The width of both, in pixels.
    fn width(&self) -> usize {
        self.name_width + CHAR_WIDTH + self.id_width
    }

    /// A name and its id, at the left end and the baseline of a label.
    fn drawn(&self, name: &str, id: &EntrantId, x: usize, y: usize) -> String {
        format!(
            "<text x=\"{x}\" y=\"{y}\">{}</text><text class=\"soft\" x=\"{}\" y=\"{y}\">{}</text>",
            escaped(&label(name)),
            x + self.name_width + CHAR_WIDTH,
            id.short()
        )
    }
}

impl Row {
    /// Its name and id as text of a picture, within a sentence.
    fn in_picture(&self) -> String {
        format!("{} {}", escaped(self.shown()), self.id.short())
    }
}

impl Standings {
    /// The columns for the names and ids of all rows.
    fn labels(&self) -> Labels {
        Labels::of(self.rows.iter().map(Row::shown), self.rows.iter().map(|row| &row.id))
    }

    /// The heading of a picture of this width, and its height.
    fn head(&self, margin: usize, width: usize) -> (String, usize) {
        head(self.title.as_deref(), self.rows.len(), margin, width)
    }
}

/// The tournament's name and number of entrants as a heading for a picture of this width, and its height. Empty without
/// a name.
fn head(title: Option<&str>, entrants: usize, margin: usize, width: usize) -> (String, usize) {
    let Some(title) = title else { return (String::new(), 0) };
    let count = format!(", {entrants} entrants");
    let room = (width / CHAR_WIDTH).saturating_sub(count.len() + 2 * margin / CHAR_WIDTH);
    let is_short = title.chars().count() <= room;
    let mut shown: String = title.chars().take(if is_short { room } else { room.saturating_sub(1) }).collect();
    shown += if is_short { "" } else { "…" };
    let text = escaped(&(shown + &count));
    (format!("<text font-weight=\"700\" x=\"{margin}\" y=\"{}\">{text}</text>", margin + 8), LINE)
}
