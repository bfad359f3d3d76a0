//! The bytes of bots: files beside a database in a folder, rows in a server's, which no other machine sees the folders of.

use std::sync::Arc;

use arena_record::EntrantId;
use tokio::task;

use super::connection::{Connection, query};
use super::error::Stored;
use crate::StoreError;
use crate::blobs::Blobs;
use crate::error::Damage;

/// Where the bytes of bots are.
pub enum Modules {
    /// In files.
    Files(Blobs),
    /// In a table.
    Rows,
}

impl Modules {
    /// Writes what takes long before anybody waits for it: a transaction that names the bytes is still to come, and may not.
    pub(super) async fn put_early(&self, bytes: &Arc<[u8]>) -> Result<(), StoreError> {
        let Modules::Files(files) = self else { return Ok(()) };
        let (files, bytes) = (files.clone(), bytes.clone());
        blocking(move || files.put(&bytes).map(drop)).await
    }

    /// Keeps bytes that the transaction names.
    pub(crate) async fn put(
        &self,
        writing: &mut Connection,
        entrant: &EntrantId,
        bytes: Arc<[u8]>,
    ) -> Result<(), StoreError> {
        match self {
            // A refusal of the same bytes may have removed them since they were put early.
            Modules::Files(files) => {
                let (files, entrant) = (files.clone(), entrant.clone());
                blocking(move || if files.has(&entrant) { Ok(()) } else { files.put(&bytes).map(drop) }).await
            }
            Modules::Rows => {
                let put = query("insert into modules (entrant, bytes) values ($1, $2) on conflict do nothing");
                put.bind(entrant.as_str()).bind(&bytes[..]).execute(writing).await.stored().map(drop)
            }
        }
    }

    /// Removes the bytes of an entrant, if they are there.
    pub(crate) async fn remove(&self, writing: &mut Connection, entrant: &EntrantId) -> Result<(), StoreError> {
        match self {
            Modules::Files(files) => {
                let (files, entrant) = (files.clone(), entrant.clone());
                blocking(move || files.remove(&entrant)).await
            }
            Modules::Rows => {
                let remove = query("delete from modules where entrant = $1").bind(entrant.as_str());
                remove.execute(writing).await.stored().map(drop)
            }
        }
    }

    /// The bytes of an entrant; the connection is asked for where it is needed.
    pub(crate) async fn read(
        &self,
        connection: impl AsyncFnOnce() -> Result<Connection, StoreError>,
        entrant: &EntrantId,
    ) -> Result<Vec<u8>, StoreError> {
        match self {
            Modules::Files(files) => {
                let (files, entrant) = (files.clone(), entrant.clone());
                blocking(move || files.read(&entrant)).await
            }
            Modules::Rows => read_row(&mut connection().await?, entrant).await,
        }
    }

    /// The same over a connection that there is.
    pub(crate) async fn read_over(
        &self,
        connection: &mut Connection,
        entrant: &EntrantId,
    ) -> Result<Vec<u8>, StoreError> {
        match self {
            Modules::Files(files) => {
                let (files, entrant) = (files.clone(), entrant.clone());
                blocking(move || files.read(&entrant)).await
            }
            Modules::Rows => read_row(connection, entrant).await,
        }
    }
}

async fn read_row(connection: &mut Connection, entrant: &EntrantId) -> Result<Vec<u8>, StoreError> {
    let row: Option<(Vec<u8>,)> = query("select bytes from modules where entrant = $1")
        .bind(entrant.as_str())
        .fetch_optional(connection)
        .await
        .stored()?;
    let (bytes,) = row.ok_or_else(|| Damage::BytesMissing(entrant.clone()))?;
    if EntrantId::of_bytes(&bytes) == *entrant { Ok(bytes) } else { Err(Damage::BytesChanged(entrant.clone()).into()) }
}

/// Does file work where it may block.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, StoreError> + Send + 'static,
) -> Result<T, StoreError> {
    task::spawn_blocking(work).await.map_err(|error| StoreError::Unavailable(error.into()))?
}
