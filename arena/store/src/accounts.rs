//! Players: a name that looks like nobody else's, a secret code, and the sessions of their browsers.

use async_trait::async_trait;

use crate::{DisplayName, PlayerCode, SessionToken, StoreError, UnixSeconds};

/// The number of an account. Not a secret, and not for people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccountId(pub i64);

/// What everything is called whose owner deleted the account. No account and no bot may have this name.
pub const DELETED: &str = "deleted";

/// A player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// How it is shown.
    pub name: DisplayName,
    /// When it was made.
    pub created_at: UnixSeconds,
    /// Whether the operator has disabled it: it may do nothing, and none of its bots plays.
    pub disabled: bool,
}

/// Why an account cannot be made or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Somebody has a name that looks the same.
    #[error("this name, or one that looks like it, is taken")]
    NameTaken,
    /// The store has as many as it may.
    #[error("no more accounts can be made here")]
    TooManyAccounts,
    /// It does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Accounts and sessions.
///
/// Of concurrent calls that want names which look alike, one gets the name. Making an account, a code or a session is
/// not repeatable: each call draws a secret of its own, and one whose answer was lost is left to expire or to be
/// replaced. Everything else may be repeated.
#[async_trait]
pub trait Accounts: Send + Sync + 'static {
    /// Makes an account that is known as `name`. The code is returned here and never again: only its hash is kept.
    /// Deleted accounts count for the limit.
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

    /// Gives an account another name. In the same step its old one becomes free for anybody.
    ///
    /// # Errors
    /// When there is no such account, or the name looks like somebody else's.
    async fn rename_account(&self, id: AccountId, name: &DisplayName) -> Result<Account, AccountError>;

    /// Gives an account a new code, for a player whose code became known. In the same step the old one, all sessions
    /// and all tokens end.
    ///
    /// # Errors
    /// When there is no such account.
    async fn replace_code(&self, id: AccountId) -> Result<PlayerCode, AccountError>;

    /// Opens a session of an account that ends by itself at `expires_at`. One more than
    /// [`Limits::sessions_per_account_max`](crate::Limits) ends the one that would expire first, in the same step; of
    /// those that expire in the same second it is any.
    ///
    /// # Errors
    /// When there is no such account.
    async fn create_session(&self, id: AccountId, expires_at: UnixSeconds) -> Result<SessionToken, AccountError>;

    /// The account of a session, if it is open at `now`: it is over in the second in which it expires.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn account_by_session(&self, token: &SessionToken, now: UnixSeconds) -> Result<Option<Account>, StoreError>;

    /// Ends a session. Nothing happens if there is none.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn end_session(&self, token: &SessionToken) -> Result<(), StoreError>;

    /// Deletes an account: in one step its name, code, sessions and tokens, what its bots logged, and all of its bots and versions
    /// that were never accepted. What was accepted may stand in a published edition: its bytes stay under their hash, by the
    /// name [`DELETED`](crate::DELETED), and nobody else gets the bot's name. The account's number is given to no other; it is
    /// nobody's from then on.
    ///
    /// # Errors
    /// When there is no such account.
    async fn delete_account(&self, id: AccountId, now: UnixSeconds) -> Result<(), AccountError>;

    /// Removes the sessions that are over at `now`, and says how many. To be called now and then; nothing depends on
    /// it.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn drop_expired_sessions(&self, now: UnixSeconds) -> Result<u64, StoreError>;
}
