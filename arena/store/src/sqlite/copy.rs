//! A store looked at from beside it, whoever has it open: copied, and inspected.

use std::fs;
use std::io;
use std::path::Path;
use std::sync::Arc;

use arena_files::sync_folder;
use arena_record::EntrantId;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{Connection, SqliteConnection};
use tokio::task;

use super::blobs::Blobs;
use super::error::Database;
use super::migrations::{self, LATEST};
use super::{DATABASE, OpenError, SqliteStore};
use crate::error::Damage;
use crate::{Limits, StoreError};

/// How often a copy begins anew because bytes that it names were removed meanwhile: each time a bot was refused between
/// two steps that take milliseconds.
const COPY_TRIES: u32 = 5;

impl SqliteStore {
    /// Copies the store in the folder `from` into the folder `to`, as it is at one moment, while others write or not. Who
    /// opens the copy finds what [`SqliteStore::open`] would have found if all writers had died at that moment.
    ///
    /// # Errors
    /// When there is no store that this release reads, the copy cannot be written, or bytes of a bot are missing or damaged.
    pub async fn copy(from: &Path, to: &Path) -> Result<(), OpenError> {
        let unusable = |path: &Path, source| OpenError::Folder { path: path.into(), source };
        let mut source = look(from).await?;
        let blobs = Blobs::at(from.join("blobs"));
        let copied = Blobs::open(to.join("blobs")).map_err(|error| unusable(to, error))?;
        let file = to.join(DATABASE);
        for tries_left in (0..COPY_TRIES).rev() {
            remove(&file).map_err(|error| unusable(&file, error))?;
            // One read of the whole: writers go on, and are not in it.
            sqlx::query("vacuum into $1").bind(file.display().to_string()).execute(&mut source).await.stored()?;
            let named = named_in(&file).await?;
            let (blobs, copied) = (blobs.clone(), copied.clone());
            let all = move || copy_blobs(&blobs, &copied, &named);
            match task::spawn_blocking(all).await.map_err(|error| StoreError::Unavailable(error.into()))? {
                // Refused, and its bytes removed, after the database was copied. Another copy does not name them.
                Err(error) if tries_left > 0 && is_missing(&error) => {}
                done => {
                    done?;
                    break;
                }
            }
        }
        source.close().await.stored()?;
        fs::File::open(&file).and_then(|file| file.sync_all()).map_err(|error| unusable(&file, error))?;
        sync_folder(to).map_err(|error| unusable(to, error))
    }

    /// What is wrong with the store in a folder, as [`Upkeep::problems`](crate::Upkeep::problems) says it, while others have it
    /// open or not.
    ///
    /// # Errors
    /// When there is no store that this release reads.
    pub async fn inspect(folder: &Path) -> Result<Vec<String>, OpenError> {
        let mut connection = look(folder).await?;
        let found = problems(&mut connection, &Blobs::at(folder.join("blobs"))).await?;
        connection.close().await.stored()?;
        Ok(found)
    }

    /// Removes the files of bots' bytes that no version names, and says of each how many bytes it had. They are left over
    /// from processes that died while they took a submission. `self` proves that nobody takes one now.
    ///
    /// # Errors
    /// When the store cannot be read, or a file cannot be removed.
    pub async fn remove_unnamed(self: Arc<Self>) -> Result<Vec<(EntrantId, u64)>, StoreError> {
        let named = named(&mut *self.reader().await?).await?;
        let mut unnamed = self.blobs.all()?;
        unnamed.retain(|(entrant, _)| named.binary_search(entrant).is_err());
        for (entrant, _) in &unnamed {
            self.blobs.remove(entrant)?;
        }
        Ok(unnamed)
    }
}

/// A connection to a store, whoever has it open.
async fn look(folder: &Path) -> Result<SqliteConnection, OpenError> {
    let file = folder.join(DATABASE);
    // SQLite's own words for it are a code.
    fs::metadata(&file).map_err(|source| OpenError::Folder { path: folder.into(), source })?;
    let options = super::connect_options(&file, super::wait(&Limits::DEFAULT)).create_if_missing(false);
    let mut connection = SqliteConnection::connect_with(&options).await.stored()?;
    if migrations::version(&mut connection).await? > LATEST {
        Err(OpenError::Newer(folder.into()))
    } else {
        Ok(connection)
    }
}

/// What is wrong with a database and the bytes that it names.
pub(super) async fn problems(connection: &mut SqliteConnection, blobs: &Blobs) -> Result<Vec<String>, StoreError> {
    let lines: Vec<(String,)> = sqlx::query_as("pragma integrity_check").fetch_all(&mut *connection).await.stored()?;
    let mut problems: Vec<String> = lines.into_iter().map(|(line,)| line).filter(|line| line != "ok").collect();
    let orphans = sqlx::query("pragma foreign_key_check").fetch_all(&mut *connection).await.stored()?;
    if !orphans.is_empty() {
        problems.push(format!("{} rows name others that are not there", orphans.len()));
    }
    let gaps = "select room from room_events group by room having count(*) <> max(seq) + 1";
    let gaps: Vec<(String,)> = sqlx::query_as(gaps).fetch_all(&mut *connection).await.stored()?;
    problems.extend(gaps.into_iter().map(|(room,)| format!("the log of room {room} has a gap")));
    let (named, blobs) = (named(connection).await?, blobs.clone());
    let read = move || {
        let flaw = |entrant: &EntrantId| match blobs.read(entrant) {
            Ok(_) => None,
            Err(StoreError::Damaged(why)) => Some(why.to_string()),
            Err(error) => Some(format!("the bytes of {entrant} cannot be read: {error}")),
        };
        named.iter().filter_map(flaw).collect::<Vec<String>>()
    };
    let read = task::spawn_blocking(read).await.map_err(|error| StoreError::Unavailable(error.into()))?;
    problems.extend(read);
    Ok(problems)
}

/// Whose bytes are kept, in order.
async fn named(connection: &mut SqliteConnection) -> Result<Vec<EntrantId>, StoreError> {
    let kept = "select distinct entrant from versions where state <> 'refused'";
    let rows: Vec<(String,)> = sqlx::query_as(kept).fetch_all(connection).await.stored()?;
    let parsed = rows.into_iter().map(|(text,)| text.parse().map_err(StoreError::damaged));
    let mut named = parsed.collect::<Result<Vec<EntrantId>, _>>()?;
    named.sort();
    Ok(named)
}

/// The same of a copy, without changing it.
async fn named_in(copy: &Path) -> Result<Vec<EntrantId>, StoreError> {
    let options = SqliteConnectOptions::new().filename(copy).read_only(true);
    let mut connection = SqliteConnection::connect_with(&options).await.stored()?;
    let found = named(&mut connection).await?;
    connection.close().await.stored()?;
    Ok(found)
}

/// Copies what is named and not there yet, and removes what an earlier try copied and nobody names.
fn copy_blobs(from: &Blobs, to: &Blobs, named: &[EntrantId]) -> Result<(), StoreError> {
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
