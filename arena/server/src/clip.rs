//! A game as part of a page: a board, and the changes of each following turn. The page needs only its painter to show
//! it.

use arena_record::Record;
use arena_service::pictures;
use arena_wire::{Game, Picture};

/// The digits of a cell's number.
const DIGITS: &[u8; 36] = b"0123456789abcdefghijklmnopqrstuvwxyz";

/// Most bytes of a clip's turns: of Conquerors some five to eight fit. If more changes in a game, fewer turns are
/// shown.
pub(crate) const STEPS_BYTES_MAX: usize = 900;

/// A stretch of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Clip {
    pub(crate) rows: u16,
    pub(crate) cols: u16,
    /// The first board, and the last: one character for each cell, `.` for dead, `a` for the first seat and so on, `#`
    /// for no seat. A character that repeats is preceded by the number of its repetitions.
    pub(crate) cells: String,
    pub(crate) last: String,
    /// The changes of each turn, separated by `;`: a cell's new character, then its place in base 36, in as many digits
    /// as the last place needs.
    pub(crate) steps: String,
    /// Strips of the board from the left, separated by spaces: the number of columns, and the owner.
    pub(crate) zones: String,
    /// The turn it begins after.
    pub(crate) from: usize,
}

impl Clip {
    /// The last turns of a game, at most this many and as many as fit; `None` if this release does not play it by these
    /// rules.
    pub(crate) fn of(record: &Record, turns_max: usize) -> Option<Clip> {
        Clip::within(record, turns_max, STEPS_BYTES_MAX)
    }

    fn within(record: &Record, turns_max: usize, bytes_max: usize) -> Option<Clip> {
        let game = Game::named(&record.header.ruleset).ok()?;
        let pictures = pictures(record).ok()?;
        let from = pictures.len().saturating_sub(turns_max.saturating_add(1));
        let shown = pictures.get(from..).filter(|shown| !shown.is_empty())?;
        let digits = digits_of(shown[0].cells.len());
        let step = |pair: &[Picture]| {
            let delta = pair[0].delta(&pair[1])?;
            Some(delta.changes().iter().map(|(at, cell)| format!("{}{}", owner(*cell), base36(*at, digits))).collect())
        };
        let steps: Vec<String> = shown.windows(2).map(step).collect::<Option<_>>()?;
        let mut bytes = 0;
        let fits = |step: &&String| {
            bytes += step.len() + 1;
            bytes <= bytes_max
        };
        let left_out = steps.len() - steps.iter().rev().take_while(fits).count();
        let (shown, steps, from) = (&shown[left_out..], &steps[left_out..], from + left_out);
        let zone = |zone: &arena_wire::Zone| match zone.seat {
            Some(seat) => format!("{}{}", zone.cols, owner(seat.0 + 1)),
            None => format!("{}.", zone.cols),
        };
        Some(Clip {
            rows: shown[0].rows,
            cols: shown[0].cols,
            cells: runs(&text(&shown[0])),
            last: shown.last().map(|last| runs(&text(last))).unwrap_or_default(),
            steps: steps.join(";"),
            zones: game.zones.iter().map(zone).collect::<Vec<_>>().join(" "),
            from,
        })
    }
}

/// The last board of a game, one line for each row; empty if this release does not play it by these rules.
pub(crate) fn last_rows(record: &Record) -> Vec<String> {
    let pictures = pictures(record).unwrap_or_default();
    let Some(last) = pictures.last() else { return Vec::new() };
    let cells: Vec<char> = text(last).chars().collect();
    cells.chunks(usize::from(last.cols).max(1)).map(|row| row.iter().collect()).collect()
}

/// The cells of a picture, one character each.
fn text(picture: &Picture) -> String {
    picture.cells.iter().map(|cell| owner(*cell)).collect()
}

/// A run-length encoded text: `3.a` for `...a`.
fn runs(text: &str) -> String {
    let cells: Vec<char> = text.chars().collect();
    let run = |run: &[char]| if run.len() == 1 { run[0].to_string() } else { format!("{}{}", run.len(), run[0]) };
    cells.chunk_by(|one, other| one == other).map(run).collect()
}

/// The character of a cell of a picture.
fn owner(cell: u8) -> char {
    match cell {
        0 => '.',
        Picture::NEUTRAL => '#',
        seat => char::from(b'a' - 1 + seat.min(26)),
    }
}

/// The number of digits for the places of this many cells.
fn digits_of(cells: usize) -> usize {
    (1..).find(|digits| DIGITS.len().pow(*digits) >= cells).unwrap_or(1) as usize
}

fn base36(mut number: u32, digits: usize) -> String {
    let mut text = vec![b'0'; digits];
    for digit in text.iter_mut().rev() {
        *digit = DIGITS[(number % 36) as usize];
        number /= 36;
    }
    String::from_utf8(text).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_clip_is_larger_than_it_may_be() {
        let record = Record::parse(include_str!("pages/showcase.json")).expect("a record");
        let pictures = pictures(&record).expect("boards");
        let whole = Clip::within(&record, usize::MAX, usize::MAX).expect("a clip").steps.len();
        for bytes_max in [whole - 1, whole / 2] {
            let clip = Clip::within(&record, usize::MAX, bytes_max).expect("a clip");
            let turns = clip.steps.split(';').count();
            assert!(turns < pictures.len() - 1 && clip.steps.len() <= bytes_max, "{turns} turns");
            assert_eq!((clip.from + turns, clip.cells), (pictures.len() - 1, runs(&text(&pictures[clip.from]))));
        }
    }

    #[test]
    fn runs_are_counted() {
        assert_eq!(runs("...a##.b"), "3.a2#.b");
        assert_eq!(runs(""), "");
    }

    #[test]
    fn places_have_as_many_digits_as_the_last_one_needs() {
        for (cells, digits, last) in [(225, 2, "68"), (728, 2, "k7"), (1_296, 2, "zz"), (4_096, 3, "35r")] {
            assert_eq!(digits_of(cells), digits, "{cells}");
            assert_eq!(base36(cells as u32 - 1, digits), last, "{cells}");
        }
    }
}
