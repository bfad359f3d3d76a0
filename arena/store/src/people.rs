//! Finished games for the leaderboard of people. Their content is not known here, except their accounts.

use arena_rooms::RoomId;

use crate::{AccountId, Limits};

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

    /// How many are dropped at once if there are too many. Readers then have to read all games again, so this should be
    /// rare.
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
