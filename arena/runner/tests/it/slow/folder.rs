//! Laws of tournament folders: the same bytes whatever the threads and however often it was stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use arena_record::{Budgets, EntrantId, Header};
use arena_rules::BySeat;
use arena_runner::{
    Archive, ArchiveError, Contender, Ended, Finished, Fixture, Folder, FolderError, GAMES_MAX, GameError, Host,
    InProcess, LoadError, PlanError, Played, Progress,
};
use arena_sandbox::Sandbox;
use arena_tournaments::{Definition, Unplayable};

use crate::tree::files;

/// Places one cell where four could be placed: forfeits its first turn.
const QUITTER: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x500000000)))"#;

const DEFINITION: &str = r#"
name = "test"
seed = 7
pairs = 3
[[entrants]]
name = "easy"
baseline = "easy"
[[entrants]]
name = "hard"
baseline = "hard"
[[entrants]]
name = "quitter"
file = "quitter.wasm"
"#;

struct Place {
    folder: tempfile::TempDir,
    host: Arc<dyn Host>,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("quitter.wasm"), wat::parse_str(QUITTER).unwrap()).unwrap();
        Place { folder, host: Arc::new(InProcess::new(Sandbox::new().unwrap())) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self, name: &str, definition: &str) -> Result<Folder, FolderError> {
        let definition = Definition::parse(definition).unwrap();
        Folder::open(&self.path(name), &definition, self.folder.path(), &self.host).map(|(folder, _)| folder)
    }

    fn run(&self, name: &str, threads: usize) -> Played {
        self.open(name, DEFINITION).unwrap().run(threads, |_| {}).unwrap()
    }
}

/// The results of a finished tournament, and the record of each of its games.
fn derived(tournament: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let archive = Archive::open(tournament).unwrap();
    let record = |number: usize| (format!("{number}").into(), archive.record(number).unwrap().to_text().into());
    let records = archive.numbers().map(|number| record(number.unwrap()));
    files(&tournament.join("results")).into_iter().chain(records).collect()
}

#[test]
fn results_do_not_depend_on_threads() {
    let place = Place::new();
    let one = place.run("one", 1);
    place.run("many", 8);
    assert_eq!(one.games, 18);
    let results = derived(&place.path("one"));
    assert_eq!(results.len(), 18 + 8);
    assert_eq!(results, derived(&place.path("many")));
    let last = &one.standings.rows[2];
    let told = |column| one.standings.value(last, column).unwrap().to_string();
    assert_eq!((last.name.as_str(), told("wins").as_str()), ("quitter", "0"));
    assert_eq!(told("forfeits"), told("losses"));
}

#[test]
fn newcomers_begin_with_a_pair_against_each_other_entrant_and_the_results_are_the_same() {
    let (place, normal) = (Place::new(), "[[entrants]]\nname = \"normal\"\nbaseline = \"normal\"\n");
    let definition = format!("{DEFINITION}{normal}");
    place.open("usual", &definition).unwrap().run(1, |_| {}).unwrap();
    let (mut folder, begun) = (place.open("early", &definition).unwrap(), Arc::<Mutex<Vec<usize>>>::default());
    let newcomers =
        ["quitter", "normal"].map(|name| folder.entrants().iter().position(|entrant| entrant.name == name).unwrap());
    folder.begin_with(newcomers);
    let noted = begun.clone();
    folder.on_begin(move |number| noted.lock().unwrap().push(number));
    let ids: Vec<EntrantId> = folder.entrants().iter().map(|entrant| entrant.id.clone()).collect();
    folder.run(1, |_| {}).unwrap();
    assert_eq!(derived(&place.path("early")), derived(&place.path("usual")));
    let archive = Archive::open(&place.path("early")).unwrap();
    let place_of = |id: &EntrantId| ids.iter().position(|entrant| entrant == id).unwrap();
    let games: Vec<BTreeSet<usize>> = begun
        .lock()
        .unwrap()
        .iter()
        .map(|number| archive.record(*number).unwrap().header.entrants.iter().map(place_of).collect())
        .collect();
    // Five of six pairings have a newcomer, each with three pairs of games.
    for pair in games[..30].chunks(10) {
        let met: BTreeSet<&BTreeSet<usize>> = pair.iter().collect();
        assert_eq!(met.len(), 5, "a pair of each pairing: {games:?}");
        assert!(met.iter().all(|game| newcomers.iter().any(|newcomer| game.contains(newcomer))));
        for half in 1..pair.len() {
            let [one, other] =
                newcomers.map(|newcomer| pair[..half].iter().filter(|game| game.contains(&newcomer)).count());
            assert!(one.abs_diff(other) <= 2, "interleaved: {games:?}");
        }
    }
    assert!(games[30..].iter().all(|game| newcomers.iter().all(|newcomer| !game.contains(newcomer))));
}

/// Another machine, as far as this test goes: bots' bytes reach it by their hash, games as the text of their header,
/// and what comes back is a line of text.
struct Elsewhere {
    here: InProcess,
    there: InProcess,
    bots: Mutex<BTreeMap<EntrantId, Vec<u8>>>,
}

impl Host for Elsewhere {
    fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError> {
        let bot = self.here.load(bytes, budgets)?;
        self.bots.lock().unwrap().insert(bot.id(), bytes.into());
        Ok(bot)
    }

    fn play(&self, game: &Fixture<'_>) -> Result<Finished, GameError> {
        let sent = serde_json::to_string(&game.header).unwrap();
        let header: Header = serde_json::from_str(&sent).unwrap();
        let seat = |id: &EntrantId| match id.baseline() {
            Some((name, _)) => Contender::baseline(&header.ruleset, name).unwrap(),
            None => self.there.load(&self.bots.lock().unwrap()[id], &header.budgets).unwrap(),
        };
        let contenders: Vec<Contender> = header.entrants.iter().map(seat).collect();
        let contenders = BySeat::from(contenders.iter().collect::<Vec<_>>());
        let finished = self.there.play(&Fixture { header, contenders, ..game.clone() })?;
        let (_, ended) = Ended::parse_line(finished.ended.to_line(0).as_bytes()).unwrap();
        Ok(Finished::new(ended, finished.platform_faults))
    }
}

#[test]
fn a_host_needs_no_more_of_a_game_than_its_header_and_the_bots_bytes() {
    let mut place = Place::new();
    place.run("here", 2);
    let [here, there] = [0, 1].map(|_| InProcess::new(Sandbox::new().unwrap()));
    place.host = Arc::new(Elsewhere { here, there, bots: Mutex::default() });
    place.run("elsewhere", 3);
    assert_eq!(derived(&place.path("elsewhere")), derived(&place.path("here")));
}

#[test]
fn a_stopped_tournament_ends_with_the_same_bytes_and_plays_nothing_twice() {
    let place = Place::new();
    place.run("whole", 2);
    let whole = derived(&place.path("whole"));
    let journal = fs::read_to_string(place.path("whole/journal")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    for kept in [0, 1, 9, 17, 18] {
        let name = format!("stopped{kept}");
        // As if killed: some games in the journal, one line cut short, results never written.
        place.open(&name, DEFINITION).unwrap();
        let cut = lines.get(kept).map_or("", |line| &line[..line.len() / 2]);
        fs::write(place.path(&name).join("journal"), lines[..kept].concat() + cut).unwrap();
        let mut folder = place.open(&name, DEFINITION).unwrap();
        assert_eq!(folder.progress().played, kept);
        let mut played = 0;
        folder.run(2, |_| played += 1).unwrap();
        assert_eq!(played, 18 - kept);
        assert_eq!(derived(&place.path(&name)), whole);
    }
}

#[test]
fn a_tournament_that_is_told_to_stop_keeps_its_games_and_goes_on() {
    let place = Place::new();
    place.run("whole", 2);
    let mut folder = place.open("told", DEFINITION).unwrap();
    let stop =
        |progress: Progress| if progress.played < 5 { ControlFlow::Continue(()) } else { ControlFlow::Break("enough") };
    assert!(matches!(folder.run_until(2, stop).unwrap(), ControlFlow::Break("enough")));
    let kept = folder.progress().played;
    // Games that were being played are played to their end; on a busy machine that may be all of them.
    assert!((5..=18).contains(&kept), "{kept}");
    assert!(!place.path("told/results").exists());
    drop(folder);
    let mut folder = place.open("told", DEFINITION).unwrap();
    assert_eq!(folder.progress().played, kept);
    folder.run(2, |_| {}).unwrap();
    assert_eq!(derived(&place.path("told")), derived(&place.path("whole")));
}

#[test]
fn a_folder_tells_what_is_in_its_results() {
    let place = Place::new();
    let played = place.run("done", 2);
    let folder = place.open("done", DEFINITION).unwrap();
    assert_eq!(folder.standings(), played.standings);
    let names: Vec<&str> = folder.entrants().iter().map(|entrant| entrant.name.as_str()).collect();
    assert_eq!(names, ["easy", "hard", "quitter"]);
    assert_eq!(folder.build(), arena_runner::build_id());
    assert_eq!(folder.counted().collect::<Vec<_>>(), (0..18).collect::<Vec<_>>());
    let archive = Archive::open(&place.path("done")).unwrap();
    for (record, wanted) in folder.records().zip(0..18) {
        let (number, record) = record.unwrap();
        assert_eq!((number, &record), (wanted, &archive.record(number).unwrap()));
    }
}

#[test]
fn games_are_found_by_their_numbers_once_all_are_played() {
    let place = Place::new();
    let open = |name: &str| Archive::open(&place.path(name));
    assert!(matches!(open("nowhere"), Err(ArchiveError::Folder(FolderError::NotStarted(_)))));
    place.open("begun", DEFINITION).unwrap();
    assert!(matches!(open("begun"), Err(ArchiveError::Unfinished(_))));
    place.run("done", 3);
    let archive = open("done").unwrap();
    assert!(archive.numbers().map(Result::unwrap).eq(0..18));
    assert!(matches!(archive.record(18), Err(ArchiveError::NoGame { number: 18, last: 17 })));
    // An index that lies is found out, and written again by who resumes.
    let index = place.path("done/index");
    let honest = fs::read_to_string(&index).unwrap();
    let entries: Vec<&str> = honest.split_inclusive('\n').collect();
    for lie in [entries[1], "000000000001\n", "999999999999\n", "+00000000001\n", "xxxxxxxxxxxx\n"] {
        fs::write(&index, lie.to_string() + &entries[1..].concat()).unwrap();
        let found = open("done").unwrap().record(0);
        assert!(matches!(found, Err(ArchiveError::Index | ArchiveError::Journal(_))), "{lie}: {found:?}");
    }
    fs::write(&index, "------------\n".to_string() + &entries[1..].concat()).unwrap();
    assert!(matches!(open("done").unwrap().record(0), Err(ArchiveError::Void(0))));
    assert_eq!(place.run("done", 1).games, 18);
    assert_eq!(fs::read_to_string(&index).unwrap(), honest);
}

#[test]
fn a_finished_tournament_can_be_opened_again_and_plays_nothing() {
    let place = Place::new();
    place.run("done", 2);
    let before = files(&place.path("done"));
    let mut played = 0;
    place.open("done", DEFINITION).unwrap().run(2, |_| played += 1).unwrap();
    assert_eq!(played, 0);
    assert_eq!(files(&place.path("done")), before);
}

#[test]
fn the_bytes_of_the_start_play_on_when_a_file_changes() {
    let place = Place::new();
    place.run("whole", 2);
    place.open("frozen", DEFINITION).unwrap();
    fs::write(place.path("quitter.wasm"), b"something else").unwrap();
    let definition = Definition::parse(DEFINITION).unwrap();
    let (mut folder, changed) =
        Folder::open(&place.path("frozen"), &definition, place.folder.path(), &place.host).unwrap();
    assert_eq!(changed.iter().map(|bot| bot.name.as_str()).collect::<Vec<_>>(), ["quitter"]);
    folder.run(2, |_| {}).unwrap();
    assert_eq!(derived(&place.path("frozen")), derived(&place.path("whole")));
}

#[test]
fn folders_that_are_not_this_tournament_are_refused() {
    let place = Place::new();
    place.open("one", DEFINITION).unwrap();
    let other = DEFINITION.replace("seed = 7", "seed = 8");
    assert!(matches!(place.open("one", &other), Err(FolderError::OtherDefinition(_))));

    fs::create_dir(place.path("full")).unwrap();
    fs::write(place.path("full/notes.txt"), "mine").unwrap();
    assert!(matches!(place.open("full", DEFINITION), Err(FolderError::Occupied(_))));
    assert_eq!(files(&place.path("full")).len(), 1);

    let manifest = place.path("one/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let semantics = text.split('"').nth(7).unwrap().to_string();
    fs::write(&manifest, text.replace(&semantics, &"0".repeat(64))).unwrap();
    assert!(matches!(place.open("one", DEFINITION), Err(FolderError::OtherSemantics { .. })));
}

#[test]
fn damage_is_found() {
    let place = Place::new();
    place.run("whole", 2);
    let journal = place.path("whole/journal");
    let text = fs::read_to_string(&journal).unwrap();
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    // A whole line twice has a fitting checksum; a game of another tournament would have, too.
    fs::write(&journal, text.clone() + lines[3]).unwrap();
    assert!(matches!(place.open("whole", DEFINITION), Err(FolderError::Damaged { .. })));
    fs::write(&journal, &text).unwrap();

    let bots = place.path("whole/entrants");
    let bot = fs::read_dir(&bots).unwrap().next().unwrap().unwrap().path();
    let mut bytes = fs::read(&bot).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&bot, bytes).unwrap();
    assert!(matches!(place.open("whole", DEFINITION), Err(FolderError::Damaged { .. })));
}

#[test]
fn entrants_that_cannot_play_are_named_before_anything_is_written() {
    let place = Place::new();
    let missing = DEFINITION.replace("quitter.wasm", "missing.wasm");
    let error = place.open("missing", &missing).map(drop).unwrap_err();
    assert!(matches!(&error, FolderError::MissingBot { name, .. } if name == "quitter"), "{error}");
    fs::write(place.path("broken.wasm"), b"\0asm").unwrap();
    let broken = DEFINITION.replace("quitter.wasm", "broken.wasm");
    assert!(matches!(place.open("broken", &broken), Err(FolderError::Refused { .. })));
    let unknown = DEFINITION.replace("baseline = \"hard\"", "baseline = \"harder\"");
    assert!(matches!(place.open("unknown", &unknown), Err(FolderError::Baseline(_))));
    for name in ["missing", "broken", "unknown"] {
        assert!(!place.path(name).exists());
    }
}

#[test]
fn games_that_cannot_count_or_do_not_exist_are_refused_before_anything_is_written() {
    let place = Place::new();
    let with = |line: &str| DEFINITION.replace("pairs = 3", &format!("pairs = 3\n{line}"));
    let study = with("options = \"chain_needs_home,weighted_majority,shared_home\"");
    assert!(matches!(
        place.open("study", &study),
        Err(FolderError::Plan(PlanError::Unplayable(Unplayable::NotForStandings(_))))
    ));
    for line in ["options = \"nope\"", "ruleset = \"chess@1\""] {
        let error = place.open("unknown", &with(line)).map(drop).unwrap_err();
        assert!(matches!(error, FolderError::Plan(PlanError::Unplayable(Unplayable::Unknown(_)))), "{error}");
    }
    assert!(!place.path("study").exists() && !place.path("unknown").exists());
    // The rules before V2 are for rooms and studies.
    assert!(matches!(
        place.open("older", &with("options = \"\"")),
        Err(FolderError::Plan(PlanError::Unplayable(Unplayable::NotForStandings(_))))
    ));
}

#[test]
fn a_manifest_that_contradicts_its_definition_is_damage() {
    let place = Place::new();
    place.open("one", DEFINITION).unwrap();
    let manifest = place.path("one/manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    for (from, to) in [
        ("baseline:easy@1", "baseline:hard@1"),
        ("\"name\": \"easy\"", "\"name\": \"ea\\u001b[31msy\""),
        ("\"format\": \"round-robin\"", "\"format\": \"field\""),
        ("\"seed\": 7", "\"seed\": 8"),
    ] {
        assert!(text.contains(from), "{text}");
        fs::write(&manifest, text.replacen(from, to, 1)).unwrap();
        assert!(matches!(place.open("one", DEFINITION), Err(FolderError::Damaged { .. })), "{from}");
    }
}

#[test]
fn the_number_of_games_is_bounded() {
    let place = Place::new();
    let entrant = |number: usize| format!("[[entrants]]\nname = \"e{number}\"\nbaseline = \"easy\"\n");
    let many: String = (0..5).map(entrant).collect();
    let definition = |pairs: usize| format!("name = \"many\"\nseed = 1\npairs = {pairs}\n{many}");
    assert_eq!(5 * 4 * 10_000, GAMES_MAX);
    assert!(place.open("most", &definition(10_000)).is_ok());
    let more = definition(10_000) + &entrant(5);
    assert!(matches!(place.open("more", &more), Err(FolderError::Plan(PlanError::TooManyGames(300_000)))));
}
