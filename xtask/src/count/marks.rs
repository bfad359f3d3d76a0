//! Lines of code in a language that is known by its marks of comments and strings.
//!
//! It reads no grammar. A comment's mark in a regular expression, or a string in a string of JavaScript (`${}`), is taken for
//! what it looks like.

/// What a language looks like.
pub(super) struct Marks {
    /// Begins a comment that ends with its line.
    pub(super) line: Option<&'static str>,
    /// Begin and end comments.
    pub(super) blocks: &'static [(&'static str, &'static str)],
    /// Begin and end strings, which end with their line at the latest.
    pub(super) quotes: &'static [char],
    /// Begins and ends strings of several lines.
    pub(super) long_quote: Option<char>,
}

/// Where a reader is.
#[derive(Clone, Copy)]
enum Within {
    Code,
    LineComment,
    /// Until this.
    Comment(&'static str),
    String(char),
}

/// How many lines of a text hold more than space and comments.
pub(super) fn code_lines(text: &str, marks: &Marks) -> usize {
    let (mut within, mut is_code, mut count) = (Within::Code, false, 0);
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let mut taken = next.len_utf8();
        if next == '\n' {
            count += usize::from(is_code);
            is_code = false;
            within = after_line(within, marks);
        } else {
            let before = within;
            (within, taken) = step(rest, next, within, marks);
            // The end of a comment is none of the code, and neither is its begin.
            let is_in_code = |within| matches!(within, Within::Code | Within::String(_));
            is_code |= is_in_code(before) && is_in_code(within) && !next.is_whitespace();
        }
        rest = &rest[taken..];
    }
    count + usize::from(is_code)
}

/// What follows the next letter, and how many bytes belong to it.
fn step(rest: &str, next: char, within: Within, marks: &Marks) -> (Within, usize) {
    let letter = next.len_utf8();
    match within {
        Within::LineComment => (within, letter),
        Within::Comment(end) if rest.starts_with(end) => (Within::Code, end.len()),
        Within::Comment(_) => (within, letter),
        Within::String(_) if next == '\\' && !rest[letter..].starts_with('\n') => {
            (within, letter + rest[letter..].chars().next().map_or(0, char::len_utf8))
        }
        Within::String(quote) => (if next == quote { Within::Code } else { within }, letter),
        Within::Code if marks.line.is_some_and(|line| rest.starts_with(line)) => (Within::LineComment, letter),
        Within::Code => match marks.blocks.iter().find(|(begin, _)| rest.starts_with(begin)) {
            Some((begin, end)) => (Within::Comment(end), begin.len()),
            None if marks.quotes.contains(&next) || marks.long_quote == Some(next) => (Within::String(next), letter),
            None => (Within::Code, letter),
        },
    }
}

/// What the next line begins within.
fn after_line(within: Within, marks: &Marks) -> Within {
    match within {
        Within::LineComment => Within::Code,
        Within::String(quote) if marks.long_quote != Some(quote) => Within::Code,
        _ => within,
    }
}
