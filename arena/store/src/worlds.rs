//! The logs of worlds: spans of lines, each starting with a snapshot. Their meaning is not known here.

use crate::StoreError;

/// Bytes of a line in a world's log, with its newline: a snapshot of the largest state.
pub const WORLD_LINE_BYTES_MAX: usize = 9 << 20;

/// Lines of a span: a thousand calls, the snapshot, the end, a hundred stops in between, and the lines of nine bots,
/// each of which enters with two calls, answers ten times and may leave.
pub const WORLD_SPAN_LINES_MAX: u32 = 1_102 + 9 * 13;

/// A span of a world's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldSpan {
    /// The generation of its snapshot.
    pub from: u64,
    /// Its lines, the snapshot first, each with a newline at its end.
    pub lines: Vec<String>,
}

/// A line for the log of a world, as for [`Store::append_to_world`].
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldLine {
    /// The generation at which its span begins.
    pub from: u64,
    /// Its place in the span.
    pub seq: u32,
    /// The line.
    pub line: String,
}

/// Why a world's log was not changed.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// There is no such world, or the span is not its latest.
    #[error("a world's log grows only in its latest span")]
    NoSuchSpan,
    /// Another line has this place: another process runs the world.
    #[error("another line has this place in the log")]
    Taken,
    /// The place is not the next one.
    #[error("the log continues at {next}")]
    Gap {
        /// The next place.
        next: u32,
    },
    /// A line is too long, or the span has too many.
    #[error(
        "a line of a world has at most {WORLD_LINE_BYTES_MAX} bytes, and a span at most {WORLD_SPAN_LINES_MAX} lines"
    )]
    TooLong,
    /// There are as many worlds as allowed.
    #[error("a site has at most {0} worlds")]
    TooManyWorlds(u32),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
