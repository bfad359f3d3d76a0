//! The bytes of bots: one file for each content, named by its hash.
//!
//! Files and not rows, because a worker process can be given a file and never needs the database, because a megabyte in
//! a row goes through the log and every backup of the database, and because tournaments keep their bots in the same
//! form.
//!
//! A file is written under another name, synced, renamed and synced with its folder, all before the row that names it
//! is committed: no row ever names a file that is not there. A death in between leaves a file that no row names. That
//! costs space and nothing else, and the next submission of the same bytes takes it over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arena_files::{sync_folder, write_synced};
use arena_record::{EntrantId, Hex};

use crate::error::Damage;
use crate::{StoreError, random_bytes};

#[derive(Clone)]
pub(super) struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// Opens the folder and throws away what was being written when the last process died. Only for the one process
    /// that holds the store's lock.
    pub(super) fn open(folder: PathBuf) -> io::Result<Blobs> {
        let blobs = Blobs { folder };
        match fs::remove_dir_all(blobs.unfinished()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(blobs.unfinished())?,
        }
        sync_folder(&blobs.folder)?;
        Ok(blobs)
    }

    fn unfinished(&self) -> PathBuf {
        self.folder.join("unfinished")
    }

    /// Where the bytes of an entrant are or would be; `None` for who is no bot. The path is made of hex digits: what
    /// people name never gets into one.
    pub(super) fn path(&self, entrant: &EntrantId) -> Option<PathBuf> {
        let hash = entrant.hash()?;
        Some(self.folder.join(&hash[..2]).join(format!("{hash}.wasm")))
    }

    /// Keeps `bytes` and says by what name. Once it returns, they are on the disk. Blocks.
    pub(super) fn put(&self, bytes: &[u8]) -> Result<EntrantId, StoreError> {
        let entrant = EntrantId::of_bytes(bytes);
        let path = self.path(&entrant).ok_or_else(|| Damage::BytesMissing(entrant.clone()))?;
        let temporary = self.unfinished().join(Hex(random_bytes::<16>()?).to_string());
        write(&self.folder, &path, &temporary, bytes).map_err(StoreError::of_io)?;
        Ok(entrant)
    }

    /// Whether there is a file of an entrant. Blocks.
    pub(super) fn has(&self, entrant: &EntrantId) -> bool {
        self.path(entrant).is_some_and(|path| path.exists())
    }

    /// Removes the bytes of an entrant, if they are there. Blocks.
    pub(super) fn remove(&self, entrant: &EntrantId) -> Result<(), StoreError> {
        let Some(path) = self.path(entrant) else { return Ok(()) };
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::of_io(error)),
            _ => Ok(()),
        }
    }

    /// The bytes of an entrant. Blocks.
    pub(super) fn read(&self, entrant: &EntrantId) -> Result<Vec<u8>, StoreError> {
        let missing = || StoreError::from(Damage::BytesMissing(entrant.clone()));
        let path = self.path(entrant).ok_or_else(missing)?;
        let bytes = match fs::read(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(missing()),
            read => read.map_err(StoreError::of_io)?,
        };
        if EntrantId::of_bytes(&bytes) == *entrant {
            Ok(bytes)
        } else {
            Err(Damage::BytesChanged(entrant.clone()).into())
        }
    }
}

/// A file that is there is written again only if it is damaged. Its folder is synced all the same: the process that
/// renamed it may have died before that.
fn write(root: &Path, path: &Path, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(root);
    if !folder.exists() {
        fs::create_dir_all(folder)?;
        sync_folder(root)?;
    }
    if fs::read(path).is_ok_and(|there| there == bytes) {
        return sync_folder(folder);
    }
    write_synced(temporary, bytes)?;
    fs::rename(temporary, path)?;
    sync_folder(folder)
}
