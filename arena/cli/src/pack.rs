//! Writes a tournament's folder as one file.

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use ruzstd::encoding::{CompressionLevel, compress_to_vec};
use tar::{Builder, EntryType, Header};

use crate::bundle::{DEPTH_MAX, FILES_MAX};

/// Packs a tournament's folder: the same bytes for the same files.
pub(crate) fn pack(folder: &Path, file: &Path) -> Result<()> {
    let mut names = Vec::new();
    list(folder, Path::new(""), &mut names)?;
    names.sort();
    let tarred = tempfile::tempfile().context("cannot create a file for the archive")?;
    let mut builder = Builder::new(BufWriter::new(tarred));
    for name in names {
        let path = folder.join(&name);
        let mut content = File::open(&path).with_context(|| format!("cannot read {}", path.display()))?;
        let mut header = Header::new_ustar();
        header.set_size(content.metadata()?.len());
        header.set_mode(0o644);
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
    use super::*;
    use crate::bundle::unpack;

    #[test]
    fn files_come_out_as_they_went_in_and_the_same_bytes_each_time() {
        let place = tempfile::tempdir().unwrap();
        let from = place.path().join("from");
        fs::create_dir_all(from.join("entrants")).unwrap();
        fs::write(from.join("journal"), "line\n".repeat(10_000)).unwrap();
        fs::write(from.join("entrants/x.wasm"), [0; 100]).unwrap();
        let [one, other] = ["one", "other"].map(|name| place.path().join(name));
        pack(&from, &one).unwrap();
        pack(&from, &other).unwrap();
        assert!(fs::read(&one).unwrap() == fs::read(&other).unwrap());
        let to = place.path().join("to");
        unpack(&one, &to).unwrap();
        for name in ["journal", "entrants/x.wasm"] {
            assert!(fs::read(from.join(name)).unwrap() == fs::read(to.join(name)).unwrap(), "{name}");
        }
        let bytes = fs::read(&one).unwrap();
        for cut in [0, 3, bytes.len() / 2] {
            fs::write(&other, &bytes[..cut]).unwrap();
            assert!(unpack(&other, &place.path().join(format!("cut{cut}"))).is_err(), "{cut}");
        }
    }
}
