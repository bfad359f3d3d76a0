//! Tokens: what programs of an account are given instead of its code. Each may do less, and ends by itself.

use async_trait::async_trait;

use crate::{AccessToken, Account, AccountId, DisplayName, StoreError, UnixSeconds};

/// The number of a token. Not a secret; it is never given out twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenId(pub i64);

/// What a token may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Read what the account sees: logs of its bots, too.
    Read,
    /// Read, submit versions of bots, and start, enter and run tournaments.
    Submit,
    /// Read, open rooms and play in them.
    Play,
    /// Read, and play games of tournaments for the site.
    Work,
    /// All of these, and whatever else needs neither the code nor a session.
    All,
}

impl Scope {
    /// Every scope, the narrowest first.
    pub const EVERY: [Scope; 5] = [Scope::Read, Scope::Submit, Scope::Play, Scope::Work, Scope::All];

    /// How it is called.
    pub fn word(self) -> &'static str {
        match self {
            Scope::Read => "read",
            Scope::Submit => "submit",
            Scope::Play => "play",
            Scope::Work => "work",
            Scope::All => "all",
        }
    }

    /// The scope of this name.
    pub fn named(word: &str) -> Option<Scope> {
        Scope::EVERY.into_iter().find(|scope| scope.word() == word)
    }

    /// Whether a token with this scope may do what needs the other one.
    pub fn covers(self, needed: Scope) -> bool {
        self == needed || self == Scope::All || needed == Scope::Read
    }
}

/// A token to be made.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewToken {
    /// What its owner calls it. Several may have one name.
    pub name: DisplayName,
    /// What it may do.
    pub scope: Scope,
    /// When it ends by itself: it is over in this second.
    pub expires_at: UnixSeconds,
}

/// A token, without its secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its number.
    pub id: TokenId,
    /// What its owner calls it.
    pub name: DisplayName,
    /// What it may do.
    pub scope: Scope,
    /// When it was made.
    pub created_at: UnixSeconds,
    /// When it ends by itself.
    pub expires_at: UnixSeconds,
    /// When it was used last, as far as that was noted.
    pub used_at: Option<UnixSeconds>,
}

/// Why a token cannot be made.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The account does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The account has as many as it may.
    #[error("an account has at most {0} tokens")]
    TooMany(u32),
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Tokens of accounts. They end with their account's code.
///
/// Making one is not repeatable: each call draws a secret of its own. Everything else may be repeated.
#[async_trait]
pub trait Tokens: Send + Sync + 'static {
    /// Makes a token of an account. The secret is returned here and never again: only its hash is kept. Those of the account
    /// that are over at `now` are removed in the same step.
    ///
    /// # Errors
    /// When there is no such account, or it has [`Limits::tokens_per_account_max`](crate::Limits).
    async fn create_token(
        &self,
        account: AccountId,
        new: &NewToken,
        now: UnixSeconds,
    ) -> Result<(Token, AccessToken), TokenError>;

    /// The tokens of an account, oldest first; those that are over among them, until another is made.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn tokens_of(&self, account: AccountId) -> Result<Vec<Token>, StoreError>;

    /// The token with this secret and its account, if it is not over at `now`.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn account_by_token(
        &self,
        secret: &AccessToken,
        now: UnixSeconds,
    ) -> Result<Option<(Account, Token)>, StoreError>;

    /// Notes that a token was used. An earlier moment than the one that is noted changes nothing, and nothing happens if there
    /// is no such token.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn note_use(&self, id: TokenId, now: UnixSeconds) -> Result<(), StoreError>;

    /// Ends a token of an account, and says whether there was one.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn revoke_token(&self, account: AccountId, id: TokenId) -> Result<bool, StoreError>;
}
