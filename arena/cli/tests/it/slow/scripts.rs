//! Scripts where modules go. Each command here compiles an interpreter, which costs seconds in a build for tests, so
//! there are few.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use arena_record::EntrantId;
use serde_json::Value;

use crate::left_out::left_out;
use crate::process::finished;
use crate::program::{arena, code, err, json, out};

fn write(folder: &Path, name: &str, text: &str) -> String {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path.to_str().unwrap().into()
}

/// A new project in a language, whose script is then the bot that its bundle is. Gives its folder.
fn new_bot(place: &Path, language: &str, file: &str) -> PathBuf {
    let project = place.join("mine");
    let told = arena(&["new", project.to_str().unwrap(), "--lang", language]);
    let told = out(&told);
    let commands: Vec<&str> = told.lines().skip(2).map(|line| line.rsplit("arena ").next().unwrap()).collect();
    let expected = [format!("check {file}"), format!("play {file} easy")];
    assert_eq!(commands, expected, "there is nothing to build: {told}");
    let script = project.join(file);
    let script = script.to_str().unwrap();
    let bundled = arena(&["bundle", script]);
    assert_eq!(code(&bundled), 0, "{}", err(&bundled));
    let module = fs::read(project.join("bot.wasm")).unwrap();
    assert_eq!(out(&bundled), format!("{}: {} bytes\n", project.join("bot.wasm").display(), module.len()));
    let played = json(&arena(&["play", script, "easy", "--games", "2", "--threads", "1", "--json"]));
    let mine = played["entrants"].as_array().unwrap().iter().find(|entrant| entrant["name"] == "bot").unwrap();
    assert_eq!(mine["id"], EntrantId::of_bytes(&module).to_string(), "{played}");
    assert_eq!(mine["forfeits"], serde_json::json!({}), "{played}");
    project
}

#[test]
fn a_new_script_is_the_bot_that_its_bundle_is_and_answers_in_node() {
    let place = tempfile::tempdir().unwrap();
    let project = new_bot(place.path(), "javascript", "bot.js");
    if Command::new("node").arg("--version").output().is_err() {
        return left_out("the test of a new script needs Node.js");
    }
    let tested = finished(Command::new("node").arg("--test").current_dir(&project));
    assert!(tested.status.success(), "{}", out(&tested));
}

#[test]
fn a_new_script_in_python_is_the_bot_that_its_bundle_is_and_answers_in_plain_python() {
    let place = tempfile::tempdir().unwrap();
    let project = new_bot(place.path(), "python", "bot.py");
    if Command::new("python3").arg("--version").output().is_err() {
        return left_out("the test of a new script needs Python 3");
    }
    let tested = finished(Command::new("python3").arg("test_bot.py").current_dir(&project));
    assert!(tested.status.success(), "{}", err(&tested));
}

#[test]
fn a_tournament_plays_a_script_and_keeps_its_bundle() {
    let place = tempfile::tempdir().unwrap();
    let script =
        write(place.path(), "bot.js", "function turn(o) {\n  return best(o, { generations: 1, fuel: 1000000 });\n}\n");
    assert_eq!(code(&arena(&["bundle", &script])), 0);
    let module = fs::read(place.path().join("bot.wasm")).unwrap();
    let entrants =
        "[[entrants]]\nname = \"mine\"\nfile = \"bot.js\"\n[[entrants]]\nname = \"easy\"\nbaseline = \"easy\"\n";
    let definition = write(place.path(), "cup.toml", &format!("name = \"cup\"\nseed = 3\npairs = 1\n{entrants}"));
    let folder = place.path().join("cup");
    let ran = arena(&["tournament", "run", &definition, "--threads", "1", "--out", folder.to_str().unwrap()]);
    assert_eq!(code(&ran), 0, "{}", err(&ran));
    assert!(!err(&ran).contains("warning"), "{}", err(&ran));
    let hash = EntrantId::of_bytes(&module).hash().unwrap().to_owned();
    assert_eq!(fs::read(folder.join(format!("entrants/{hash}.wasm"))).unwrap(), module);
}

#[test]
fn a_script_that_does_not_start_is_refused_with_its_line_and_a_caret() {
    let place = tempfile::tempdir().unwrap();
    let script = write(place.path(), "mine.js", "let a = 1;\nfunction turn(o) { return pass( }\n");
    let refused = arena(&["check", &script]);
    let told = out(&refused);
    assert_eq!(code(&refused), 1, "{told}");
    assert!(told.contains("REFUSED, trap: bot.js:2:") && told.contains("the script does not start"), "{told}");
    assert!(told.contains("hint: the error in the bot's log says where and why"), "{told}");
    let lines: Vec<&str> = told.lines().collect();
    let at =
        lines.iter().position(|line| line.contains("| bot.js:2:") && line.contains("SyntaxError")).expect("an error");
    let column = lines[at + 1].find("| function turn(o) { return pass( }").expect("the line");
    let caret = lines[at + 2].find('^').expect("a caret") - column - 2;
    assert!(lines[at].contains(&format!("bot.js:2:{}: ", caret + 1)), "{told}");
}

#[test]
fn a_script_in_python_that_does_not_start_is_refused_with_its_line() {
    let place = tempfile::tempdir().unwrap();
    let script = write(place.path(), "mine.py", "a = 1\ndef turn(o)\n    return pass_()\n");
    let refused = arena(&["check", &script]);
    let told = out(&refused);
    assert_eq!(code(&refused), 1, "{told}");
    assert!(told.contains("REFUSED, trap: bot.py:2") && told.contains("the script does not start"), "{told}");
    assert!(told.contains("| bot.py:2:") && told.contains("SyntaxError"), "{told}");
    assert!(told.contains("| def turn(o)"), "{told}");
}

#[test]
fn an_error_in_a_turn_in_python_is_a_forfeit_with_its_traceback() {
    let place = tempfile::tempdir().unwrap();
    let script =
        write(place.path(), "mine.py", "def find(o):\n    return o.cells\n\ndef turn(o):\n    return find(o)\n");
    let refused = arena(&["check", &script, "--json"]);
    assert_eq!(code(&refused), 1, "{}", err(&refused));
    let report = json(&refused);
    assert_eq!((&report["code"], &report["forfeits"][0]["running"]), (&"trap".into(), &serde_json::json!([])));
    let log = report["forfeits"][0]["log"].as_array().unwrap();
    let log: Vec<&str> = log.iter().filter_map(Value::as_str).collect();
    assert!(log[0].starts_with("bot.py:2: AttributeError"), "{log:?}");
    assert!(log.iter().any(|line| line.contains("in turn (bot.py:5")), "{log:?}");
}

#[test]
fn an_error_in_a_turn_is_a_forfeit_with_its_stack() {
    let place = tempfile::tempdir().unwrap();
    let script = write(
        place.path(),
        "mine.js",
        "const find = (o) => o.cells.length;\nfunction turn(o) {\n  return find(o);\n}\n",
    );
    let refused = arena(&["check", &script, "--json"]);
    assert_eq!(code(&refused), 1, "{}", err(&refused));
    let report = json(&refused);
    assert_eq!((&report["code"], &report["forfeits"][0]["running"]), (&"trap".into(), &serde_json::json!([])));
    let message = report["message"].as_str().unwrap();
    assert!(
        message.contains("in turn 1") && !message.contains("TypeError"),
        "the log is the author's alone: {message}"
    );
    let log = report["forfeits"][0]["log"].as_array().unwrap();
    let log: Vec<&str> = log.iter().filter_map(Value::as_str).collect();
    assert!(log[0].starts_with("bot.js:1:") && log[0].contains("TypeError"), "{log:?}");
    assert!(log.iter().any(|line| line.contains("turn (bot.js:3:")), "{log:?}");
}

#[test]
fn the_fuel_of_a_script_is_seen_at_its_lines() {
    let place = tempfile::tempdir().unwrap();
    let lines = [
        "function spin() {",
        "  let n = 0;",
        "  for (let i = 0; i < 9000; i++)",
        "    n += i;",
        "}",
        "function turn(o) {",
        "  spin();",
        "  return place(o.legal().slice(0, 4));",
        "}",
    ];
    let script = write(place.path(), "mine.js", &lines.join("\n"));
    let checked = arena(&["check", &script]);
    let told = out(&checked);
    assert_eq!(code(&checked), 0, "{told}");
    let (_, table) = told.split_once("by line of the script, seen at").expect("a profile");
    assert!(table.contains("   self    total  line\n"), "{told}");
    // The percentages of a line: its own, and with what it calls.
    let shares = |number: usize| -> Option<[u32; 2]> {
        let shown = format!("  bot.js:{number}  {}", lines[number - 1].trim());
        let row = table.lines().find_map(|line| line.strip_suffix(&shown))?;
        let mut percents = row.split('%').filter_map(|share| share.trim().parse().ok());
        Some([percents.next()?, percents.next()?])
    };
    let [head, body, call] = [3, 4, 7].map(|number| shares(number).expect("a line that takes fuel"));
    assert!(head[0] >= 10 && body[0] >= 10 && head[0] + body[0] >= 80 && body[0] == body[1], "{told}");
    assert!(call[0] <= 5 && call[1] >= 80 && call[1] >= head[0] + body[0], "{told}");
}
