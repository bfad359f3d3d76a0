//! A span of a world's log, as a file that anyone can recompute.

use arena_record::EntrantId;

use crate::{FORMAT, Players, SPAN_BYTES_MAX, SpanError, replay};

/// A verified span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The generation of its snapshot.
    pub from: u64,
    /// The generation of its last digest.
    pub to: u64,
    /// Its calls, including those of bots.
    pub calls: u64,
    /// Bots whose calls were taken from the file, because they could not be asked.
    pub taken: Vec<EntrantId>,
}

impl Span {
    /// Whether a file begins like a span, of this or another version of the format.
    pub fn is_meant(bytes: &[u8]) -> bool {
        bytes.starts_with(b"{\"event\":\"opened\",\"format\":\"arena-world/")
    }

    /// Recomputes a span from its snapshot, calls and bots, which `players` asks.
    ///
    /// # Errors
    /// When it is not a span, or recomputing gives something else; with the first such line.
    pub fn verify(text: &str, players: &mut dyn Players) -> Result<Span, SpanError> {
        if text.len() > SPAN_BYTES_MAX {
            return Err(SpanError::TooLong);
        }
        if let Some(theirs) = other_form(text) {
            return Err(SpanError::OtherForm(theirs));
        }
        let found = replay(text.split_inclusive('\n'), players)?;
        let to = found.machine.world().generation();
        if found.ended {
            Ok(Span { from: found.from, to, calls: found.calls, taken: found.taken })
        } else {
            Err(SpanError::NoEnd)
        }
    }
}

/// The format of a file of another version.
fn other_form(text: &str) -> Option<String> {
    let format = text.strip_prefix("{\"event\":\"opened\",\"format\":\"")?.split('"').next()?;
    (format != FORMAT && format.starts_with("arena-world/")).then(|| format.into())
}
