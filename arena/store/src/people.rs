//! Finished games for the leaderboard of people. What they say is not known here, but for whose they are.

use std::collections::BTreeMap;

use arena_rooms::RoomId;
use async_trait::async_trait;

use crate::{AccountId, DisplayName, Limits, Page, StoreError, UnixSeconds};

/// Which budget a game is kept in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// A rated game of two people: it is kept with the log of its room.
    Rated,
    /// Any other: against built-in opponents, or not rated. The log of its room goes with the oldest.
    Practice,
}

impl Keeping {
    /// How many games of this kind are kept.
    pub(crate) fn games_max(self, limits: &Limits) -> u32 {
        match self {
            Keeping::Rated => limits.rated_games_max,
            Keeping::Practice => limits.practice_games_max,
        }
    }

    /// How many go at once where there are too many. Readers of the games read all of them again then, so it is not each time.
    pub(crate) fn going_at_once(self, limits: &Limits) -> u32 {
        (self.games_max(limits) / 512).max(1)
    }
}

/// What is kept of finished games.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct GamesKept {
    /// Rated games of two people.
    pub rated_games: u64,
    /// Other games for the leaderboard.
    pub practice_games: u64,
    /// Bytes of the logs of the rooms of rated games.
    pub rated_room_bytes: u64,
    /// Bytes of the logs of other finished rooms.
    pub finished_room_bytes: u64,
}

/// A game that is to be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewPeopleGame<'a> {
    /// Whose it is: one account, or two.
    pub accounts: (AccountId, Option<AccountId>),
    /// In which budget.
    pub keeping: Keeping,
    /// What it says.
    pub game: &'a str,
}

/// A game that is kept.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeopleGame {
    /// Its number, from 1: later ones have greater numbers.
    pub number: i64,
    /// The room it was played in, which may be forgotten.
    pub room: RoomId,
    /// What it says.
    pub game: String,
    /// Those of its accounts that are deleted.
    pub gone: Vec<AccountId>,
    /// Why the operator took it out of the count; `None` while it is in it.
    pub annulled: Option<String>,
}

/// Games of people, taken from rooms that are finished: each room is looked at once.
#[async_trait]
pub trait PeopleGames: Send + Sync + 'static {
    /// Rooms that ended at `until` or before and were not looked at, those that ended first, at most
    /// [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn rooms_to_tally(&self, until: UnixSeconds) -> Result<Vec<RoomId>, StoreError>;

    /// Notes that a room was looked at, and keeps its game if there is one, unless all of its accounts are deleted. Nothing
    /// happens when it was looked at before, is open or does not exist.
    ///
    /// The log of a rated game is kept with it, and is none of [`Limits::finished_room_bytes_max`], as long as either of its accounts.
    /// Where there are more games of a kind than its budgets allow, the oldest go of the account that has most, each counted for its
    /// first account; a rated one with its log, which is [gone](crate::Gone) since `now`.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn tally_room(
        &self,
        id: &RoomId,
        game: Option<&NewPeopleGame<'_>>,
        now: UnixSeconds,
    ) -> Result<(), StoreError>;

    /// Games by their numbers, and how often any of them went, lost an account, or was annulled or counted again: as long as that is the same, what was read
    /// before still holds.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn people_games(&self, page: Page<i64>) -> Result<(u64, Vec<PeopleGame>), StoreError>;

    /// How much is kept of finished games.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn games_kept(&self) -> Result<GamesKept, StoreError>;

    /// The games of an account, by their numbers.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn people_games_of(&self, account: AccountId, page: Page<i64>) -> Result<Vec<PeopleGame>, StoreError>;

    /// The game that was played in a room; `None` when none is kept.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn people_game(&self, room: &RoomId) -> Result<Option<PeopleGame>, StoreError>;

    /// How accounts are known that are not deleted, at most [`PAGE_MAX`](crate::PAGE_MAX) of those asked for.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn names_of(&self, accounts: &[AccountId]) -> Result<BTreeMap<AccountId, DisplayName>, StoreError>;
}
