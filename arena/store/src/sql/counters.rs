//! Counters: sums that would take long to compute, and the highest numbers given out.

use super::columns::values;
use super::connection::{Connection, query};
use crate::error::Result;

/// A counter, which is updated together with its rows.
#[derive(Clone, Copy)]
pub(super) enum Counter {
    /// Bytes of the modules of versions that are not refused.
    ModuleBytes,
    /// Bytes of the logs of finished rooms, except those of rated games.
    FinishedRoomBytes,
    /// Bytes of the logs of the rooms of rated games.
    RatedRoomBytes,
    /// Rated games of people.
    RatedGames,
    /// Other games of people.
    PracticeGames,
    /// The highest number that an account ever had, so that none is given out again.
    LastAccount,
    /// The same for bots.
    LastBot,
    /// For tokens.
    LastToken,
    /// For tournaments that accounts started.
    LastContest,
    /// For an operator's acts.
    LastAct,
    /// For games of people.
    LastPeopleGame,
    /// For removed things.
    LastGone,
}

impl Counter {
    pub(super) fn name(self) -> &'static str {
        match self {
            Counter::ModuleBytes => "module_bytes",
            Counter::FinishedRoomBytes => "finished_room_bytes",
            Counter::RatedRoomBytes => "rated_room_bytes",
            Counter::RatedGames => "rated_games",
            Counter::PracticeGames => "practice_games",
            Counter::LastAccount => "last_account",
            Counter::LastBot => "last_bot",
            Counter::LastToken => "last_token",
            Counter::LastContest => "last_contest",
            Counter::LastAct => "last_act",
            Counter::LastPeopleGame => "last_people_game",
            Counter::LastGone => "last_gone",
        }
    }

    pub(super) async fn value(self, connection: &mut Connection) -> Result<i64> {
        query("select value from sums where name = $1").bind(self.name()).fetch_value(connection).await
    }

    /// Adds to it; returns the new value.
    pub(super) async fn add(self, writing: &mut Connection, more: i64) -> Result<i64> {
        query("update sums set value = value + $2 where name = $1 returning value")
            .with(values![self.name(), more])
            .fetch_value(writing)
            .await
    }
}
