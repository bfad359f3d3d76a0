//! Tournaments in which the seed of each round is drawn when its entrants are frozen.

use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_runner::{ChangeError, Contender, Depth, Finding, Folder, FolderError, Host, InProcess, verify_folder};
use arena_sandbox::Sandbox;
use arena_tournaments::{Definition, Draw, EntrantSpec, Secret, SecretChain, Source};

use crate::tree::files;

const NAMES: [&str; 4] = ["random", "bloodlust", "self-preservation", "land-grab"];
const ROUNDS: usize = 3;

fn chain() -> SecretChain {
    SecretChain::new(Secret([9; 32]), ROUNDS + 2)
}

fn secret(round: usize) -> Secret {
    *chain().secret(round).unwrap()
}

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
        let entrant = |name: &str| format!("[[entrants]]\nname = \"{name}\"\nbaseline = \"{name}\"\n");
        let entrants: String = NAMES.into_iter().map(entrant).collect();
        let text = format!("name = \"rounds\"\nruleset = \"war-of-life@1\"\nseed = 0\n{format}\n{entrants}");
        let ids = NAMES.map(|name| Contender::baseline("war-of-life@1", name).unwrap().id());
        let draw = Draw { secret: secret(0), next: None, chain: true };
        let definition =
            Definition { seed: draw.secret.seed(&ids), draw: Some(draw), ..Definition::parse(&text).unwrap() };
        Folder::open(&self.path(name), &definition, self.folder.path(), &self.host).unwrap().0
    }

    fn resume(&self, name: &str) -> Folder {
        Folder::resume(&self.path(name), &self.host).unwrap().0
    }

    /// Plays until a round has to be drawn, pausing after a number of games; returns that round, or `None` at the end.
    fn play(&self, name: &str, threads: usize, games: usize) -> Option<usize> {
        loop {
            let mut played = 0;
            let ran = self.resume(name).run_until(threads, |_| {
                played += 1;
                if played < games { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            });
            match ran {
                Ok(ControlFlow::Break(())) => {}
                Ok(ControlFlow::Continue(_)) => return None,
                Err(FolderError::Undrawn(round)) => return Some(round),
                Err(error) => panic!("{error}"),
            }
        }
    }

    /// The whole tournament, with one who comes before the second round.
    fn whole(&self, name: &str, format: &str, threads: usize, games: usize) {
        self.start(name, format);
        for round in 1..ROUNDS {
            assert_eq!(self.play(name, threads, games), Some(round), "{format}");
            if round == 1 {
                let late = EntrantSpec::new("late".into(), Source::Baseline("minimax".into())).unwrap();
                self.resume(name).add(&late, Path::new(""), "it came late").unwrap();
            }
            let drawn = self.resume(name).draw_round(secret(round)).unwrap();
            assert_eq!((drawn.round, drawn.name(), drawn.word()), (round, None, "drawn"));
        }
        assert_eq!(self.play(name, threads, games), None, "{format}");
    }

    fn verify(&self, name: &str) -> Finding {
        verify_folder(&self.path(name), None, &*self.host, Depth::Everything, 2, |_| {}).unwrap().finding
    }
}

fn refused<T>(changed: Result<T, FolderError>) -> ChangeError {
    match changed {
        Err(FolderError::Change(error)) => error,
        Err(error) => panic!("{error}"),
        Ok(_) => panic!("not refused"),
    }
}

#[test]
fn each_round_has_the_seed_of_its_secret_and_of_who_is_in_whatever_the_threads_and_stops() {
    for format in ["format = \"swiss\"\npairs = 1\nrounds = 3", "format = \"ladder\"\nrounds = 3"] {
        let place = Place::new();
        place.whole("one", format, 1, usize::MAX);
        place.whole("other", format, 3, 2);
        assert!(files(&place.path("one").join("results")) == files(&place.path("other").join("results")), "{format}");
        for name in ["one", "other"] {
            assert_eq!(place.verify(name), Finding::Identical, "{format}");
        }
        let seeds = fs::read_to_string(place.path("one").join("results/seed.json")).unwrap();
        let seeds: serde_json::Value = serde_json::from_str(&seeds).unwrap();
        let later = seeds["rounds"].as_array().unwrap();
        assert_eq!(later.len(), ROUNDS - 1);
        for (round, later) in later.iter().enumerate() {
            let ids: Vec<_> = serde_json::from_value(later["entrants"].clone()).unwrap();
            assert_eq!(ids.len(), NAMES.len() + 1);
            assert_eq!(later["seed"], secret(round + 1).seed(&ids));
            assert_eq!(later["seed_text"], later["seed"].to_string(), "as text, too: JavaScript rounds the number");
        }
    }
}

#[test]
fn a_round_is_drawn_once_with_the_next_secret_and_nobody_enters_it_afterwards() {
    let place = Place::new();
    drop(place.start("cup", "format = \"swiss\"\npairs = 1\nrounds = 3"));
    let late = |name: &str| EntrantSpec::new(name.into(), Source::Baseline("minimax".into())).unwrap();
    let add = |name: &str| place.resume("cup").add(&late(name), Path::new(""), "late");
    let draw = |round| place.resume("cup").draw_round(secret(round));
    assert_eq!(refused(add("early")), ChangeError::Frozen(0), "the seed is drawn from the others");
    assert_eq!(refused(draw(1)), ChangeError::NotDue(1), "the first round is not played");
    assert_eq!(place.play("cup", 2, usize::MAX), Some(1));
    assert!(matches!(place.verify("cup"), Finding::Incomplete(_)));
    assert_eq!(refused(draw(2)), ChangeError::OtherSecret(1));
    add("second").unwrap();
    draw(1).unwrap();
    assert!(matches!(refused(draw(2)), ChangeError::NotDue(_)), "the second round is not played");
    assert_eq!(refused(add("third")), ChangeError::Frozen(1));
    assert_eq!(place.play("cup", 2, usize::MAX), Some(2));
    assert_eq!(add("third").unwrap().round, 2);
    assert_eq!(place.resume("cup").withdraw("random", "its author asked").unwrap().round, 2);
    draw(2).unwrap();
    assert_eq!(place.play("cup", 2, usize::MAX), None);
    assert_eq!(place.verify("cup"), Finding::Identical);

    // Another secret in its place.
    let journal = place.path("cup").join("journal");
    let text = fs::read_to_string(&journal).unwrap();
    let line = text.lines().find(|line| line.contains("drawn")).unwrap();
    let forged = line.replace(&line[line.find("secret\":\"").unwrap() + 9..][..4], "abcd");
    fs::write(&journal, text.replace(line, &forged)).unwrap();
    assert!(matches!(place.verify("cup"), Finding::Damaged { .. }));
}
