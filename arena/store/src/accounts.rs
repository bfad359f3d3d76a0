//! Players: a name that resembles no other, a secret code, their browsers and the sessions in them.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;
use async_trait::async_trait;
use serde::{Deserialize, Serialize};

use crate::{DisplayName, PlayerCode, SessionToken, StoreError, UnixSeconds};

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

/// Accounts and sessions.
///
/// Of concurrent calls for names that look alike, one gets the name. Creating an account, a code or a session is not repeatable: each
/// call draws a secret of its own, and one whose answer was lost expires or is replaced. Everything else may be repeated.
#[async_trait]
pub trait Accounts: Send + Sync + 'static {
    /// Creates an account with a name. The code is returned here and never again: only its hash is kept. Deleted accounts do not
    /// count towards the limit, and their numbers are never given again.
    ///
    /// # Errors
    /// When there are [`Limits::accounts_max`](crate::Limits) accounts, or the name looks like one that is taken.
    async fn create_account(&self, name: &DisplayName, now: UnixSeconds)
    -> Result<(Account, PlayerCode), AccountError>;

    /// The account with this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError>;

    /// The account whose code this is.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn account_by_code(&self, code: &PlayerCode) -> Result<Option<Account>, StoreError>;

    /// Gives an account another name. In the same step the old one becomes free for others.
    ///
    /// # Errors
    /// When there is no such account, or the name looks like another account's.
    async fn rename_account(&self, id: AccountId, name: &DisplayName) -> Result<Account, AccountError>;

    /// Gives an account a new code, for a player whose code became known. In the same step the old code, all sessions and all tokens
    /// become invalid.
    ///
    /// # Errors
    /// When there is no such account.
    async fn replace_code(&self, id: AccountId) -> Result<PlayerCode, AccountError>;

    /// Opens a session of an account that expires at `expires_at`. If the account has more than
    /// [`Limits::sessions_per_account_max`](crate::Limits) then, the one that would expire first is ended in the same step; among equals,
    /// any.
    ///
    /// # Errors
    /// When there is no such account.
    async fn create_session(&self, id: AccountId, expires_at: UnixSeconds) -> Result<SessionToken, AccountError>;

    /// The account of a session, if it is open at `now`: it ends at the start of the second in which it expires.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn account_by_session(&self, token: &SessionToken, now: UnixSeconds) -> Result<Option<Account>, StoreError>;

    /// Ends a session. Nothing happens if there is none.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn end_session(&self, token: &SessionToken) -> Result<(), StoreError>;

    /// Notes that an account signs in in a browser, which has a hash that only tells whether two are the same. Repeating it changes
    /// nothing but the time. If the account has more than [`Limits::browsers_per_account_max`](crate::Limits) then, those that it
    /// signed in in longest ago are forgotten in the same step.
    ///
    /// # Errors
    /// When there is no such account.
    async fn note_browser(&self, id: AccountId, browser: Hex<32>, now: UnixSeconds) -> Result<(), AccountError>;

    /// The browsers in which accounts signed in; of at most [`PAGE_MAX`](crate::PAGE_MAX) accounts. One without any is left out.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn browsers_of(&self, accounts: &[AccountId]) -> Result<BTreeMap<AccountId, BTreeSet<Hex<32>>>, StoreError>;

    /// Deletes an account. In one step its name, code, sessions, browsers, tokens and its bots' logs are deleted, and so are all of its
    /// bots and versions that were never accepted. Accepted versions may be in a published edition: their bytes stay under their hash,
    /// named [`DELETED`](crate::DELETED), and nobody else gets the bot's name. The account's number is never given out again.
    ///
    /// # Errors
    /// When there is no such account.
    async fn delete_account(&self, id: AccountId, now: UnixSeconds) -> Result<(), AccountError>;

    /// Removes the sessions that have expired by `now`, and returns how many. To be called at intervals; nothing depends on it.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn drop_expired_sessions(&self, now: UnixSeconds) -> Result<u64, StoreError>;
}
