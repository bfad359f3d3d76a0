//! `SHA256SUMS`: the hashes of a backup's files, as `sha256sum` writes them.

use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::path::{Component, Path};

use anyhow::{Context, Result, bail, ensure};
use arena_files::{open, open_with, read_text, write_durably};
use sha2::{Digest, Sha256};

/// The name of the file. It is written last, so a folder without it is not a backup.
pub(super) const SUMS: &str = "SHA256SUMS";
/// Its greatest size, in bytes: a line of some 150 for each of a million files.
const SUMS_BYTES_MAX: u64 = 256 << 20;

/// Writes the sums of all files in a folder, once all of them are on the disk.
pub(super) fn write(folder: &Path) -> Result<usize> {
    let mut files = Vec::new();
    list(folder, "", &mut files)?;
    files.sort();
    let mut text = String::new();
    for name in &files {
        let path = folder.join(name);
        let (hash, _) = hashed(&path, &mut io::sink()).with_context(|| format!("cannot read {}", path.display()))?;
        text += &format!("{hash}  {name}\n");
    }
    write_durably(&folder.join(SUMS), text.as_bytes())?;
    Ok(files.len())
}

/// The files of a backup, with the hashes they must have. No name leads out of the folder.
pub(super) fn read(folder: &Path) -> Result<Vec<(String, String)>> {
    let path = folder.join(SUMS);
    let text = read_text(&path, SUMS_BYTES_MAX).with_context(|| {
        format!("{} has no {SUMS}: it is not a backup, or an interrupted one; take another", folder.display())
    })?;
    let line = |line: &str| -> Result<(String, String)> {
        let Some((hash, name)) = line.split_once("  ") else {
            bail!("{} has a line that is not a checksum", path.display())
        };
        let is_below = Path::new(name).components().all(|part| matches!(part, Component::Normal(_)));
        ensure!(is_below && !name.is_empty(), "{} names {name:?}, which is not below its folder", path.display());
        Ok((hash.into(), name.into()))
    };
    text.lines().map(line).collect()
}

/// Copies a file, waits until it is on the disk, and returns its hash and its length in bytes.
pub(super) fn copy(from: &Path, to: &Path) -> io::Result<(String, u64)> {
    if let Some(folder) = to.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut file = open_with(File::options().write(true).create(true).truncate(true), to)?;
    let copied = hashed(from, &mut file)?;
    file.sync_all()?;
    Ok(copied)
}

/// Copies a file into a writer while hashing it.
fn hashed(path: &Path, to: &mut dyn Write) -> io::Result<(String, u64)> {
    let (mut file, mut hash, mut length) = (open(path)?, Sha256::new(), 0);
    let mut part = vec![0; 64 << 10];
    loop {
        let read = file.read(&mut part)?;
        if read == 0 {
            return Ok((arena_record::Hex::<32>(hash.finalize().into()).to_string(), length));
        }
        hash.update(&part[..read]);
        to.write_all(&part[..read])?;
        length += read as u64;
    }
}

fn list(folder: &Path, before: &str, files: &mut Vec<String>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { bail!("{} has a strange name", entry.path().display()) };
        let name = format!("{before}{name}");
        if entry.file_type()?.is_dir() {
            list(&entry.path(), &format!("{name}/"), files)?;
        } else {
            files.push(name);
        }
    }
    Ok(())
}
