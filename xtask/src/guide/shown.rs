//! Compares a command's output with a chapter.
//!
//! A line `...` stands for any number of lines, including none; every other line stands for itself. In a block marked
//! `roughly`, figures, bars and hashes stand for any others, and so do the spaces that align them. If nothing is shown,
//! any output is accepted.

/// Stands for omitted lines in a chapter.
const LEFT_OUT: &str = "...";

/// Digits of a hash that tables show.
const SHORT_ID_DIGITS: usize = 12;

/// Whether the complete output matches what is shown.
pub(super) fn is_said(shown: &[String], said: &str, roughly: bool) -> bool {
    shown.is_empty() || matches(shown, &said.lines().collect::<Vec<_>>(), roughly)
}

/// Whether the output so far starts with what is shown; more may follow.
pub(super) fn is_begun(shown: &[String], said: &[String], roughly: bool) -> bool {
    let said: Vec<&str> = said.iter().map(String::as_str).collect();
    (0..=said.len()).any(|count| matches(shown, &said[..count], roughly))
}

fn matches(shown: &[String], said: &[&str], roughly: bool) -> bool {
    let Some((first, rest)) = shown.split_first() else { return said.is_empty() };
    if first == LEFT_OUT {
        return (0..=said.len()).any(|left_out| matches(rest, &said[left_out..], roughly));
    }
    let is_same = |said: &str| {
        if roughly { plain(first) == plain(said) } else { first.trim_end() == said.trim_end() }
    };
    said.split_first().is_some_and(|(line, more)| is_same(line) && matches(rest, more, roughly))
}

/// A line with `#` for every figure, bar and hash, and single spaces between words.
fn plain(line: &str) -> String {
    let words: Vec<String> = line.split_whitespace().map(plain_word).collect();
    words.join(" ")
}

fn plain_word(word: &str) -> String {
    if let Some((before, after)) = word.split_once("sha256:") {
        let rest = after.trim_start_matches(|c: char| c.is_ascii_hexdigit());
        return format!("{before}sha256:#{rest}");
    }
    if word.len() == SHORT_ID_DIGITS && word.bytes().all(|byte| byte.is_ascii_hexdigit()) {
        return "#".into();
    }
    let mut plain = String::new();
    let mut letters = word.chars().peekable();
    while let Some(letter) = letters.next() {
        // A sign belongs to its figure, and so do the points and commas within it.
        let is_sign = matches!(letter, '+' | '-') && letters.peek().is_some_and(char::is_ascii_digit);
        if letter.is_ascii_digit() || is_sign {
            while letters.next_if(|next| next.is_ascii_digit() || matches!(next, ',' | '.')).is_some() {}
            plain.push('#');
        } else if ('\u{2581}'..='\u{2588}').contains(&letter) {
            while letters.next_if(|next| ('\u{2581}'..='\u{2588}').contains(next)).is_some() {}
            plain.push('#');
        } else {
            plain.push(letter);
        }
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn lines_stand_for_themselves_and_three_points_for_any() {
        let said = "one\ntwo \nthree\n";
        for good in ["", "one\ntwo\nthree", "...", "one\n...", "...\ntwo\n...", "one\n...\ntwo\nthree", "...\nthree"] {
            assert!(is_said(&lines(good), said, false), "{good}");
        }
        for bad in ["one", "one\nthree", "...\ntwo", "one\n...\ntwo", "one\ntwo\nthree\nfour", "one\ntwo\n3"] {
            assert!(!is_said(&lines(bad), said, false), "{bad}");
        }
    }

    #[test]
    fn roughly_is_all_but_figures_bars_and_hashes() {
        let shown = lines("fuel 1,234   12.5 %  +10 Elo sha256:00ff. \u{2583}\u{2588}");
        for good in
            ["fuel 9 7 % -1,600 Elo sha256:ab. \u{2581}", "fuel  22   100.0 %  3 Elo sha256:1. \u{2588}\u{2588}"]
        {
            assert!(is_said(&shown, good, true), "{good}");
            assert!(!is_said(&shown, good, false), "{good}");
        }
        assert_eq!(plain("  1  mybot  016ef3b81868  4"), plain("  1  mybot  b544b2694d31  100"));
        for bad in ["fuel x 7 % 1 Elo sha256:ab. \u{2581}", "fuel 9 7 % 1 Elo sha256:ab."] {
            assert!(!is_said(&shown, bad, true), "{bad}");
        }
    }

    #[test]
    fn what_goes_on_has_begun() {
        let said = lines("listening\nready\nmore");
        assert!(is_begun(&lines("listening\nready"), &said, false));
        assert!(is_begun(&lines("...\nready"), &said, false));
        assert!(!is_begun(&lines("ready"), &said, false));
        assert!(!is_begun(&lines("listening\nready"), &said[..1], false));
    }
}
