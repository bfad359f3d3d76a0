//! Searches the guide for sections that contain all words. Those with the words in their headings come first. Its
//! work is bounded by the number of words and by the text, whatever is asked.

use std::sync::LazyLock;

use super::markdown::{Section, sections};
use super::{CHAPTERS, text};

/// Characters of a query that are used: more than a sentence.
pub(crate) const QUERY_CHARS_MAX: usize = 100;
/// Different words of a query that are used: more than a question has that finds something.
pub(crate) const QUERY_WORDS_MAX: usize = 8;
/// The search that scans most, as far as a search for it found (a test repeats that): pieces of words that are in
/// nearly every section, and in few of them so often that counting stops. It is what is measured, and flooded with.
pub const COSTLIEST_SEARCH: &str = "/guide/search?q=te+is+ne+it+nd+ts+wi+ach";
/// Most results.
pub(crate) const FOUND_MAX: usize = 20;
/// Times that a word is counted in a heading, and in a text.
const COUNTED_MAX: usize = 9;
/// Length of an excerpt in bytes: before the first word that was found, and in all.
const BEFORE: usize = 60;
const SHOWN: usize = 220;

/// A section of a chapter, and what is searched of it.
struct Place {
    address: String,
    chapter: &'static str,
    section: Section,
    /// Its title and its chapter's, in lower case.
    heading: String,
    /// Its text, in lower case.
    lower: String,
}

/// The sections of all chapters.
static PLACES: LazyLock<Vec<Place>> = LazyLock::new(|| {
    let of = |chapter: &'static super::Chapter| {
        let found = sections(text(chapter.path).unwrap_or_default());
        found.into_iter().map(move |section| {
            let address = match &section.id {
                Some(id) => format!("{}#{id}", chapter.address),
                None => chapter.address.clone(),
            };
            let heading = format!("{} {}", section.title, chapter.title).to_lowercase();
            let lower = section.text.to_lowercase();
            Place { address, chapter: &chapter.title, section, heading, lower }
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

/// The sections that match a query, the best first. Takes a few milliseconds at worst, so it is no work for an
/// asynchronous thread.
pub(crate) fn search(query: &str) -> Vec<Found> {
    counted(query).0
}

/// The same, and the bytes that were scanned: no more than there are for each word.
fn counted(query: &str) -> (Vec<Found>, usize) {
    let query: String = query.chars().take(QUERY_CHARS_MAX).collect::<String>().to_lowercase();
    let mut words: Vec<&str> = Vec::new();
    for word in query.split_whitespace() {
        if words.len() < QUERY_WORDS_MAX && !words.contains(&word) {
            words.push(word);
        }
    }
    let mut scanned = 0;
    if words.is_empty() {
        return (Vec::new(), scanned);
    }
    let mut found: Vec<(usize, &'static Place)> =
        PLACES.iter().filter_map(|place| Some((points(&words, place, &mut scanned)?, place))).collect();
    found.sort_by_key(|(points, _)| std::cmp::Reverse(*points));
    found.truncate(FOUND_MAX);
    let shown = |(_, place): (usize, &'static Place)| Found {
        address: place.address.clone(),
        chapter: place.chapter,
        title: &place.section.title,
        excerpt: excerpt(&place.section.text, &place.lower, words[0]),
    };
    (found.into_iter().map(shown).collect(), scanned)
}

/// The score of a section: a word in a heading counts as much as ten in the text. `None` if a word is missing.
fn points(words: &[&str], place: &Place, scanned: &mut usize) -> Option<usize> {
    let mut points = 0;
    for word in words {
        let (heading, text) = (count(&place.heading, word, scanned), count(&place.lower, word, scanned));
        if heading + text == 0 {
            return None;
        }
        points += 10 * heading + text;
    }
    Some(points)
}

/// How often a text contains a word, at most [`COUNTED_MAX`] times.
fn count(text: &str, word: &str, scanned: &mut usize) -> usize {
    let mut times = 0;
    let mut end = 0;
    for (at, _) in text.match_indices(word).take(COUNTED_MAX) {
        times += 1;
        end = at + word.len();
    }
    *scanned += if times < COUNTED_MAX { text.len() } else { end };
    times
}

/// An excerpt of a text, given in lower case, too, around a word: the text before it, the word, the text after it.
fn excerpt(text: &'static str, lower: &str, word: &str) -> [&'static str; 3] {
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
    use std::collections::{BTreeMap, BTreeSet};

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
            let parts = excerpt(text, &text.to_lowercase(), "fuel");
            assert!(text.contains(&parts.concat()), "{parts:?}");
        }
        assert!(search(&"é".repeat(10_000)).is_empty());
        assert!(search("a").len() <= FOUND_MAX);
    }

    /// The reviewer's query, and a search for a costlier one: letters, syllables and words of the guide itself, many,
    /// rare and in all sections.
    #[test]
    fn no_query_scans_more_than_each_of_its_words_once() {
        let all: usize = PLACES.iter().map(|place| place.heading.len() + place.lower.len()).sum();
        let most = QUERY_WORDS_MAX * all;
        let fifty: Vec<String> =
            ('a'..='z').chain('0'..='9').chain('!'..='.').map(|letter| letter.to_string()).collect();
        let mut costliest = counted(&fifty.join(" ")).1;
        let mut pieces: Vec<&str> = PLACES.iter().flat_map(|place| place.lower.split_whitespace()).collect();
        pieces.sort_unstable();
        pieces.dedup();
        let short: Vec<&str> = pieces.iter().filter_map(|word| word.get(..2)).collect();
        for step in [1, 7, 101] {
            for of in [&pieces, &short] {
                for at in (0..of.len()).step_by(of.len() / 20 + 1) {
                    let query: Vec<&str> = of.iter().skip(at).step_by(step).take(60).copied().collect();
                    let (found, scanned) = counted(&query.join(" "));
                    assert!(found.len() <= FOUND_MAX);
                    costliest = costliest.max(scanned);
                }
            }
        }
        assert!(costliest <= most, "{costliest} of {most} bytes");
        // A query repeated is one word.
        assert_eq!(counted(&"e ".repeat(50)).1, counted("e").1);
    }

    /// A word, and for each section the bytes that looking for it scans and whether it is there.
    struct Scans {
        word: String,
        of: Vec<(usize, bool)>,
    }

    /// Pieces of words, of up to four letters, that are in at least half of the sections.
    fn pieces() -> Vec<Scans> {
        let mut common: BTreeMap<&str, usize> = BTreeMap::new();
        for place in PLACES.iter() {
            let words = || place.lower.split_whitespace().chain(place.heading.split_whitespace());
            let cut = |word: &'static str| {
                (0..word.len()).flat_map(move |at| (1..=4).filter_map(move |length| word.get(at..at + length)))
            };
            for piece in words().flat_map(cut).collect::<BTreeSet<_>>() {
                *common.entry(piece).or_default() += 1;
            }
        }
        let scans = |word: &str| {
            let of = PLACES.iter().map(|place| {
                let mut scanned = 0;
                let is_there = points(&[word], place, &mut scanned).is_some();
                (scanned, is_there)
            });
            Scans { word: word.to_owned(), of: of.collect() }
        };
        common.into_iter().filter(|(_, places)| places * 2 >= PLACES.len()).map(|(word, _)| scans(word)).collect()
    }

    /// What a query of these words scans.
    fn scanned(words: &[&Scans]) -> usize {
        let of_place = |place: usize| {
            let mut scanned = 0;
            for word in words {
                let (bytes, is_there) = word.of[place];
                scanned += bytes;
                if !is_there {
                    break;
                }
            }
            scanned
        };
        (0..PLACES.len()).map(of_place).sum()
    }

    /// Climbs from no word to as many as are used, and then exchanges each as long as that scans more.
    fn climbed(pieces: &[Scans]) -> Vec<&Scans> {
        let mut words: Vec<&Scans> = Vec::new();
        let mut most = 0;
        loop {
            let before = most;
            for at in 0..QUERY_WORDS_MAX {
                for piece in pieces {
                    let mut other = words.clone();
                    other.retain(|word| word.word != piece.word);
                    other.truncate(QUERY_WORDS_MAX - 1);
                    other.insert(at.min(other.len()), piece);
                    let scans = scanned(&other);
                    if scans > most {
                        (words, most) = (other, scans);
                    }
                }
            }
            if most == before {
                return words;
            }
        }
    }

    #[test]
    fn the_costliest_search_is_within_its_bound_and_the_one_that_is_measured() {
        let all: usize = PLACES.iter().map(|place| place.heading.len() + place.lower.len()).sum();
        let pieces = pieces();
        assert!(pieces.len() > 50, "{}", pieces.len());
        let words = climbed(&pieces);
        let query: Vec<&str> = words.iter().map(|word| word.word.as_str()).collect();
        let query = query.join(" ");
        let scans = counted(&query).1;
        assert_eq!(scans, scanned(&words), "{query}");
        assert!(scans > 3 * all && scans <= QUERY_WORDS_MAX * all, "{query}: {scans} of {all} bytes");
        let known = COSTLIEST_SEARCH.split("q=").nth(1).unwrap_or_default().replace('+', " ");
        // The guide changes, and this one with it only if it does so by much.
        let costs = counted(&known).1;
        assert!(costs * 10 >= scans * 9, "{query}: {scans} bytes, and {known}: {costs}, of {all}");
    }
}
