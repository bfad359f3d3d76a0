//! Tournaments that accounts start.

use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::contests::checked;
use crate::limits::DAY_SECONDS;
use crate::{
    AccountId, Act, CONTEST_EVENTS_MAX, Contest, ContestError, ContestEvent, ContestId, Contests, Counted, DELETED,
    DisplayName, Gate, NewContest, Page, Phase, Removed, StoreError, UnixSeconds,
};

#[derive(Debug)]
pub(super) struct StoredContest {
    owner: AccountId,
    name: String,
    game: String,
    opened_at: UnixSeconds,
    counted: Counted,
    secret: [u8; 32],
    events: Vec<ContestEvent>,
}

impl State {
    fn contest(&self, id: ContestId, stored: &StoredContest) -> Contest {
        let owner = self.account(stored.owner);
        Contest {
            id,
            owner: stored.owner,
            owner_name: owner.map_or_else(|| DisplayName::stored(DELETED.into()), |account| account.name),
            name: stored.name.clone(),
            game: stored.game.clone(),
            opened_at: stored.opened_at,
            counted: stored.counted,
        }
    }

    /// The name of a tournament.
    pub(super) fn contest_name(&self, id: ContestId) -> Option<String> {
        self.contests.get(&id).map(|stored| stored.name.clone())
    }

    /// [`Contests::append_to_contest`].
    pub(super) fn append_event(
        &mut self,
        id: ContestId,
        seq: u32,
        event: &str,
        counted: &Counted,
        now: UnixSeconds,
    ) -> Result<(), ContestError> {
        checked(event)?;
        let stored = self.contests.get_mut(&id).ok_or(ContestError::NoSuchContest)?;
        if seq >= CONTEST_EVENTS_MAX || stored.counted.phase == Phase::Over {
            return Err(ContestError::Over);
        }
        if seq as usize != stored.events.len() {
            return Err(ContestError::Taken);
        }
        stored.events.push(ContestEvent { at: now, event: event.into() });
        stored.counted = *counted;
        Ok(())
    }

    fn under_way(&self) -> impl Iterator<Item = (&ContestId, &StoredContest)> {
        self.contests.iter().filter(|(_, stored)| stored.counted.phase != Phase::Over)
    }
}

#[async_trait]
impl Contests for MemoryStore {
    async fn open_contest(&self, new: &NewContest<'_>, now: UnixSeconds) -> Result<ContestId, ContestError> {
        checked(new.event)?;
        let mut state = self.state()?;
        let account = state.account(new.owner).ok_or(ContestError::NoSuchAccount)?;
        if account.disabled {
            return Err(ContestError::Disabled);
        }
        if state.closed_gates.contains(&Gate::Tournaments) {
            return Err(ContestError::Closed);
        }
        let limits = &self.limits;
        if state.under_way().count() >= limits.contests_max as usize {
            return Err(ContestError::TooMany(limits.contests_max));
        }
        let own = state.under_way().filter(|(_, stored)| stored.owner == new.owner).count();
        if own >= limits.contests_per_account_max as usize {
            return Err(ContestError::TooManyOfAccount(limits.contests_per_account_max));
        }
        let games: u64 = state.under_way().map(|(_, stored)| u64::from(stored.counted.games)).sum();
        let fuel: u64 = state.under_way().map(|(_, stored)| stored.counted.fuel).sum();
        let (games_max, fuel_max) = (limits.contest_games_max, limits.contest_fuel_max);
        let too_much = games + u64::from(new.counted.games) > u64::from(games_max)
            || fuel.saturating_add(new.counted.fuel) > fuel_max;
        if too_much {
            return Err(ContestError::TooMuch { games: games_max, fuel: fuel_max });
        }
        let today: Vec<&StoredContest> = state
            .contests
            .values()
            .filter(|stored| stored.owner == new.owner && stored.counted.games > 0)
            .filter(|stored| stored.opened_at.later(DAY_SECONDS) > now)
            .collect();
        let games: u64 = today.iter().map(|stored| u64::from(stored.counted.games)).sum();
        let fuel: u64 = today.iter().map(|stored| stored.counted.fuel).sum();
        let (games_max, fuel_max) = (limits.contest_games_per_day_max, limits.contest_fuel_per_day_max);
        let too_much = games + u64::from(new.counted.games) > u64::from(games_max)
            || fuel.saturating_add(new.counted.fuel) > fuel_max;
        if too_much {
            let first = today.iter().map(|stored| stored.opened_at.later(DAY_SECONDS)).min();
            let again_in = now.seconds_until(first.unwrap_or(now.later(DAY_SECONDS)));
            return Err(ContestError::TooMuchToday { games: games_max, fuel: fuel_max, again_in });
        }
        state.contests_made += 1;
        let id = ContestId(state.contests_made);
        let stored = StoredContest {
            owner: new.owner,
            name: new.name.into(),
            game: new.game.into(),
            opened_at: now,
            counted: new.counted,
            secret: new.secret,
            events: vec![ContestEvent { at: now, event: new.event.into() }],
        };
        state.contests.insert(id, stored);
        if let Some(reason) = new.by_operator {
            state.note(&Act::OpenContest(id), reason, now);
        }
        Ok(id)
    }

    async fn append_to_contest(
        &self,
        id: ContestId,
        seq: u32,
        event: &str,
        counted: &Counted,
        now: UnixSeconds,
    ) -> Result<(), ContestError> {
        self.state()?.append_event(id, seq, event, counted, now)
    }

    async fn contest(&self, id: ContestId) -> Result<Option<(Contest, Vec<ContestEvent>)>, StoreError> {
        let state = self.state()?;
        Ok(state.contests.get(&id).map(|stored| (state.contest(id, stored), stored.events.clone())))
    }

    async fn contests(&self, owner: Option<AccountId>, page: Page<ContestId>) -> Result<Vec<Contest>, StoreError> {
        let state = self.state()?;
        let newest_first = state.contests.iter().rev();
        let wanted = newest_first.filter(|(_, stored)| owner.is_none_or(|owner| stored.owner == owner));
        Ok(page.of(wanted.map(|(id, stored)| state.contest(*id, stored)), |contest, after| contest.id < *after))
    }

    async fn contests_under_way(&self) -> Result<Vec<ContestId>, StoreError> {
        Ok(self.state()?.under_way().map(|(id, _)| *id).collect())
    }

    async fn forget_contest(&self, id: ContestId, now: UnixSeconds) -> Result<(), StoreError> {
        let mut state = self.state()?;
        if state.contests.get(&id).is_some_and(|stored| stored.counted.phase == Phase::Over) {
            state.contests.remove(&id);
            state.note_removed(Removed::Contest(id), now, &self.limits);
        }
        Ok(())
    }

    async fn contest_secret(&self, id: ContestId) -> Result<Option<[u8; 32]>, StoreError> {
        Ok(self.state()?.contests.get(&id).map(|stored| stored.secret))
    }
}
