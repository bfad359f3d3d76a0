//! Where in a definition's text a field is.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use crate::problem::DefinitionError;

impl DefinitionError {
    /// With the line of its field in `text`, where that is not known yet; `entrant` says whose field it is, from 0.
    pub(crate) fn in_text(self, text: &str, entrant: Option<usize>) -> DefinitionError {
        match self {
            DefinitionError::Field { line: None, field, problem } => {
                DefinitionError::Field { line: line_of(text, field, entrant), field, problem }
            }
            other => other,
        }
    }
}

/// The line of a field such as `budgets.memory_bytes`, from 1, or of as much of it as is there.
fn line_of(text: &str, field: &str, entrant: Option<usize>) -> Option<usize> {
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
