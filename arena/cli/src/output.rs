//! Output on a terminal: foreign text, lines, numbers.

/// Width of a line of output. Only paths may make a line longer.
pub(crate) const COLUMNS: usize = 100;
/// Line breaks that are kept in a log's line.
const LOG_BREAKS_MAX: usize = 4;

/// Text with control and invisible characters escaped. Quotes and backslashes stay as they are, so the text can be
/// copied.
pub(crate) fn text(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        match letter {
            '\'' | '"' | '\\' => shown.push(letter),
            _ => shown.extend(letter.escape_debug()),
        }
    }
    shown
}

/// The same for a line of a log, whose line breaks stay: a panic's message has some.
pub(crate) fn log_line(line: &str) -> String {
    line.split('\n').map(text).collect::<Vec<_>>().join("\n")
}

/// The lines of a log's line. Only its first breaks are kept, so that it cannot fill a screen.
pub(crate) fn broken(log_line: &str) -> Vec<String> {
    let lines = log_line.trim_end_matches('\n').splitn(LOG_BREAKS_MAX + 1, '\n');
    lines.map(|line| line.replace('\n', "\\n")).collect()
}

/// A number of things, in words.
pub(crate) fn count(number: usize, thing: &str) -> String {
    if number == 1 { format!("1 {thing}") } else { format!("{} {thing}s", grouped(number as u64)) }
}

/// JSON with the same characters escaped in JSON's way, which keeps its meaning.
pub(crate) fn json(text: &str) -> String {
    let mut shown = String::new();
    for letter in text.chars() {
        if matches!(letter, '\'' | '"' | '\\') || letter.escape_debug().len() == 1 {
            shown.push(letter);
        } else {
            shown.extend(letter.encode_utf16(&mut [0; 2]).iter().map(|unit| format!("\\u{unit:04x}")));
        }
    }
    shown
}

/// A text in lines of at most `columns` characters, broken at spaces where that is possible.
pub(crate) fn folded(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut width = 0;
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        // Of several spaces, all stay but those at a line's beginning: a caret stands below its letter.
        let pieces = if letters.is_empty() { vec![&[][..]] } else { letters.chunks(columns).collect() };
        for (number, piece) in pieces.into_iter().enumerate() {
            let space = usize::from(number == 0 && width > 0);
            if width + space + piece.len() > columns {
                lines.push(String::new());
                width = 0;
            }
            if let Some(line) = lines.last_mut() {
                if space == 1 && width > 0 {
                    line.push(' ');
                    width += 1;
                }
                line.extend(piece);
                width += piece.len();
            }
        }
    }
    lines
}

/// A number with separated thousands.
pub(crate) fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().filter_map(|group| std::str::from_utf8(group).ok()).collect();
    groups.join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_as_it_was_written_but_for_what_a_terminal_would_obey() {
        let plain = r#"it's "here": C:\x, naïve, 棋"#;
        assert_eq!(text(plain), plain);
        assert_eq!(text("\x1b[31m\r\n\u{202e}\u{301}"), "\\u{1b}[31m\\r\\n\\u{202e}\\u{301}");
    }

    #[test]
    fn a_line_of_a_log_is_broken_where_it_was_but_not_without_end() {
        let panic = log_line("panicked at src/lib.rs:1:2:\n\x1b[31mwhy");
        assert_eq!(broken(&panic), ["panicked at src/lib.rs:1:2:", "\\u{1b}[31mwhy"]);
        let many = broken(&log_line(&"x\n".repeat(1_000)));
        assert_eq!(many.len(), LOG_BREAKS_MAX + 1);
        assert!(many[LOG_BREAKS_MAX].starts_with("x\\nx\\n"), "{many:?}");
    }

    #[test]
    fn one_of_a_thing_is_no_plural() {
        assert_eq!([0, 1, 2_000].map(|number| count(number, "line")), ["0 lines", "1 line", "2,000 lines"]);
    }

    #[test]
    fn folded_text_fits_and_loses_nothing() {
        assert_eq!(folded("one two three", 7), ["one two", "three"]);
        assert_eq!(folded("a bcdefghij k", 4), ["a", "bcde", "fghi", "j k"]);
        assert_eq!(folded("", 4), [""]);
        assert_eq!(folded("|   ^  here", 20), ["|   ^  here"]);
        let long = "x".repeat(30) + " yy " + &"z".repeat(9);
        for columns in 1..40 {
            let lines = folded(&long, columns);
            assert!(lines.iter().all(|line| line.chars().count() <= columns), "{columns}: {lines:?}");
            assert_eq!(lines.concat().replace(' ', ""), long.replace(' ', ""), "{columns}");
        }
    }
}
