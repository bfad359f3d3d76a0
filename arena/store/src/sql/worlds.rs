//! The logs of worlds in a table. Its primary key makes sure that each line is written once.

use super::columns::values;
use super::connection::{Connection, query};
use crate::error::{Damage, Result};
use crate::policy::world::{AppendView, BeginView, forgotten, may_append, may_begin, may_have_place};
use crate::{Appended, Page, Store, WorldError, WorldName, WorldSpan};

/// The logs of worlds.
///
/// Everything here may be repeated. A line in a log never changes: of concurrent lines for one place exactly one gets
/// it, and every caller learns whether it was its own. The oldest spans of a world are forgotten as a whole.
impl Store {
    /// The names of all worlds, in order.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn worlds(&self) -> Result<Vec<WorldName>> {
        query("select distinct world from world_spans order by world").fetch_values(&mut self.reader().await?).await
    }

    /// Begins a span with a snapshot of generation `from`, which must be later than those of all earlier spans. A world
    /// begins with its first span. In the same step the oldest spans are forgotten, as many as
    /// [`Limits::world_bytes_max`](crate::Limits) requires.
    ///
    /// # Errors
    /// When this span exists with another snapshot, there is a later span, or a limit is reached.
    pub async fn begin_span(&self, world: &WorldName, from: u64, snapshot: &str) -> Result<Appended, WorldError> {
        let mut writing = self.writing().await?;
        let begun = self.begin_world_span(&mut writing, world, from, snapshot).await?;
        writing.commit().await?;
        Ok(begun)
    }

    /// Appends a line at the place `seq` of a span, which must be the next one; the snapshot has the place 0.
    ///
    /// # Errors
    /// When the span is not the world's latest, the place is taken or not the next one, or a limit is reached.
    pub async fn append_to_world(
        &self,
        world: &WorldName,
        from: u64,
        seq: u32,
        line: &str,
    ) -> Result<Appended, WorldError> {
        let mut writing = self.writing().await?;
        let appended = append(&mut writing, world, from, seq, line).await?;
        writing.commit().await?;
        Ok(appended)
    }

    /// The latest span that begins at or before a generation, with all its lines.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn world_span(&self, world: &WorldName, until: u64) -> Result<Option<WorldSpan>> {
        let rows: Vec<(u64, i64, String)> = query(
            "select start, seq, line from world_lines where world = $1 and start =
             (select max(start) from world_spans where world = $1 and start <= $2) order by seq",
        )
        .with(values![world, until])
        .fetch_all(&mut self.reader().await?)
        .await?;
        let Some(&(from, ..)) = rows.first() else { return Ok(None) };
        if rows.iter().enumerate().any(|(place, (_, seq, _))| *seq != place as i64) {
            return Err(Damage::LogGap.into());
        }
        Ok(Some(WorldSpan { from, lines: rows.into_iter().map(|(.., line)| line).collect() }))
    }

    /// The lines of a span from a place on; none if the span does not exist or is forgotten.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn world_lines(&self, world: &WorldName, from: u64, seq: u32) -> Result<Vec<String>> {
        query("select line from world_lines where world = $1 and start = $2 and seq >= $3 order by seq")
            .with(values![world, from, seq])
            .fetch_values(&mut self.reader().await?)
            .await
    }

    /// The generations at which spans begin, the latest first; a page starts below one of them.
    ///
    /// # Errors
    /// When the store cannot be read.
    pub async fn world_spans(&self, world: &WorldName, page: Page<u64>) -> Result<Vec<u64>> {
        query("select start from world_spans where world = $1 and start < $2 order by start desc limit $3")
            .with(values![world, page.key(u64::MAX, |start| start), page.limit()])
            .fetch_values(&mut self.reader().await?)
            .await
    }
}

/// [`Store::append_to_world`], in a transaction.
pub(super) async fn append(
    writing: &mut Connection,
    world: &WorldName,
    from: u64,
    seq: u32,
    line: &str,
) -> Result<Appended, WorldError> {
    may_have_place(seq, line.len())?;
    let next = query("select coalesce(max(seq) + 1, 0) from world_lines where world = $1 and start = $2")
        .with(values![world, from])
        .fetch_value(writing)
        .await?;
    let view = AppendView {
        is_latest: latest(writing, world).await? == Some(from),
        same: line_at(writing, world, from, seq).await?.map(|there| there == line),
        next,
    };
    let appended = may_append(view, seq)?;
    if appended == Appended::New {
        insert(writing, world, from, seq, line).await?;
    }
    Ok(appended)
}

impl Store {
    /// [`Store::begin_span`], in a transaction.
    async fn begin_world_span(
        &self,
        writing: &mut Connection,
        world: &WorldName,
        from: u64,
        snapshot: &str,
    ) -> Result<Appended, WorldError> {
        may_have_place(0, snapshot.len())?;
        let view = BeginView {
            latest: latest(writing, world).await?,
            same: line_at(writing, world, from, 0).await?.map(|there| there == snapshot),
            worlds: query("select count(distinct world) from world_spans").fetch_value(writing).await?,
            has_space: self.space_left()?,
        };
        let begun = may_begin(view, &self.limits, from)?;
        if begun == Appended::New {
            query("insert into world_spans (world, start, bytes) values ($1, $2, 0)")
                .with(values![world, from])
                .execute(writing)
                .await?;
            insert(writing, world, from, 0, snapshot).await?;
            self.forget_spans(writing, world).await?;
        }
        Ok(begun)
    }

    /// Begins a world, unless it is there, in a transaction.
    pub(super) async fn begin_world(
        &self,
        writing: &mut Connection,
        world: &WorldName,
        snapshot: &str,
    ) -> Result<(), WorldError> {
        if latest(writing, world).await?.is_none() {
            self.begin_world_span(writing, world, 0, snapshot).await?;
        }
        Ok(())
    }

    /// Forgets the oldest spans of a world, until the rest fits the budget.
    async fn forget_spans(&self, writing: &mut Connection, world: &WorldName) -> Result<()> {
        let spans: Vec<(u64, u64)> = query("select start, bytes from world_spans where world = $1 order by start")
            .bind(world)
            .fetch_all(writing)
            .await?;
        let bytes: Vec<u64> = spans.iter().map(|(_, bytes)| *bytes).collect();
        for (start, _) in &spans[..forgotten(&bytes, &self.limits)] {
            for statement in [
                "delete from world_lines where world = $1 and start = $2",
                "delete from world_spans where world = $1 and start = $2",
            ] {
                query(statement).with(values![world, *start]).execute(writing).await?;
            }
        }
        Ok(())
    }
}

/// The first generation of the latest span of a world.
async fn latest(writing: &mut Connection, world: &WorldName) -> Result<Option<u64>> {
    query("select max(start) from world_spans where world = $1").bind(world).fetch_value(writing).await
}

async fn line_at(writing: &mut Connection, world: &WorldName, from: u64, seq: u32) -> Result<Option<String>> {
    query("select line from world_lines where world = $1 and start = $2 and seq = $3")
        .with(values![world, from, seq])
        .find_value(writing)
        .await
}

async fn insert(writing: &mut Connection, world: &WorldName, from: u64, seq: u32, line: &str) -> Result<()> {
    query("update world_spans set bytes = bytes + $3 where world = $1 and start = $2")
        .with(values![world, from, line.len()])
        .execute(writing)
        .await?;
    query("insert into world_lines (world, start, seq, line) values ($1, $2, $3, $4)")
        .with(values![world, from, seq, line])
        .execute(writing)
        .await
        .map(drop)
}
