//! The index of a journal: the position of each game that counts.
//!
//! It has a line of thirteen bytes for each game of the schedule: the offset of the game's line in the journal as
//! twelve decimal digits, or dashes for a game that does not count. It is derived from the journal, which is in the
//! order of playing.

use std::fmt::Write as _;

use crate::journal::Places;

/// Bytes of a line.
pub const ENTRY_BYTES: usize = 13;
/// The entry of a game that does not count.
const NOWHERE: &str = "------------";

/// The text of the index of this many games, some of which count.
pub fn text(games: usize, counted: impl IntoIterator<Item = usize>, places: &Places) -> String {
    let mut text = String::with_capacity(games * ENTRY_BYTES);
    let mut next = 0;
    let mut fill = |text: &mut String, until: usize| {
        (next..until).for_each(|_| text.extend([NOWHERE, "\n"]));
        next = until + 1;
    };
    for number in counted {
        fill(&mut text, number);
        let _ = match places.get(number) {
            Some(at) => writeln!(text, "{at:012}"),
            None => writeln!(text, "{NOWHERE}"),
        };
    }
    fill(&mut text, games);
    text
}

/// Parses an entry: an offset, or dashes; `None` if it is malformed.
pub fn place(entry: &[u8; ENTRY_BYTES]) -> Option<Option<u64>> {
    let entry = std::str::from_utf8(entry).ok()?.strip_suffix('\n')?;
    match entry {
        NOWHERE => Some(None),
        digits if digits.bytes().all(|digit| digit.is_ascii_digit()) => digits.parse().ok().map(Some),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_game_has_a_line_of_one_length() {
        let mut places = Places::default();
        for (number, at) in [(0, 70), (2, 0), (3, 999_999_999_999)] {
            places.insert(number, at);
        }
        let wanted = "000000000070\n------------\n000000000000\n999999999999\n------------\n";
        assert_eq!(text(5, [0, 2, 3], &places), wanted);
        assert_eq!(text(2, [], &places), wanted[13..26].repeat(2));
        let entries = wanted.as_bytes().as_chunks().0.iter().map(place);
        assert!(entries.eq([Some(70), None, Some(0), Some(999_999_999_999), None].map(Some)));
        assert_eq!([b"+00000000001\n", b"0000000000012", b"xxxxxxxxxxxx\n"].map(place), [None; 3]);
        // The longest possible journal with the most games.
        let bytes = (crate::GAMES_MAX * (arena_record::RECORD_BYTES_MAX + 64)) as u64;
        assert!(bytes < 1_000_000_000_000 && wanted.len() == 5 * ENTRY_BYTES);
    }
}
