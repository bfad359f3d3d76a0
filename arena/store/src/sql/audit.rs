//! Lines of the log of acts.

use super::columns::values;
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
    .with(values![number, now, act.word(), act.bot(), act.account(), act.contest(), reason])
    .with(values![act.game().as_ref(), act.subject(number)])
    .execute(writing)
    .await
    .map(drop)
}
