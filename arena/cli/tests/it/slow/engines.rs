//! Games of the gallery in both engines: one answer.
#![cfg(feature = "wasmi")]

use std::fs;
use std::path::{Path, PathBuf};

use arena_record::Record;
use arena_released::{ALL, Released};
use arena_runner::Named;
use arena_wire::GAMES;

use crate::program::{arena, code, err, out};

/// A folder with a bot's file and the records of a pair of its games against the weakest opponent.
struct Games {
    folder: tempfile::TempDir,
    records: Vec<PathBuf>,
}

impl Games {
    fn of(bot: &Released) -> Games {
        let folder = tempfile::tempdir().unwrap();
        let game = GAMES.iter().find(|game| game.ruleset == bot.ruleset).unwrap();
        let weakest = Named::all(bot.ruleset).next().unwrap().name();
        let (file, records) = (folder.path().join("bot.wasm"), folder.path().join("records"));
        fs::write(&file, bot.bytes).unwrap();
        let (file, into) = (file.to_str().unwrap(), records.to_str().unwrap());
        let played = arena(&["play", file, weakest, "--game", game.name(), "--games", "2", "--records", into]);
        assert!(code(&played) < 2, "{}", err(&played));
        let mut records: Vec<PathBuf> = fs::read_dir(into).unwrap().map(|entry| entry.unwrap().path()).collect();
        records.retain(|path| path.file_name().unwrap() != "names.json");
        records.sort();
        Games { folder, records }
    }

    /// The exit code and what is said.
    fn verify(&self, record: &Path, engine: &str) -> (i32, String) {
        let bots = self.folder.path().to_str().unwrap();
        let verified = arena(&["verify", record.to_str().unwrap(), "--bots", bots, "--engine", engine]);
        (code(&verified), out(&verified) + &err(&verified))
    }
}

/// Both engines verify a game of each bot of a third of the gallery.
fn both_verify(third: usize) {
    for bot in ALL.iter().skip(third).step_by(3) {
        let games = Games::of(bot);
        let [compiled, interpreted] = ["wasmtime", "wasmi"].map(|engine| games.verify(&games.records[0], engine));
        assert_eq!(compiled, interpreted, "{}", bot.name);
        assert!(compiled.0 == 0 && compiled.1.contains("identical"), "{}: {compiled:?}", bot.name);
    }
}

#[test]
fn games_of_the_gallery_are_the_same_in_both_engines() {
    both_verify(0);
}

#[test]
fn games_of_the_gallerys_second_third_are_the_same_in_both_engines() {
    both_verify(1);
}

#[test]
fn games_of_the_gallerys_last_third_are_the_same_in_both_engines() {
    both_verify(2);
}

#[test]
fn another_number_of_fuel_is_found_by_both_engines() {
    let games = Games::of(ALL.iter().find(|bot| bot.name == "mason").unwrap());
    let mut record = Record::parse(&fs::read_to_string(&games.records[0]).unwrap()).unwrap();
    let fuel = record.turns.iter_mut().flat_map(|turn| &mut turn.plays).find_map(|play| play.fuel.as_mut()).unwrap();
    *fuel -= 1;
    let forged = games.folder.path().join("forged.json");
    fs::write(&forged, record.to_text()).unwrap();
    let [compiled, interpreted] = ["wasmtime", "wasmi"].map(|engine| games.verify(&forged, engine));
    assert_eq!(compiled, interpreted);
    assert!(compiled.0 == 1 && compiled.1.contains("fuel"), "{compiled:?}");
}

#[test]
fn vectors_of_the_meter_hold_in_both_engines() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("../meter/tests/golden");
    for engine in ["wasmtime", "wasmi"] {
        let checked = arena(&["conformance", golden.to_str().unwrap(), "--engine", engine]);
        assert!(
            code(&checked) == 0 && out(&checked).contains("meter/stack.jsonl"),
            "{}{}",
            out(&checked),
            err(&checked)
        );
    }
}
