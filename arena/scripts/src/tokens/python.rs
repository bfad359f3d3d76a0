//! Python's: all but comments, spaces, empty lines, and line breaks in brackets. How far a block is indented has no
//! meaning; where it begins and ends has.

use super::is_letter;

/// The end of a statement's line, the beginning of a block and its end: no token of a text is like them.
const LINE_END: &str = "\n";
const INDENT: &str = " ";
const DEDENT: &str = "";

/// Columns from one tab stop to the next.
const TAB_COLUMNS: usize = 8;

/// Operators of more than one character, the longest first.
const OPERATORS: [&str; 24] = [
    "**=", "//=", ">>=", "<<=", "...", "**", "//", ">>", "<<", "<=", ">=", "==", "!=", "->", ":=", "+=", "-=", "*=",
    "/=", "%=", "&=", "|=", "^=", "@=",
];

pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// The columns at which the open blocks begin.
    blocks: Vec<usize>,
    /// The column of the line that begins here, until its blocks are told.
    column: Option<usize>,
    /// Whether a statement has begun in this line.
    in_line: bool,
    /// The brackets that are open.
    brackets: usize,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str) -> Tokens<'a> {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        Tokens { rest, blocks: Vec::new(), column: None, in_line: false, brackets: 0 }
    }

    /// Skips what is between tokens. At a line's end it stops, if that is one of a statement.
    fn skip(&mut self) {
        loop {
            let rest = self.rest.trim_start_matches([' ', '\t', '\x0c']);
            let indent = &self.rest[..self.rest.len() - rest.len()];
            if let Some(comment) = rest.strip_prefix('#') {
                self.rest = comment.trim_start_matches(|c| !is_line_end(c));
                continue;
            }
            let (after, is_joined) = match rest.strip_prefix('\\').and_then(after_line_end) {
                Some(after) => (Some(after), true),
                None => (after_line_end(rest), self.brackets > 0),
            };
            match after {
                Some(after) if is_joined || !self.in_line => self.rest = after,
                _ => {
                    self.rest = rest;
                    if !self.in_line && after.is_none() && !rest.is_empty() {
                        (self.in_line, self.column) = (true, Some(column(indent)));
                    }
                    return;
                }
            }
        }
    }

    /// The beginning or the end of a block before the line that begins here.
    fn block(&mut self) -> Option<&'static str> {
        let column = self.column?;
        let open = self.blocks.last().copied().unwrap_or(0);
        if column < open {
            self.blocks.pop();
            return Some(DEDENT);
        }
        self.column = None;
        (column > open).then(|| {
            self.blocks.push(column);
            INDENT
        })
    }

    /// The length in bytes of the token that begins here with `first`.
    fn length(&mut self, first: char) -> usize {
        let rest = self.rest;
        match first {
            '(' | '[' | '{' => self.brackets += 1,
            ')' | ']' | '}' => self.brackets = self.brackets.saturating_sub(1),
            _ => {}
        }
        if first.is_ascii_digit() || first == '.' && rest[1..].starts_with(|c: char| c.is_ascii_digit()) {
            return number(rest);
        }
        let word = rest.find(|c| !is_letter(c)).unwrap_or(rest.len());
        if rest[word..].starts_with(['\'', '"']) && is_prefix(&rest[..word]) {
            return word + string(&rest[word..], rest[..word].contains(['f', 'F']));
        }
        if word > 0 {
            return word;
        }
        let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
        operator.map_or(first.len_utf8(), |operator| operator.len())
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.skip();
        if let Some(block) = self.block() {
            return Some(block);
        }
        let Some(first) = self.rest.chars().next() else {
            // A text ends like one whose last line does.
            return if std::mem::take(&mut self.in_line) { Some(LINE_END) } else { self.blocks.pop().map(|_| DEDENT) };
        };
        if let Some(after) = after_line_end(self.rest) {
            (self.rest, self.in_line) = (after, false);
            return Some(LINE_END);
        }
        let length = self.length(first);
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        Some(token)
    }
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r')
}

/// What follows the line's end that begins here.
fn after_line_end(text: &str) -> Option<&str> {
    text.strip_prefix("\r\n").or_else(|| text.strip_prefix(is_line_end))
}

/// The column of a line after this indentation.
fn column(indent: &str) -> usize {
    indent.chars().fold(0, |column, c| match c {
        '\t' => (column / TAB_COLUMNS + 1) * TAB_COLUMNS,
        '\x0c' => 0,
        _ => column + 1,
    })
}

/// Whether these letters before a quote belong to its string.
fn is_prefix(letters: &str) -> bool {
    letters.len() <= 2 && letters.bytes().all(|letter| b"rbufRBUF".contains(&letter))
}

/// The length of a number: a sign belongs to it after its `e`.
fn number(text: &str) -> usize {
    let is_hexadecimal = text.starts_with("0x") || text.starts_with("0X");
    let mut before = ' ';
    for (at, c) in text.char_indices() {
        let is_exponent = matches!(before, 'e' | 'E') && matches!(c, '+' | '-') && !is_hexadecimal;
        if !is_letter(c) && c != '.' && !is_exponent {
            return at;
        }
        before = c;
    }
    text.len()
}

/// The length of a string from its quotes on; up to the line's end if it is not closed there. In the expressions of a
/// formatted one, quotes do not end it.
fn string(text: &str, is_formatted: bool) -> usize {
    let quote = &text[..1];
    let (ends, is_long) = if text[1..].starts_with(&quote.repeat(2)) { (3, true) } else { (1, false) };
    let (mut at, mut braces) = (ends, 0_usize);
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let is_end = rest.bytes().take(ends).filter(|byte| *byte == quote.as_bytes()[0]).count() == ends;
        at += match c {
            '\\' => {
                1 + rest[1..]
                    .chars()
                    .next()
                    .map_or(0, |escaped| if rest[1..].starts_with("\r\n") { 2 } else { escaped.len_utf8() })
            }
            _ if is_end && braces == 0 => return at + ends,
            _ if is_line_end(c) && !is_long => return at,
            '{' if is_formatted && braces == 0 && rest.starts_with("{{") => 2,
            '{' if is_formatted => {
                braces += 1;
                1
            }
            '}' if is_formatted => {
                braces = braces.saturating_sub(1);
                1
            }
            _ => c.len_utf8(),
        };
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        Tokens::of(text).collect()
    }

    #[test]
    fn what_has_no_meaning_is_no_token() {
        let one = "# a bot\nimport a\n\ndef f(o):\n    if o :\n\n        # why\n        return [1,\n  2]\n    return 'a  b' + \\\n      x\n";
        let other =
            "\u{feff}import a # it\r\ndef f( o ):\r\n\tif o:\r\n\t\treturn [ 1 , 2 ]\r\n\treturn 'a  b'+x # end";
        assert_eq!(tokens(one), tokens(other));
        let blocks: Vec<&str> = tokens(one).into_iter().filter(|token| token.trim().is_empty()).collect();
        let expected = [LINE_END, LINE_END, INDENT, LINE_END, INDENT, LINE_END, DEDENT, LINE_END, DEDENT];
        assert_eq!(blocks, expected);
    }

    #[test]
    fn what_means_something_else_has_other_tokens() {
        for (one, other) in [
            ("if a:\n  b\nc", "if a:\n  b\n  c"),
            ("if a:\n  if b:\n    c\n  d", "if a:\n  if b:\n    c\nd"),
            ("a\nb", "a b"),
            ("(a\nb)", "(a)\nb"),
            ("'a b'", "'ab'"),
            ("'a'", "\"a\""),
            ("r'\\n'", "'\\n'"),
            ("'''a\n  b'''", "'''a\n b'''"),
            ("'''a' b'''", "'''a'b'''"),
            ("'a' 'b'", "'a''b '"),
            ("f'{a }b c'", "f'{a }b  c'"),
            ("f'{d['a b']}'", "f'{d['ab']}'"),
            ("'a' # b'", "'a # b'"),
            ("a ** b", "a * * b"),
            ("a // b", "a / / b"),
            ("1 .real", "1. real"),
            ("a:=b", "a: =b"),
            ("not a", "nota"),
            ("a\u{301}b", "a\u{301}c"),
        ] {
            assert_ne!(tokens(one), tokens(other), "{one}");
        }
    }

    #[test]
    fn words_numbers_and_strings_are_whole() {
        for token in [
            "1.5e-3",
            "0xe",
            ".5",
            "1_000",
            "3j",
            "rb'\\''",
            "'a\\\nb'",
            "f'{x!r:>{n}} {{ \" }}'",
            "\"\"\"a\"b\n\\\"\"\"\"",
            "Rb\"x\"",
            "naïve",
            "...",
            "**=",
            "f'{d['a b']}'",
        ] {
            assert_eq!(tokens(token), [token, LINE_END], "{token}");
        }
        assert_eq!(tokens("0xe+1"), ["0xe", "+", "1", LINE_END]);
        assert_eq!(tokens("a[1:-2]"), ["a", "[", "1", ":", "-", "2", "]", LINE_END]);
        assert_eq!(tokens("x.bf'a'"), ["x", ".", "bf'a'", LINE_END]);
        assert_eq!(tokens("nonf'a'"), ["nonf", "'a'", LINE_END]);
    }

    #[test]
    fn no_text_is_lost_but_what_is_between_tokens() {
        for text in
            ["'open", "'''open\n", "f'{open", "\\", "\\x", "}{)(", "\u{10ffff}é 'é'", "\u{a0}", "  a\n b\n   c", "'a\\"]
        {
            let joined: String = tokens(text).concat();
            let plain = |text: &str| text.replace([' ', '\n'], "");
            assert_eq!(plain(&joined), plain(text), "{text:?}");
        }
    }
}
