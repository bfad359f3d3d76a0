//! Games of people, and which rooms they were taken from.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use arena_rooms::RoomId;

use super::rooms::bytes;
use super::{Model, State, paged};
use crate::{
    AccountId, GamesKept, Keeping, Limits, NewPeopleGame, PAGE_MAX, Page, PeopleGame, RoomState, StoreError,
    UnixSeconds,
};

#[derive(Debug, Default)]
pub(super) struct KeptGames {
    /// Rooms whose games were taken.
    tallied: BTreeSet<RoomId>,
    /// By their numbers.
    games: BTreeMap<i64, KeptGame>,
    /// How many were ever kept.
    made: i64,
    changes: u64,
}

#[derive(Debug)]
struct KeptGame {
    room: RoomId,
    accounts: Vec<AccountId>,
    keeping: Keeping,
    game: String,
}

impl KeptGames {
    /// Whether the log of a room is kept for a rated game.
    pub(super) fn is_rated(&self, room: &RoomId) -> bool {
        self.games.values().any(|kept| kept.room == *room && kept.keeping == Keeping::Rated)
    }

    /// Forgets that a room's game was taken.
    pub(super) fn forget(&mut self, room: &RoomId) {
        self.tallied.remove(room);
    }

    fn of(&self, keeping: Keeping) -> impl DoubleEndedIterator<Item = (i64, &KeptGame)> {
        self.games.iter().filter(move |(_, kept)| kept.keeping == keeping).map(|(number, kept)| (*number, kept))
    }
}

impl State {
    fn rated_room_bytes(&self) -> u64 {
        let rooms = self.people.of(Keeping::Rated).filter_map(|(_, kept)| self.rooms.get(&kept.room));
        rooms.map(|(room, _)| bytes(room)).sum()
    }

    /// Drops the oldest games of a kind until the rest fits the kind's budgets.
    fn make_room(&mut self, keeping: Keeping, now: UnixSeconds, limits: &Limits) {
        loop {
            let is_heavy = keeping == Keeping::Rated && self.rated_room_bytes() > limits.rated_room_bytes_max;
            if self.people.of(keeping).count() <= keeping.games_max(limits) as usize && !is_heavy {
                return;
            }
            let mut had: BTreeMap<AccountId, u32> = BTreeMap::new();
            let mut going: Vec<(Reverse<u32>, i64, RoomId)> = Vec::new();
            for (number, kept) in self.people.of(keeping).rev() {
                let from_here = had.entry(kept.accounts[0]).or_default();
                *from_here += 1;
                going.push((Reverse(*from_here), number, kept.room));
            }
            going.sort();
            going.truncate(keeping.going_at_once(limits) as usize);
            if going.is_empty() {
                return;
            }
            for (_, number, room) in going {
                self.people.games.remove(&number);
                if keeping == Keeping::Rated {
                    self.forget_room(&room, now, limits);
                }
            }
            self.people.changes += 1;
        }
    }

    fn people_game(&self, number: i64) -> Option<PeopleGame> {
        let KeptGame { room, accounts, game, .. } = self.people.games.get(&number)?;
        let gone = accounts.iter().copied().filter(|account| self.account(*account).is_none()).collect();
        Some(PeopleGame { number, room: *room, game: game.clone(), gone, annulled: None })
    }

    /// When this account is deleted, forgets the games that have no other account.
    pub(super) fn forget_games(&mut self, id: AccountId) {
        if self.people.games.values().any(|kept| kept.accounts.contains(&id)) {
            self.people.changes += 1;
        }
        let there: BTreeSet<AccountId> =
            self.accounts.keys().copied().filter(|account| self.account(*account).is_some()).collect();
        self.people.games.retain(|_, kept| kept.accounts.iter().any(|account| there.contains(account)));
    }
}

impl Model {
    pub(crate) async fn rooms_to_tally(&self, until: UnixSeconds) -> Result<Vec<RoomId>, StoreError> {
        let state = self.state()?;
        let ended = state.rooms.values().filter_map(|(room, _)| match room.state {
            RoomState::Finished { at } if at <= until => Some((at, room.id)),
            RoomState::Finished { .. } | RoomState::Open => None,
        });
        let ended: BTreeSet<_> = ended.filter(|(_, room)| !state.people.tallied.contains(room)).collect();
        Ok(ended.into_iter().take(PAGE_MAX as usize).map(|(_, room)| room).collect())
    }

    pub(crate) async fn tally_room(
        &self,
        id: &RoomId,
        game: Option<&NewPeopleGame<'_>>,
        now: UnixSeconds,
    ) -> Result<(), StoreError> {
        let mut state = self.state()?;
        let is_finished = state.rooms.get(id).is_some_and(|(room, _)| room.state != RoomState::Open);
        if !is_finished || !state.people.tallied.insert(*id) {
            return Ok(());
        }
        let Some(NewPeopleGame { accounts: (first, second), keeping, game }) = game else { return Ok(()) };
        let accounts: Vec<AccountId> = [*first].into_iter().chain(*second).collect();
        let is_somebodys = accounts.iter().any(|account| state.account(*account).is_some());
        if is_somebodys && !state.people.games.values().any(|kept| kept.room == *id) {
            state.people.made += 1;
            let number = state.people.made;
            let kept = KeptGame { room: *id, accounts, keeping: *keeping, game: (*game).into() };
            state.people.games.insert(number, kept);
            state.make_room(*keeping, now, &self.limits);
        }
        Ok(())
    }

    pub(crate) async fn people_games(&self, page: Page<i64>) -> Result<(u64, Vec<PeopleGame>), StoreError> {
        let state = self.state()?;
        let games = paged(page, state.people.games.keys(), |number, after| **number > *after);
        Ok((state.people.changes, games.into_iter().filter_map(|number| state.people_game(*number)).collect()))
    }

    pub(crate) async fn games_kept(&self) -> Result<GamesKept, StoreError> {
        let state = self.state()?;
        let count = |keeping| state.people.of(keeping).count() as u64;
        Ok(GamesKept {
            rated_games: count(Keeping::Rated),
            practice_games: count(Keeping::Practice),
            rated_room_bytes: state.rated_room_bytes(),
            finished_room_bytes: state.finished().iter().map(|(_, _, bytes)| bytes).sum(),
        })
    }
}
