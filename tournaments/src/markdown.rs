//! Standings in Markdown.

use std::fmt::Write as _;

use crate::{Ahead, Standings};

impl Standings {
    /// A table, best first, the lead of each over the next, and an explanation of the numbers.
    pub fn to_markdown(&self) -> String {
        let columns: Vec<_> = self.columns.iter().filter(|column| column.is_for_people()).collect();
        let mut text = String::from("| # | bot | id |");
        for column in &columns {
            let _ = write!(text, " {} |", column.title);
        }
        text.push_str("\n|--:|---|---|");
        columns.iter().for_each(|_| text.push_str("--:|"));
        text.push('\n');
        for row in &self.rows {
            let left = row.left.map(|left| format!(" ({})", left.name())).unwrap_or_default();
            let _ = write!(text, "| {} | {}{left} | `{}` |", row.rank, plain(row.shown()), row.id.short());
            for (_, value) in self.for_people(row) {
                let _ = write!(text, " {} |", plain(&value.to_string()));
            }
            text.push('\n');
        }
        text.push('\n');
        let leads = self.leads();
        if !leads.is_empty() {
            text.push_str("| # | ahead of the next | id | lead | likelier |\n|--:|---|---|--:|--:|\n");
        }
        for Ahead { row, lead, likelier } in &leads {
            let [name, lead, likelier] = [row.shown(), lead, likelier].map(plain);
            let _ = writeln!(text, "| {} | {name} | `{}` | {lead} | {likelier} |", row.rank, row.id.short());
        }
        if !leads.is_empty() {
            text.push('\n');
        }
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
    use crate::testing::{by_strength, entrants, play};
    use crate::{Format, RoundRobin};
    use arena_rules::Rng;

    #[test]
    fn each_but_the_last_is_ahead_of_the_next_and_two_are_told_apart_by_a_sentence() {
        for (count, ahead) in [(2, 0), (3, 2), (5, 4)] {
            let (names, format) = (entrants(count), RoundRobin::new(1, 4));
            let settled = play(&format, &names, by_strength(&mut Rng::new(&[6; 32], 3), 0.3));
            let standings = format.standings(&names, &settled);
            let text = standings.to_markdown();
            let table = text.lines().skip_while(|line| !line.contains("ahead of the next"));
            let rows: Vec<&str> = table.skip(2).take_while(|line| !line.is_empty()).collect();
            assert_eq!(rows.len(), ahead, "{text}");
            for (line, row) in rows.iter().zip(&standings.rows) {
                let told = |column| standings.value(row, column).map(|value| plain(&value.to_string()));
                let [lead, likelier] = ["lead", "superiority"].map(|column| told(column).expect("a column"));
                let (rank, name, id) = (row.rank, plain(&row.name), row.id.short());
                assert_eq!(*line, format!("| {rank} | {name} | `{id}` | {lead} | {likelier} |"));
            }
        }
    }

    #[test]
    fn hostile_text_stays_text() {
        assert_eq!(plain("a|b <script>"), "a\\|b \\<script\\>");
        assert_eq!(plain("[x](y)\n# z"), "\\[x\\](y) \\# z");
    }
}
