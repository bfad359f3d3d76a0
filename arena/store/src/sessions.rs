//! Browser sessions: a random token in a cookie, its hash here.

use crate::accounts::{account, exists};
use crate::error::Database;
use crate::{Account, AccountError, AccountId, SessionToken, Store, StoreError, UnixSeconds};

impl Store {
    /// Opens a session of an account that ends by itself at `expires_at`. One more than
    /// [`Limits::sessions_per_account_max`](crate::Limits) ends the one that would expire first.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn create_session(&self, id: AccountId, expires_at: UnixSeconds) -> Result<SessionToken, AccountError> {
        let token = SessionToken::random()?;
        let mut writing = self.writing().await?;
        if !exists(&mut writing, id).await? {
            return Err(AccountError::NoSuchAccount);
        }
        let others_max = i64::from(self.limits().sessions_per_account_max) - 1;
        sqlx::query(
            "delete from sessions where account = $1 and token_hash not in (
                select token_hash from sessions where account = $1 order by expires_at desc, token_hash limit $2)",
        )
        .bind(id.0)
        .bind(others_max.max(0))
        .execute(&mut *writing)
        .await
        .stored()?;
        sqlx::query("insert into sessions (token_hash, account, expires_at) values ($1, $2, $3)")
            .bind(token.hash().as_slice())
            .bind(id.0)
            .bind(expires_at.0)
            .execute(&mut *writing)
            .await
            .stored()?;
        writing.commit().await.stored()?;
        Ok(token)
    }

    /// The account of a session, if it is open at `now`: it is over in the second in which it expires.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account_by_session(
        &self,
        token: &SessionToken,
        now: UnixSeconds,
    ) -> Result<Option<Account>, StoreError> {
        let row = sqlx::query_as(
            "select a.id, a.name, a.created_at from sessions s join accounts a on a.id = s.account
             where s.token_hash = $1 and s.expires_at > $2",
        )
        .bind(token.hash().as_slice().to_vec())
        .bind(now.0)
        .fetch_optional(&mut *self.reader().await?)
        .await;
        Ok(row.stored()?.map(account))
    }

    /// Ends a session. Nothing happens if there is none.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn end_session(&self, token: &SessionToken) -> Result<(), StoreError> {
        let mut writing = self.writing().await?;
        sqlx::query("delete from sessions where token_hash = $1")
            .bind(token.hash().as_slice())
            .execute(&mut *writing)
            .await
            .stored()?;
        writing.commit().await.stored()
    }

    /// Removes the sessions that are over at `now`, and says how many. To be called now and then; nothing depends on
    /// it.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn drop_expired_sessions(&self, now: UnixSeconds) -> Result<u64, StoreError> {
        let mut writing = self.writing().await?;
        let dropped = sqlx::query("delete from sessions where expires_at <= $1")
            .bind(now.0)
            .execute(&mut *writing)
            .await
            .stored()?;
        writing.commit().await.stored()?;
        Ok(dropped.rows_affected())
    }
}
