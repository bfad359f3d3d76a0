//! Folders, archives and spans that were changed: `arena verify` ends, within its memory, never in a panic, and never
//! says "identical" of anything that was changed. `cargo xtask forgeries` makes more of each kind.
#![cfg(target_os = "linux")]

use std::collections::BTreeMap;
use std::fs;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use arena_rules::Rng;
use arena_rules::life2::{Account, Call, Rates, Side, World};
use arena_runner::Ended;
use arena_world::Machine;
use serde_json::Value;
use tar::{Builder, EntryType, Header};
use zstd::stream::write::Encoder;

use crate::program::{arena, code, err, json, out};
use crate::tree::files;

/// Forgeries of each kind.
const FORGERIES: u64 = 30;
/// The memory that verifying a folder takes with one thread, in bytes, and what an archive may take beyond that. The
/// kernel grants no more, and without memory the process would abort.
const OF_FOLDER_BYTES: u64 = 24 << 20;
const OF_ARCHIVE_BYTES: u64 = 64 << 20;
/// After so many seconds a command does not end.
const ENDLESS: &str = "300";

type Files = BTreeMap<PathBuf, Vec<u8>>;

/// A seed for each forgery of a kind: those of a run follow its own.
fn seeds() -> impl Iterator<Item = u64> {
    let number = |name: &str| std::env::var(name).ok().and_then(|number| number.parse::<u64>().ok());
    let first = number("ARENA_FORGERY_SEED").unwrap_or(0) << 32;
    first..first + number("ARENA_FORGERIES").unwrap_or(FORGERIES)
}

/// `arena verify` within the memory of archives.
fn verify(what: &[&Path]) -> Output {
    verify_within(OF_FOLDER_BYTES + OF_ARCHIVE_BYTES, what)
}

fn verify_within(bytes_max: u64, what: &[&Path]) -> Output {
    let limited =
        format!("ulimit -d {}; exec timeout {ENDLESS} \"$0\" verify --threads 1 --json \"$@\"", bytes_max >> 10);
    let mut shell = Command::new("/bin/sh");
    let output = shell.args(["-c", &limited, env!("CARGO_BIN_EXE_arena")]).args(what).stdin(Stdio::null()).output();
    let output = output.unwrap();
    let ended = output.status.code();
    assert!(matches!(ended, Some(0..=7)), "{what:?}: {ended:?} {}", err(&output));
    assert!(!err(&output).contains("panicked"), "{what:?}: {}", err(&output));
    output
}

/// Whether the verdict is that nothing was changed.
fn is_identical(verified: &Output) -> bool {
    let said = code(verified) == 0;
    assert_eq!(said, !verified.stdout.is_empty() && json(verified)["verdict"] == "identical");
    said
}

fn written(folder: &Path, files: &Files) {
    for (name, bytes) in files {
        let path = folder.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }
}

struct Tournament {
    place: tempfile::TempDir,
    files: Files,
}

impl Tournament {
    /// A finished one of built-in opponents: compiling bots would be most of each verification.
    fn played(format: &str) -> Tournament {
        let place = tempfile::tempdir().unwrap();
        let (definition, folder) = (place.path().join("t.toml"), place.path().join("t"));
        let names = ["random", "land-grab", "bloodlust", "minimax"];
        let entrants = names.map(|name| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n"));
        let text = format!("name = \"t\"\nruleset = \"war-of-life@1\"\nseed = 5\n{format}\n{}", entrants.concat());
        fs::write(&definition, text).unwrap();
        let run = arena(&["tournament", "run", definition.to_str().unwrap(), "--out", folder.to_str().unwrap()]);
        assert_eq!(code(&run), 0, "{}", err(&run));
        let files = files(&folder);
        Tournament { place, files }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.place.path().join(name)
    }

    /// The folder with other files.
    fn with(&self, name: &str, files: &Files) -> PathBuf {
        let path = self.path(name);
        written(&path, files);
        path
    }
}

/// A member of an archive with whatever header.
fn append(builder: &mut Builder<impl Write>, name: &str, kind: EntryType, size: u64, bytes: impl Read) {
    let mut header = Header::new_gnu();
    header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
    header.set_size(size);
    header.set_entry_type(kind);
    header.set_cksum();
    builder.append(&header, bytes).unwrap();
}

fn archive(path: &Path, members: impl FnOnce(&mut Builder<Encoder<'_, fs::File>>)) {
    let mut encoder = Encoder::new(fs::File::create(path).unwrap(), 1).unwrap();
    encoder.include_checksum(true).unwrap();
    let mut builder = Builder::new(encoder);
    members(&mut builder);
    builder.into_inner().unwrap().finish().unwrap();
}

/// An archive of some sixty kilobytes that begins like another one, and then claims two gigabytes in one block of
/// Zstandard's format: so many matches of the greatest length. A block may have 128 KiB.
fn block_of_gigabytes(begins: &[u8]) -> Vec<u8> {
    const MATCHES: u16 = 30_000;
    let mut block = Vec::new();
    // Literals: one byte, repeated once. Sequences: each with no literal, the offset before, and the last code of a
    // length, whose 16 bits follow; a last bit marks the end.
    block.extend([1 << 3 | 1, b'x']);
    block.extend([0x80 | (MATCHES >> 8) as u8, MATCHES as u8, 0b0101_0100, 0, 0, 52]);
    block.extend(vec![0xff; 2 * usize::from(MATCHES)]);
    block.push(1);
    let header = |last: u32, kind: u32, size: usize| (last | kind << 1 | (size as u32) << 3).to_le_bytes();
    let mut frame = vec![0x28, 0xb5, 0x2f, 0xfd, 0, 0x58];
    frame.extend(&header(0, 0, begins.len())[..3]);
    frame.extend(begins);
    frame.extend(&header(1, 2, block.len())[..3]);
    frame.extend(block);
    frame
}

/// Appends a member that claims much.
type Bomb<'a> = &'a dyn Fn(&mut Builder<Encoder<'_, fs::File>>);

#[test]
fn an_archive_takes_no_more_memory_than_its_folder_whatever_it_claims() {
    let tournament = Tournament::played("pairs = 2");
    assert!(is_identical(&verify_within(OF_FOLDER_BYTES, &[&tournament.path("t")])));
    let honest = |builder: &mut Builder<Encoder<'_, fs::File>>| {
        for (name, bytes) in &tournament.files {
            append(builder, name.to_str().unwrap(), EntryType::Regular, bytes.len() as u64, bytes.as_slice());
        }
    };
    const LARGE: u64 = 1 << 28;
    let zeros = || std::io::repeat(0).take(LARGE);
    let path = tournament.path("archive");
    archive(&path, honest);
    assert!(is_identical(&verify(&[&path])));
    let bombs: [(&str, Bomb<'_>); 5] = [
        ("a long name", &|builder| append(builder, "././@LongLink", EntryType::GNULongName, LARGE, zeros())),
        ("a long link", &|builder| append(builder, "././@LongLink", EntryType::GNULongLink, LARGE, zeros())),
        ("attributes", &|builder| append(builder, "PaxHeader", EntryType::XHeader, LARGE, zeros())),
        ("attributes of all", &|builder| append(builder, "pax_global", EntryType::XGlobalHeader, LARGE, zeros())),
        ("a file", &|builder| append(builder, "results/zeros", EntryType::Regular, LARGE, zeros())),
    ];
    for (name, bomb) in bombs {
        archive(&path, |builder| {
            honest(builder);
            bomb(builder);
        });
        let refused = verify(&[&path]);
        assert_eq!(code(&refused), 2, "{name}: {}", err(&refused));
    }
    let mut tar = Builder::new(Vec::new());
    // Of a size that so small an archive may have, so that the block is reached.
    append(&mut tar, "journal", EntryType::Regular, 512 << 10, &[b'x'; 1_024][..]);
    fs::write(&path, block_of_gigabytes(&tar.get_ref()[..1_024])).unwrap();
    let refused = verify(&[&path]);
    assert_eq!((code(&refused), &json(&refused)["verdict"]), (3, &"damaged".into()), "{}", err(&refused));
    // A window of 128 MiB, all of it used.
    let mut encoder = Encoder::new(fs::File::create(&path).unwrap(), 1).unwrap();
    encoder.window_log(27).unwrap();
    let mut builder = Builder::new(encoder);
    append(&mut builder, "results/zeros", EntryType::Regular, 256 << 20, zeros().take(256 << 20));
    builder.into_inner().unwrap().finish().unwrap();
    let refused = verify(&[&path]);
    assert!(code(&refused) == 2 && err(&refused).contains("8 MiB"), "{}", err(&refused));
}

/// Changes a folder: its bytes, its lines, its files.
fn changed(files: &Files, rng: &mut Rng) -> Files {
    let mut files = files.clone();
    let at = |rng: &mut Rng, length: usize| rng.below(length as u32) as usize;
    let names: Vec<PathBuf> = files.keys().cloned().collect();
    let name = names[at(rng, names.len())].clone();
    let other = names[at(rng, names.len())].clone();
    let bytes = files.get_mut(&name).unwrap();
    match rng.below(9) {
        0 => *bytes = String::from_utf8_lossy(bytes).replace('\n', "\r\n").into_bytes(),
        1 => bytes.truncate(at(rng, bytes.len())),
        2 => drop(files.remove(&name)),
        3 => drop(files.insert("notes.txt".into(), b"mine".into())),
        4 => drop(files.insert(".DS_Store".into(), vec![0; 9])),
        5 => {
            let copy = files[&other].clone();
            files.insert(name, copy);
        }
        6 => {
            let lines: Vec<&[u8]> = bytes.split_inclusive(|byte| *byte == b'\n').collect();
            let (one, two) = (at(rng, lines.len()), at(rng, lines.len()));
            let mut lines: Vec<Vec<u8>> = lines.into_iter().map(Vec::from).collect();
            lines.swap(one, two);
            *bytes = lines.concat();
        }
        7 => {
            let mark = "\u{feff}".as_bytes();
            drop(bytes.splice(..0, mark.iter().copied()));
        }
        _ => {
            let at = at(rng, bytes.len());
            bytes[at] ^= 1 << rng.below(8);
        }
    }
    files
}

#[test]
fn nothing_that_was_changed_in_a_folder_or_an_archive_is_identical() {
    let tournament = Tournament::played("format = \"swiss\"\npairs = 1\nrounds = 3");
    let mut verdicts: BTreeMap<i32, u32> = BTreeMap::new();
    for seed in seeds() {
        let mut rng = Rng::new(&[1; 32], seed);
        let files = changed(&tournament.files, &mut rng);
        let folder = tournament.with(&format!("changed-{seed}"), &files);
        let archived = tournament.path(&format!("changed-{seed}.tar"));
        let mut builder = Builder::new(fs::File::create(&archived).unwrap());
        builder.append_dir_all("cup-1", &folder).unwrap();
        builder.finish().unwrap();
        let verified = verify(&[&folder]);
        let as_archive = verify(&[&archived]);
        *verdicts.entry(code(&verified)).or_default() += 1;
        // A folder that lost its manifest and results is none in an archive, either.
        assert_eq!(code(&verified), code(&as_archive), "seed {seed}: {} {}", out(&verified), err(&as_archive));
        assert_eq!(is_identical(&verified), files == tournament.files, "seed {seed}: {}", out(&verified));
    }
    assert!(verdicts.len() >= 3, "{verdicts:?}");
}

/// A journal with other games in the place of some, sealed anew, and an index that leads to each of its lines.
fn resealed(files: &Files, rng: &mut Rng) -> (Files, usize) {
    let journal = String::from_utf8(files[Path::new("journal")].clone()).unwrap();
    let mut games: Vec<(usize, Ended)> =
        journal.split_inclusive('\n').map(|line| Ended::parse_line(line.as_bytes()).unwrap()).collect();
    games.sort_by_key(|(number, _)| *number);
    let (to, from) = (rng.below(games.len() as u32) as usize, rng.below(games.len() as u32) as usize);
    let mut other = games[from].1.clone();
    if let (Ended::Played(record), 0) = (&mut other, rng.below(2)) {
        // The game's own, but for one field of its header.
        let Ended::Played(own) = &games[to].1 else { panic!("void") };
        *record = own.clone();
        match rng.below(4) {
            0 => record.header.seed.0[0] ^= 1,
            1 => record.header.budgets.fuel_per_move -= 1,
            2 => record.header.entrants.reverse(),
            _ => record.header.budgets.memory_bytes /= 2,
        }
    }
    games[to].1 = other;
    let (mut lines, mut index) = (String::new(), String::new());
    for (number, ended) in &games {
        index += &format!("{:012}\n", lines.len());
        lines += &ended.to_line(*number);
    }
    let mut files = files.clone();
    files.insert("journal".into(), lines.into());
    files.insert("index".into(), index.into());
    (files, to)
}

#[test]
fn a_game_by_its_number_is_the_one_of_the_schedule() {
    for format in ["pairs = 2", "format = \"swiss\"\npairs = 1\nrounds = 3"] {
        let tournament = Tournament::played(format);
        let honest = verify(&[&tournament.path("t#0")]);
        assert!(is_identical(&honest));
        let words = arena(&["verify", tournament.path("t#0").to_str().unwrap()]);
        assert!(out(&words).contains("it is this game of the schedule"), "{}", out(&words));
        for seed in seeds() {
            let (files, number) = resealed(&tournament.files, &mut Rng::new(&[2; 32], seed));
            let journal = Path::new("journal");
            let is_same = files[journal].len() == tournament.files[journal].len()
                && sorted_journal(&files) == sorted_journal(&tournament.files);
            let folder = tournament.with(&format!("resealed-{seed}"), &files);
            let named = PathBuf::from(format!("{}#{number}", folder.display()));
            assert_eq!(is_identical(&verify(&[&named])), is_same, "seed {seed}, game {number} of {format}");
        }
    }
}

fn sorted_journal(files: &Files) -> Vec<String> {
    let text = String::from_utf8(files[Path::new("journal")].clone()).unwrap();
    let mut lines: Vec<String> = text.lines().map(String::from).collect();
    lines.sort();
    lines
}

/// A world's log in spans, as a site keeps it.
fn spans(count: usize) -> Vec<String> {
    let mut machine = Machine::new(World::new(Side::WORLD, Rates::FOUNDING));
    let mut spans = Vec::new();
    for number in 0..count as u64 {
        let mut log = machine.opened("a test").to_line();
        for call in [Call::Faucet, Call::Join { x: 60 + 128 * (number as i32 % 4), y: 60 }] {
            let event = machine.propose(Account(7 + number), &call).unwrap().unwrap();
            log += &event.to_line();
            machine.apply(&event).unwrap();
        }
        log += &std::iter::repeat_with(|| machine.step()).find_map(|event| event).unwrap().to_line();
        spans.push(log);
    }
    spans
}

/// The span with another coin in a wallet of its snapshot, computed anew from there: right in itself.
fn richer(span: &str) -> String {
    let opened = arena_world::Event::parse(span.split_inclusive('\n').next().unwrap()).unwrap();
    let arena_world::Event::Opened(opened) = opened else { panic!("no snapshot") };
    let machine = Machine::open(&opened).unwrap();
    let mut state = machine.world().state();
    let side = usize::from(Side::WORLD.length());
    // The coins of the last wallet, before the ground.
    let coins = state.len() - 5 * side * side / 8 - 8;
    state[coins] ^= 1;
    let mut machine = Machine::new(World::of_state(&state).unwrap());
    let mut log = machine.opened("a forger").to_line();
    log += &std::iter::repeat_with(|| machine.step()).find_map(|event| event).unwrap().to_line();
    log
}

#[test]
fn a_chain_of_spans_proves_its_snapshots_and_one_span_says_that_it_does_not() {
    let place = tempfile::tempdir().unwrap();
    let spans = spans(3);
    let paths: Vec<PathBuf> = (0..3).map(|number| place.path().join(number.to_string())).collect();
    paths.iter().zip(&spans).for_each(|(path, span)| fs::write(path, span).unwrap());
    let [one, two, three] = [0, 1, 2].map(|number: usize| paths[number].as_path());
    let said = |what: &[&Path]| {
        let words: Vec<&str> = what.iter().map(|path| path.to_str().unwrap()).collect();
        let words = arena(&[&["verify"], words.as_slice()].concat());
        let report = verify(what);
        assert_eq!(code(&words), code(&report), "{}", err(&words));
        (code(&report), out(&words), if report.stdout.is_empty() { Value::Null } else { json(&report) })
    };
    // In any order.
    for chain in [[one, two, three], [three, one, two]] {
        let (exit, words, report) = said(&chain);
        assert_eq!((exit, &report["verdict"], &report["spans"]), (0, &"identical".into(), &3.into()), "{words}");
        assert_eq!((&report["from_generation"], &report["to_generation"]), (&0.into(), &1_800.into()));
        assert_eq!(report["by_word"], Value::from(vec!["calls"]));
        assert!(words.contains("from the empty world on") && !words.contains("snapshot of generation"), "{words}");
    }
    // From the first that is still kept.
    for (kept, from) in [(&[two][..], "600"), (&[two, three], "600"), (&[three], "1,200")] {
        let (exit, words, report) = said(kept);
        assert_eq!((exit, &report["verdict"], &report["code"]), (5, &"incomplete".into(), &"snapshot".into()));
        assert!(words.contains(&format!("the snapshot of generation {from} rests on the word")), "{words}");
        assert!(!words.contains("identical"), "{words}");
    }
    let (exit, words, report) = said(&[one, three]);
    assert_eq!((exit, &report["code"]), (5, &"gap".into()), "{words}");
    assert!(words.contains("no chain") && words.contains("600 to 1,200"), "{words}");
    assert_eq!(said(&[one, one]).0, 2);
    let game = place.path().join("game.json");
    fs::write(&game, "{\"format\":\"arena-record/1\"}\n").unwrap();
    assert_eq!(said(&[one, &game]).0, 2);
    // A coin more in a snapshot: right in itself, and seen in a chain.
    fs::write(two, richer(&spans[1])).unwrap();
    let (exit, words, _) = said(&[two]);
    assert!(exit == 5 && !words.contains("identical"), "{words}");
    let (exit, words, report) = said(&[one, two]);
    assert_eq!((exit, &report["verdict"]), (1, &"differs".into()), "{words}");
    assert!(words.contains("it begins with another world"), "{words}");
    // Nor is one of generation 0 believed.
    let mut rich = World::new(Side::WORLD, Rates::FOUNDING);
    rich.call(Account(1), &Call::Faucet).unwrap();
    let mut rich = Machine::new(rich);
    let opened = rich.opened("a forger").to_line();
    let ends = std::iter::repeat_with(|| rich.step()).find_map(|event| event).unwrap().to_line();
    fs::write(one, opened + &ends).unwrap();
    let (exit, words, _) = said(&[one]);
    assert!(exit == 5 && words.contains("the snapshot of generation 0 rests"), "{words}");
}

#[test]
fn no_changed_span_is_identical() {
    let place = tempfile::tempdir().unwrap();
    let spans = spans(2);
    let path = place.path().join("span");
    let mut refused = 0;
    for seed in seeds() {
        let mut rng = Rng::new(&[3; 32], seed);
        let mut span = spans[0].clone().into_bytes();
        let at = rng.below(span.len() as u32) as usize;
        match rng.below(5) {
            0 => span.truncate(at),
            1 => span[at] ^= 1 << rng.below(7),
            2 => span.insert(at, b'\n'),
            3 => span.extend_from_slice(spans[1].as_bytes()),
            _ => span = String::from_utf8(span).unwrap().replace('\n', "\r\n").into_bytes(),
        }
        // The note on the build is nobody's promise.
        let note = spans[0].find("a test").unwrap();
        if span.len() == spans[0].len() && (note..note + 6).contains(&at) {
            continue;
        }
        fs::write(&path, &span).unwrap();
        let verified = verify(&[&path]);
        assert!(!is_identical(&verified), "seed {seed}: {}", out(&verified));
        refused += 1;
    }
    assert!(2 * refused > seeds().count());
}
