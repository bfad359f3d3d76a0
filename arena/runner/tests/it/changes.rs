//! Late entry, withdrawal and disqualification in every format: the same bytes whatever the threads and stops, and
//! verified.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_runner::{
    Change, ChangeError, ChangeKind, Coverage, Depth, Finding, Folder, FolderError, Host, InProcess, Survey, Verified,
    verify_folder,
};
use arena_sandbox::Sandbox;
use arena_tournaments::{Definition, EntrantSpec, Fate, Leave, Source};
use sha2::{Digest, Sha256};

use crate::tree::files;

/// Each format, and whether one may enter after the first game.
const FORMATS: [(&str, bool); 8] = [
    ("format = \"round-robin\"\npairs = 1", true),
    ("format = \"round-robin\"\npairs = 1\nstop = { top = 1, confidence = 0.6, max-pairs = 16 }", true),
    ("format = \"gauntlet\"\npairs = 2", true),
    ("format = \"swiss\"\npairs = 1\nrounds = 4", true),
    ("format = \"knockout\"\npairs = 1\nfurther-pairs = 2", false),
    ("format = \"double-knockout\"\npairs = 1\nfurther-pairs = 1", false),
    ("format = \"ladder\"\nrounds = 5", true),
    (FIELD, false),
];
const FIELD: &str = "format = \"field\"\ngames = 5\noptions = \"seats=3\"";

const NAMES: [&str; 5] = ["random", "bloodlust", "self-preservation", "land-grab", "minimax"];

struct Place {
    folder: tempfile::TempDir,
    host: Arc<dyn Host>,
}

impl Place {
    fn new() -> Place {
        Place { folder: tempfile::tempdir().unwrap(), host: Arc::new(InProcess::new(Sandbox::new().unwrap())) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn start(&self, name: &str, format: &str) -> Folder {
        let (ruleset, bots) = match format {
            FIELD => ("game-of-game-of-life@1", ["random", "nothing", "greedy", "safety", "nothing"]),
            _ => ("war-of-life@1", NAMES),
        };
        let entrant = |(name, bot): (&str, &str)| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{bot}\"\n");
        let entrants: String = NAMES.into_iter().zip(bots).map(entrant).collect();
        let head = format!("name = \"changes\"\nruleset = \"{ruleset}\"\nseed = 5\n");
        let definition = Definition::parse(&format!("{head}{format}\n{entrants}")).unwrap();
        Folder::open(&self.path(name), &definition, self.folder.path(), &self.host).unwrap().0
    }

    /// A tournament after a number of games, played in the order of the schedule.
    fn begin(&self, name: &str, format: &str, games: usize) {
        self.start(name, format).run(1, |_| {}).unwrap();
        let journal = self.path(name).join("journal");
        let text = fs::read_to_string(&journal).unwrap();
        fs::write(&journal, text.split_inclusive('\n').take(games).collect::<String>()).unwrap();
        fs::remove_file(self.path(name).join("index")).unwrap();
        fs::remove_dir_all(self.path(name).join("results")).unwrap();
    }

    fn resume(&self, name: &str) -> Folder {
        Folder::resume(&self.path(name), &self.host).unwrap().0
    }

    /// Plays at most this many games; returns whether the tournament is over.
    fn play(&self, name: &str, threads: usize, games: usize) -> bool {
        let mut played = 0;
        let stop = |_| {
            played += 1;
            if played < games { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        };
        self.resume(name).run_until(threads, stop).unwrap().is_continue()
    }

    fn copy(&self, from: &str, to: &str) {
        for (file, bytes) in files(&self.path(from)) {
            let file = self.path(to).join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        fs::create_dir_all(self.path(to).join("entrants")).unwrap();
    }

    fn verify(&self, name: &str) -> Verified {
        verify_folder(&self.path(name), None, &*self.host, Depth::Everything, 2, |_| {}).unwrap()
    }
}

fn late(name: &str) -> EntrantSpec {
    EntrantSpec::new(name.into(), Source::Baseline("bloodlust".into())).unwrap()
}

fn refused(changed: Result<Change, FolderError>) -> ChangeError {
    match changed {
        Err(FolderError::Change(error)) => error,
        other => panic!("not refused: {other:?}"),
    }
}

/// Whether an entrant sits in a game of a round that counts or is open, from this round on.
fn plays_from(place: &Place, folder: &str, entrant: &str, round: usize) -> bool {
    let survey = Survey::open(&place.path(folder)).unwrap();
    let index = survey.entrants().iter().position(|one| one.name == entrant).unwrap();
    let plays = |fate: Fate| matches!(fate, Fate::Counted | Fate::Open);
    survey.games().any(|(game, fate)| game.round >= round && plays(fate) && game.seats.values().contains(&index))
}

#[test]
fn results_follow_from_the_changes_whatever_the_threads_and_verify_applies_them() {
    let place = Place::new();
    for (number, (format, late_entry)) in FORMATS.iter().enumerate() {
        let [name, copy] = ["a", "b"].map(|name| format!("{number}{name}"));
        place.begin(&name, format, 3);
        let withdrawn = place.resume(&name).withdraw("minimax", "its author asked").unwrap();
        let disqualified = place.resume(&name).disqualify("random", "it was copied").unwrap();
        assert_eq!(withdrawn.round, disqualified.round);
        let entered = place.resume(&name).add(&late("newcomer"), place.folder.path(), "a slow post");
        let entered = late_entry.then(|| entered.as_ref().unwrap().round);
        place.copy(&name, &copy);
        while !place.play(&name, 1, usize::MAX) {}
        for threads in (1..=3).cycle() {
            if place.play(&copy, threads, 5) {
                break;
            }
        }
        assert!(files(&place.path(&name).join("results")) == files(&place.path(&copy).join("results")), "{format}");
        for gone in ["minimax", "random"] {
            assert!(!plays_from(&place, &name, gone, withdrawn.round), "{format}: {gone}");
        }
        if let Some(round) = entered {
            // In a gauntlet the newcomer would meet the first entrant, which is out.
            let meets = !format.contains("gauntlet");
            assert_eq!(plays_from(&place, &name, "newcomer", round), meets, "{format}");
            assert!(!plays_from(&place, &name, "newcomer", 0) || meets);
        }
        let standings = Survey::open(&place.path(&name)).unwrap().standings();
        // Who withdrew before half of its games is listed behind, without a rank.
        let last = standings.rows.iter().rfind(|row| row.rank.0.is_some()).unwrap();
        assert_eq!((last.name.as_str(), last.left), ("random", Some(Leave::Disqualified)), "{format}");
        assert!(standings.to_csv().lines().next().unwrap().ends_with(",quarantined,left"), "{format}");
        let Verified { finding, coverage: Coverage { changes, .. } } = place.verify(&copy);
        assert_eq!((finding, changes.len()), (Finding::Identical, 2 + usize::from(*late_entry)), "{format}");
        // Nobody can verify it without the changes, or with them at another place.
        let journal = place.path(&copy).join("journal");
        let text = fs::read_to_string(&journal).unwrap();
        let (changes, games): (Vec<&str>, Vec<&str>) =
            text.split_inclusive('\n').partition(|line| line.contains(" change {"));
        let write = |lines: &[&[&str]]| fs::write(&journal, lines.concat().concat()).unwrap();
        for forged in [&[&games[..]][..], &[&games[..], &changes[..]], &[&games[..], &changes[1..]]] {
            write(forged);
            assert!(matches!(place.verify(&copy).finding, Finding::Damaged { .. } | Finding::Differs(_)), "{format}");
        }
    }
}

#[test]
fn a_field_is_dealt_to_those_who_are_there_before_its_first_game() {
    let place = Place::new();
    drop(place.start("one", FIELD));
    let newcomer = EntrantSpec::new("newcomer".into(), Source::Baseline("greedy".into())).unwrap();
    let newcomer = newcomer.displayed(Some("Team Röck & Co.".into())).unwrap();
    place.resume("one").add(&newcomer, place.folder.path(), "a slow post").unwrap();
    place.resume("one").withdraw("minimax", "its author asked").unwrap();
    place.resume("one").run(2, |_| {}).unwrap();
    assert!(plays_from(&place, "one", "newcomer", 0) && !plays_from(&place, "one", "minimax", 0));
    let standings = Survey::open(&place.path("one")).unwrap().standings();
    assert!(standings.to_table().contains("  Team Röck & Co.  "), "{}", standings.to_table());
    assert!(standings.to_csv().contains(",newcomer,") && standings.to_csv().contains(",Team Röck & Co.\n"));
    let seats = |count: usize| {
        let survey = Survey::open(&place.path("one")).unwrap();
        survey.games().filter(|(game, fate)| *fate == Fate::Counted && game.seats.values().len() == count).count()
    };
    assert!(seats(3) > 0 && seats(2) > 0, "{} games of three, {} of two", seats(3), seats(2));
    assert_eq!(place.verify("one").finding, Finding::Identical);
}

#[test]
fn what_cannot_be_changed_is_refused_with_a_sentence_and_changes_nothing() {
    let place = Place::new();
    place.begin("one", FORMATS[3].0, 3);
    let base = place.folder.path();
    let before = files(&place.path("one"));
    let said = refused(place.resume("one").withdraw("nobody", "why"));
    assert_eq!(said.to_string(), "there is no entrant \"nobody\"");
    for (reason, name) in [("", "minimax"), ("two\nlines", "minimax")] {
        assert_eq!(refused(place.resume("one").withdraw(name, reason)), ChangeError::Reason);
    }
    let said = refused(place.resume("one").add(&late("minimax"), base, "why"));
    assert_eq!(said, ChangeError::Twice("minimax".into()));
    assert!(files(&place.path("one")) == before);
    place.resume("one").withdraw("minimax", "why").unwrap();
    let said = refused(place.resume("one").withdraw("minimax", "again"));
    assert_eq!(said.to_string(), "\"minimax\" is withdrawn already");
    // What it did may come to light later, once.
    place.resume("one").disqualify("minimax", "it was copied").unwrap();
    let said = refused(place.resume("one").disqualify("minimax", "again"));
    assert_eq!(said.to_string(), "\"minimax\" is disqualified already");
    place.resume("one").run(2, |_| {}).unwrap();
    assert_eq!(refused(place.resume("one").withdraw("random", "why")), ChangeError::Over);
    let said = refused(place.resume("one").add(&late("newcomer"), base, "why"));
    assert_eq!(said.to_string(), "nobody can enter any more: in the format \"swiss\" entrants come before round 4");
    assert_eq!(place.verify("one").finding, Finding::Identical);
    // After the end one may still be disqualified: results are written again.
    place.resume("one").disqualify("random", "it was copied, too").unwrap();
    assert!(matches!(place.verify("one").finding, Finding::Incomplete(_)));
    place.resume("one").run(1, |_| {}).unwrap();
    assert_eq!(place.verify("one").finding, Finding::Identical);
}

#[test]
fn a_round_that_has_started_cannot_be_changed_by_a_forged_line_either() {
    let place = Place::new();
    place.begin("one", FORMATS[3].0, 5);
    let change = place.resume("one").withdraw("minimax", "why").unwrap();
    assert!(change.round > 0);
    let journal = place.path("one").join("journal");
    let text = fs::read_to_string(&journal).unwrap();
    let rest = format!("change {}\n", serde_json::to_string(&change).unwrap())
        .replace(&format!("\"round\":{}", change.round), &format!("\"round\":{}", change.round - 1));
    let sum: String = Sha256::digest(&rest)[..8].iter().map(|byte| format!("{byte:02x}")).collect();
    let (games, _) = text.rsplit_once(&text.lines().last().unwrap().to_owned()).unwrap();
    fs::write(&journal, format!("{games}{sum} {rest}")).unwrap();
    let Finding::Damaged { flaw, .. } = place.verify("one").finding else { panic!("believed") };
    let said = flaw.to_string();
    // What is wrong depends on which games were played: with other games in the round, these are not the schedule's any
    // more.
    let refused = ["has started already", "another tournament", "not those of this game in the schedule"];
    assert!(refused.iter().any(|words| said.contains(words)), "{said}");
}

#[test]
fn a_late_bots_bytes_are_in_the_folder_and_an_entry_that_was_killed_leaves_none() {
    let place = Place::new();
    place.begin("one", FORMATS[0].0, 3);
    let module = wat::parse_str(
        r#"(module (memory (export "memory") 1)
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func (export "arena_turn") (param i32) (result i64) (i64.const 0)))"#,
    );
    fs::write(place.path("late.wasm"), module.unwrap()).unwrap();
    // As a kill leaves it before the line is written.
    let stray = place.path("one").join(format!("entrants/{}.wasm", "0".repeat(64)));
    fs::write(&stray, "half").unwrap();
    let spec = EntrantSpec::new("late".into(), Source::File("late.wasm".into())).unwrap();
    let change = place.resume("one").add(&spec, place.folder.path(), "it compiled at last").unwrap();
    let ChangeKind::Added { id, .. } = change.what else { panic!("another change") };
    assert!(!stray.exists());
    place.resume("one").run(2, |_| {}).unwrap();
    assert_eq!(place.verify("one").finding, Finding::Identical);
    let bot = place.path("one").join(format!("entrants/{}.wasm", id.hash().unwrap()));
    let mut bytes = fs::read(&bot).unwrap();
    bytes.push(0);
    fs::write(&bot, bytes).unwrap();
    assert!(matches!(place.verify("one").finding, Finding::Damaged { .. }));
    fs::remove_file(Path::new(&bot)).unwrap();
    assert!(matches!(place.verify("one").finding, Finding::Damaged { .. }));
}
