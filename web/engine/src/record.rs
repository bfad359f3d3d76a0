//! Records as pages send them.

use std::error::Error;

use arena_record::Record;

use crate::failure::Failure;

/// Parses a record.
pub(crate) fn parse(text: &str) -> Result<Record, Failure> {
    Record::parse(text).map_err(|error| {
        let why = error.source().map(|source| format!(": {source}")).unwrap_or_default();
        Failure::new("not_a_record", format!("{error}{why}"))
    })
}
