//! The bytes of bots: files next to SQLite's database, rows in PostgreSQL's, because other machines cannot see the
//! files.

use std::sync::Arc;

use arena_record::EntrantId;
use tokio::task;

use super::columns::values;
use super::connection::{Connection, query};
use crate::StoreError;
use crate::blobs::Blobs;
use crate::error::{Damage, Result};

/// Where the bytes of bots are.
pub(crate) enum Modules {
    /// In files.
    Files(Blobs),
    /// In a table.
    Rows,
}

impl Modules {
    /// Does the slow part of writing before the transaction, which may still fail, so that no other writer waits for
    /// it.
    pub(super) async fn put_early(&self, bytes: &Arc<[u8]>) -> Result<()> {
        let Modules::Files(files) = self else { return Ok(()) };
        let (files, bytes) = (files.clone(), bytes.clone());
        blocking(move || files.put(&bytes).map(drop)).await
    }

    /// Keeps bytes that this transaction names.
    pub(crate) async fn put(&self, writing: &mut Connection, entrant: &EntrantId, bytes: Arc<[u8]>) -> Result<()> {
        match self {
            // A concurrent refusal of the same bytes may have removed them since `put_early`.
            Modules::Files(files) => {
                let (files, entrant) = (files.clone(), entrant.clone());
                blocking(move || if files.has(&entrant) { Ok(()) } else { files.put(&bytes).map(drop) }).await
            }
            Modules::Rows => {
                let put = query("insert into modules (entrant, bytes) values ($1, $2) on conflict do nothing");
                put.with(values![entrant, &bytes[..]]).execute(writing).await.map(drop)
            }
        }
    }

    /// Removes the bytes of an entrant, if they are there.
    pub(crate) async fn remove(&self, writing: &mut Connection, entrant: &EntrantId) -> Result<()> {
        match self {
            Modules::Files(files) => {
                let (files, entrant) = (files.clone(), entrant.clone());
                blocking(move || files.remove(&entrant)).await
            }
            Modules::Rows => {
                query("delete from modules where entrant = $1").bind(entrant).execute(writing).await.map(drop)
            }
        }
    }

    /// The bytes of an entrant; `connection` is called only if one is needed.
    pub(crate) async fn read(
        &self,
        connection: impl AsyncFnOnce() -> Result<Connection>,
        entrant: &EntrantId,
    ) -> Result<Vec<u8>> {
        match self {
            Modules::Files(files) => {
                let (files, entrant) = (files.clone(), entrant.clone());
                blocking(move || files.read(&entrant)).await
            }
            Modules::Rows => read_row(&mut connection().await?, entrant).await,
        }
    }

    /// The same with an existing connection.
    pub(crate) async fn read_over(&self, connection: &mut Connection, entrant: &EntrantId) -> Result<Vec<u8>> {
        match self {
            Modules::Files(files) => {
                let (files, entrant) = (files.clone(), entrant.clone());
                blocking(move || files.read(&entrant)).await
            }
            Modules::Rows => read_row(connection, entrant).await,
        }
    }
}

async fn read_row(connection: &mut Connection, entrant: &EntrantId) -> Result<Vec<u8>> {
    let bytes = query("select bytes from modules where entrant = $1").bind(entrant).find_value(connection).await?;
    checked(bytes.ok_or_else(|| Damage::BytesMissing(entrant.clone()))?, entrant).await
}

/// Bytes from a table, if they are still those of their entrant.
pub(super) async fn checked(bytes: Vec<u8>, entrant: &EntrantId) -> Result<Vec<u8>> {
    let is_same = aside(&bytes, EntrantId::of_bytes).await? == *entrant;
    if is_same { Ok(bytes) } else { Err(Damage::BytesChanged(entrant.clone()).into()) }
}

/// Bytes that are hashed where they are, within some tenths of a millisecond.
const HASHED_HERE_BYTES_MAX: usize = 64 << 10;

/// Hashes bytes; many of them, up to a megabyte, beside the threads that serve everybody.
pub(super) async fn aside<T: Send + 'static>(bytes: &[u8], hash: fn(&[u8]) -> T) -> Result<T> {
    if bytes.len() <= HASHED_HERE_BYTES_MAX {
        return Ok(hash(bytes));
    }
    let bytes = bytes.to_vec();
    blocking(move || Ok(hash(&bytes))).await
}

/// Does file work on a thread that may block.
async fn blocking<T: Send + 'static>(work: impl FnOnce() -> Result<T> + Send + 'static) -> Result<T> {
    task::spawn_blocking(work).await.map_err(|error| StoreError::Unavailable(error.into()))?
}

#[cfg(test)]
mod tests {
    use std::thread;

    use super::*;

    #[tokio::test]
    async fn many_bytes_are_hashed_on_another_thread() {
        for (bytes, is_here) in [(0, true), (HASHED_HERE_BYTES_MAX, true), (HASHED_HERE_BYTES_MAX + 1, false)] {
            let hashed_on = aside(&vec![7; bytes], |_| thread::current().id()).await.expect("hashed");
            assert_eq!(hashed_on == thread::current().id(), is_here, "{bytes}");
        }
    }
}
