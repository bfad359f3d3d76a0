//! Translates the databases' errors and numbers for callers, who do not know them.

use std::io;

use sqlx::postgres::PgDatabaseError;

use crate::StoreError;
use crate::error::{Damage, Result};

impl StoreError {
    /// The meaning of a failed system call.
    pub(crate) fn of_io(error: io::Error) -> StoreError {
        StoreError::Unavailable(error.into())
    }

    pub(crate) fn of_database(error: sqlx::Error) -> StoreError {
        let passing = match &error {
            sqlx::Error::Io(_)
            | sqlx::Error::PoolTimedOut
            | sqlx::Error::PoolClosed
            | sqlx::Error::WorkerCrashed
            | sqlx::Error::BeginFailed => true,
            sqlx::Error::Database(error) => {
                let of_server = error.try_downcast_ref::<PgDatabaseError>();
                let passing = if of_server.is_some() { passing_at_server } else { passing_in_file };
                error.code().is_some_and(|code| passing(&code))
            }
            _ => false,
        };
        if passing { StoreError::Unavailable(error.into()) } else { StoreError::damaged(error) }
    }
}

/// Whether one of SQLite's result codes is about the machine at this moment, and not about the stored data.
///
/// Source: <https://sqlite.org/rescode.html>; the low byte is the primary code.
fn passing_in_file(code: &str) -> bool {
    const BUSY: i32 = 5;
    const LOCKED: i32 = 6;
    const NOMEM: i32 = 7;
    const READONLY: i32 = 8;
    const INTERRUPT: i32 = 9;
    const IOERR: i32 = 10;
    const FULL: i32 = 13;
    const CANTOPEN: i32 = 14;
    const PROTOCOL: i32 = 15;
    let primary = code.parse::<i32>().map(|code| code & 0xff);
    primary
        .is_ok_and(|code| [BUSY, LOCKED, NOMEM, READONLY, INTERRUPT, IOERR, FULL, CANTOPEN, PROTOCOL].contains(&code))
}

/// The same for one of PostgreSQL's codes.
///
/// Source: <https://www.postgresql.org/docs/current/errcodes-appendix.html>; the first two characters are the class.
fn passing_at_server(code: &str) -> bool {
    // Connection, transaction rolled back, resources, object in use (waited too long for a lock), operator
    // intervention, system error.
    const CLASSES: [&str; 6] = ["08", "40", "53", "55", "57", "58"];
    // A transaction that was idle for too long, and a write on a read-only server.
    const CODES: [&str; 2] = ["25P03", "25006"];
    CODES.contains(&code) || CLASSES.iter().any(|class| code.starts_with(class))
}

/// Translates the error of a failed statement.
pub(crate) trait Stored<T> {
    fn stored(self) -> Result<T>;
}

impl<T> Stored<T> for Result<T, sqlx::Error> {
    fn stored(self) -> Result<T> {
        self.map_err(StoreError::of_database)
    }
}

/// A number from a row, in the type from which it was written.
pub(crate) fn number<T: TryFrom<i64>>(value: i64) -> Result<T> {
    T::try_from(value).map_err(|_| Damage::Number(value).into())
}
