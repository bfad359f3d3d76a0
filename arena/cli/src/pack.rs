//! Writes a tournament's folder as one file.

use std::fs::{self, File};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use arena_files::open;
use arena_runner::layout;
use tar::{Builder, EntryType, Header};
use zstd::stream::write::Encoder;

use crate::bundle::{DEPTH_MAX, FILES_MAX};

/// The level of compression: beyond it journals become little smaller, and slowly.
const LEVEL: i32 = 3;

/// Packs a tournament's folder, without files that are not the tournament's: the same bytes for the same files, if their journals were last written in the same second. That time, which
/// a report's date is taken from, is the only one that goes with them.
pub(crate) fn pack(folder: &Path, file: &Path) -> Result<()> {
    let mut names = Vec::new();
    list(folder, Path::new(""), &mut names)?;
    names.sort();
    let written = fs::metadata(folder.join(layout::JOURNAL)).and_then(|journal| journal.modified());
    let written = written.ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let written = written.map_or(0, |time| time.as_secs());
    let cannot_write = || format!("cannot write {}", file.display());
    let mut packed = Encoder::new(File::create(file).with_context(cannot_write)?, LEVEL)?;
    packed.include_checksum(true)?;
    let mut builder = Builder::new(packed);
    for name in names {
        let path = folder.join(&name);
        let content = open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let size = content.metadata()?.len();
        let mut header = Header::new_ustar();
        header.set_size(size);
        header.set_mode(0o644);
        header.set_mtime(written);
        header.set_entry_type(EntryType::Regular);
        // The journal of a tournament that is being played grows.
        builder.append_data(&mut header, &name, content.take(size)).with_context(cannot_write)?;
    }
    builder.into_inner().and_then(Encoder::finish).with_context(cannot_write)?;
    Ok(())
}

fn list(folder: &Path, within: &Path, names: &mut Vec<PathBuf>) -> Result<()> {
    let path = folder.join(within);
    for entry in fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))? {
        let entry = entry?;
        let name = within.join(entry.file_name());
        match entry.file_type()? {
            _ if within == Path::new("") && !entry.file_name().to_str().is_some_and(layout::is_own) => {}
            kind if kind.is_dir() && name.components().count() < DEPTH_MAX => list(folder, &name, names)?,
            kind if kind.is_file() => names.push(name),
            _ => bail!("{} is not a file of a tournament", path.join(entry.file_name()).display()),
        }
        ensure!(names.len() <= FILES_MAX, "{} has more files than any tournament", folder.display());
    }
    Ok(())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::time::Duration;

    use tar::Archive;
    use zstd::stream::read::Decoder;

    use super::*;
    use crate::bundle::{BundleError, unpack};
    use crate::kind::Kind;

    #[test]
    fn files_come_out_as_they_went_in_and_alike_at_whatever_time_they_were_copied() {
        let place = tempfile::tempdir().unwrap();
        let from = place.path().join("from");
        fs::create_dir_all(from.join("entrants")).unwrap();
        fs::write(from.join("journal"), "line\n".repeat(10_000)).unwrap();
        fs::write(from.join("manifest.json"), "{}\n").unwrap();
        fs::write(from.join(".DS_Store"), "macOS's").unwrap();
        fs::write(from.join("entrants/x.wasm"), [0; 100]).unwrap();
        let [one, other] = ["one", "other"].map(|name| place.path().join(name));
        let dated = |name: &str, seconds: u64| {
            let file = File::options().write(true).open(from.join(name)).unwrap();
            file.set_modified(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).unwrap();
        };
        dated("journal", 1_700_000_000);
        dated("entrants/x.wasm", 1_600_000_000);
        pack(&from, &one).unwrap();
        dated("entrants/x.wasm", 1_800_000_000);
        pack(&from, &other).unwrap();
        assert!(fs::read(&one).unwrap() == fs::read(&other).unwrap());
        let to = |name: &str| {
            let to = place.path().join(name);
            fs::create_dir(&to).unwrap();
            to
        };
        let unpacked = unpack(File::open(&one).unwrap(), Kind::Zstandard, &to("to")).unwrap();
        for name in ["journal", "entrants/x.wasm", "manifest.json"] {
            assert!(fs::read(from.join(name)).unwrap() == fs::read(unpacked.join(name)).unwrap(), "{name}");
        }
        assert!(!unpacked.join(".DS_Store").exists());
        let bytes = fs::read(&one).unwrap();
        let mut archive = Archive::new(Decoder::new(&*bytes).unwrap());
        let times: Vec<u64> =
            archive.entries().unwrap().map(|entry| entry.unwrap().header().mtime().unwrap()).collect();
        assert_eq!(times, [1_700_000_000; 3]);
        for cut in 4..bytes.len() {
            fs::write(&other, &bytes[..cut]).unwrap();
            let cut = unpack(File::open(&other).unwrap(), Kind::Zstandard, &to(&format!("cut{cut}")));
            assert!(matches!(cut, Err(BundleError::Damaged(_))), "{cut:?}");
        }
    }
}
