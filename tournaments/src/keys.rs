//! What a definition says of its format.

use toml::Spanned;

use crate::format::{FIELD, ROUND_ROBIN};
use crate::formats::{FORMATS, FormatSpec};
use crate::limits::{DEFINITION_BYTES_MAX, FIELD_GAMES_MAX, PAIRS_MAX};

/// Why a text is not a definition.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum DefinitionError {
    /// Longer than any definition.
    #[error("a definition has at most {DEFINITION_BYTES_MAX} bytes, this text has {0}: is it the right file?")]
    TooLong(usize),
    /// Not TOML, or not the fields of a definition.
    #[error("{0}")]
    Toml(String),
    /// A field whose value makes no tournament.
    #[error("{}`{field}` {problem}", .line.map(|line| format!("line {line}: ")).unwrap_or_default())]
    Field {
        /// Its line, from 1, where that is known.
        line: Option<usize>,
        /// The field.
        field: String,
        /// What is wrong and what would be right.
        problem: String,
    },
}

/// The format's name and all keys that some format has, as they are written.
pub(crate) struct Keys {
    pub(crate) format: Option<Spanned<String>>,
    pub(crate) pairs: Option<Spanned<u32>>,
    pub(crate) games: Option<Spanned<u32>>,
}

impl Keys {
    /// The format that they make, in the definition `text`. Without a name it is a round robin.
    pub(crate) fn spec(self, text: &str) -> Result<FormatSpec, DefinitionError> {
        let line = |at: usize| 1 + text[..at].matches('\n').count();
        let named = self.format.as_ref().map(|name| line(name.span().start));
        let wrong = |line: Option<usize>, field: &str, problem: String| DefinitionError::Field {
            line,
            field: field.into(),
            problem,
        };
        let within = |key: Option<Spanned<u32>>, field: &str, most: u32, what: &str| match key {
            None => Err(wrong(named, field, format!("is missing: say {what}, 1 to {most}"))),
            Some(key) if (1..=most).contains(key.get_ref()) => Ok(key.into_inner()),
            Some(key) => {
                Err(wrong(Some(line(key.span().start)), field, format!("is 1 to {most}, not {}", key.get_ref())))
            }
        };
        match self.format.as_ref().map_or(ROUND_ROBIN, |name| name.get_ref()) {
            ROUND_ROBIN => {
                if let Some(games) = self.games {
                    let problem = format!(
                        "is a key of `format = {FIELD:?}`; a round robin plays pairs of games: leave it out and say `pairs`"
                    );
                    return Err(wrong(Some(line(games.span().start)), "games", problem));
                }
                let pairs = within(self.pairs, "pairs", PAIRS_MAX, "how many pairs of games each two entrants play")?;
                Ok(FormatSpec::RoundRobin { pairs })
            }
            FIELD => {
                let games = within(self.games, "games", FIELD_GAMES_MAX, "how many games of all seats are played")?;
                let pairs = within(self.pairs, "pairs", PAIRS_MAX, "how many pairs of two-seat games break ties")?;
                Ok(FormatSpec::Field { games, pairs })
            }
            other => Err(wrong(named, "format", format!("is one of {FORMATS}, not {other:?}"))),
        }
    }
}
