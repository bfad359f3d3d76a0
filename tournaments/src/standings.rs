//! Standings: one type for every format, with named columns.

use std::collections::BTreeMap;
use std::fmt;

use arena_record::{EntrantId, ForfeitCode};
use serde::Serialize;

use crate::reached::Reached;
use crate::{Leave, Note, Ranks, Rating, SeatTally, Tally};

/// The standings of a tournament, folded by its format. Files, the API and pages are made from this alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standings {
    /// The tournament's name, for the headings of pictures; `None` if it has no name.
    pub title: Option<String>,
    /// The columns about an entrant.
    pub columns: Vec<Column>,
    /// Best first.
    pub rows: Vec<Row>,
    /// The totals over all games, by name.
    pub totals: Vec<(&'static str, Value)>,
    /// Games that are void: they count for nobody.
    pub void: u32,
    /// Explanations of the numbers and other notes, in reading order.
    pub notes: Vec<Note>,
    /// For each row, the counted games against each row, if the format has pairings. No games against itself.
    pub crosstable: Option<Vec<Vec<Tally>>>,
}

/// A column. Its values are in each [`Row::values`] at its own place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// Its name in files and the API.
    pub name: &'static str,
    /// Its title in tables for people.
    pub title: &'static str,
    pub(crate) in_json: bool,
    pub(crate) in_csv: bool,
    pub(crate) in_text: Option<Cell>,
}

/// The layout of a column in a table of plain text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// Characters between it and the previous column.
    pub(crate) gap: usize,
    /// Its width in characters. The last column may have 0: then it is left-aligned, as wide as necessary, and
    /// complete.
    pub(crate) width: usize,
}

/// A rank, from 1. Tied entrants may share one, and who withdrew after less than half of its games has none.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Rank(pub Option<usize>);

impl fmt::Display for Rank {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Some(rank) => rank.fmt(f),
            None => f.pad("–"),
        }
    }
}

/// An entrant's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// Its rank.
    pub rank: Rank,
    /// The entrant's name in files.
    pub name: String,
    /// Its name in tables for people, if different.
    pub display: Option<String>,
    /// The hash of its bytes, or its built-in opponent.
    pub id: EntrantId,
    /// The value of each column, in the order of the columns.
    pub values: Vec<Value>,
    /// Its games that are void.
    pub void: u32,
    /// Why it no longer plays, if it left. Unless it withdrew, it is ranked below all others that have a rank.
    pub left: Option<Leave>,
}

impl Row {
    /// Its name for people.
    pub fn shown(&self) -> &str {
        self.display.as_ref().unwrap_or(&self.name)
    }

    /// Whether its bot was convicted of killing its process.
    pub fn is_quarantined(&self) -> bool {
        self.left == Some(Leave::Quarantined)
    }
}

/// An entrant's lead over the next, as text for people.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ahead<'a> {
    /// The entrant.
    pub row: &'a Row,
    /// The difference with its 95 % interval.
    pub lead: String,
    /// The probability that it is the better of the two.
    pub likelier: String,
}

/// A value of an entrant's column, or a total over all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number of games, seats or the like.
    Count(u32),
    /// Half points: two for a win, one for a draw.
    Points(u32),
    /// The range of its possible ranks; `None` for one without a rank.
    Ranks(Option<Ranks>),
    /// A probability, in ten-thousandths.
    Chance(u32),
    /// Its lead over the next; `None` for the last.
    Lead(Option<Gap>),
    /// Text.
    Words(String),
    /// How far it came in a bracket.
    Reached(Reached),
    /// No value.
    Nothing,
    /// Quarter points, as in sums of products of half points.
    QuarterPoints(u64),
    /// A strength in tenths of an Elo point, which every entrant has.
    Strength(i64),
    /// A strength and its interval.
    Rating(Rating),
    /// A mean share and its interval.
    Share(Share),
    /// The mean share of each seat, in millionths.
    Shares(Vec<u64>),
    /// Points as a fraction of all possible points in these games.
    Score(Tally),
    /// Wins, draws and losses.
    Tally(Tally),
    /// The same by seat.
    BySeat(SeatTally),
    /// Forfeits by code.
    Forfeits(BTreeMap<ForfeitCode, u32>),
}

/// A difference of two entrants with its 95 % interval.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Gap {
    /// A difference of ratings.
    Elo(Rating),
    /// A difference of mean shares.
    Share(Share),
}

/// A part of a whole, or the difference of two, with its 95 % interval, in millionths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The mean: of shares 0 to [`Share::WHOLE`], of differences from minus that.
    pub mean: i64,
    /// The interval's lower end. `None` below two games, and where it cannot be below the mean, which was the lowest
    /// possible in all games.
    pub low: Option<i64>,
    /// The upper end, in the same way.
    pub high: Option<i64>,
}

impl Share {
    /// The whole, in the unit of shares.
    pub const WHOLE: u64 = 1_000_000;
}

impl Column {
    /// A column that is not in the files.
    pub(crate) fn new(name: &'static str, title: &'static str) -> Column {
        Column { name, title, in_json: false, in_csv: false, in_text: None }
    }

    pub(crate) fn in_json(self) -> Column {
        Column { in_json: true, ..self }
    }

    pub(crate) fn in_csv(self) -> Column {
        Column { in_csv: true, ..self }
    }

    pub(crate) fn in_text(self, gap: usize, width: usize) -> Column {
        Column { in_text: Some(Cell { gap, width }), ..self }
    }

    /// Whether the column is in tables for people.
    pub fn is_for_people(&self) -> bool {
        self.in_text.is_some()
    }
}

impl Standings {
    /// The value of the named column in a row of these standings; `None` without such a column.
    pub fn value<'a>(&self, row: &'a Row, column: &str) -> Option<&'a Value> {
        let place = self.columns.iter().position(|known| known.name == column)?;
        row.values.get(place)
    }

    /// The columns for people, each with its value in a row of these standings.
    pub fn for_people<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a Column, &'a Value)> {
        self.columns.iter().zip(&row.values).filter(|(column, _)| column.is_for_people())
    }

    /// The rating of a row, or else its score, with its column; `None` if these standings show people neither. Of two
    /// entrants a sentence says how far apart they are, and there is no rating.
    pub fn strength<'a>(&'a self, row: &'a Row) -> Option<(&'a Column, &'a Value)> {
        ["rating", "score"].into_iter().find_map(|name| self.for_people(row).find(|(column, _)| column.name == name))
    }

    /// The lead of each entrant over the next, best first, except the last. Empty for two, whose difference a sentence
    /// states.
    pub fn leads(&self) -> Vec<Ahead<'_>> {
        if self.rows.len() < 3 {
            return Vec::new();
        }
        let text = |row, column| self.value(row, column).map(ToString::to_string);
        let ahead = |row| Some(Ahead { row, lead: text(row, "lead")?, likelier: text(row, "superiority")? });
        self.rows.iter().filter_map(ahead).filter(|ahead| !ahead.lead.is_empty()).collect()
    }

    /// The named total; `None` without one.
    pub fn total(&self, name: &str) -> Option<&Value> {
        self.totals.iter().find(|(known, _)| *known == name).map(|(_, value)| value)
    }

    /// The files of these standings, by name.
    pub fn files(&self) -> Vec<(&'static str, String)> {
        let texts = [
            ("standings.json", Some(self.to_json())),
            ("standings.csv", Some(self.to_csv())),
            ("standings.txt", Some(self.to_table())),
            ("crosstable.svg", self.crosstable_svg()),
            ("ratings.svg", self.ratings_svg()),
            ("scores.svg", self.scores_svg()),
        ];
        texts.into_iter().filter_map(|(name, text)| Some((name, text?))).collect()
    }
}
