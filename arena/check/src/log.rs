//! What a bot logs during a game.

use serde::{Deserialize, Serialize};

use crate::{LOG_BYTES_MAX, LOG_LINES_MAX};

/// The log of one bot in one game: its first lines, and the number of lines dropped.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize, Deserialize)]
pub struct Log {
    lines: Vec<String>,
    bytes: usize,
    dropped: u64,
}

impl Log {
    /// The lines that were kept. Hostile text: escape it wherever it is shown.
    pub fn lines(&self) -> &[String] {
        &self.lines
    }

    /// Lines beyond the limits, which were dropped.
    pub fn dropped(&self) -> u64 {
        self.dropped
    }

    /// Keeps a line unless the log is full. Invalid UTF-8 is replaced.
    pub fn push(&mut self, line: &[u8]) {
        if self.lines.len() >= LOG_LINES_MAX || self.bytes + line.len() > LOG_BYTES_MAX {
            self.dropped += 1;
            return;
        }
        self.bytes += line.len();
        self.lines.push(String::from_utf8_lossy(line).into_owned());
    }
}
