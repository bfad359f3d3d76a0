//! Acts of operators, in the tables that they change, and a table of acts.

use std::collections::BTreeSet;

use arena_rooms::RoomId;

use super::accounts::{account_columns, rename, select_accounts};
use super::audit::note;
use super::bots::rename_bot;
use super::columns::{Row, values};
use super::connection::{Connection, query};
use super::contests::append;
use super::counters::Counter;
use super::people::annul;
use super::worlds::append as append_to_world;
use crate::error::Result;
use crate::operations::{ANNULLED, BAN, CLOSED, LIMIT, NOTICE};
use crate::policy::act::{ActView, may_act};
use crate::{
    Account, AccountId, Act, ActError, Appended, AuditEntry, BotId, ContestId, DisplayName, Gate, Limits, Measure,
    OPERATOR_SESSIONS_MAX, Page, Reason, Store, UnixSeconds, WorldLine,
};

/// Rows of the log `l` with current names; deleted subjects have none.
macro_rules! entries {
    () => {
        "select l.number, l.at, l.act, l.bot, l.account, l.contest, l.game,
         coalesce(l.world, (select name from bots where id = l.bot and deleted_at is null),
            (select name from accounts where id = l.account and deleted_at is null),
            (select name from contests where id = l.contest)), l.reason
         from audit l "
    };
}

impl Row for AuditEntry {
    type Columns = (
        i64,
        UnixSeconds,
        String,
        Option<BotId>,
        Option<AccountId>,
        Option<ContestId>,
        Option<RoomId>,
        Option<String>,
        Reason,
    );

    fn of((number, at, act, bot, account, contest, game, name, reason): Self::Columns) -> Result<AuditEntry> {
        Ok(AuditEntry { number, at, act, bot, account, contest, game, name, reason })
    }
}

/// Acts of the operator, and their log.
impl Store {
    /// Performs an act, and logs it in the same step. Repeating it changes nothing, but is logged again.
    ///
    /// # Errors
    /// When it cannot be performed; then nothing is logged.
    pub async fn act(&self, act: &Act, reason: &Reason, now: UnixSeconds) -> Result<AuditEntry, ActError> {
        let mut writing = self.writing().await?;
        let number = Counter::LastAct.add(&mut writing, 1).await?;
        if let Act::StartWorld { world, snapshot } = act {
            self.begin_world(&mut writing, world, snapshot).await?;
        }
        may_act(act, act_view(&mut writing, act).await?)?;
        if perform(&mut writing, &self.limits, act, reason, now).await? == Appended::Already {
            // Or the line was written as what an account did itself.
            let earlier = query(concat!(
                entries!(),
                "where l.act = $1 and l.world = $2 and l.reason = $3 order by l.number desc limit 1"
            ))
            .with(values![act.word(), act.subject(number), reason])
            .fetch_optional(&mut writing)
            .await?;
            if let Some(earlier) = earlier {
                return Ok(earlier);
            }
        }
        if let Some(measure) = act.measure(reason) {
            take(&mut writing, number, measure, now).await?;
        }
        note(&mut writing, number, act, reason, now).await?;
        let entry = query(concat!(entries!(), "where l.number = $1")).bind(number).fetch_one(&mut writing).await?;
        writing.commit().await?;
        Ok(entry)
    }

    /// The log of acts, newest first; a page starts below a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn audit(&self, page: Page<i64>) -> Result<Vec<AuditEntry>> {
        query(concat!(entries!(), "where l.number < $1 order by l.number desc limit $2"))
            .with(values![page.key(i64::MAX, |number| number), page.limit()])
            .fetch_all(&mut self.reader().await?)
            .await
    }

    /// What is closed.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn closed(&self) -> Result<BTreeSet<Gate>> {
        let gates = query("select gate from closed_gates union select subject from measures where kind = 'closed'");
        Ok(gates.fetch_values(&mut self.reader().await?).await?.into_iter().collect())
    }

    /// The measures that are not over at `now`, the oldest first. What is over is deleted.
    ///
    /// # Errors
    /// When the store cannot be read or written.
    pub async fn measures(&self, now: UnixSeconds) -> Result<Vec<Measure>> {
        type Row = (i64, String, String, String, UnixSeconds, Option<UnixSeconds>);
        let rows: Vec<Row> = query("select number, kind, subject, text, since, until_at from measures order by number")
            .fetch_all(&mut self.reader().await?)
            .await?;
        let (over, rows): (Vec<Row>, Vec<Row>) =
            rows.into_iter().partition(|(.., until)| until.is_some_and(|until| until <= now));
        if !over.is_empty() {
            self.execute(query("delete from measures where until_at <= $1").bind(now)).await?;
        }
        let measure = |(number, kind, subject, text, since, until): Row| {
            Measure::stored((number, &kind, subject, text), since, until)
        };
        // What a later release does is nothing that this one could follow.
        Ok(rows.into_iter().filter_map(measure).collect())
    }

    /// The account with this name or one that looks like it.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn account_by_name(&self, name: &DisplayName) -> Result<Option<Account>> {
        let mut reader = self.reader().await?;
        for key in name.keys() {
            let account = query(select_accounts!("join account_name_keys k on k.account = a.id where k.name_key = $1"))
                .bind(key)
                .fetch_optional(&mut reader)
                .await?;
            if account.is_some() {
                return Ok(account);
            }
        }
        Ok(None)
    }

    /// Begins a session of the operator's, by the hash of its secret. In the same step those that are over at `now`
    /// end, and what is more than [`OPERATOR_SESSIONS_MAX`].
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn begin_operator_session(
        &self,
        hash: &[u8; 32],
        expires_at: UnixSeconds,
        now: UnixSeconds,
    ) -> Result<()> {
        let mut writing = self.writing().await?;
        query("delete from operator_sessions where expires_at <= $1").bind(now).execute(&mut writing).await?;
        query(
            "delete from operator_sessions where token_hash not in (
                select token_hash from operator_sessions order by expires_at desc, token_hash limit $1)",
        )
        .bind(OPERATOR_SESSIONS_MAX as i64 - 1)
        .execute(&mut writing)
        .await?;
        query("insert into operator_sessions (token_hash, expires_at) values ($1, $2)")
            .with(values![hash.as_slice(), expires_at])
            .execute(&mut writing)
            .await?;
        writing.commit().await
    }

    /// Whether the operator has a session with this hash that is not over at `now`.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn is_operator_session(&self, hash: &[u8; 32], now: UnixSeconds) -> Result<bool> {
        query("select 1 from operator_sessions where token_hash = $1 and expires_at > $2")
            .with(values![hash.as_slice(), now])
            .exists(&mut self.reader().await?)
            .await
    }

    /// Ends a session of the operator's. Nothing happens when there is none.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn end_operator_session(&self, hash: &[u8; 32]) -> Result<()> {
        self.execute(query("delete from operator_sessions where token_hash = $1").bind(hash.as_slice())).await.map(drop)
    }
}

/// What decides on an act. The connection must be in a transaction.
async fn act_view(writing: &mut Connection, act: &Act) -> Result<ActView> {
    let changed = match act {
        Act::DisableBot(id) | Act::EnableBot(id) => {
            Some(query("select 1 from bots where id = $1 and deleted_at is null").bind(*id))
        }
        Act::DisableAccount(id) | Act::EnableAccount(id) => {
            Some(query("select 1 from accounts where id = $1 and deleted_at is null").bind(*id))
        }
        Act::AnnulGame(room) | Act::RestoreGame(room) => {
            Some(query("select 1 from people_games where room = $1").bind(room))
        }
        Act::LiftBan(ban) => Some(query("select 1 from measures where kind = $1 and number = $2").bind(BAN).bind(*ban)),
        Act::RestoreTournament(id) => {
            let annulled = query("select 1 from measures where kind = $1 and subject = $2");
            Some(annulled.with(values![ANNULLED, id]))
        }
        _ => None,
    };
    let is_there = match changed {
        Some(changed) => changed.exists(writing).await?,
        None => true,
    };
    let other_bans = match act {
        Act::Ban { network, .. } => {
            let others = query("select count(*) from measures where kind = $1 and subject <> $2");
            others.with(values![BAN, network.as_str()]).fetch_value(writing).await?
        }
        _ => 0,
    };
    Ok(ActView { is_there, other_bans })
}

/// Performs the change that an act stands for; whether it was made before: then its answer was lost.
async fn perform(
    writing: &mut Connection,
    limits: &Limits,
    act: &Act,
    reason: &Reason,
    now: UnixSeconds,
) -> Result<Appended, ActError> {
    match act {
        Act::Close(gate) if !gate.is_a_measure() => {
            let closing = "insert into closed_gates (gate, since) values ($1, $2) on conflict do nothing";
            query(closing).with(values![*gate, now]).execute(writing).await?;
        }
        Act::Open(gate) => {
            end(writing, CLOSED, gate.into()).await?;
            query("delete from closed_gates where gate = $1").bind(*gate).execute(writing).await?;
        }
        Act::DisableBot(id) => disable(writing, BOT, id.0, Some(now)).await?,
        Act::EnableBot(id) => disable(writing, BOT, id.0, None).await?,
        Act::DisableAccount(id) => disable(writing, ACCOUNT, id.0, Some(now)).await?,
        Act::EnableAccount(id) => disable(writing, ACCOUNT, id.0, None).await?,
        Act::AnnulGame(room) => annul(writing, room, Some(reason)).await?,
        Act::RestoreGame(room) => annul(writing, room, None).await?,
        Act::RemoveNotice => end(writing, NOTICE, "").await?,
        Act::ResetLimit(name) => end(writing, LIMIT, name).await?,
        Act::LiftBan(number) => {
            let ended = query("delete from measures where kind = $1 and number = $2").with(values![BAN, *number]);
            ended.execute(writing).await?;
        }
        Act::RestoreTournament(id) => end(writing, ANNULLED, id.as_str()).await?,
        Act::RenameBot(id, name) => drop(rename_bot(writing, limits, *id, name).await?),
        Act::RenameAccount(id, name) => drop(rename(writing, *id, name).await?),
        Act::CancelContest { id, seq, event, counted } => append(writing, *id, *seq, event, counted, now).await?,
        Act::SeatBot { world, line: Some(WorldLine { from, seq, line }) }
        | Act::FreeSlot { world, line: WorldLine { from, seq, line }, .. } => {
            return Ok(append_to_world(writing, world, *from, *seq, line).await?);
        }
        _ => {}
    }
    Ok(Appended::New)
}

/// Takes a measure, in place of an earlier one about the same.
async fn take(
    writing: &mut Connection,
    number: i64,
    (kind, subject, text, until): (&str, &str, &str, Option<UnixSeconds>),
    now: UnixSeconds,
) -> Result<()> {
    end(writing, kind, subject).await?;
    query("insert into measures (number, kind, subject, text, since, until_at) values ($1, $2, $3, $4, $5, $6)")
        .with(values![number, kind, subject, text, now, until])
        .execute(writing)
        .await?;
    Ok(())
}

/// Ends a measure, if there is one.
async fn end(writing: &mut Connection, kind: &str, subject: &str) -> Result<()> {
    let ended = query("delete from measures where kind = $1 and subject = $2").with(values![kind, subject]);
    ended.execute(writing).await.map(drop)
}

/// Disables a bot, keeping the time of the first call, or enables it.
const BOT: &str = "update bots set disabled_at = case when $2 is null then null else coalesce(disabled_at, $2) end
     where id = $1 and deleted_at is null";

/// The same for an account.
const ACCOUNT: &str =
    "update accounts set disabled_at = case when $2 is null then null else coalesce(disabled_at, $2) end
     where id = $1 and deleted_at is null";

/// Disables or enables something.
async fn disable(writing: &mut Connection, statement: &'static str, id: i64, since: Option<UnixSeconds>) -> Result<()> {
    query(statement).with(values![id, since]).execute(writing).await.map(drop)
}
