//! The places of fields in a definition's text.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::problem::{DefinitionError, Problem};

impl DefinitionError {
    /// An error about the first of these fields that is in `text`, with its line; about the first of all if none is
    /// there.
    pub(crate) fn about(fields: &[&'static str], problem: Problem, text: &str) -> DefinitionError {
        let found = fields.iter().find_map(|field| Some((*field, line_of(text, field, None)?)));
        let field = found.map(|(field, _)| field).or(fields.first().copied()).unwrap_or_default();
        DefinitionError::Field { line: found.map(|(_, line)| line), field, problem }
    }

    /// The error with the line of its field in `text`, unless that is known already; `entrant` is the index of the
    /// field's entrant.
    pub(crate) fn in_text(self, text: &str, entrant: Option<usize>) -> DefinitionError {
        match self {
            DefinitionError::Field { line: None, field, problem } => {
                DefinitionError::Field { line: line_of(text, field, entrant), field, problem }
            }
            other => other,
        }
    }
}

/// The line, from 1, of a field such as `budgets.memory_bytes`, or of its longest prefix in the text.
pub(crate) fn line_of(text: &str, field: &str, entrant: Option<usize>) -> Option<usize> {
    let table = DeTable::parse(text).ok()?;
    let (mut table, mut found) = (Some(table.get_ref()), None);
    for part in field.split('.') {
        let Some((key, value)) = table.and_then(|table| table.iter().find(|(key, _)| key.get_ref() == part)) else {
            break;
        };
        let value = match (value.get_ref(), entrant) {
            (DeValue::Array(values), Some(entrant)) => values.get(entrant),
            _ => None,
        }
        .map_or((key.span(), value), |value: &Spanned<DeValue<'_>>| (value.span(), value));
        found = Some(value.0.start);
        table = match value.1.get_ref() {
            DeValue::Table(table) => Some(table),
            _ => None,
        };
    }
    found.map(|at| 1 + text[..at].matches('\n').count())
}
