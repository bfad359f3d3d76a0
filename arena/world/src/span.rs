//! A span of a world's log, as a file that anyone can recompute.

use arena_record::{EntrantId, Hex};
use arena_rules::life2::{Rates, Side, World};

use crate::{Format, Machine, Players, SPAN_BYTES_MAX, SpanError, replay};

/// A verified span.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    /// The generation of its snapshot.
    pub from: u64,
    /// The generation of its last digest.
    pub to: u64,
    /// The hash of its snapshot, apart from the note on the build: see [`follows`](Span::follows).
    pub begins: Hex<32>,
    /// The same of a snapshot where it ends.
    pub ends: Hex<32>,
    /// The same if grace begins at joining from there on; equal to `ends` if it did before.
    pub ends_amended: Hex<32>,
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
        if !found.ended {
            return Err(SpanError::NoEnd);
        }
        let (to, ends) = (found.machine.world().generation(), found.machine.snapshot());
        let ends_amended = found.machine.amended().snapshot();
        Ok(Span {
            from: found.from,
            to,
            begins: found.begins,
            ends,
            ends_amended,
            calls: found.calls,
            taken: found.taken,
        })
    }

    /// Whether it begins where `before` ends, with the same world and bots. Then its snapshot follows from that span.
    /// The later one may be the first in which grace begins at joining.
    pub fn follows(&self, before: &Span) -> bool {
        self.from == before.to && [before.ends, before.ends_amended].contains(&self.begins)
    }

    /// Whether it begins with the empty world of generation 0, which rests on nobody's word.
    pub fn is_first(&self) -> bool {
        let empty = World::new(Side::WORLD, Rates::FOUNDING);
        [Machine::new(empty.clone()), Machine::at_loss(empty)].iter().any(|machine| self.begins == machine.snapshot())
    }
}

/// The format of a file of another version.
fn other_form(text: &str) -> Option<String> {
    let format = text.strip_prefix("{\"event\":\"opened\",\"format\":\"")?.split('"').next()?;
    (Format::of_name(format).is_none() && format.starts_with("arena-world/")).then(|| format.into())
}
