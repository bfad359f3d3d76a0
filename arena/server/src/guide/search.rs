//! Searches the guide for sections that contain all words. Those with the words in their headings come first.

use std::sync::LazyLock;

use super::markdown::{Section, sections};
use super::{CHAPTERS, text};

/// Characters of a query that are used: more than a sentence.
pub(crate) const QUERY_CHARS_MAX: usize = 100;
/// Most results.
pub(crate) const FOUND_MAX: usize = 20;
/// Length of an excerpt in bytes: before the first word that was found, and in all.
const BEFORE: usize = 60;
const SHOWN: usize = 220;

/// The sections of all chapters, with the chapters' addresses and titles.
static SECTIONS: LazyLock<Vec<(String, &'static str, Section)>> = LazyLock::new(|| {
    let of = |chapter: &'static super::Chapter| {
        let found = sections(text(chapter.path).unwrap_or_default());
        found.into_iter().map(move |section| {
            let address = match &section.id {
                Some(id) => format!("{}#{id}", chapter.address),
                None => chapter.address.clone(),
            };
            (address, chapter.title.as_str(), section)
        })
    };
    CHAPTERS.iter().flat_map(of).collect()
});

/// A section that contains all words.
pub(crate) struct Found {
    pub(crate) address: String,
    pub(crate) chapter: &'static str,
    pub(crate) title: &'static str,
    /// An excerpt around the first word: the text before it, the word, the text after it.
    pub(crate) excerpt: [&'static str; 3],
}

/// The sections that match a query, the best first.
pub(crate) fn search(query: &str) -> Vec<Found> {
    let query: String = query.chars().take(QUERY_CHARS_MAX).collect::<String>().to_lowercase();
    let words: Vec<&str> = query.split_whitespace().collect();
    if words.is_empty() {
        return Vec::new();
    }
    let mut found: Vec<(usize, &'static (String, &'static str, Section))> =
        SECTIONS.iter().filter_map(|place| Some((points(&words, place.1, &place.2)?, place))).collect();
    found.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    found.truncate(FOUND_MAX);
    let shown = |(_, (address, chapter, section)): (usize, &'static (String, &'static str, Section))| Found {
        address: address.clone(),
        chapter,
        title: &section.title,
        excerpt: excerpt(&section.text, words[0]),
    };
    found.into_iter().map(shown).collect()
}

/// The score of a section: a word in a heading counts as much as ten in the text. `None` if a word is missing.
fn points(words: &[&str], chapter: &str, section: &Section) -> Option<usize> {
    let (heading, text) = (format!("{} {chapter}", section.title).to_lowercase(), section.text.to_lowercase());
    let each = words.iter().map(|word| {
        let (heading, text) = (heading.matches(word).count(), text.matches(word).count());
        (heading + text > 0).then_some(10 * heading + text.min(9))
    });
    each.sum()
}

/// An excerpt of a text around a word in lower case: the text before it, the word, the text after it.
fn excerpt(text: &'static str, word: &str) -> [&'static str; 3] {
    let lower = text.to_lowercase();
    // If lower case changes a letter's length, the beginning is shown and nothing is marked.
    let at =
        lower.find(word).filter(|_| lower.len() == text.len() && text.is_char_boundary(lower.find(word).unwrap_or(0)));
    let (start, end) = at.map_or((0, 0), |at| (at, at + word.len()));
    if !text.is_char_boundary(end) {
        return ["", "", &text[..boundary(text, SHOWN)]];
    }
    let from = boundary(text, start.saturating_sub(BEFORE));
    let to = boundary(text, from + SHOWN).max(end);
    // Cuts at a space if possible.
    let from = if from == 0 { 0 } else { text[from..start].find(' ').map_or(from, |space| from + space + 1) };
    let to = if to == text.len() { to } else { text[end..to].rfind(' ').map_or(to, |space| end + space) };
    [&text[from..start], &text[start..end], &text[end..to]]
}

/// The last character boundary up to a place.
fn boundary(text: &str, place: usize) -> usize {
    let place = place.min(text.len());
    (0..=place).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_question_finds_the_section_that_is_about_it() {
        let found = search("Seat SEED");
        assert!(found[0].address.starts_with("/guide/abi#"), "{}", found[0].address);
        assert!(found.iter().all(|found| !found.title.is_empty()));
        let [before, word, _] = found[0].excerpt;
        assert!(word.eq_ignore_ascii_case("seat") && before.len() <= BEFORE, "{before}|{word}");
        assert!(search("installing").iter().any(|found| found.address.starts_with("/guide/installing")));
    }

    #[test]
    fn nothing_finds_nothing_and_odd_letters_end_nowhere() {
        for none in ["", "  ", "qqzzxx", "fuel qqzzxx"] {
            assert!(search(none).is_empty(), "{none}");
        }
        for text in ["", "é", "İstanbul", "aé", "ééé fuel ééé"] {
            let text: &'static str = text;
            let parts = excerpt(text, "fuel");
            assert!(text.contains(&parts.concat()), "{parts:?}");
        }
        assert!(search(&"é".repeat(10_000)).is_empty());
        assert!(search("a").len() <= FOUND_MAX);
    }
}
