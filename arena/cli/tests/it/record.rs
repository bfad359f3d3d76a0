//! `arena record`, as a person or a script meets it.

use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};

use crate::process::output;

/// The output of a command that is given `input`.
fn arena(arguments: &[&str], input: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_arena"));
    let mut child =
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    output("arena record", child)
}

fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// The example of the format.
fn example() -> String {
    let format = include_str!("../../../record/FORMAT.md");
    format.lines().find(|line| line.starts_with("{\"format\":")).unwrap().to_string() + "\n"
}

#[test]
fn a_record_goes_to_text_and_back() {
    let text = arena(&["record", "to-text", "-"], &example());
    assert_eq!(text.status.code(), Some(0));
    assert!(out(&text).contains("\n3. z2,w9,i8,u13\n"), "{}", out(&text));
    let back = arena(&["record", "from-text", "-"], &out(&text));
    assert_eq!((back.status.code(), out(&back)), (Some(0), example()));
    let broken = arena(&["record", "from-text", "-"], &out(&text).replace("z2", "z28"));
    assert_eq!(broken.status.code(), Some(2));
    assert!(String::from_utf8(broken.stderr).unwrap().contains("line 18: \"z28\" is not a cell"));
}

#[test]
fn a_record_is_shown_in_words_and_as_a_table() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("one, \"two\".json");
    fs::write(&path, example()).unwrap();
    let shown = arena(&["record", "show", path.to_str().unwrap()], "");
    assert_eq!(shown.status.code(), Some(0));
    for words in ["blue   baseline:easy@1\n", "red wins by extinction after 5 turns, 0:8\n", "agrees with the rules"] {
        assert!(out(&shown).contains(words), "{}", out(&shown));
    }
    let table = out(&arena(&["record", "csv", "-", path.to_str().unwrap()], &example()));
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 1 + 5 + 5);
    assert_eq!(lines[1], "-,1,1,blue,baseline:easy@1,\"m4,m3,n4,n3\",,4,0,4,0");
    assert_eq!(lines[10].matches("\"\"two\"\"").count(), 1);
    assert!(lines[10].ends_with(",5,3,blue,baseline:easy@1,\"z2,w9,i8,u13\",,0,8,0,8"), "{}", lines[10]);
}

#[test]
fn a_record_that_is_no_game_is_said_to_be_none() {
    let forged = example().replace("\"tally\":[0,8]", "\"tally\":[0,9]");
    for command in ["show", "to-text", "csv"] {
        let output = arena(&["record", command, "-"], &forged);
        assert_eq!(output.status.code(), Some(1), "{command}");
        assert!(out(&output).contains("not a game by the rules: the outcome"), "{}", out(&output));
        assert_eq!(arena(&["record", command, "-"], "{}").status.code(), Some(2));
        let other = example().replace("conquerors@2", "checkers@1");
        assert_eq!(arena(&["record", command, "-"], &other).status.code(), Some(2));
    }
}

#[test]
fn a_game_that_cannot_be_told_in_words_is_named_with_what_shows_it() {
    let folder = tempfile::tempdir().unwrap();
    let records = folder.path().join("games");
    let played = arena(
        &["play", "random", "random", "--game", "war-of-life", "--games", "2", "--records", records.to_str().unwrap()],
        "",
    );
    assert_eq!(played.status.code(), Some(0), "{played:?}");
    let record = records.join("00000.json");
    for what in ["show", "to-text", "csv"] {
        let refused = arena(&["record", what, record.to_str().unwrap()], "");
        assert_eq!(refused.status.code(), Some(2), "{what}");
        let said = String::from_utf8(refused.stderr).unwrap();
        assert!(
            said.contains("war-of-life@1") && said.contains("use `arena replay` or `arena record to-json`"),
            "{said}"
        );
        assert!(refused.stdout.is_empty(), "{what} printed the head of a table");
    }
    let printed = arena(&["record", "to-json", record.to_str().unwrap()], "");
    assert_eq!((printed.status.code(), printed.stdout), (Some(0), fs::read(&record).unwrap()));
}
