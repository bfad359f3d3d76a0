//! Replicates tournament folders through the database: each server has a copy of all of them, and those in the store
//! are authoritative.
//!
//! The server that plays tournaments [sends](FolderReplica::send) what is new in a folder: of a journal, the results
//! that no worker submitted, and which game each of its lines is about. The others [fetch](FolderReplica::fetch) it,
//! and so does a server before it takes over from another. A copy may vanish while its server does not run, and nothing
//! is lost: games that were not sent are played again, with the same result.

mod files;

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, ErrorKind, Read, Seek, SeekFrom, Write};
use std::mem;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use arena_files::{open, open_with, read_at_most, sync_folder, write_durably, write_synced};
use arena_record::Hex;
use arena_runner::layout::{DEFINITION, ENTRANTS, JOURNAL, MANIFEST, RESULTS};
use arena_runner::{LineError, line, parts};
use arena_store::{
    FileChange, JournalChange, KeptFolder, KeptLine, NewLine, PIECE_BYTES_MAX, Piece, Store, StoreError, TournamentId,
};
use files::{
    bytes, collect, found, hashed, is_whole, named, read_piece, remove_file, remove_folder, same, whole_lines,
};
use sha2::{Digest as _, Sha256};
use tokio::sync::Mutex;

/// The store's name for the file beside a folder that says how its field was chosen.
const QUALIFYING: &str = "qualifying.json";
/// The label of a line that is a result by itself, as a worker submits it.
const RESULT_LABEL: usize = 0;
/// The folder of notes on which version each copy was made from.
const NOTES: &str = "kept";
/// The size of such a note, a number, in bytes.
const NOTE_BYTES_MAX: u64 = 20;

/// A server's copies.
pub struct FolderReplica {
    store: Arc<Store>,
    data: PathBuf,
    is_shared: bool,
    /// Whether notes are kept on the versions of copies.
    has_notes: bool,
    /// Whether the copies here matched the store when this server began to play.
    in_step: AtomicBool,
    known: Mutex<BTreeMap<TournamentId, Known>>,
}

/// A folder in the store, as far as this server knows it.
#[derive(Default)]
struct Known {
    kept: KeptFolder,
    /// Whether the journal here begins with the store's: it was copied or sent since, and no part was cut off.
    is_checked: bool,
}

/// Why folders differ here and in the store.
#[derive(Debug, thiserror::Error)]
pub enum ReplicaError {
    /// Another server plays now.
    #[error("another server has played on in {0}")]
    Behind(TournamentId),
    /// The disk fails, or something else is in a folder's place.
    #[error("the folder of a tournament cannot be copied")]
    Disk(#[from] io::Error),
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}

impl FolderReplica {
    /// A server's copies in the folder `data`. If the store is not shared there are none.
    pub fn new(store: Arc<Store>, data: &Path) -> FolderReplica {
        let is_shared = store.is_shared();
        let (data, known) = (data.into(), Mutex::default());
        FolderReplica { store, data, is_shared, has_notes: true, in_step: AtomicBool::new(!is_shared), known }
    }

    /// For copying everything once: writes folders, but no notes.
    pub fn once(store: Arc<Store>, data: &Path) -> FolderReplica {
        FolderReplica { has_notes: false, ..FolderReplica::new(store, data) }
    }

    /// Whether this server may play on with the copies here.
    pub(crate) fn is_in_step(&self) -> bool {
        self.in_step.load(Ordering::Relaxed)
    }

    fn place(&self, folder: &TournamentId) -> PathBuf {
        self.data.join("tournaments").join(folder.as_str())
    }

    fn has_begun(&self, folder: &TournamentId) -> bool {
        self.place(folder).join(MANIFEST).exists()
    }

    /// The path of a file in a folder.
    fn path(&self, folder: &TournamentId, file: &str) -> PathBuf {
        match file {
            QUALIFYING => self.data.join("qualifying").join(format!("{folder}.json")),
            file => self.place(folder).join(file),
        }
    }

    /// The existing files of a folder.
    fn files(&self, folder: &TournamentId) -> io::Result<BTreeSet<String>> {
        let mut files = BTreeSet::new();
        collect(&self.place(folder), "", &mut files)?;
        if self.path(folder, QUALIFYING).exists() {
            files.insert(QUALIFYING.into());
        }
        Ok(files)
    }

    /// Sends what is new in a folder that has begun.
    ///
    /// # Errors
    /// When another server has changed it meanwhile, or it cannot be read or written.
    pub async fn send(&self, folder: &TournamentId) -> Result<(), ReplicaError> {
        if !self.is_shared || !self.has_begun(folder) {
            return Ok(());
        }
        let mut all = self.known.lock().await;
        let known = all.entry(folder.clone()).or_default();
        let files = self.files(folder)?;
        let mut changes = Vec::new();
        for file in files.iter().filter(|file| *file != JOURNAL) {
            let kept = known.kept.files.get(file).map_or(&[][..], Vec::as_slice);
            changes.extend(self.change(folder, file, kept).await?);
        }
        let gone = known.kept.files.keys().filter(|file| !files.contains(*file));
        changes.extend(gone.map(|file| FileChange { file: file.clone(), from: 0, pieces: Vec::new() }));
        let journal = self.journal_change(folder, known).await?;
        if !changes.is_empty() || journal.is_some() {
            let kept = self.store.keep_folder(folder, known.kept.version, &changes, journal.as_ref()).await?;
            let Some(version) = kept else {
                self.in_step.store(false, Ordering::Relaxed);
                return Err(ReplicaError::Behind(folder.clone()));
            };
            known.kept.version = version;
            known.kept.change(&changes, journal.as_ref());
        }
        known.is_checked = true;
        Ok(self.note(folder, known.kept.version)?)
    }

    /// Sends all folders that the store lacks: those of a site that was moved, or of an edition that had just begun
    /// when its server died.
    ///
    /// # Errors
    /// As [`send`](FolderReplica::send).
    pub async fn send_new(&self) -> Result<(), ReplicaError> {
        if !self.is_shared {
            return Ok(());
        }
        let there = self.store.kept_folders().await?;
        for folder in named(&self.data.join("tournaments"))? {
            if !there.contains_key(&folder) {
                self.send(&folder).await?;
            }
        }
        Ok(())
    }

    /// How a file differs from its pieces in the store, after storing new pieces; `None` if it does not.
    async fn change(
        &self,
        folder: &TournamentId,
        file: &str,
        kept: &[Piece],
    ) -> Result<Option<FileChange>, ReplicaError> {
        let is_fixed = [MANIFEST, DEFINITION].contains(&file) || Path::new(file).starts_with(ENTRANTS);
        if is_fixed && !kept.is_empty() {
            return Ok(None);
        }
        let input = open(&self.path(folder, file))?;
        let (from, end) = (same(&input, kept)?, input.metadata()?.len());
        let mut at = bytes(&kept[..from]);
        let mut pieces = Vec::new();
        while at < end {
            let content = read_piece(&input, at, end)?;
            at += content.len() as u64;
            pieces.push(self.store.keep_piece(&content).await?);
        }
        let differs = from < kept.len() || !pieces.is_empty();
        Ok(differs.then(|| FileChange { file: file.into(), from, pieces }))
    }

    /// How a journal differs from its lines in the store, after storing new results; `None` if it does not.
    async fn journal_change(
        &self,
        folder: &TournamentId,
        known: &Known,
    ) -> Result<Option<JournalChange>, ReplicaError> {
        let Some(file) = found(open(&self.path(folder, JOURNAL)))? else { return Ok(None) };
        let (kept, length) = (&known.kept, file.metadata()?.len());
        let (from, from_bytes) = if known.is_checked && kept.journal_bytes <= length {
            (kept.lines, kept.journal_bytes)
        } else {
            self.agreed(folder, &file).await?
        };
        let (mut reader, mut left) = (BufReader::new(&file), whole_lines(&file, from_bytes, length)? - from_bytes);
        reader.seek(SeekFrom::Start(from_bytes))?;
        let (mut lines, mut results, mut size) = (Vec::new(), Vec::new(), 0);
        while left > 0 {
            let mut bytes = Vec::new();
            reader.by_ref().take(left).read_until(b'\n', &mut bytes)?;
            let (label, content) = parts(&bytes).map_err(not_a_line)?;
            let (text, length) = (line(RESULT_LABEL, content), bytes.len() as u64);
            lines.push(NewLine::of(label, &text, length));
            (left, size) = (left - length, size + text.len());
            results.push(text);
            if left > 0 && size >= PIECE_BYTES_MAX {
                self.store.keep_results(folder, &mem::take(&mut results)).await?;
                size = 0;
            }
        }
        let differs = from < kept.lines || !lines.is_empty();
        Ok(differs.then_some(JournalChange { from, from_bytes, lines, results }))
    }

    /// With how many of the store's lines a journal here begins, and their bytes.
    async fn agreed(&self, folder: &TournamentId, file: &File) -> Result<(u64, u64), ReplicaError> {
        let (mut from, mut at) = (0, 0);
        loop {
            let kept = self.store.kept_lines(folder, from).await?;
            if kept.is_empty() {
                return Ok((from, at));
            }
            for kept in &kept {
                let line = in_journal(kept)?;
                let mut here = vec![0; line.len()];
                match file.read_exact_at(&mut here, at) {
                    Ok(()) if here == line.as_bytes() => (from, at) = (from + 1, at + line.len() as u64),
                    Err(error) if error.kind() != ErrorKind::UnexpectedEof => return Err(error.into()),
                    _ => return Ok((from, at)),
                }
            }
        }
    }

    /// Updates all copies here from the store.
    ///
    /// # Errors
    /// When the store cannot be read, or a copy cannot be written.
    pub async fn fetch(&self) -> Result<(), ReplicaError> {
        if !self.is_shared {
            return Ok(());
        }
        let mut all = self.known.lock().await;
        let there = self.store.kept_folders().await?;
        for (folder, version) in &there {
            let is_known = all.get(folder).is_some_and(|known| known.kept.version == *version);
            if is_known && self.has_begun(folder) {
                continue;
            }
            // It may have been removed meanwhile.
            let Some(kept) = self.store.kept_folder(folder).await? else { continue };
            // If the copy fails, nothing is known of it.
            let known = all.remove(folder);
            // What was played here and not sent may have been cut before this process began.
            let is_checked = !self.is_copy(folder, &kept);
            if is_checked {
                self.copy(folder, &kept, known.as_ref()).await?;
                self.note(folder, kept.version)?;
            }
            all.insert(folder.clone(), Known { kept, is_checked });
        }
        let removed = named(&self.data.join(NOTES))?;
        for folder in removed.into_iter().filter(|folder| !there.contains_key(folder)) {
            remove_folder(&self.place(&folder).join(RESULTS))?;
            remove_folder(&self.place(&folder))?;
            remove_file(&self.path(&folder, QUALIFYING))?;
            self.forget_note(&folder)?;
            all.remove(&folder);
        }
        self.in_step.store(true, Ordering::Relaxed);
        Ok(())
    }

    /// Copies one finished tournament here, and returns its folder; `None` if the store has none of this name, or it is
    /// unfinished.
    ///
    /// # Errors
    /// When it cannot be read, is damaged in the store, or the copy cannot be written.
    pub async fn fetch_finished(&self, folder: &TournamentId) -> Result<Option<PathBuf>, ReplicaError> {
        while let Some(kept) = self.store.kept_folder(folder).await? {
            let has_results = kept.files.keys().any(|file| Path::new(file).starts_with(RESULTS));
            if !has_results || !kept.files.contains_key(MANIFEST) {
                break;
            }
            let copied = self.copy(folder, &kept, None).await;
            // If it was changed or forgotten meanwhile, so were lines and pieces of it.
            let now = self.store.kept_folder(folder).await?;
            if now.is_some_and(|now| now.version == kept.version) {
                return copied.map(|()| Some(self.place(folder)));
            }
        }
        Ok(None)
    }

    /// Whether the copy was made from this version. Its journal may be longer: games that were played here are sent
    /// later.
    fn is_copy(&self, folder: &TournamentId, kept: &KeptFolder) -> bool {
        let note = read_at_most(&self.noted(folder), NOTE_BYTES_MAX).ok().and_then(|text| String::from_utf8(text).ok());
        let is_noted = note.is_some_and(|text| text.parse::<u64>() == Ok(kept.version));
        // A shorter journal did not reach the disk before the power failed.
        let journal = fs::metadata(self.path(folder, JOURNAL));
        let bytes = journal.map_or(0, |about| about.len());
        is_noted && self.has_begun(folder) && bytes >= kept.journal_bytes
    }

    /// Makes the copy of a folder equal to the store's. Results are removed first and written last, and the manifest is
    /// written after the files that it describes.
    async fn copy(&self, folder: &TournamentId, kept: &KeptFolder, known: Option<&Known>) -> Result<(), ReplicaError> {
        self.forget_note(folder)?;
        let (place, here) = (self.place(folder), self.files(folder)?);
        let is_result = |file: &&String| Path::new(file.as_str()).starts_with(RESULTS);
        let mut has_results = here.iter().filter(is_result).eq(kept.files.keys().filter(is_result));
        for (file, pieces) in kept.files.iter().filter(|(file, _)| is_result(file)) {
            has_results = has_results && is_whole(&self.path(folder, file), pieces)?;
        }
        if !has_results {
            remove_folder(&place.join(RESULTS))?;
        }
        let is_gone = |file: &&String| !is_result(file) && *file != JOURNAL && !kept.files.contains_key(*file);
        for file in here.iter().filter(is_gone) {
            remove_file(&self.path(folder, file))?;
        }
        fs::create_dir_all(place.join(ENTRANTS))?;
        self.grow(folder, kept, known).await?;
        let mut others: Vec<_> = kept.files.iter().filter(|(file, _)| !is_result(file)).collect();
        others.sort_by_key(|(file, _)| *file == MANIFEST);
        for (file, pieces) in others {
            let path = self.path(folder, file);
            if !is_whole(&path, pieces)? {
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                write_durably(&path, &self.content(pieces).await?)?;
            }
        }
        if !has_results && kept.files.keys().any(|file| is_result(&file)) {
            let fresh = self.data.join(format!("{folder}.results"));
            remove_folder(&fresh)?;
            fs::create_dir_all(&fresh)?;
            for (file, pieces) in kept.files.iter().filter(|(file, _)| is_result(file)) {
                let path = fresh.join(Path::new(file).strip_prefix(RESULTS).unwrap_or(Path::new(file)));
                path.parent().map_or(Ok(()), fs::create_dir_all)?;
                write_synced(&path, [self.content(pieces).await?])?;
            }
            fs::rename(&fresh, place.join(RESULTS))?;
        }
        Ok(sync_folder(&place)?)
    }

    /// Appends the lines that a journal lacks, and cuts off what is not in the store.
    async fn grow(&self, folder: &TournamentId, kept: &KeptFolder, known: Option<&Known>) -> Result<(), ReplicaError> {
        let path = self.path(folder, JOURNAL);
        let mut file = open_with(File::options().read(true).write(true).create(true).truncate(false), &path)?;
        let length = file.metadata()?.len();
        let known = known.filter(|known| known.is_checked).map(|known| &known.kept);
        let has = |known: &&KeptFolder| known.cuts == kept.cuts && known.journal_bytes <= length;
        let (mut from, start) = match known.filter(has) {
            Some(known) => (known.lines, known.journal_bytes),
            None => self.agreed(folder, &file).await?,
        };
        file.set_len(start)?;
        file.seek(SeekFrom::Start(start))?;
        while from < kept.lines {
            let lines = self.store.kept_lines(folder, from).await?;
            if lines.is_empty() {
                // Cut off meanwhile: the folder has another version.
                break;
            }
            for line in &lines {
                file.write_all(in_journal(line)?.as_bytes())?;
            }
            from += lines.len() as u64;
        }
        Ok(file.sync_all()?)
    }

    async fn content(&self, pieces: &[Piece]) -> Result<Vec<u8>, StoreError> {
        let mut content = Vec::new();
        for piece in pieces {
            content.append(&mut self.store.piece(piece).await?);
        }
        Ok(content)
    }

    /// Has the journal of a folder compared from its beginning when it is sent next, because part of it was cut off.
    pub(crate) async fn doubt(&self, folder: &TournamentId) {
        if let Some(known) = self.known.lock().await.get_mut(folder) {
            known.is_checked = false;
        }
    }

    /// Has the copy of a folder compared with the store, byte by byte, before anything else is played; whether that may
    /// help.
    pub(crate) async fn distrust(&self, folder: &TournamentId) -> Result<bool, ReplicaError> {
        if !self.is_shared {
            return Ok(false);
        }
        self.forget_note(folder)?;
        self.in_step.store(false, Ordering::Relaxed);
        Ok(self.known.lock().await.remove(folder).is_some())
    }

    /// Removes a folder from the store. The note stays, so that the copy is removed later if this server ends before it
    /// can be.
    pub(crate) async fn forget(&self, folder: &TournamentId) -> Result<(), ReplicaError> {
        if !self.is_shared {
            return Ok(());
        }
        let mut all = self.known.lock().await;
        self.store.forget_folder(folder).await?;
        all.remove(folder);
        Ok(())
    }

    /// The hash and the number of all folders in the store.
    ///
    /// # Errors
    /// When they cannot be read.
    pub async fn digest_there(&self) -> Result<(usize, Hex<32>), ReplicaError> {
        let (folders, mut whole) = (self.store.kept_folders().await?, Sha256::new());
        for folder in folders.keys() {
            let kept = self.store.kept_folder(folder).await?.unwrap_or_default();
            let journal = (kept.lines > 0).then(|| JOURNAL.to_owned());
            for file in kept.files.keys().cloned().chain(journal).collect::<BTreeSet<String>>() {
                let mut content = Sha256::new();
                for piece in kept.files.get(&file).into_iter().flatten() {
                    content.update(self.store.piece(piece).await?);
                }
                let mut from = if file == JOURNAL { 0 } else { kept.lines };
                while from < kept.lines {
                    let lines = self.store.kept_lines(folder, from).await?;
                    for line in &lines {
                        content.update(in_journal(line)?);
                    }
                    from += lines.len().max(1) as u64;
                }
                add(&mut whole, folder, &file, content);
            }
        }
        Ok((folders.len(), Hex(whole.finalize().into())))
    }

    /// The hash and the number of all copies here.
    ///
    /// # Errors
    /// When they cannot be read.
    pub fn digest_here(&self) -> Result<(usize, Hex<32>), ReplicaError> {
        let (folders, mut whole) = (named(&self.data.join("tournaments"))?, Sha256::new());
        let begun: Vec<&TournamentId> = folders.iter().filter(|folder| self.has_begun(folder)).collect();
        for folder in &begun {
            for file in self.files(folder)? {
                if let Some(content) = hashed(&self.path(folder, &file), file == JOURNAL)? {
                    add(&mut whole, folder, &file, content);
                }
            }
        }
        Ok((begun.len(), Hex(whole.finalize().into())))
    }

    fn noted(&self, folder: &TournamentId) -> PathBuf {
        self.data.join(NOTES).join(folder.as_str())
    }

    fn note(&self, folder: &TournamentId, version: u64) -> io::Result<()> {
        if !self.has_notes {
            return Ok(());
        }
        fs::create_dir_all(self.data.join(NOTES))?;
        write_durably(&self.noted(folder), version.to_string().as_bytes())
    }

    fn forget_note(&self, folder: &TournamentId) -> io::Result<()> {
        remove_file(&self.noted(folder))
    }
}

/// A line as it stands in the journal.
fn in_journal(KeptLine { label, text }: &KeptLine) -> Result<String, StoreError> {
    let (_, content) = parts(text.as_bytes()).map_err(|error| StoreError::Damaged(error.into()))?;
    Ok(line(label, content))
}

fn not_a_line(error: LineError) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, error)
}

/// Adds a file to a digest.
fn add(whole: &mut Sha256, folder: &TournamentId, file: &str, content: Sha256) {
    whole.update(format!("{folder}/{file}\n"));
    whole.update(content.finalize());
}

#[cfg(test)]
mod tests {
    use arena_runner::layout::INDEX;
    use arena_store::Limits;
    use tempfile::TempDir;

    use super::*;

    /// A server's copies, in a folder of its own.
    struct Server {
        replica: FolderReplica,
        data: TempDir,
    }

    /// Lines of a journal.
    fn lines(contents: &[&str]) -> Vec<u8> {
        let line = |(number, content): (usize, &&str)| line(number, &format!("{content}\n"));
        contents.iter().enumerate().map(line).collect::<String>().into_bytes()
    }

    fn cup() -> TournamentId {
        TournamentId::parse("cup-1").expect("a name")
    }

    impl Server {
        fn new(store: &Arc<Store>) -> Server {
            let data = tempfile::tempdir().expect("a folder");
            Server { replica: shared(store, data.path()), data }
        }

        /// The process ends, and another starts with what is on the disk.
        fn restart(&mut self, store: &Arc<Store>) {
            self.replica = shared(store, self.data.path());
        }

        fn write(&self, file: &str, content: &[u8]) {
            let path = self.replica.path(&cup(), file);
            fs::create_dir_all(path.parent().expect("a folder")).expect("made");
            fs::write(path, content).expect("written");
        }

        fn read(&self, file: &str) -> Option<Vec<u8>> {
            fs::read(self.replica.path(&cup(), file)).ok()
        }

        /// A tournament that has begun, with these lines in its journal.
        fn begin(&self, journal: &[u8]) {
            self.write("entrants/one.wasm", b"one");
            self.write(QUALIFYING, b"scores");
            self.write(DEFINITION, b"definition");
            self.write(JOURNAL, journal);
            self.write(MANIFEST, b"manifest");
        }

        async fn has_what_is_kept(&self) -> bool {
            let here = self.replica.digest_here().expect("readable");
            here == self.replica.digest_there().await.expect("readable")
        }
    }

    fn shared(store: &Arc<Store>, data: &Path) -> FolderReplica {
        let own = FolderReplica::new(store.clone(), data);
        assert!(own.is_in_step(), "nobody else has this store");
        FolderReplica { is_shared: true, in_step: AtomicBool::new(false), ..own }
    }

    #[tokio::test]
    async fn what_one_server_plays_another_has_and_plays_on() {
        let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
        let (one, two) = (Server::new(&store), Server::new(&store));
        one.begin(&[&lines(&["first"])[..], b"half of a li"].concat());
        one.replica.send(&cup()).await.expect("sent");
        two.replica.fetch().await.expect("fetched");
        assert!(two.replica.is_in_step() && two.has_what_is_kept().await);
        assert_eq!(two.read(JOURNAL), Some(lines(&["first"])), "only whole lines");
        assert_eq!(two.read(QUALIFYING).as_deref(), Some(&b"scores"[..]));

        let long = "x".repeat(PIECE_BYTES_MAX + 9);
        one.write(JOURNAL, &lines(&["first", &long, "third"]));
        one.write(INDEX, b"index");
        one.write("results/standings.txt", b"one is first");
        one.replica.send(&cup()).await.expect("sent");
        two.replica.fetch().await.expect("fetched");
        assert!(one.has_what_is_kept().await && two.has_what_is_kept().await);
        assert_eq!(two.read("results/standings.txt").as_deref(), Some(&b"one is first"[..]));

        // A worker was wrong: the journal is cut, and is longer than before when it is sent next.
        one.replica.doubt(&cup()).await;
        fs::remove_dir_all(one.replica.place(&cup()).join(RESULTS)).expect("removed");
        fs::remove_file(one.replica.path(&cup(), INDEX)).expect("removed");
        let long = "y".repeat(PIECE_BYTES_MAX + 99);
        let other = ["first", &long, "third", "fourth"];
        one.write(JOURNAL, &lines(&other));
        one.replica.send(&cup()).await.expect("sent");
        two.replica.fetch().await.expect("fetched");
        assert!(two.has_what_is_kept().await);
        assert_eq!((two.read(JOURNAL), two.read(INDEX)), (Some(lines(&other)), None));
        assert!(!two.replica.place(&cup()).join(RESULTS).exists());

        // The other takes over while the first is suspended; the first notices when it sends.
        let and = |more: &[&str]| lines(&[&other[..], more].concat());
        two.write(JOURNAL, &and(&["by two"]));
        two.replica.send(&cup()).await.expect("sent");
        one.write(JOURNAL, &and(&["by one"]));
        one.replica.fetch().await.expect("fetched");
        one.write(JOURNAL, &and(&["by two", "by one"]));
        two.write(JOURNAL, &and(&["by two", "by two"]));
        two.replica.send(&cup()).await.expect("sent");
        let behind = one.replica.send(&cup()).await;
        assert!(matches!(behind, Err(ReplicaError::Behind(_))) && !one.replica.is_in_step(), "{behind:?}");
        one.replica.fetch().await.expect("fetched");
        assert!(one.replica.is_in_step() && one.has_what_is_kept().await);

        two.replica.forget(&cup()).await.expect("forgotten");
        one.replica.fetch().await.expect("fetched");
        assert!(!one.replica.place(&cup()).exists() && one.read(QUALIFYING).is_none());
        assert_eq!(store.kept_folders().await.expect("readable").len(), 0);
    }

    #[tokio::test]
    async fn a_copy_that_vanished_or_is_damaged_is_made_again_and_what_was_not_sent_is_sent() {
        let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
        let mut one = Server::new(&store);
        one.begin(&lines(&["first"]));
        one.replica.send_new().await.expect("sent");
        assert!(one.has_what_is_kept().await, "of a site that was moved");

        // Killed before the second game was sent.
        one.write(JOURNAL, &lines(&["first", "second"]));
        one.restart(&store);
        one.replica.fetch().await.expect("fetched");
        assert_eq!(one.read(JOURNAL), Some(lines(&["first", "second"])));
        one.replica.send(&cup()).await.expect("sent");
        assert!(one.has_what_is_kept().await);

        // The power failed before everything was on the disk.
        one.write(JOURNAL, b"fi");
        one.restart(&store);
        one.replica.fetch().await.expect("fetched");
        assert_eq!(one.read(JOURNAL), Some(lines(&["first", "second"])));

        one.write("entrants/one.wasm", b"two");
        assert!(one.replica.distrust(&cup()).await.expect("noted") && !one.replica.is_in_step());
        one.replica.fetch().await.expect("fetched");
        assert_eq!(one.read("entrants/one.wasm").as_deref(), Some(&b"one"[..]));

        fs::remove_dir_all(one.data.path()).expect("removed");
        one.restart(&store);
        one.replica.fetch().await.expect("fetched");
        assert!(one.has_what_is_kept().await);
    }

    #[tokio::test]
    async fn a_journal_that_was_cut_and_grew_again_is_compared_before_it_gets_the_lines_of_others() {
        let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
        let (mut one, two) = (Server::new(&store), Server::new(&store));
        let mut played = vec!["first", "second"];
        one.begin(&lines(&played));
        one.replica.send(&cup()).await.expect("sent");
        two.replica.fetch().await.expect("fetched");
        for crashes in [false, true] {
            one.replica.doubt(&cup()).await;
            let again = [&["first", "another second"][..], &played].concat();
            one.write(JOURNAL, &lines(&again));
            if crashes {
                one.restart(&store);
                one.replica.fetch().await.expect("fetched");
                assert_eq!(one.read(JOURNAL), Some(lines(&again)), "it may be sent");
            }
            // Another server plays on before that.
            played.push("by two");
            two.write(JOURNAL, &lines(&played));
            two.replica.send(&cup()).await.expect("sent");
            one.replica.fetch().await.expect("fetched");
            assert_eq!(one.read(JOURNAL), Some(lines(&played)), "crashes: {crashes}");
        }
        assert!(one.has_what_is_kept().await && two.has_what_is_kept().await);
    }

    #[tokio::test]
    async fn a_finished_tournament_is_copied_alone_and_an_unfinished_one_is_not() {
        let store = Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store"));
        let (one, two) = (Server::new(&store), Server::new(&store));
        assert_eq!(two.replica.fetch_finished(&cup()).await.expect("readable"), None);
        one.begin(&lines(&["first"]));
        one.replica.send(&cup()).await.expect("sent");
        assert_eq!(two.replica.fetch_finished(&cup()).await.expect("readable"), None);
        one.write("results/standings.txt", b"one is first");
        one.replica.send(&cup()).await.expect("sent");
        let fetched = two.replica.fetch_finished(&cup()).await.expect("fetched");
        assert_eq!(fetched, Some(two.replica.place(&cup())));
        assert!(two.has_what_is_kept().await);
    }

    #[tokio::test]
    async fn where_nobody_shares_the_store_nothing_is_sent() {
        let (store, data) = (
            Arc::new(Store::in_memory(Limits::DEFAULT).await.expect("a store")),
            tempfile::tempdir().expect("a folder"),
        );
        let one = Server { replica: FolderReplica::new(store.clone(), data.path()), data };
        one.begin(&lines(&["first"]));
        one.replica.send(&cup()).await.expect("nothing to do");
        one.replica.fetch().await.expect("nothing to do");
        assert_eq!(store.kept_folders().await.expect("readable").len(), 0);
        assert!(!one.data.path().join(NOTES).exists() && one.replica.is_in_step());
    }
}
