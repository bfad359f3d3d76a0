//! A store seen from outside, even while a process has it open: copying and inspecting it.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arena_files::sync_folder;
use arena_record::EntrantId;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool, SqlitePoolOptions};
use tokio::task;

use super::{DATABASE, LATEST, OpenError, STEPS};
use crate::blobs::Blobs;
use crate::error::{Damage, Result};
use crate::sql::Inspection;
use crate::sql::connection::{Connection, Held, query};
use crate::sql::error::Stored;
use crate::sql::migrations;
use crate::sql::modules::Modules;
use crate::sql::problems::named;
use crate::{Limits, Store, StoreError};

/// How often a copy is retried when bytes that it names were removed meanwhile. That takes a refusal of a bot between
/// two steps that take milliseconds.
const COPY_TRIES: u32 = 5;

impl Store {
    /// Copies the store in the folder `from` into the folder `to`, as it is at one moment, even while others write.
    /// Opening the copy is like [`Store::open`] after all writers had died at that moment.
    ///
    /// # Errors
    /// When there is no store that this release can read, the copy cannot be written, or bytes of a bot are missing or
    /// damaged.
    pub async fn copy(from: &Path, to: &Path) -> Result<(), OpenError> {
        let unusable = |path: &Path, source| OpenError::Folder { path: path.into(), source };
        let pool = look(from).await?;
        let mut source = Connection::sqlite(Held::Alone(pool.acquire().await.stored()?));
        let blobs = Blobs::at(from.join("blobs"));
        let copied = Blobs::open(to.join("blobs")).map_err(|error| unusable(to, error))?;
        let file = to.join(DATABASE);
        for tries_left in (0..COPY_TRIES).rev() {
            remove(&file).map_err(|error| unusable(&file, error))?;
            // A single read of everything; writers continue and are not included.
            let whole = query("vacuum into $1").bind(file.display().to_string());
            whole.execute(&mut source).await?;
            let named = named_in(&file).await?;
            let (blobs, copied) = (blobs.clone(), copied.clone());
            let all = move || copy_blobs(&blobs, &copied, &named);
            match task::spawn_blocking(all).await.map_err(|error| StoreError::Unavailable(error.into()))? {
                // The bot was refused and its bytes removed after the database was copied. Another copy will not name
                // them.
                Err(error) if tries_left > 0 && is_missing(&error) => {}
                done => {
                    done?;
                    break;
                }
            }
        }
        drop(source);
        pool.close().await;
        fs::File::open(&file).and_then(|file| file.sync_all()).map_err(|error| unusable(&file, error))?;
        sync_folder(to).map_err(|error| unusable(to, error))
    }

    /// Inspects the store in a folder for problems, as [`Store::problems`](crate::Store::problems) does, and its
    /// digest, even while others have it open.
    ///
    /// # Errors
    /// When there is no store that this release can read.
    pub async fn inspect(folder: &Path) -> Result<Inspection, OpenError> {
        let pool = look(folder).await?;
        let mut reading = Connection::sqlite(Held::Within(pool.begin().await.stored()?));
        let found = Inspection::of(&mut reading, &Modules::Files(Blobs::at(folder.join("blobs"))), STEPS).await?;
        drop(reading);
        pool.close().await;
        Ok(found)
    }

    /// Removes the files of bots' bytes that no version names, and returns their ids and sizes. They are left over from
    /// processes that died while they took a submission. The exclusive `self` proves that none is being taken now.
    ///
    /// # Errors
    /// When the store cannot be read, or a file cannot be removed.
    pub async fn remove_unnamed(self: Arc<Self>) -> Result<Vec<(EntrantId, u64)>> {
        let named = named(&mut self.reader().await?).await?;
        let Modules::Files(blobs) = self.database.modules() else { return Ok(Vec::new()) };
        let mut unnamed = blobs.all()?;
        unnamed.retain(|(entrant, _)| named.binary_search(entrant).is_err());
        for (entrant, _) in &unnamed {
            blobs.remove(entrant)?;
        }
        Ok(unnamed)
    }
}

/// Connects to a store that another process may have open.
async fn look(folder: &Path) -> Result<SqlitePool, OpenError> {
    let file = folder.join(DATABASE);
    // SQLite itself would report a missing file only as a code.
    super::be_file(&file).map_err(|source| OpenError::Folder { path: folder.into(), source })?;
    let options = super::connect_options(&file, super::wait(&Limits::DEFAULT)).create_if_missing(false);
    let pool = alone(options).await?;
    let mut connection = Connection::sqlite(Held::Alone(pool.acquire().await.stored()?));
    if migrations::version(&mut connection).await? > LATEST { Err(OpenError::Newer(folder.into())) } else { Ok(pool) }
}

async fn alone(options: SqliteConnectOptions) -> Result<SqlitePool> {
    SqlitePoolOptions::new().max_connections(1).connect_with(options).await.stored()
}

/// The same as `named` for a copy, without changing it.
async fn named_in(copy: &Path) -> Result<Vec<EntrantId>> {
    let pool = alone(SqliteConnectOptions::new().filename(copy).read_only(true)).await?;
    let mut connection = Connection::sqlite(Held::Alone(pool.acquire().await.stored()?));
    let found = named(&mut connection).await?;
    drop(connection);
    pool.close().await;
    Ok(found)
}

/// Copies named files that are missing, and removes files that an earlier try copied and that are not named.
fn copy_blobs(from: &Blobs, to: &Blobs, named: &[EntrantId]) -> Result<()> {
    for entrant in named.iter().filter(|entrant| !to.has(entrant)) {
        to.put(&from.read(entrant)?)?;
    }
    for (entrant, _) in to.all()?.iter().filter(|(entrant, _)| named.binary_search(entrant).is_err()) {
        to.remove(entrant)?;
    }
    Ok(())
}

fn is_missing(error: &StoreError) -> bool {
    matches!(error, StoreError::Damaged(why) if matches!(why.downcast_ref(), Some(Damage::BytesMissing(_))))
}

fn remove(file: &Path) -> io::Result<()> {
    match fs::remove_file(file) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}
