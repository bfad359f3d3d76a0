//! Counts lines of code in a language described by its delimiters of comments and strings.
//!
//! It has no grammar. A comment's delimiter in a regular expression, or a string within a template string of JavaScript
//! (`${}`), is taken at face value.

/// The delimiters of a language.
pub(super) struct Marks {
    /// Begins a comment that ends with its line.
    pub(super) line: Option<&'static str>,
    /// Begin and end comments.
    pub(super) blocks: &'static [(&'static str, &'static str)],
    /// Begin and end strings, which end at the latest with their line.
    pub(super) quotes: &'static [char],
    /// Begins and ends strings that may span lines.
    pub(super) long_quote: Option<char>,
}

/// What the reader is in.
#[derive(Clone, Copy)]
enum Within {
    Code,
    LineComment,
    /// A comment that ends with this text.
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
            // The delimiters of a comment are not code.
            let is_in_code = |within| matches!(within, Within::Code | Within::String(_));
            is_code |= is_in_code(before) && is_in_code(within) && !next.is_whitespace();
        }
        rest = &rest[taken..];
    }
    count + usize::from(is_code)
}

/// The state after the next letter, and the number of bytes consumed.
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

/// The state at the start of the next line.
fn after_line(within: Within, marks: &Marks) -> Within {
    match within {
        Within::LineComment => Within::Code,
        Within::String(quote) if marks.long_quote != Some(quote) => Within::Code,
        _ => within,
    }
}
