//! A tournament of Life2, by the definition that comes with the arena. Its one game is a whole window: short ones count
//! for no standings, so no tournament has them.

use std::fs;
use std::sync::Arc;

use arena_record::RECORD_BYTES_MAX;
use arena_runner::{Depth, Finding, Folder, Host, InProcess, verify_folder};
use arena_sandbox::Sandbox;
use arena_tournaments::Definition;

const DEFINITION: &str = include_str!("../../../../../tournaments/definitions/life2.toml");
const TURNS: usize = 200;

/// Passes in every turn.
const STILL: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\00\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x400000000)))"#;

/// The definition with one game, in which a module has the place of a built-in opponent.
fn definition() -> Definition {
    let replaced = |text: &str, from: &str, to: &str| {
        assert!(text.contains(from), "{from}");
        text.replace(from, to)
    };
    let fewest = replaced(DEFINITION, "games = 8", "games = 1");
    let idle = "name = \"idle-3\"\nbaseline = \"idle\"";
    Definition::parse(&replaced(&fewest, idle, "name = \"still\"\nfile = \"still.wasm\"")).unwrap()
}

#[test]
fn the_definition_that_comes_with_the_arena_is_played_and_its_folder_verified() {
    let scratch = tempfile::tempdir().unwrap();
    fs::write(scratch.path().join("still.wasm"), wat::parse_str(STILL).unwrap()).unwrap();
    let host: Arc<dyn Host> = Arc::new(InProcess::new(Sandbox::new().unwrap()));
    let (definition, path) = (definition(), scratch.path().join("life2"));
    let short = Definition { options: "seats=9,coins=1000,generations=600".into(), ..definition.clone() };
    assert!(short.to_format().is_err(), "a short game counts for no standings");
    let open = || Folder::open(&path, &definition, scratch.path(), &host).unwrap().0;
    let mut folder = open();
    let played = folder.run(1, |_| {}).unwrap();
    assert_eq!((played.games, played.standings.rows.len()), (1, 9));
    let (_, record) = folder.records().next().unwrap().unwrap();
    assert_eq!((record.header.entrants.len(), record.turns.len()), (9, TURNS));
    assert!(record.forfeits.is_empty(), "{:?}", record.forfeits);
    assert!(record.to_text().len() <= RECORD_BYTES_MAX);
    let first = &played.standings.rows[0];
    assert!(first.name.starts_with("expander") || first.name.starts_with("besieger"), "{}", first.name);
    drop(folder);
    let verified = verify_folder(&path, None, &*host, Depth::Everything, 1, |_| {}).unwrap();
    assert!(matches!(verified.finding, Finding::Identical), "{:?}", verified.finding);
    // All games are played: resuming plays none, and the results are the same.
    let journal = || fs::read(path.join("journal")).unwrap();
    let before = journal();
    assert_eq!(open().run(1, |_| {}).unwrap().standings, played.standings);
    assert_eq!(journal(), before);
}
