//! Reads a tournament's folder from one file: a tar archive, as sites serve it, or one that is compressed with
//! Zstandard. Its source is not trusted, so it is read within limits, and to its last byte: an archive that holds
//! anything else besides is refused with its name.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Component, Path, PathBuf};

use arena_runner::{GAMES_MAX, JOURNAL_BYTES_MAX, layout};
use arena_tournaments::limits::{ENTRANTS_MAX, MODULE_BYTES_MAX};
use tar::{Archive, Entry, EntryType};
use zstd::stream::read::Decoder;

use crate::file_type::{HEAD_BYTES, Kind};
use crate::output;

/// Files in a folder: a bot for each entrant, and fewer than 30 others.
pub(crate) const FILES_MAX: usize = ENTRANTS_MAX + 30;
/// Depth of nested folders.
pub(crate) const DEPTH_MAX: usize = 2;
/// Members of an archive: files, folders, and a long name or other attributes before each.
const MEMBERS_MAX: usize = 4 * FILES_MAX;
/// Bytes of all members together: the longest journal, as many bots as there may be, and for each game a line of every
/// other file.
const BYTES_MAX: u64 =
    JOURNAL_BYTES_MAX + ENTRANTS_MAX as u64 * MODULE_BYTES_MAX + GAMES_MAX as u64 * OTHER_BYTES_OF_GAME;
/// Bytes that results and the index have for a game: a line of some hundred bytes in each of a few files.
const OTHER_BYTES_OF_GAME: u64 = 4 << 10;
/// How many times larger than a compressed archive its members may be. Journals shrink to a fifth; a real archive
/// shrinks little more.
const RATIO_MAX: u64 = 200;
/// Size up to which an archive may be of any ratio.
const SMALL_BYTES: u64 = 1 << 20;
/// Bytes of a long name or of other attributes, which are read into memory: as long as a path may be.
const ATTRIBUTES_BYTES_MAX: u64 = 4 << 10;
/// The largest window of a compressed archive, as a power of two: 8 MiB, what `zstd -19` takes.
const WINDOW_LOG_MAX: u32 = 23;
/// What the decoder says of an archive with a larger window, and of one with a dictionary.
const WINDOW_TOO_LARGE: &str = "requires too much memory";
const DICTIONARY: &str = "Dictionary";
/// What is said of an archive that is not all.
const FOLLOWED: &str = "something follows the end of the archive, such as a second archive";
/// Names that are listed.
const NAMED_MAX: usize = 5;
/// A block of a tar archive, in bytes.
const BLOCK_BYTES: u64 = 512;
/// Bytes of padding that are read at once.
const PADDING_BYTES: usize = 64 << 10;
/// Attributes that change what a member's content is.
const NOT_PLAIN: [&str; 3] = ["GNU.sparse", "size", "SCHILY.realsize"];

/// Why an archive cannot be unpacked.
#[derive(Debug, thiserror::Error)]
pub(crate) enum BundleError {
    /// The archive or the folder cannot be read or written.
    #[error("cannot unpack it")]
    Io(#[source] io::Error),
    /// It is an archive, and a part of it is missing or changed.
    #[error("{0}")]
    Damaged(String),
    /// It is whole, and something else than the archive of one tournament.
    #[error("{0}; `arena tournament export` packs a folder as `arena verify` reads it")]
    Other(String),
}

use BundleError::{Damaged, Io};

fn other(what: impl Into<String>) -> BundleError {
    BundleError::Other(what.into())
}

/// An error of reading the archive, which is a fault of its bytes unless the system has a code for it.
fn unread(error: io::Error) -> BundleError {
    let why = error.to_string();
    match () {
        () if error.raw_os_error().is_some() => Io(error),
        () if why.contains(WINDOW_TOO_LARGE) => {
            other(format!("its window is larger than {} MiB", 1 << (WINDOW_LOG_MAX - 20)))
        }
        () if why.contains(DICTIONARY) => other("it was compressed with a dictionary"),
        () => Damaged(format!("it is broken off or changed: {why}")),
    }
}

/// Unpacks the archive of a tournament's folder, which is of this kind, into an empty one. Returns the tournament's
/// folder, there or one level deeper.
pub(crate) fn unpack(file: File, kind: Kind, into: &Path) -> Result<PathBuf, BundleError> {
    let length = file.metadata().map_err(Io)?.len();
    if kind == Kind::Tar {
        let mut file = BufReader::new(file);
        members(&mut file, BYTES_MAX, into)?;
        return one_folder(into);
    }
    let mut decoder = Decoder::with_buffer(BufReader::new(file)).map_err(Io)?.single_frame();
    decoder.window_log_max(WINDOW_LOG_MAX).map_err(Io)?;
    let mut first = Vec::new();
    (&mut decoder).take(HEAD_BYTES as u64).read_to_end(&mut first).map_err(unread)?;
    if Kind::of(Path::new(""), &first) != Kind::Tar {
        return Err(other("it is compressed with Zstandard, and there is no tar archive in it"));
    }
    let bytes_max = length.saturating_mul(RATIO_MAX).clamp(SMALL_BYTES, BYTES_MAX);
    let unpacked = members(&mut first.chain(&mut decoder), bytes_max, into);
    let is_over = matches!(decoder.read(&mut [0]), Ok(0));
    match (unpacked, decoder.finish().fill_buf().map_err(Io)?.is_empty()) {
        (Ok(()), true) => one_folder(into),
        (Ok(()), false) => Err(other(FOLLOWED)),
        (Err(Damaged(_)), false) if is_over => Err(other("it goes on in a second frame of Zstandard's format")),
        (Err(error), _) => Err(error),
    }
}

/// What a member's attributes, which stand before it, say about it.
#[derive(Default)]
struct Attributes {
    path: Option<Vec<u8>>,
}

/// Unpacks the members of a tar archive, and reads it to its end.
fn members(from: &mut dyn Read, bytes_max: u64, into: &Path) -> Result<(), BundleError> {
    // Each member of a tar archive takes less than two further blocks, and its end is padded to twenty.
    let all_max = bytes_max + 2 * BLOCK_BYTES * MEMBERS_MAX as u64 + 20 * BLOCK_BYTES;
    let mut rest = from.take(all_max);
    let mut archive = Archive::new(&mut rest);
    let (mut left, mut files) = (bytes_max, 0);
    let mut attributes = None;
    // Without interpretation: it would read a long name of any length into memory.
    for (number, entry) in archive.entries().map_err(unread)?.raw(true).enumerate() {
        let mut entry = entry.map_err(unread)?;
        if number >= MEMBERS_MAX {
            return Err(other("it has more members than any tournament has files"));
        }
        let size = entry.header().entry_size().map_err(unread)?;
        left = left.checked_sub(size).ok_or_else(|| other("it unpacks to more than a tournament may have"))?;
        let kind = entry.header().entry_type();
        match kind {
            EntryType::GNULongName | EntryType::XHeader | EntryType::XGlobalHeader => {
                let found = read_attributes(&mut entry, kind, size)?;
                // Those of all members say nothing that matters here.
                if kind != EntryType::XGlobalHeader && attributes.replace(found).is_some() {
                    return Err(other("a member has two names"));
                }
                continue;
            }
            EntryType::Regular | EntryType::Continuous | EntryType::Directory => {}
            kind => return Err(other(format!("it holds {}", strange(kind)))),
        }
        let Attributes { path } = attributes.take().unwrap_or_default();
        let name = path.unwrap_or_else(|| entry.path_bytes().into_owned());
        let name = plain(&name)?;
        if kind == EntryType::Directory {
            if size > 0 {
                return Err(other(format!("its folder {} has content of its own", shown_path(&name))));
            }
            // Also if it is the whole archive's.
            fs::create_dir_all(into.join(&name)).map_err(|error| twice(error, &name))?;
            continue;
        }
        files += 1;
        if files > FILES_MAX {
            return Err(other("it has more files than any tournament"));
        }
        write(&mut entry, size, into, &name)?;
    }
    if attributes.is_some() {
        return Err(Damaged("it is broken off: a name without its member".into()));
    }
    padding(&mut rest)
}

/// Reads to the end of a tar archive: nothing but zeros follow its last member.
fn padding(rest: &mut io::Take<&mut dyn Read>) -> Result<(), BundleError> {
    let mut block = vec![0; PADDING_BYTES];
    loop {
        let read = rest.read(&mut block).map_err(unread)?;
        if read == 0 && rest.limit() == 0 {
            return Err(other("it unpacks to more than a tournament may have"));
        }
        if read == 0 {
            return Ok(());
        }
        if block[..read].iter().any(|byte| *byte != 0) {
            return Err(other(FOLLOWED));
        }
    }
}

/// A member's name and whatever else stands before it, within limits.
fn read_attributes<R: Read>(entry: &mut Entry<'_, R>, kind: EntryType, size: u64) -> Result<Attributes, BundleError> {
    if size > ATTRIBUTES_BYTES_MAX {
        return Err(other(format!("a name or the attributes of a member have {} bytes", output::grouped(size))));
    }
    let mut bytes = Vec::new();
    entry.take(ATTRIBUTES_BYTES_MAX).read_to_end(&mut bytes).map_err(unread)?;
    if bytes.len() as u64 != size {
        return Err(Damaged("it is broken off".into()));
    }
    if kind == EntryType::GNULongName {
        while bytes.last() == Some(&0) {
            bytes.pop();
        }
        return Ok(Attributes { path: Some(bytes) });
    }
    let mut found = Attributes::default();
    let mut left = bytes.as_slice();
    while !left.is_empty() {
        let (key, value, after) =
            attribute(left).ok_or_else(|| Damaged("the attributes of a member are broken".into()))?;
        if NOT_PLAIN.iter().any(|not_plain| key.starts_with(not_plain)) {
            return Err(other(format!("a member has the attribute {}", output::text(key))));
        }
        if key == "path" && kind == EntryType::XGlobalHeader {
            return Err(other("all members have one name"));
        }
        if key == "path" && found.path.replace(value.into()).is_some() {
            return Err(other("a member has two names"));
        }
        left = after;
    }
    Ok(found)
}

/// The first attribute in `LENGTH KEY=VALUE\n`, and what follows it.
fn attribute(bytes: &[u8]) -> Option<(&str, &[u8], &[u8])> {
    let space = bytes.iter().position(|byte| *byte == b' ')?;
    let length: usize = str::from_utf8(&bytes[..space]).ok()?.parse().ok()?;
    let (record, after) = bytes.split_at_checked(length)?;
    let (key, value) = {
        let text = record.get(space + 1..)?.strip_suffix(b"\n")?;
        let equal = text.iter().position(|byte| *byte == b'=')?;
        (&text[..equal], &text[equal + 1..])
    };
    Some((str::from_utf8(key).ok()?, value, after))
}

/// A member's name as a path below the folder.
fn plain(name: &[u8]) -> Result<PathBuf, BundleError> {
    let shown = || output::text(&String::from_utf8_lossy(name));
    let text = str::from_utf8(name).ok().filter(|text| !text.contains('\0'));
    let text = text.ok_or_else(|| other(format!("it holds {}, which is not a name", shown())))?;
    let mut path = PathBuf::new();
    for part in Path::new(text).components() {
        match part {
            Component::Normal(part) => path.push(part),
            // `tar -C DIR .` writes it.
            Component::CurDir => {}
            _ => return Err(other(format!("it holds {}, which leads out of the folder", shown()))),
        }
    }
    // One more level: the folder itself may be packed.
    if path.components().count() > DEPTH_MAX + 1 {
        return Err(other(format!("it holds {}, which is deeper than any file of a tournament", shown())));
    }
    Ok(path)
}

fn write<R: Read>(entry: &mut Entry<'_, R>, size: u64, into: &Path, name: &Path) -> Result<(), BundleError> {
    let path = into.join(name);
    path.parent().map_or(Ok(()), fs::create_dir_all).map_err(|error| twice(error, name))?;
    let mut out = File::create_new(&path).map_err(|error| twice(error, name))?;
    // The entry's errors are the archive's, and the file's the system's.
    let copied = io::copy(entry, &mut out).map_err(unread)?;
    if copied == size { Ok(()) } else { Err(Damaged(format!("it is broken off in {}", shown_path(name)))) }
}

/// Why a member cannot be created: another one is in its place.
fn twice(error: io::Error, name: &Path) -> BundleError {
    match error.kind() {
        io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory | io::ErrorKind::IsADirectory => {
            other(format!("it holds {} twice", shown_path(name)))
        }
        io::ErrorKind::InvalidFilename => other(format!("it holds {}, which is too long", shown_path(name))),
        _ => Io(error),
    }
}

fn strange(kind: EntryType) -> &'static str {
    match kind {
        EntryType::Link | EntryType::Symlink => "a link",
        EntryType::GNULongLink => "a link with a long name",
        EntryType::GNUSparse => "a sparse file",
        EntryType::Char | EntryType::Block => "a device",
        EntryType::Fifo => "a pipe",
        _ => "a member of an unknown kind",
    }
}

fn shown_path(path: &Path) -> String {
    output::text(&path.to_string_lossy())
}

/// The folder of the tournament in an unpacked archive: the whole, or the only folder in it.
fn one_folder(place: &Path) -> Result<PathBuf, BundleError> {
    let read = fs::read_dir(place).map_err(Io)?;
    let names = read.map(|entry| entry.map(|entry| entry.path())).collect::<io::Result<Vec<_>>>().map_err(Io)?;
    let folder = match names.as_slice() {
        _ if is_tournament(place) => place,
        [only] if is_tournament(only) => only,
        [] => return Err(other("it is empty")),
        names => {
            let mut shown: Vec<String> =
                names.iter().filter_map(|path| Some(shown_path(path.file_name()?.as_ref()))).collect();
            shown.sort();
            let tournaments = names.iter().filter(|path| is_tournament(path)).count();
            let what = match tournaments {
                0 => "it holds no tournament that has started, but",
                1 => "it holds more than a tournament's folder:",
                _ => "it holds more than one tournament:",
            };
            shown.truncate(NAMED_MAX);
            return Err(other(format!("{what} {}", shown.join(", "))));
        }
    };
    // A tournament of built-in opponents has no bot, and so an archive has no folder for them.
    fs::create_dir_all(folder.join(layout::ENTRANTS)).map_err(Io)?;
    Ok(folder.into())
}

/// The folders of tournaments in another folder, or where a site's folder has them.
pub(crate) fn tournaments_in(place: &Path) -> Vec<PathBuf> {
    let of = |place: PathBuf| fs::read_dir(place).into_iter().flatten().flatten().take(FILES_MAX);
    let all = [place.to_owned(), place.join("tournaments")].into_iter().flat_map(of).map(|entry| entry.path());
    let mut folders: Vec<PathBuf> = all.filter(|path| is_tournament(path)).collect();
    folders.sort();
    folders
}

/// Whether a folder looks like one of a tournament.
pub(crate) fn is_tournament(folder: &Path) -> bool {
    folder.join(layout::MANIFEST).is_file() || folder.join(layout::RESULTS).is_dir()
}

/// The first bytes of a file; reading continues behind them unless it is rewound.
pub(crate) fn head(file: &mut File) -> io::Result<Vec<u8>> {
    let mut head = Vec::new();
    file.take(HEAD_BYTES as u64).read_to_end(&mut head)?;
    io::Seek::rewind(file)?;
    Ok(head)
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot go on should say where")]
mod tests {
    use std::collections::BTreeMap;

    use arena_rules::Rng;
    use tar::{Builder, Header};

    use super::*;

    /// Archives that the generator makes; `cargo xtask forgeries` makes more.
    const ARCHIVES: u64 = 100;

    type Files = BTreeMap<PathBuf, Vec<u8>>;

    /// A member of an archive.
    struct Member {
        name: Vec<u8>,
        kind: EntryType,
        bytes: Vec<u8>,
    }

    fn member(name: &str, kind: EntryType, bytes: &[u8]) -> Member {
        Member { name: name.into(), kind, bytes: bytes.into() }
    }

    fn file(name: &str, bytes: &[u8]) -> Member {
        member(name, EntryType::Regular, bytes)
    }

    /// A tar archive of members, whatever they are.
    fn tarred(members: &[Member]) -> Vec<u8> {
        let mut builder = Builder::new(Vec::new());
        for Member { name, kind, bytes } in members {
            let mut header = Header::new_gnu();
            header.as_mut_bytes()[..name.len()].copy_from_slice(name);
            header.set_size(bytes.len() as u64);
            header.set_entry_type(*kind);
            header.set_cksum();
            builder.append(&header, bytes.as_slice()).unwrap();
        }
        builder.into_inner().unwrap()
    }

    fn packed(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        encoder.include_checksum(true).unwrap();
        io::Write::write_all(&mut encoder, bytes).unwrap();
        encoder.finish().unwrap()
    }

    fn below(folder: &Path, within: &Path, files: &mut Files) {
        for entry in fs::read_dir(folder.join(within)).unwrap() {
            let entry = entry.unwrap();
            let name = within.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                below(folder, &name, files);
            } else {
                files.insert(name, fs::read(entry.path()).unwrap());
            }
        }
    }

    /// Unpacks an archive; the files of its folder. Nothing is written anywhere else.
    fn unpacked(archive: &[u8], kind: Kind) -> Result<Files, BundleError> {
        let place = tempfile::tempdir().unwrap();
        let (archived, into) = (place.path().join("archive"), place.path().join("into"));
        fs::write(&archived, archive).unwrap();
        fs::create_dir(&into).unwrap();
        let folder = unpack(File::open(&archived).unwrap(), kind, &into);
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 2, "something is outside");
        let folder = folder?;
        assert!(folder.starts_with(&into));
        let mut files = Files::new();
        below(&folder, Path::new(""), &mut files);
        Ok(files)
    }

    fn honest() -> Vec<Member> {
        let bot = format!("entrants/{}.wasm", "5".repeat(64));
        vec![
            file("manifest.json", b"{}\n"),
            file("definition.toml", b"name = \"t\"\n"),
            file("journal", &b"a line of the journal\n".repeat(200)),
            file(&bot, b"\0asm\x01\0\0\0"),
            file("results/standings.txt", b"easy\n"),
        ]
    }

    fn files(members: &[Member]) -> Files {
        let pair = |Member { name, bytes, .. }: &Member| (PathBuf::from(str::from_utf8(name).unwrap()), bytes.clone());
        members.iter().map(pair).collect()
    }

    /// The members in a folder of this name.
    fn within(folder: &str, members: Vec<Member>) -> Vec<Member> {
        let mut all = Vec::new();
        if !folder.is_empty() {
            all.push(member(folder, EntryType::Directory, b""));
        }
        for Member { name, kind, bytes } in members {
            let name = [folder.as_bytes(), &name].concat();
            if name.len() > 100 {
                all.push(Member { name: b"././@LongLink".into(), kind: EntryType::GNULongName, bytes: name.clone() });
            }
            all.push(Member { name: name[..name.len().min(100)].into(), kind, bytes });
        }
        all
    }

    #[test]
    fn a_folder_is_the_same_however_it_was_packed() {
        let wanted = files(&honest());
        let long = format!("{}/", "a-long-name".repeat(8));
        for folder in ["", "./", "cup-1/", "./t/", &long] {
            let tar = tarred(&within(folder, honest()));
            assert_eq!(unpacked(&tar, Kind::Tar).unwrap(), wanted, "{folder}");
            assert_eq!(unpacked(&packed(&tar), Kind::Zstandard).unwrap(), wanted, "{folder}");
        }
        // As git, macOS and GNU's tar in its other format write it: attributes for all, and for each.
        let mut members =
            vec![member("pax_global_header", EntryType::XGlobalHeader, &attribute_of("comment", b"a note"))];
        for Member { name, kind, bytes } in honest() {
            let path = attribute_of("path", &[b"t/", name.as_slice()].concat());
            let attributes = [attribute_of("mtime", b"1700000000.5"), path].concat();
            members.push(member("PaxHeader", EntryType::XHeader, &attributes));
            members.push(Member { name: b"short".into(), kind, bytes });
        }
        assert_eq!(unpacked(&tarred(&members), Kind::Tar).unwrap(), wanted);
    }

    /// An attribute as text, with its length.
    fn attribute_of(key: &str, value: &[u8]) -> Vec<u8> {
        let rest = [b" ", key.as_bytes(), b"=", value, b"\n"].concat();
        let digits = [1, 2, 3, 4, 5].into_iter().find(|digits| (rest.len() + digits).to_string().len() == *digits);
        [(rest.len() + digits.unwrap()).to_string().as_bytes(), &rest].concat()
    }

    #[test]
    fn what_no_tournament_has_is_refused_by_its_name() {
        let with = |members: Vec<Member>| honest().into_iter().chain(members).collect::<Vec<_>>();
        let many: Vec<Member> = (0..FILES_MAX).map(|number| file(&format!("results/{number}"), b"")).collect();
        let folders: Vec<Member> = (0..MEMBERS_MAX).map(|_| member("entrants", EntryType::Directory, b"")).collect();
        let named = |kind, bytes: &[u8]| vec![member("name", kind, bytes), file("short", b"x")];
        let huge = vec![b'n'; ATTRIBUTES_BYTES_MAX as usize + 1];
        let pax = |key: &str, value: &str| attribute_of(key, value.as_bytes());
        for (members, words) in [
            (with(vec![file("../out", b"x")]), "leads out of the folder"),
            (with(vec![file("results/../../out", b"x")]), "leads out of the folder"),
            (with(vec![file("/tmp/out", b"x")]), "leads out of the folder"),
            (with(vec![file("t/results/more/x", b"x")]), "is deeper"),
            (with(vec![member("link", EntryType::Symlink, b"")]), "a link"),
            (with(vec![member("link", EntryType::Link, b"")]), "a link"),
            (with(vec![member("link", EntryType::GNULongLink, b"x")]), "a link with a long name"),
            (with(vec![member("pipe", EntryType::Fifo, b"")]), "a pipe"),
            (with(vec![member("device", EntryType::Char, b"")]), "a device"),
            (with(vec![member("device", EntryType::Block, b"")]), "a device"),
            (with(vec![member("sparse", EntryType::GNUSparse, b"")]), "a sparse file"),
            (with(vec![member("other", EntryType::new(b'Z'), b"")]), "an unknown kind"),
            (with(vec![file("journal", b"x")]), "journal twice"),
            (with(vec![file("./journal", b"x")]), "journal twice"),
            (with(vec![file("journal/x", b"x")]), "twice"),
            (with(vec![file("entrants", b"x")]), "entrants twice"),
            (with(vec![member("results", EntryType::Directory, b"x")]), "content of its own"),
            (with(many), "more files than any tournament"),
            (with(folders), "more members"),
            (with(named(EntryType::GNULongName, &huge)), "have 4,097 bytes"),
            (with(named(EntryType::XHeader, &huge)), "have 4,097 bytes"),
            (with(named(EntryType::XGlobalHeader, &huge)), "have 4,097 bytes"),
            (with(named(EntryType::GNULongName, b"a\0b")), "is not a name"),
            (with(named(EntryType::GNULongName, b"\xff")), "is not a name"),
            (with(named(EntryType::XHeader, &pax("path", "../out"))), "leads out of the folder"),
            (with(named(EntryType::XHeader, &pax("size", "9"))), "the attribute size"),
            (with(named(EntryType::XHeader, &pax("GNU.sparse.major", "1"))), "the attribute GNU.sparse.major"),
            (with(named(EntryType::XGlobalHeader, &pax("path", "all"))), "one name"),
            (
                with(
                    [named(EntryType::XHeader, &pax("path", "a")), named(EntryType::GNULongName, b"b")]
                        .map(|named| named.into_iter().next().unwrap())
                        .into(),
                ),
                "two names",
            ),
            (
                within("one/", honest()).into_iter().chain(within("two/", honest())).collect(),
                "more than one tournament",
            ),
            (
                within("one/", honest()).into_iter().chain([file("._one", b"x")]).collect(),
                "holds more than a tournament",
            ),
            (vec![file("notes.txt", b"x")], "holds no tournament"),
            (vec![member("empty", EntryType::Directory, b"")], "holds no tournament"),
        ] {
            let tar = tarred(&members);
            for refused in [unpacked(&tar, Kind::Tar), unpacked(&packed(&tar), Kind::Zstandard)] {
                let said = refused.unwrap_err().to_string();
                assert!(said.contains(words), "{words}: {said}");
            }
        }
        let broken = tarred(&with(named(EntryType::XHeader, b"9 path")));
        assert!(matches!(unpacked(&broken, Kind::Tar), Err(BundleError::Damaged(_))));
    }

    #[test]
    fn an_archive_is_read_to_its_last_byte() {
        let tar = tarred(&honest());
        let one = packed(&tar);
        let skipped = b"\x50\x2a\x4d\x18\x01\0\0\0x";
        for (archive, kind) in [
            ([one.as_slice(), &one].concat(), Kind::Zstandard),
            ([one.as_slice(), b"x"].concat(), Kind::Zstandard),
            ([one.as_slice(), skipped].concat(), Kind::Zstandard),
            (packed(&[tar.as_slice(), &tar].concat()), Kind::Zstandard),
            (packed(&[tar.as_slice(), b"x"].concat()), Kind::Zstandard),
            ([tar.as_slice(), &tar].concat(), Kind::Tar),
            ([tar.as_slice(), &[0; 5_000], b"x"].concat(), Kind::Tar),
        ] {
            let said = unpacked(&archive, kind).unwrap_err().to_string();
            assert!(said.contains("something follows the end of the archive"), "{said}");
        }
        let half = packed(&tar[..tar.len() / 2]);
        let said = unpacked(&[half, packed(&tar[tar.len() / 2..])].concat(), Kind::Zstandard).unwrap_err().to_string();
        assert!(said.contains("a second frame"), "{said}");
        // Padding is part of it.
        assert!(unpacked(&[tar.as_slice(), &[0; 20_480]].concat(), Kind::Tar).is_ok());
        for cut in (4..one.len()).step_by(7) {
            let cut = unpacked(&one[..cut], Kind::Zstandard);
            assert!(matches!(cut, Err(BundleError::Damaged(_))), "{cut:?}");
        }
        for cut in [520, 1_100, 2_000] {
            let cut = unpacked(&tar[..cut], Kind::Tar);
            assert!(matches!(cut, Err(BundleError::Damaged(_))), "{cut:?}");
        }
    }

    #[test]
    fn a_compressed_archive_says_what_else_it_is() {
        let mut large = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        large.window_log(WINDOW_LOG_MAX + 1).unwrap();
        io::Write::write_all(&mut large, &tarred(&honest())).unwrap();
        let zeros = tarred(&[file("manifest.json", b"{}"), file("zeros", &vec![0; 2 * SMALL_BYTES as usize])]);
        for (archive, words) in [
            (large.finish().unwrap(), "window is larger than 8 MiB"),
            (packed(b"a text"), "no tar archive in it"),
            (packed(b""), "no tar archive in it"),
            (packed(&zeros), "unpacks to more than a tournament may have"),
            (packed(&[tarred(&honest()).as_slice(), &vec![0; 64 << 20]].concat()), "unpacks to more"),
        ] {
            let said = unpacked(&archive, Kind::Zstandard).unwrap_err().to_string();
            assert!(said.contains(words), "{words}: {said}");
        }
    }

    /// Changes an archive in one of the ways in which people and machines do.
    fn mutated(tar: &[u8], rng: &mut Rng) -> Vec<u8> {
        let mut changed = tar.to_vec();
        let at = |rng: &mut Rng, length: usize| rng.below(length as u32) as usize;
        match rng.below(8) {
            0 => changed.truncate(at(rng, tar.len())),
            1 => drop(changed.drain(at(rng, tar.len() / 512) * 512..).take(512).count()),
            2 => {
                let (from, to) = (at(rng, tar.len() / 512) * 512, at(rng, tar.len() / 512) * 512);
                changed.copy_within(from..from + 512, to);
            }
            3 => {
                let block = at(rng, tar.len() / 512) * 512;
                let copy: Vec<u8> = changed[block..block + 512].into();
                changed.splice(block..block, copy);
            }
            4 => changed.extend_from_slice(&tar[..at(rng, tar.len())]),
            _ => {
                // A header with another byte, whose sum fits again.
                for _ in 0..=rng.below(4) {
                    let block = at(rng, tar.len() / 512) * 512;
                    let byte = if rng.below(3) == 0 { 156 } else { at(rng, 512) };
                    changed[block + byte] =
                        if rng.below(2) == 0 { b'0' + rng.below(40) as u8 } else { rng.word() as u8 };
                    let mut header = Header::from_byte_slice(&changed[block..block + 512]).clone();
                    header.set_cksum();
                    changed[block..block + 512].copy_from_slice(header.as_bytes());
                }
            }
        }
        changed
    }

    #[test]
    fn no_archive_of_any_bytes_panics_writes_outside_or_gives_other_files_unsaid() {
        let wanted = files(&honest());
        let honest = [tarred(&honest()), tarred(&within("cup-1/", honest()))];
        let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
        let first = number("ARENA_FORGERY_SEED").unwrap_or(0) << 32;
        let count = number("ARENA_ARCHIVES").unwrap_or(ARCHIVES);
        let (mut same, mut refused) = (0, 0);
        for seed in first..first + count {
            let mut rng = Rng::new(&[7; 32], seed);
            let tar = mutated(&honest[rng.below(2) as usize], &mut rng);
            for (archive, kind) in [(tar.clone(), Kind::Tar), (packed(&tar), Kind::Zstandard)] {
                match unpacked(&archive, kind) {
                    Ok(files) => same += u64::from(files == wanted),
                    Err(_) => refused += 1,
                }
            }
            // A frame has a checksum: whatever happens to its bytes, its content is the same or none.
            let mut frame = packed(&honest[0]);
            for _ in 0..=rng.below(3) {
                let at = rng.below(frame.len() as u32) as usize;
                frame[at] = rng.word() as u8;
            }
            if let Ok(files) = unpacked(&frame, Kind::Zstandard) {
                assert_eq!(files, wanted, "seed {seed}");
            }
        }
        assert!(refused > count / 4 && same < count, "{refused} of {count} refused, {same} the same");
    }
}
