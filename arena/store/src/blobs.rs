//! The bytes of bots, one file for each content, named by its hash.
//!
//! They are files and not rows, because a worker process can be given a file without access to the database, because a
//! megabyte in a row goes through the database's log and every backup, and because tournaments keep their bots in the
//! same form.
//!
//! A file is written under another name, synced, renamed and synced with its folder, all before the row that names it
//! is committed. So no row ever names a missing file. A crash in between leaves a file that no row names. It costs only
//! space, and the next submission of the same bytes takes it over.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use arena_files::{parting, read_at_most, sync_folder, write_synced};
use arena_record::{EntrantId, Hex};

use crate::error::{Damage, Result};
use crate::{StoreError, random_bytes};

/// The folder of the files.
#[derive(Clone)]
pub(crate) struct Blobs {
    folder: PathBuf,
}

impl Blobs {
    /// Opens the folder and removes files that were being written when the last process died. Only for the one process
    /// that holds the store's lock.
    pub(crate) fn open(folder: PathBuf) -> io::Result<Blobs> {
        let blobs = Blobs::at(folder);
        match fs::remove_dir_all(blobs.unfinished()) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => fs::create_dir_all(blobs.unfinished())?,
        }
        sync_folder(&blobs.folder)?;
        Ok(blobs)
    }

    /// The folder as it is, even while another process has it open.
    pub(crate) fn at(folder: PathBuf) -> Blobs {
        Blobs { folder }
    }

    fn unfinished(&self) -> PathBuf {
        self.folder.join("unfinished")
    }

    /// The path for the bytes of a bot; `None` for other entrants. It consists of hex digits, so no name chosen by
    /// people ever gets into a path.
    pub(crate) fn path(&self, entrant: &EntrantId) -> Option<PathBuf> {
        let hash = entrant.hash()?;
        Some(self.folder.join(&hash[..2]).join(format!("{hash}.wasm")))
    }

    /// Keeps `bytes` and returns the id. On return they are on the disk. Blocks.
    pub(crate) fn put(&self, bytes: &[u8]) -> Result<EntrantId> {
        let entrant = EntrantId::of_bytes(bytes);
        let path = self.path(&entrant).ok_or_else(|| Damage::BytesMissing(entrant.clone()))?;
        let temporary = self.unfinished().join(Hex(random_bytes::<16>()?).to_string());
        write(&self.folder, &path, &temporary, bytes).map_err(StoreError::of_io)?;
        Ok(entrant)
    }

    /// Whether there is a file for an entrant. Blocks.
    pub(crate) fn has(&self, entrant: &EntrantId) -> bool {
        self.path(entrant).is_some_and(|path| path.exists())
    }

    /// Removes the bytes of an entrant, if they are there. Blocks.
    pub(crate) fn remove(&self, entrant: &EntrantId) -> Result<()> {
        let Some(path) = self.path(entrant) else { return Ok(()) };
        match fs::remove_file(path) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => Err(StoreError::of_io(error)),
            _ => Ok(()),
        }
    }

    /// All files, with their sizes in bytes. Files outside of our own naming scheme are left out. Blocks.
    pub(crate) fn all(&self) -> Result<Vec<(EntrantId, u64)>> {
        let mut found = Vec::new();
        for folder in fs::read_dir(&self.folder).map_err(StoreError::of_io)? {
            let folder = folder.map_err(StoreError::of_io)?;
            if !folder.file_type().map_err(StoreError::of_io)?.is_dir() {
                continue;
            }
            for file in fs::read_dir(folder.path()).map_err(StoreError::of_io)? {
                let file = file.map_err(StoreError::of_io)?;
                let path = file.path();
                let hash = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
                let entrant = format!("sha256:{hash}").parse().ok();
                if let Some(entrant) = entrant.filter(|entrant| self.path(entrant).as_ref() == Some(&path)) {
                    found.push((entrant, file.metadata().map_err(StoreError::of_io)?.len()));
                }
            }
        }
        Ok(found)
    }

    /// The bytes of an entrant. Blocks.
    pub(crate) fn read(&self, entrant: &EntrantId) -> Result<Vec<u8>> {
        let missing = || StoreError::from(Damage::BytesMissing(entrant.clone()));
        let path = self.path(entrant).ok_or_else(missing)?;
        let bytes = match read_at_most(&path, u64::MAX) {
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

/// Writes a file, an existing one only if it is damaged. Its folder is synced in any case, because the process that
/// renamed the file may have died before syncing.
fn write(root: &Path, path: &Path, temporary: &Path, bytes: &[u8]) -> io::Result<()> {
    let folder = path.parent().unwrap_or(root);
    if !folder.exists() {
        fs::create_dir_all(folder)?;
        sync_folder(root)?;
    }
    if parting(path, [bytes]).is_ok_and(|parting| parting.is_none()) {
        return sync_folder(folder);
    }
    write_synced(temporary, [bytes])?;
    fs::rename(temporary, path)?;
    sync_folder(folder)
}
