//! Players: a name that resembles no other, a secret code, their browsers and the sessions in them.

use arena_limits::{CLOSED_SECONDS, Kind, Refusal, Refused};
use serde::{Deserialize, Serialize};

use crate::{DisplayName, StoreError, UnixSeconds};

/// The number of an account. Not a secret, and not for people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
pub struct AccountId(pub i64);

/// The name shown for everything whose owner deleted the account. No account and no bot may have this name.
pub const DELETED: &str = "deleted";

/// A player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// How it is shown.
    pub name: DisplayName,
    /// When it was created.
    pub created_at: UnixSeconds,
    /// Whether the operator has disabled it: it may do nothing, and none of its bots plays.
    pub disabled: bool,
}

/// Why an account cannot be made or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Another account has a name that looks the same.
    #[error("this name, or one that looks like it, is taken")]
    NameTaken,
    /// The store has as many as allowed.
    #[error("no more accounts can be created here")]
    TooManyAccounts,
    /// The operator has closed creating accounts.
    #[error("the operator of this arena takes no new accounts at the moment")]
    Closed,
    /// It does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The operator has disabled it.
    #[error("the operator of this arena has disabled this account")]
    Disabled,
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Seconds after which to retry if all places for accounts are taken: one is free when an account is deleted, or the
/// operator acts.
const FULL_SECONDS: u64 = 3_600;

impl Refused for AccountError {
    fn refusal(&self) -> Refusal {
        match self {
            AccountError::NameTaken => Kind::Conflict.says("name_taken", "choose another name"),
            AccountError::TooManyAccounts => {
                Kind::Busy.says("full", "ask the operator of this arena").again_in(FULL_SECONDS)
            }
            AccountError::Closed => {
                Kind::Busy.says("closed", "play as a guest; try again later").again_in(CLOSED_SECONDS)
            }
            AccountError::NoSuchAccount => Kind::Unauthorized.says("sign_in", "sign in again at /account"),
            AccountError::Disabled => Kind::Forbidden.says("disabled", "ask the operator why"),
            AccountError::Store(error) => error.refusal(),
        }
    }
}
