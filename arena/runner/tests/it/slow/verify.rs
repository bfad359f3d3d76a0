//! Laws of verification: the same computed again is identical, and nothing else is.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use arena_record::{EntrantId, Forfeit, ForfeitCode, Hex, Record};
use arena_rules::{BySeat, Rng, Seed};
use arena_runner::{
    Archive, ArchiveError, BotFolder, Contender, Depth, Ended, Finding, Flaw, Folder, FolderError, GameTerms, Host,
    InProcess, Incomplete, ManifestError, SeedOrigin, Verified, VerifyError, VoidGame, verify_folder, verify_game,
    verify_record,
};
use arena_sandbox::Sandbox;
use arena_tournaments::{Definition, Draw, Secret};
use arena_worker::Wall;
use sha2::{Digest, Sha256};

use crate::tree::files;

/// Places the first block of its home, then one cell too few.
const BOT: &str = r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
    (data (i32.const 0) "\01\01\04\0c\03\0c\04\0d\03\0d\04")
    (data (i32.const 32) "\01\01\04\0c\17\0c\18\0d\17\0d\18")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (if (result i64) (i32.load8_u (i32.const 1026))
            (then (i64.const 0xb00000020)) (else (i64.const 0xb00000000)))))"#;

const DEFINITION: &str = r#"
name = "small"
options = "chain_needs_home,weighted_majority"
seed = 7
pairs = 2
[[entrants]]
name = "easy"
baseline = "easy"
[[entrants]]
name = "normal"
baseline = "normal"
[[entrants]]
name = "builder"
file = "builder.wasm"
"#;
const GAMES: usize = 12;
/// One-byte changes that the tests make; `cargo xtask tamper` makes more.
const MUTATIONS: usize = 1_500;
/// Samples of a tournament in which one game of twelve is forged.
const SAMPLES: u64 = 60;

type Files = BTreeMap<PathBuf, Vec<u8>>;

fn host() -> &'static Arc<dyn Host> {
    static HOST: OnceLock<Arc<dyn Host>> = OnceLock::new();
    HOST.get_or_init(|| Arc::new(InProcess::new(Sandbox::new().unwrap())))
}

/// A game played here.
fn play(terms: &GameTerms, seed: Seed, contenders: &BySeat<&Contender>) -> Record {
    host().play(&terms.game(seed, contenders)).unwrap().ended.into_record().unwrap()
}

/// A finished tournament, played once for all tests.
fn finished() -> &'static Files {
    static FINISHED: OnceLock<Files> = OnceLock::new();
    FINISHED.get_or_init(|| {
        let place = tempfile::tempdir().unwrap();
        fs::write(place.path().join("builder.wasm"), wat::parse_str(BOT).unwrap()).unwrap();
        let definition = Definition::parse(DEFINITION).unwrap();
        let path = place.path().join("t");
        let (mut folder, _) = Folder::open(&path, &definition, place.path(), host()).unwrap();
        folder.run(2, |_| {}).unwrap();
        files(&path)
    })
}

/// A copy of the finished tournament, to do with as one likes.
struct Copy(tempfile::TempDir);

impl Copy {
    fn new() -> Copy {
        let copy = Copy(tempfile::tempdir().unwrap());
        finished().iter().for_each(|(name, bytes)| copy.write(name, bytes));
        copy
    }

    fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.0.path().join(name)
    }

    fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    fn verify(&self, depth: Depth, threads: usize) -> Verified {
        verify_folder(self.0.path(), None, &**host(), depth, threads, |_| {}).unwrap()
    }

    fn finding(&self) -> Finding {
        self.verify(Depth::Everything, 2).finding
    }

    fn damage(&self) -> (String, Flaw) {
        match self.finding() {
            Finding::Damaged { file, flaw } => (file, flaw),
            other => panic!("{other:?}"),
        }
    }

    fn record(&self, number: usize) -> Record {
        Archive::open(self.0.path()).unwrap().record(number).unwrap()
    }

    /// Puts a record into the journal with a matching checksum, and rewrites the results, as a forger would.
    fn forge(&self, number: usize, record: &Record) {
        let journal = fs::read_to_string(self.path("journal")).unwrap();
        let mut forged = String::new();
        for line in journal.split_inclusive('\n') {
            if line.split(' ').nth(1) == Some(&number.to_string()) {
                let rest = format!("{number} {}", record.to_text());
                let sum: [u8; 32] = Sha256::digest(&rest).into();
                forged += &format!("{} {rest}", Hex::<8>(*sum.first_chunk().unwrap()));
            } else {
                forged += line;
            }
        }
        fs::write(self.path("journal"), forged).unwrap();
        let (mut folder, _) = Folder::resume(self.0.path(), host()).unwrap();
        folder.run(1, |_| {}).unwrap();
    }
}

#[test]
fn a_finished_tournament_is_identical_on_any_number_of_threads_and_stays_untouched() {
    let copy = Copy::new();
    for threads in [1, 2, 7] {
        let verified = copy.verify(Depth::Everything, threads);
        assert_eq!(verified.finding, Finding::Identical);
        assert_eq!((verified.coverage.games, verified.coverage.played, verified.coverage.by_rules), (GAMES, GAMES, 0));
        assert!(verified.coverage.other_builds.is_empty());
    }
    assert_eq!(&files(copy.0.path()), finished());
}

/// Changes one byte: another value, one more, or one less. Never returns the same bytes.
fn mutate(bytes: &[u8], rng: &mut Rng) -> Vec<u8> {
    let mut changed = bytes.to_vec();
    let at = rng.below(bytes.len() as u32) as usize;
    match rng.below(4) {
        0 => changed.insert(at, rng.word() as u8),
        1 => drop(changed.remove(at)),
        2 => changed[at] ^= 1 << rng.below(8),
        _ => changed[at] = changed[at].wrapping_add(1 + rng.below(255) as u8),
    }
    changed
}

#[test]
fn every_change_of_one_byte_anywhere_is_found() {
    let number = |name| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    let mutations = number("ARENA_MUTATIONS").unwrap_or(MUTATIONS as u64);
    let seed = number("ARENA_MUTATION_SEED").unwrap_or(1);
    let mut key = [0; 32];
    key[..8].copy_from_slice(&seed.to_le_bytes());
    let mut rng = Rng::new(&key, 0);
    let copy = Copy::new();
    let all: Vec<(&PathBuf, &Vec<u8>)> = finished().iter().collect();
    let total: usize = all.iter().map(|(_, bytes)| bytes.len()).sum();
    let mut found: BTreeMap<&str, u64> = BTreeMap::new();
    for mutation in 0..mutations {
        // Half of them anywhere, byte for byte; half in any file, so that the small ones get theirs.
        let (name, bytes) = if mutation % 2 == 0 {
            let mut at = rng.below(total as u32) as usize;
            let holds = |(_, bytes): &&(&PathBuf, &Vec<u8>)| {
                let here = at < bytes.len();
                at = at.saturating_sub(bytes.len());
                here
            };
            *all.iter().find(holds).unwrap()
        } else {
            all[rng.below(all.len() as u32) as usize]
        };
        let changed = mutate(bytes, &mut rng);
        copy.write(name, &changed);
        let kind = match copy.verify(Depth::Everything, 1).finding {
            Finding::Damaged { .. } => "damaged",
            Finding::Differs(_) => "differs",
            other => {
                let same = changed == **bytes;
                panic!("mutation {mutation} of {}: {other:?}, the same: {same}", name.display())
            }
        };
        *found.entry(kind).or_default() += 1;
        copy.write(name, bytes);
    }
    assert_eq!(copy.finding(), Finding::Identical, "what was changed was put back");
    println!("{mutations} changes of one byte, seed {seed}, in {} files of {total} bytes: found {found:?}", all.len());
}

#[test]
fn files_that_are_missing_or_strange_are_named() {
    for name in finished().keys() {
        let copy = Copy::new();
        fs::remove_file(copy.path(name)).unwrap();
        assert_eq!(copy.damage().0, name.to_str().unwrap());
    }
    let foreign = |copy: &Copy| {
        let Verified { finding, coverage } = copy.verify(Depth::Everything, 2);
        let files = coverage.foreign.len();
        assert_eq!((finding, coverage.played), (Finding::Incomplete(Incomplete::Foreign { files }), GAMES));
        coverage.foreign
    };
    for (name, shown) in [
        ("notes.txt", "notes.txt"),
        (".DS_Store", ".DS_Store"),
        (".git/objects/00/1", ".git/"),
        ("entrants/more.wasm", "entrants/more.wasm"),
        ("results/mine.csv", "results/mine.csv"),
        ("results/x/y", "results/x/"),
        ("manifest.json.new", "manifest.json.new"),
    ] {
        let copy = Copy::new();
        copy.write(name, "mine");
        assert_eq!(foreign(&copy).first().unwrap(), shown);
    }
    let copy = Copy::new();
    fs::create_dir(copy.path("empty")).unwrap();
    // An editor's lock.
    symlink("nowhere", copy.path(".#journal")).unwrap();
    assert_eq!(foreign(&copy), [".#journal", "empty/"]);
    let copy = Copy::new();
    fs::remove_file(copy.path("journal")).unwrap();
    symlink("/dev/zero", copy.path("journal")).unwrap();
    assert_eq!(copy.damage().0, "journal");
    let copy = Copy::new();
    fs::remove_file(copy.path("journal")).unwrap();
    fs::create_dir(copy.path("journal")).unwrap();
    assert_eq!(copy.damage().0, "journal");
}

#[test]
fn what_editors_change_is_said_to_be_that() {
    for name in finished().keys().filter(|name| name.extension().is_none_or(|ending| ending != "wasm")) {
        let copy = Copy::new();
        let text = String::from_utf8(finished()[name].clone()).unwrap();
        copy.write(name, text.replace('\n', "\r\n"));
        assert_eq!(copy.finding(), Finding::LineEnds { file: name.to_str().unwrap().into() });
        let game = verify_game(copy.0.path(), 0, None, &**host());
        // The results are not looked at for one game.
        if !name.starts_with("results") {
            assert_eq!(game.unwrap().finding, Finding::LineEnds { file: name.to_str().unwrap().into() });
        }
        copy.write(name, format!("\u{feff}{text}"));
        let Finding::Damaged { file, flaw: Flaw::Content(why) } = copy.finding() else { panic!("{name:?}") };
        assert!(Path::new(&file) == name && why.contains("byte order mark"), "{file}: {why}");
    }
    let record = Copy::new().record(0).to_text();
    let of = |text: &str| verify_record("game.json", text.as_bytes(), None, &**host()).unwrap().finding;
    assert_eq!(of(&record.replace('\n', "\r\n")), Finding::LineEnds { file: "game.json".into() });
    for (text, words) in
        [(format!("\u{feff}{record}"), "byte order mark"), (record.trim_end().into(), "the newline at its end")]
    {
        let Finding::Damaged { flaw: Flaw::Content(why), .. } = of(&text) else { panic!("{words}") };
        assert!(why.contains(words), "{why}");
    }
    let other = record.replace("arena-record/1", "arena-record/2");
    assert!(matches!(of(&other), Finding::OtherForm { theirs, .. } if theirs == "arena-record/2"));
}

#[test]
fn a_game_by_its_number_has_to_be_that_game() {
    let copy = Copy::new();
    assert_eq!(verify_game(copy.0.path(), 3, None, &**host()).unwrap().finding, Finding::Identical);
    // Another game of the same bots in the same seats, as it was really played: only its seed is another one.
    let other =
        (0..GAMES).find(|other| *other != 3 && copy.record(*other).header.entrants == copy.record(3).header.entrants);
    let other = copy.record(other.unwrap());
    let journal = fs::read_to_string(copy.path("journal")).unwrap();
    let (mut lines, mut index) = (String::new(), BTreeMap::new());
    for line in journal.split_inclusive('\n') {
        let (number, ended) = Ended::parse_line(line.as_bytes()).unwrap();
        index.insert(number, lines.len());
        lines += &if number == 3 { Ended::Played(other.clone()) } else { ended }.to_line(number);
    }
    copy.write("journal", lines);
    copy.write("index", index.values().map(|at| format!("{at:012}\n")).collect::<String>());
    assert_eq!(copy.record(3), other, "where the index leads");
    for number in [3, 4] {
        let Finding::Damaged { file, flaw } = verify_game(copy.0.path(), number, None, &**host()).unwrap().finding
        else {
            panic!("it is not game 3")
        };
        assert!(file == "journal" && flaw.to_string().contains("game 3: its seed, bots, budgets or options"), "{flaw}");
    }
}

/// A record with one thing changed, and where the change shows.
type Forgery = (fn(&mut Record), Option<usize>, &'static str);

#[test]
fn a_forger_who_corrects_every_checksum_is_found_by_playing_again() {
    // Facts that the rules cannot check: fuel, and what a player would have answered.
    let forgeries: [Forgery; 5] = [
        (|record| record.turns[0].plays[0].fuel = Some(1), Some(1), "the fuel"),
        (|record| record.starts[0] = Some(3), None, "the fuel of the start"),
        (|record| record.forfeits[0].detail = "bad luck".into(), Some(3), "the forfeit"),
        (|record| record.forfeits[0].code = ForfeitCode::Trap, Some(3), "the forfeit"),
        (|record| record.turns[1].plays[0].fuel = None, Some(2), "the fuel"),
    ];
    let copy = Copy::new();
    let builder = |record: &Record| record.header.entrants[0].hash().is_some();
    let number = (0..GAMES).find(|number| builder(&copy.record(*number))).unwrap();
    for (forgery, turn, what) in forgeries {
        let copy = Copy::new();
        let mut record = copy.record(number);
        forgery(&mut record);
        if record == copy.record(number) {
            continue; // Nothing to change there.
        }
        copy.forge(number, &record);
        for threads in [1, 3] {
            let verified = copy.verify(Depth::Everything, threads);
            let Finding::Differs(difference) = verified.finding else { panic!("{what}: {:?}", verified.finding) };
            assert_eq!((difference.game, difference.turn), (Some(number), turn), "{difference:?}");
            assert_eq!(difference.what, what);
            assert!(difference.file.starts_with("journal, line "), "{difference:?}");
            assert_eq!(verified.coverage.played, number);
        }
    }
}

#[test]
fn a_whole_other_game_by_the_rules_is_found_by_playing_again_and_not_by_the_rules() {
    let copy = Copy::new();
    let natives = |record: &Record| record.header.entrants.iter().all(|id| id.baseline().is_some());
    let number = (0..GAMES).find(|number| natives(&copy.record(*number))).unwrap();
    let honest = copy.record(number);
    // Stronger play in the first seat, under the same header.
    let hard = Contender::baseline("conquerors@2", "hard").unwrap();
    let terms = GameTerms::new(&honest.header.ruleset, &honest.header.options, honest.header.budgets, Wall::None);
    let mut forged = play(&terms, honest.header.seed.0, &BySeat::from([&hard, &hard]));
    forged.header = honest.header.clone();
    copy.forge(number, &forged);
    let Finding::Differs(difference) = copy.finding() else { panic!("it is another game") };
    assert_eq!((difference.game, difference.turn, difference.what.as_str()), (Some(number), Some(1), "the action"));

    // A sample finds it iff the game is in it, and says how likely it was to miss it.
    let mut caught = 0;
    for seed in 0..SAMPLES {
        let verified = copy.verify(Depth::Sample { games: 3, seed }, 1);
        // Which games are in it follows from the seed alone.
        if seed < 10 {
            assert_eq!(copy.verify(Depth::Sample { games: 3, seed }, 2), verified);
        }
        match verified.finding {
            Finding::Differs(_) => caught += 1,
            Finding::Sampled => {
                assert_eq!((verified.coverage.played, verified.coverage.by_rules), (3, GAMES - 3));
                assert!((verified.coverage.chance_missed() - 0.75).abs() < 1e-12);
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(
        (SAMPLES / 12..SAMPLES / 2).contains(&caught),
        "a quarter of the samples have the game: {caught} of {SAMPLES}"
    );
    let more = copy.verify(Depth::Sample { games: 100, seed: 1 }, 2);
    assert!(matches!(more.finding, Finding::Differs(_)), "a sample of all games is all games");
}

#[test]
fn a_loss_that_a_forger_declared_void_is_played_again_with_all_that_follows() {
    let honest = Folder::resume(Copy::new().0.path(), host()).unwrap().0.standings();
    let copy = Copy::new();
    let has_bot = |number: &usize| copy.record(*number).header.entrants.iter().any(|id| id.hash().is_some());
    let number = (0..GAMES).find(has_bot).unwrap();
    let seat = copy.record(number).header.entrants.iter().position(|id| id.hash().is_some()).unwrap() as u8;
    let void = Ended::Void(VoidGame { tries: 3, quarantined: vec![seat] });
    // Its later games need not be there: a quarantined bot plays none.
    let journal = fs::read_to_string(copy.path("journal")).unwrap();
    let number_of = |line: &&str| line.split(' ').nth(1).unwrap().parse::<usize>().unwrap();
    let kept = |line: &&str| number_of(line) < number || !has_bot(&number_of(line));
    let kept: Vec<&str> = journal.split_inclusive('\n').filter(kept).collect();
    assert!(kept.len() + 2 < GAMES);
    copy.write("journal", kept.concat() + &void.to_line(number));
    Folder::resume(copy.0.path(), host()).unwrap().0.run(1, |_| {}).unwrap();
    for depth in [Depth::Everything, Depth::Sample { games: 1, seed: 1 }] {
        let Verified { finding, coverage } = copy.verify(depth, 2);
        let Finding::NotConfirmed(not_confirmed) = finding else { panic!("{finding:?}") };
        let [end] = &not_confirmed.games[..] else { panic!("{not_confirmed:?}") };
        assert_eq!((end.game, end.line), (number, kept.len() + 1));
        assert_eq!(not_confirmed.standings, honest, "what would be is what was");
        assert_eq!((coverage.void, coverage.void_played), (GAMES - kept.len(), 1));
    }
}

#[test]
fn a_sample_finds_fuel_beyond_the_budget_in_every_game() {
    let honest = Copy::new();
    let has_bot = |number: &usize| honest.record(*number).header.entrants[0].hash().is_some();
    let number = (0..GAMES).find(has_bot).unwrap();
    let forgeries: [fn(&mut Record); 2] = [
        |record| record.turns[0].plays[0].fuel = Some(record.header.budgets.fuel_per_move + 1),
        |record| record.starts[0] = Some(record.header.budgets.fuel_at_start + 1),
    ];
    for forgery in forgeries {
        let copy = Copy::new();
        let mut record = copy.record(number);
        forgery(&mut record);
        let journal = fs::read_to_string(copy.path("journal")).unwrap();
        let is_its = |line: &str| line.split(' ').nth(1) == Some(&number.to_string());
        let forged =
            |line: &str| if is_its(line) { Ended::Played(record.clone()).to_line(number) } else { line.into() };
        copy.write("journal", journal.split_inclusive('\n').map(forged).collect::<String>());
        fs::remove_file(copy.path("index")).unwrap();
        fs::remove_dir_all(copy.path("results")).unwrap();
        for seed in 0..20 {
            let Finding::Differs(difference) = copy.verify(Depth::Sample { games: 1, seed }, 2).finding else {
                panic!("seed {seed}")
            };
            assert_eq!(difference.game, Some(number));
        }
    }
}

#[test]
fn a_game_against_the_rules_is_found_without_a_bot() {
    let copy = Copy::new();
    let number = (0..GAMES).find(|number| copy.record(*number).turns.len() > 8).unwrap();
    let mut record = copy.record(number);
    record.turns.swap(4, 6);
    let verified = verify_record("x.json", record.to_text().as_bytes(), None, &**host()).unwrap();
    assert!(matches!(verified.finding, Finding::Differs(_)), "{:?}", verified.finding);
}

#[test]
fn a_finished_tournament_is_shown_without_replaying_its_games() {
    let copy = Copy::new();
    let said = |folder: Folder| (folder.progress(), folder.standings());
    let resume = || Folder::resume(copy.0.path(), host()).map(|(folder, _)| said(folder));
    let finished = || Folder::finished(copy.0.path(), host()).map(said);
    assert_eq!(finished().unwrap(), resume().unwrap());
    // A game against the rules, with a checksum that fits.
    let number = (0..GAMES).find(|number| copy.record(*number).turns.len() > 8).unwrap();
    let honest = Ended::Played(copy.record(number)).to_line(number);
    let mut record = copy.record(number);
    record.turns.swap(4, 6);
    let journal = fs::read_to_string(copy.path("journal")).unwrap();
    assert!(journal.contains(&honest));
    copy.write("journal", journal.replace(&honest, &Ended::Played(record).to_line(number)));
    assert!(resume().is_err() && finished().is_ok());
}

#[test]
fn an_unfinished_tournament_is_never_called_identical() {
    let copy = Copy::new();
    fs::remove_dir_all(copy.path("results")).unwrap();
    assert!(matches!(copy.finding(), Finding::Incomplete(Incomplete::NoResults)), "killed after the index was written");
    fs::remove_file(copy.path("index")).unwrap();
    let journal = fs::read_to_string(copy.path("journal")).unwrap();
    let why = |copy: &Copy| match copy.finding() {
        Finding::Incomplete(why) => why,
        other => panic!("{other:?}"),
    };
    assert_eq!(why(&copy), Incomplete::NoResults);
    assert!(!why(&copy).to_string().contains("not finished"), "its games are");
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    copy.write("journal", lines[..5].concat() + &lines[5][..40]);
    assert_eq!(why(&copy), Incomplete::Unfinished { played: 5, total: 12 });
    copy.write("journal", "");
    assert_eq!(why(&copy), Incomplete::Unfinished { played: 0, total: 12 });
    // Left of a run that was killed while it wrote results.
    let copy = Copy::new();
    copy.write("results.new/standings.csv", "half");
    copy.write("index.new", "half");
    assert_eq!(why(&copy), Incomplete::Leftovers { files: 3 });
    // Nothing has started at all.
    let nothing = tempfile::tempdir().unwrap();
    let verified = verify_folder(nothing.path(), None, &**host(), Depth::Everything, 1, |_| {});
    assert!(matches!(verified, Err(VerifyError::NoTournament(_))));
}

#[test]
fn other_semantics_are_refused_with_the_release_that_is_needed_and_another_build_is_said() {
    let copy = Copy::new();
    let ours = arena_runner::semantics_id("conquerors@2");
    let manifest = fs::read_to_string(copy.path("manifest.json")).unwrap();
    let resealed = |text: String| {
        let at = text.find("\"checksum\": \"").unwrap() + 13;
        let with = |sum: &str| format!("{}{sum}{}", &text[..at], &text[at + 16..]);
        let sum: [u8; 32] = Sha256::digest(with(&"0".repeat(16))).into();
        with(&Hex::<8>(*sum.first_chunk().unwrap()).to_string())
    };
    assert_eq!(resealed(manifest.clone()), manifest);
    let theirs = "0".repeat(64);
    let named = manifest.replace(&arena_runner::build_id(), "arena 0.0.9 on a toaster");
    copy.write("manifest.json", resealed(named.replace(&ours, &theirs)));
    let wanted = Finding::OtherSemantics { theirs, ours, build: "arena 0.0.9 on a toaster".into() };
    assert_eq!(copy.finding(), wanted);
    let older = resealed(named.replace("arena-tournament/6", "arena-tournament/5"));
    copy.write("manifest.json", &older);
    let (theirs, build) = ("arena-tournament/5".to_string(), "arena 0.0.9 on a toaster".to_string());
    assert_eq!(copy.finding(), Finding::OtherForm { theirs, build });
    // A folder of before the index has none.
    let index = fs::read(copy.path("index")).unwrap();
    fs::remove_file(copy.path("index")).unwrap();
    let game = verify_game(copy.0.path(), 0, None, &**host()).unwrap();
    assert!(matches!(game.finding, Finding::OtherForm { .. }), "{:?}", game.finding);
    copy.write("index", index);
    let error = Folder::resume(&copy.path(""), host()).map(drop).unwrap_err();
    assert!(error.to_string().contains("use the release that started it, \"arena 0.0.9 on a toaster\""), "{error}");
    copy.write("manifest.json", older.replace("toaster", "kettle"));
    assert!(matches!(copy.finding(), Finding::Damaged { .. }), "its checksum does not fit");
    copy.write("manifest.json", resealed(named));
    let verified = copy.verify(Depth::Everything, 2);
    assert_eq!(verified.finding, Finding::Identical);
    assert_eq!(verified.coverage.other_builds.into_iter().collect::<Vec<_>>(), ["arena 0.0.9 on a toaster"]);
}

#[test]
fn a_record_is_played_again_with_bots_found_by_their_hash() {
    let copy = Copy::new();
    let builder = |record: &Record| record.header.entrants.iter().any(|id| id.hash().is_some());
    let number = (0..GAMES).find(|number| builder(&copy.record(*number))).unwrap();
    let bytes = copy.record(number).to_text().into_bytes();
    let verify = |bytes: &[u8], bots: Option<&BotFolder>| verify_record("x.json", bytes, bots, &**host());
    let of_tournament = BotFolder::of_tournament(copy.0.path());
    assert_eq!(verify(&bytes, Some(&of_tournament)).unwrap().finding, Finding::Identical);
    let by_number = |number: usize| verify_game(copy.0.path(), number, None, &**host());
    assert_eq!(by_number(number).unwrap(), verify(&bytes, Some(&of_tournament)).unwrap());
    assert!(matches!(by_number(GAMES), Err(VerifyError::Archive(ArchiveError::NoGame { number: GAMES, .. }))));
    assert_eq!(verify(&bytes, None).unwrap().finding, Finding::Incomplete(Incomplete::NoBots));
    let other = tempfile::tempdir().unwrap();
    let bots = BotFolder::new(other.path());
    assert!(matches!(verify(&bytes, Some(&bots)), Err(VerifyError::NoBot { .. })));
    fs::write(other.path().join("another.wasm"), "no bot").unwrap();
    fs::write(other.path().join("any-name.wasm"), wat::parse_str(BOT).unwrap()).unwrap();
    assert_eq!(verify(&bytes, Some(&bots)).unwrap().finding, Finding::Identical);

    let mut forged = copy.record(number);
    let play = forged.turns[0].plays.iter_mut().chain(&mut []).next().unwrap();
    play.fuel = Some(play.fuel.map_or(7, |fuel| fuel + 1));
    let finding = verify(forged.to_text().as_bytes(), Some(&bots)).unwrap().finding;
    let Finding::Differs(difference) = finding else { panic!("{finding:?}") };
    assert_eq!((difference.turn, difference.what.as_str()), (Some(1), "the fuel"));
    let cut = &bytes[..bytes.len() - 1];
    assert!(matches!(verify(cut, Some(&bots)).unwrap().finding, Finding::Damaged { .. }));

    // Games between built-in opponents need no bots' bytes.
    let natives = (0..GAMES).find(|number| !builder(&copy.record(*number))).unwrap();
    assert_eq!(verify(copy.record(natives).to_text().as_bytes(), None).unwrap().finding, Finding::Identical);
    // Nobody works for years because a record says so.
    let mut greedy = copy.record(natives);
    greedy.header.budgets.fuel_per_move = u64::MAX;
    assert!(matches!(verify(greedy.to_text().as_bytes(), None).unwrap().finding, Finding::Damaged { .. }));
}

#[test]
fn what_a_person_did_is_taken_from_the_record_and_the_bot_plays_again() {
    let copy = Copy::new();
    let easy = Contender::baseline("conquerors@2", "easy").unwrap();
    let normal = Contender::baseline("conquerors@2", "normal").unwrap();
    let header = copy.record(0).header;
    let terms = GameTerms::new(&header.ruleset, &header.options, header.budgets, Wall::None);
    let played = play(&terms, [5; 32], &BySeat::from([&easy, &normal]));
    // A person who happens to play as normal does, and one who resigns.
    let mut record = played.clone();
    let gone = std::mem::replace(&mut record.header.entrants[1], EntrantId::of_person(Hex([9; 8])));
    record.header.opponents.remove(&gone);
    let verify = |record: &Record| verify_record("x.json", record.to_text().as_bytes(), None, &**host()).unwrap();
    assert_eq!(verify(&record).finding, Finding::Identical);
    let mut forged = record.clone();
    forged.turns[2].plays[0].fuel = Some(1);
    assert!(matches!(verify(&forged).finding, Finding::Differs(_)));
    let mut both = record.clone();
    both.header.entrants[0] = EntrantId::of_person(Hex([9; 8]));
    both.header.opponents.clear();
    assert_eq!(verify(&both).finding, Finding::Incomplete(Incomplete::Persons));

    let gives_up = Forfeit { seat: 1, turn: Some(3), code: ForfeitCode::Resigned, detail: "gave up".into() };
    let mut short = record;
    short.turns.truncate(3);
    short.forfeits = vec![gives_up];
    assert!(matches!(verify(&short).finding, Finding::Differs(_)), "the outcome is still the long game's");
}

/// The small tournament, drawn with a secret, and committing to the next one.
fn drawn(place: &Path, name: &str, secret: u8, next: Option<u8>) -> Result<PathBuf, FolderError> {
    let chosen = Definition::parse(&DEFINITION.replace("pairs = 2", "pairs = 1")).unwrap();
    let draw =
        Draw { secret: Secret([secret; 32]), next: next.map(|next| Secret([next; 32]).commitment()), chain: false };
    let module = wat::parse_str(BOT).unwrap();
    fs::write(place.join("builder.wasm"), &module).unwrap();
    let ids = ["easy", "normal"].map(|tier| Contender::baseline("conquerors@2", tier).unwrap().id());
    let seed = draw.secret.seed(ids.iter().chain([&EntrantId::of_bytes(&module)]));
    let definition = Definition { seed: if secret == 0 { seed ^ 1 } else { seed }, draw: Some(draw), ..chosen };
    Folder::open(&place.join(name), &definition, place, host())?.0.run(2, |_| {})?;
    Ok(place.join(name))
}

#[test]
fn a_drawn_seed_follows_from_its_secret_and_the_entrants_and_the_secret_from_the_commitment_before() {
    let place = tempfile::tempdir().unwrap();
    let verify = |path: &Path, after: Option<&Path>| {
        let verified = verify_folder(path, after, &**host(), Depth::Everything, 2, |_| {}).unwrap();
        (verified.finding, verified.coverage.seed)
    };
    let first = drawn(place.path(), "first", 1, Some(2)).unwrap();
    let second = drawn(place.path(), "second", 2, None).unwrap();
    let third = drawn(place.path(), "third", 3, None).unwrap();
    assert_eq!(verify(&first, None), (Finding::Identical, Some(SeedOrigin::Drawn)));
    assert_eq!(verify(&second, Some(&first)), (Finding::Identical, Some(SeedOrigin::Committed)));
    let uncommitted = Finding::Incomplete(Incomplete::NoCommitment);
    assert_eq!(verify(&third, Some(&second)), (uncommitted, Some(SeedOrigin::Drawn)));
    let chosen = Copy::new();
    assert_eq!(verify(chosen.0.path(), None), (Finding::Identical, Some(SeedOrigin::Chosen)));
    for other in [&third, &chosen.0.path().to_owned()] {
        let (Finding::Differs(difference), _) = verify(other, Some(&first)) else { panic!("another secret") };
        assert_eq!(difference.expected, Secret([2; 32]).commitment().0.to_string());
    }
    let seed = fs::read_to_string(first.join("results/seed.json")).unwrap();
    let written: serde_json::Value = serde_json::from_str(&seed).unwrap();
    assert!(
        written["seed"].is_u64() && written["seed_text"].as_str() == Some(written["seed"].to_string().as_str()),
        "{seed}"
    );
    assert!(seed.contains(&"01".repeat(32)) && seed.contains(&Secret([2; 32]).commitment().0.to_string()), "{seed}");
    assert!(!chosen.path("results/seed.json").exists(), "where nothing was drawn there is no such file");
    // A seed of one's own beside a secret.
    let refused = drawn(place.path(), "refused", 0, None);
    assert!(matches!(refused, Err(FolderError::Contradicted(ManifestError::OtherSeed { .. }))), "{refused:?}");
    assert!(!place.path().join("refused").exists(), "nothing is begun");
}
