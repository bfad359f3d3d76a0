//! Who stands where: one type for every format, with columns that have names.

use std::collections::BTreeMap;

use arena_record::{EntrantId, ForfeitCode};

use crate::{Leave, Ranks, Rating, SeatTally, Settled, Tally};

/// The standings of a tournament, as its format folds them. Files, API and pages are made from this alone.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Standings {
    /// What was played, for the heads of pictures; none where it has no name.
    pub title: Option<String>,
    /// What there is to say of an entrant.
    pub columns: Vec<Column>,
    /// Best first.
    pub rows: Vec<Row>,
    /// What there is to say of all games together, by name.
    pub totals: Vec<(&'static str, Value)>,
    /// Games that are void: they count for nobody.
    pub void: u32,
    /// What the numbers mean, and what else has to be said, in the order of reading.
    pub notes: Vec<Note>,
    /// Of each row the counted games against each row, where the format is one of pairings. Against itself no game.
    pub crosstable: Option<Vec<Vec<Tally>>>,
}

/// A column. Its values are in each [`Row::values`] at its own place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// What files and the API call it.
    pub name: &'static str,
    /// What tables for people call it.
    pub title: &'static str,
    pub(crate) in_json: bool,
    pub(crate) in_csv: bool,
    pub(crate) in_text: Option<Cell>,
}

/// How a column stands in a table of plain text.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Cell {
    /// Characters between it and the column before.
    pub(crate) gap: usize,
    /// Characters of it. The last column may have 0: then it runs from left to right as far as it needs, and says all.
    pub(crate) width: usize,
}

/// An entrant's place.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Row {
    /// From 1. Entrants that nothing tells apart may have the same.
    pub rank: usize,
    /// The entrant's name in files.
    pub name: String,
    /// What tables for people call it, if that is another one.
    pub display: Option<String>,
    /// Its bytes' hash, or the built-in opponent it is.
    pub id: EntrantId,
    /// What each column says, in the order of the columns.
    pub values: Vec<Value>,
    /// Its games that are void.
    pub void: u32,
    /// Why it plays no more, if so. Unless it withdrew it stands below everybody who did not leave.
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

/// What a column says of an entrant, or a total of all games.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Value {
    /// A number of games, seats or the like.
    Count(u32),
    /// Half points: two for a win, one for a draw.
    Points(u32),
    /// The ranks that it may have.
    Ranks(Ranks),
    /// A probability, in ten-thousandths.
    Chance(u32),
    /// How far it is ahead of the next; `None` for the last.
    Lead(Option<Gap>),
    /// Words.
    Words(String),
    /// There is nothing to say.
    Nothing,
    /// Quarters of points, as sums of products of half points are.
    QuarterPoints(u64),
    /// A strength and its interval.
    Rating(Rating),
    /// A mean share and its interval.
    Share(Share),
    /// The mean share of each seat, in millionths.
    Shares(Vec<u64>),
    /// Points of so many games as a part of all that were to be had.
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
    /// Of ratings.
    Elo(Rating),
    /// Of mean shares.
    Share(Share),
}

/// A part of a whole with its 95 % interval, in millionths.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// The mean, 0 to [`Share::WHOLE`].
    pub mean: u64,
    /// Half the width of the interval; 0 for less than two games.
    pub half_interval: u64,
}

impl Share {
    /// A whole, in the unit of shares.
    pub const WHOLE: u64 = 1_000_000;

    /// The lower end of the interval.
    pub fn low(self) -> u64 {
        self.mean.saturating_sub(self.half_interval)
    }

    /// The upper end of the interval.
    pub fn high(self) -> u64 {
        (self.mean + self.half_interval).min(Share::WHOLE)
    }

    /// As a difference of two shares: it and the ends of its interval as parts of the whole. The lower end may be below 0.
    pub fn of_difference(self) -> [f64; 3] {
        let [mean, half] = [self.mean, self.half_interval].map(|millionths| millionths as i64);
        [mean, mean - half, mean + half].map(|millionths| millionths as f64 / Share::WHOLE as f64)
    }
}

/// A sentence beside the standings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// What it is about.
    pub kind: NoteKind,
    /// One line.
    pub text: String,
}

/// What a note is about.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind {
    /// What a column means.
    Meaning,
    /// What the games came to.
    Fact,
    /// Games that do not count.
    Void,
}

impl Note {
    pub(crate) fn fact(text: String) -> Note {
        Note { kind: NoteKind::Fact, text }
    }

    /// What has to be said of games that are not played because somebody had left; nothing of none.
    pub(crate) fn cancelled(settled: &Settled) -> Option<Note> {
        let games = settled.cancelled();
        let text = format!("{games} games are not played: an entrant had left before");
        (games > 0).then_some(Note { kind: NoteKind::Fact, text })
    }

    /// What has to be said of so many void games; nothing of none.
    pub(crate) fn void(games: u32) -> Option<Note> {
        let text = format!(
            "{games} games are void and count for nobody: a bot's process died in them each time, or a bot was quarantined before"
        );
        (games > 0).then_some(Note { kind: NoteKind::Void, text })
    }
}

impl Column {
    /// A column that no file has.
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

    /// Whether tables for people have it.
    pub fn is_for_people(&self) -> bool {
        self.in_text.is_some()
    }
}

impl Standings {
    /// What the column with a name says of a row of these standings; `None` without such a column.
    pub fn value<'a>(&self, row: &'a Row, column: &str) -> Option<&'a Value> {
        let place = self.columns.iter().position(|known| known.name == column)?;
        row.values.get(place)
    }

    /// The columns that tables for people have, each with what it says of a row of these standings.
    pub fn for_people<'a>(&'a self, row: &'a Row) -> impl Iterator<Item = (&'a Column, &'a Value)> {
        self.columns.iter().zip(&row.values).filter(|(column, _)| column.is_for_people())
    }

    /// The total with a name; `None` without one.
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
