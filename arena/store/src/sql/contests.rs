//! Tournaments that accounts start, and their logs in a table. Its primary key makes sure that each event is written
//! once.

use super::audit::note;
use super::connection::{Connection, query, values};
use super::counters::Counter;
use super::error::number;
use super::gates::is_closed;
use crate::contests::checked;
use crate::error::{Damage, Result};
use crate::limits::DAY_SECONDS;
use crate::policy::contest::{OpenView, Usage, may_append, may_open};
use crate::{
    AccountId, Act, Contest, ContestError, ContestEvent, ContestId, Counted, DisplayName, Gate, NewContest, Page,
    Phase, Removed, Store, StoreError, UnixSeconds,
};

type Row = (i64, i64, String, String, String, i64, String, i64, i64);

macro_rules! contests {
    () => {
        "select c.id, c.owner, a.name, c.name, c.game, c.opened_at, c.phase, c.games, c.fuel
         from contests c join accounts a on a.id = c.owner "
    };
}

fn contest((id, owner, owner_name, name, game, opened_at, phase, games, fuel): Row) -> Result<Contest> {
    let phase = Phase::named(&phase).ok_or_else(|| StoreError::damaged(Damage::Phase))?;
    Ok(Contest {
        id: ContestId(id),
        owner: AccountId(owner),
        owner_name: DisplayName::stored(owner_name),
        name,
        game,
        opened_at: UnixSeconds(opened_at),
        counted: Counted { phase, games: number(games)?, fuel: number(fuel)? },
    })
}

/// A number for a column; numbers beyond its range become the maximum.
fn column(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

/// What decides on the opening of a tournament. The connection must be in a transaction.
async fn open_view(
    connection: &mut Connection,
    owner: AccountId,
    has_space: bool,
    now: UnixSeconds,
) -> Result<OpenView> {
    let disabled: Option<(bool,)> =
        query("select disabled_at is not null from accounts where id = $1 and deleted_at is null")
            .bind(owner.0)
            .fetch_optional(connection)
            .await?;
    let closed = is_closed(connection, Gate::Tournaments).await?;
    let (all, own, games, fuel): (i64, i64, i64, i64) = query(
        "select count(*), count(*) filter (where owner = $1), cast(coalesce(sum(games), 0) as bigint),
             cast(coalesce(sum(fuel), 0) as bigint) from contests where phase <> 'over'",
    )
    .bind(owner.0)
    .fetch_one(connection)
    .await?;
    let under_way = Usage { games: number(games)?, fuel: number(fuel)? };
    let today: Vec<(i64, i64, i64)> = query(
        "select opened_at, games, fuel from contests where owner = $1 and opened_at > $2 and games > 0
         order by opened_at",
    )
    .with(values![owner.0, now.earlier(DAY_SECONDS).0])
    .fetch_all(connection)
    .await?;
    let used = |(at, games, fuel)| Ok((UnixSeconds(at), Usage { games: number(games)?, fuel: number(fuel)? }));
    Ok(OpenView {
        closed,
        has_space,
        disabled: disabled.map(|(disabled,)| disabled),
        own: number(own)?,
        all: number(all)?,
        under_way,
        today: today.into_iter().map(used).collect::<Result<_>>()?,
    })
}

/// [`Store::append_to_contest`], in a transaction.
pub(super) async fn append(
    writing: &mut Connection,
    id: ContestId,
    seq: u32,
    event: &str,
    counted: &Counted,
    now: UnixSeconds,
) -> Result<(), ContestError> {
    checked(event)?;
    let there: Option<(bool, i64)> = query(
        "select phase = 'over', (select count(*) from contest_events where contest = $1) from contests where id = $1",
    )
    .bind(id.0)
    .fetch_optional(writing)
    .await?;
    let (is_over, next) = there.ok_or(ContestError::NoSuchContest)?;
    may_append(is_over, number(next)?, seq)?;
    query("insert into contest_events (contest, seq, at, event) values ($1, $2, $3, $4)")
        .with(values![id.0, i64::from(seq), now.0, event])
        .execute(writing)
        .await?;
    query("update contests set phase = $2, games = $3, fuel = $4 where id = $1")
        .with(values![id.0, counted.phase.word(), i64::from(counted.games), column(counted.fuel)])
        .execute(writing)
        .await?;
    Ok(())
}

/// An event, after the columns of its tournament.
type EventRow = (i64, i64, String, String, String, i64, String, i64, i64, i64, String);

/// Tournaments that accounts start.
///
/// A log has no gaps, and an event in it never changes: of concurrent events for one place exactly one gets it.
impl Store {
    /// Opens a tournament. Calling it again opens another one.
    ///
    /// # Errors
    /// When the account is missing or disabled, a limit is reached, or there is no space.
    pub async fn open_contest(&self, new: &NewContest<'_>, now: UnixSeconds) -> Result<ContestId, ContestError> {
        checked(new.event)?;
        let mut writing = self.writing().await?;
        let view = open_view(&mut writing, new.owner, self.space_left()?, now).await?;
        let limits = self.limits_in(&mut writing).await?;
        may_open(&view, &limits, &new.counted, now)?;
        let id = Counter::LastContest.add(&mut writing, 1).await?;
        query(
            "insert into contests (id, owner, name, game, phase, games, fuel, secret, opened_at)
             values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        )
        .bind(id)
        .bind(new.owner.0)
        .bind(new.name)
        .bind(new.game)
        .bind(new.counted.phase.word())
        .bind(i64::from(new.counted.games))
        .bind(column(new.counted.fuel))
        .bind(&new.secret[..])
        .bind(now.0)
        .execute(&mut writing)
        .await?;
        query("insert into contest_events (contest, seq, at, event) values ($1, 0, $2, $3)")
            .with(values![id, now.0, new.event])
            .execute(&mut writing)
            .await?;
        if let Some(reason) = new.by_operator {
            let number = Counter::LastAct.add(&mut writing, 1).await?;
            note(&mut writing, number, &Act::OpenContest(ContestId(id)), reason, now).await?;
        }
        writing.commit().await?;
        Ok(ContestId(id))
    }

    /// Appends an event at the place `seq`, which must be the next one (counted from 1), and updates what counts
    /// towards limits.
    ///
    /// # Errors
    /// When the place is taken or not the next one, the tournament is over or does not exist, or a limit is reached.
    pub async fn append_to_contest(
        &self,
        id: ContestId,
        seq: u32,
        event: &str,
        counted: &Counted,
        now: UnixSeconds,
    ) -> Result<(), ContestError> {
        let mut writing = self.writing().await?;
        append(&mut writing, id, seq, event, counted, now).await?;
        Ok(writing.commit().await?)
    }

    /// A tournament with its whole log, read at one moment.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn contest(&self, id: ContestId) -> Result<Option<(Contest, Vec<ContestEvent>)>> {
        let mut reader = self.reader().await?;
        // One query, so that both are read at one moment.
        let rows: Vec<EventRow> = query(
            "select c.id, c.owner, a.name, c.name, c.game, c.opened_at, c.phase, c.games, c.fuel, e.at, e.event
             from contests c join accounts a on a.id = c.owner join contest_events e on e.contest = c.id
             where c.id = $1 order by e.seq",
        )
        .bind(id.0)
        .fetch_all(&mut reader)
        .await?;
        let Some((id, owner, owner_name, name, game, opened_at, phase, games, fuel, ..)) = rows.first().cloned() else {
            return Ok(None);
        };
        let contest = contest((id, owner, owner_name, name, game, opened_at, phase, games, fuel))?;
        let events = rows.into_iter().map(|row| ContestEvent { at: UnixSeconds(row.9), event: row.10 });
        Ok(Some((contest, events.collect())))
    }

    /// Tournaments, newest first, of one account or of all; a page starts below a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn contests(&self, owner: Option<AccountId>, page: Page<ContestId>) -> Result<Vec<Contest>> {
        let limit = page.limit();
        let rows: Vec<Row> =
            query(concat!(contests!(), "where c.id < $1 and ($2 is null or c.owner = $2) order by c.id desc limit $3"))
                .with(values![page.key(i64::MAX, |id| id.0), owner.map(|owner| owner.0), limit])
                .fetch_all(&mut self.reader().await?)
                .await?;
        rows.into_iter().map(contest).collect()
    }

    /// The numbers of all unfinished tournaments, oldest first: what a server resumes with.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn contests_under_way(&self) -> Result<Vec<ContestId>> {
        let rows: Vec<(i64,)> = query("select id from contests where phase <> 'over' order by id")
            .fetch_all(&mut self.reader().await?)
            .await?;
        Ok(rows.into_iter().map(|(id,)| ContestId(id)).collect())
    }

    /// Forgets a finished tournament with its log, and notes that it is [gone](Store::gone_since). An unfinished one
    /// stays. A missing one counts as forgotten.
    ///
    /// # Errors
    /// When the store cannot be written.
    pub async fn forget_contest(&self, id: ContestId, now: UnixSeconds) -> Result<()> {
        let mut writing = self.writing().await?;
        let mut forgotten = 0;
        for statement in [
            "delete from contest_events where contest in (select id from contests where id = $1 and phase = 'over')",
            "delete from contests where id = $1 and phase = 'over'",
        ] {
            forgotten = query(statement).bind(id.0).execute(&mut writing).await?;
        }
        if forgotten > 0 {
            self.note_removed(&mut writing, &Removed::Contest(id), now).await?;
        }
        writing.commit().await
    }

    /// The secret that a tournament's seed is drawn with; `None` if there is no such tournament.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn contest_secret(&self, id: ContestId) -> Result<Option<[u8; 32]>> {
        let row: Option<(Vec<u8>,)> = query("select secret from contests where id = $1")
            .bind(id.0)
            .fetch_optional(&mut self.reader().await?)
            .await?;
        row.map(|(secret,)| <[u8; 32]>::try_from(&secret[..]).map_err(StoreError::damaged)).transpose()
    }
}
