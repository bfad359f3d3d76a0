//! Writes a tournament's folder as one file.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use arena_files::open;
use arena_runner::{Survey, layout};
use tar::{Builder, EntryType, Header};
use zstd::stream::write::Encoder;

use crate::bundle::FILES_MAX;

/// The level of compression: beyond it journals become little smaller, and slowly.
const LEVEL: i32 = 3;

/// Packs the folder of a tournament: the same bytes for the same games, whatever the threads, interruptions and times
/// with which they were played. The journal is put into the order of the schedule, and files that are no part of a
/// tournament stay behind.
pub(crate) fn pack(survey: &Survey, folder: &Path, file: &Path) -> Result<()> {
    let mut journal = tempfile::tempfile().context("cannot create a file for the journal")?;
    let mut ordered = BufWriter::new(&mut journal);
    let index = survey.write_journal(&mut ordered)?;
    ordered.into_inner().map_err(io::IntoInnerError::into_error).context("cannot write the journal")?;
    journal.rewind()?;
    let cannot_write = || format!("cannot write {}", file.display());
    let mut packed = Encoder::new(File::create(file).with_context(cannot_write)?, LEVEL)?;
    packed.include_checksum(true)?;
    let mut builder = Builder::new(packed);
    for name in names(folder)? {
        match (name.to_str(), &index) {
            (Some(layout::JOURNAL), _) => add(&mut builder, &name, journal.metadata()?.len(), &mut journal)?,
            (Some(layout::INDEX), Some(index)) => add(&mut builder, &name, index.len() as u64, index.as_bytes())?,
            _ => {
                let path = folder.join(&name);
                let content = open(&path).with_context(|| format!("cannot read {}", path.display()))?;
                add(&mut builder, &name, content.metadata()?.len(), content)?;
            }
        }
    }
    builder.into_inner().and_then(Encoder::finish).with_context(cannot_write)?;
    Ok(())
}

/// Adds a file without a time.
fn add(builder: &mut Builder<impl Write>, name: &Path, bytes: u64, content: impl Read) -> Result<()> {
    let mut header = Header::new_ustar();
    header.set_size(bytes);
    header.set_mode(0o644);
    header.set_entry_type(EntryType::Regular);
    // The journal of a tournament that is being played grows.
    Ok(builder.append_data(&mut header, name, content.take(bytes))?)
}

/// The files of a tournament in a folder, in order.
fn names(folder: &Path) -> Result<Vec<PathBuf>> {
    let own = [layout::DEFINITION, layout::MANIFEST, layout::JOURNAL, layout::INDEX].map(PathBuf::from);
    let mut names: Vec<PathBuf> = own.into_iter().filter(|name| folder.join(name).is_file()).collect();
    for within in [layout::ENTRANTS, layout::RESULTS] {
        let path = folder.join(within);
        if !path.is_dir() {
            continue;
        }
        for entry in fs::read_dir(&path).with_context(|| format!("cannot read {}", path.display()))? {
            let entry = entry?;
            let is_bot = entry.file_name().to_str().is_some_and(|name| name.ends_with(".wasm"));
            if entry.file_type()?.is_file() && (is_bot || within == layout::RESULTS) {
                names.push(Path::new(within).join(entry.file_name()));
            }
            ensure!(names.len() <= FILES_MAX, "{} has more files than any tournament", folder.display());
        }
    }
    names.sort();
    Ok(names)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::sync::Arc;

    use arena_runner::{Depth, Finding, Folder, Host, InProcess, verify_folder};
    use arena_sandbox::Sandbox;
    use arena_tournaments::Definition;

    use super::*;
    use crate::bundle::unpack;
    use crate::file_type::Kind;

    fn host() -> Arc<dyn Host> {
        Arc::new(InProcess::new(Sandbox::new().unwrap()))
    }

    /// A tournament of three on this many threads, which was interrupted after five games; then one of the three
    /// withdrew.
    fn played(path: &Path, threads: usize) {
        let definition = "name = \"order\"\nruleset = \"war-of-life@1\"\nseed = 3\npairs = 6\n".to_owned()
            + &["random", "bloodlust", "land-grab"]
                .map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n"))
                .concat();
        let definition = Definition::parse(&definition).unwrap();
        let open = || Folder::open(path, &definition, path, &host()).unwrap().0;
        open().run(threads, |_| {}).unwrap();
        let journal = path.join(layout::JOURNAL);
        let lines = fs::read_to_string(&journal).unwrap();
        let is_early = |line: &&str| (0..5).any(|number| line.contains(&format!(" {number} {{")));
        fs::write(&journal, lines.split_inclusive('\n').filter(is_early).collect::<String>()).unwrap();
        fs::remove_file(path.join(layout::INDEX)).unwrap();
        fs::remove_dir_all(path.join(layout::RESULTS)).unwrap();
        open().withdraw("random", "its author asked").unwrap();
        open().run(threads, |_| {}).unwrap();
    }

    #[test]
    fn two_honest_organisers_get_the_same_archive_and_it_verifies() {
        let place = tempfile::tempdir().unwrap();
        let at = |name: &str| place.path().join(name);
        let packed = |name: &str| {
            let file = at(&format!("{name}.tar.zst"));
            pack(&Survey::open(&at(name)).unwrap(), &at(name), &file).unwrap();
            fs::read(file).unwrap()
        };
        played(&at("one"), 1);
        played(&at("other"), 3);
        // The first games in another order, as threads may leave them, and files that are not the tournament's.
        let lines = fs::read_to_string(at("other").join("journal")).unwrap();
        let mut lines: Vec<&str> = lines.split_inclusive('\n').collect();
        lines[..4].reverse();
        fs::write(at("other").join("journal"), lines.concat()).unwrap();
        fs::write(at("other").join(".DS_Store"), "x").unwrap();
        fs::write(at("other").join("entrants/notes.txt"), "x").unwrap();
        let one = packed("one");
        assert!(one == packed("other"), "the archives differ");
        let unpacked = |name: &str, to: &str| {
            fs::create_dir(at(to)).unwrap();
            unpack(File::open(at(name)).unwrap(), Kind::Zstandard, &at(to))
        };
        let verified =
            verify_folder(&unpacked("other.tar.zst", "out").unwrap(), None, &*host(), Depth::Everything, 1, |_| {})
                .unwrap();
        assert_eq!(verified.finding, Finding::Identical);
        for cut in [0, 3, one.len() / 2] {
            fs::write(at("cut"), &one[..cut]).unwrap();
            assert!(unpacked("cut", &format!("cut{cut}")).is_err(), "{cut}");
        }
    }
}
