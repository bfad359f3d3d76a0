//! Who may create a token.

use crate::{Limits, TokenError};

/// What decides on a new token, at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TokenView {
    /// Whether the account is there.
    pub(crate) is_there: bool,
    /// Its tokens that have not expired.
    pub(crate) tokens: u64,
}

/// Whether an account may create one more token.
pub(crate) fn may_create(view: TokenView, limits: &Limits) -> Result<(), TokenError> {
    let max = limits.tokens_per_account_max;
    match view {
        TokenView { is_there: false, .. } => Err(TokenError::NoSuchAccount),
        TokenView { tokens, .. } if tokens >= max.into() => Err(TokenError::TooMany(max)),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_that_is_there_has_tokens_up_to_its_limit() {
        let limits = Limits::DEFAULT;
        let decided = |is_there, tokens| {
            may_create(TokenView { is_there, tokens }, &limits).map_err(|error| format!("{error:?}"))
        };
        let max = limits.tokens_per_account_max;
        assert_eq!(decided(true, u64::from(max) - 1), Ok(()));
        assert_eq!(decided(true, max.into()), Err(format!("TooMany({max})")));
        assert_eq!(decided(false, max.into()), Err("NoSuchAccount".into()));
    }
}
