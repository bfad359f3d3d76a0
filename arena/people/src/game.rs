//! A finished game, as far as the leaderboard looks.

use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};
use arena_rules::{BySeat, Outcome};

use crate::Day;

/// A game that is over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finished {
    /// The room it was played in. A room is one game; a rematch has another.
    pub room: RoomId,
    /// Name and version of the game, such as `conquerors@2`. Versions share a table.
    pub ruleset: String,
    /// Whether it was rated, as [`People::admits`](crate::People::admits) said when it began and the players wished.
    pub terms: Terms,
    /// Who played.
    pub sides: BySeat<Side>,
    /// How it ended. The tally is the score by seat: in Conquerors weighted as its options say.
    pub outcome: Outcome,
    /// The round counter at the end, from 1: in Conquerors 13 after a full game. `None` in games that have no rounds.
    pub round: Option<u32>,
    /// Seconds from the first position to the end, by the room's log.
    pub elapsed_s: u32,
    /// The record's digest. It covers neither seed nor players, so that the same game played again has the same.
    pub digest: Hex<32>,
    /// When it ended, in Unix seconds. Days and months are those of UTC.
    pub finished_at: i64,
    /// Set when the operator took it out of the count. The record stays; for points it is as if it had not been played.
    pub annulled: Option<Annulled>,
}

/// Whether a game is to count.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Terms {
    /// It may count, and the players knew.
    Rated,
    /// It never does.
    Casual,
}

/// Who played a seat, and where.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Side {
    /// Who.
    pub who: Who,
    /// The browser it was played in; `None` where there was none, as for built-in opponents.
    pub browser: Option<Browser>,
}

/// Who played a seat.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Who {
    /// A person with an account, by the number that stands in records. A deleted account's number is given to no other.
    Account(PersonId),
    /// A person without one.
    Guest,
    /// A built-in opponent.
    BuiltIn(EntrantId),
    /// Any other bot: a submitted one, or a program that plays over the API.
    Bot,
}

impl Who {
    /// The person with an account; `None` for others.
    pub fn account(&self) -> Option<PersonId> {
        match self {
            Who::Account(person) => Some(*person),
            Who::Guest | Who::BuiltIn(_) | Who::Bot => None,
        }
    }
}

/// A browser, by a token that says nothing of it but whether two are the same.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Browser(pub Hex<32>);

/// That the operator took a game out of the count.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Annulled {
    /// Why, for its players and for the operator's log.
    pub reason: String,
}

/// The place of a game in the order in which games are folded: by their end, and in the same second by their rooms.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment {
    finished_at: i64,
    room: RoomId,
}

impl Finished {
    /// Its place in the order of games.
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
