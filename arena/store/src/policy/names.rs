//! Who may claim a name, for an account or a bot.

use crate::{AccountError, BotError, Limits};

/// What decides on a name, at one moment.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameView {
    /// Whether the account or bot is there that is to have it. A bot whose versions were all refused is not.
    pub(crate) is_there: bool,
    /// Whether another one has the name, or one that looks like it.
    pub(crate) is_taken: bool,
}

/// Whether an account may be created: `accounts` are there, and accounts are `closed` or not.
pub(crate) fn may_create(closed: bool, accounts: u64, is_taken: bool, limits: &Limits) -> Result<(), AccountError> {
    if closed {
        return Err(AccountError::Closed);
    }
    if accounts >= limits.accounts_max.into() {
        return Err(AccountError::TooManyAccounts);
    }
    if is_taken { Err(AccountError::NameTaken) } else { Ok(()) }
}

/// Whether an account may have a name.
pub(crate) fn may_rename_account(view: NameView) -> Result<(), AccountError> {
    match view {
        NameView { is_there: false, .. } => Err(AccountError::NoSuchAccount),
        NameView { is_taken: true, .. } => Err(AccountError::NameTaken),
        _ => Ok(()),
    }
}

/// Whether a bot may have a name.
pub(crate) fn may_rename_bot(view: NameView) -> Result<(), BotError> {
    match view {
        NameView { is_there: false, .. } => Err(BotError::NoSuchBot),
        NameView { is_taken: true, .. } => Err(BotError::NameTaken),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accounts_are_created_up_to_their_limit_each_with_a_name_of_its_own() {
        let (limits, max) = (Limits::DEFAULT, u64::from(Limits::DEFAULT.accounts_max));
        let decided = |closed, accounts, is_taken| {
            may_create(closed, accounts, is_taken, &limits).map_err(|error| format!("{error:?}"))
        };
        assert_eq!(decided(false, max - 1, false), Ok(()));
        assert_eq!(decided(false, max, true), Err("TooManyAccounts".into()));
        assert_eq!(decided(false, max - 1, true), Err("NameTaken".into()));
        assert_eq!(decided(true, max, true), Err("Closed".into()));
    }

    #[test]
    fn only_who_is_there_gets_a_name_and_only_a_free_one() {
        for (is_there, is_taken, refused) in
            [(true, false, None), (true, true, Some("NameTaken")), (false, true, Some("NoSuch"))]
        {
            let view = NameView { is_there, is_taken };
            let errors = [
                may_rename_account(view).map_err(|error| format!("{error:?}")),
                may_rename_bot(view).map_err(|error| format!("{error:?}")),
            ];
            for error in errors.map(Result::err) {
                assert_eq!(error.is_none(), refused.is_none());
                assert!(error.is_none_or(|error| refused.is_some_and(|code| error.starts_with(code))));
            }
        }
    }
}
