//! A span of a world's life, as a file that anyone can compute again.

use crate::{BadSnapshot, Event, FORMAT, IllegalEvent, Machine, ParseEventError, SPAN_BYTES_MAX};

/// A span that comes out as its file says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Span {
    /// The generation of its snapshot.
    pub from: u64,
    /// The generation of its last digest.
    pub to: u64,
    /// Calls in it.
    pub calls: u64,
}

/// Why a file is no span, or not one of a world that went by the rules.
#[derive(Debug, thiserror::Error)]
pub enum SpanError {
    /// Longer than a span.
    #[error("a span has at most {SPAN_BYTES_MAX} bytes")]
    TooLong,
    /// Another version of the file.
    #[error("its format is {0:?}, and this release reads {FORMAT:?}")]
    OtherForm(String),
    /// A line is no event; counted from 1.
    #[error("line {line}: {why}")]
    Line {
        /// Which line.
        line: u64,
        /// Why it is none.
        why: ParseEventError,
    },
    /// It does not begin with a snapshot.
    #[error("line 1: a span begins with a snapshot")]
    NoSnapshot,
    /// Its snapshot is no world.
    #[error("line 1: {0}")]
    BadSnapshot(#[from] BadSnapshot),
    /// Its last line is no digest, so nothing says where it leads.
    #[error("it does not end with a digest: a part of it is missing")]
    NoEnd,
    /// Computing comes to something else.
    #[error("line {line}: {why}")]
    Differs {
        /// Which line says otherwise, from 1.
        line: u64,
        /// What was found instead.
        why: IllegalEvent,
    },
}

impl Span {
    /// Whether a file begins as spans do, of this format or another version of it.
    pub fn is_meant(bytes: &[u8]) -> bool {
        bytes.starts_with(b"{\"event\":\"opened\",\"format\":\"arena-world/")
    }

    /// Computes a span again from its snapshot and calls.
    ///
    /// # Errors
    /// When it is none, or does not come out as it says; with the first line.
    pub fn verify(text: &str) -> Result<Span, SpanError> {
        if text.len() > SPAN_BYTES_MAX {
            return Err(SpanError::TooLong);
        }
        if let Some(theirs) = other_form(text) {
            return Err(SpanError::OtherForm(theirs));
        }
        let mut lines = (1..).zip(text.split_inclusive('\n'));
        let read = |(line, text): (u64, &str)| Event::parse(text).map_err(|why| SpanError::Line { line, why });
        let Event::Opened(opened) = lines.next().map(read).transpose()?.ok_or(SpanError::NoSnapshot)? else {
            return Err(SpanError::NoSnapshot);
        };
        let mut machine = Machine::open(&opened)?;
        let mut span = Span { from: opened.generation, to: opened.generation, calls: 0 };
        let mut ended = false;
        for (line, text) in lines {
            let event = read((line, text))?;
            machine.apply(&event).map_err(|why| SpanError::Differs { line, why })?;
            ended = matches!(event, Event::Checked { .. });
            span.calls += u64::from(matches!(event, Event::Called { .. }));
            span.to = machine.world().generation();
        }
        if ended { Ok(span) } else { Err(SpanError::NoEnd) }
    }
}

/// The format of a file that another version wrote.
fn other_form(text: &str) -> Option<String> {
    let format = text.strip_prefix("{\"event\":\"opened\",\"format\":\"")?.split('"').next()?;
    (format != FORMAT && format.starts_with("arena-world/")).then(|| format.into())
}
