//! A cache of bots' bytes in a folder. Files are named by their hashes, and any that does not match its name counts as
//! missing.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use arena_files::{read_at_most, write_durably};
use arena_record::EntrantId;
use arena_store::MODULE_BYTES_MAX;

use crate::limits::CACHE_BYTES_MAX;

/// A folder of bots.
pub(crate) struct Cache(PathBuf);

impl Cache {
    pub(crate) fn new(folder: &Path) -> Cache {
        Cache(folder.into())
    }

    /// The bytes of a bot, if they are there whole.
    pub(crate) fn get(&self, id: &EntrantId) -> Option<Vec<u8>> {
        let bytes = read_at_most(&self.file(id)?, MODULE_BYTES_MAX).ok()?;
        (EntrantId::of_bytes(&bytes) == *id).then_some(bytes)
    }

    /// Keeps the bytes of a bot, removing older files to make room.
    ///
    /// # Errors
    /// When the folder cannot be written. Then the bytes are fetched again next time.
    pub(crate) fn put(&self, id: &EntrantId, bytes: &[u8]) -> io::Result<()> {
        let Some(file) = self.file(id) else { return Ok(()) };
        fs::create_dir_all(&self.0)?;
        self.make_place(bytes.len() as u64)?;
        write_durably(&file, bytes)
    }

    /// Removes the oldest files until this many more bytes fit in.
    fn make_place(&self, more: u64) -> io::Result<()> {
        let mut files: Vec<(SystemTime, u64, PathBuf)> = Vec::new();
        for entry in fs::read_dir(&self.0)? {
            let entry = entry?;
            if entry.path().extension().is_some_and(|extension| extension == "wasm") {
                let about = entry.metadata()?;
                files.push((about.modified()?, about.len(), entry.path()));
            }
        }
        files.sort();
        let mut total: u64 = files.iter().map(|(_, bytes, _)| *bytes).sum();
        for (_, bytes, file) in files {
            if total + more <= CACHE_BYTES_MAX {
                break;
            }
            // Another worker that shares the folder may have been faster.
            let _ = fs::remove_file(file);
            total -= bytes;
        }
        Ok(())
    }

    fn file(&self, id: &EntrantId) -> Option<PathBuf> {
        Some(self.0.join(format!("{}.wasm", id.hash()?)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_that_are_not_the_bots_are_not_there() {
        let folder = tempfile::tempdir().expect("a folder");
        let cache = Cache::new(&folder.path().join("bots"));
        let id = EntrantId::of_bytes(b"bot");
        assert_eq!(cache.get(&id), None);
        cache.put(&id, b"bot").expect("kept");
        assert_eq!(cache.get(&id).as_deref(), Some(&b"bot"[..]));
        fs::write(cache.file(&id).expect("a file"), b"bat").expect("written");
        assert_eq!(cache.get(&id), None);
        fs::remove_dir_all(folder.path().join("bots")).expect("gone");
        cache.put(&id, b"bot").expect("kept again");
        assert_eq!(cache.get(&id).as_deref(), Some(&b"bot"[..]));
    }
}
