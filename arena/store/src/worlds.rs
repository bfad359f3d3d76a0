//! The logs of worlds: spans of lines, each starting with a snapshot. Their meaning is not known here.

use async_trait::async_trait;

use crate::{Appended, Page, StoreError, WorldName};

/// Bytes of a line in a world's log, with its newline: a snapshot of the largest state.
pub const WORLD_LINE_BYTES_MAX: usize = 9 << 20;

/// Lines of a span: a thousand calls, the snapshot, the end, a hundred stops in between, and the lines of nine bots, each of which
/// enters with two calls, answers ten times and may leave.
pub const WORLD_SPAN_LINES_MAX: u32 = 1_102 + 9 * 13;

/// A span of a world's log.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldSpan {
    /// The generation of its snapshot.
    pub from: u64,
    /// Its lines, the snapshot first, each with a newline at its end.
    pub lines: Vec<String>,
}

/// A line for the log of a world, as for [`WorldLogs::append_to_world`].
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

/// The logs of worlds.
///
/// Everything here may be repeated. A line in a log never changes: of concurrent lines for one place exactly one gets it, and every
/// caller learns whether it was its own. The oldest spans of a world are forgotten as a whole.
#[async_trait]
pub trait WorldLogs: Send + Sync + 'static {
    /// The names of all worlds, in order.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn worlds(&self) -> Result<Vec<WorldName>, StoreError>;

    /// Begins a span with a snapshot of generation `from`, which must be later than those of all earlier spans. A world begins with its
    /// first span. In the same step the oldest spans are forgotten, as many as [`Limits::world_bytes_max`](crate::Limits) requires.
    ///
    /// # Errors
    /// When this span exists with another snapshot, there is a later span, or a limit is reached.
    async fn begin_span(&self, world: &WorldName, from: u64, snapshot: &str) -> Result<Appended, WorldError>;

    /// Appends a line at the place `seq` of a span, which must be the next one; the snapshot has the place 0.
    ///
    /// # Errors
    /// When the span is not the world's latest, the place is taken or not the next one, or a limit is reached.
    async fn append_to_world(&self, world: &WorldName, from: u64, seq: u32, line: &str)
    -> Result<Appended, WorldError>;

    /// The latest span that begins at or before a generation, with all its lines.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn world_span(&self, world: &WorldName, until: u64) -> Result<Option<WorldSpan>, StoreError>;

    /// The lines of a span from a place on; none if the span does not exist or is forgotten.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn world_lines(&self, world: &WorldName, from: u64, seq: u32) -> Result<Vec<String>, StoreError>;

    /// The generations at which spans begin, the latest first; a page starts below one of them.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn world_spans(&self, world: &WorldName, page: Page<u64>) -> Result<Vec<u64>, StoreError>;
}

pub(crate) fn checked(seq: u32, line: &str) -> Result<(), WorldError> {
    if line.len() > WORLD_LINE_BYTES_MAX || seq >= WORLD_SPAN_LINES_MAX { Err(WorldError::TooLong) } else { Ok(()) }
}
