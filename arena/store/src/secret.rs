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
    fn random() -> Result<Secret, StoreError> {
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
pub fn random_bytes<const N: usize>() -> Result<[u8; N], StoreError> {
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

/// The secret of an account. Its holder is the player.
///
/// As text: `arena_`, 64 hex digits, and 8 more as a checksum.
#[derive(Clone)]
pub struct PlayerCode(Secret);

impl PlayerCode {
    pub(crate) fn random() -> Result<PlayerCode, StoreError> {
        Secret::random().map(PlayerCode)
    }

    /// Parses a code; surrounding white space is ignored.
    ///
    /// # Errors
    /// When the text is not a code. Only the store knows whether an account has it.
    pub fn parse(text: &str) -> Result<PlayerCode, NotASecret> {
        CODE.parse(text).map(PlayerCode)
    }

    /// The text, to be shown to the player and to nobody else. There is no `Display`, so that it gets into no log by
    /// accident.
    pub fn expose(&self) -> String {
        CODE.text(&self.0)
    }

    pub(crate) fn hash(&self) -> [u8; 32] {
        self.0.hash()
    }
}

impl fmt::Debug for PlayerCode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("PlayerCode(..)")
    }
}

/// The secret of an account's token. It permits what the token's scope allows.
///
/// As text: `arena_token_`, 64 hex digits, and 8 more as a checksum.
#[derive(Clone)]
pub struct AccessToken(Secret);

impl AccessToken {
    pub(crate) fn random() -> Result<AccessToken, StoreError> {
        Secret::random().map(AccessToken)
    }

    /// Parses a token; surrounding white space is ignored.
    ///
    /// # Errors
    /// When the text is not a token. Only the store knows whether an account has it.
    pub fn parse(text: &str) -> Result<AccessToken, NotASecret> {
        TOKEN.parse(text).map(AccessToken)
    }

    /// The text, to be shown to the player and to nobody else.
    pub fn expose(&self) -> String {
        TOKEN.text(&self.0)
    }

    pub(crate) fn hash(&self) -> [u8; 32] {
        self.0.hash()
    }
}

impl fmt::Debug for AccessToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AccessToken(..)")
    }
}

/// The proof of a program that it acts for an account.
#[derive(Clone, Debug)]
pub enum Credential {
    /// The account's code, which allows everything.
    Code(PlayerCode),
    /// A token of the account, which allows what its scope says.
    Token(AccessToken),
}

impl Credential {
    /// Parses a code or a token; surrounding white space is ignored.
    ///
    /// # Errors
    /// When the text is neither.
    pub fn parse(text: &str) -> Result<Credential, NotASecret> {
        if text.trim_start().starts_with(TOKEN.prefix) {
            AccessToken::parse(text).map(Credential::Token)
        } else {
            PlayerCode::parse(text).map(Credential::Code)
        }
    }
}

/// The secret of a browser's session. As text: 64 hex digits.
#[derive(Clone)]
pub struct SessionToken(Secret);

impl SessionToken {
    pub(crate) fn random() -> Result<SessionToken, StoreError> {
        Secret::random().map(SessionToken)
    }

    /// Parses a token.
    ///
    /// # Errors
    /// When the text is not a token.
    pub fn parse(text: &str) -> Result<SessionToken, NotASecret> {
        let secret: Hex<32> = text.parse().map_err(|_| NotASecret::Token)?;
        Ok(SessionToken(Secret(secret.0)))
    }

    /// The text, for the browser's cookie and nothing else.
    pub fn expose(&self) -> String {
        Hex(self.0.0).to_string()
    }

    pub(crate) fn hash(&self) -> [u8; 32] {
        self.0.hash()
    }
}

impl fmt::Debug for SessionToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SessionToken(..)")
    }
}
