//! The boards of a recorded game, for pages that show one without an engine.

use arena_record::Record;
use arena_referee::Divergence;
use arena_wire::{Picture, Protocol, Visitor};

/// The boards of a recorded game: before each turn, and the last.
///
/// # Errors
/// When the record contradicts this release's rules.
pub fn pictures(record: &Record) -> Result<Vec<Picture>, Divergence> {
    struct Shown<'a>(&'a Record);
    impl Visitor for Shown<'_> {
        type Out = Result<Vec<Picture>, Divergence>;
        fn visit<P: Protocol>(self, _start: P) -> Self::Out {
            Ok(arena_referee::replay::<P>(self.0)?.positions().map(|position| position.picture()).collect())
        }
    }
    let header = &record.header;
    arena_wire::start(&header.ruleset, &header.options, &header.seed.0, Shown(record))?
}
