//! The token of the site's operator, and the sessions that began with it.

use std::fmt;

use arena_record::Hex;
use arena_store::{Store, UnixSeconds, random_bytes};
use sha2::{Digest, Sha256};

use crate::limits::{OPERATOR_SESSION_SECONDS, OPERATOR_TOKEN_CHARS_MIN};
use crate::problem::{Code, Problem, Result};

/// The token that identifies an operator. Only its hash is in memory.
#[derive(Clone)]
pub struct OperatorToken([u8; 32]);

/// A text that is too short for an operator's token, or has unsuitable characters. It does not contain the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an operator's token is at least {OPERATOR_TOKEN_CHARS_MIN} printable ASCII characters without spaces")]
pub struct NotAnOperatorToken;

impl OperatorToken {
    /// Parses a token; white space around it is ignored.
    ///
    /// # Errors
    /// If it could be guessed, or cannot be sent in a header.
    pub fn parse(text: &str) -> Result<OperatorToken, NotAnOperatorToken> {
        let text = text.trim();
        let fits = text.len() >= OPERATOR_TOKEN_CHARS_MIN && text.chars().all(|c| c.is_ascii_graphic());
        if fits { Ok(OperatorToken(Sha256::digest(text).into())) } else { Err(NotAnOperatorToken) }
    }

    /// Whether a text is this token. Hashes are compared, so the time this takes reveals nothing about the token.
    pub(crate) fn is(&self, text: &str) -> bool {
        <[u8; 32]>::from(Sha256::digest(text.trim())) == self.0
    }

    /// The key of a session in the store. It depends on the token, so that changing the token ends the session.
    fn session(&self, secret: &str) -> [u8; 32] {
        Sha256::new().chain_update(self.0).chain_update(secret).finalize().into()
    }
}

impl fmt::Debug for OperatorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorToken(..)")
    }
}

/// The operator's token and sessions. The store keeps the sessions, so they hold at every server of a site.
pub(crate) struct Operators {
    token: Option<OperatorToken>,
}

impl Operators {
    pub(crate) fn new(token: Option<OperatorToken>) -> Operators {
        Operators { token }
    }

    /// The token of the site, if it has one.
    pub(crate) fn token(&self) -> Result<&OperatorToken> {
        self.token.as_ref().ok_or_else(|| {
            let hint = "start this arena with --operator-token-file";
            Problem::new(Code::NoSuchOperator, "this arena has no operator's page", hint)
        })
    }

    /// Begins a session; returns its cookie's value.
    pub(crate) async fn sign_in(&self, store: &Store, text: &str, now: UnixSeconds) -> Result<String> {
        let token = self.token()?;
        if !token.is(text) {
            return Err(not_the_operator());
        }
        let secret = Hex(random_bytes::<32>()?).to_string();
        let until = UnixSeconds(now.0 + OPERATOR_SESSION_SECONDS);
        store.begin_operator_session(&token.session(&secret), until, now).await?;
        Ok(secret)
    }

    pub(crate) async fn is_open(&self, store: &Store, secret: &str, now: UnixSeconds) -> Result<bool> {
        Ok(store.is_operator_session(&self.token()?.session(secret), now).await?)
    }

    pub(crate) async fn sign_out(&self, store: &Store, secret: &str) -> Result<()> {
        Ok(store.end_operator_session(&self.token()?.session(secret)).await?)
    }
}

/// The problem of a visitor who is not the operator, or no longer.
pub(crate) fn not_the_operator() -> Problem {
    Problem::new(
        Code::NotTheOperator,
        "this is for the operator of the arena",
        "sign in at /operator; programs send the operator's token as a bearer token",
    )
}

#[cfg(test)]
mod tests {
    use arena_store::Limits;

    use super::*;

    const TOKEN: &str = "0123456789abcdef0123456789abcdef";

    fn operators() -> Operators {
        Operators::new(OperatorToken::parse(TOKEN).ok())
    }

    #[test]
    fn a_token_is_long_enough_printable_and_known_by_its_text() {
        let token = OperatorToken::parse(&format!(" {TOKEN}\n")).expect("a token");
        assert!(token.is(TOKEN) && !token.is(&TOKEN[1..]) && !token.is(""));
        assert_eq!(format!("{token:?}"), "OperatorToken(..)");
        for short in ["", &TOKEN[1..], &format!("{} {}", &TOKEN[..16], &TOKEN[16..]), &"é".repeat(32)] {
            assert_eq!(OperatorToken::parse(short).err(), Some(NotAnOperatorToken), "{short}");
        }
    }

    #[tokio::test]
    async fn a_session_begins_with_the_token_and_ends() {
        let (store, operators) = (Store::in_memory(Limits::DEFAULT).await.expect("a store"), operators());
        assert!(operators.sign_in(&store, "no", UnixSeconds(0)).await.is_err());
        let secret = operators.sign_in(&store, TOKEN, UnixSeconds(0)).await.expect("signed in");
        let is_open = async |operators: &Operators, secret: &str, at| {
            operators.is_open(&store, secret, UnixSeconds(at)).await.expect("read")
        };
        for (at, open) in [(0, true), (OPERATOR_SESSION_SECONDS - 1, true), (OPERATOR_SESSION_SECONDS, false)] {
            assert_eq!(is_open(&operators, &secret, at).await, open, "{at}");
        }
        assert!(!is_open(&operators, "", 0).await);
        let others = Operators::new(OperatorToken::parse(&TOKEN.replace('0', "1")).ok());
        assert!(!is_open(&others, &secret, 0).await, "it began with another token");
        operators.sign_out(&store, &secret).await.expect("signed out");
        assert!(!is_open(&operators, &secret, 0).await);
        assert!(Operators::new(None).sign_in(&store, TOKEN, UnixSeconds(0)).await.is_err(), "off");
    }
}
