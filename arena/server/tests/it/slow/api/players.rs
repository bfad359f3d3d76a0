//! The example programs that play (`examples/player.py`, `examples/player.rs`): a token, long polling, and a game to
//! its end.

use std::io::ErrorKind;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};

use crate::client::get;
use crate::fixture::{Fixture, fixture};

#[path = "../../../../../tests/left_out.rs"]
mod left_out;
#[path = "../../../../examples/player.rs"]
#[expect(dead_code, reason = "the program's own main function")]
mod player;

use left_out::left_out;

/// Lines that an example may have.
const LINES_MAX: usize = 100;

/// A token of an account of its own.
async fn token(fixture: &Fixture, name: &str) -> String {
    let code = fixture.account(name).await;
    fixture.token(&code, "play").await.1
}

#[tokio::test(flavor = "multi_thread")]
async fn programs_in_python_and_rust_find_each_other_and_play_to_the_end() {
    let fixture = fixture().await;
    let (python, rust) = (token(&fixture, "Python").await, token(&fixture, "Rust").await);
    let site = format!("http://{}", fixture.address);
    let by_python = Command::new("python3")
        .arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples/player.py"))
        .arg(&site)
        .env("ARENA_TOKEN", python)
        .stdout(Stdio::piped())
        .spawn();
    let by_python = match by_python {
        // Plain `cargo test` does without Python; `cargo xtask test` leaves out nothing.
        Err(error) if error.kind() == ErrorKind::NotFound && std::env::var_os("ARENA_BOTS_DIR").is_none() => {
            left_out("the example in Python needs python3");
            return fixture.end().await;
        }
        started => started.expect("python3 starts"),
    };
    let by_python = tokio::task::spawn_blocking(move || by_python.wait_with_output());
    let by_rust =
        tokio::task::spawn_blocking(move || player::play(&site, &rust, None).map_err(|error| error.to_string()));
    let outcome = by_rust.await.expect("it ends").expect("it plays");
    let by_python = by_python.await.expect("it ends").expect("it runs");
    let said = String::from_utf8(by_python.stdout).expect("text");
    assert!(by_python.status.success(), "{said}");
    let heard: Value = serde_json::from_str(&said[said.find('{').expect("an outcome")..]).expect("JSON");
    assert_eq!(heard, outcome);
    let room = said.split_whitespace().nth(1).expect("a room");
    let state = fixture.ask(get(&format!("/api/v1/rooms/{room}"))).await.json();
    let people = &state["people"];
    assert_eq!((&people["programs"], &people["rated"]), (&json!([0, 1]), &json!(false)), "marked, and not rated");
    fixture.end().await;
}

#[test]
fn they_are_short() {
    for text in [include_str!("../../../../examples/player.py"), include_str!("../../../../examples/player.rs")] {
        assert!(text.lines().count() <= LINES_MAX, "{}", text.lines().count());
    }
}
