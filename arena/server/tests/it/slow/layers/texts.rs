//! Text from outside: whatever is sent, wherever it stands and however it is written, no text with U+0000 reaches the
//! store, which could not keep it in PostgreSQL, and other odd characters are no fault of the site.
//! `arena/store/tests/it/suite/texts.rs` has what both databases keep.

use std::net::TcpStream;

use serde_json::{Value, json};
use tungstenite::Message;
use tungstenite::client::IntoClientRequest;

use super::queries::{asks, crowd};
use crate::client::{Ask, post_json};
use crate::fixture::{Fixture, fixture};

/// How U+0000 may be written in a text: as the character itself, and as an escape of TOML that is read later. In every
/// place.
const NULLS: [&str; 2] = ["\0", "\\u0000"];
/// Its like: other escapes, what is no character, what no text should have. In some places.
const ODD: [&str; 6] = ["\\0", "%00", "\u{1}", "\u{fffe}", "\u{feff}", "\u{202e}"];

/// A value with an odd text in each of its strings and names, one at a time.
fn in_json(value: &Value, odd: &str) -> Vec<Value> {
    match value {
        Value::String(text) => {
            let middle = text.floor_char_boundary(text.len() / 2);
            // Between the quotes of a definition, too, where its name stands.
            let quoted = text.replacen("name = \"", &format!("name = \"{odd}"), 1);
            vec![
                format!("{}{odd}{}", &text[..middle], &text[middle..]).into(),
                format!("{text}{odd}").into(),
                quoted.into(),
            ]
        }
        Value::Array(values) => {
            let one = |at: usize| {
                in_json(&values[at], odd).into_iter().map(move |other| {
                    let mut values = values.clone();
                    values[at] = other;
                    Value::Array(values)
                })
            };
            (0..values.len()).flat_map(one).collect()
        }
        Value::Object(fields) => {
            let mut all = Vec::new();
            for (name, field) in fields {
                for other in in_json(field, odd) {
                    let mut fields = fields.clone();
                    fields.insert(name.clone(), other);
                    all.push(Value::Object(fields));
                }
                let mut fields = fields.clone();
                fields.insert(format!("{name}{odd}"), Value::Null);
                all.push(Value::Object(fields));
            }
            all
        }
        _ => Vec::new(),
    }
}

/// A text as part of an address or a form.
fn encoded(text: &str) -> String {
    text.bytes()
        .map(|byte| if byte.is_ascii_alphanumeric() { char::from(byte).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// A form or a query with an odd text in each of its values and names, one at a time.
fn in_form(form: &str, odd: &str) -> Vec<String> {
    let parts: Vec<&str> = form.split('&').collect();
    let each = (0..parts.len()).flat_map(|at| {
        let (name, value) = parts[at].split_once('=').unwrap_or((parts[at], ""));
        [format!("{name}={value}{}", encoded(odd)), format!("{name}{}={value}", encoded(odd))].map(|part| {
            let mut parts: Vec<&str> = parts.clone();
            parts[at] = &part;
            parts.join("&")
        })
    });
    each.collect()
}

/// The request with an odd text in each place, one at a time.
fn with(ask: &Ask, odd: &str) -> Vec<Ask> {
    let at = |path: String| Ask { path, ..ask.clone() };
    let says = |body: Vec<u8>| Ask { body, ..ask.clone() };
    let (path, query) = ask.path.split_once('?').unwrap_or((&ask.path, ""));
    let mut all = vec![at(format!("{path}{}", encoded(odd))), at(format!("{path}?{query}&q={}", encoded(odd)))];
    all.extend(in_form(query, odd).into_iter().map(|query| at(format!("{path}?{query}"))));
    let Ok(body) = str::from_utf8(&ask.body) else { return all };
    if let Ok(json) = serde_json::from_str::<Value>(body) {
        all.extend(in_json(&json, odd).into_iter().map(|value| says(value.to_string().into_bytes())));
    } else if body.starts_with("--part") {
        let part = format!("\r\n\r\n{odd}");
        all.push(says(body.replacen("\r\n\r\n", &part, 1).into_bytes()));
        all.push(says(body.replace("\r\n\r\n", &part).into_bytes()));
        all.push(says(body.replacen("bot.wasm", &format!("{odd}.wasm"), 1).into_bytes()));
    } else if !body.is_empty() {
        all.extend(in_form(body, odd).into_iter().map(|form| says(form.into_bytes())));
    }
    all
}

#[tokio::test(flavor = "multi_thread")]
async fn no_text_that_a_database_cannot_hold_reaches_the_store_from_any_address() {
    let fixture = fixture().await;
    crowd(&fixture).await;
    let asks = asks(&fixture).await;
    let (mut sent, mut refused, mut at) = (0, 0, 0);
    for ask in &asks {
        let everywhere = NULLS.into_iter().flat_map(|odd| with(ask, odd));
        let somewhere = ODD.into_iter().filter_map(|odd| {
            let all = with(ask, odd);
            at = (at + 7) % all.len();
            all.into_iter().nth(at)
        });
        for other in everywhere.chain(somewhere) {
            let shown = format!("{} {} {:?}", other.method, other.path, String::from_utf8_lossy(&other.body));
            let (answer, ..) = fixture.work_of(&other).await;
            assert!(!fixture.counted.heard_null(), "{shown}: {}", answer.text);
            sent += 1;
            if answer.text.contains("bad_text") {
                assert_eq!(answer.status, 422, "{shown}");
                refused += 1;
            }
        }
    }
    assert!(sent > 1_000 && refused > 100, "{refused} of {sent}");
    fixture.end().await;
}

/// What the socket at an address answers to a message: the code of the first error.
fn code_of_socket(fixture: &Fixture, path: &str, secret: &str, message: &str) -> String {
    let mut request = format!("ws://{}{path}", fixture.address).into_client_request().expect("a request");
    request.headers_mut().insert("authorization", format!("Bearer {secret}").parse().expect("a header"));
    let stream = TcpStream::connect(fixture.address).expect("it listens");
    let mut wire = tungstenite::client(request, stream).expect("a socket").0;
    wire.send(message.into()).expect("sent");
    loop {
        let Message::Text(text) = wire.read().expect("an answer") else { continue };
        let said: Value = serde_json::from_str(&text).expect("JSON");
        if said["type"] == "error" {
            return said["code"].as_str().expect("a code").to_owned();
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn no_message_of_a_socket_with_such_a_text_is_taken_either() {
    let fixture = fixture().await;
    let ann = fixture.account("Ann").await;
    fixture.meadow().await;
    let room = fixture.ask(post_json("/api/v1/lobby", json!({ "public": true })).bearer(&ann)).await;
    let cup = json!({ "definition": "name = \"cup\"\npairs = 1", "entry": "open", "places": 4 });
    assert_eq!(fixture.ask(post_json("/api/v1/tournaments", cup).bearer(&ann)).await.status, 201);
    let room = format!("/api/v1/rooms/{}/socket", room.json()["room"].as_str().expect("an id"));
    let messages = [json!({ "type": "chat", "text": "hello", "seq": 1 }), json!({ "type": "set", "cells": ["1"] })];
    for path in [&room, "/api/v1/worlds/meadow/socket", "/api/v1/tournaments/cup-1/socket"] {
        for other in messages.iter().flat_map(|message| in_json(message, "\0")) {
            if !other.to_string().contains("u0000") {
                continue;
            }
            let code = tokio::task::block_in_place(|| code_of_socket(&fixture, path, &ann, &other.to_string()));
            assert_eq!(code, "bad_text", "{path}: {other}");
        }
    }
    assert!(!fixture.counted.heard_null());
    fixture.end().await;
}
