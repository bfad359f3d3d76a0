//! Where a tournament's seed comes from. That a drawn one follows from its secret and the entrants belongs to the manifest.

use std::path::Path;

use arena_tournaments::{Commitment, Definition};

use super::{Coverage, Difference, Stop, VerifyError};
use crate::folder::defined_in;
use crate::layout::DEFINITION;

/// Where a tournament's seed comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SeedOrigin {
    /// It is a bare number in the definition, whose author may have chosen it.
    Chosen,
    /// It was drawn from a secret and the entrants. Who knew the secret before is not known.
    Drawn,
    /// It was drawn with the secret to which the tournament before committed. When that was published is not known.
    Committed,
}

impl SeedOrigin {
    /// Its code.
    pub fn code(self) -> &'static str {
        match self {
            SeedOrigin::Chosen => "chosen",
            SeedOrigin::Drawn => "drawn",
            SeedOrigin::Committed => "committed",
        }
    }
}

/// Notes where the seed comes from. With `after`, whether the tournament there committed to nothing.
pub(super) fn committed(definition: &Definition, after: Option<&Path>, coverage: &mut Coverage) -> Result<bool, Stop> {
    let origin = if definition.draw.is_some() { SeedOrigin::Drawn } else { SeedOrigin::Chosen };
    coverage.seed = Some(origin);
    let Some(after) = after else { return Ok(false) };
    // Of any release: whether that tournament is identical is another question.
    let (_, before) = defined_in(after).map_err(VerifyError::Folder)?;
    let Some(next) = before.draw.and_then(|draw| draw.next) else { return Ok(true) };
    let found = definition.draw.as_ref().map(|draw| draw.secret.commitment());
    if found == Some(next) {
        coverage.seed = Some(SeedOrigin::Committed);
        return Ok(false);
    }
    let none = || "a seed that was not drawn".into();
    Err(Stop::differs(Difference {
        file: format!("{DEFINITION} against the tournament before"),
        game: None,
        turn: None,
        seat: None,
        what: "the hash of the secret".into(),
        expected: next.0.to_string(),
        found: found.map_or_else(none, |Commitment(hash)| hash.to_string()),
        build: None,
    }))
}
