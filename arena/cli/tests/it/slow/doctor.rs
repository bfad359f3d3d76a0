//! `arena doctor` on machines without tools, with fake tools, and with broken tools.
#![cfg(unix)]

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

use crate::process::finished;

/// The arena on a machine with only the programs of a folder.
fn arena(programs: &Path, arguments: &[&str]) -> Output {
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    finished(arena.args(arguments).env("PATH", programs).env_remove("RUSTC").stdin(Stdio::null()))
}

fn diagnosis(programs: &Path) -> (Option<i32>, Value) {
    let said = arena(programs, &["doctor", "--json"]);
    (said.status.code(), serde_json::from_slice(&said.stdout).unwrap())
}

/// A program that is a script for the shell.
fn fake(programs: &Path, name: &str, script: &str) {
    let path = programs.join(name);
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
}

/// The report's entry about a tool or a language.
fn of<'a>(list: &'a Value, key: &str, name: &str) -> &'a Value {
    list.as_array().unwrap().iter().find(|entry| entry[key] == name).unwrap()
}

#[test]
fn without_any_tool_a_bot_by_hand_plays_and_every_other_language_says_what_is_missing() {
    let programs = tempfile::tempdir().unwrap();
    let (code, report) = diagnosis(programs.path());
    assert_eq!((code, &report["ready"]), (Some(0), &json!(true)));
    for tool in report["tools"].as_array().unwrap() {
        assert_eq!(tool["state"], "missing", "{tool}");
        assert!(tool["get"].as_str().unwrap().len() > 10, "{tool}");
    }
    let language = |name| of(&report["languages"], "language", name);
    assert_eq!(language("wat")["status"], "ready");
    for script in ["javascript", "typescript", "python"] {
        assert_eq!(language(script)["status"], "needs_nothing");
    }
    assert_eq!(language("rust")["ways"], json!([["cargo", "wasm32-unknown-unknown"]]));
    assert_eq!(language("c")["ways"], json!([["clang", "wasm-ld"], ["ziglang"], ["pip"]]));
    for name in ["zig", "assemblyscript"] {
        assert_eq!(language(name)["status"], "missing");
    }
    let said = arena(programs.path(), &["doctor"]);
    let said = String::from_utf8(said.stdout).unwrap();
    for line in [
        "cargo                   not found; install Rust",
        "missing: clang and wasm-ld, or ziglang, or pip",
        "new mybot --lang wat",
    ] {
        assert!(said.contains(line), "{said}");
    }
}

#[test]
fn tools_that_are_there_are_tried_out_on_a_bot() {
    let programs = tempfile::tempdir().unwrap();
    fake(programs.path(), "node", "echo v22.1.0");
    // Builds nothing, and reports success.
    fake(
        programs.path(),
        "npm",
        "case $1 in --version) echo 11.0.0;; *) echo 'npm is out of order' >&2; exit 7;; esac",
    );
    // No build could run without a shell.
    std::os::unix::fs::symlink("/bin/sh", programs.path().join("sh")).unwrap();
    let (code, report) = diagnosis(programs.path());
    assert_eq!(code, Some(0), "the language without tools is still ready");
    assert_eq!(of(&report["tools"], "tool", "node")["version"], "22.1.0");
    let language = of(&report["languages"], "language", "assemblyscript");
    assert_eq!(language["status"], "fails", "{language}");
    assert_eq!(language["command"], "npm install && npm run build");
    assert_eq!(language["output"], json!(["npm is out of order"]));
}

#[test]
fn another_rustc_that_cargo_would_use_is_asked_for_its_target() {
    let programs = tempfile::tempdir().unwrap();
    let target = programs.path().display();
    fake(programs.path(), "my-rustc", &format!("echo {target}"));
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    arena.args(["doctor", "--json"]).env("PATH", programs.path()).env("RUSTC", programs.path().join("my-rustc"));
    let report: Value = serde_json::from_slice(&finished(arena.stdin(Stdio::null())).stdout).unwrap();
    assert_eq!(of(&report["tools"], "tool", "wasm32-unknown-unknown")["state"], "found");
}

#[test]
fn where_pip_is_there_c_and_zig_lack_nothing_but_what_the_build_fetches() {
    let programs = tempfile::tempdir().unwrap();
    let answer = "case $2 in pip) echo 'pip 23.2.1 from /lib';; *) echo \"No module named $2\" >&2; exit 1;; esac";
    fake(programs.path(), "python3", answer);
    let (_, report) = diagnosis(programs.path());
    assert_eq!(of(&report["tools"], "tool", "pip")["version"], "23.2.1");
    for name in ["c", "zig"] {
        let language = of(&report["languages"], "language", name);
        assert_eq!(language["status"], "fetches", "{language}");
        assert_eq!((&language["megabytes"], &language["command"]), (&json!(100), &json!("sh build.sh")));
    }
    let said = String::from_utf8(arena(programs.path(), &["doctor"]).stdout).unwrap();
    assert!(said.contains("fetches 100 MB first: `sh build.sh`") && !said.contains("missing: clang"), "{said}");
}

#[test]
fn a_tool_that_breaks_or_is_too_old_is_not_taken_for_one_that_is_there() {
    let programs = tempfile::tempdir().unwrap();
    fake(programs.path(), "node", "echo v18.0.0");
    fake(programs.path(), "npm", "echo 9.0.0");
    fake(programs.path(), "cargo", "echo 'no toolchain is chosen' >&2; exit 1");
    fake(programs.path(), "python3", "echo \"No module named ${2}\" >&2; exit 1");
    fs::write(programs.path().join("clang"), "not a program").unwrap();
    let (_, report) = diagnosis(programs.path());
    let tool = |name| of(&report["tools"], "tool", name);
    assert_eq!((&tool("node")["state"], &tool("node")["least"]), (&json!("too_old"), &json!("20.0")));
    assert_eq!(tool("cargo")["state"], "broken");
    assert!(tool("cargo")["why"].as_str().unwrap().contains("no toolchain is chosen"));
    assert_eq!(tool("clang")["state"], "broken");
    assert_eq!(tool("ziglang")["state"], "missing");
    for name in ["rust", "c", "zig", "assemblyscript"] {
        assert_eq!(of(&report["languages"], "language", name)["status"], "missing", "{name}");
    }
}

#[test]
fn a_machine_on_which_nothing_can_be_tried_is_not_ready() {
    let programs = tempfile::tempdir().unwrap();
    let mut arena = Command::new(env!("CARGO_BIN_EXE_arena"));
    let arena = arena.arg("doctor").env("PATH", programs.path()).env("TMPDIR", programs.path().join("none"));
    let said = finished(arena.stdin(Stdio::null()));
    assert_eq!(said.status.code(), Some(1), "{}", String::from_utf8_lossy(&said.stdout));
    assert!(String::from_utf8(said.stdout).unwrap().contains("no language is ready"));
}
