//! Rows of bots and versions, and how they are read.

use arena_record::{EntrantId, Objection, Said};

use super::columns::{Row, values};
use super::connection::{Connection, query};
use crate::error::{Damage, Result};
use crate::{
    AccountId, Bot, BotId, BotName, DisplayName, Licence, StoreError, UnixSeconds, Version, VersionId, VersionState,
};

/// The number of the active version of a bot `b`.
macro_rules! active {
    () => {
        "coalesce((select max(number) from versions
            where bot = b.id and state = 'accepted' and number > b.chosen_after), b.chosen)"
    };
}

macro_rules! bot_columns {
    () => {
        concat!(
            "b.id, b.account, (select a.name from accounts a where a.id = b.account), b.name, b.game, b.created_at, ",
            active!(),
            ", b.disabled_at is not null
                or exists (select 1 from accounts a where a.id = b.account and a.disabled_at is not null)"
        )
    };
}

/// Bots `b`, with the rest of the statement.
macro_rules! select_bots {
    ($($rest:expr),+ $(,)?) => {
        concat!("select ", bot_columns!(), " from bots b ", $($rest),+)
    };
}

pub(super) use {active, bot_columns, select_bots};

impl Row for Bot {
    type Columns = (BotId, AccountId, DisplayName, BotName, String, UnixSeconds, Option<u32>, bool);

    fn of((id, account, owner, name, game, created_at, active, disabled): Self::Columns) -> Result<Bot> {
        let active = active.filter(|_| !disabled).map(|number| VersionId { bot: id, number });
        Ok(Bot { id, account, owner, name, game, active, created_at, disabled })
    }
}

/// The bot with this name, ignoring case, deleted or not.
pub(super) async fn bot_named(connection: &mut Connection, name: &BotName) -> Result<Option<Bot>> {
    query(select_bots!("where b.name_key = $1")).bind(name.key()).fetch_optional(connection).await
}

macro_rules! version_columns {
    () => {
        "v.bot, v.number, v.entrant, v.size_bytes, v.state, v.refusal_code, v.refusal_message, v.refusal_hint,
         v.refusal_offset, v.refusal_told, v.submitted_at, v.licence"
    };
}

/// Versions `v` of bots `b`, with the rest of the statement.
macro_rules! select_versions {
    ($($rest:expr),+ $(,)?) => {
        concat!("select ", version_columns!(), " from versions v join bots b on b.id = v.bot ", $($rest),+)
    };
}

pub(super) use {select_versions, version_columns};

impl Row for Version {
    #[rustfmt::skip]
    type Columns = (BotId, u32, EntrantId, u64, String, Option<String>, Option<String>, Option<String>, Option<u64>,
        Option<String>, UnixSeconds, Option<String>);

    fn of(columns: Self::Columns) -> Result<Version> {
        let (bot, number, entrant, size_bytes, state, code, message, hint, offset, told, submitted_at, licence) =
            columns;
        let state = match (state.as_str(), code, message, hint) {
            ("pending", None, None, None) => VersionState::Pending,
            ("accepted", None, None, None) => VersionState::Accepted,
            ("refused", Some(code), Some(message), Some(hint)) => {
                let told = told.map(|told| serde_json::from_str(&told).map_err(StoreError::damaged)).transpose()?;
                let [message, hint]: [Said; 2] = told.unwrap_or_else(|| [message.into(), hint.into()]);
                VersionState::Refused(Objection { code, message, hint, offset })
            }
            _ => return Err(Damage::VersionState.into()),
        };
        let (id, licence) = (VersionId { bot, number }, licence.as_deref().and_then(Licence::of_spdx));
        Ok(Version { id, entrant, size_bytes, state, submitted_at, licence })
    }
}

pub(super) async fn version_of(connection: &mut Connection, id: VersionId) -> Result<Option<Version>> {
    query(select_versions!("where v.bot = $1 and v.number = $2 and b.deleted_at is null"))
        .with(values![id.bot, id.number])
        .fetch_optional(connection)
        .await
}
