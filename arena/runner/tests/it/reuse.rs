//! Games that were played in another tournament are taken from it: the same bytes as if they were played.

use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use arena_record::Budgets;
use arena_runner::{
    Contender, Depth, Ended, Finding, Finished, Fixture, Folder, FolderError, GameError, Host, InProcess, LoadError,
    Played, Proof, VoidGame, verify_folder,
};
use arena_sandbox::Sandbox;
use arena_tournaments::Definition;

use crate::tree::files;

/// A bot of the gallery. Only the process of a bot can die, which makes a game void.
const MODULE: &str = "marshal";

/// Counts the games that are really played.
struct Counting {
    host: InProcess,
    played: AtomicUsize,
    /// Whether the next game ends without a result.
    is_void: AtomicBool,
}

impl Host for Counting {
    fn load(&self, bytes: &[u8], budgets: &Budgets) -> Result<Contender, LoadError> {
        self.host.load(bytes, budgets)
    }

    fn play(&self, game: &Fixture<'_>) -> Result<Finished, GameError> {
        self.played.fetch_add(1, Ordering::Relaxed);
        if self.is_void.swap(false, Ordering::Relaxed) {
            let void = VoidGame { tries: 3, quarantined: Vec::new() };
            return Ok(Finished::new(Ended::Void(void), 3));
        }
        self.host.play(game)
    }
}

struct Place {
    folder: tempfile::TempDir,
    host: Arc<Counting>,
}

impl Place {
    fn new() -> Place {
        let host = InProcess::new(Sandbox::new().unwrap());
        let host = Counting { host, played: AtomicUsize::new(0), is_void: AtomicBool::new(false) };
        Place { folder: tempfile::tempdir().unwrap(), host: Arc::new(host) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self, name: &str, keys: &str, entrants: &[&str]) -> Folder {
        let source = |name: &str| if name == MODULE { "gallery" } else { "baseline" };
        let entrant = |name: &&str| format!("[[entrants]]\nname = \"{name}\"\n{} = \"{name}\"\n", source(name));
        let entrants: String = entrants.iter().map(entrant).collect();
        let definition = Definition::parse(&format!("name = \"t\"\nruleset = \"war-of-life@1\"\n{keys}\n{entrants}"));
        let host: Arc<dyn Host> = self.host.clone();
        Folder::open(&self.path(name), &definition.unwrap(), self.folder.path(), &host).unwrap().0
    }

    /// Plays it with games of these folders; how many were really played.
    fn run(&self, name: &str, keys: &str, entrants: &[&str], from: &[&str]) -> (Played, usize) {
        let before = self.host.played.load(Ordering::Relaxed);
        let mut folder = self.open(name, keys, entrants);
        folder.reuse(&from.iter().map(|from| self.path(from)).collect::<Vec<_>>(), Proof::Rules).unwrap();
        let played = folder.run(2, |_| {}).unwrap();
        (played, self.host.played.load(Ordering::Relaxed) - before)
    }

    fn refused(&self, from: &Path) -> FolderError {
        self.open("new", "seed = 5\npairs = 1", &["random", "land-grab"])
            .reuse(&[from.into()], Proof::Rules)
            .unwrap_err()
    }
}

fn said(error: &dyn Error) -> String {
    error.source().map_or_else(|| error.to_string(), |source| format!("{error}: {}", said(source)))
}

#[test]
fn only_what_is_new_is_played_and_the_bytes_are_those_of_a_tournament_that_played_all() {
    let place = Place::new();
    let (three, four) = (&["random", "bloodlust", "land-grab"][..], &["random", "bloodlust", "land-grab", "minimax"]);
    assert_eq!(place.run("three", "seed = 5\npairs = 2", three, &[]).1, 12);
    for (name, keys, entrants, new) in [
        ("late", "seed = 5\npairs = 2", &four[..], 12),
        ("without", "seed = 5\npairs = 2", &three[1..], 0),
        ("more", "seed = 5\npairs = 3", three, 6),
        ("swiss", "seed = 5\nformat = \"swiss\"\npairs = 2\nrounds = 2", three, 0),
        ("other-seed", "seed = 6\npairs = 2", three, 12),
        ("other-budget", "seed = 5\npairs = 2\nbudgets = { fuel_per_move = 1_000_000 }", three, 12),
    ] {
        let (played, really) = place.run(name, keys, entrants, &["three"]);
        assert_eq!((really, played.taken), (new, played.games - new), "{name}");
        let fresh = format!("{name}-fresh");
        place.run(&fresh, keys, entrants, &[]);
        assert!(files(&place.path(name).join("results")) == files(&place.path(&fresh).join("results")), "{name}");
        let verified = verify_folder(&place.path(name), None, &*place.host, Depth::Everything, 2, |_| {}).unwrap();
        assert_eq!((verified.finding, verified.coverage.played), (Finding::Identical, played.games), "{name}");
    }
    // From several folders, one of which is not finished.
    assert_eq!(place.run("all", "seed = 5\npairs = 3", &four[..], &["late", "more"]).1, 6);
}

#[test]
fn a_forged_game_that_follows_the_rules_is_reused_unless_it_has_to_be_proved() {
    let place = Place::new();
    let (keys, two) = ("seed = 5\npairs = 2", &[MODULE, "random"]);
    place.run("old", keys, two, &[]);
    let mut proved = place.open("proved", keys, two);
    proved.reuse(&[place.path("old")], Proof::Played).unwrap();
    assert_eq!(proved.run(2, |_| {}).unwrap().taken, 4);
    let journal = place.path("old").join("journal");
    let text = fs::read_to_string(&journal).unwrap();
    let mut forged = String::new();
    let mut changed = None;
    for line in text.split_inclusive('\n') {
        let (number, Ended::Played(mut record)) = Ended::parse_line(line.as_bytes()).unwrap() else { panic!("void") };
        // What a turn cost is no rule's matter.
        let fuel = record.turns.iter_mut().flat_map(|turn| &mut turn.plays).find_map(|play| play.fuel.as_mut());
        *fuel.unwrap() += 1;
        changed.get_or_insert(number);
        forged += &Ended::Played(record).to_line(number);
    }
    fs::write(&journal, forged).unwrap();
    assert_eq!(place.run("by-rules", keys, two, &["old"]).1, 0);
    let mut refused = place.open("refused", keys, two);
    refused.reuse(&[place.path("old")], Proof::Played).unwrap();
    let error = refused.run(1, |_| {}).map(|_| ()).unwrap_err();
    let said = said(&error);
    assert!(
        matches!(error, FolderError::NotPlayedSo { .. }) && said.contains("old") && said.contains("fuel"),
        "{said}"
    );
}

#[test]
fn a_void_game_is_played_instead_of_taken() {
    let place = Place::new();
    let (keys, two) = ("seed = 5\npairs = 2", &[MODULE, "random"]);
    place.host.is_void.store(true, Ordering::Relaxed);
    let (old, _) = place.run("old", keys, two, &[]);
    assert_eq!((old.standings.void, old.games), (1, 4));
    let (new, really) = place.run("new", keys, two, &["old"]);
    assert_eq!((really, new.taken, new.standings.void), (1, 3, 0));
    place.run("fresh", keys, two, &[]);
    assert!(files(&place.path("new").join("results")) == files(&place.path("fresh").join("results")));
}

#[test]
fn a_bad_folder_is_refused_by_name_before_anything_is_played() {
    let place = Place::new();
    place.run("old", "seed = 5\npairs = 1", &["random", "land-grab"], &[]);
    let before = place.host.played.load(Ordering::Relaxed);
    let old = place.path("old");
    let refused = |name: &str| {
        let said = said(&place.refused(&place.path(name)));
        assert!(said.contains(name), "{said}");
        said
    };
    let copy = |name: &str| {
        for (file, bytes) in files(&old) {
            let file = place.path(name).join(file);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(file, bytes).unwrap();
        }
        place.path(name)
    };
    assert!(refused("nowhere").contains("no tournament has started"));
    let journal = copy("cut").join("journal");
    let text = fs::read_to_string(&journal).unwrap();
    fs::write(&journal, text.replacen("turns", "turms", 1)).unwrap();
    assert!(refused("cut").contains("line 1 of the journal is damaged"));
    // A change with a correct checksum.
    let journal = copy("forged").join("journal");
    let line = text.lines().next().unwrap().to_owned() + "\n";
    let (number, Ended::Played(mut record)) = Ended::parse_line(line.as_bytes()).unwrap() else { panic!("void") };
    record.outcome.tally[0] += 1;
    fs::write(&journal, Ended::Played(record).to_line(number)).unwrap();
    assert!(refused("forged").contains(&format!("game {number}")), "the one that ended first");
    let manifest = copy("other").join("manifest.json");
    let text = fs::read_to_string(&manifest).unwrap();
    let at = text.find("\"semantics\": \"").unwrap() + "\"semantics\": \"".len();
    let other = format!("{}{}{}", &text[..at], "0".repeat(64), &text[at + 64..]);
    fs::write(&manifest, other).unwrap();
    assert!(refused("other").contains("under semantics 0000000000000000"));
    assert_eq!(place.host.played.load(Ordering::Relaxed), before);
}
