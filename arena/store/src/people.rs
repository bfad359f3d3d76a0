//! Finished games for the leaderboard of people. Their content is not known here, except their accounts.

use std::collections::BTreeMap;

use arena_rooms::RoomId;
use async_trait::async_trait;

use crate::{AccountId, DisplayName, Limits, Page, StoreError, UnixSeconds};

/// The budget in which a game is kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Keeping {
    /// For rated games of two people. The log of the room is kept with the game.
    Rated,
    /// For all others: against built-in opponents, or not rated. The room's log is forgotten with the oldest.
    Practice,
}

impl Keeping {
    /// The maximum number of kept games of this kind.
    pub(crate) fn games_max(self, limits: &Limits) -> u32 {
        match self {
            Keeping::Rated => limits.rated_games_max,
            Keeping::Practice => limits.practice_games_max,
        }
    }

    /// How many are dropped at once if there are too many. Readers then have to read all games again, so this should be rare.
    pub(crate) fn going_at_once(self, limits: &Limits) -> u32 {
        (self.games_max(limits) / 512).max(1)
    }
}

/// How much is kept of finished games.
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

/// A game to be kept.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct NewPeopleGame<'a> {
    /// Its accounts: one or two.
    pub accounts: (AccountId, Option<AccountId>),
    /// In which budget.
    pub keeping: Keeping,
    /// Its content.
    pub game: &'a str,
}

/// A kept game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PeopleGame {
    /// Its number, from 1: later ones have greater numbers.
    pub number: i64,
    /// The room in which it was played; it may be forgotten.
    pub room: RoomId,
    /// Its content.
    pub game: String,
    /// Those of its accounts that are deleted.
    pub gone: Vec<AccountId>,
    /// Why the operator took it out of the count; `None` if it counts.
    pub annulled: Option<String>,
}

/// Games of people, taken from finished rooms: each room is processed once.
#[async_trait]
pub trait PeopleGames: Send + Sync + 'static {
    /// Rooms that ended at `until` or before and were not processed, in the order in which they ended, at most
    /// [`PAGE_MAX`](crate::PAGE_MAX).
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn rooms_to_tally(&self, until: UnixSeconds) -> Result<Vec<RoomId>, StoreError>;

    /// Notes that a room was processed, and keeps its game, if there is one and not all of its accounts are deleted. Does nothing if the
    /// room was processed before, is open or does not exist.
    ///
    /// The room's log of a rated game is kept with the game while one of its accounts exists, outside of
    /// [`Limits::finished_room_bytes_max`]. If there are more games of a kind than its budgets allow, the oldest are dropped of the account
    /// that has most, where a game belongs to its first account; a rated one with its log, which is then [gone](crate::Tombstones) since `now`.
    ///
    /// # Errors
    /// When the store cannot be written.
    async fn tally_room(
        &self,
        id: &RoomId,
        game: Option<&NewPeopleGame<'_>>,
        now: UnixSeconds,
    ) -> Result<(), StoreError>;

    /// Games by number, and a count of changes to earlier games: dropped, with a deleted account, annulled or restored. While the count
    /// stays the same, earlier reads remain valid.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn people_games(&self, page: Page<i64>) -> Result<(u64, Vec<PeopleGame>), StoreError>;

    /// How much is kept of finished games.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn games_kept(&self) -> Result<GamesKept, StoreError>;

    /// The games of an account, by number.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn people_games_of(&self, account: AccountId, page: Page<i64>) -> Result<Vec<PeopleGame>, StoreError>;

    /// The game that was played in a room; `None` if none is kept.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn people_game(&self, room: &RoomId) -> Result<Option<PeopleGame>, StoreError>;

    /// The names of accounts that are not deleted; of at most [`PAGE_MAX`](crate::PAGE_MAX) accounts.
    ///
    /// # Errors
    /// When the store cannot be read.
    async fn names_of(&self, accounts: &[AccountId]) -> Result<BTreeMap<AccountId, DisplayName>, StoreError>;
}
