//! A span of a world's life, as a file that anyone can compute again.

use arena_record::EntrantId;

use crate::{FORMAT, Players, SPAN_BYTES_MAX, SpanError, replay};

/// A span that comes out as its file says.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The generation of its snapshot.
    pub from: u64,
    /// The generation of its last digest.
    pub to: u64,
    /// Calls in it, those of bots included.
    pub calls: u64,
    /// The bots whose calls were taken from the file, because nobody could ask them.
    pub taken: Vec<EntrantId>,
}

impl Span {
    /// Whether a file begins as spans do, of this format or another version of it.
    pub fn is_meant(bytes: &[u8]) -> bool {
        bytes.starts_with(b"{\"event\":\"opened\",\"format\":\"arena-world/")
    }

    /// Computes a span again from its snapshot, calls and bots: what these do is asked of `players`.
    ///
    /// # Errors
    /// When it is none, or does not come out as it says; with the first line.
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

/// The format of a file that another version wrote.
fn other_form(text: &str) -> Option<String> {
    let format = text.strip_prefix("{\"event\":\"opened\",\"format\":\"")?.split('"').next()?;
    (format != FORMAT && format.starts_with("arena-world/")).then(|| format.into())
}
