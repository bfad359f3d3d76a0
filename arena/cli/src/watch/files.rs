//! Detects changed files: by their times and sizes first, confirmed by their contents.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Result, bail};
use arena_files::open;
use sha2::{Digest, Sha256};

/// Most files in a folder of sources. Each look reads all their times, and a folder with more is not one of sources.
const FILES_MAX: usize = 10_000;
/// Folders that builds write and people do not edit.
const SKIPPED: [&str; 2] = ["target", "node_modules"];

type Stamp = BTreeMap<PathBuf, (Option<SystemTime>, u64)>;

/// A hash of each file's bytes.
type Contents = BTreeMap<PathBuf, [u8; 32]>;

/// A file or a folder, in the state in which it was last found changed.
pub(super) struct Watched {
    root: PathBuf,
    /// A file in the folder that is not watched.
    except: Option<PathBuf>,
    stamp: Stamp,
    /// Newer times and sizes, until two looks find the same: somebody may still be writing.
    unsettled: Option<Stamp>,
    contents: Contents,
}

impl Watched {
    /// Starts watching. Missing files may appear later.
    ///
    /// # Errors
    /// If there are too many files.
    pub(super) fn new(root: &Path, except: Option<&Path>) -> Result<Watched> {
        let mut watched = Watched {
            root: root.into(),
            except: except.map(Path::to_path_buf),
            stamp: Stamp::new(),
            unsettled: None,
            contents: Contents::new(),
        };
        watched.stamp = watched.look()?;
        watched.contents = contents(&watched.stamp);
        Ok(watched)
    }

    /// Whether the contents have changed since this was last true, and have settled.
    ///
    /// # Errors
    /// If there are too many files.
    pub(super) fn has_changed(&mut self) -> Result<bool> {
        let stamp = self.look()?;
        if stamp == self.stamp {
            self.unsettled = None;
            return Ok(false);
        }
        if self.unsettled.as_ref() != Some(&stamp) {
            self.unsettled = Some(stamp);
            return Ok(false);
        }
        let now = contents(&stamp);
        (self.stamp, self.unsettled) = (stamp, None);
        let before = std::mem::replace(&mut self.contents, now);
        Ok(before != self.contents)
    }

    /// Notes the current state of the files; returns those that have changed since the last look.
    ///
    /// # Errors
    /// If there are too many files.
    pub(super) fn renew(&mut self) -> Result<BTreeSet<PathBuf>> {
        let stamp = self.look()?;
        let now = contents(&stamp);
        (self.stamp, self.unsettled) = (stamp, None);
        let before = std::mem::replace(&mut self.contents, now);
        let all = before.keys().chain(self.contents.keys());
        Ok(all.filter(|path| before.get(*path) != self.contents.get(*path)).cloned().collect())
    }

    fn look(&self) -> Result<Stamp> {
        let mut found = Stamp::new();
        if let Ok(metadata) = fs::metadata(&self.root) {
            self.add(&self.root, &metadata, &mut found)?;
        }
        Ok(found)
    }

    fn add(&self, path: &Path, metadata: &Metadata, found: &mut Stamp) -> Result<()> {
        if !metadata.is_dir() {
            if self.except.as_deref() != Some(path) {
                found.insert(path.into(), (metadata.modified().ok(), metadata.len()));
            }
            if found.len() > FILES_MAX {
                let root = self.root.display();
                bail!("{root} has more than {FILES_MAX} files; name the folder with the bot's sources alone");
            }
            return Ok(());
        }
        // A file that vanishes between two steps counts as missing.
        let Ok(entries) = fs::read_dir(path) else { return Ok(()) };
        for entry in entries.flatten() {
            let name = entry.file_name();
            let is_skipped = name.to_str().is_some_and(|name| name.starts_with('.') || SKIPPED.contains(&name));
            // Metadata of the link itself, so that no circle of links is followed.
            match entry.metadata() {
                Ok(metadata) if !is_skipped => self.add(&entry.path(), &metadata, found)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// An unreadable file counts by its name only.
fn contents(stamp: &Stamp) -> Contents {
    let hash_of = |path: &PathBuf| {
        let mut file = Sha256::new();
        let _ = open(path).and_then(|mut bytes| hash(&mut bytes, &mut file));
        (path.clone(), file.finalize().into())
    };
    stamp.keys().map(hash_of).collect()
}

fn hash(bytes: &mut impl io::Read, hasher: &mut Sha256) -> io::Result<()> {
    let mut buffer = [0; 1 << 13];
    loop {
        match bytes.read(&mut buffer)? {
            0 => return Ok(()),
            read => hasher.update(&buffer[..read]),
        }
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::fs::File;
    use std::time::Duration;

    use super::*;

    fn touch(path: &Path, seconds: u64) {
        let file = File::options().append(true).open(path).unwrap();
        file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
    }

    #[test]
    fn a_change_is_one_of_contents_and_is_told_once_when_it_rests() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("bot.wasm");
        let mut watched = Watched::new(&path, None).unwrap();
        let mut looks = || [(); 3].map(|()| watched.has_changed().unwrap());
        assert_eq!(looks(), [false; 3]);
        fs::write(&path, "one").unwrap();
        assert_eq!(looks(), [false, true, false], "it came");
        touch(&path, 5);
        assert_eq!(looks(), [false; 3], "other times, equal bytes");
        fs::write(&path, "two").unwrap();
        touch(&path, 6);
        assert_eq!(looks(), [false, true, false], "equal sizes, other bytes");
        fs::remove_file(&path).unwrap();
        assert_eq!(looks(), [false, true, false], "it went");
    }

    #[test]
    fn renewing_names_what_came_went_and_changed() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |path: &str| folder.path().join(path);
        for name in ["kept", "went", "changed"] {
            fs::write(inside(name), "one").unwrap();
        }
        let mut watched = Watched::new(folder.path(), None).unwrap();
        fs::remove_file(inside("went")).unwrap();
        fs::write(inside("came"), "one").unwrap();
        fs::write(inside("changed"), "two").unwrap();
        assert_eq!(watched.renew().unwrap(), ["came", "changed", "went"].map(inside).into());
        assert_eq!([(); 3].map(|()| watched.has_changed().unwrap()), [false; 3], "it is known now");
    }

    #[test]
    fn a_folder_is_its_sources_without_what_builds_write() {
        let folder = tempfile::tempdir().unwrap();
        let inside = |path: &str| folder.path().join(path);
        for name in ["src", "target", ".git"] {
            fs::create_dir(inside(name)).unwrap();
        }
        let bot = inside("bot.wasm");
        let mut watched = Watched::new(folder.path(), Some(&bot)).unwrap();
        for name in ["target/lib.o", ".git/index", "bot.wasm"] {
            fs::write(inside(name), "new").unwrap();
        }
        let mut looks = || [(); 3].map(|()| watched.has_changed().unwrap());
        assert_eq!(looks(), [false; 3]);
        fs::write(inside("src/lib.rs"), "new").unwrap();
        assert_eq!(looks(), [false, true, false]);
    }
}
