//! Counters: sums that would take long to compute, and the highest numbers given out.

use strum::IntoStaticStr;

use super::columns::values;
use super::connection::{Connection, query};
use crate::error::Result;

/// A counter, which is updated together with its rows.
#[derive(Clone, Copy, IntoStaticStr)]
#[strum(serialize_all = "snake_case")]
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
    pub(super) async fn value(self, connection: &mut Connection) -> Result<i64> {
        query("select value from sums where name = $1").bind(<&str>::from(self)).fetch_value(connection).await
    }

    /// Adds to it; returns the new value.
    pub(super) async fn add(self, writing: &mut Connection, more: i64) -> Result<i64> {
        query("update sums set value = value + $2 where name = $1 returning value")
            .with(values![<&str>::from(self), more])
            .fetch_value(writing)
            .await
    }
}
