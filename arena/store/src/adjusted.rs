//! Limits that the operator adjusts while the site runs. No result depends on them: only who is let in.

use arena_limits::{Kind, Refusal, Refused};

use crate::Limits;

/// A value for one of the limits that may be adjusted, within its bounds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Adjusted {
    /// The limit's name.
    pub(crate) name: &'static str,
    /// The value, as the store keeps it.
    pub(crate) value: String,
}

/// Why a limit is not adjusted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AdjustError {
    /// No limit of this name may be adjusted.
    #[error("no limit called {0:?} can be adjusted")]
    Unknown(String),
    /// The value is beyond its bounds, or no number.
    #[error("`{name}` must be a whole number from {min} to {max}")]
    Beyond {
        /// The limit's name.
        name: &'static str,
        /// The lowest that it may be.
        min: u64,
        /// The highest that it may be.
        max: u64,
    },
}

impl Refused for AdjustError {
    fn refusal(&self) -> Refusal {
        match self {
            AdjustError::Unknown(_) => {
                let names: Vec<&str> = Limits::ADJUSTABLE.iter().map(|(name, ..)| *name).collect();
                Kind::NotFound.says("no_such_limit", format!("these can: `{}`", names.join("`, `")))
            }
            AdjustError::Beyond { .. } => Kind::Invalid.says("bad_limit", "/api/v1/limits has what it is now"),
        }
    }
}

impl Adjusted {
    /// A limit and its new value.
    ///
    /// # Errors
    /// When the limit may not be adjusted, or not so far.
    pub fn parse(name: &str, value: &str) -> Result<Adjusted, AdjustError> {
        let (name, min, max) = adjustable(name)?;
        let number = value.parse().ok().filter(|number: &u64| (min..=max).contains(number));
        let number = number.ok_or(AdjustError::Beyond { name, min, max })?;
        Ok(Adjusted { name, value: number.to_string() })
    }

    /// The name of a limit that may be adjusted.
    ///
    /// # Errors
    /// When it may not.
    pub fn name(name: &str) -> Result<&'static str, AdjustError> {
        Ok(adjustable(name)?.0)
    }
}

/// The limit of this name, and its bounds.
fn adjustable(name: &str) -> Result<(&'static str, u64, u64), AdjustError> {
    let found = Limits::ADJUSTABLE.iter().find(|(known, ..)| *known == name);
    found.copied().ok_or_else(|| AdjustError::Unknown(name.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_adjusted_from_its_lowest_to_its_highest_value_and_no_further() {
        for (name, min, max) in Limits::ADJUSTABLE {
            for (value, fits) in [(*min, true), (*max, true), (min - 1, false), (max + 1, false)] {
                let parsed = Adjusted::parse(name, &value.to_string());
                assert_eq!(parsed.is_ok(), fits, "{name} {value}");
                let mut limits = Limits::DEFAULT;
                limits.adjust(name, value);
                let rows = limits.list(&Limits::DEFAULT);
                let row = rows.iter().find(|row| row.name == *name).expect("a row");
                let own = row.adjustable.expect("it may be adjusted");
                assert_eq!((own.min, own.max), (*min, *max));
                assert_eq!(row.value, if fits { value } else { own.default }, "{name}");
            }
        }
    }

    #[test]
    fn what_cannot_be_adjusted_is_refused_with_what_can() {
        for wrong in ["", "-1", "1.5", "many"] {
            let refused = Adjusted::parse("accounts", wrong).expect_err("no number");
            assert_eq!(refused.to_string(), "`accounts` must be a whole number from 1 to 100000", "{wrong}");
        }
        // What an edition is made of depends on it.
        let refused = Adjusted::parse("bots", "5").expect_err("it stays");
        let names: Vec<&str> = Limits::ADJUSTABLE.iter().map(|(name, ..)| *name).collect();
        assert!(refused.refusal().hint.contains(&names.join("`, `")), "{}", refused.refusal().hint);
        assert!(!names.contains(&"bots"));
    }
}
