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

/// What goes on in the next line.
fn after_line(within: Within, marks: &Marks) -> Within {
    match within {
        Within::LineComment => Within::Code,
        Within::String(quote) if marks.long_quote != Some(quote) => Within::Code,
        _ => within,
    }
}

#[cfg(test)]
mod tests {
    use super::super::language::Language;

    #[test]
    fn comments_and_blank_lines_are_no_code() {
        for (path, text, lines) in [
            ("a.js", "// one\nlet a; // two\n\n/* three\n   four */ let b;\n/* five */\n", 2),
            ("a.css", "/* a\n\n*/\nb { c: d }\n", 1),
            ("a.html", "<!-- a -->\n{# b\n c #}\n<p>it's</p>\n", 1),
            ("a.wat", ";; a\n(; b\n;)\n(module)\n", 1),
            ("a.sql", "-- a\nCREATE TABLE b;", 1),
            ("a.zig", "//! a\nconst b = 1;\n", 1),
            ("a.c", "  \n\t\n", 0),
            ("a.c", "/**/ int a;\n/**/\n", 1),
        ] {
            assert_eq!(Language::of(path).map(|language| language.code_lines(text)), Some(lines), "{path}: {text}");
        }
    }

    #[test]
    fn what_looks_like_a_comment_in_a_string_is_none() {
        for (path, text, lines) in [
            ("a.js", "let a = '// no';\nlet b = \"\\\"/*\";\nlet c;\n", 3),
            ("a.js", "let a = `/*\n// of two lines`;\nlet b;\n", 3),
            ("a.c", "char a = '\"'; /* a\ncomment */\nint b;\n", 2),
            // A quote that is not closed ends with its line.
            ("a.zig", "\\\\ it's\n// a\n", 1),
        ] {
            assert_eq!(Language::of(path).map(|language| language.code_lines(text)), Some(lines), "{path}: {text}");
        }
    }

    #[test]
    fn data_is_in_no_language() {
        for path in ["a.json", "Cargo.lock", "Cargo.toml", "a.md", "LICENSE", ".gitignore", "a.svg", "a.wasm"] {
            assert_eq!(Language::of(path), None, "{path}");
        }
    }
}
