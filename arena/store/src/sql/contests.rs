//! Tournaments that accounts start, and their logs in a table. Its primary key makes sure that each event is written
//! once.

use super::audit::note;
use super::columns::{Row, values};
use super::connection::{Connection, query};
use super::counters::Counter;
use super::gates::is_closed;
use crate::contests::checked;
use crate::error::Result;
use crate::limits::DAY_SECONDS;
use crate::policy::contest::{OpenView, Usage, may_append, may_open};
use crate::{
    AccountId, Act, Contest, ContestError, ContestEvent, ContestId, Counted, DisplayName, Gate, NewContest, Page,
    Phase, Removed, Store, UnixSeconds,
};

macro_rules! contests {
    () => {
        "select c.id, c.owner, a.name, c.name, c.game, c.opened_at, c.phase, c.games, c.fuel
         from contests c join accounts a on a.id = c.owner "
    };
}

impl Row for Contest {
    type Columns = (ContestId, AccountId, DisplayName, String, String, UnixSeconds, Phase, u32, u64);

    fn of((id, owner, owner_name, name, game, opened_at, phase, games, fuel): Self::Columns) -> Result<Contest> {
        Ok(Contest { id, owner, owner_name, name, game, opened_at, counted: Counted { phase, games, fuel } })
    }
}

/// What decides on the opening of a tournament. The connection must be in a transaction.
async fn open_view(
    connection: &mut Connection,
    owner: AccountId,
    has_space: bool,
    now: UnixSeconds,
) -> Result<OpenView> {
    let disabled = query("select disabled_at is not null from accounts where id = $1 and deleted_at is null")
        .bind(owner)
        .find_value(connection)
        .await?;
    let closed = is_closed(connection, Gate::Tournaments).await?;
    let (all, own, games, fuel) = query(
        "select count(*), count(*) filter (where owner = $1), cast(coalesce(sum(games), 0) as bigint),
             cast(coalesce(sum(fuel), 0) as bigint) from contests where phase <> 'over'",
    )
    .bind(owner)
    .fetch_one(connection)
    .await?;
    let today: Vec<(UnixSeconds, u64, u64)> = query(
        "select opened_at, games, fuel from contests where owner = $1 and opened_at > $2 and games > 0
         order by opened_at",
    )
    .with(values![owner, now.earlier(DAY_SECONDS)])
    .fetch_all(connection)
    .await?;
    let today = today.into_iter().map(|(at, games, fuel)| (at, Usage { games, fuel })).collect();
    Ok(OpenView { closed, has_space, disabled, own, all, under_way: Usage { games, fuel }, today })
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
    let there: Option<(bool, u64)> = query(
        "select phase = 'over', (select count(*) from contest_events where contest = $1) from contests where id = $1",
    )
    .bind(id)
    .fetch_optional(writing)
    .await?;
    let (is_over, next) = there.ok_or(ContestError::NoSuchContest)?;
    may_append(is_over, next, seq)?;
    query("insert into contest_events (contest, seq, at, event) values ($1, $2, $3, $4)")
        .with(values![id, seq, now, event])
        .execute(writing)
        .await?;
    query("update contests set phase = $2, games = $3, fuel = $4 where id = $1")
        .with(values![id, counted.phase, counted.games, counted.fuel])
        .execute(writing)
        .await?;
    Ok(())
}

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
        .with(values![id, new.owner, new.name, new.game])
        .with(values![new.counted.phase, new.counted.games, new.counted.fuel, &new.secret[..], now])
        .execute(&mut writing)
        .await?;
        query("insert into contest_events (contest, seq, at, event) values ($1, 0, $2, $3)")
            .with(values![id, now, new.event])
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
        // One query, so that both are read at one moment.
        let rows: Vec<(_, _, _, _, _, _, _, _, _, UnixSeconds, String)> = query(
            "select c.id, c.owner, a.name, c.name, c.game, c.opened_at, c.phase, c.games, c.fuel, e.at, e.event
             from contests c join accounts a on a.id = c.owner join contest_events e on e.contest = c.id
             where c.id = $1 order by e.seq",
        )
        .bind(id)
        .fetch_all(&mut self.reader().await?)
        .await?;
        let (mut contest, mut events) = (None, Vec::new());
        for (id, owner, owner_name, name, game, opened_at, phase, games, fuel, at, event) in rows {
            contest = Some(Contest::of((id, owner, owner_name, name, game, opened_at, phase, games, fuel))?);
            events.push(ContestEvent { at, event });
        }
        Ok(contest.map(|contest| (contest, events)))
    }

    /// Tournaments, newest first, of one account or of all; a page starts below a number.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn contests(&self, owner: Option<AccountId>, page: Page<ContestId>) -> Result<Vec<Contest>> {
        query(concat!(contests!(), "where c.id < $1 and ($2 is null or c.owner = $2) order by c.id desc limit $3"))
            .with(values![page.key(i64::MAX, |id| id.0), owner, page.limit()])
            .fetch_all(&mut self.reader().await?)
            .await
    }

    /// The numbers of all unfinished tournaments, oldest first: what a server resumes with.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn contests_under_way(&self) -> Result<Vec<ContestId>> {
        query("select id from contests where phase <> 'over' order by id").fetch_values(&mut self.reader().await?).await
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
            forgotten = query(statement).bind(id).execute(&mut writing).await?;
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
        query("select secret from contests where id = $1").bind(id).find_value(&mut self.reader().await?).await
    }
}
