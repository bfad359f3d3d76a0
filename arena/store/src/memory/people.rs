//! Games of people, and which rooms they were taken from.

use std::collections::{BTreeMap, BTreeSet};

use arena_rooms::RoomId;
use async_trait::async_trait;

use super::{MemoryStore, State};
use crate::people::PEOPLE_GAMES_MAX;
use crate::{
    AccountId, DisplayName, NewPeopleGame, PAGE_MAX, Page, PeopleGame, PeopleGames, RoomState, StoreError, UnixSeconds,
};

#[derive(Debug, Default)]
pub(super) struct KeptGames {
    /// Rooms that were looked at.
    tallied: BTreeSet<RoomId>,
    /// By their numbers.
    games: BTreeMap<i64, (RoomId, Vec<AccountId>, String)>,
    /// How many were ever kept.
    made: i64,
    changes: u64,
}

impl State {
    fn people_game(&self, number: i64) -> Option<PeopleGame> {
        let (room, accounts, game) = self.people.games.get(&number)?;
        let gone = accounts.iter().copied().filter(|account| self.account(*account).is_none()).collect();
        Some(PeopleGame { number, room: *room, game: game.clone(), gone })
    }

    /// Forgets the games that no account has any more, when this one was deleted.
    pub(super) fn forget_games(&mut self, id: AccountId) {
        if self.people.games.values().any(|(_, accounts, _)| accounts.contains(&id)) {
            self.people.changes += 1;
        }
        let there: BTreeSet<AccountId> =
            self.accounts.keys().copied().filter(|account| self.account(*account).is_some()).collect();
        self.people.games.retain(|_, (_, accounts, _)| accounts.iter().any(|account| there.contains(account)));
    }
}

#[async_trait]
impl PeopleGames for MemoryStore {
    async fn rooms_to_tally(&self, until: UnixSeconds) -> Result<Vec<RoomId>, StoreError> {
        let state = self.state()?;
        let ended = state.rooms.values().filter_map(|(room, _)| match room.state {
            RoomState::Finished { at } if at <= until => Some((at, room.id)),
            RoomState::Finished { .. } | RoomState::Open => None,
        });
        let ended: BTreeSet<_> = ended.filter(|(_, room)| !state.people.tallied.contains(room)).collect();
        Ok(ended.into_iter().take(PAGE_MAX as usize).map(|(_, room)| room).collect())
    }

    async fn tally_room(&self, id: &RoomId, game: Option<&NewPeopleGame<'_>>) -> Result<(), StoreError> {
        let mut state = self.state()?;
        let is_finished = state.rooms.get(id).is_some_and(|(room, _)| room.state != RoomState::Open);
        if !is_finished || !state.people.tallied.insert(*id) {
            return Ok(());
        }
        let Some(NewPeopleGame { accounts: (first, second), game }) = game else { return Ok(()) };
        let accounts: Vec<AccountId> = [*first].into_iter().chain(*second).collect();
        let is_somebodys = accounts.iter().any(|account| state.account(*account).is_some());
        if is_somebodys && state.people.made < PEOPLE_GAMES_MAX {
            state.people.made += 1;
            let number = state.people.made;
            state.people.games.insert(number, (*id, accounts, (*game).into()));
        }
        Ok(())
    }

    async fn people_games(&self, page: Page<i64>) -> Result<(u64, Vec<PeopleGame>), StoreError> {
        let state = self.state()?;
        let games = page.of(state.people.games.keys(), |number, after| **number > *after);
        Ok((state.people.changes, games.into_iter().filter_map(|number| state.people_game(*number)).collect()))
    }

    async fn people_games_of(&self, account: AccountId, page: Page<i64>) -> Result<Vec<PeopleGame>, StoreError> {
        let state = self.state()?;
        let own = state.people.games.iter().filter(|(_, (_, accounts, _))| accounts.contains(&account));
        let own = page.of(own.map(|(number, _)| *number), |number, after| number > after);
        Ok(own.into_iter().filter_map(|number| state.people_game(number)).collect())
    }

    async fn names_of(&self, accounts: &[AccountId]) -> Result<BTreeMap<AccountId, DisplayName>, StoreError> {
        let state = self.state()?;
        let accounts = accounts.iter().take(PAGE_MAX as usize);
        Ok(accounts.filter_map(|id| Some((*id, state.account(*id)?.name))).collect())
    }
}
