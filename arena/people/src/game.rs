//! A finished game in the form of the leaderboard.

use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};
use arena_rules::{BySeat, Outcome};
use serde::{Deserialize, Serialize};

use crate::Day;

/// A finished game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The room in which it was played. A room has one game; a rematch has another room.
    pub room: RoomId,
    /// Name and version of the game, such as `conquerors@2`. Versions share a table.
    pub ruleset: String,
    /// Whether it was rated: the players wanted it, and [`People::admits`](crate::People::admits) allowed it when the
    /// game began.
    pub terms: GameMode,
    /// The players.
    pub sides: BySeat<Side>,
    /// How it ended. The tally is the score by seat: in Conquerors weighted as its options say.
    pub outcome: Outcome,
    /// The round counter at the end, from 1: in Conquerors 13 after a full game. `None` in games without rounds.
    pub round: Option<u32>,
    /// Seconds from the first position to the end, according to the room's log.
    pub elapsed_s: u32,
    /// The record's digest. It covers neither seed nor players, so a repeated game has the same one.
    pub digest: Hex<32>,
    /// When it ended, in Unix seconds. Days and months are those of UTC.
    pub finished_at: i64,
    /// Set if the operator took it out of the count. The record stays, but it gives no points.
    pub annulled: Option<Annulled>,
}

/// Whether a game may count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GameMode {
    /// It may count, as the players knew.
    Rated,
    /// It does not count.
    Casual,
}

/// The player of a seat, and the browser. As JSON in stored games.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Side {
    /// The player.
    pub who: Who,
    /// The browser; `None` without one, as for built-in opponents.
    pub browser: Option<Browser>,
}

/// The player of a seat.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Who {
    /// A person with an account, by the id in records. The number of a deleted account is never reused.
    Account(PersonId),
    /// A person without an account.
    Guest,
    /// A built-in opponent.
    BuiltIn(EntrantId),
    /// Any other bot: a submitted one, or a program that plays over the API.
    Bot,
}

impl Who {
    /// The person, if with an account.
    pub fn account(&self) -> Option<PersonId> {
        match self {
            Who::Account(person) => Some(*person),
            Who::Guest | Who::BuiltIn(_) | Who::Bot => None,
        }
    }
}

/// A browser, as a token that reveals only whether two are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
pub struct Browser(pub Hex<32>);

/// The operator's annulment of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annulled {
    /// The reason, for its players and for the operator's log.
    pub reason: String,
}

/// A game's place in the order of folding: by end, and within a second by room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment {
    finished_at: i64,
    room: RoomId,
}

impl Finished {
    /// Its place in the order of folding.
    pub fn moment(&self) -> Moment {
        Moment { finished_at: self.finished_at, room: self.room }
    }

    /// The day it ended on.
    pub fn day(&self) -> Day {
        Day::of(self.finished_at)
    }

    /// The name of the game, without its version.
    pub fn game(&self) -> &str {
        self.ruleset.split('@').next().unwrap_or_default()
    }

    /// Both sides of a game of two seats; `None` for others.
    pub(crate) fn pair(&self) -> Option<[&Side; 2]> {
        match self.sides.values() {
            [first, second] => Some([first, second]),
            _ => None,
        }
    }
}
