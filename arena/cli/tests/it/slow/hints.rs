//! The binary's hints to an author whose bot or command has a mistake.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::Value;

use crate::process::Process;
use crate::program::{arena, code, err, json, out};

/// A module with these fields, one page of memory and this turn, a function (i32) -> i64.
fn bot(folder: &Path, name: &str, fields: &str, turn: &str) -> String {
    let wat = format!(
        r#"(module (import "arena" "log" (func $log (param i32 i32))) (memory (export "memory") 1) {fields}
        (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
        (func $turn (@name "turn") (export "arena_turn") (param i32) (result i64) {turn}))"#
    );
    write(folder, name, wat::parse_str(wat).unwrap())
}

fn write(folder: &Path, name: &str, bytes: impl AsRef<[u8]>) -> String {
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    path.to_str().unwrap().into()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Logs a text, then does what a panic does.
fn panicking(folder: &Path, text: &str) -> String {
    let (data, length) = (text.replace('\n', "\\n"), text.len());
    let turn = format!("(call $log (i32.const 64) (i32.const {length})) unreachable");
    bot(folder, &format!("panic{length}.wasm"), &format!("(data (i32.const 64) \"{data}\")"), &turn)
}

#[test]
fn a_file_that_is_too_large_has_its_own_size() {
    let folder = tempfile::tempdir().unwrap();
    let large = write(folder.path(), "large.wasm", [b"\0asm\x01\0\0\0".to_vec(), vec![0; 7_238_998]].concat());
    let checked = json(&arena(&["check", &large, "--json"]));
    assert_eq!((&checked["code"], &checked["size_bytes"]), (&"too_large".into(), &7_239_006.into()));
    assert_eq!(checked["message"], "the file has 7239006 bytes; 1048576 are allowed");
    assert!(out(&arena(&["check", &large])).contains("size      7,239,006 of 1,048,576 bytes"));
    assert!(err(&arena(&["play", &large, "easy"])).contains("7239006 bytes"));
}

#[test]
fn a_wrong_path_is_named_with_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["two.wasm", "one.wasm", "notes.txt"] {
        write(folder.path(), name, "");
    }
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_string();
    let (here, other) = (folder.path().display(), path("bot.wasm"));
    for command in [&["check", &other][..], &["play", &other, "easy"], &["play", "easy", &other]] {
        let refused = arena(command);
        let words = format!("there is no file {other}: {here} has one.wasm, two.wasm");
        assert!(code(&refused) == 2 && err(&refused).contains(&words), "{}", err(&refused));
    }
    let deep = err(&arena(&["check", &path("target/release/bot.wasm")]));
    assert!(deep.contains(&format!("there is no folder {here}/target; was the bot built?")), "{deep}");
    let itself = err(&arena(&["check", folder.path().to_str().unwrap()]));
    assert!(itself.contains("is a folder") && itself.contains("has one.wasm, two.wasm"), "{itself}");
}

#[test]
fn a_source_that_is_no_script_says_what_is_one() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, words) in [
        ("bot.ipynb", "{}", "notebooks are no bots here; hint: "),
        ("bot.ts", "x", "scripts in TypeScript and JSX are no bots here; hint: compile it to JavaScript (`npx esbuild"),
        ("bot.cjs", "x", "CommonJS modules are no bots here; hint: "),
        ("bot.js", "", "the script is empty; hint: was it saved?"),
        ("bot.py", "", "the script is empty; hint: was it saved?"),
        ("long.js", &" ".repeat(65_537), "a script has at most 65536 bytes, and this one has more; hint: "),
        ("bytes.js", "\u{fffd}", "the script is not UTF-8: byte 0 is wrong; hint: save it as UTF-8"),
    ] {
        let bytes = if name == "bytes.js" { b"\xff".to_vec() } else { text.as_bytes().to_vec() };
        let path = folder.path().join(name);
        fs::write(&path, bytes).unwrap();
        let path = path.to_str().unwrap();
        for command in [&["check", path][..], &["play", path, "easy"], &["bundle", path]] {
            let refused = arena(command);
            let expected = format!("cannot bundle {path}: {words}");
            assert!(code(&refused) == 2 && err(&refused).contains(&expected), "{command:?}: {}", err(&refused));
        }
    }
    let here = folder.path().to_str().unwrap();
    let refused = err(&arena(&["check", here]));
    assert!(refused.contains(&format!("{here} is a folder; give the .wasm, .js or .py file itself: ")), "{refused}");
    write(folder.path(), "bot.txt", "x");
    let refused = err(&arena(&["bundle", folder.path().join("bot.txt").to_str().unwrap()]));
    assert!(refused.contains("is no script: its name does not end in .js or .py"), "{refused}");
}

#[test]
fn a_wrong_path_of_a_game_a_definition_or_a_text_is_named_with_what_is_there() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["one.json", "cup.toml", "bot.wat", "game.txt"] {
        write(folder.path(), name, "");
    }
    // What is listed as a tournament.
    fs::create_dir(folder.path().join("cup")).unwrap();
    write(&folder.path().join("cup"), "journal", "");
    let here = folder.path().to_str().unwrap();
    let (missing, nowhere) = (format!("{here}/other"), format!("{here}/none/other"));
    let games = "cup#N, one.json";
    let commands: [(&[&str], &str, &str); 9] = [
        (&["replay"], "json", games),
        (&["debug", "--turn", "1", "scatter"], "json", games),
        (&["record", "show"], "json", games),
        (&["record", "to-text"], "json", games),
        (&["record", "csv"], "json", games),
        (&["record", "from-text"], "txt", "game.txt"),
        (&["verify"], "json", games),
        (&["assemble"], "wat", "bot.wat"),
        (&["tournament", "run", "--out", &nowhere], "toml", "cup.toml"),
    ];
    for (command, ending, there) in commands {
        let said = |path: &str| {
            let refused = arena(&[command, &[path]].concat());
            assert!(code(&refused) == 2 && refused.stdout.is_empty(), "{command:?}: {}", out(&refused));
            err(&refused)
        };
        let words = said(&missing);
        assert!(words.contains(&format!("there is no file {missing}: {here} has {there}")), "{command:?}: {words}");
        let words = said(&nowhere);
        assert!(words.contains(&format!("there is no folder {here}/none")), "{command:?}: {words}");
        // A folder is verified as a tournament.
        if command != ["verify"] {
            let words = said(here);
            let expected = format!("{here} is a folder; give the .{ending} file itself: {here} has {there}");
            assert!(words.contains(&expected), "{command:?}: {words}");
        }
    }
    let cup = format!("{here}/cup");
    let words = err(&arena(&["replay", &cup]));
    assert!(words.contains(&format!("name a game of it: {cup}#0 is the first")), "{words}");
}

/// A recursion with a stack in the bot's own memory, as compilers make it: 1,000 bytes a call, from the top of a page
/// down.
const RECURSION: &str = r#"(global $stack (mut i32) (i32.const 65536))
    (func $deep (@name "rerr::rec") (global.set $stack (i32.sub (global.get $stack) (i32.const 1000)))
        (i32.store (global.get $stack) (i32.const 0)) (call $deep))"#;

#[test]
fn a_hint_fits_its_case() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let memory = "(drop (memory.grow (i32.const 100))) unreachable";
    let clock = "panicked at library/std/src/sys/time.rs:13:9:\ntime not implemented on this platform";
    let stranger = "panicked at host.rs:49:9:\nthis bot does not play the game with tag Some(2)";
    for (bot, words) in [
        (
            panicking(folder, "panicked at src/lib.rs:7:9:\nwhy"),
            "hint: the panic in the bot's log says where and why\n",
        ),
        (panicking(folder, clock), "hint: there is no clock"),
        (panicking(folder, stranger), "Bot<conquerors::Position>"),
        (
            bot(folder, "memory.wasm", "", memory),
            "hint: memory.grow was refused at 4 MiB; the bot asked for 6553600 bytes",
        ),
        (bot(folder, "deep.wasm", RECURSION, "(call $deep) unreachable"), "hint: a recursion used up the stack"),
        (bot(folder, "silent.wasm", "", "unreachable"), "hint: a panic or an assertion without a word"),
        (bot(folder, "index.wasm", "", "(drop (i32.load (i32.const -9))) unreachable"), "hint: an index or a pointer"),
        (write(folder, "native.wasm", b"\x7fELF\x02\x01\x01"), "add --target wasm32-unknown-unknown"),
    ] {
        let refused = arena(&["check", &bot]);
        let told = out(&refused).replace("\n  ", " ");
        assert!(code(&refused) == 1 && told.contains(words), "{words}: {told}");
    }
    let told = out(&arena(&["check", &bot(folder, "deep.wasm", RECURSION, "(call $deep) unreachable")]));
    assert!(told.contains("64 times rerr::rec"), "{told}");
}

#[test]
fn an_action_of_another_game_is_recognised() {
    let folder = tempfile::tempdir().unwrap();
    // A cell of Conway's Conquerors in War of Life.
    let lazy = bot(folder.path(), "lazy.wasm", "", LAZY);
    let told = out(&arena(&["check", &lazy, "--game", "war-of-life"]));
    assert!(told.contains("these bytes are an action of Conway's Conquerors"), "{told}");
    assert!(!out(&arena(&["check", &lazy])).contains("these bytes"));
}

#[test]
fn what_is_missing_or_imported_is_explained() {
    let folder = tempfile::tempdir().unwrap();
    for (wat, words) in [
        (r#"(module (import "env" "console.log" (func (param i32))))"#, "use `log` of ./arena"),
        (r#"(module (import "env" "seed" (func (result f64))))"#, "use `any.rng`"),
        (r#"(module (import "__wbindgen_placeholder__" "__wbg_now" (func)))"#, "`seen.rng()`"),
        (
            r#"(module (memory (export "memory") 1) (@custom "producers" "\01\0cprocessed-by\01\05rustc\061.95.0"))"#,
            "did you forget `arena_sdk::bot!(Mine);`",
        ),
    ] {
        let bot = write(folder.path(), "bot.wasm", wat::parse_str(wat).unwrap());
        for command in [&["check", &bot][..], &["play", &bot, "easy"]] {
            let refused = arena(command);
            let told = [out(&refused), err(&refused)].concat().replace("\n  ", " ");
            assert!(told.contains(words), "{words}: {told}");
        }
    }
}

/// Places one cell where four could be placed.
const LAZY: &str = "(i32.store (i32.const 0) (i32.const 0x00010101)) (i64.const 0x500000000)";

#[test]
fn a_refusal_shows_one_board_and_no_more_of_it_than_there_is_to_see() {
    let folder = tempfile::tempdir().unwrap();
    let lazy = bot(folder.path(), "lazy.wasm", "", LAZY);
    let told = out(&arena(&["check", &lazy]));
    // It places (0, 0) on an empty board, so only this corner is shown.
    let corner = "     0 1 2\n       0 . . .\n       1 . . .\n       2 . . .\n         blue o 0 points";
    assert!(told.contains(corner), "{told}");
    assert_eq!(told.matches("blue o ").count(), 1, "{told}");
    assert!(told.contains("forfeit   as red, in turn 2\n") && told.contains("out of reach"), "{told}");
    assert!(told.lines().count() <= 50, "{} lines: {told}", told.lines().count());
    let same = out(&arena(&["check", &bot(folder.path(), "same.wasm", "", "unreachable")]));
    assert!(same.contains("forfeit   as red, in turn 2, for the same reason\n"), "{same}");
    // Programs get all of them.
    let forfeits = json(&arena(&["check", &lazy, "--json"]))["forfeits"].clone();
    assert_eq!(forfeits[1]["position"].as_array().unwrap().len(), 3 + 26, "{forfeits}");
}

#[test]
fn a_panic_is_told_in_the_lines_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let panic = panicking(folder.path(), "panicked at src/lib.rs:7:9:\nindex out of bounds");
    let told = out(&arena(&["check", &panic]));
    assert!(told.contains("            | panicked at src/lib.rs:7:9:\n            | index out of bounds\n"), "{told}");
    assert!(!told.contains("\\n"), "{told}");
    let log = json(&arena(&["check", &panic, "--json"]))["forfeits"][0]["log"][0].clone();
    assert_eq!(log, "panicked at src/lib.rs:7:9:\nindex out of bounds");
}

/// Passes in the game with passes, and runs some code before.
fn passing(folder: &Path, fields: &str, first: &str) -> String {
    bot(
        folder,
        "passing.wasm",
        &format!(r#"(data (i32.const 0) "\01\00\00") {fields}"#),
        &format!("{first} (i64.const 0x300000000)"),
    )
}

const GOGOL: [&str; 2] = ["--game", "game-of-game-of-life"];

#[test]
fn what_prints_is_accepted_with_a_note() {
    let folder = tempfile::tempdir().unwrap();
    for (data, is_noted) in [("failed printing to stdout", true), ("failed to print", false)] {
        let bot = passing(folder.path(), &format!("(data (i32.const 64) \"{data}\")"), "");
        let command = [&["check", &bot][..], &GOGOL].concat();
        let checked = arena(&command);
        assert_eq!((code(&checked), out(&checked).contains("note: it prints")), (0, is_noted), "{}", out(&checked));
        let remarks = &json(&arena(&[&command[..], &["--json"]].concat()))["remarks"];
        let note = remarks[0]["note"].as_str().unwrap_or_default();
        assert_eq!(note.contains("`arena_sdk::log`"), is_noted, "{remarks}");
    }
}

#[test]
fn the_fuel_of_sample_games_is_told_before_and_a_profile_takes_no_more() {
    let folder = tempfile::tempdir().unwrap();
    let spin = |times: u32| {
        let spin = format!(
            r#"(func $spin (@name "spin") (local i32) (local.set 0 (i32.const {times}))
            (loop (br_if 0 (local.tee 0 (i32.sub (local.get 0) (i32.const 1))))))"#
        );
        passing(folder.path(), &spin, "(call $spin)")
    };
    for times in [10, 20_000, 200_000] {
        let bot = spin(times);
        let command = [&["check", &bot][..], &GOGOL].concat();
        let told = out(&arena(&command));
        let announced = "uses      at most 2,200,000,000 fuel in the sample games, the profile at most as much again\n";
        assert!(told.contains(announced) && told.contains("  spin\n"), "{told}");
        let checked = json(&arena(&[&command[..], &["--json"]].concat()));
        let used = checked["profile"]["functions"].as_array().unwrap();
        let most = used.iter().filter_map(|used| used["total_fuel"].as_u64()).max();
        assert!(checked["profile"]["cut_at_fuel"].is_null() && most <= Some(2_200_000_000), "{checked}");
    }
}

/// The project for WebAssembly text with additional code at the start of its turn.
fn template(folder: &Path, first: &str) -> String {
    let read = |path: &str| fs::read_to_string(root().join(path)).unwrap();
    let layer = write(folder, "arena.wat", read("sdk/wat/arena.wat"));
    let source =
        read("sdk/templates/wat/bot.wat").replacen("(func $turn", &format!("(func $turn (local $i i32) {first}"), 1);
    let (source, module) = (write(folder, "bot.wat", source), folder.join("bot.wasm"));
    let module = module.to_str().unwrap();
    assert_eq!(code(&arena(&["assemble", &layer, &source, "--output", module])), 0);
    module.into()
}

/// Loops a number of times in each turn.
fn spinning(times: u32) -> String {
    format!(
        "(local.set $i (i32.const {times})) \
         (loop $spin (br_if $spin (local.tee $i (i32.sub (local.get $i) (i32.const 1)))))"
    )
}

#[test]
fn the_most_fuel_that_sample_games_may_use_is_said_before_they_are_played() {
    let folder = tempfile::tempdir().unwrap();
    let bot = template(folder.path(), &spinning(7_000_000));
    let mut check = Command::new(env!("CARGO_BIN_EXE_arena"));
    // Its games take seconds.
    let (mut check, said) = Process::heard("arena check", check.args(["check", &bot, "--profile"]));
    let before = said.find(|line| line.trim_start().starts_with("uses      at most ").then(|| line.to_owned()));
    assert!(check.is_running(), "{before}");
}

#[test]
fn a_costly_turn_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    for (times, is_warned) in [(7_000_000, true), (1_000_000, false)] {
        let bot = template(folder.path(), &spinning(times));
        let checked = arena(&["check", &bot]);
        let told = out(&checked).replace('\n', " ");
        let words = "% of the budget; fuller boards cost more; `--games 20` plays from tournament openings";
        assert_eq!((code(&checked), told.contains(words)), (0, is_warned), "{told}");
    }
}

#[test]
fn more_games_are_those_of_a_match_from_tournament_openings() {
    let folder = tempfile::tempdir().unwrap();
    let bot = template(folder.path(), "");
    let checked = json(&arena(&["check", &bot, "--games", "6", "--against", "normal", "--seed", "3", "--json"]));
    let played = json(&arena(&["play", &bot, "normal", "--games", "6", "--seed", "3", "--json"]));
    let own = played["entrants"].as_array().unwrap().iter().find(|entrant| entrant["name"] == "bot").unwrap();
    for (field, same) in [("games", "games"), ("won", "wins"), ("drawn", "draws"), ("lost", "losses")] {
        assert_eq!(checked["trial"][field], own[same], "{field}: {own}");
    }
    let told = out(&arena(&["check", &bot, "--games", "3", "--threads", "1"]));
    assert!(told.contains("games     4 games against hard, from tournament openings: won "), "{told}");
    assert!(told.contains("fuel of ") && told.contains(" turns: p50 "), "{told}");
    assert_eq!(json(&arena(&["check", &bot, "--json"])).get("trial"), None);
    assert_eq!(code(&arena(&["check", &bot, "--against", "nobody"])), 2);
}

#[test]
fn a_bot_that_fails_on_fuller_boards_is_found_and_the_command_that_shows_it_works() {
    let folder = tempfile::tempdir().unwrap();
    // It loops before its first turn unless the board is empty, as in the first sample games, or a cell of the next
    // ones' opening lives.
    let endless = "(if (i32.lt_u (call $ply) (i32.const 2)) (then \
        (if (i32.load8_u (call $conquerors_at (i32.const 7) (i32.const 22))) (then) (else \
        (if (call $conquerors_lives (i32.const 0) (i32.const 28)) (then (loop $for_ever (br $for_ever))))))))";
    let bot = template(folder.path(), endless);
    let checked = arena(&["check", &bot, "--games", "8"]);
    let told = out(&checked);
    assert!(code(&checked) == 0 && told.contains("forfeits: 8 by fuel_exhausted"), "{told}");
    assert!(told.contains("max 50,000,000, 100.0 %"), "{told}");
    let words = told.replace('\n', " ");
    assert!(
        words.contains("warning: it forfeits 8 of 8 games, first game 0 in turn 1: the fuel was used up"),
        "{told}"
    );

    // As the warning says.
    let records = folder.path().join("rec");
    let told = out(&arena(&["play", "hard", &bot, "--games", "8", "--records", records.to_str().unwrap()]));
    let look = told.lines().find_map(|line| line.strip_prefix("look at the first forfeit: ")).unwrap();
    assert!(look.ends_with(&format!("debug {bot} {}/00000.json --turn 2", records.display())), "{look}");
    let words: Vec<&str> = look.split(' ').skip(1).collect();
    let debugged = arena(&words);
    let forfeit = "answers   forfeits: the fuel was used up before the bot answered (fuel_exhausted)";
    assert!(code(&debugged) == 0 && out(&debugged).contains(forfeit), "{}", out(&debugged));
}

#[test]
fn a_replay_has_a_legend_headings_and_names() {
    let folder = tempfile::tempdir().unwrap();
    let definition = "name = \"t\"\nseed = 5\npairs = 1\n[[entrants]]\nname = \"weak\"\nbaseline = \"easy\"\n\
        [[entrants]]\nname = \"strong\"\nbaseline = \"hard\"\n";
    let definition = write(folder.path(), "t.toml", definition);
    let tournament = folder.path().join("out");
    assert_eq!(code(&arena(&["tournament", "run", &definition, "--out", tournament.to_str().unwrap()])), 0);
    let record = &*format!("{}#0", tournament.to_str().unwrap());
    let start = out(&arena(&["replay", record, "--turn", "0"]));
    assert!(start.contains("blue o: weak\nred  x: strong\n"), "{start}");
    let headings = "                         1                   2\n     0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7 8 9 0 1 2 3 4 5 6 7\n";
    let tens = headings.lines().next().unwrap().trim_start();
    assert!(start.contains(tens) && start.contains(headings.lines().last().unwrap()), "{start}");
    // The digits of tens are above those of ones.
    let lines: Vec<&str> = start.lines().collect();
    let at = lines.iter().position(|line| line.trim_start() == tens).unwrap();
    let places: Vec<usize> = lines[at].match_indices(['1', '2']).map(|(place, _)| (place - 5) / 2).collect();
    assert_eq!(places, [10, 20], "{start}");
    assert!(!start.contains("this turn"), "nothing is marked: {start}");
    let first = out(&arena(&["replay", record, "--turn", "1"]));
    assert!(first.contains("   ' this turn"), "{first}");
    assert!(out(&arena(&["record", "show", record])).starts_with("blue   weak"));
    // Outside its tournament the record has ids instead of names.
    let alone = write(folder.path(), "alone.json", out(&arena(&["record", "to-json", record])));
    assert!(out(&arena(&["replay", &alone, "--turn", "0"])).contains("blue o: baseline:easy@"));
}

#[test]
fn a_replay_of_another_game_has_its_own_legend() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().to_str().unwrap();
    let play = ["play", "planner", "greedy", "--game", "game-of-game-of-life", "--games", "2", "--records", records];
    assert_eq!(code(&arena(&play)), 0);
    let record = format!("{records}/00000.json");
    let start = out(&arena(&["replay", &record, "--turn", "0"]));
    assert!(start.contains("planner") && start.contains("greedy") && !start.contains("baseline:"), "{start}");
    let first = out(&arena(&["replay", &record, "--turn", "1"]));
    assert!(first.contains("[ ] this turn"), "{first}");
    assert_eq!(first.contains('#'), first.contains("# nobody's"), "{first}");
}

#[test]
fn a_replay_of_a_window_draws_a_block_of_eight_by_eight_cells_as_one() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().to_str().unwrap();
    let play = ["play", "idle", "expander", "--game", "life2", "--games", "2", "--records", records];
    let short = ["--options", "seats=2,coins=1000,generations=600"];
    let played = arena(&[&play[..], &short].concat());
    assert_eq!(code(&played), 0, "{}", err(&played));
    let record = format!("{records}/00000.json");
    let start = out(&arena(&["replay", &record, "--turn", "0"]));
    assert!(start.contains("idle") && start.contains("expander") && !start.contains("baseline:"), "{start}");
    let legend = "    a seat 1 36   b seat 2 36";
    assert!(start.contains("\n 63 ") && !start.contains("\n 64 ") && start.contains(legend), "{start}");
    let whole = arena(&["replay", &record]);
    assert_eq!(code(&whole), 0);
    assert!(out(&whole).contains("\nturn 20\n"), "{}", out(&whole));
    assert!(out(&whole).contains("every action and digest of the record agrees with the rules"), "{}", out(&whole));
    assert_eq!(code(&arena(&["replay", &record, "--turn", "21"])), 2);
}

#[test]
fn a_missing_file_of_a_definition_is_explained_to_people_without_the_tree() {
    let folder = tempfile::tempdir().unwrap();
    let definition = "name = \"t\"\nseed = 5\npairs = 1\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n\
        [[entrants]]\nname = \"mine\"\nfile = \"mine.wasm\"\n";
    let definition = write(folder.path(), "t.toml", definition);
    let refused =
        err(&arena(&["tournament", "run", &definition, "--out", folder.path().join("out").to_str().unwrap()]));
    assert!(refused.contains("mine.wasm") && refused.contains("relative to the definition's folder"), "{refused}");
    assert!(!refused.contains("xtask"), "{refused}");
}

#[test]
fn json_stays_json_whatever_is_warned_of() {
    let folder = tempfile::tempdir().unwrap();
    let bot = template(folder.path(), &spinning(7_000_000));
    let checked = json(&arena(&["check", &bot, "--games", "2", "--json"]));
    let warning = checked["remarks"][0]["warning"].as_str().unwrap();
    assert!(warning.starts_with("the costliest turn took ") && !warning.contains("--games"), "{warning}");
    assert_eq!(checked["accepted"], Value::Bool(true));
}
