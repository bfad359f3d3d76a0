//! Players: a name that looks like nobody else's, and a secret code.

use sqlx::SqliteConnection;

use crate::error::Database;
use crate::{DisplayName, PlayerCode, Store, StoreError, UnixSeconds};

/// The number of an account. Not a secret, and not for people.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AccountId(pub i64);

/// A player.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Account {
    /// Its number.
    pub id: AccountId,
    /// How it is shown.
    pub name: DisplayName,
    /// When it was made.
    pub created_at: UnixSeconds,
}

/// Why an account cannot be made or changed.
#[derive(Debug, thiserror::Error)]
pub enum AccountError {
    /// Somebody has a name that looks the same.
    #[error("this name, or one that looks like it, is taken")]
    NameTaken,
    /// The store has as many as it may.
    #[error("no more accounts can be made here")]
    TooManyAccounts,
    /// It does not exist.
    #[error("there is no such account")]
    NoSuchAccount,
    /// The store did not do its work.
    #[error(transparent)]
    Store(#[from] StoreError),
}

type Row = (i64, String, i64);

pub(crate) fn account((id, name, created_at): Row) -> Account {
    Account { id: AccountId(id), name: DisplayName::stored(name), created_at: UnixSeconds(created_at) }
}

impl Store {
    /// Makes an account that is known as `name`. The code is returned here and never again: only its hash is kept.
    ///
    /// # Errors
    /// When the name looks like one that is taken, or there are [`Limits::accounts_max`](crate::Limits) accounts.
    pub async fn create_account(
        &self,
        name: &DisplayName,
        now: UnixSeconds,
    ) -> Result<(Account, PlayerCode), AccountError> {
        let code = PlayerCode::random()?;
        let mut writing = self.writing().await?;
        let (accounts,): (i64,) =
            sqlx::query_as("select count(*) from accounts").fetch_one(&mut *writing).await.stored()?;
        if accounts >= i64::from(self.limits().accounts_max) {
            return Err(AccountError::TooManyAccounts);
        }
        let row: Row = sqlx::query_as(
            "insert into accounts (name, code_hash, created_at) values ($1, $2, $3) returning id, name, created_at",
        )
        .bind(name.as_str())
        .bind(code.hash().as_slice())
        .bind(now.0)
        .fetch_one(&mut *writing)
        .await
        .stored()?;
        let account = account(row);
        claim(&mut writing, account.id, name).await?;
        writing.commit().await.stored()?;
        Ok((account, code))
    }

    /// The account with this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account(&self, id: AccountId) -> Result<Option<Account>, StoreError> {
        let row = sqlx::query_as("select id, name, created_at from accounts where id = $1")
            .bind(id.0)
            .fetch_optional(&mut *self.reader().await?)
            .await;
        Ok(row.stored()?.map(account))
    }

    /// The account whose code this is.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account_by_code(&self, code: &PlayerCode) -> Result<Option<Account>, StoreError> {
        let row = sqlx::query_as("select id, name, created_at from accounts where code_hash = $1")
            .bind(code.hash().as_slice().to_vec())
            .fetch_optional(&mut *self.reader().await?)
            .await;
        Ok(row.stored()?.map(account))
    }

    /// Gives an account another name; its old one is free for anybody.
    ///
    /// # Errors
    /// When the name looks like somebody else's, or there is no such account.
    pub async fn rename_account(&self, id: AccountId, name: &DisplayName) -> Result<Account, AccountError> {
        let mut writing = self.writing().await?;
        let row = sqlx::query_as("update accounts set name = $2 where id = $1 returning id, name, created_at")
            .bind(id.0)
            .bind(name.as_str())
            .fetch_optional(&mut *writing)
            .await;
        let account = row.stored()?.map(account).ok_or(AccountError::NoSuchAccount)?;
        sqlx::query("delete from account_name_keys where account = $1")
            .bind(id.0)
            .execute(&mut *writing)
            .await
            .stored()?;
        claim(&mut writing, id, name).await?;
        writing.commit().await.stored()?;
        Ok(account)
    }

    /// Gives an account a new code, for a player whose code became known. The old one and all sessions end.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn replace_code(&self, id: AccountId) -> Result<PlayerCode, AccountError> {
        let code = PlayerCode::random()?;
        let mut writing = self.writing().await?;
        let changed = sqlx::query("update accounts set code_hash = $2 where id = $1")
            .bind(id.0)
            .bind(code.hash().as_slice())
            .execute(&mut *writing)
            .await
            .stored()?;
        if changed.rows_affected() == 0 {
            return Err(AccountError::NoSuchAccount);
        }
        sqlx::query("delete from sessions where account = $1").bind(id.0).execute(&mut *writing).await.stored()?;
        writing.commit().await.stored()?;
        Ok(code)
    }
}

/// Takes what a name looks like for an account, or finds it taken.
async fn claim(writing: &mut SqliteConnection, id: AccountId, name: &DisplayName) -> Result<(), AccountError> {
    for key in name.keys() {
        let taken =
            sqlx::query("insert into account_name_keys (name_key, account) values ($1, $2) on conflict do nothing")
                .bind(key)
                .bind(id.0)
                .execute(&mut *writing)
                .await
                .stored()?;
        if taken.rows_affected() == 0 {
            return Err(AccountError::NameTaken);
        }
    }
    Ok(())
}

/// Whether there is an account with this number.
pub(crate) async fn exists(connection: &mut SqliteConnection, id: AccountId) -> Result<bool, StoreError> {
    let row = sqlx::query("select 1 from accounts where id = $1").bind(id.0).fetch_optional(connection).await;
    Ok(row.stored()?.is_some())
}
