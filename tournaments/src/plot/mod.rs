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

use svg::{CHAR_WIDTH, LINE, escaped};

use crate::Standings;

pub use bracket::BracketPicture;
pub(crate) use bracket::{Drawn, Title};
pub use scale::Stretch;

impl Standings {
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
