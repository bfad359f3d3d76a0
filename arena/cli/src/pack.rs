//! Writes a tournament's folder as one file.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use anyhow::{Context, Result, bail, ensure};
use arena_runner::layout;
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tar::{Builder, EntryType, Header};

use crate::bundle::{DEPTH_MAX, FILES_MAX};

/// Packs a tournament's folder: the same bytes for the same files, if their journals were last written in the same second. That time, which
/// a report's date is taken from, is the only one that goes with them.
pub(crate) fn pack(folder: &Path, file: &Path) -> Result<()> {
    let mut names = Vec::new();
    list(folder, Path::new(""), &mut names)?;
    names.sort();
    let written = fs::metadata(folder.join(layout::JOURNAL)).and_then(|journal| journal.modified());
    let written = written.ok().and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
    let written = written.map_or(0, |time| time.as_secs());
    let tarred = tempfile::tempfile().context("cannot create a file for the archive")?;
    let mut builder = Builder::new(BufWriter::new(tarred));
    for name in names {
        let path = folder.join(&name);
        let mut content = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut header = Header::new_ustar();
        header.set_size(content.metadata()?.len());
        header.set_mode(0o644);
        header.set_mtime(written);
        header.set_entry_type(EntryType::Regular);
        builder.append_data(&mut header, &name, &mut content)?;
    }
    let mut tarred = builder.into_inner()?.into_inner().map_err(io::IntoInnerError::into_error)?;
    io::Seek::rewind(&mut tarred)?;
    // To memory, because a failed write would be a panic in the compressor.
    let packed = compress_to_vec(io::BufReader::new(tarred), CompressionLevel::Fastest);
    fs::write(file, packed).with_context(|| format!("cannot write {}", file.display()))
}

fn list(folder: &Path, within: &Path, names: &mut Vec<PathBuf>) -> Result<()> {
    let path = folder.join(within);
    for entry in fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))? {
        let entry = entry?;
        let name = within.join(entry.file_name());
        match entry.file_type()? {
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

    use ruzstd::decoding::StreamingDecoder;
    use tar::Archive;

    use super::*;
    use crate::bundle::unpack;

    #[test]
    fn files_come_out_as_they_went_in_and_alike_at_whatever_time_they_were_copied() {
        let place = tempfile::tempdir().unwrap();
        let from = place.path().join("from");
        fs::create_dir_all(from.join("entrants")).unwrap();
        fs::write(from.join("journal"), "line\n".repeat(10_000)).unwrap();
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
        let to = place.path().join("to");
        unpack(&one, &to).unwrap();
        for name in ["journal", "entrants/x.wasm"] {
            assert!(fs::read(from.join(name)).unwrap() == fs::read(to.join(name)).unwrap(), "{name}");
        }
        let bytes = fs::read(&one).unwrap();
        let mut archive = Archive::new(StreamingDecoder::new(&*bytes).unwrap());
        let times: Vec<u64> =
            archive.entries().unwrap().map(|entry| entry.unwrap().header().mtime().unwrap()).collect();
        assert_eq!(times, [1_700_000_000; 2]);
        for cut in [0, 3, bytes.len() / 2] {
            fs::write(&other, &bytes[..cut]).unwrap();
            assert!(unpack(&other, &place.path().join(format!("cut{cut}"))).is_err(), "{cut}");
        }
    }
}
