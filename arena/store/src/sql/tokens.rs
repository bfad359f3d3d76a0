//! Tokens in a table. Secrets are stored as hashes only.

use super::accounts::{account_columns, exists};
use super::columns::{Row, values};
use super::connection::query;
use super::counters::Counter;
use crate::error::Result;
use crate::policy::token::{TokenView, may_create};
use crate::{
    AccessToken, Account, AccountId, DisplayName, NewToken, Scope, Store, Token, TokenError, TokenId, UnixSeconds,
};

impl Row for Token {
    type Columns = (TokenId, DisplayName, Scope, UnixSeconds, UnixSeconds, Option<UnixSeconds>);

    fn of((id, name, scope, created_at, expires_at, used_at): Self::Columns) -> Result<Token> {
        Ok(Token { id, name, scope, created_at, expires_at, used_at })
    }
}

/// Tokens of accounts. They end with their account's code.
///
/// Creating a token is not repeatable: each call draws a secret of its own. Everything else may be repeated.
impl Store {
    /// Creates a token of an account. The secret is returned here and never again: only its hash is kept. The account's
    /// tokens that have expired by `now` are removed in the same step.
    ///
    /// # Errors
    /// When there is no such account, or it has [`Limits::tokens_per_account_max`](crate::Limits).
    pub async fn create_token(
        &self,
        account: AccountId,
        new: &NewToken,
        now: UnixSeconds,
    ) -> Result<(Token, AccessToken), TokenError> {
        let secret = AccessToken::random()?;
        let mut writing = self.writing().await?;
        query("delete from tokens where account = $1 and expires_at <= $2")
            .with(values![account, now])
            .execute(&mut writing)
            .await?;
        let tokens = query("select count(*) from tokens where account = $1").bind(account);
        let tokens = tokens.fetch_value(&mut writing).await?;
        let view = TokenView { is_there: exists(&mut writing, account).await?, tokens };
        may_create(view, &self.limits_in(&mut writing).await?)?;
        let id = Counter::LastToken.add(&mut writing, 1).await?;
        let made = query(
            "insert into tokens (id, account, name, scope, token_hash, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7) returning id, name, scope, created_at, expires_at, used_at",
        )
        .with(values![id, account, &new.name, new.scope, secret.hash().as_slice(), now, new.expires_at])
        .fetch_one(&mut writing)
        .await?;
        writing.commit().await?;
        Ok((made, secret))
    }

    /// The tokens of an account, oldest first. Expired ones are included until another is created.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tokens_of(&self, account: AccountId) -> Result<Vec<Token>> {
        query("select id, name, scope, created_at, expires_at, used_at from tokens where account = $1 order by id")
            .bind(account)
            .fetch_all(&mut self.reader().await?)
            .await
    }

    /// The token with this secret and its account, if it has not expired by `now`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account_by_token(&self, secret: &AccessToken, now: UnixSeconds) -> Result<Option<(Account, Token)>> {
        let row: Option<(_, _, _, _, _, _, _, _, _, _)> = query(concat!(
            "select ",
            account_columns!(),
            ", t.id, t.name, t.scope, t.created_at, t.expires_at, t.used_at
             from tokens t join accounts a on a.id = t.account where t.token_hash = $1 and t.expires_at > $2"
        ))
        .with(values![secret.hash().as_slice(), now])
        .fetch_optional(&mut self.reader().await?)
        .await?;
        Ok(row.map(|(owner, called, since, disabled, id, name, scope, created_at, expires_at, used_at)| {
            let token = Token { id, name, scope, created_at, expires_at, used_at };
            (Account { id: owner, name: called, created_at: since, disabled }, token)
        }))
    }

    /// Notes that a token was used. A time before the noted one changes nothing, and neither does a missing token.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn note_use(&self, id: TokenId, now: UnixSeconds) -> Result<()> {
        let used = query("update tokens set used_at = $2 where id = $1 and (used_at is null or used_at < $2)");
        self.execute(used.with(values![id, now])).await.map(drop)
    }

    /// Revokes a token of an account, and returns whether there was one.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn revoke_token(&self, account: AccountId, id: TokenId) -> Result<bool> {
        let token = query("delete from tokens where account = $1 and id = $2").with(values![account, id]);
        Ok(self.execute(token).await? > 0)
    }
}
