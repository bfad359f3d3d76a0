//! The logs of worlds.

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::worlds::checked;
use crate::{Appended, Limits, Page, StoreError, WorldError, WorldLogs, WorldName, WorldSpan};

/// Compares the line to be written with the one in its place.
fn same(there: &str, line: &str) -> Result<Appended, WorldError> {
    if there == line { Ok(Appended::Already) } else { Err(WorldError::Taken) }
}

impl State {
    pub(super) fn begin_span(
        &mut self,
        world: &WorldName,
        from: u64,
        snapshot: &str,
        limits: &Limits,
    ) -> Result<Appended, WorldError> {
        checked(0, snapshot)?;
        if !self.worlds.contains_key(world) && self.worlds.len() >= limits.worlds_max as usize {
            return Err(WorldError::TooManyWorlds(limits.worlds_max));
        }
        let spans = self.worlds.entry(world.clone()).or_default();
        if let Some(lines) = spans.get(&from) {
            return same(&lines[0], snapshot);
        }
        if spans.last_key_value().is_some_and(|(latest, _)| *latest > from) {
            return Err(WorldError::NoSuchSpan);
        }
        spans.insert(from, vec![snapshot.into()]);
        let bytes = |lines: &Vec<String>| lines.iter().map(|line| line.len() as u64).sum::<u64>();
        while spans.len() > 1 && spans.values().map(bytes).sum::<u64>() > limits.world_bytes_max {
            spans.pop_first();
        }
        Ok(Appended::New)
    }

    pub(super) fn append_to_world(
        &mut self,
        world: &WorldName,
        from: u64,
        seq: u32,
        line: &str,
    ) -> Result<Appended, WorldError> {
        checked(seq, line)?;
        let latest = self.worlds.get_mut(world).and_then(|spans| spans.last_entry());
        let Some(mut span) = latest.filter(|span| *span.key() == from) else { return Err(WorldError::NoSuchSpan) };
        let lines = span.get_mut();
        if let Some(there) = lines.get(seq as usize) {
            return same(there, line);
        }
        let next = lines.len() as u32;
        if seq != next {
            return Err(WorldError::Gap { next });
        }
        lines.push(line.into());
        Ok(Appended::New)
    }
}

#[async_trait]
impl WorldLogs for MemoryStore {
    async fn worlds(&self) -> Result<Vec<WorldName>, StoreError> {
        Ok(self.state()?.worlds.keys().cloned().collect())
    }

    async fn begin_span(&self, world: &WorldName, from: u64, snapshot: &str) -> Result<Appended, WorldError> {
        self.state()?.begin_span(world, from, snapshot, &self.limits)
    }

    async fn append_to_world(
        &self,
        world: &WorldName,
        from: u64,
        seq: u32,
        line: &str,
    ) -> Result<Appended, WorldError> {
        self.state()?.append_to_world(world, from, seq, line)
    }

    async fn world_span(&self, world: &WorldName, until: u64) -> Result<Option<WorldSpan>, StoreError> {
        let state = self.state()?;
        let latest = state.worlds.get(world).and_then(|spans| spans.range(..=until).next_back());
        Ok(latest.map(|(from, lines)| WorldSpan { from: *from, lines: lines.clone() }))
    }

    async fn world_lines(&self, world: &WorldName, from: u64, seq: u32) -> Result<Vec<String>, StoreError> {
        let state = self.state()?;
        let lines = state.worlds.get(world).and_then(|spans| spans.get(&from));
        Ok(lines.map_or_else(Vec::new, |lines| lines.iter().skip(seq as usize).cloned().collect()))
    }

    async fn world_spans(&self, world: &WorldName, page: Page<u64>) -> Result<Vec<u64>, StoreError> {
        let state = self.state()?;
        let latest_first = state.worlds.get(world).into_iter().flat_map(|spans| spans.keys().rev().copied());
        Ok(page.of(latest_first, |from, after| from < after))
    }
}
