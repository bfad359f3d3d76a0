//! Matches that stop when they have shown something.

use std::fs;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

use crate::eventually::eventually_here;
use crate::process::output;
use crate::program::{arena, code, err, json, out};

fn play(arguments: &[&str]) -> Output {
    arena(&[&["play"], arguments].concat())
}

#[test]
fn a_test_stops_at_the_same_pair_whatever_the_threads() {
    let test = |threads| play(&["hard", "normal", "--sprt", "0,60", "--seed", "4", "--json", "--threads", threads]);
    let (one, four) = (test("1"), test("4"));
    assert_eq!(out(&one), out(&four));
    assert_eq!((code(&one), code(&four)), (0, 0), "{}", out(&one));
    let json = json(&one);
    let shown = &json["match"];
    let pairs = shown["pairs"].as_u64().unwrap();
    assert!((8..10_000).contains(&pairs), "{shown}");
    // Every game that was taken into account is counted, and none beyond.
    assert_eq!(json["games_played"], 2 * (pairs + shown["pairs_repeated"].as_u64().unwrap()));
    assert_eq!(shown["pentanomial"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), pairs);
    assert_eq!(shown["sprt"]["accepted"], "elo1");
    assert!(shown["sprt"]["note"].as_str().unwrap().contains("biased"), "{shown}");
    assert!(shown["sprt"]["llr"].as_f64().unwrap() >= shown["sprt"]["llr_high"].as_f64().unwrap(), "{shown}");
    let sentence =
        format!("hard is stronger than normal: 60 Elo is accepted as the likelier of 0 and 60 after {pairs} pairs");
    assert_eq!(shown["sentence"], sentence);
}

#[test]
fn a_test_says_what_it_came_to_in_a_sentence_and_by_its_exit_code() {
    let yes = play(&["hard", "easy", "--sprt", "0,50"]);
    assert_eq!(code(&yes), 0);
    assert!(out(&yes).contains("\nhard is stronger than easy: 50 Elo is accepted"), "{}", out(&yes));
    assert!(out(&yes).contains("; LLR "), "{}", out(&yes));
    let no = play(&["easy", "hard", "--sprt=-50,0"]);
    assert_eq!(code(&no), 1);
    assert!(
        out(&no).contains("\neasy is weaker than hard: -50 Elo is accepted as the likelier of -50 and 0"),
        "{}",
        out(&no)
    );
    let open = play(&["hard", "easy", "--sprt", "0,50", "--games", "6"]);
    assert_eq!(code(&open), 5);
    assert!(out(&open).contains("\nundecided which of 0 and 50 Elo hard is likelier to be above easy, after 3 pairs"));
}

/// How many records a match has left in a folder.
fn records_in(folder: &Path) -> usize {
    fs::read_dir(folder).unwrap().filter(|file| file.as_ref().unwrap().file_name() != "names.json").count()
}

#[test]
fn a_folder_of_records_is_of_one_match() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().to_str().unwrap();
    fs::write(folder.path().join("00003.json.bak"), "mine").unwrap();
    assert_eq!(code(&play(&["easy", "hard", "--games", "8", "--records", records])), 0);
    assert_eq!(code(&play(&["easy", "hard", "--games", "4", "--records", records])), 0);
    let names = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> = names.collect();
    names.sort();
    assert_eq!(names, ["00000.json", "00001.json", "00002.json", "00003.json", "00003.json.bak", "names.json"]);
}

#[test]
fn records_are_those_of_the_games_that_count() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().to_str().unwrap();
    let output = play(&["hard", "easy", "--sprt", "0,50", "--threads", "4", "--records", records, "--json"]);
    let json = json(&output);
    assert_eq!(records_in(folder.path()) as u64, json["games_played"].as_u64().unwrap());
}

#[test]
fn games_that_are_one_game_count_once_in_a_test() {
    // Built-in opponents that draw no random number, on a board without an opening: each pair is the first again.
    let bloodlust = ["--games", "20", "bloodlust", "bloodlust", "--game", "war-of-life", "--options", "start=pictured"];
    let output = play(&[&bloodlust[..], &["--json"]].concat());
    let json = json(&output);
    assert_eq!((&json["match"]["pairs"], &json["match"]["pairs_repeated"]), (&Value::from(1), &Value::from(9)));
    assert!(out(&play(&bloodlust)).contains("9 pairs not counted: a game of theirs was played before"));
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_match_with_what_there_is() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    command.args(["play", "hard", "normal", "--games", "100000", "--records", folder.path().to_str().unwrap()]);
    let mut run = command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let records = || records_in(folder.path());
    let played = || if records() < 40 && run.try_wait().unwrap().is_none() { Err(records()) } else { Ok(()) };
    eventually_here("the first games of a match", played);
    rustix::process::kill_process(rustix::process::Pid::from_child(&run), rustix::process::Signal::INT).unwrap();
    let stopped = output("the match", run);
    assert_eq!(code(&stopped), 130);
    let (kept, said) = (records(), out(&stopped));
    assert!(kept % 2 == 0 && said.contains(&format!("\nstopped after {kept} of 100000 games\n")), "{kept}: {said}");
    assert!(said.contains(&format!(" {} pair", kept / 2)) || said.contains(&format!("\n{} pair", kept / 2)), "{said}");
}

/// A bot that ends in its first turn.
const TRAP: &str = r#"(module (memory (export "memory") 1)
    (func (export "arena_observation") (param i32) (result i32) (i32.const 1024))
    (func (export "arena_turn") (param i32) (result i64) (unreachable)))"#;

#[test]
fn who_forfeits_is_told_by_the_name_in_the_standings_in_lines_that_fit() {
    let folder = tempfile::tempdir().unwrap();
    let bots = ["one", "other"].map(|place| {
        let path = folder.path().join(place);
        fs::create_dir(&path).unwrap();
        fs::write(path.join("trap.wasm"), wat::parse_str(TRAP).unwrap()).unwrap();
        path.join("trap.wasm").into_os_string().into_string().unwrap()
    });
    let said = out(&play(&[&bots[0], &bots[1], "--games", "4"]));
    // Either moves first: the seats change with each game.
    for words in ["\ntrap forfeits game 0 in turn 1: ", "\ntrap-2 forfeits game 1 in turn 1: "] {
        assert!(said.contains(words), "{said}");
    }
    let forfeits = said.lines().skip_while(|line| !line.contains(" forfeits game "));
    assert!(forfeits.clone().count() > 2 && forfeits.clone().all(|line| line.chars().count() <= 100), "{said}");
    assert!(said.contains("  trap-2 "), "{said}");
}

#[test]
fn options_that_are_not_the_usual_ones_are_told_beside_them() {
    let help = out(&play(&["--help"])).split_whitespace().collect::<Vec<_>>().join(" ");
    let usual = "chain_needs_home,weighted_majority,opening=symmetric:8";
    for default in [&format!("conquerors: {usual}; "), "war-of-life: start=", "game-of-game-of-life: seats=2"] {
        assert!(help.contains(default), "{default}: {help}");
    }
    let told = |options: &[&str]| out(&play(&[&["hard", "easy", "--games", "2"], options].concat()));
    let line = format!("\nrules: opening=turns:4; usual: {usual}\nmean length");
    assert!(told(&["--options", "opening=turns:4"]).contains(&line));
    for options in [&[][..], &["--options", usual]] {
        assert!(!told(options).contains("rules: "), "{options:?}");
    }
}

#[test]
fn numbers_that_make_no_test_are_explained() {
    for (test, why) in [("10,0", "the smaller first"), ("0", "two Elo differences with a comma")] {
        let output = play(&["hard", "easy", "--sprt", test]);
        assert_eq!(code(&output), 2, "{test}");
        assert!(err(&output).contains(why), "{}", err(&output));
    }
    assert_eq!(code(&play(&["hard", "easy", "--alpha", "0.1"])), 2, "an error rate of no test");
}

#[test]
fn a_bot_of_the_gallery_is_an_opponent_by_its_name_and_its_records_need_no_file() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().to_str().unwrap();
    let played = play(&["mason", "easy", "--games", "2", "--records", records, "--json"]);
    assert_eq!(code(&played), 0, "{}", err(&played));
    let mason = arena_released::Released::named("conquerors@2", "mason").unwrap();
    let file = folder.path().join("my-mason.wasm");
    fs::write(&file, mason.bytes).unwrap();
    let by_file = play(&[file.to_str().unwrap(), "easy", "--games", "2", "--json"]);
    // One entrant, however it is named.
    assert_eq!(json(&played)["entrants"][0]["id"], json(&by_file)["entrants"][0]["id"]);
    let record = folder.path().join("00000.json");
    let verified = arena(&["verify", record.to_str().unwrap()]);
    assert_eq!(code(&verified), 0, "{}", out(&verified));
    let help = out(&play(&["--help"]));
    for name in arena_released::ALL.iter().map(|bot| bot.name).chain(["hard", "minimax", "planner"]) {
        assert!(help.contains(name), "{name} is not among the names: {help}");
    }
}

#[test]
fn two_are_compared_against_a_field_from_the_same_openings_whatever_the_threads() {
    let compare =
        |threads| play(&["hard", "easy", "--against", "normal,mason", "--games", "40", "--json", "--threads", threads]);
    let (one, three) = (compare("1"), compare("3"));
    assert_eq!(code(&one), 0, "{}", err(&one));
    assert_eq!(out(&one), out(&three));
    let json = json(&one);
    assert_eq!((json["openings"].as_u64(), json["field"][1]["name"].as_str()), (Some(40), Some("mason")));
    let share = |value: &Value| value.as_f64().unwrap();
    assert!(share(&json["ahead_low"]) > 0.0 && share(&json["superiority"]) > 0.99, "{json}");
    // Everyone in the field counts alike.
    let each = [0, 1].map(|number| share(&json["field"][number]["a"]) - share(&json["field"][number]["b"]));
    assert!((each.iter().sum::<f64>() / 2.0 - share(&json["ahead"])).abs() < 0.001, "{json}");
    let sentence = json["sentence"].as_str().unwrap();
    assert!(sentence.starts_with("hard is better than easy against this field by "), "{sentence}");
    let told = out(&play(&["easy", "hard", "--against", "normal", "--games", "40"]));
    assert!(
        told.starts_with("against  ") && told.contains("\nhard is better than easy against this field by "),
        "{told}"
    );

    let folder = tempfile::tempdir().unwrap();
    let field = folder.path().join("field.toml");
    let entrants = ["normal", "mason"].map(|name| format!("[[entrants]]\nname = \"{name}\"\n"));
    let text =
        format!("name = \"f\"\nseed = 1\n{}baseline = \"normal\"\n{}gallery = \"mason\"\n", entrants[0], entrants[1]);
    fs::write(&field, text).unwrap();
    let by_file = play(&["hard", "easy", "--against", field.to_str().unwrap(), "--games", "40", "--json"]);
    assert_eq!(out(&by_file), out(&one), "a definition's entrants are a field");

    for (arguments, words) in [
        (["hard", "easy", "--against", "normal,hard"], "hard appears twice"),
        (["hard", "hard", "--against", "normal"], "A and B are the same bot"),
        (["hard", "easy", "--against", "normal,"], "separated by single commas"),
        (["hard", "easy", "--against", "nobody"], "nobody is neither a file nor an opponent"),
    ] {
        let refused = play(&arguments);
        assert_eq!(code(&refused), 2, "{words}");
        assert!(err(&refused).contains(words), "{}", err(&refused));
    }
}
