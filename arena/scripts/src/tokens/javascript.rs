//! JavaScript's: all but comments, spaces and line breaks. Where a slash divides and where it opens a regular
//! expression, the token before it decides; after `)` and `}` it divides.

use super::is_letter;

/// Operators of more than one character, the longest first.
const OPERATORS: [&str; 34] = [
    ">>>=", "...", "===", "!==", "**=", "<<=", ">>=", ">>>", "&&=", "||=", "??=", "=>", "==", "!=", "<=", ">=", "&&",
    "||", "??", "?.", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<", ">>", "**", "#!",
];

/// Words before which no value ends, so that a slash after them opens a regular expression.
const BEFORE_VALUES: [&str; 14] = [
    "return",
    "typeof",
    "case",
    "in",
    "of",
    "delete",
    "void",
    "throw",
    "new",
    "instanceof",
    "do",
    "else",
    "yield",
    "await",
];

pub(super) struct Tokens<'a> {
    rest: &'a str,
    /// Whether a value ended with the last token.
    after_value: bool,
    /// For each template that is open, the braces that are open in its expression.
    templates: Vec<usize>,
}

impl<'a> Tokens<'a> {
    pub(super) fn of(text: &'a str) -> Tokens<'a> {
        Tokens { rest: text, after_value: false, templates: Vec::new() }
    }

    /// Skips what is between tokens.
    fn skip(&mut self) {
        loop {
            let rest = self.rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.rest = match (rest.strip_prefix("//"), rest.strip_prefix("/*")) {
                (Some(comment), _) => comment.trim_start_matches(|c| !is_line_end(c)),
                (_, Some(comment)) => comment.split_once("*/").map_or("", |(_, after)| after),
                _ => {
                    self.rest = rest;
                    return;
                }
            };
        }
    }

    /// The length in bytes of the token that begins here with `first`.
    fn length(&mut self, first: char) -> usize {
        let rest = self.rest;
        match (first, self.templates.last_mut()) {
            ('}', Some(0)) => {
                self.templates.pop();
                self.template()
            }
            ('`', _) => self.template(),
            ('{', Some(open)) => {
                *open += 1;
                1
            }
            ('}', Some(open)) => {
                *open -= 1;
                1
            }
            ('\'' | '"', _) => quoted(rest, |c| c == first),
            ('/', _) if !self.after_value => regular_expression(rest),
            _ if is_word(first) => rest.find(|c| !is_word(c)).unwrap_or(rest.len()),
            _ => {
                let operator = OPERATORS.iter().find(|operator| rest.starts_with(**operator));
                operator.map_or(first.len_utf8(), |operator| operator.len())
            }
        }
    }

    /// Of a template, the part up to its end or to its next expression.
    fn template(&mut self) -> usize {
        let (mut escaped, mut after_dollar) = (false, false);
        for (at, c) in self.rest.char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '`' => return at + 1,
                '{' if after_dollar => {
                    self.templates.push(0);
                    return at + 1;
                }
                _ => {
                    after_dollar = c == '$';
                    continue;
                }
            }
            after_dollar = false;
        }
        self.rest.len()
    }
}

impl<'a> Iterator for Tokens<'a> {
    type Item = &'a str;

    fn next(&mut self) -> Option<&'a str> {
        self.skip();
        let first = self.rest.chars().next()?;
        let length = self.length(first);
        let (token, rest) = self.rest.split_at(length);
        self.rest = rest;
        let is_value = is_word(first) || matches!(first, '\'' | '"' | '`' | '/' | ')' | ']' | '}') && token != "/";
        self.after_value = is_value && !BEFORE_VALUES.contains(&token) && !token.ends_with("${");
        Some(token)
    }
}

fn is_word(c: char) -> bool {
    is_letter(c) || matches!(c, '$' | '\\' | '#')
}

fn is_line_end(c: char) -> bool {
    matches!(c, '\n' | '\r' | '\u{2028}' | '\u{2029}')
}

/// The length of what is quoted up to an end, or else up to the line's.
fn quoted(text: &str, is_end: impl Fn(char) -> bool) -> usize {
    let mut escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            _ if is_end(c) => return at + c.len_utf8(),
            _ if is_line_end(c) => return at,
            _ => {}
        }
    }
    text.len()
}

/// The length of a regular expression: in brackets a slash does not end it.
fn regular_expression(text: &str) -> usize {
    let in_brackets = std::cell::Cell::new(false);
    quoted(text, |c| {
        in_brackets.set(c == '[' || (in_brackets.get() && c != ']'));
        c == '/' && !in_brackets.get()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(text: &str) -> Vec<&str> {
        Tokens::of(text).collect()
    }

    #[test]
    fn comments_spaces_and_line_breaks_are_no_tokens() {
        let one = "// a bot\nlet a=1/*one*/+b ; f( `x${ {y:a} }  z`,/[/ ]/g ) / 2";
        let other = "\u{feff}let a = 1 + b;\r\n\tf(`x${{ y : a }}  z`, /[/ ]/g)/ /* two */ 2 // end";
        assert_eq!(tokens(one), tokens(other));
    }

    #[test]
    fn what_means_something_else_has_other_tokens() {
        for (one, other) in [
            ("a + +b", "a ++b"),
            ("'a b'", "'ab'"),
            ("`a b`", "`ab`"),
            ("`a${b}c d`", "`a${b}cd`"),
            ("x = /a b/", "x = /ab/"),
            ("x = /[/]a b/", "x = /[/]ab/"),
            ("return /a  b/", "return /a b/"),
            ("a b", "ab"),
            ("'\\' b'", "'\\'b'"),
            ("'a' // b'", "'a // b'"),
            ("a\u{301}b", "a\u{301}c"),
        ] {
            assert_ne!(tokens(one), tokens(other), "{one}");
        }
    }

    #[test]
    fn no_text_is_lost_but_what_is_between_tokens() {
        for text in ["'open", "`open ${ a", "/* open", "x = /open", "}{ }", "a`${`${1}`}`} b", "\\", "\u{10ffff}é 'é'"]
        {
            let joined: String = tokens(text).concat();
            let kept: String = text.chars().filter(|c| *c != ' ').collect();
            let expected = if text.starts_with("/*") { String::new() } else { kept };
            assert_eq!(joined.replace(' ', ""), expected, "{text}");
        }
    }
}
