//! Laws of tournaments whose games have more than two seats.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_record::Record;
use arena_runner::{Archive, Depth, Finding, Folder, FolderError, Host, InProcess, verify_folder};
use arena_sandbox::Sandbox;
use arena_tournaments::{Definition, Row, Standings, Value};

use crate::tree::files;

/// Always passes: its block lives for ever.
const STILL: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x300000000)))"#;

/// Kills its first cell, turn after turn; the other three of its block bear it again. The board of twelve by twelve
/// begins at byte 80.
const RESTLESS: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (local $cell i32)
        (loop $next
            (if (i32.ne (i32.load8_u (i32.add (i32.const 1104) (local.get $cell)))
                        (i32.add (i32.load8_u (i32.const 1026)) (i32.const 1)))
                (then (local.set $cell (i32.add (local.get $cell) (i32.const 1))) (br $next))))
        (i32.store8 (i32.const 3) (i32.div_u (local.get $cell) (i32.const 12)))
        (i32.store8 (i32.const 4) (i32.rem_u (local.get $cell) (i32.const 12)))
        (i64.const 0x500000000)))"#;

/// Plays off the board: forfeits its first turn.
const QUITTER: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\0c\0c")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x500000000)))"#;

/// Passes, after some 30,000 units of fuel.
const SPENDER: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (local $left i32)
        (local.set $left (i32.const 5000))
        (loop $again (br_if $again (local.tee $left (i32.sub (local.get $left) (i32.const 1)))))
        (i64.const 0x300000000)))"#;

/// The bank is enough for less than twenty of the spender's turns.
const BANK: u64 = 400_000;

const GAMES: usize = 6;
const CAGES: usize = 4 * 3;

fn definition(lines: &str) -> Definition {
    let entrants = ["still", "restless", "quitter", "spender"];
    let entrants: String =
        entrants.iter().map(|name| format!("[[entrants]]\nname = \"{name}\"\nfile = \"{name}.wasm\"\n")).collect();
    let head = "name = \"field\"\nruleset = \"game-of-game-of-life@1\"\nseed = 3\npairs = 1\n";
    let text = format!("{head}{lines}[budgets]\nfuel_per_game = {BANK}\n{entrants}");
    Definition::parse(&text).unwrap()
}

struct Place {
    folder: tempfile::TempDir,
    host: Arc<dyn Host>,
}

impl Place {
    fn new() -> Place {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in [("still", STILL), ("restless", RESTLESS), ("quitter", QUITTER), ("spender", SPENDER)] {
            fs::write(folder.path().join(format!("{name}.wasm")), wat::parse_str(text).unwrap()).unwrap();
        }
        Place { folder, host: Arc::new(InProcess::new(Sandbox::new().unwrap())) }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn open(&self, name: &str, lines: &str) -> Result<Folder, FolderError> {
        Folder::open(&self.path(name), &definition(lines), self.folder.path(), &self.host).map(|(folder, _)| folder)
    }
}

const LINES: &str = "options = \"seats=3\"\nformat = \"field\"\ngames = 6\n";

fn mean(standings: &Standings, row: &Row) -> i64 {
    match standings.value(row, "score") {
        Some(Value::Share(share)) => share.mean,
        other => panic!("{other:?}"),
    }
}

fn told(standings: &Standings, row: &Row, column: &str) -> String {
    standings.value(row, column).unwrap().to_string()
}

/// The results of a finished tournament, and the record of each of its games.
fn derived(tournament: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let archive = Archive::open(tournament).unwrap();
    let record = |number: usize| (format!("{number}").into(), archive.record(number).unwrap().to_text().into());
    let records = archive.numbers().map(|number| record(number.unwrap()));
    files(&tournament.join("results")).into_iter().chain(records).collect()
}

#[test]
fn a_field_is_played_stopped_and_verified_like_any_tournament() {
    let place = Place::new();
    let mut folder = place.open("one", LINES).unwrap();
    let played = folder.run(1, |_| {}).unwrap();
    assert_eq!(played.games, GAMES + CAGES);
    for (number, record) in folder.records().map(Result::unwrap) {
        let (seats, options) = if number < GAMES { (3, "seats=3") } else { (2, "seats=2") };
        assert_eq!((record.header.entrants.len(), &*record.header.options), (seats, options), "game {number}");
    }
    drop(folder);
    let table = &played.standings;
    for (name, count) in [("seats", 3), ("games_counted", GAMES), ("cage_games_counted", CAGES)] {
        assert_eq!(table.total(name), Some(&Value::Count(count as u32)), "{name}");
    }
    // The living share the board; a forfeit has no share.
    let quitter = table.rows.last().unwrap();
    assert_eq!((quitter.name.as_str(), mean(table, quitter)), ("quitter", 0));
    assert_eq!(told(table, quitter, "forfeits"), told(table, quitter, "games"));
    assert!(table.rows[..3].iter().all(|row| mean(table, row) > 0 && told(table, row, "forfeits") == "0"));

    let results = derived(&place.path("one"));
    assert!(results.len() == GAMES + CAGES + 7, "{:?}", results.keys());
    // Stopped after five games, and resumed with more threads.
    let mut stopped = place.open("stopped", LINES).unwrap();
    let stop = |progress: arena_runner::Progress| match progress.played {
        ..5 => std::ops::ControlFlow::Continue(()),
        _ => std::ops::ControlFlow::Break(()),
    };
    assert!(stopped.run_until(1, stop).unwrap().is_break());
    drop(stopped);
    place.open("stopped", LINES).unwrap().run(4, |_| {}).unwrap();
    assert_eq!(derived(&place.path("stopped")), results);

    let verified = verify_folder(&place.path("one"), None, &*place.host, Depth::Everything, 2, |_| {}).unwrap();
    assert!(matches!(verified.finding, Finding::Identical), "{:?}", verified.finding);
}

#[test]
fn an_empty_bank_passes_and_is_no_forfeit() {
    let place = Place::new();
    let mut folder = place.open("bank", LINES).unwrap();
    folder.run(2, |_| {}).unwrap();
    let spender = folder.entrants().iter().find(|entrant| entrant.name == "spender").unwrap().id.clone();
    let mut seen = 0;
    for (_, record) in folder.records().map(Result::unwrap) {
        let Some(seat) = record.header.entrants.iter().position(|id| *id == spender) else { continue };
        assert_eq!(record.header.budgets.fuel_per_game, Some(BANK));
        let fuel: Vec<u64> = plays(&record, seat as u8);
        let spent: u64 = fuel.iter().sum();
        assert!(!record.forfeits.iter().any(|forfeit| usize::from(forfeit.seat) == seat));
        if fuel.len() < 30 {
            continue;
        }
        seen += 1;
        assert_eq!(spent, BANK, "all of the bank, and no unit more");
        let paid = fuel.iter().take_while(|fuel| **fuel > 0).count();
        assert!(paid < 20 && fuel[paid..].iter().all(|fuel| *fuel == 0), "{fuel:?}");
    }
    assert!(seen > 0, "no game was long enough");
}

/// Fuel of a seat, turn by turn.
fn plays(record: &Record, seat: u8) -> Vec<u64> {
    let plays = record.turns.iter().flat_map(|turn| &turn.plays).filter(|play| play.seat == seat);
    plays.map(|play| play.fuel.unwrap()).collect()
}

#[test]
fn a_definition_must_fit_the_number_of_seats() {
    let place = Place::new();
    let refused = |lines: &str| place.open("refused", lines).err().unwrap().to_string();
    let field = "format = \"field\"\ngames = 6\n";
    assert!(refused("options = \"seats=3\"\n").contains("how many `games`"));
    assert!(refused(&format!("options = \"seats=2\"\n{field}")).contains("leave `games` out"));
    assert!(refused(&format!("options = \"seats=9\"\n{field}")).contains("9 seats and there are 4 entrants"));
    // Two seats are a tournament of pairs.
    let played = place.open("two", "options = \"seats=2\"\n").unwrap().run(2, |_| {}).unwrap();
    assert_eq!((played.games, played.standings.crosstable.is_some()), (CAGES, true));
}
