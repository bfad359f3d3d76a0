//! What columns hold, as this crate has it: how a value is stored, and how it is read again.

use std::fmt::Display;

use arena_record::{EntrantId, Hex};
use arena_rooms::{PersonId, RoomId};
use sqlx::FromRow;
use sqlx::postgres::PgRow;
use sqlx::sqlite::SqliteRow;

use super::error::number;
use crate::error::{Damage, Result};
use crate::{
    AccountId, BotId, BotName, ContestId, DisplayName, Gate, Licence, Phase, Reason, Scope, StoreError, TokenId,
    TournamentId, UnixSeconds, WorkerName, WorldName,
};

/// What a column holds.
pub(crate) trait Column: Sized {
    /// What the databases have for it.
    type Raw;

    fn read(raw: Self::Raw) -> Result<Self>;
}

/// The columns of a row: a tuple.
pub(crate) trait Columns: Sized {
    /// What the databases have for them.
    type Raw: RawRow;

    fn read(raw: Self::Raw) -> Result<Self>;
}

/// What is made of a row.
pub(crate) trait Row: Sized {
    type Columns: Columns;

    fn of(columns: Self::Columns) -> Result<Self>;
}

impl<T: Columns> Row for T {
    type Columns = T;

    fn of(columns: T) -> Result<T> {
        Ok(columns)
    }
}

/// A row that either database can give.
pub(crate) trait RawRow: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin {}

impl<T: for<'r> FromRow<'r, SqliteRow> + for<'r> FromRow<'r, PgRow> + Send + Unpin> RawRow for T {}

macro_rules! rows {
    ($($($column:ident $place:tt),+;)+) => {$(
        impl<$($column: Column),+> Columns for ($($column,)+)
        where
            ($($column::Raw,)+): RawRow,
        {
            type Raw = ($($column::Raw,)+);

            fn read(raw: Self::Raw) -> Result<Self> {
                Ok(($($column::read(raw.$place)?,)+))
            }
        }
    )+};
}

rows! {
    A 0;
    A 0, B 1;
    A 0, B 1, C 2;
    A 0, B 1, C 2, D 3;
    A 0, B 1, C 2, D 3, E 4;
    A 0, B 1, C 2, D 3, E 4, F 5;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10;
    A 0, B 1, C 2, D 3, E 4, F 5, G 6, H 7, I 8, J 9, K 10, L 11;
}

/// Of a row whose content does not matter.
impl Columns for () {
    type Raw = ();

    fn read((): ()) -> Result<()> {
        Ok(())
    }
}

/// Reads a type from what columns hold.
macro_rules! columns {
    ($($raw:ty, $read:expr => $($column:ty),+;)+) => {$($(
        impl Column for $column {
            type Raw = $raw;

            fn read(raw: $raw) -> Result<$column> {
                ($read)(raw)
            }
        }
    )+)+};
}

columns! {
    bool, Ok => bool;
    i64, Ok => i64;
    i64, number => u8, u16, u32, u64, usize;
    i64, |id| Ok(AccountId(id)) => AccountId;
    i64, |id| Ok(BotId(id)) => BotId;
    i64, |id| Ok(ContestId(id)) => ContestId;
    i64, |id| Ok(TokenId(id)) => TokenId;
    i64, |at| Ok(UnixSeconds(at)) => UnixSeconds;
    String, Ok => String;
    String, |text| Ok(BotName::stored(text)) => BotName;
    String, |text| Ok(DisplayName::stored(text)) => DisplayName;
    String, |text| Ok(Reason::stored(text)) => Reason;
    String, |text| Ok(WorkerName::stored(text)) => WorkerName;
    String, |text| Ok(WorldName::stored(text)) => WorldName;
    String, |text: String| text.parse().map_err(StoreError::damaged) => EntrantId, Hex<32>, RoomId;
    String, |text: String| TournamentId::parse(&text).map_err(StoreError::damaged) => TournamentId;
    String, |word: String| word.parse().map_err(|_| Damage::Gate.into()) => Gate;
    String, |word: String| word.parse().map_err(|_| Damage::Phase.into()) => Phase;
    String, |word: String| word.parse().map_err(|_| Damage::Scope.into()) => Scope;
    Vec<u8>, Ok => Vec<u8>;
    Vec<u8>, |bytes: Vec<u8>| bytes[..].try_into().map_err(StoreError::damaged) => [u8; 32];
}

impl<T: Column> Column for Option<T> {
    type Raw = Option<T::Raw>;

    fn read(raw: Self::Raw) -> Result<Option<T>> {
        raw.map(T::read).transpose()
    }
}

/// What a statement gives a column. Null numbers and null texts are distinct because PostgreSQL has typed nulls.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Value {
    Number(Option<i64>),
    Text(Option<String>),
    Bytes(Vec<u8>),
}

/// Stores a type, and null instead of it.
macro_rules! stored {
    ($kind:ident: $($stored:expr => $($type:ty),+;)+) => {$($(
        impl From<$type> for Value {
            fn from(value: $type) -> Value {
                Value::$kind(Some(($stored)(value)))
            }
        }

        impl From<Option<$type>> for Value {
            fn from(value: Option<$type>) -> Value {
                Value::$kind(value.map($stored))
            }
        }
    )+)+};
}

stored! {
    Number:
    i64::from => i64, u8, u32, bool;
    // A number beyond the column's range becomes the largest that it has.
    |number| i64::try_from(number).unwrap_or(i64::MAX) => u64, usize;
    |AccountId(id)| id => AccountId;
    |BotId(id)| id => BotId;
    |ContestId(id)| id => ContestId;
    |TokenId(id)| id => TokenId;
    |UnixSeconds(at)| at => UnixSeconds;
}

stored! {
    Text:
    String::from => &str, String;
    |gate: Gate| <&str>::from(gate).into() => Gate;
    |phase: Phase| <&str>::from(phase).into() => Phase;
    |scope: Scope| <&str>::from(scope).into() => Scope;
    |licence: Licence| licence.spdx().into() => Licence;
    ToString::to_string => &BotName, &DisplayName, &EntrantId, &Hex<32>, &PersonId, &Reason, &RoomId, &TournamentId,
        &WorkerName, &WorldName;
}

impl From<&[u8]> for Value {
    fn from(bytes: &[u8]) -> Value {
        Value::Bytes(bytes.into())
    }
}

/// A list as one value, so that a statement about any number of items is prepared once. The items, such as ids and
/// hashes, need no escapes.
pub(crate) fn list(items: impl IntoIterator<Item = impl Display>) -> String {
    let items: Vec<String> = items.into_iter().map(|item| format!("\"{item}\"")).collect();
    format!("[{}]", items.join(","))
}

/// Values of a statement, each of a type that a column may have.
macro_rules! values {
    ($($value:expr),+ $(,)?) => {
        [$(crate::sql::columns::Value::from($value)),+]
    };
}
pub(crate) use values;
