//! Finished games for the leaderboard of people. What they say is not known here, but for whose they are.

use std::collections::BTreeMap;

use arena_rooms::RoomId;
use async_trait::async_trait;

use crate::{AccountId, DisplayName, Page, StoreError, UnixSeconds};

/// The most games that are kept: some 500 MB of rows. Rooms that are finished after them count for nothing.
pub(crate) const PEOPLE_GAMES_MAX: i64 = 1_000_000;

/// A game that is to be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewPeopleGame<'a> {
    /// Whose it is: one account, or two.
    pub accounts: (AccountId, Option<AccountId>),
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
    /// # Errors
    /// When the store cannot be written.
    async fn tally_room(&self, id: &RoomId, game: Option<&NewPeopleGame<'_>>) -> Result<(), StoreError>;

    /// Games by their numbers, and how often any of them went, lost an account, or was annulled or counted again: as long as that is the same, what was read
    /// before still holds.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn people_games(&self, page: Page<i64>) -> Result<(u64, Vec<PeopleGame>), StoreError>;

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
