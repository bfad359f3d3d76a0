//! Sentences beside standings.

use crate::{PairCounts, Tally};

/// A sentence beside the standings.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Note {
    /// Its subject.
    pub kind: NoteKind,
    /// One line.
    pub text: String,
    /// The same as a code with its arguments, for other languages.
    pub what: Remark,
}

/// The subject of a note.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoteKind {
    /// The meaning of a column.
    Meaning,
    /// A result of the games.
    Fact,
    /// Games that do not count.
    Void,
}

/// What a note says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Remark {
    /// Ratings are above the mean of the field.
    Rating,
    /// Ratings are above this mean of the anchor, in Elo points, and the names of its bots.
    RatingHeld(i32, String),
    /// A bot of the anchor, by its name, does not take part.
    AnchorAway(String),
    /// The games do not bound a bot of the anchor, by its name.
    AnchorUnbound(String),
    /// The meaning of ranks, leads and likelihoods.
    Ranks,
    /// The results of the first seat.
    FirstSeat(Tally),
    /// The number of games, and of distinct ones.
    Games([u32; 2]),
    /// Which of two, by their names, is stronger.
    Compared([String; 2], PairCounts),
    /// The first of two scored these points against the second one, and ratings expect those.
    Misfit([String; 2], [String; 2]),
    /// The number of entrants, and of different ones; whether names of the same bot share a rating, or else a score.
    EqualBytes([usize; 2], bool),
    /// The number of games that are not played.
    Cancelled(usize),
    /// The number of void games.
    Void(u32),
    /// The meaning of match points.
    MatchPoints,
    /// The meaning of a round that an entrant reached, and how many further pairs decide a level match.
    Reached(u32),
    /// The score is a share of the tally.
    ShareOfTally,
    /// The score is a share of cells, and this many games of two seats break ties.
    ShareOfCells(u32),
    /// The number of seats, of games, and the mean shares by seat in percent.
    SeatShares(u8, u32, String),
}

impl Note {
    pub(crate) fn meaning(text: &str, what: Remark) -> Note {
        Note { kind: NoteKind::Meaning, text: text.into(), what }
    }

    pub(crate) fn fact(text: String, what: Remark) -> Note {
        Note { kind: NoteKind::Fact, text, what }
    }

    /// A note on games that are not played because an entrant had left; `None` without such games.
    pub(crate) fn cancelled(games: usize) -> Option<Note> {
        let text = format!("games not played: {games}; an entrant had left before");
        (games > 0).then(|| Note::fact(text, Remark::Cancelled(games)))
    }

    /// A note on this many void games; `None` for 0.
    pub(crate) fn void(games: u32) -> Option<Note> {
        let text = format!(
            "void games: {games}; they count for nobody: a bot's process died in them each time, or a bot was quarantined before"
        );
        (games > 0).then_some(Note { kind: NoteKind::Void, text, what: Remark::Void(games) })
    }
}
