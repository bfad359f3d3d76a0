//! What was removed, in a table with consecutive numbers: the oldest have the lowest.

use super::columns::values;
use super::connection::{Connection, query};
use super::counters::Counter;
use crate::error::Result;
use crate::{Removed, Store, UnixSeconds};

/// What was removed, noted in the same step. The latest [`Limits::gone_max`](crate::Limits::gone_max) are remembered.
impl Store {
    /// Since when something is gone; if it was removed more than once, since the first time. `None` if it was never
    /// removed, or so long ago that it is forgotten.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn gone_since(&self, what: &Removed) -> Result<Option<UnixSeconds>> {
        let (kind, id) = what.key();
        query("select at from gone where kind = $1 and id = $2")
            .with(values![kind, id])
            .find_value(&mut self.reader().await?)
            .await
    }

    /// When the first removal happened that is still remembered: what is forgotten was removed before. `None` if
    /// nothing is forgotten, or nothing remembered.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn forgotten_before(&self) -> Result<Option<UnixSeconds>> {
        let first: Option<(i64, UnixSeconds)> = query("select number, at from gone order by number limit 1")
            .fetch_optional(&mut self.reader().await?)
            .await?;
        // The first of all notes has the number 1.
        Ok(first.filter(|(number, _)| *number > 1).map(|(_, at)| at))
    }
}

impl Store {
    /// Notes that something was removed, in the transaction that removes it, and drops the oldest notes beyond the
    /// limit.
    pub(super) async fn note_removed(&self, writing: &mut Connection, what: &Removed, now: UnixSeconds) -> Result<()> {
        let (kind, id) = what.key();
        let noted = query(
            "insert into gone (number, kind, id, at) select s.value + 1, $1, $2, $3 from sums s where s.name = 'last_gone'
             on conflict (kind, id) do nothing",
        )
        .with(values![kind, id, now])
        .execute(writing)
        .await?;
        if noted == 0 {
            return Ok(());
        }
        let last = Counter::LastGone.add(writing, 1).await?;
        let forget = query("delete from gone where number <= $1").bind(last - i64::from(self.limits.gone_max));
        forget.execute(writing).await.map(drop)
    }
}
