//! The logs of worlds: spans of lines, each begun by a snapshot. What the lines mean is not known here.

use async_trait::async_trait;

use crate::{Appended, Page, StoreError, WorldName};

/// Bytes of a line of a world's log, its newline included: a snapshot of the largest state.
pub const WORLD_LINE_BYTES_MAX: usize = 9 << 20;

/// Lines of a span: a thousand calls, its snapshot, its end, those of a hundred stops in between, and what nine bots do: each enters with
/// two calls, answers ten times and may leave.
pub const WORLD_SPAN_LINES_MAX: u32 = 1_102 + 9 * 13;

/// A span of a world's life.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WorldSpan {
    /// The generation of its snapshot.
    pub from: u64,
    /// Its lines, the snapshot first, each with a newline at its end.
    pub lines: Vec<String>,
}

/// Why a world's log is as before.
#[derive(Debug, thiserror::Error)]
pub enum WorldError {
    /// There is no such world, or the span is not its latest.
    #[error("a world's log grows only in its latest span")]
    NoSuchSpan,
    /// Another line has this place: another process holds the world.
    #[error("another line has this place in the log")]
    Taken,
    /// The place does not follow the last one.
    #[error("the log continues at {next}")]
    Gap {
        /// The place that is next.
        next: u32,
    },
    /// A line is too long, or one too many.
    #[error(
        "a line of a world has at most {WORLD_LINE_BYTES_MAX} bytes, and a span at most {WORLD_SPAN_LINES_MAX} lines"
    )]
    TooLong,
    /// There are as many worlds as may be.
    #[error("a site has at most {0} worlds")]
    TooManyWorlds(u32),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The logs of worlds.
///
/// Everything here may be repeated. A place in a log that is taken never changes: of concurrent lines for one place exactly one gets
/// it, and every caller learns whether it was its own. The oldest spans of a world are forgotten as a whole.
#[async_trait]
pub trait WorldLogs: Send + Sync + 'static {
    /// The names of all worlds, in order.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn worlds(&self) -> Result<Vec<WorldName>, StoreError>;

    /// Begins a span with a snapshot of generation `from`, which is later than that of any span before. A world begins with its first
    /// span. In the same step the oldest spans are forgotten, as many as it takes for [`Limits::world_bytes_max`](crate::Limits).
    ///
    /// # Errors
    /// When the world has such a span with another snapshot or a later one, or a limit is reached.
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

    /// The lines of a span from a place on; none of a span that there is not, or not any more.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn world_lines(&self, world: &WorldName, from: u64, seq: u32) -> Result<Vec<String>, StoreError>;

    /// The generations at which spans begin, the latest first; a page starts after, that is before, one of them.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn world_spans(&self, world: &WorldName, page: Page<u64>) -> Result<Vec<u64>, StoreError>;
}

pub(crate) fn checked(seq: u32, line: &str) -> Result<(), WorldError> {
    if line.len() > WORLD_LINE_BYTES_MAX || seq >= WORLD_SPAN_LINES_MAX { Err(WorldError::TooLong) } else { Ok(()) }
}
