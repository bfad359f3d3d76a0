//! Names of bots in a table: which bot has a name, and which leftovers make way for it.

use super::columns::values;
use super::connection::{Connection, query};
use super::rows::{active, bot_columns, bot_named, select_bots};
use crate::error::Result;
use crate::{AccountId, Bot, BotId, BotName, Limits, VersionId};

/// Whether a bot `b` has a version that is not refused.
macro_rules! kept {
    () => {
        "exists (select 1 from versions kept where kept.bot = b.id and kept.state <> 'refused')"
    };
}

pub(super) use kept;

/// Reserves a name's looks for a bot, if they are free.
pub(super) async fn claim_look(writing: &mut Connection, id: BotId, name: &BotName) -> Result<()> {
    for key in name.keys() {
        query("insert into bot_name_keys (name_key, bot) values ($1, $2) on conflict do nothing")
            .with(values![key, id])
            .execute(writing)
            .await?;
    }
    Ok(())
}

/// The bot with this name or one that looks like it, other than `but`, if it has a version that is not refused.
pub(super) async fn holder(connection: &mut Connection, name: &BotName, but: Option<BotId>) -> Result<Option<Bot>> {
    // In stores from before looks were checked, the bot with exactly this name comes first.
    if let Some(bot) = bot_named(connection, name).await?
        && Some(bot.id) != but
        && keeps_any(connection, bot.id).await?
    {
        return Ok(Some(bot));
    }
    for key in name.keys() {
        let bot = query(select_bots!(
            "join bot_name_keys k on k.bot = b.id where k.name_key = $1 and b.id is distinct from $2 and ",
            kept!()
        ))
        .with(values![key, but])
        .fetch_optional(connection)
        .await?;
        if bot.is_some() {
            return Ok(bot);
        }
    }
    Ok(None)
}

/// Whether a bot has a version that is not refused.
pub(super) async fn keeps_any(connection: &mut Connection, id: BotId) -> Result<bool> {
    let kept = query("select 1 from versions where bot = $1 and state <> 'refused' limit 1");
    kept.bind(id).exists(connection).await
}

/// Removes leftovers of refused submissions: those in the way of a bot with this name, and those with which the account
/// would exceed its number of bots.
pub(super) async fn make_way(
    writing: &mut Connection,
    limits: &Limits,
    account: AccountId,
    name: &BotName,
) -> Result<()> {
    let mut left = Vec::new();
    for key in name.keys() {
        let rows = query(concat!(
            "select b.id from bots b where (b.name_key = $2
             or exists (select 1 from bot_name_keys k where k.bot = b.id and k.name_key = $1)) and not ",
            kept!()
        ));
        left.extend(rows.with(values![key, name.key()]).fetch_values::<BotId>(writing).await?);
    }
    remove_bots(writing, left).await?;
    let beyond = query(concat!(
        "select b.id from bots b where b.account = $1 and not ",
        kept!(),
        " order by b.id desc limit $2 offset $3"
    ));
    let beyond = beyond.with(values![account, i64::MAX, limits.bots_per_account_max]).fetch_values(writing).await?;
    remove_bots(writing, beyond).await
}

/// Removes bots with all their rows.
pub(super) async fn remove_bots(writing: &mut Connection, ids: Vec<BotId>) -> Result<()> {
    for id in ids {
        remove_versions(writing, VersionId { bot: id, number: 1 }).await?;
        for statement in ["delete from bot_name_keys where bot = $1", "delete from bots where id = $1"] {
            query(statement).bind(id).execute(writing).await?;
        }
    }
    Ok(())
}

/// Removes a bot's versions from this number on.
pub(super) async fn remove_versions(writing: &mut Connection, from: VersionId) -> Result<()> {
    for statement in [
        "delete from sample_logs where bot = $1 and number >= $2",
        "delete from versions where bot = $1 and number >= $2",
    ] {
        query(statement).with(values![from.bot, from.number]).execute(writing).await?;
    }
    Ok(())
}
