//! Accounts, sessions and browsers in tables. Secrets are stored as hashes only.

use std::collections::{BTreeMap, BTreeSet};

use arena_record::Hex;

use super::columns::{Row, list, values};
use super::connection::{Connection, query};
use super::counters::Counter;
use super::deletion;
use super::gates::is_closed;
use crate::error::Result;
use crate::policy::names::{NameView, may_create, may_rename_account};
use crate::{
    Account, AccountError, AccountId, DisplayName, Gate, PAGE_MAX, PlayerCode, SessionToken, Store, UnixSeconds,
};

/// The columns of accounts `a`.
macro_rules! account_columns {
    () => {
        "a.id, a.name, a.created_at, a.disabled_at is not null"
    };
}

/// Accounts `a`, with the rest of the statement.
macro_rules! select_accounts {
    ($($rest:expr),+ $(,)?) => {
        concat!("select ", account_columns!(), " from accounts a ", $($rest),+)
    };
}

pub(super) use {account_columns, select_accounts};

impl Row for Account {
    type Columns = (AccountId, DisplayName, UnixSeconds, bool);

    fn of((id, name, created_at, disabled): Self::Columns) -> Result<Account> {
        Ok(Account { id, name, created_at, disabled })
    }
}

/// Accounts and sessions.
///
/// Of concurrent calls for names that look alike, one gets the name. Creating an account, a code or a session is not
/// repeatable: each call draws a secret of its own, and one whose answer was lost expires or is replaced. Everything
/// else may be repeated.
impl Store {
    /// Creates an account with a name. The code is returned here and never again: only its hash is kept. Deleted
    /// accounts do not count towards the limit, and their numbers are never given again.
    ///
    /// # Errors
    /// When there are [`Limits::accounts_max`](crate::Limits) accounts, or the name looks like one that is taken.
    pub async fn create_account(
        &self,
        name: &DisplayName,
        now: UnixSeconds,
    ) -> Result<(Account, PlayerCode), AccountError> {
        self.has_space()?;
        let code = PlayerCode::random()?;
        let mut writing = self.writing().await?;
        let closed = is_closed(&mut writing, Gate::Accounts).await?;
        // Closing it ends what a flood costs, too.
        let (accounts, is_taken) = if closed {
            (0, false)
        } else {
            let count = query("select count(*) from accounts where deleted_at is null");
            (count.fetch_value(&mut writing).await?, is_taken(&mut writing, name, None).await?)
        };
        let limits = self.limits_in(&mut writing).await?;
        may_create(closed, accounts, is_taken, &limits)?;
        let id = Counter::LastAccount.add(&mut writing, 1).await?;
        query("insert into accounts (id, name, code_hash, created_at) values ($1, $2, $3, $4)")
            .with(values![id, name, code.hash().as_slice(), now])
            .execute(&mut writing)
            .await?;
        let account = Account { id: AccountId(id), name: name.clone(), created_at: now, disabled: false };
        claim(&mut writing, account.id, name).await?;
        writing.commit().await?;
        Ok((account, code))
    }

    /// The account with this number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account(&self, id: AccountId) -> Result<Option<Account>> {
        account_of(&mut self.reader().await?, id).await
    }

    /// The account whose code this is.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account_by_code(&self, code: &PlayerCode) -> Result<Option<Account>> {
        query(select_accounts!("where a.code_hash = $1"))
            .bind(code.hash().as_slice())
            .fetch_optional(&mut self.reader().await?)
            .await
    }

    /// Gives an account another name. In the same step the old one becomes free for others.
    ///
    /// # Errors
    /// When there is no such account, or the name looks like another account's.
    pub async fn rename_account(&self, id: AccountId, name: &DisplayName) -> Result<Account, AccountError> {
        let mut writing = self.writing().await?;
        let account = rename(&mut writing, id, name).await?;
        writing.commit().await?;
        Ok(account)
    }

    /// Gives an account a new code, for a player whose code became known. In the same step the old code, all sessions
    /// and all tokens become invalid.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn replace_code(&self, id: AccountId) -> Result<PlayerCode, AccountError> {
        let code = PlayerCode::random()?;
        let mut writing = self.writing().await?;
        let changed = query("update accounts set code_hash = $2 where id = $1 and deleted_at is null")
            .with(values![id, code.hash().as_slice()])
            .execute(&mut writing)
            .await?;
        if changed == 0 {
            return Err(AccountError::NoSuchAccount);
        }
        for secrets in ["delete from sessions where account = $1", "delete from tokens where account = $1"] {
            query(secrets).bind(id).execute(&mut writing).await?;
        }
        writing.commit().await?;
        Ok(code)
    }

    /// Opens a session of an account that expires at `expires_at`. If the account has more than
    /// [`Limits::sessions_per_account_max`](crate::Limits) then, the one that would expire first is ended in the same
    /// step; among equals, any.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn create_session(&self, id: AccountId, expires_at: UnixSeconds) -> Result<SessionToken, AccountError> {
        let token = SessionToken::random()?;
        let mut writing = self.writing().await?;
        if !exists(&mut writing, id).await? {
            return Err(AccountError::NoSuchAccount);
        }
        let others_max = i64::from(self.limits.sessions_per_account_max) - 1;
        query(
            "delete from sessions where account = $1 and token_hash not in (
                select token_hash from sessions where account = $1 order by expires_at desc, token_hash limit $2)",
        )
        .with(values![id, others_max.max(0)])
        .execute(&mut writing)
        .await?;
        query("insert into sessions (token_hash, account, expires_at) values ($1, $2, $3)")
            .with(values![token.hash().as_slice(), id, expires_at])
            .execute(&mut writing)
            .await?;
        writing.commit().await?;
        Ok(token)
    }

    /// The account of a session, if it is open at `now`: it ends at the start of the second in which it expires.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account_by_session(&self, token: &SessionToken, now: UnixSeconds) -> Result<Option<Account>> {
        query(select_accounts!("join sessions s on s.account = a.id where s.token_hash = $1 and s.expires_at > $2"))
            .with(values![token.hash().as_slice(), now])
            .fetch_optional(&mut self.reader().await?)
            .await
    }

    /// Ends a session. Nothing happens if there is none.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn end_session(&self, token: &SessionToken) -> Result<()> {
        self.execute(query("delete from sessions where token_hash = $1").bind(token.hash().as_slice())).await.map(drop)
    }

    /// Notes that an account signs in in a browser, which has a hash that only tells whether two are the same.
    /// Repeating it changes nothing but the time. If the account has more than
    /// [`Limits::browsers_per_account_max`](crate::Limits) then, those that it signed in in longest ago are forgotten
    /// in the same step.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn note_browser(&self, id: AccountId, browser: Hex<32>, now: UnixSeconds) -> Result<(), AccountError> {
        let mut writing = self.writing().await?;
        if !exists(&mut writing, id).await? {
            return Err(AccountError::NoSuchAccount);
        }
        let others_max = i64::from(self.limits.browsers_per_account_max) - 1;
        query(
            "delete from browsers where account = $1 and browser <> $2 and browser not in (
                select browser from browsers where account = $1 and browser <> $2
                order by seen_at desc, browser limit $3)",
        )
        .with(values![id, browser.0.as_slice(), others_max.max(0)])
        .execute(&mut writing)
        .await?;
        query(
            "insert into browsers (account, browser, seen_at) values ($1, $2, $3)
             on conflict (account, browser) do update set seen_at = excluded.seen_at",
        )
        .with(values![id, browser.0.as_slice(), now])
        .execute(&mut writing)
        .await?;
        Ok(writing.commit().await?)
    }

    /// The browsers in which accounts signed in; of at most [`PAGE_MAX`](crate::PAGE_MAX) accounts. One without any is
    /// left out.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn browsers_of(&self, accounts: &[AccountId]) -> Result<BTreeMap<AccountId, BTreeSet<Hex<32>>>> {
        let rows: Vec<(AccountId, [u8; 32])> = query(
            "select b.account, b.browser from json_each($1) id join browsers b on b.account = cast(id.value as bigint)",
        )
        .bind(list(accounts.iter().take(PAGE_MAX as usize).map(|id| id.0)))
        .fetch_all(&mut self.reader().await?)
        .await?;
        let mut found: BTreeMap<AccountId, BTreeSet<Hex<32>>> = BTreeMap::new();
        for (account, browser) in rows {
            found.entry(account).or_default().insert(Hex(browser));
        }
        Ok(found)
    }

    /// Deletes an account. In one step its name, code, sessions, browsers, tokens and its bots' logs are deleted, and
    /// so are all of its bots and versions that were never accepted. Accepted versions may be in a published edition:
    /// their bytes stay under their hash, named [`DELETED`](crate::DELETED), and nobody else gets the bot's name. The
    /// account's number is never given out again.
    ///
    /// # Errors
    /// When there is no such account.
    pub async fn delete_account(&self, id: AccountId, now: UnixSeconds) -> Result<(), AccountError> {
        let mut writing = self.writing().await?;
        let freed = deletion::delete(&mut writing, id, now).await?;
        writing.commit().await?;
        Ok(self.release(freed).await?)
    }

    /// Removes the sessions that have expired by `now`, and returns how many. To be called at intervals; nothing
    /// depends on it.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn drop_expired_sessions(&self, now: UnixSeconds) -> Result<u64> {
        self.execute(query("delete from sessions where expires_at <= $1").bind(now)).await
    }
}

/// Gives an account another name.
pub(super) async fn rename(
    writing: &mut Connection,
    id: AccountId,
    name: &DisplayName,
) -> Result<Account, AccountError> {
    let is_there = exists(writing, id).await?;
    may_rename_account(NameView { is_there, is_taken: is_taken(writing, name, Some(id)).await? })?;
    query("update accounts set name = $2 where id = $1").with(values![id, name]).execute(writing).await?;
    query("delete from account_name_keys where account = $1").bind(id).execute(writing).await?;
    claim(writing, id, name).await?;
    account_of(writing, id).await?.ok_or(AccountError::NoSuchAccount)
}

/// Whether an account other than `but` has a name with the same looks.
async fn is_taken(connection: &mut Connection, name: &DisplayName, but: Option<AccountId>) -> Result<bool> {
    for key in name.keys() {
        let taken = query("select 1 from account_name_keys where name_key = $1 and account is distinct from $2");
        if taken.with(values![key, but]).exists(connection).await? {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Reserves a name's looks for an account.
async fn claim(writing: &mut Connection, id: AccountId, name: &DisplayName) -> Result<()> {
    for key in name.keys() {
        let claimed = query("insert into account_name_keys (name_key, account) values ($1, $2)");
        claimed.with(values![key, id]).execute(writing).await?;
    }
    Ok(())
}

/// The account with this number.
pub(super) async fn account_of(connection: &mut Connection, id: AccountId) -> Result<Option<Account>> {
    query(select_accounts!("where a.id = $1 and a.deleted_at is null")).bind(id).fetch_optional(connection).await
}

/// Whether there is an account with this number.
pub(super) async fn exists(connection: &mut Connection, id: AccountId) -> Result<bool> {
    query("select 1 from accounts where id = $1 and deleted_at is null").bind(id).exists(connection).await
}
