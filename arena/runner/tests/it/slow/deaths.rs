//! Workers that die: no game is lost, none counts twice, and a bot that kills its process only stops itself.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use arena_record::EntrantId;
use arena_runner::{Archive, ArchiveError, Depth, Finding, Folder, Host, InProcess, Played, Workers, verify_folder};
use arena_sandbox::Sandbox;
use arena_tournaments::{Definition, Row, Value};
use arena_worker::Pool;
use arena_worker::limits::Patience;

/// Deaths of the long test; `cargo xtask kill-tournament` has more.
const DEATHS: usize = 50;
/// The seed of all deaths.
const SEED: u64 = 20_261;

/// A worker that hangs where no wall ends it is waited for less long than outside of tests.
const PATIENCE: Patience = Patience { unwalled: Duration::from_secs(60), ..Patience::DEFAULT };

/// The worker's behaviour, see its own text.
#[derive(Clone, Copy)]
struct Plan<'a> {
    per_mille: u16,
    times_per_seat: usize,
    deaths_max: usize,
    bot: Option<&'a EntrantId>,
}

const HARMLESS: Plan<'static> = Plan { per_mille: 0, times_per_seat: 0, deaths_max: 0, bot: None };

struct Place(tempfile::TempDir);

impl Place {
    /// A folder with three different bots in it.
    fn new() -> Place {
        let place = Place(tempfile::tempdir().unwrap());
        let bytes = wat::parse_str(include_str!("../../../../../bots/gallery/mason/bot.wat")).unwrap();
        for number in 0..3_u8 {
            // A custom section of one byte makes another bot that plays alike.
            let other = [&bytes[..], &[0, 3, 1, b'n', number]].concat();
            fs::write(place.path(&format!("mason{number}.wasm")), other).unwrap();
        }
        place
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn id(&self, number: u8) -> EntrantId {
        EntrantId::of_bytes(&fs::read(self.path(&format!("mason{number}.wasm"))).unwrap())
    }

    fn definition(&self, pairs: u32) -> Definition {
        let masons =
            (0..3).map(|number| format!("[[entrants]]\nname = \"m{number}\"\nfile = \"mason{number}.wasm\"\n"));
        // Less than an honest answer takes on a loaded machine now and then: such a game is played again like any
        // other.
        let text = format!(
            "name = \"deaths\"\nseed = 1\npairs = {pairs}\nwall_ms_per_move = 800\n{}\
            [[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n",
            masons.collect::<String>()
        );
        Definition::parse(&text).unwrap()
    }

    /// Workers that follow a plan, with a folder of their own for their deaths.
    fn workers(&self, name: &str, plan: Plan) -> Arc<dyn Host> {
        let deaths = self.deaths(name);
        fs::create_dir_all(&deaths).unwrap();
        let mut arguments = vec![deaths.into_os_string(), SEED.to_string().into()];
        arguments.extend([plan.per_mille as usize, plan.times_per_seat, plan.deaths_max].map(|n| n.to_string().into()));
        arguments.extend(plan.bot.map(|id| id.as_str().into()));
        let program = env!("CARGO_BIN_EXE_runner-test-worker").into();
        Arc::new(Workers::new(Pool::with_patience(program, arguments, 4, PATIENCE)))
    }

    fn deaths(&self, name: &str) -> PathBuf {
        self.path(&format!("{name}-deaths"))
    }

    fn folder(&self, name: &str, pairs: u32, host: &Arc<dyn Host>) -> Folder {
        Folder::open(&self.path(name), &self.definition(pairs), self.0.path(), host).unwrap().0
    }

    fn run(&self, name: &str, pairs: u32, threads: usize, plan: Plan) -> Played {
        self.folder(name, pairs, &self.workers(name, plan)).run(threads, |_| {}).unwrap()
    }

    /// Every file of the results with its bytes, and every record.
    fn results(&self, name: &str) -> BTreeMap<PathBuf, Vec<u8>> {
        let archive = Archive::open(&self.path(name)).unwrap();
        let mut files = BTreeMap::new();
        for entry in fs::read_dir(self.path(name).join("results")).unwrap() {
            let path = entry.unwrap().path();
            files.insert(path.file_name().unwrap().into(), fs::read(&path).unwrap());
        }
        for number in archive.numbers().map(Result::unwrap) {
            files.insert(number.to_string().into(), archive.record(number).unwrap().to_text().into());
        }
        files
    }

    /// The numbers of the games in the journal, as they were written.
    fn journalled(&self, name: &str) -> Vec<usize> {
        let text = fs::read_to_string(self.path(name).join("journal")).unwrap();
        text.lines().map(|line| line.split(' ').nth(1).unwrap().parse().unwrap()).collect()
    }
}

fn count(played: &Played, row: &Row, column: &str) -> u32 {
    match played.standings.value(row, column) {
        Some(Value::Count(count)) => *count,
        other => panic!("{column}: {other:?}"),
    }
}

#[test]
fn deaths_at_random_moves_change_no_byte() {
    let wanted = std::env::var("ARENA_KILLS").map_or(DEATHS, |text| text.parse().unwrap());
    println!("seed {SEED}");
    let place = Place::new();
    // So many games that there are more deadly moves than deaths.
    let pairs = wanted.div_ceil(5) as u32;
    let here: Arc<dyn Host> = Arc::new(InProcess::new(Sandbox::new().unwrap()));
    place.folder("undisturbed", pairs, &here).run(2, |_| {}).unwrap();
    // At most one death for each seat of a game, so that each game is through at the third time.
    let plan = Plan { per_mille: 60, times_per_seat: 1, deaths_max: wanted, bot: None };
    let played = place.run("disturbed", pairs, 2, plan);
    let deaths = fs::read_dir(place.deaths("disturbed")).unwrap().count();
    println!("{deaths} deaths, {} games played again, {} games", played.platform_faults, played.games);
    // Two processes may see the last death at once.
    assert!((wanted..wanted + 2).contains(&deaths), "{deaths}");
    assert!(played.platform_faults >= deaths as u64);
    assert_eq!(played.standings.void, 0);
    assert_eq!(place.results("disturbed"), place.results("undisturbed"));
    let mut journalled = place.journalled("disturbed");
    journalled.sort_unstable();
    assert_eq!(journalled, (0..played.games).collect::<Vec<_>>(), "each game once");
}

#[test]
fn a_bot_that_kills_its_process_is_quarantined_and_costs_nobody_a_point() {
    let place = Place::new();
    let id = place.id(1);
    let poisoned = Plan { per_mille: 1_000, bot: Some(&id), ..HARMLESS };
    let played = place.run("poisoned", 2, 2, Plan { times_per_seat: 0, ..poisoned });
    let (rows, crosstable) = (&played.standings.rows, played.standings.crosstable.as_ref().unwrap());
    let last = rows.last().unwrap();
    assert_eq!((last.name.as_str(), last.is_quarantined(), count(&played, last, "games")), ("m1", true, 0));
    assert_eq!((last.void, played.standings.void), (12, 12), "each of its games, and no other");
    assert!(rows[..3].iter().all(|row| !row.is_quarantined() && row.void == 4));
    assert!(played.standings.to_table().contains("QUARANTINED"));
    // The others' wins and losses against each other are the same as without it.
    let alone = place.run("alone", 2, 2, HARMLESS);
    let place_alone = |name: &str| alone.standings.rows.iter().position(|row| row.name == name).unwrap();
    let alone_crosstable = alone.standings.crosstable.as_ref().unwrap();
    for (row, against) in rows.iter().zip(crosstable).take(3) {
        for (opponent, tally) in rows.iter().zip(against).take(3) {
            assert_eq!(*tally, alone_crosstable[place_alone(&row.name)][place_alone(&opponent.name)]);
        }
        assert_eq!(count(&played, row, "played"), 8);
    }
}

#[test]
fn a_bot_that_kills_now_and_then_gives_the_same_bytes_whatever_the_threads_and_restarts() {
    let place = Place::new();
    let id = place.id(1);
    // Some of its games have such a move.
    let poisoned = Plan { per_mille: 10, bot: Some(&id), ..HARMLESS };
    let played = place.run("one", 4, 1, poisoned);
    let from = {
        let folder = place.folder("one", 4, &place.workers("one", poisoned));
        let quarantined: Vec<(String, usize)> =
            folder.quarantined().map(|(name, from)| (name.to_string(), from)).collect();
        assert_eq!(quarantined.len(), 1);
        assert_eq!(quarantined[0].0, "m1");
        quarantined[0].1
    };
    let m1 = played.standings.rows.last().unwrap();
    assert!(m1.is_quarantined() && count(&played, m1, "games") > 0 && m1.void > 1, "some of its games count: {m1:?}");
    let verified =
        verify_folder(&place.path("one"), None, &*place.workers("v", HARMLESS), Depth::Everything, 2, |_| {});
    let verified = verified.unwrap();
    assert_eq!(u32::try_from(verified.coverage.void), Ok(played.standings.void));
    // On a machine where no process dies, it says what would be.
    let Finding::NotConfirmed(not_confirmed) = verified.finding else { panic!("{:?}", verified.finding) };
    assert_eq!(not_confirmed.games.iter().map(|end| end.game).collect::<Vec<_>>(), [from]);
    assert!(not_confirmed.games[0].outcome.is_some() && not_confirmed.games[0].entrants.contains(&"m1".into()));
    assert_eq!(not_confirmed.standings, place.run("harmless", 4, 2, HARMLESS).standings);
    // Where they die again, all is as it was said.
    let verified =
        verify_folder(&place.path("one"), None, &*place.workers("w", poisoned), Depth::Everything, 2, |_| {});
    assert_eq!(verified.unwrap().finding, Finding::Identical);
    place.run("four", 4, 4, poisoned);
    assert_eq!(place.results("four"), place.results("one"));
    // Stopped and resumed: the void game is remembered, and nothing is played twice.
    let journal = fs::read_to_string(place.path("four/journal")).unwrap();
    let lines: Vec<&str> = journal.split_inclusive('\n').collect();
    for kept in [1, lines.len() / 2, lines.len()] {
        let name = format!("stopped{kept}");
        let host = place.workers(&name, poisoned);
        drop(place.folder(&name, 4, &host));
        fs::write(place.path(&name).join("journal"), lines[..kept].concat()).unwrap();
        place.folder(&name, 4, &host).run(2, |_| {}).unwrap();
        assert_eq!(place.results(&name), place.results("one"));
    }
    let archive = Archive::open(&place.path("one")).unwrap();
    assert!(matches!(archive.record(from), Err(ArchiveError::Void(number)) if number == from));
}

#[test]
fn a_game_whose_workers_were_killed_from_outside_is_void_and_nobody_is_quarantined() {
    let place = Place::new();
    let id = place.id(1);
    // Three deaths in all: those of the three times that the first such game is played. Alone, its bot survives.
    let played =
        place.run("outside", 1, 1, Plan { per_mille: 1_000, times_per_seat: 3, deaths_max: 3, bot: Some(&id) });
    assert_eq!(played.standings.void, 1);
    assert!(played.standings.rows.iter().all(|row| !row.is_quarantined()));
    assert_eq!(played.standings.rows.iter().map(|row| row.void).sum::<u32>(), 2);
    assert_eq!(played.standings.total("games_counted"), Some(&Value::Count(11)));
}
