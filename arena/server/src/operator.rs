//! The token of the site's operator, and the sessions that began with it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Mutex, MutexGuard, PoisonError};

use arena_record::Hex;
use arena_store::{UnixSeconds, random_bytes};
use axum::http::StatusCode;
use sha2::{Digest, Sha256};

use crate::limits::{OPERATOR_SESSION_SECONDS, OPERATOR_SESSIONS_MAX, OPERATOR_TOKEN_CHARS_MIN};
use crate::problem::Problem;

/// What an operator proves with that it is one. Only its hash is in memory.
#[derive(Clone)]
pub struct OperatorToken([u8; 32]);

/// A text that is too short or too odd for an operator's token. Says nothing of the text.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error("an operator's token is at least {OPERATOR_TOKEN_CHARS_MIN} printable ASCII characters without spaces")]
pub struct NotAnOperatorToken;

impl OperatorToken {
    /// The token that a text is; white space around it is ignored.
    ///
    /// # Errors
    /// When it is one that could be guessed, or cannot be sent in a header.
    pub fn parse(text: &str) -> Result<OperatorToken, NotAnOperatorToken> {
        let text = text.trim();
        let fits = text.len() >= OPERATOR_TOKEN_CHARS_MIN && text.chars().all(|c| c.is_ascii_graphic());
        if fits { Ok(OperatorToken(Sha256::digest(text).into())) } else { Err(NotAnOperatorToken) }
    }

    /// Whether a text is this token. Hashes are compared: how long that takes says nothing of the token.
    pub(crate) fn is(&self, text: &str) -> bool {
        <[u8; 32]>::from(Sha256::digest(text.trim())) == self.0
    }
}

impl fmt::Debug for OperatorToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("OperatorToken(..)")
    }
}

/// The operator's token, and its browsers: by the hash of what their cookies have, and until when. They end with the process.
pub(crate) struct Operators {
    token: Option<OperatorToken>,
    sessions: Mutex<BTreeMap<[u8; 32], UnixSeconds>>,
}

impl Operators {
    pub(crate) fn new(token: Option<OperatorToken>) -> Operators {
        Operators { token, sessions: Mutex::default() }
    }

    /// The token of the site, if it has one.
    pub(crate) fn token(&self) -> Result<&OperatorToken, Problem> {
        self.token.as_ref().ok_or_else(|| {
            let hint = "start this arena with --operator-token-file";
            Problem::not_found("operator", "this arena has no operator's page", hint)
        })
    }

    /// Begins a session; what its cookie has.
    pub(crate) fn sign_in(&self, text: &str, now: UnixSeconds) -> Result<String, Problem> {
        if !self.token()?.is(text) {
            return Err(not_the_operator());
        }
        let secret = Hex(random_bytes::<32>()?).to_string();
        let mut sessions = self.sessions();
        sessions.retain(|_, until| *until > now);
        if sessions.len() >= OPERATOR_SESSIONS_MAX {
            let first = sessions.iter().min_by_key(|(_, until)| **until).map(|(hash, _)| *hash);
            first.map(|first| sessions.remove(&first));
        }
        sessions.insert(Sha256::digest(&secret).into(), UnixSeconds(now.0 + OPERATOR_SESSION_SECONDS));
        Ok(secret)
    }

    pub(crate) fn is_open(&self, secret: &str, now: UnixSeconds) -> bool {
        let hash: [u8; 32] = Sha256::digest(secret).into();
        self.sessions().get(&hash).is_some_and(|until| *until > now)
    }

    pub(crate) fn sign_out(&self, secret: &str) {
        let hash: [u8; 32] = Sha256::digest(secret).into();
        self.sessions().remove(&hash);
    }

    fn sessions(&self) -> MutexGuard<'_, BTreeMap<[u8; 32], UnixSeconds>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Somebody who is not the operator, or no longer.
pub(crate) fn not_the_operator() -> Problem {
    Problem::new(
        StatusCode::UNAUTHORIZED,
        "not_the_operator",
        "this is for the operator of the arena",
        "sign in at /operator; programs send the operator's token as a bearer token",
    )
}

#[cfg(test)]
mod tests {
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

    #[test]
    fn a_session_begins_with_the_token_and_ends() {
        let operators = operators();
        assert!(operators.sign_in("no", UnixSeconds(0)).is_err());
        let secret = operators.sign_in(TOKEN, UnixSeconds(0)).expect("signed in");
        for (at, open) in [(0, true), (OPERATOR_SESSION_SECONDS - 1, true), (OPERATOR_SESSION_SECONDS, false)] {
            assert_eq!(operators.is_open(&secret, UnixSeconds(at)), open, "{at}");
        }
        assert!(!operators.is_open("", UnixSeconds(0)));
        operators.sign_out(&secret);
        assert!(!operators.is_open(&secret, UnixSeconds(0)));
        assert!(Operators::new(None).sign_in(TOKEN, UnixSeconds(0)).is_err(), "off");
    }

    #[test]
    fn sessions_are_bounded() {
        let operators = operators();
        let first = operators.sign_in(TOKEN, UnixSeconds(0)).expect("signed in");
        for at in 1..=OPERATOR_SESSIONS_MAX as i64 {
            operators.sign_in(TOKEN, UnixSeconds(at)).expect("signed in");
        }
        assert!(!operators.is_open(&first, UnixSeconds(1)), "the oldest made way");
        assert_eq!(operators.sessions().len(), OPERATOR_SESSIONS_MAX);
    }
}
