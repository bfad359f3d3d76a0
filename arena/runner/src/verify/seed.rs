//! The origin of a tournament's seed. That a drawn seed follows from its secret and the entrants is checked with the
//! manifest.

use std::path::Path;

use arena_ledger::layout::DEFINITION;
use arena_tournaments::{Commitment, Definition};
use serde::Serialize;

use super::{Coverage, Difference, Stop, VerifyError};
use crate::folder::defined_in;

/// The origin of a tournament's seed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum SeedOrigin {
    /// A number in the definition, which its author may have chosen.
    Chosen,
    /// Drawn from a secret and the entrants. Who knew the secret in advance is not known.
    Drawn,
    /// Drawn with the secret to which the previous tournament committed. When that was published is not known.
    Committed,
}

/// Notes the seed's origin. With `after`, returns whether the tournament there made no commitment.
pub(super) fn committed(definition: &Definition, after: Option<&Path>, coverage: &mut Coverage) -> Result<bool, Stop> {
    let origin = if definition.draw.is_some() { SeedOrigin::Drawn } else { SeedOrigin::Chosen };
    coverage.seed = Some(origin);
    let Some(after) = after else { return Ok(false) };
    // Of any release: whether that tournament is valid is another question.
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
        what: "the hash of the secret".into(),
        expected: next.0.to_string(),
        found: found.map_or_else(none, |Commitment(hash)| hash.to_string()),
        ..Difference::default()
    }))
}
