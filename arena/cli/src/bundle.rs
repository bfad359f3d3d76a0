//! Reads a tournament's folder from one file: a tar archive, compressed with Zstandard. Its source is not trusted, so it is read
//! within limits.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Component, Path};

use anyhow::{Context, Result, bail, ensure};
use arena_tournaments::limits::ENTRANTS_MAX;
use ruzstd::decoding::StreamingDecoder;
use tar::{Archive, EntryType};

/// Files in a folder: a bot for each entrant, and fewer than 30 others.
pub(crate) const FILES_MAX: usize = ENTRANTS_MAX + 30;
/// Bytes of all files together: more than 200,000 games of 4 kB and all bots take.
const BYTES_MAX: u64 = 4 << 30;
/// How many times larger than the archive the files may be. Journals shrink to a fifth; a real archive shrinks little more.
const RATIO_MAX: u64 = 200;
/// Size up to which an archive may be of any ratio.
const SMALL_BYTES: u64 = 1 << 20;
/// Depth of nested folders.
pub(crate) const DEPTH_MAX: usize = 2;
/// The ending of such files.
pub(crate) const ENDING: &str = ".tar.zst";

/// Unpacks the archive of a tournament's folder into an empty one.
pub(crate) fn unpack(file: &Path, into: &Path) -> Result<()> {
    let packed = File::open(file).with_context(|| format!("cannot read {}", file.display()))?;
    let bytes_max = packed.metadata()?.len().saturating_mul(RATIO_MAX).clamp(SMALL_BYTES, BYTES_MAX);
    let decoder = StreamingDecoder::new(io::BufReader::new(packed)).ok().with_context(|| not_one(file))?;
    // In a tar of this many files, each takes less than two further blocks.
    let mut archive = Archive::new(decoder.take(bytes_max + 2 * 1_024 * FILES_MAX as u64));
    let mut left = bytes_max;
    for (number, entry) in archive.entries().with_context(|| not_one(file))?.enumerate() {
        let mut entry = entry.with_context(|| not_one(file))?;
        ensure!(number < FILES_MAX, "{} has more files than any tournament", file.display());
        let name = entry.path().with_context(|| not_one(file))?.into_owned();
        let is_plain = name.components().all(|part| matches!(part, Component::Normal(_)));
        let is_file = entry.header().entry_type() == EntryType::Regular;
        if !is_file || !is_plain || name.components().count() > DEPTH_MAX {
            bail!("{} holds {:?}, which is not a file of a tournament", file.display(), name);
        }
        let size = entry.header().size()?;
        left = left
            .checked_sub(size)
            .with_context(|| format!("{} unpacks to more than a tournament may have", file.display()))?;
        let path = into.join(&name);
        path.parent().map_or(Ok(()), fs::create_dir_all)?;
        let mut out = File::create_new(&path).with_context(|| format!("{} holds {name:?} twice", file.display()))?;
        let copied = io::copy(&mut entry, &mut out).with_context(|| not_one(file))?;
        ensure!(copied == size, not_one(file));
    }
    Ok(fs::create_dir_all(into.join(arena_runner::layout::ENTRANTS))?)
}

fn not_one(file: &Path) -> String {
    format!("{} is no whole archive of a tournament", file.display())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::path::PathBuf;

    use ruzstd::encoding::{CompressionLevel, compress_to_vec};
    use tar::{Builder, Header};

    use super::*;

    fn packed(folder: &Path, entries: &[(&str, EntryType, &[u8])]) -> PathBuf {
        let mut builder = Builder::new(Vec::new());
        for (name, kind, bytes) in entries {
            let mut header = Header::new_ustar();
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_size(bytes.len() as u64);
            header.set_entry_type(*kind);
            header.set_cksum();
            builder.append(&header, *bytes).unwrap();
        }
        let file = folder.join("packed.tar.zst");
        let tarred = builder.into_inner().unwrap();
        fs::write(&file, compress_to_vec(&*tarred, CompressionLevel::Fastest)).unwrap();
        file
    }

    #[test]
    fn hostile_archives_write_nothing_outside_and_are_bounded() {
        let place = tempfile::tempdir().unwrap();
        let file = EntryType::Regular;
        let many: Vec<String> = (0..=FILES_MAX).map(|number| format!("entrants/{number}")).collect();
        let many: Vec<(&str, EntryType, &[u8])> = many.iter().map(|name| (&**name, file, &[][..])).collect();
        let large = vec![0; 2 * SMALL_BYTES as usize];
        for (number, entries) in [
            &[("../out", file, &b"x"[..])][..],
            &[("/tmp/out", file, b"x")],
            &[("a/b/c", file, b"x")],
            &[("link", EntryType::Symlink, b"")],
            &[("fifo", EntryType::Fifo, b"")],
            &[("twice", file, b"x"), ("twice", file, b"y")],
            &[("zeros", file, &large)],
            &many,
        ]
        .into_iter()
        .enumerate()
        {
            let to = place.path().join(format!("to{number}"));
            assert!(unpack(&packed(place.path(), entries), &to).is_err(), "{number}");
        }
        assert!(!place.path().join("out").exists());
    }
}
