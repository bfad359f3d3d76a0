//! Secrets that are shown once and kept as hashes.
//!
//! A plain SHA-256 is enough, unlike for passwords: nobody can try out 2^256 values.

use std::fmt;

use arena_limits::{Kind, Refusal, Refused};
use arena_record::Hex;
use rand::TryRng;
use rand::rngs::SysRng;
use sha2::{Digest, Sha256};

use crate::StoreError;
use crate::error::Result;

/// The written form of a kind of secret that people copy: a prefix, 64 hex digits, and 8 more as a checksum.
struct Form {
    /// Makes it recognisable to people and to scanners for leaked secrets.
    prefix: &'static str,
    /// Separates the checksum from the stored hash, and from checksums of other kinds.
    checksum_tag: &'static [u8],
    /// The error for text of another form.
    otherwise: NotASecret,
}

const CODE: Form = Form { prefix: "arena_", checksum_tag: b"arena/player-code/1", otherwise: NotASecret::Form };

const TOKEN: Form =
    Form { prefix: "arena_token_", checksum_tag: b"arena/access-token/1", otherwise: NotASecret::AccessToken };

const WORKER: Form =
    Form { prefix: "arena_worker_", checksum_tag: b"arena/worker-token/1", otherwise: NotASecret::WorkerToken };

impl Form {
    fn parse(&self, text: &str) -> Result<Secret, NotASecret> {
        let otherwise = || self.otherwise;
        let digits = text.trim().strip_prefix(self.prefix).ok_or_else(otherwise)?;
        let (secret, checksum) = digits.split_at_checked(64).ok_or_else(otherwise)?;
        let secret: Hex<32> = secret.parse().map_err(|_| otherwise())?;
        let checksum: Hex<4> = checksum.parse().map_err(|_| otherwise())?;
        let secret = Secret(secret.0);
        if self.checksum(&secret) == checksum { Ok(secret) } else { Err(NotASecret::Checksum) }
    }

    fn text(&self, secret: &Secret) -> String {
        format!("{}{}{}", self.prefix, Hex(secret.0), self.checksum(secret))
    }

    fn checksum(&self, secret: &Secret) -> Hex<4> {
        let digest = Sha256::new().chain_update(self.checksum_tag).chain_update(secret.0).finalize();
        Hex(std::array::from_fn(|index| digest[index]))
    }
}

/// 256 bits from the operating system.
#[derive(Clone)]
struct Secret([u8; 32]);

impl Secret {
    fn random() -> Result<Secret> {
        random_bytes().map(Secret)
    }

    fn hash(&self) -> [u8; 32] {
        Sha256::digest(self.0).into()
    }
}

/// Bytes that nobody can guess, from the operating system's random source.
///
/// # Errors
/// When the source fails.
pub fn random_bytes<const N: usize>() -> Result<[u8; N]> {
    let mut bytes = [0; N];
    SysRng.try_fill_bytes(&mut bytes).map_err(|error| StoreError::Unavailable(error.into()))?;
    Ok(bytes)
}

/// A text that is not a secret of the expected kind. Contains nothing of the text, which may be a secret with a typing
/// error.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotASecret {
    /// Not the form of a code.
    #[error("a player code is `arena_` and 72 digits from 0 to 9 and a to f")]
    Form,
    /// Not an account's token.
    #[error("a token is `arena_token_` and 72 digits from 0 to 9 and a to f")]
    AccessToken,
    /// Not a worker's token.
    #[error("a worker's token is `arena_worker_` and 72 digits from 0 to 9 and a to f")]
    WorkerToken,
    /// The right form, with a wrong digit.
    #[error("this player code or token has a typing error")]
    Checksum,
    /// Not a session's token.
    #[error("not the token of a session")]
    Token,
}

impl Refused for NotASecret {
    fn refusal(&self) -> Refusal {
        Kind::Unauthorized.says("bad_code", "copy the whole of it as it was shown to you")
    }
}

/// A kind of secret, its text and back. None has a `Display`, so that it gets into no log by accident.
macro_rules! secret {
    ($(#[$doc:meta])* $name:ident, $parse:expr, $text:expr) => {
        $(#[$doc])*
        #[derive(Clone)]
        pub struct $name(Secret);

        impl $name {
            pub(crate) fn random() -> Result<$name> {
                Secret::random().map($name)
            }

            /// Parses one; surrounding white space is ignored where people copy it.
            ///
            /// # Errors
            /// When the text is none. Only the store knows whose it is.
            pub fn parse(text: &str) -> Result<$name, NotASecret> {
                let parse: fn(&str) -> Result<Secret, NotASecret> = $parse;
                parse(text).map($name)
            }

            /// The text, to be shown to its owner and to nobody else.
            pub fn expose(&self) -> String {
                let text: fn(&Secret) -> String = $text;
                text(&self.0)
            }

            pub(crate) fn hash(&self) -> [u8; 32] {
                self.0.hash()
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(concat!(stringify!($name), "(..)"))
            }
        }
    };
}

secret! {
    /// The secret of an account. Its holder is the player.
    ///
    /// As text: `arena_`, 64 hex digits, and 8 more as a checksum.
    PlayerCode, |text| CODE.parse(text), |secret| CODE.text(secret)
}

secret! {
    /// The secret of an account's token. It permits what the token's scope allows.
    ///
    /// As text: `arena_token_`, 64 hex digits, and 8 more as a checksum.
    AccessToken, |text| TOKEN.parse(text), |secret| TOKEN.text(secret)
}

secret! {
    /// The secret of one of the site's own workers.
    ///
    /// As text: `arena_worker_`, 64 hex digits, and 8 more as a checksum.
    WorkerToken, |text| WORKER.parse(text), |secret| WORKER.text(secret)
}

secret! {
    /// The secret of a browser's session. As text: 64 hex digits.
    SessionToken,
    |text| text.parse().map(|secret: Hex<32>| Secret(secret.0)).map_err(|_| NotASecret::Token),
    |secret| Hex(secret.0).to_string()
}

/// The proof of a program that it acts for an account, or is a worker of the site.
#[derive(Clone, Debug)]
pub enum Credential {
    /// The account's code, which allows everything.
    Code(PlayerCode),
    /// A token of the account, which allows what its scope says.
    Token(AccessToken),
    /// The token of a worker, which belongs to no account.
    Worker(WorkerToken),
}

impl Credential {
    /// Parses a code or a token; surrounding white space is ignored.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn parse(text: &str) -> Result<Credential, NotASecret> {
        if text.trim_start().starts_with(TOKEN.prefix) {
            AccessToken::parse(text).map(Credential::Token)
        } else if text.trim_start().starts_with(WORKER.prefix) {
            WorkerToken::parse(text).map(Credential::Worker)
        } else {
            PlayerCode::parse(text).map(Credential::Code)
        }
    }
}
