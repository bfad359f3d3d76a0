//! The token that identifies a browser. Two accounts that signed in or played in one browser play no rated games with
//! each other, so the token outlives signing out.

use arena_record::Hex;
use arena_store::{StoreError, random_bytes};
use sha2::{Digest, Sha256};

/// Separates this hash from all others.
const TAG: &[u8] = b"arena/browser/1";

/// The token that a browser keeps. It has no `Display`, so that it gets into no log by accident.
#[derive(Clone, Copy)]
pub(crate) struct BrowserToken(Hex<32>);

impl BrowserToken {
    /// A new token from the operating system's random source.
    pub(crate) fn random() -> Result<BrowserToken, StoreError> {
        Ok(BrowserToken(Hex(random_bytes()?)))
    }

    /// The token of a cookie; `None` for any other text.
    pub(crate) fn parse(text: &str) -> Option<BrowserToken> {
        text.parse().ok().map(BrowserToken)
    }

    /// The text, for the browser only.
    pub(crate) fn expose(&self) -> String {
        self.0.to_string()
    }

    /// The hash that is stored. It tells whether two tokens are the same, but does not reveal them.
    pub(crate) fn hash(&self) -> Hex<32> {
        Hex(Sha256::new().chain_update(TAG).chain_update(self.0.0).finalize().into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_browser_is_known_by_its_token_and_the_hash_does_not_say_it() {
        let token = BrowserToken::random().expect("secrets");
        let again = BrowserToken::parse(&token.expose()).expect("its own text");
        assert_eq!(token.hash(), again.hash());
        assert_ne!(token.hash(), BrowserToken::random().expect("secrets").hash());
        assert_ne!(token.hash().to_string(), token.expose());
        assert!(BrowserToken::parse(&token.expose()[1..]).is_none());
    }
}
