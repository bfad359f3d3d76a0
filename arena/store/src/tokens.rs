//! Tokens, which programs of an account use instead of its code. Each has limited rights and expires.

use arena_limits::{Kind, Refusal, Refused};
use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, IntoStaticStr};

use crate::{AccountError, DisplayName, StoreError, UnixSeconds};

/// The number of a token. Not a secret; it is never given out twice.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct TokenId(pub i64);

/// What a token may do.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize, Display, EnumString, IntoStaticStr)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase")]
pub enum Scope {
    /// Read what the account sees, including logs of its bots; not all of it at once.
    Read,
    /// Read, submit versions of bots, and start, enter and run tournaments.
    Submit,
    /// Read, except logs of bots, open rooms and play in them.
    Play,
    /// Play games of tournaments for the site, and nothing else: such a token is on a volunteer's machine.
    Work,
    /// All of these, and everything else that requires neither the code nor a session.
    All,
}

impl Scope {
    /// Every scope, those of programs before the widest.
    pub const EVERY: [Scope; 5] = [Scope::Read, Scope::Submit, Scope::Play, Scope::Work, Scope::All];

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

impl Refused for TokenError {
    fn refusal(&self) -> Refusal {
        match self {
            TokenError::NoSuchAccount => AccountError::NoSuchAccount.refusal(),
            TokenError::TooMany(_) => {
                Kind::Conflict.says("too_many_tokens", "revoke one that you do not need at /account")
            }
            TokenError::Store(error) => error.refusal(),
        }
    }
}
