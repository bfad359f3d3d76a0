//! Deleting accounts and bots. Only numbers stay, and what may be in a published edition.

use arena_record::EntrantId;

use super::columns::values;
use super::connection::{Connection, query};
use super::counters::Counter;
use super::people;
use crate::error::Result;
use crate::{AccountError, AccountId, BotId, DELETED, PlayerCode, UnixSeconds, WorkerName};

/// Deletes an account, and returns the ids of bytes that its versions no longer need.
pub(super) async fn delete(
    writing: &mut Connection,
    id: AccountId,
    now: UnixSeconds,
) -> Result<Vec<EntrantId>, AccountError> {
    // A code that nobody knows, because the column needs one.
    let nobodys = PlayerCode::random()?.hash();
    let changed =
        query("update accounts set name = $2, code_hash = $3, deleted_at = $4 where id = $1 and deleted_at is null")
            .with(values![id, DELETED, nobodys.as_slice(), now])
            .execute(writing)
            .await?;
    if changed == 0 {
        return Err(AccountError::NoSuchAccount);
    }
    let bots = query("select id from bots where account = $1").bind(id).fetch_values(writing).await?;
    let freed = delete_bots(writing, bots, now).await?;
    people::forget(writing, id).await?;
    for statement in [
        "delete from sessions where account = $1",
        "delete from browsers where account = $1",
        "delete from tokens where account = $1",
        "delete from account_name_keys where account = $1",
    ] {
        query(statement).bind(id).execute(writing).await?;
    }
    query("delete from volunteers where name = $1").bind(&WorkerName::of_volunteer(id)).execute(writing).await?;
    Ok(freed)
}

/// Deletes bots, and returns the ids of bytes that their versions no longer need. Accepted versions may be in a
/// published edition, so they stay under their hash, and the name's looks stay reserved.
pub(super) async fn delete_bots(
    writing: &mut Connection,
    bots: Vec<BotId>,
    now: UnixSeconds,
) -> Result<Vec<EntrantId>> {
    let mut freed = Vec::new();
    for id in bots {
        freed.extend(never_accepted(writing, id).await?);
        for statement in [
            "delete from sample_logs where bot = $1",
            "delete from versions where state <> 'accepted' and bot = $1",
            "delete from bot_name_keys where bot = $1 and not exists (select 1 from versions v where v.bot = $1)",
            "delete from bots where id = $1 and not exists (select 1 from versions v where v.bot = $1)",
        ] {
            query(statement).bind(id).execute(writing).await?;
        }
        let left = query("update bots set name = $2, deleted_at = $3 where id = $1 and deleted_at is null");
        left.with(values![id, DELETED, now]).execute(writing).await?;
    }
    Ok(freed)
}

/// The bytes of pending versions, which no longer count.
async fn never_accepted(writing: &mut Connection, bot: BotId) -> Result<Vec<EntrantId>> {
    let rows: Vec<(EntrantId, i64)> =
        query("select entrant, size_bytes from versions where bot = $1 and state = 'pending'")
            .bind(bot)
            .fetch_all(writing)
            .await?;
    let bytes: i64 = rows.iter().map(|(_, bytes)| bytes).sum();
    Counter::ModuleBytes.add(writing, -bytes).await?;
    Ok(rows.into_iter().map(|(entrant, _)| entrant).collect())
}
