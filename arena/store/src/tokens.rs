//! Tokens, which programs of an account use instead of its code. Each has limited rights and expires.

use async_trait::async_trait;

use crate::{AccessToken, Account, AccountId, DisplayName, StoreError, UnixSeconds};

/// The number of a token. Not a secret; it is never given out twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenId(pub i64);

/// What a token may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// Read what the account sees, including logs of its bots; not all of it at once.
    Read,
    /// Read, submit versions of bots, and start, enter and run tournaments.
    Submit,
    /// Read, open rooms and play in them.
    Play,
    /// Play games of tournaments for the site, and nothing else: such a token is on a volunteer's machine.
    Work,
    /// All of these, and everything else that requires neither the code nor a session.
    All,
}

impl Scope {
    /// Every scope, those of programs before the widest.
    pub const EVERY: [Scope; 5] = [Scope::Read, Scope::Submit, Scope::Play, Scope::Work, Scope::All];

    /// Its name.
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

    /// Whether a token with this scope may do what requires `needed`.
    pub fn covers(self, needed: Scope) -> bool {
        self == needed || self == Scope::All || (needed == Scope::Read && self != Scope::Work)
    }
}

/// A token to be created.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NewToken {
    /// Its name, chosen by its owner. Several may share one.
    pub name: DisplayName,
    /// What it may do.
    pub scope: Scope,
    /// When it expires, at the start of that second.
    pub expires_at: UnixSeconds,
}

/// A token, without its secret.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Token {
    /// Its number.
    pub id: TokenId,
    /// Its name, chosen by its owner.
    pub name: DisplayName,
    /// What it may do.
    pub scope: Scope,
    /// When it was created.
    pub created_at: UnixSeconds,
    /// When it expires.
    pub expires_at: UnixSeconds,
    /// When it was last used, as far as that was noted.
    pub used_at: Option<UnixSeconds>,
}

/// Why a token was not created.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// The account does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The account has as many as allowed.
    #[error("an account has at most {0} tokens")]
    TooMany(u32),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Tokens of accounts. They end with their account's code.
///
/// Creating a token is not repeatable: each call draws a secret of its own. Everything else may be repeated.
#[async_trait]
pub trait Tokens: Send + Sync + 'static {
    /// Creates a token of an account. The secret is returned here and never again: only its hash is kept. The account's tokens that have
    /// expired by `now` are removed in the same step.
    ///
    /// # Errors
    /// When there is no such account, or it has [`Limits::tokens_per_account_max`](crate::Limits).
    async fn create_token(
        &self,
        account: AccountId,
        new: &NewToken,
        now: UnixSeconds,
    ) -> Result<(Token, AccessToken), TokenError>;

    /// The tokens of an account, oldest first. Expired ones are included until another is created.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn tokens_of(&self, account: AccountId) -> Result<Vec<Token>, StoreError>;

    /// The token with this secret and its account, if it has not expired by `now`.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn account_by_token(
        &self,
        secret: &AccessToken,
        now: UnixSeconds,
    ) -> Result<Option<(Account, Token)>, StoreError>;

    /// Notes that a token was used. A time before the noted one changes nothing, and neither does a missing token.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn note_use(&self, id: TokenId, now: UnixSeconds) -> Result<(), StoreError>;

    /// Revokes a token of an account, and returns whether there was one.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn revoke_token(&self, account: AccountId, id: TokenId) -> Result<bool, StoreError>;
}
