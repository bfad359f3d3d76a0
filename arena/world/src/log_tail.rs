//! What spectators of a world receive: its progress, and the lines of its log with numbers.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::LINES_KEPT_MAX;

/// A world at a moment.
#[derive(Clone, Debug)]
pub struct LogTail {
    /// Generations so far.
    pub generation: u64,
    /// The number of the next line. Numbers only grow, even after a restart.
    pub next: u64,
    /// The latest lines without their newlines; the last is the one before `next`.
    lines: Arc<VecDeque<Arc<str>>>,
}

/// The lines that a client is missing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Lines {
    /// These lines, in order.
    New(Vec<Arc<str>>),
    /// More lines than are kept; a new snapshot is needed.
    Behind,
}

impl LogTail {
    /// A world without lines so far; the first will have the number `next`.
    pub fn new(generation: u64, next: u64) -> LogTail {
        LogTail { generation, next, lines: Arc::default() }
    }

    /// The lines from a number on.
    pub fn since(&self, number: u64) -> Lines {
        let missed = self.next.checked_sub(number).and_then(|missed| usize::try_from(missed).ok());
        match missed.and_then(|missed| self.lines.len().checked_sub(missed)) {
            Some(from) => Lines::New(self.lines.iter().skip(from).cloned().collect()),
            None => Lines::Behind,
        }
    }

    /// The news for a client that has every line before `heard`, as a line of JSON: the world's generation, the number
    /// of the next line, and either `lines`, which end before that one, or `"behind":true`.
    pub fn news(&self, heard: u64) -> String {
        let LogTail { generation, next, .. } = self;
        let news = match self.since(heard) {
            Lines::New(lines) => format!("\"lines\":[{}]", lines.join(",")),
            Lines::Behind => "\"behind\":true".into(),
        };
        format!("{{\"type\":\"world\",\"generation\":{generation},\"next\":{next},{news}}}")
    }

    /// Adds a line of the log.
    pub fn add(&mut self, line: &str) {
        let lines = Arc::make_mut(&mut self.lines);
        lines.push_back(line.trim_end().into());
        if lines.len() > LINES_KEPT_MAX {
            lines.pop_front();
        }
        self.next += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn who_missed_more_than_is_kept_needs_a_snapshot() {
        let mut shown = LogTail::new(0, 1_000);
        for number in 0..2 * LINES_KEPT_MAX {
            shown.add(&format!("{number}\n"));
        }
        let next = shown.next;
        assert_eq!(next, 1_000 + 2 * LINES_KEPT_MAX as u64);
        assert_eq!(shown.since(next), Lines::New(Vec::new()));
        let last = (2 * LINES_KEPT_MAX - 1).to_string();
        assert_eq!(shown.since(next - 1), Lines::New(vec![last.into()]));
        let Lines::New(all) = shown.since(next - LINES_KEPT_MAX as u64) else { panic!("all are kept") };
        assert_eq!((all.len(), &*all[0]), (LINES_KEPT_MAX, LINES_KEPT_MAX.to_string().as_str()));
        for number in [next - LINES_KEPT_MAX as u64 - 1, 0, next + 1] {
            assert_eq!(shown.since(number), Lines::Behind, "{number}");
        }
    }
}
