//! `arena new` as a newcomer meets it. Languages with a compiler of their own are built by `cargo xtask test`.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

use crate::process::finished;

fn arena(place: &Path, arguments: &[&str]) -> Output {
    finished(Command::new(env!("CARGO_BIN_EXE_arena")).current_dir(place).args(arguments))
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn what_is_there_is_never_overwritten() {
    let place = tempfile::tempdir().unwrap();
    assert!(arena(place.path(), &["new", "mine", "--lang", "c"]).status.success());
    let source = place.path().join("mine/bot.c");
    fs::write(&source, "/* an evening's work */").unwrap();
    fs::remove_file(place.path().join("mine/README.md")).unwrap();
    const TOLD: &str = "arena: mine already exists; nothing was changed: choose another name, or remove it\n";
    for language in ["c", "rust"] {
        let again = arena(place.path(), &["new", "mine", "--lang", language]);
        assert_eq!(again.status.code(), Some(2));
        assert_eq!(text(&again.stderr), TOLD);
    }
    assert_eq!(fs::read_to_string(source).unwrap(), "/* an evening's work */");
    assert!(!place.path().join("mine/README.md").exists());
    assert!(!place.path().join("mine/Cargo.toml").exists());
}

#[test]
fn where_nobody_can_be_asked_what_is_missing_is_said() {
    let place = tempfile::tempdir().unwrap();
    for given in [&["new"][..], &["new", "mine"], &["new", "--lang", "c"], &["new", "--game", "war-of-life"]] {
        let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
        let refused = finished(arena.current_dir(place.path()).args(given).stdin(std::process::Stdio::null()));
        assert_eq!(refused.status.code(), Some(2), "{given:?}");
        let said = text(&refused.stderr);
        assert!(
            said.contains("new FOLDER --lang rust|c|zig|assemblyscript|wat|javascript|typescript|python"),
            "{said}"
        );
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn a_bad_name_makes_no_folder() {
    let place = tempfile::tempdir().unwrap();
    let refused = arena(place.path(), &["new", "My Bot", "--lang", "wat"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("is not a name for a bot"), "{}", text(&refused.stderr));
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
}

#[test]
fn a_name_that_a_rust_project_cannot_have_is_refused() {
    let place = tempfile::tempdir().unwrap();
    for name in ["arena-sdk", "arena-rules", "arena-wire", "fn", "match", "std", "proc-macro"] {
        let refused = arena(place.path(), &["new", name, "--lang", "rust"]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(text(&refused.stderr).contains(&format!("choose another name, such as {name}-bot")), "{refused:?}");
    }
    assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    for name in ["arena-sdk", "fn"] {
        assert!(arena(place.path(), &["new", name, "--lang", "wat"]).status.success());
    }
}

#[test]
fn a_folder_is_made_in_one_that_is_there() {
    let place = tempfile::tempdir().unwrap();
    let refused = arena(place.path(), &["new", "nodir/mine", "--lang", "wat"]);
    assert_eq!(refused.status.code(), Some(2));
    assert_eq!(text(&refused.stderr), "arena: the parent folder of nodir/mine does not exist; create it first\n");
    fs::create_dir(place.path().join("my dir")).unwrap();
    let told = text(&arena(place.path(), &["new", "my dir/mine", "--lang", "wat"]).stdout);
    assert!(told.contains("\n  cd 'my dir/mine'\n"), "{told}");
}

#[test]
#[cfg(unix)]
fn a_build_without_a_compiler_says_what_to_install() {
    let place = tempfile::tempdir().unwrap();
    // A machine with a shell and nothing else that could build.
    let programs = place.path().join("programs");
    fs::create_dir(&programs).unwrap();
    let path = std::env::var_os("PATH").unwrap();
    let dirname = std::env::split_paths(&path).map(|folder| folder.join("dirname")).find(|file| file.is_file());
    std::os::unix::fs::symlink(dirname.unwrap(), programs.join("dirname")).unwrap();
    for language in ["c", "zig"] {
        assert!(arena(place.path(), &["new", language, "--lang", language]).status.success());
        let mut build = Command::new("/bin/sh");
        build.arg("build.sh").current_dir(place.path().join(language)).env("PATH", &programs);
        let refused = finished(&mut build);
        assert_eq!(refused.status.code(), Some(1), "{language}");
        let said = text(&refused.stderr);
        assert!(said.contains("Python 3 with pip") && said.contains("apt-get install"), "{said}");
    }
}

#[test]
fn a_bot_by_hand_plays_by_the_commands_that_are_told() {
    let place = tempfile::tempdir().unwrap();
    let told = text(&arena(place.path(), &["new", "by-hand", "--lang", "wat"]).stdout);
    let project = place.path().join("by-hand");
    let commands: Vec<Vec<&str>> = told.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let [change, assemble, check, play] = &commands[..] else { panic!("{told}") };
    assert_eq!(change[..], ["cd", "by-hand"]);
    let assembled = arena(&project, &assemble[1..]);
    assert!(assembled.status.success(), "{}", text(&assembled.stderr));
    let verdict: Value = serde_json::from_slice(&arena(&project, &[&check[1..], &["--json"]].concat()).stdout).unwrap();
    assert_eq!(verdict["accepted"], true, "{verdict}");
    let played = arena(&project, &[&play[1..], &["--json", "--games", "2"]].concat());
    let standings: Value = serde_json::from_slice(&played.stdout).unwrap();
    for entrant in standings["entrants"].as_array().unwrap() {
        assert_eq!(entrant["forfeits"], serde_json::json!({}), "{entrant}");
    }
}

#[test]
fn an_error_in_one_of_several_texts_is_told_with_its_file_and_line() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
    write("first.wat", "(func $first)\n(func $second (call $third))");
    write("second.wat", "(func $third\n  (call $nobody))");
    let refused = text(&arena(place.path(), &["assemble", "first.wat", "second.wat"]).stderr);
    assert!(refused.contains("second.wat:2:9") && refused.contains("$nobody"), "{refused}");
    write("second.wat", "(func (export \"f\")\n  (call $first))");
    let refused = text(&arena(place.path(), &["assemble", "first.wat", "second.wat"]).stderr);
    assert!(refused.contains("first.wat:2:21") && refused.contains("$third"), "{refused}");
    write("first.wat", "(func $first)");
    let assembled = arena(place.path(), &["assemble", "first.wat", "second.wat"]);
    assert!(assembled.status.success(), "{}", text(&assembled.stderr));
    assert!(place.path().join("second.wasm").exists() && !place.path().join("first.wasm").exists());
}

#[test]
fn text_that_is_no_module_is_told_with_its_line() {
    let place = tempfile::tempdir().unwrap();
    fs::write(place.path().join("bot.wat"), "(module\n  (func (export \"f\") (i32.bogus)))").unwrap();
    let refused = arena(place.path(), &["assemble", "bot.wat"]);
    assert_eq!(refused.status.code(), Some(2));
    let said = text(&refused.stderr);
    assert!(said.contains("cannot assemble bot.wat") && said.contains("bot.wat:2"), "{said}");
    assert!(!place.path().join("bot.wasm").exists());
}
