//! Lines of the log of acts.

use super::connection::{Connection, query};
use crate::error::Result;
use crate::{Act, Reason, UnixSeconds};

/// Writes the line of an act to the log, in the transaction of what it does.
pub(super) async fn note(
    writing: &mut Connection,
    number: i64,
    act: &Act,
    reason: &Reason,
    now: UnixSeconds,
) -> Result<()> {
    query(
        "insert into audit (number, at, act, bot, account, contest, reason, game, world)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(number)
    .bind(now.0)
    .bind(act.word())
    .bind(act.bot().map(|bot| bot.0))
    .bind(act.account().map(|account| account.0))
    .bind(act.contest().map(|contest| contest.0))
    .bind(reason.as_str())
    .bind(act.game().map(|room| room.to_string()))
    .bind(act.subject(number))
    .execute(writing)
    .await
    .map(drop)
}
