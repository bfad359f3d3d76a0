//! Bytes as a body of a request: what a parser reads from those that pass the border has no character that a database
//! cannot hold.
#![no_main]

#[path = "../../arena/server/src/clean_text/null.rs"]
mod null;

use libfuzzer_sys::fuzz_target;
use serde_json::Value;

use null::{form_has_null, json_has_null};

fn has_null(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(values) => values.iter().any(has_null),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_null(value)),
        _ => false,
    }
}

/// The bytes that a form, a path or a query stands for.
fn decoded(mut text: &[u8]) -> Vec<u8> {
    let digit = |byte: &u8| char::from(*byte).to_digit(16);
    let mut bytes = Vec::new();
    while let [first, rest @ ..] = text {
        let escaped = rest.first().and_then(digit).zip(rest.get(1).and_then(digit)).filter(|_| *first == b'%');
        bytes.push(escaped.map_or(*first, |(high, low)| (16 * high + low) as u8));
        text = if escaped.is_some() { &rest[2..] } else { rest };
    }
    bytes
}

fuzz_target!(|bytes: &[u8]| {
    if let Ok(value) = serde_json::from_slice::<Value>(bytes) {
        // Of two fields with one name a parser keeps one.
        assert!(!has_null(&value) || json_has_null(bytes), "{value}");
        assert_eq!(json_has_null(value.to_string().as_bytes()), has_null(&value), "{value}");
    }
    assert_eq!(form_has_null(bytes), decoded(bytes).contains(&0), "{bytes:?}");
});
