//! Tokens.

use super::Model;
use crate::policy::token::{TokenView, may_create};
use crate::{AccessToken, Account, AccountId, NewToken, StoreError, Token, TokenError, TokenId, UnixSeconds};

#[derive(Debug)]
pub(super) struct StoredToken {
    pub(super) account: AccountId,
    hash: [u8; 32],
    token: Token,
}

impl Model {
    pub(crate) async fn create_token(
        &self,
        account: AccountId,
        new: &NewToken,
        now: UnixSeconds,
    ) -> Result<(Token, AccessToken), TokenError> {
        let secret = AccessToken::random()?;
        let mut state = self.state()?;
        let of_account = |stored: &StoredToken| stored.account == account;
        let counted = state.tokens.values().filter(|stored| of_account(stored) && stored.token.expires_at > now);
        let tokens = counted.count() as u64;
        may_create(TokenView { is_there: state.there(account).is_some(), tokens }, &self.limits)?;
        state.tokens.retain(|_, stored| !of_account(stored) || stored.token.expires_at > now);
        state.tokens_made += 1;
        let NewToken { name, scope, expires_at } = new.clone();
        let id = TokenId(state.tokens_made);
        let token = Token { id, name, scope, created_at: now, expires_at, used_at: None };
        state.tokens.insert(id, StoredToken { account, hash: secret.hash(), token: token.clone() });
        Ok((token, secret))
    }

    pub(crate) async fn tokens_of(&self, account: AccountId) -> Result<Vec<Token>, StoreError> {
        let state = self.state()?;
        let own = state.tokens.values().filter(|stored| stored.account == account);
        Ok(own.map(|stored| stored.token.clone()).collect())
    }

    pub(crate) async fn account_by_token(
        &self,
        secret: &AccessToken,
        now: UnixSeconds,
    ) -> Result<Option<(Account, Token)>, StoreError> {
        let state = self.state()?;
        let mut open = state.tokens.values().filter(|stored| stored.token.expires_at > now);
        let found = open.find(|stored| stored.hash == secret.hash());
        Ok(found.and_then(|stored| Some((state.account(stored.account)?, stored.token.clone()))))
    }

    pub(crate) async fn note_use(&self, id: TokenId, now: UnixSeconds) -> Result<(), StoreError> {
        if let Some(stored) = self.state()?.tokens.get_mut(&id) {
            stored.token.used_at = stored.token.used_at.max(Some(now));
        }
        Ok(())
    }

    pub(crate) async fn revoke_token(&self, account: AccountId, id: TokenId) -> Result<bool, StoreError> {
        let mut state = self.state()?;
        let own = state.tokens.get(&id).is_some_and(|stored| stored.account == account);
        Ok(own && state.tokens.remove(&id).is_some())
    }
}
