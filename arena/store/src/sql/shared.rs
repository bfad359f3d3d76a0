//! Servers that share a database: duties and news, in rows. News are written by triggers, so that no write goes
//! unannounced.

use std::collections::BTreeSet;
use std::sync::atomic::Ordering;

use super::columns::values;
use super::connection::{Connection, query};
use super::queue::clock;
use crate::error::{Damage, Result};
use crate::shared::{add, topic};
use crate::{
    DUTY_BYTES_MAX, LEASE_MS_MAX, NEWS_AT_ONCE_MAX, NEWS_KEPT, News, Notifications, Sent, ServerId, ServerMessage,
    Store,
};

/// Whether the server in a row of `duties` still has the database open, which it shows by a lock under the first half
/// of its id. The database releases the lock as soon as the process is gone; if the network is broken it notices later,
/// after the lease has expired.
macro_rules! lives {
    () => {
        "exists (select 1 from pg_locks l where l.locktype = 'advisory' and l.objsubid = 1
            and l.database = (select oid from pg_database where datname = current_database())
            and ((l.classid::bigint << 32) | l.objid::bigint) = ('x' || substr(duties.server, 1, 16))::bit(64)::bigint)"
    };
}

/// A store that several servers share.
///
/// A duty belongs to one server at a time, under a lease. The lease ends by the store's clock, or as soon as the store
/// knows that the process is gone. Leases only avoid double work; correctness does not depend on them: if two servers
/// write to one place of a log, only one succeeds.
impl Store {
    /// Whether other processes may write here, too. If not, there is no news, every duty is granted, and messages reach
    /// this process alone.
    pub fn is_shared(&self) -> bool {
        self.database.is_shared()
    }

    /// The id of this process.
    pub fn server(&self) -> ServerId {
        self.database.server()
    }

    /// The notifications to listen for.
    pub fn notifications(&self) -> Notifications {
        self.database.notifiers().notifications()
    }

    /// What was written after the news with this number; without a number, only the number of the last news.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn news_after(&self, after: Option<u64>) -> Result<News> {
        if !self.is_shared() {
            return Ok(News { last: after.unwrap_or(0), ..News::default() });
        }
        let mut reading = self.reading().await?;
        let (first, last): (Option<u64>, Option<u64>) =
            query("select min(number), max(number) from news").fetch_one(&mut reading).await?;
        let (first, last) = (first.unwrap_or(0), last.unwrap_or(0));
        let Some(after) = after else { return Ok(News { last, ..News::default() }) };
        // Rolled-back writes leave gaps in the numbers, so only the first kept number shows what was removed.
        let mut news = News { last, missed: last < after || first > after + 1, ..News::default() };
        let rows: Vec<String> = query("select topic from news where number > $1 order by number limit $2")
            .with(values![after, NEWS_AT_ONCE_MAX])
            .fetch_values(&mut reading)
            .await?;
        news.missed |= rows.len() == NEWS_AT_ONCE_MAX;
        rows.iter().filter_map(|text| topic(text)).for_each(|topic| add(&mut news.topics, topic));
        Ok(news)
    }

    /// Takes or keeps a duty, unless another live server has it; whether it is this server's now.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn take_duty(&self, duty: &str, lease_ms: u64) -> Result<bool> {
        if !self.is_shared() {
            return Ok(true);
        }
        if duty.len() > DUTY_BYTES_MAX {
            return Err(Damage::Duty.into());
        }
        let server = self.server().to_string();
        // Servers that wait for another ask often, and a read holds up no writer.
        let mut reader = self.reader().await?;
        let now = clock(&mut reader).await?;
        let others =
            query(concat!("select 1 from duties where name = $1 and server <> $2 and until_ms > $3 and ", lives!()));
        if others.with(values![duty, server.as_str(), now]).exists(&mut reader).await? {
            return Ok(false);
        }
        drop(reader);
        let mut writing = self.writing().await?;
        let now = clock(&mut writing).await?;
        let taken = query(concat!(
            "insert into duties (name, server, until_ms) values ($1, $2, $3) on conflict (name) do update
             set server = excluded.server, until_ms = excluded.until_ms
             where duties.server = $2 or duties.until_ms <= $4 or not ",
            lives!()
        ))
        .with(values![duty, server, until(now, lease_ms), now])
        .execute(&mut writing)
        .await?;
        writing.commit().await?;
        Ok(taken > 0)
    }

    /// Renews all duties of this server and removes old news; returns the duties that it still has.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn keep_duties(&self, lease_ms: u64) -> Result<BTreeSet<String>> {
        if !self.is_shared() {
            return Ok(BTreeSet::new());
        }
        let mut writing = self.writing().await?;
        let now = clock(&mut writing).await?;
        let kept: Vec<String> =
            query("update duties set until_ms = $2 where server = $1 and until_ms > $3 returning name")
                .with(values![self.server().to_string(), until(now, lease_ms), now])
                .fetch_values(&mut writing)
                .await?;
        query("delete from duties where until_ms <= $1").bind(now).execute(&mut writing).await?;
        query("delete from news where number <= (select max(number) from news) - $1")
            .bind(NEWS_KEPT)
            .execute(&mut writing)
            .await?;
        writing.commit().await?;
        Ok(kept.into_iter().collect())
    }

    /// Gives up a duty, or all that this server has.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn leave_duties(&self, duty: Option<&str>) -> Result<()> {
        if !self.is_shared() {
            return Ok(());
        }
        let left = query("delete from duties where server = $1 and ($2 is null or name = $2)");
        self.execute(left.with(values![self.server().to_string(), duty])).await.map(drop)
    }

    /// How many messages of other servers were not read since it was opened, because they have another release's form.
    pub fn unread_messages(&self) -> u64 {
        self.database.notifiers().unread.load(Ordering::Relaxed)
    }

    /// Sends a message to all listening servers, this one too. `number` is the sender's own.
    ///
    /// # Errors
    /// When the store fails, or the message is too long.
    pub async fn send_to_servers(&self, number: u64, message: ServerMessage) -> Result<()> {
        let text = Sent::new(self.server(), number, message).text()?;
        if !self.is_shared() {
            self.database.notifiers().receive(&text);
            return Ok(());
        }
        let mut reader: Connection = self.reader().await?;
        query("select 1 from pg_notify('arena_said', $1)").bind(text).exists(&mut reader).await.map(drop)
    }
}

/// When a lease that begins now expires.
fn until(now: i64, lease_ms: u64) -> i64 {
    now.saturating_add(lease_ms.min(LEASE_MS_MAX) as i64)
}
