//! What is left of an account that is deleted: its number, and what may stand in a published edition.

use arena_record::EntrantId;
use sqlx::SqliteConnection;

use super::error::Database;
use super::space::Sum;
use crate::{AccountError, AccountId, DELETED, PlayerCode, StoreError, UnixSeconds};

/// Deletes an account; bytes that nothing of it needs any more.
pub(super) async fn delete(
    writing: &mut SqliteConnection,
    id: AccountId,
    now: UnixSeconds,
) -> Result<Vec<EntrantId>, AccountError> {
    // A code that nobody has: the column needs one.
    let nobodys = PlayerCode::random()?.hash();
    let changed = sqlx::query(
        "update accounts set name = $2, code_hash = $3, deleted_at = $4 where id = $1 and deleted_at is null",
    )
    .bind(id.0)
    .bind(DELETED)
    .bind(nobodys.as_slice())
    .bind(now.0)
    .execute(&mut *writing)
    .await
    .stored()?;
    if changed.rows_affected() == 0 {
        return Err(AccountError::NoSuchAccount);
    }
    let freed = never_accepted(writing, id).await?;
    for statement in [
        "delete from sessions where account = $1",
        "delete from tokens where account = $1",
        "delete from account_name_keys where account = $1",
        "delete from sample_logs where bot in (select id from bots where account = $1)",
        "delete from versions where state <> 'accepted' and bot in (select id from bots where account = $1)",
        "delete from bot_name_keys where bot in
            (select id from bots where account = $1 and not exists (select 1 from versions v where v.bot = bots.id))",
        BOTS_GONE,
    ] {
        sqlx::query(statement).bind(id.0).execute(&mut *writing).await.stored()?;
    }
    sqlx::query(BOTS_LEFT).bind(id.0).bind(DELETED).bind(now.0).execute(writing).await.stored()?;
    Ok(freed)
}

/// Bots of which nothing was ever accepted.
const BOTS_GONE: &str =
    "delete from bots where account = $1 and not exists (select 1 from versions v where v.bot = bots.id)";

/// The others. What their names look like stays, so that nobody else gets them.
const BOTS_LEFT: &str = "update bots set name = $2, deleted_at = $3 where account = $1
    and exists (select 1 from versions v where v.bot = bots.id)";

/// The bytes of versions that wait; they are counted no longer.
async fn never_accepted(writing: &mut SqliteConnection, id: AccountId) -> Result<Vec<EntrantId>, StoreError> {
    let rows: Vec<(String, i64)> = sqlx::query_as(
        "select v.entrant, v.size_bytes from versions v join bots b on b.id = v.bot
         where b.account = $1 and v.state = 'pending'",
    )
    .bind(id.0)
    .fetch_all(&mut *writing)
    .await
    .stored()?;
    let bytes: i64 = rows.iter().map(|(_, bytes)| bytes).sum();
    Sum::ModuleBytes.add(writing, -bytes).await?;
    rows.into_iter().map(|(entrant, _)| entrant.parse().map_err(StoreError::damaged)).collect()
}
