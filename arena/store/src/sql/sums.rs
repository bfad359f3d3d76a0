//! Sums that would take long to compute, and the highest numbers given out.

use super::connection::{Connection, query};
use super::error::Stored;
use crate::StoreError;

/// A sum that is updated together with its rows.
#[derive(Clone, Copy)]
pub(super) enum Sum {
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

impl Sum {
    pub(super) fn name(self) -> &'static str {
        match self {
            Sum::ModuleBytes => "module_bytes",
            Sum::FinishedRoomBytes => "finished_room_bytes",
            Sum::RatedRoomBytes => "rated_room_bytes",
            Sum::RatedGames => "rated_games",
            Sum::PracticeGames => "practice_games",
            Sum::LastAccount => "last_account",
            Sum::LastBot => "last_bot",
            Sum::LastToken => "last_token",
            Sum::LastContest => "last_contest",
            Sum::LastAct => "last_act",
            Sum::LastPeopleGame => "last_people_game",
            Sum::LastGone => "last_gone",
        }
    }

    pub(super) async fn value(self, connection: &mut Connection) -> Result<i64, StoreError> {
        let row: (i64,) =
            query("select value from sums where name = $1").bind(self.name()).fetch_one(connection).await.stored()?;
        Ok(row.0)
    }

    /// Adds to it; returns the new value.
    pub(super) async fn add(self, writing: &mut Connection, more: i64) -> Result<i64, StoreError> {
        let row: (i64,) = query("update sums set value = value + $2 where name = $1 returning value")
            .bind(self.name())
            .bind(more)
            .fetch_one(writing)
            .await
            .stored()?;
        Ok(row.0)
    }
}
