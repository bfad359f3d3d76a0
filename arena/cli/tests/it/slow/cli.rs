//! The binary as used by a person or a script.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use arena_record::Budgets;
use arena_runner::{InProcess, Qualification, qualify};
use arena_sandbox::{Sandbox, WALL_MS_DEFAULT};
use arena_wire::GAMES;
use arena_worker::Wall;
use serde_json::Value;

use crate::eventually::eventually_here;
use crate::made_once::made_once;
use crate::process::Process;
use crate::program::{arena, code, err, json, out};

/// Places one cell where four could be placed.
const BOT: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x500000000)))"#;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().into()
}

#[test]
fn the_version_says_the_release_the_build_and_the_semantics_of_every_game() {
    let release = format!("arena {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(out(&arena(&["-V"])), release);
    let mut expected = format!("{release}build: {}\n", arena_runner::build_id());
    for game in GAMES {
        expected += &format!("semantics of {}: {}\n", game.ruleset, arena_runner::semantics_id(game.ruleset));
    }
    assert_eq!(out(&arena(&["--version"])), expected);
}

/// Logs a line that would colour a terminal, reverse its text and break a page, and has an export with such a name.
const RUDE: &str = r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
    (data (i32.const 64) "\1b[31mred\07\r\n<script>alert(1)</script>\e2\80\ae\e2\81\a6\00\ff")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "\1b]0;title\e2\80\ae<b>"))
    (func (export "arena_turn") (param i32) (result i64) (local i32)
        (loop (call $log (i32.const 64) (i32.const 45))
            (br_if 0 (i32.lt_u (local.tee 1 (i32.add (local.get 1) (i32.const 1))) (i32.const 70))))
        (i64.const 0)))"#;

#[test]
fn what_a_bot_logs_is_bounded_and_escaped_where_it_is_shown() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "rude.wasm", wat::parse_str(RUDE).unwrap());
    for arguments in [&["check", &bot][..], &["check", &bot, "--json"]] {
        let told = out(&arena(arguments));
        assert!(told.contains("red") && told.contains("title"), "{told}");
        let is_rude = |c: char| c != '\n' && (c.is_control() || "\u{202e}\u{2066}".contains(c));
        let rude: Vec<char> = told.chars().filter(|c| is_rude(*c)).collect();
        assert_eq!(rude, [], "{told:?}");
    }
    let measured = json(&arena(&["check", &bot, "--json"]))["measured"].clone();
    // Two sample games: each has the 64 lines of a log, and counts the rest.
    for game in measured["games"].as_array().unwrap() {
        assert_eq!((game["log"].as_array().unwrap().len(), &game["log_dropped"]), (64, &6.into()));
    }
}

#[test]
fn limits_are_printed_with_unit_and_reason() {
    let all = json(&arena(&["limits", "--json"]));
    let table = out(&arena(&["limits"]));
    assert!(all.as_array().unwrap().len() > 50);
    for limit in all.as_array().unwrap() {
        for field in ["name", "unit", "reason"] {
            let text = limit[field].as_str().unwrap();
            assert!(!text.is_empty() && table.contains(text), "{limit}");
        }
        assert!(limit["value"].as_u64().unwrap() > 0);
    }
}

#[test]
fn help_names_every_command_and_the_exit_codes() {
    let help = arena(&["--help"]);
    assert_eq!(code(&help), 0);
    for word in ["check", "play", "watch", "tournament", "limits", "replay", "study", "conformance", "Exit codes"] {
        assert!(out(&help).contains(word), "{word}");
    }
    assert_eq!(code(&arena(&["dance"])), 2);
    assert_eq!(code(&arena(&["play", "easy"])), 2);
}

#[test]
fn check_refuses_with_a_code_a_sentence_and_a_hint() {
    let folder = tempfile::tempdir().unwrap();
    let junk = write(folder.path(), "junk.wasm", "not a module");
    let checked = arena(&["check", &junk, "--json"]);
    assert_eq!(code(&checked), 1);
    assert_eq!(json(&checked)["accepted"], false);
    assert_eq!(json(&checked)["code"], "not_wasm");
    assert!(json(&checked)["message"].as_str().unwrap().len() > 10);
    let told = out(&arena(&["check", &junk]));
    assert!(told.contains("REFUSED, not_wasm") && told.contains("hint:"), "{told}");

    let endless = arena(&["check", "/dev/zero", "--json"]);
    assert_eq!(code(&endless), 2);
    assert!(err(&endless).contains("a device"), "{}", err(&endless));

    let missing = arena(&["check", "no/such/file.wasm"]);
    assert_eq!(code(&missing), 2);
    assert!(err(&missing).contains("no/such/file.wasm"));
}

#[test]
fn check_plays_a_sample_and_names_the_forfeit_in_it() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "lazy.wasm", wat::parse_str(BOT).unwrap());
    let checked = json(&arena(&["check", &bot, "--json"]));
    assert_eq!(checked["accepted"], false);
    assert_eq!(checked["code"], "illegal_move");
    assert!(checked["message"].as_str().unwrap().contains("1 of 4 cells were placed"));
}

#[test]
fn check_names_the_forfeit_of_a_bot_that_fails_only_from_an_opening() {
    let folder = tempfile::tempdir().unwrap();
    let careless = wat::parse_file(root().join("guide/bots/wat/careless.wat")).unwrap();
    let bot = write(folder.path(), "careless.wasm", careless);
    let checked = arena(&["check", &bot, "--json"]);
    assert_eq!(code(&checked), 1);
    let checked = json(&checked);
    assert_eq!((&checked["accepted"], &checked["code"]), (&Value::Bool(false), &Value::from("illegal_move")));
    let forfeits = checked["forfeits"].as_array().unwrap();
    assert!(!forfeits.is_empty() && forfeits.iter().all(|forfeit| forfeit["from_opening"] == true), "{checked}");
    assert_eq!(checked["measured"]["openings"], 2);
    let (seat, turn) = (forfeits[0]["seat"].as_str().unwrap(), &forfeits[0]["turn"]);
    let message = checked["message"].as_str().unwrap();
    let words =
        format!("it forfeits a sample game from an opening against easy, as {seat}: in turn {turn}: the cell at ");
    assert!(message.starts_with(&words), "{message}");
    let told = out(&arena(&["check", &bot]));
    let moment = format!("  forfeit   as {seat} from an opening, in turn {turn}; the board before it, cropped:\n");
    assert!(told.contains(&moment) && told.contains("against easy, then two from an opening\n"), "{told}");
}

/// A bot of the gallery, assembled once for all tests.
fn mason() -> PathBuf {
    let assemble = |folder: &Path| {
        let module = wat::parse_file(root().join("bots/gallery/mason/bot.wat")).unwrap();
        write(folder, "mason.wasm", module);
    };
    made_once(env!("CARGO_TARGET_TMPDIR"), "assembled-mason", assemble).join("mason.wasm")
}

#[test]
fn a_good_bot_is_accepted_with_its_figures() {
    let checked = arena(&["check", mason().to_str().unwrap(), "--json"]);
    assert_eq!(code(&checked), 0);
    let checked = json(&checked);
    assert_eq!((&checked["accepted"], &checked["code"]), (&Value::Bool(true), &Value::from("accepted")));
    assert!(checked["measured"]["turn_fuel"].as_array().unwrap().len() >= 4);
}

/// The greatest of the values reached by at least `share` percent of them, counted one by one.
fn percentile(values: &[u64], share: usize) -> u64 {
    let reached = |most: u64| 100 * values.iter().filter(|value| **value <= most).count() >= share * values.len();
    values.iter().copied().filter(|value| reached(*value)).min().unwrap()
}

#[test]
fn check_says_the_numbers_of_the_judge() {
    let bytes = fs::read(mason()).unwrap();
    let game = &GAMES[0];
    let (budgets, wall) = (Budgets::of(game.allowance), Wall::Milliseconds(WALL_MS_DEFAULT));
    let host = InProcess::new(Sandbox::new().unwrap());
    let Ok(Qualification::Played(sample)) = qualify(&host, &bytes, game, &budgets, 7, wall) else { panic!("played") };
    let checked = json(&arena(&["check", mason().to_str().unwrap(), "--seed", "7", "--json"]));
    let measured = &checked["measured"];
    assert_eq!(measured["turn_fuel"], serde_json::to_value(sample.turn_fuel()).unwrap());
    assert_eq!(measured["start_fuel"], serde_json::to_value(sample.start_fuel()).unwrap());
    for (number, played) in sample.games.iter().enumerate() {
        let (shown, fuel) = (&measured["games"][number], played.turn_fuel());
        let plays = played.record.turns.iter().flat_map(|turn| &turn.plays).filter(|play| play.seat == played.seat.0);
        assert_eq!(fuel, plays.filter_map(|play| play.fuel).collect::<Vec<_>>(), "what the judge writes down");
        assert_eq!(shown["turn_fuel"], serde_json::to_value(&fuel).unwrap());
        assert_eq!(shown["turns"], fuel.len());
        assert_eq!(shown["memory_bytes"], played.memory_bytes());
        let memory = played.turn_memory();
        assert_eq!(shown["turn_memory"], serde_json::to_value(&memory).unwrap());
        for (name, share) in [("p50", 50), ("p99", 99), ("max", 100)] {
            assert_eq!(shown["fuel"][name], percentile(&fuel, share), "{name}");
            assert_eq!(shown["memory"][name], percentile(&memory, share), "{name}");
        }
        // Wall-clock times have their own field.
        assert_eq!(checked["wall_micros"][number].as_array().unwrap().len(), fuel.len());
    }
}

#[test]
fn equal_seeds_measure_the_same_and_only_the_clock_differs() {
    let check = || {
        let mut checked = json(&arena(&["check", mason().to_str().unwrap(), "--seed", "3", "--json"]));
        assert!(checked.as_object_mut().unwrap().remove("wall_micros").is_some());
        checked
    };
    assert_eq!(check(), check());
}

/// Returns one byte, which is not an action of any game.
const MUTE: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x100000000)))"#;

/// Moves nothing onto nothing in War of Life; the bytes are a pass in the other game.
const NOWHERE: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\02\00\00\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x700000000)))"#;

/// Loops forever.
const ENDLESS: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (loop (br 0)) (i64.const 0)))"#;

#[test]
fn a_forfeit_is_told_with_position_bytes_and_rule() {
    let folder = tempfile::tempdir().unwrap();
    for (name, wat, game, code, returned, words) in [
        ("lazy", BOT, "conquerors", "illegal_move", Some("01 01 01 00 00"), Some("places (0, 0)")),
        ("mute", MUTE, "conquerors", "bad_output", Some("00"), None),
        ("mute", MUTE, "war-of-life", "bad_output", Some("00"), None),
        ("nowhere", NOWHERE, "war-of-life", "illegal_move", Some("01 01 02 00 00 00 00"), Some("moves (0,0) to (0,0)")),
        ("mute", MUTE, "game-of-game-of-life", "bad_output", Some("00"), None),
        ("endless", ENDLESS, "conquerors", "fuel_exhausted", None, None),
    ] {
        let bot = write(folder.path(), &format!("{name}.wasm"), wat::parse_str(wat).unwrap());
        let checked = json(&arena(&["check", &bot, "--game", game, "--json"]));
        let forfeit = &checked["forfeits"][0];
        assert_eq!((&forfeit["code"], &checked["code"]), (&Value::from(code), &Value::from(code)), "{name} {game}");
        assert_eq!(forfeit["returned"].as_str(), returned, "{name} {game}");
        assert_eq!(forfeit["action"].as_str(), words, "{name} {game}");
        assert_eq!(forfeit["turn"], 1, "{name} {game}");
        let message = checked["message"].as_str().unwrap();
        let rule = forfeit["rule"].as_str().unwrap();
        assert!(rule.len() > 10 && message.contains(rule), "{rule}; {message}");
        let told = out(&arena(&["check", &bot, "--game", game]));
        let position: Vec<&str> =
            forfeit["position"].as_array().unwrap().iter().map(|line| line.as_str().unwrap()).collect();
        assert!(position.len() > 8, "{position:?}");
        assert!(told.contains("the board before it, cropped:"), "{told}");
        assert!(told.contains(returned.unwrap_or("nothing")) && told.contains(code), "{told}");
        // The function that ran when a call failed is named: here by its number, as the module has no names.
        let running = forfeit["running"].as_array().unwrap();
        assert_eq!(running.iter().any(|name| name == "func[1]"), name == "endless", "{running:?}");
    }
}

/// Passes illegally as blue, and traps as red: byte 2 of its observation is its colour.
const TWO_FACED: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (if (i32.load8_u offset=2 (i32.const 1024)) (then unreachable)) (i64.const 0x500000000)))"#;

/// Returns the address 16 and a length beyond that of any action.
const ENDLESS_ACTION: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0xffffffff00000010)))"#;

/// Returns four bytes at an address outside its memory.
const POINTER: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (i64.const 0x4fffffff0)))"#;

#[test]
fn the_turn_of_a_forfeit_is_in_the_table_where_its_fuel_is_known() {
    let folder = tempfile::tempdir().unwrap();
    for (wat, turns) in [(ENDLESS, [1, 1]), (BOT, [1, 1]), (TWO_FACED, [1, 0])] {
        let bot = write(folder.path(), "bot.wasm", wat::parse_str(wat).unwrap());
        let checked = json(&arena(&["check", &bot, "--json"]));
        assert_eq!([0, 1].map(|game| checked["measured"]["games"][game]["turns"].as_u64().unwrap()), turns);
        assert_eq!(checked["measured"]["turn_fuel"].as_array().unwrap().len() as u64, turns[0] + turns[1]);
        let told = out(&arena(&["check", &bot]));
        let row = |name: &str| told.lines().find(|line| line.starts_with(&format!("    {name} "))).unwrap();
        assert!(row("fuel").ends_with('█') && row("µs").ends_with(|bar| ('▁'..='█').contains(&bar)), "{told}");
        assert_eq!(row("memory").ends_with('█'), wat != ENDLESS, "{told}");
        assert_eq!(told.contains("100.0 %"), wat == ENDLESS, "{told}");
    }
}

/// Takes another page of memory in each turn, which it passes, and traps at ten pages.
const GROWER: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (if (i32.eq (memory.size) (i32.const 10)) (then unreachable))
        (drop (memory.grow (i32.const 1))) (i64.const 0x300000000)))"#;

#[test]
fn memory_is_told_after_every_turn_in_which_the_bot_returned() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "grower.wasm", wat::parse_str(GROWER).unwrap());
    let check = ["check", &bot, "--game", "game-of-game-of-life"];
    let checked = json(&arena(&[&check[..], &["--json"]].concat()));
    let page = 65_536;
    let sizes: Vec<u64> = (2..=10).map(|pages| pages * page).collect();
    for number in 0..2 {
        let game = &checked["measured"]["games"][number];
        assert_eq!(game["turn_memory"], serde_json::to_value(&sizes).unwrap());
        assert_eq!(game["memory"], serde_json::json!({ "p50": 6 * page, "p99": 10 * page, "max": 10 * page }));
        assert_eq!(game["memory_bytes"], 10 * page);
        assert_eq!(checked["wall_micros"][number].as_array().unwrap().len(), sizes.len() + 1);
    }
    let told = out(&arena(&check));
    let row = told.lines().find(|line| line.starts_with("    memory ")).unwrap();
    let words: Vec<&str> = row.split_whitespace().collect();
    assert_eq!(words[3..], ["9", "393,216", "655,360", "655,360", "15.6", "%", "▃▄▄▅▆▆▇██"], "{told}");
}

#[test]
fn every_forfeit_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "two_faced.wasm", wat::parse_str(TWO_FACED).unwrap());
    let checked = json(&arena(&["check", &bot, "--json"]));
    let forfeits: Vec<(&str, &str)> = checked["forfeits"]
        .as_array()
        .unwrap()
        .iter()
        .map(|forfeit| (forfeit["seat"].as_str().unwrap(), forfeit["code"].as_str().unwrap()))
        .collect();
    assert_eq!(forfeits, [("blue", "illegal_move"), ("red", "trap")]);
    let told = out(&arena(&["check", &bot]));
    for words in ["forfeit   as blue, in turn 1", "forfeit   as red, in turn 2", "broken    trap: "] {
        assert!(told.contains(words), "{words}: {told}");
    }
}

#[test]
fn what_returned_is_not_called_nothing() {
    let folder = tempfile::tempdir().unwrap();
    for (wat, rule) in [(ENDLESS_ACTION, "4294967295 bytes"), (POINTER, "4 bytes at address 4294967280")] {
        let bot = write(folder.path(), "bot.wasm", wat::parse_str(wat).unwrap());
        let told = out(&arena(&["check", &bot]));
        assert!(told.contains("returned  an address and length") && told.contains(rule), "{told}");
        assert!(!told.contains("returned  nothing"), "{told}");
    }
}

/// Passes in the game with passes, and logs text with quotes.
const TALKER: &str = r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1)
    (data (i32.const 0) "\01\00\00") (data (i32.const 64) "it's \"here\" C:\\x")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (call $log (i32.const 64) (i32.const 16)) (i64.const 0x300000000)))"#;

#[test]
fn a_log_is_told_game_by_game_as_it_was_written() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "talker.wasm", wat::parse_str(TALKER).unwrap());
    let check = ["check", &bot, "--game", "game-of-game-of-life"];
    let told = out(&arena(&check));
    for seat in ["seat 1", "seat 2"] {
        assert!(
            told.contains(&format!("as {seat}, the first 5 of 64 lines (936 more were dropped); --json has")),
            "{told}"
        );
    }
    assert_eq!(told.lines().filter(|line| *line == r#"            | it's "here" C:\x"#).count(), 10, "{told}");
    let log = json(&arena(&[&check[..], &["--json"]].concat()))["measured"]["games"][0]["log"][0].clone();
    assert_eq!(log, r#"it's "here" C:\x"#);
}

#[test]
fn names_that_others_chose_keep_to_their_lines() {
    let folder = tempfile::tempdir().unwrap();
    let exports: String = (0..40).map(|number| format!("(export \"棋{number}\")")).collect();
    let smear = "e\u{301}".repeat(70);
    let turn = "(func (export \"arena_turn\")";
    let wat = BOT.replace(turn, &format!("(func (@name \"{smear}\") {exports} (export \"arena_turn\")"));
    assert_ne!(wat, BOT);
    let bot = write(folder.path(), "smear.wasm", wat::parse_str(&wat).unwrap());
    let told = out(&arena(&["check", &bot]));
    assert!(told.contains("\\u{68cb}") && told.contains(" more\n") && told.contains("e\\u{301}"), "{told}");
    for line in told.lines().filter(|line| !line.contains(&bot)) {
        assert!(line.chars().count() <= 100, "{line}");
        assert!(line.chars().all(|c| c.is_ascii() || ('▁'..='█').contains(&c) || c == 'µ'), "{line}");
    }
}

#[test]
fn functions_of_one_name_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let (one, two) =
        (format!("{}one{}", "a".repeat(60), "b".repeat(60)), format!("{}two{}", "a".repeat(60), "b".repeat(60)));
    for (dear, cheap) in [(&one, &two), (&one, &one)] {
        let wat = SPENDER.replace("dear\"", &format!("{dear}\"")).replace("\"spin\"", &format!("\"{cheap}\""));
        let bot = write(folder.path(), "twins.wasm", wat::parse_str(&wat).unwrap());
        let checked = json(&arena(&["check", &bot, "--json"]));
        let functions = checked["profile"]["functions"].as_array().unwrap();
        let [first, second, ..] = &functions[..] else { panic!("{functions:?}") };
        assert_ne!(first["function"], second["function"]);
        let shares = [first, second].map(|function| function["self_percent"].as_f64().unwrap());
        assert!((shares[0] - 75.0).abs() < 5.0 && (shares[1] - 25.0).abs() < 5.0, "{functions:?}");
    }
}

#[test]
fn what_check_tells_fits_a_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let rude = write(folder.path(), "rude.wasm", wat::parse_str(RUDE).unwrap());
    let lazy = write(folder.path(), "lazy.wasm", wat::parse_str(BOT).unwrap());
    let (rude, lazy, mason) = (rude.as_str(), lazy.as_str(), mason());
    for (bot, game) in
        [(rude, "conquerors"), (lazy, "conquerors"), (lazy, "war-of-life"), (mason.to_str().unwrap(), "conquerors")]
    {
        let told = out(&arena(&["check", bot, "--game", game]));
        // The length of the file's path varies.
        let mut lines = told.lines().filter(|line| !line.contains(bot));
        assert!(lines.clone().count() > 5, "{told}");
        assert!(lines.all(|line| line.chars().count() <= 100), "{told}");
    }
    let told = out(&arena(&["check", mason.to_str().unwrap()]));
    assert!(told.contains("p99") && told.contains('█'), "{told}");
}

#[test]
fn a_match_is_the_same_whatever_the_threads_and_its_games_replay() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games");
    let records = records.to_str().unwrap();
    let play =
        |threads| arena(&["play", "easy", "hard", "--games", "20", "--seed", "3", "--json", "--threads", threads]);
    let (one, four) = (play("1"), play("4"));
    assert_eq!(code(&one), 0);
    assert_eq!(out(&one), out(&four));
    assert_eq!(json(&one)["entrants"][0]["name"], "hard");
    assert_eq!(code(&arena(&["play", "easy", "hard", "--games", "3", "--records", records])), 0);
    assert_eq!(
        fs::read_dir(records).unwrap().count(),
        4 + 1,
        "an odd number is rounded up to pairs, and names are beside"
    );

    let record = format!("{records}/00000.json");
    let replay = arena(&["replay", &record]);
    assert_eq!(code(&replay), 0);
    assert!(out(&replay).contains("every action and digest of the record agrees with the rules"));
    assert!(!out(&replay).contains('\x1b'), "no colours in a pipe");
    assert!(out(&arena(&["replay", &record, "--color", "always", "--turn", "1"])).contains('\x1b'));
    assert_eq!(code(&arena(&["replay", &record, "--turn", "99"])), 2);

    // With another digest, the record has a valid form but its game breaks the rules.
    let text = fs::read_to_string(&record).unwrap();
    let at = text.rfind("\"digest\":\"").unwrap() + 10;
    let digit = if text.as_bytes()[at] == b'0' { "1" } else { "0" };
    let forged = write(folder.path(), "forged.json", format!("{}{digit}{}", &text[..at], &text[at + 1..]));
    assert_eq!(code(&arena(&["replay", &forged])), 1);
    // A detail is taken from the record alone, and must not contain terminal control characters.
    let lazy = write(folder.path(), "lazy.wasm", wat::parse_str(BOT).unwrap());
    assert_eq!(code(&arena(&["play", &lazy, "easy", "--games", "2", "--records", records])), 0);
    let text = fs::read_to_string(&record).unwrap().replace("1 of 4 cells", "\\u001b[2J of 4 cells");
    let hostile = write(folder.path(), "hostile.json", &text);
    let replayed = arena(&["replay", &hostile]);
    assert_eq!(code(&replayed), 0);
    assert!(!out(&replayed).contains('\x1b') && out(&replayed).contains("of 4 cells"), "{}", out(&replayed));

    let broken = write(folder.path(), "broken.json", &text[..text.len() / 2]);
    assert_eq!(code(&arena(&["replay", &broken])), 2);
}

#[test]
fn an_unknown_opponent_is_explained() {
    let output = arena(&["play", "easy", "impossible"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("neither a file nor an opponent of conquerors@2 (easy, normal, hard, "));
    assert!(err(&output).contains(", strategist"), "{}", err(&output));
    let output = arena(&["play", "easy", "minimax", "--game", "war-of-life"]);
    assert!(err(&output).contains("opponent of war-of-life@1 (random, bloodlust,"), "{}", err(&output));
    let output = arena(&["play", "easy", "hard", "--game", "chess"]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("conquerors (Conway's Conquerors), war-of-life (War of Life)"), "{}", err(&output));
}

const DEFINITION: &str = "name = \"t\"\nseed = 5\npairs = 40\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n\
    [[entrants]]\nname = \"normal\"\nbaseline = \"normal\"\n[[entrants]]\nname = \"hard\"\nbaseline = \"hard\"\n";

#[test]
fn a_killed_tournament_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let definition = write(folder.path(), "t.toml", DEFINITION);
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let run = |out: &str, threads: &str| {
        arena(&["tournament", "run", &definition, "--out", out, "--threads", threads, "--json"])
    };
    let whole = run(&path("whole"), "2");
    assert_eq!(code(&whole), 0, "{}", err(&whole));
    let standings = fs::read_to_string(folder.path().join("whole/results/standings.json")).unwrap();
    assert_eq!(out(&whole), standings);
    assert_eq!(json(&whole)["games_played"], 240);

    let killed = path("killed");
    for games in [0, 1, 60, 170] {
        let mut run = Command::new(env!("CARGO_BIN_EXE_arena"));
        run.args(["tournament", "run", &definition, "--out", &killed, "--threads", "1"]).stdout(Stdio::null());
        let mut child = Process::start("the tournament", &mut run);
        // Waits for the game after which the run is killed, or for its end.
        let journal = folder.path().join("killed/journal");
        let lines = || fs::read(&journal).map_or(0, |bytes| bytes.iter().filter(|byte| **byte == b'\n').count());
        let played = || if lines() < games && child.is_running() { Err(lines()) } else { Ok(()) };
        eventually_here("the game after which it is killed", played);
        child.kill();
    }
    let resumed = run(&killed, "2");
    assert_eq!(code(&resumed), 0, "{}", err(&resumed));
    assert_eq!(out(&resumed), standings);
    let games = |name: &str| -> Vec<String> {
        let journal = fs::read_to_string(folder.path().join(name).join("journal")).unwrap();
        let mut lines: Vec<String> = journal.lines().map(String::from).collect();
        lines.sort();
        lines
    };
    assert_eq!(games("whole"), games("killed"));

    let other = arena(&["tournament", "run", &definition, "--out", &killed, "--seed", "6"]);
    assert_eq!(code(&other), 2);
    assert!(err(&other).contains("choose another folder"), "{}", err(&other));
}

#[test]
fn a_definition_that_makes_no_tournament_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    let bad = write(folder.path(), "bad.toml", DEFINITION.replace("pairs = 40", "pairs = 0"));
    let output = arena(&["tournament", "run", &bad, "--out", folder.path().join("out").to_str().unwrap()]);
    assert_eq!(code(&output), 2);
    assert!(err(&output).contains("`pairs` is 1 to 10000, not 0"), "{}", err(&output));
}

#[test]
fn the_studys_rows_are_complete_and_do_not_depend_on_threads() {
    let study = |threads| arena(&["study", "rr-001", "--games", "60", "--seed", "1", "--json", "--threads", threads]);
    let one = study("1");
    assert_eq!(out(&one), out(&study("3")));
    let rows = json(&one)["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 9 + 6);
    assert!(rows.iter().all(|row| row["campaign"] == "v2"));
    for row in &rows {
        let sum = row["p1"].as_f64().unwrap() + row["p2"].as_f64().unwrap() + row["draw"].as_f64().unwrap();
        assert!((sum - 100.0).abs() < 1e-9, "{row}");
        assert_eq!(row["games"], 60);
    }
    let find = |name: &str, seating: &str| rows.iter().any(|row| row["matchup"] == name && row["seating"] == seating);
    assert!(find("hard-easy", "fair") && find("easy-hard", "shared-home"));
}

#[test]
fn the_studys_campaigns_and_seatings_can_be_chosen_and_are_written() {
    let folder = tempfile::tempdir().unwrap();
    let study = |threads, name: &str| {
        let place = folder.path().join(name);
        let asked = ["study", "rr-001", "--campaign", "all", "--games", "20", "--threads", threads, "--out"];
        let played = arena(&[&asked[..], &[place.to_str().unwrap()]].concat());
        // With 20 games, a figure can be further from a reference than its allowance.
        assert!([0, 1].contains(&code(&played)), "{}", err(&played));
        (place, out(&played))
    };
    let ((one, text), (other, _)) = (study("1", "one"), study("3", "other"));
    for finding in ["F1", "F2", "F3", "F4", "F5", "V1", "V2", "V3", "V4", "Engine", "Order", "Seats v5.4", "Seats v2"] {
        assert!(text.contains(&format!("| **{finding}** ")), "{finding}");
    }
    let mut files: Vec<_> = fs::read_dir(&one).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    files.sort();
    assert_eq!(files.len(), 3 * (1 + 5) + 1, "{files:?}");
    for file in &files {
        assert_eq!(fs::read(one.join(file)).unwrap(), fs::read(other.join(file)).unwrap(), "{file:?}");
    }
    let of_v2 = fs::read_to_string(one.join("rr-001-v2.md")).unwrap();
    for told in ["RR-001 §5.3 |", "## The stress test of V4", "in either seat: hard lived without a cell at home in"] {
        assert!(of_v2.contains(told), "{told}: {of_v2}");
    }
    let document = fs::read_to_string(one.join("rr-001-v5.4.md")).unwrap();
    assert!(
        document.contains("arena study rr-001 --campaign v5.4 --seating both --games 20 --seed 4242"),
        "{document}"
    );
    for file in files.iter().filter_map(|file| file.to_str()).filter(|file| file.ends_with(".svg")) {
        let linked = ["v5.4", "v5.5", "v2"]
            .iter()
            .any(|name| fs::read_to_string(one.join(format!("rr-001-{name}.md"))).unwrap().contains(file));
        assert!(linked, "{file}");
    }

    let fair = arena(&["study", "rr-001", "--campaign", "v5.5", "--seating", "fair", "--games", "5", "--json"]);
    let rows = json(&fair)["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 9);
    assert!(rows.iter().all(|row| row["campaign"] == "v5.5" && row["seating"] == "fair"));
}

#[test]
fn the_studys_open_points_are_played_one_by_one() {
    let study = arena(&["study", "rr-001", "--campaign", "v5.5", "--open-points", "--games", "4", "--seating", "fair"]);
    assert_eq!(code(&study), 0, "{}", err(&study));
    assert_eq!(out(&study).lines().filter(|line| line.starts_with("| ")).count(), 1 + 10, "{}", out(&study));
    let of_v2 =
        arena(&["study", "rr-001", "--campaign", "v2", "--open-points", "--games", "4", "--seating", "shared-home"]);
    assert_eq!(code(&of_v2), 0, "{}", err(&of_v2));
    assert_eq!(out(&of_v2).lines().filter(|line| line.starts_with("| ")).count(), 1 + 19, "{}", out(&of_v2));
}

#[test]
fn the_study_names_what_there_is_when_it_is_asked_for_something_else() {
    for (wrong, list) in [
        (["--campaign", "v5.6"], ["v5.4", "v5.5", "v2", "all"].as_slice()),
        (["--seating", "standing"], &["fair", "shared-home", "both"]),
        (["--games", "0"], &["1..=1000000"]),
    ] {
        let refused = arena(&[&["study", "rr-001"][..], &wrong].concat());
        assert_eq!(code(&refused), 2, "{wrong:?}");
        for name in list {
            assert!(err(&refused).contains(name), "{wrong:?}: {}", err(&refused));
        }
    }
}

#[test]
fn the_help_of_play_names_every_built_in_opponent() {
    let help = out(&arena(&["play", "--help"]));
    for name in ["easy", "hard", "easy-v54", "normal-v54", "hard-v54", "easy-v55", "normal-v55", "hard-v55", "minimax"]
    {
        assert!(help.contains(name), "{name}: {help}");
    }
    let played = arena(&["play", "hard-v55", "easy-v54@1", "--games", "2", "--options", ""]);
    assert_eq!(code(&played), 0, "{}", err(&played));
}

#[test]
fn the_studies_of_other_games_are_written_and_do_not_depend_on_threads() {
    let folder = tempfile::tempdir().unwrap();
    let study = |name: &str, games: &str, threads: &str| {
        let place = folder.path().join(threads);
        let asked = ["study", name, "--games", games, "--threads", threads, "--out", place.to_str().unwrap()];
        let played = arena(&asked);
        assert!([0, 1].contains(&code(&played)), "{}", err(&played));
        fs::read_to_string(place.join(format!("{name}.md"))).unwrap()
    };
    for (name, games, rows) in
        [("war-of-life", "20", 2 + 25 + 16 + 2 * 9 + 2 + 1 + 2 * 9), ("game-of-game-of-life", "2", 3 * 2 + 4 + 4 + 5)]
    {
        let document = study(name, games, "1");
        assert_eq!(document, study(name, games, "3"), "{name}");
        assert_eq!(document.lines().filter(|line| line.starts_with("| ")).count(), rows, "{document}");
        assert!(document.contains(&format!("arena study {name} --games {games} --seed")), "{document}");
    }
}

#[test]
fn the_other_studys_rows_are_complete_and_do_not_depend_on_threads() {
    let study = |threads| arena(&["study", "war-of-life", "--games", "40", "--json", "--threads", threads]);
    let one = study("1");
    assert_eq!(out(&one), out(&study("3")));
    let rows = json(&one)["rows"].as_array().unwrap().clone();
    assert_eq!(rows.len(), 16 + 2 * 9);
    for row in &rows {
        let ends = ["p1", "p2", "both_extinct", "stalemate", "no_move_played", "exhausted"];
        assert_eq!(ends.iter().map(|end| row[end].as_u64().unwrap()).sum::<u64>(), 40, "{row}");
        assert!(row["minimax"] == "coursework" || row["no_move_played"] == 0, "{row}");
    }
    assert_eq!(json(&one)["degrees"], 32);
}

#[test]
fn conformance_agrees_with_the_golden_vectors_and_finds_a_wrong_one() {
    let golden = root().join("sdk/rules/tests/golden");
    assert_eq!(code(&arena(&["conformance", golden.to_str().unwrap()])), 0);
    let folder = tempfile::tempdir().unwrap();
    let game = folder.path().join("conquerors");
    fs::create_dir(&game).unwrap();
    let score = fs::read_to_string(golden.join("conquerors/score.jsonl")).unwrap();
    let wrong = score.lines().next().unwrap().replace("\"points\":80", "\"points\":81");
    write(&game, "score.jsonl", wrong);
    write(&game, "tea.jsonl", "{}");
    let output = arena(&["conformance", folder.path().to_str().unwrap()]);
    assert_eq!(code(&output), 1);
    assert!(out(&output).contains("0 of 1 line the same") && out(&output).contains("skipped"), "{}", out(&output));
}

/// Three quarters of its fuel go to `$dear`, the rest to a function whose name would colour a terminal and break a
/// folded stack. Then it forfeits.
const SPENDER: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func $spin (@name "spin") (param i32)
        (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func $dear (@name "dear") (local i32) (local.set 0 (i32.const 30000))
        (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func $cheap (@name "\1b[31mcheap;x\e2\80\ae") (call $spin (i32.const 10000)))
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func $turn (@name "turn") (export "arena_turn") (param i32) (result i64)
        (call $cheap) (call $dear) (i64.const 0x500000000)))"#;

#[test]
fn a_profile_orders_functions_by_fuel_and_escapes_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "spender.wasm", wat::parse_str(SPENDER).unwrap());
    let folded = folder.path().join("stacks.txt");
    let arguments = ["check", &bot, "--profile", "--folded", folded.to_str().unwrap()];
    let checked = json(&arena(&[&arguments[..], &["--json"]].concat()));
    let functions = checked["profile"]["functions"].as_array().unwrap();
    let cheap = "\\u{1b}[31mcheap,x\\u{202e}";
    let share = |name: &str, of: &str| {
        let found = functions.iter().find(|function| function["function"] == name);
        found.unwrap_or_else(|| panic!("{name} in {functions:?}"))[of].as_f64().unwrap()
    };
    assert_eq!((&functions[0]["function"], &functions[1]["function"]), (&"dear".into(), &"spin".into()));
    for (name, of, percent) in [
        ("dear", "self_percent", 75.0),
        ("dear", "total_percent", 75.0),
        ("spin", "self_percent", 25.0),
        (cheap, "self_percent", 0.0),
        (cheap, "total_percent", 25.0),
        ("turn", "total_percent", 100.0),
    ] {
        assert!((share(name, of) - percent).abs() <= 10.0, "{name} {of}: {functions:?}");
    }
    let stacks = fs::read_to_string(&folded).unwrap();
    let points: Vec<(&str, u64)> =
        stacks.lines().map(|line| line.rsplit_once(' ').unwrap()).map(|(s, n)| (s, n.parse().unwrap())).collect();
    assert_eq!(points.iter().map(|(_, points)| points).sum::<u64>(), 100);
    assert!(points.iter().any(|(stack, _)| *stack == "turn;\\u{1b}[31mcheap,x\\u{202e};spin"), "{stacks}");
    let told = out(&arena(&arguments));
    assert!(told.contains("dear") && told.contains("\\u{1b}[31mcheap"), "{told}");
    for text in [&told, &stacks] {
        assert!(text.chars().all(|c| c == '\n' || !c.is_control() && c != '\u{202e}'), "{text:?}");
    }
    assert!(told.lines().filter(|line| !line.contains(&bot)).all(|line| line.chars().count() <= 100), "{told}");
}

#[test]
fn text_in_the_place_of_a_module_and_a_layer_in_the_wrong_place_are_explained() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "bot.wat", format!(";; A bot.\n{BOT}"));
    let refused = arena(&["check", &source]);
    assert!(code(&refused) == 1 && out(&refused).contains("`arena assemble` makes the module"), "{}", out(&refused));
    let layer = write(folder.path(), "layer.wat", r#"(import "arena" "log" (func $log (param i32 i32)))"#);
    let own = write(folder.path(), "own.wat", "(func $own)");
    assert_eq!(code(&arena(&["assemble", &layer, &own])), 0);
    for texts in [&[&own, &layer][..], &[&layer, &own, &layer]] {
        let refused = arena(&[&["assemble"][..], &texts.iter().map(|text| text.as_str()).collect::<Vec<_>>()].concat());
        assert!(code(&refused) == 2 && err(&refused).contains("first and only once"), "{}", err(&refused));
    }
}

#[test]
fn what_a_person_wrote_is_not_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let source = write(folder.path(), "bot.wat", BOT);
    let bot = write(folder.path(), "bot.wasm", wat::parse_str(BOT).unwrap());
    let records = folder.path().join("games").to_str().unwrap().to_string();
    assert_eq!(code(&arena(&["play", "easy", "normal", "--games", "2", "--records", &records])), 0);
    let record = format!("{records}/00000.json");
    let around = format!("{}/../{}/bot.wat", folder.path().display(), folder.path().file_name().unwrap().display());
    for (arguments, words) in [
        (&["check", &bot, "--profile", "--folded", &source][..], "is not one of folded stacks; name another file"),
        (&["debug", "easy", &record, "--turn", "1", "--save", &source], "is not what `arena debug --save` wrote"),
        (&["assemble", &source, "--output", &source], "is one of the texts; name another file"),
        (&["assemble", &source, "--output", &around], "is one of the texts; name another file"),
    ] {
        let refused = arena(arguments);
        assert!(code(&refused) == 2 && err(&refused).contains(words), "{arguments:?}: {}", err(&refused));
        assert_eq!(fs::read_to_string(&source).unwrap(), BOT, "{arguments:?}");
    }
    // The same command may overwrite its own output.
    let (folded, saved) = (format!("{source}.folded"), format!("{source}.saved"));
    for arguments in [
        &["check", &bot, "--folded", &folded][..],
        &["debug", "easy", &record, "--turn", "1", "--save", &saved],
        &["assemble", &source],
    ] {
        let failed = [(); 2].map(|()| code(&arena(arguments)) == 2);
        assert_eq!(failed, [false; 2], "{arguments:?}");
    }
    assert!(fs::read_to_string(&folded).unwrap().lines().count() > 0, "--folded alone asks for the profile");
}

/// Traps before it has used any fuel.
const TRAP: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) unreachable))"#;

#[test]
fn a_profile_without_rows_says_why() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "trap.wasm", wat::parse_str(TRAP).unwrap());
    let told = out(&arena(&["check", &bot, "--profile"]));
    assert!(told.contains("no turn finished, so nothing was measured") && !told.contains("self    total"), "{told}");
}

/// Passes, and uses nearly all the fuel of a game.
const TIRELESS: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func $spin (@name "spin") (local i32) (local.set 0 (i32.const 200000))
        (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))
    (func (export "arena_turn") (param i32) (result i64) (call $spin) (i64.const 0x300000000)))"#;

#[test]
fn a_profile_counts_all_fuel_and_asking_for_it_changes_nothing() {
    let mason = mason();
    let check = ["check", mason.to_str().unwrap(), "--json"];
    let mut plain = json(&arena(&check));
    let mut profiled = json(&arena(&[&check[..], &["--profile"]].concat()));
    for checked in [&mut plain, &mut profiled] {
        assert_eq!(checked["profile"]["points"], Value::Null);
        assert!(checked.as_object_mut().unwrap().remove("wall_micros").is_some());
    }
    assert_eq!(plain, profiled);
    let folder = tempfile::tempdir().unwrap();
    let tireless = write(folder.path(), "tireless.wasm", wat::parse_str(TIRELESS).unwrap());
    let told = out(&arena(&["check", &tireless, "--game", "game-of-game-of-life"]));
    assert!(told.contains("by function, of the turns of both games:\n"), "{told}");
    assert!(told.lines().any(|line| line.contains(" 100 %    100 %   1,9") && line.ends_with("  spin")), "{told}");
    // The fuel of a turn is that of a call: turns that it passes unasked once the bank is empty do not count.
    let row = |name: &str| told.lines().find(|line| line.starts_with(&format!("    {name} "))).unwrap();
    let turns = |name: &str| row(name).split_whitespace().nth(3).unwrap();
    assert_eq!((turns("fuel"), turns("memory")), (turns("µs"), "999"), "{told}");
    assert!(told.contains(" 100.0 % of the game's bank: 1,000,000,000 of 1,000,000,000 fuel"), "{told}");
    assert!(told.lines().filter(|line| !line.contains(&tireless)).all(|line| line.chars().count() <= 100), "{told}");
}

/// Uses less fuel than folded stacks have points, nearly all of it in straight-line code.
const TINY: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64)
        (drop (i64.add (i64.add (i64.add (i64.const 1) (i64.const 1)) (i64.const 1)) (i64.const 1)))
        (i64.const 0x100000000)))"#;

#[test]
fn a_bot_with_less_fuel_than_points_is_seen_at_all_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let bot = write(folder.path(), "tiny.wasm", wat::parse_str(TINY).unwrap());
    let folded = folder.path().join("folded");
    let told = out(&arena(&["check", &bot, "--folded", folded.to_str().unwrap()]));
    // In each of both games one turn: four constants, three additions, another constant, and 1 for entering.
    assert!(told.contains("   100 %    100 %              18  func[1]\n") && told.contains("REFUSED"), "{told}");
    let stacks = fs::read_to_string(folded).unwrap();
    let points = stacks.lines().map(|line| line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap());
    assert_eq!(points.sum::<u64>(), 18, "{stacks}");
}

/// Its function's name is that of a function without a name.
const FORGED: &str = r#"(module (memory (export "memory") 1) (data (i32.const 0) "\01\01\01\00\00")
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (@name "func[9]") (export "arena_turn") (param i32) (result i64) (local i32)
        (local.set 1 (i32.const 30000))
        (loop (br_if 0 (local.tee 1 (i32.sub (local.get 1) (i32.const 1)))))
        (i64.const 0x500000000)))"#;

#[test]
fn a_module_without_names_is_told_from_one_whose_names_are_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let forged = write(folder.path(), "forged.wasm", wat::parse_str(FORGED).unwrap());
    let nameless = write(folder.path(), "nameless.wasm", wat::parse_str(ENDLESS).unwrap());
    let beekeeper = root().join("bots/gallery/released/beekeeper.wasm");
    for (bot, is_named) in [
        (nameless.as_str(), false),
        (beekeeper.to_str().unwrap(), true),
        (&forged, true),
        (mason().to_str().unwrap(), true),
    ] {
        let told = out(&arena(&["check", bot]));
        assert!(told.contains("self    total            fuel  function"), "{told}");
        assert_eq!(told.contains("functions by number"), !is_named, "{told}");
    }
}
