//! Standings in Markdown.

use std::fmt::Write as _;

use crate::Standings;

impl Standings {
    /// A table, best first, with an explanation of the numbers.
    pub fn to_markdown(&self) -> String {
        let columns: Vec<_> = self.columns.iter().filter(|column| column.is_for_people()).collect();
        let mut text = String::from("| # | bot |");
        for column in &columns {
            let _ = write!(text, " {} |", column.title);
        }
        text.push_str("\n|--:|---|");
        columns.iter().for_each(|_| text.push_str("--:|"));
        text.push('\n');
        for row in &self.rows {
            let left = row.left.map(|left| format!(" ({})", left.name())).unwrap_or_default();
            let _ = write!(text, "| {} | {}{left} |", row.rank, plain(row.shown()));
            for (_, value) in self.for_people(row) {
                let _ = write!(text, " {} |", plain(&value.to_string()));
            }
            text.push('\n');
        }
        text.push('\n');
        for note in &self.notes {
            let _ = writeln!(text, "- {}", plain(&note.text));
        }
        text
    }
}

/// The text with Markdown's special characters escaped.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for letter in text.chars() {
        if letter.is_ascii_punctuation()
            && !matches!(letter, '.' | ',' | ':' | ';' | '-' | '%' | '/' | '(' | ')' | '\'')
        {
            plain.push('\\');
        }
        plain.push(if letter.is_control() { ' ' } else { letter });
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(plain("a|b <script>"), "a\\|b \\<script\\>");
        assert_eq!(plain("[x](y)\n# z"), "\\[x\\](y) \\# z");
    }
}
