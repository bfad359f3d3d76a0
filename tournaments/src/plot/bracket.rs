//! Matches of an elimination tournament, as boxes with lines to the next match of their winners.

use arena_record::EntrantId;

use super::svg::{CHAR_WIDTH, LINE, Picture, escaped};
use super::{Labels, head};
use crate::reached::BracketRound;

/// The size of a box and the space around it, in pixels.
const BOX_HEIGHT: usize = 2 * LINE;
/// Half of the distance between neighbouring boxes of a column.
const HALF_STEP: usize = 28;
const PADDING: usize = 6;
/// Room for the points of a match: `1000.5`.
const POINTS_WIDTH: usize = 6 * CHAR_WIDTH;
/// The space between two columns, for lines.
const GAP: usize = 28;
const MARGIN: usize = 12;
/// Shown for a side that is not known yet.
const OPEN: &str = "–";

/// A bracket to be drawn: all matches with their entrants, where known.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BracketPicture {
    pub(crate) entrants: usize,
    pub(crate) matches: Vec<Drawn>,
    pub(crate) titles: Vec<Title>,
}

/// A match to be drawn.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Drawn {
    /// Columns from the left.
    pub(crate) column: usize,
    /// Half steps from the top.
    pub(crate) height: usize,
    /// Names and ids of the entrants, where known.
    pub(crate) entrants: [Option<(String, EntrantId)>; 2],
    /// Half points of each in the games so far; `None` without a game.
    pub(crate) half_points: Option<[u32; 2]>,
    /// The side that advanced.
    pub(crate) winner: Option<usize>,
    /// The matches whose winners play here, as indices of the drawn matches.
    pub(crate) from: Vec<usize>,
}

/// The title of a round, above its column.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Title {
    pub(crate) column: usize,
    pub(crate) height: usize,
    pub(crate) round: BracketRound,
}

impl BracketPicture {
    /// The names in it, for example to replace deleted ones.
    pub fn names_mut(&mut self) -> impl Iterator<Item = &mut String> {
        self.matches.iter_mut().flat_map(|one| one.entrants.iter_mut().flatten()).map(|(name, _)| name)
    }

    /// The bracket as an SVG; `title` is the tournament's name.
    pub fn svg(&self, title: Option<&str>) -> String {
        self.svg_in_words(title, |round| round.to_string())
    }

    /// The same with other words for its rounds.
    pub fn svg_in_words(&self, title: Option<&str>, words: impl Fn(BracketRound) -> String) -> String {
        let BracketPicture { entrants, matches, titles } = self;
        let titles: Vec<(&Title, String)> = titles.iter().map(|title| (title, words(title.round))).collect();
        bracket_svg(title, *entrants, matches, &titles)
    }
}

fn bracket_svg(title: Option<&str>, entrants: usize, matches: &[Drawn], titles: &[(&Title, String)]) -> String {
    let known = || matches.iter().flat_map(|one| one.entrants.iter().flatten());
    let names = known().map(|(name, _)| name.as_str());
    let names = names.chain(titles.iter().map(|(_, words)| words.as_str())).chain([OPEN]);
    let labels = Labels::of(names, known().map(|(_, id)| id));
    let box_width = labels.width() + POINTS_WIDTH + 3 * PADDING;
    let left = |column: usize| MARGIN + column * (box_width + GAP);
    let columns = matches.iter().map(|one| one.column + 1).max().unwrap_or(0);
    let width = left(columns.max(1)) - GAP + MARGIN;
    let (head, head_height) = head(title, entrants, MARGIN, width);
    let top = |height: usize| MARGIN + head_height + LINE + height * HALF_STEP;
    let heights = matches.iter().map(|one| one.height).max().unwrap_or(0);
    let description = "The matches of each round, from left to right: who met, with the points of each. Lines lead from a match to that of its winner.";
    let mut picture = Picture::new(width, top(heights) + BOX_HEIGHT + MARGIN, "Bracket", description);
    picture.add(format_args!("{head}"));
    for (Title { column, height, .. }, text) in titles {
        let (x, y) = (left(*column), top(*height) - PADDING);
        picture.add(format_args!("<text class=\"soft\" x=\"{x}\" y=\"{y}\">{}</text>", escaped(text)));
    }
    for one in matches {
        for from in one.from.iter().filter_map(|from| matches.get(*from)) {
            let (x, y) = (left(from.column) + box_width, top(from.height) + LINE);
            let (end, to) = (left(one.column), top(one.height) + LINE);
            let bend = end - GAP / 2;
            picture.add(format_args!("<path class=\"line\" fill=\"none\" d=\"M{x} {y}H{bend}V{to}H{end}\"/>"));
        }
    }
    for one in matches {
        draw(&mut picture, one, &labels, (left(one.column), top(one.height), box_width));
    }
    picture.finish()
}

fn draw(picture: &mut Picture, one: &Drawn, labels: &Labels, (left, top, width): (usize, usize, usize)) {
    picture.add(format_args!(
        "<rect class=\"line\" fill=\"none\" x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{BOX_HEIGHT}\" rx=\"3\"/>\
         <line class=\"grid\" x1=\"{left}\" x2=\"{}\" y1=\"{}\" y2=\"{}\"/>",
        left + width,
        top + LINE,
        top + LINE
    ));
    for (side, entrant) in one.entrants.iter().enumerate() {
        let (x, baseline) = (left + PADDING, top + side * LINE + LINE - PADDING);
        let weight = if one.winner == Some(side) { " font-weight=\"700\"" } else { "" };
        let drawn = match entrant {
            Some((name, id)) => {
                format!("<title>{} {}</title>{}", escaped(name), id.short(), labels.drawn(name, id, x, baseline))
            }
            None => format!("<text x=\"{x}\" y=\"{baseline}\">{OPEN}</text>"),
        };
        picture.add(format_args!("<g{weight}>{drawn}</g>"));
        if let Some(half_points) = one.half_points {
            picture.add(format_args!(
                "<text x=\"{}\" y=\"{baseline}\" text-anchor=\"end\"{weight}>{:.1}</text>",
                left + width - PADDING,
                f64::from(half_points[side]) / 2.0
            ));
        }
    }
}
