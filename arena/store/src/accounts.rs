//! Players: a name that resembles no other, a secret code, their browsers and the sessions in them.

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
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
