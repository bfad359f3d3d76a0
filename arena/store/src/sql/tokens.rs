//! Tokens in a table. Secrets are stored as hashes only.

use super::accounts::{account, account_columns, exists};
use super::connection::{query, values};
use super::counters::Counter;
use super::error::number;
use crate::error::{Damage, Result};
use crate::policy::token::{TokenView, may_create};
use crate::{
    AccessToken, Account, AccountId, DisplayName, NewToken, Scope, Store, StoreError, Token, TokenError, TokenId,
    UnixSeconds,
};

type Row = (i64, String, String, i64, i64, Option<i64>);

fn token((id, name, scope, created_at, expires_at, used_at): Row) -> Result<Token> {
    Ok(Token {
        id: TokenId(id),
        name: DisplayName::stored(name),
        scope: Scope::named(&scope).ok_or_else(|| StoreError::damaged(Damage::Scope))?,
        created_at: UnixSeconds(created_at),
        expires_at: UnixSeconds(expires_at),
        used_at: used_at.map(UnixSeconds),
    })
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
            .with(values![account.0, now.0])
            .execute(&mut writing)
            .await?;
        let (tokens,): (i64,) =
            query("select count(*) from tokens where account = $1").bind(account.0).fetch_one(&mut writing).await?;
        let view = TokenView { is_there: exists(&mut writing, account).await?, tokens: number(tokens)? };
        may_create(view, &self.limits_in(&mut writing).await?)?;
        let id = Counter::LastToken.add(&mut writing, 1).await?;
        let row: Row = query(
            "insert into tokens (id, account, name, scope, token_hash, created_at, expires_at)
             values ($1, $2, $3, $4, $5, $6, $7) returning id, name, scope, created_at, expires_at, used_at",
        )
        .bind(id)
        .bind(account.0)
        .bind(new.name.as_str())
        .bind(new.scope.word())
        .bind(secret.hash().as_slice())
        .bind(now.0)
        .bind(new.expires_at.0)
        .fetch_one(&mut writing)
        .await?;
        let made = token(row)?;
        writing.commit().await?;
        Ok((made, secret))
    }

    /// The tokens of an account, oldest first. Expired ones are included until another is created.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn tokens_of(&self, account: AccountId) -> Result<Vec<Token>> {
        let rows: Vec<Row> =
            query("select id, name, scope, created_at, expires_at, used_at from tokens where account = $1 order by id")
                .bind(account.0)
                .fetch_all(&mut self.reader().await?)
                .await?;
        rows.into_iter().map(token).collect()
    }

    /// The token with this secret and its account, if it has not expired by `now`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account_by_token(&self, secret: &AccessToken, now: UnixSeconds) -> Result<Option<(Account, Token)>> {
        type Both = (i64, String, i64, bool, i64, String, String, i64, i64, Option<i64>);
        let row: Option<Both> = query(concat!(
            "select ",
            account_columns!(),
            ", t.id, t.name, t.scope, t.created_at, t.expires_at, t.used_at
             from tokens t join accounts a on a.id = t.account where t.token_hash = $1 and t.expires_at > $2"
        ))
        .with(values![secret.hash().as_slice(), now.0])
        .fetch_optional(&mut self.reader().await?)
        .await?;
        let both = row.map(|(owner, called, since, disabled, id, name, scope, created_at, expires_at, used_at)| {
            let row = (id, name, scope, created_at, expires_at, used_at);
            Ok((account((owner, called, since, disabled)), token(row)?))
        });
        both.transpose()
    }

    /// Notes that a token was used. A time before the noted one changes nothing, and neither does a missing token.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn note_use(&self, id: TokenId, now: UnixSeconds) -> Result<()> {
        self.execute(
            query("update tokens set used_at = $2 where id = $1 and (used_at is null or used_at < $2)")
                .with(values![id.0, now.0]),
        )
        .await
        .map(drop)
    }

    /// Revokes a token of an account, and returns whether there was one.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn revoke_token(&self, account: AccountId, id: TokenId) -> Result<bool> {
        let revoked = self
            .execute(query("delete from tokens where account = $1 and id = $2").with(values![account.0, id.0]))
            .await?;
        Ok(revoked > 0)
    }
}
