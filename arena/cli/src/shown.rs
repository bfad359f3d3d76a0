//! What is shown on a terminal: text that others wrote, lines, numbers.

/// Columns of a line of output. Only paths may make a line longer.
pub(crate) const COLUMNS: usize = 100;

/// Text without what a terminal would obey, or what nobody could see: such characters are escaped. Quotes and backslashes are left as
/// they are, so what is shown may be copied.
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

/// JSON without the same, of the same meaning: such characters are escaped as JSON has it.
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

/// A name out of a module, of at most so many characters and its cut: every one has one column, because it is ASCII, or escaped. What
/// is too much is left out in the middle, as a name's end says most.
pub(crate) fn name(name: &str, most: usize) -> String {
    let mut shown = String::new();
    for letter in name.chars() {
        match letter {
            ' '..='~' => shown.push(letter),
            _ => shown.extend(letter.escape_unicode()),
        }
    }
    let cut = shown.len().saturating_sub(most);
    if cut > 0 {
        shown.replace_range(most / 3..most / 3 + cut, "...");
    }
    shown
}

/// A text in lines of at most `columns` characters, broken at spaces where that is possible.
pub(crate) fn folded(text: &str, columns: usize) -> Vec<String> {
    let mut lines = vec![String::new()];
    let mut width = 0;
    for word in text.split(' ') {
        let letters: Vec<char> = word.chars().collect();
        for (number, piece) in letters.chunks(columns).enumerate() {
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

/// A number with its thousands apart.
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
    fn a_name_has_a_column_for_each_character_and_keeps_its_ends() {
        assert_eq!(name("arena_turn", 72), "arena_turn");
        assert_eq!(name("e\u{301}\u{3164}棋\n", 72), "e\\u{301}\\u{3164}\\u{68cb}\\u{a}");
        assert_eq!(name("0123456789", 6), "01...6789");
        assert_eq!(name("012345", 6), "012345");
        for most in [3, 10, 72] {
            let shown = name(&"\u{202e}".repeat(1_000), most);
            assert!(shown.len() == most + 3 && shown.is_ascii(), "{shown}");
        }
    }

    #[test]
    fn folded_text_fits_and_loses_nothing() {
        assert_eq!(folded("one two three", 7), ["one two", "three"]);
        assert_eq!(folded("a bcdefghij k", 4), ["a", "bcde", "fghi", "j k"]);
        assert_eq!(folded("", 4), [""]);
        let long = "x".repeat(30) + " yy " + &"z".repeat(9);
        for columns in 1..40 {
            let lines = folded(&long, columns);
            assert!(lines.iter().all(|line| line.chars().count() <= columns), "{columns}: {lines:?}");
            assert_eq!(lines.concat().replace(' ', ""), long.replace(' ', ""), "{columns}");
        }
    }
}
