//! Answers as they were when somebody last looked at them: `tests/snapshots/NAME.txt` has the request, the status and
//! the body.
//!
//! A test that finds another answer fails. `ARENA_BLESS=1 cargo test -p arena-server` writes what is answered now; the
//! difference is then looked at like any other. What differs from run to run is replaced (see [`redacted`]).

use std::fs;
use std::path::{Path, PathBuf};

use crate::client::Answer;
use crate::routes::is_of;

/// Set to write the snapshots instead of comparing them.
const BLESS: &str = "ARENA_BLESS";

/// Digits from which on a number in hex is an id, a hash or a secret.
const HEX_DIGITS_MIN: usize = 16;

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots")
}

/// Compares an answer with its snapshot.
pub(crate) fn assert_snapshot(name: &str, answer: &Answer) {
    assert_snapshot_of(name, answer, &answer.text);
}

/// Compares an answer with its snapshot, when only this of the body is to be looked at.
pub(crate) fn assert_snapshot_of(name: &str, answer: &Answer, body: &str) {
    let body = match serde_json::from_str::<serde_json::Value>(body) {
        Ok(json) => format!("{json:#}"),
        Err(_) => body.trim_end().to_owned(),
    };
    let location = answer.header("location");
    let location = if location.is_empty() { String::new() } else { format!("\nlocation: {location}") };
    let (status, kind) = (answer.status.as_u16(), answer.header("content-type"));
    let now = redacted(&format!("{}\n{status} {kind}{location}\n\n{body}\n", answer.asked));
    let path = folder().join(format!("{name}.txt"));
    if std::env::var_os(BLESS).is_some() {
        fs::create_dir_all(path.parent().expect("a folder")).expect("made");
        fs::write(&path, &now).expect("written");
    }
    let before = fs::read_to_string(&path).unwrap_or_default();
    if let Some(difference) = difference(&before, &now) {
        panic!("{} is answered otherwise than {}:\n{difference}\n{BLESS}=1 writes it", answer.asked, path.display());
    }
}

/// The first lines that differ.
fn difference(before: &str, now: &str) -> Option<String> {
    if before == now {
        return None;
    }
    let same = before.lines().zip(now.lines()).take_while(|(before, now)| before == now).count();
    let line = |text: &str| text.lines().nth(same).unwrap_or("(the end)").to_owned();
    Some(format!("line {}\n- {}\n+ {}", same + 1, line(before), line(now)))
}

/// A text without what differs from run to run, or from release to release: `HEX` for ids, hashes and secrets,
/// `SECONDS` for times, `DATE` for days, `MONTH` for months, `TIME` for hours and minutes, `VERSION` for the release.
fn redacted(text: &str) -> String {
    let mut out = String::new();
    let text = without_ports(&without_hours(&text.replace(env!("CARGO_PKG_VERSION"), "VERSION")));
    for word in text.split_inclusive(|c: char| !c.is_ascii_alphanumeric() && c != '-') {
        let bare = word.trim_end_matches(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        let rest = &word[bare.len()..];
        let is_hex = bare.len() >= HEX_DIGITS_MIN && bare.chars().all(|c| c.is_ascii_hexdigit());
        let is_time = bare.len() == 10 && bare.starts_with('1') && bare.chars().all(|c| c.is_ascii_digit());
        out += match () {
            () if is_hex => "HEX",
            () if is_time => "SECONDS",
            () if shape(bare) == "0000-00-00" => "DATE",
            () if shape(bare) == "0000-00" => "MONTH",
            () => bare,
        };
        out += rest;
    }
    out
}

/// A digit as 0, anything else as it is.
fn shape(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

/// A text with `PORT` for the port of a server of tests.
fn without_ports(text: &str) -> String {
    const HOST: &str = "127.0.0.1:";
    let mut parts = text.split(HOST);
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| format!("{text}{HOST}PORT{}", part.trim_start_matches(|c: char| c.is_ascii_digit())))
}

/// A text with `TIME` for hours and minutes of UTC.
fn without_hours(text: &str) -> String {
    const HOURS: &str = "00:00";
    let mut parts: Vec<String> = text.split(" UTC").map(String::from).collect();
    let last = parts.len() - 1;
    for part in &mut parts[..last] {
        let at = part.len().saturating_sub(HOURS.len());
        if part.get(at..).is_some_and(|end| shape(end) == HOURS) {
            part.replace_range(at.., "TIME");
        }
    }
    parts.join(" UTC")
}

/// The requests of all snapshots, as method and path.
fn snapshots() -> Vec<(String, String)> {
    let mut asked = Vec::new();
    let mut open = vec![folder()];
    while let Some(folder) = open.pop() {
        for entry in fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                open.push(path);
            } else {
                let text = fs::read_to_string(&path).expect("text");
                let (method, path) = text.lines().next().and_then(|line| line.split_once(' ')).expect("a request");
                asked.push((method.to_owned(), path.split('?').next().unwrap_or_default().to_owned()));
            }
        }
    }
    asked
}

/// Every address of people and programs with a method.
pub(crate) fn addresses() -> Vec<(String, String)> {
    [addresses_of_people(), addresses_of_programs()].concat()
}

/// The addresses of people, with a method.
pub(crate) fn addresses_of_people() -> Vec<(String, String)> {
    addresses_of("people")
}

/// The addresses of pages' files, sockets and health checks, with a method.
pub(crate) fn addresses_of_machines() -> Vec<(String, String)> {
    addresses_of("machines")
}

/// The addresses that a function of `src/router.rs` lists, with their methods. Sockets, which take any, are asked
/// with GET.
fn addresses_of(function: &str) -> Vec<(String, String)> {
    let router = include_str!("../../src/router.rs");
    let start = format!("fn {function}()");
    let list = router.split(&start).nth(1).and_then(|rest| rest.split("\n}").next()).expect("the function");
    let mut addresses = Vec::new();
    for route in list.split(".route(\"").skip(1) {
        let (address, handlers) = route.split_once('"').expect("an address");
        let takes = |words: &[&str]| words.iter().any(|word| handlers.contains(&format!("{word}(")));
        for (method, _) in [("GET", ["get", "any"]), ("POST", ["post", "post"])].iter().filter(|(_, of)| takes(of)) {
            addresses.push(((*method).to_owned(), address.to_owned()));
        }
    }
    addresses
}

/// The addresses of the API, as its document has them.
fn addresses_of_programs() -> Vec<(String, String)> {
    let document: serde_json::Value = serde_json::from_str(&arena_server::openapi()).expect("JSON");
    let paths = document["paths"].as_object().expect("paths");
    let operations = paths.iter().flat_map(|(path, item)| {
        let methods = item.as_object().expect("operations").keys();
        methods.map(|method| (method.to_uppercase(), path.clone()))
    });
    operations.collect()
}

#[test]
fn every_address_of_people_and_programs_has_a_snapshot() {
    let snapshots = snapshots();
    let addresses = addresses();
    assert!(addresses.len() > 40, "{addresses:?}");
    let is_there = |(method, address): &&(String, String)| {
        !snapshots.iter().any(|(asked, path)| asked == method && is_of(address, path))
    };
    let missing: Vec<_> = addresses.iter().filter(is_there).collect();
    assert!(missing.is_empty(), "{missing:?}");
}

#[test]
fn what_differs_from_run_to_run_is_replaced_and_nothing_else() {
    let text = r#"{"room":"0123456789abcdef","at":1800000000,"year":2026,"day":"2026-11-22","cells":"00000-0","hour":"2026-11-22 09:56 UTC","host":"127.0.0.1:8080/x"}"#;
    let wanted = r#"{"room":"HEX","at":SECONDS,"year":2026,"day":"DATE","cells":"00000-0","hour":"DATE TIME UTC","host":"127.0.0.1:PORT/x"}"#;
    assert_eq!(redacted(text), wanted);
    assert_eq!(difference("a\nb\n", "a\nb\n"), None);
    assert_eq!(difference("a\nb\n", "a\n").as_deref(), Some("line 2\n- b\n+ (the end)"));
}
