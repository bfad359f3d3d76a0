//! The border for text: what comes from outside has no character that a database cannot hold. PostgreSQL cannot hold
//! U+0000, and a text that it refuses would look like damage; so such a text is its sender's fault, whatever the
//! database. All bodies in JSON, forms, addresses and messages of sockets pass here.

mod null;

use axum::body::{Body, Bytes};
use axum::extract::{FromRequest, Request};
use axum::http::StatusCode;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use tokio::task::spawn_blocking;

use crate::limits::{BODY_BYTES_MAX, FORM_FIELDS_MAX};
use crate::problem::{Code, Problem, Result};
use null::{form_has_null, json_has_null};

/// How a body writes text.
#[derive(Clone, Copy)]
pub(crate) enum Written {
    Json,
    Form,
}

/// A request whose body is read, and has no text that cannot be kept.
///
/// # Errors
/// If it has, or its body does not arrive.
pub(crate) async fn clean<S: Send + Sync>(request: Request, state: &S, written: Written) -> Result<Request> {
    let (parts, body) = request.into_parts();
    let whole = Bytes::from_request(Request::from_parts(parts.clone(), body), state).await;
    let whole = whole.map_err(|rejection| match written {
        Written::Json => Problem::of_json(rejection.into()),
        Written::Form => Problem::of_form(rejection.into()),
    })?;
    if matches!(written, Written::Form) && has_too_many_fields(&whole) {
        return Err(Problem::of_status(StatusCode::BAD_REQUEST));
    }
    let looked_at = whole.clone();
    let look = move || match written {
        Written::Json => json_has_null(&looked_at),
        Written::Form => form_has_null(&looked_at),
    };
    // Results of games, up to two megabytes, are looked at beside the threads that serve everybody.
    let has_null = if whole.len() > BODY_BYTES_MAX {
        let looked = spawn_blocking(look).await;
        looked.map_err(|error| Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).caused_by(&error))?
    } else {
        look()
    };
    if has_null { Err(unkept()) } else { Ok(Request::from_parts(parts, Body::from(whole))) }
}

/// Whether a form has more fields than any of ours: as long as may be, it would take as long to read as fifty of them.
pub(crate) fn has_too_many_fields(form: &[u8]) -> bool {
    form.iter().filter(|byte| **byte == b'&').count() >= FORM_FIELDS_MAX
}

/// Refuses addresses with such a text.
pub(crate) async fn checked(request: Request, next: Next) -> Response {
    let address = request.uri().path_and_query().map_or("", |address| address.as_str());
    if form_has_null(address.as_bytes()) { unkept().into_response() } else { next.run(request).await }
}

/// The code and the sentence that a message of a socket with such a text is answered with; `None` if it has none.
pub(crate) fn refused_message(json: &str) -> Option<(&'static str, &'static str)> {
    json_has_null(json.as_bytes()).then(|| (Code::BadText.word(), REFUSAL))
}

const REFUSAL: &str = "a text here cannot have the character U+0000";

fn unkept() -> Problem {
    Problem::new(Code::BadText, REFUSAL, "leave out U+0000")
}

#[cfg(test)]
mod tests {
    use arena_rules::Rng;
    use serde_json::Value;

    use super::*;

    fn has_null(value: &Value) -> bool {
        match value {
            Value::String(text) => text.contains('\0'),
            Value::Array(values) => values.iter().any(has_null),
            Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_null(value)),
            _ => false,
        }
    }

    #[test]
    fn what_is_refused_is_what_a_database_cannot_hold_and_nothing_else() {
        let mut rng = Rng::new(&[5; 32], 0);
        let mut below = |most: usize| rng.below(most as u32) as usize;
        let (mut refused, mut taken) = (0, 0);
        for _ in 0..2_000 {
            let mut text = || -> String {
                let pieces = ["\0", "\\", "u0000", "\\u0000", "\"", "a", "ß", "\n"];
                (0..below(5)).map(|_| pieces[below(pieces.len())]).collect()
            };
            let value = serde_json::json!({ text(): [text(), { "x": text() }] });
            let written = serde_json::to_vec(&value).expect("it always serialises");
            assert_eq!(json_has_null(&written), has_null(&value), "{value}");
            if has_null(&value) { refused += 1 } else { taken += 1 }
        }
        assert!(refused > 100 && taken > 100, "{refused} {taken}");
        for (form, null) in [("a=b&c=%00", true), ("a=%2500", false), ("a=\0", true), ("", false), ("%0", false)] {
            // `%2500` is `%00` to its reader.
            assert_eq!(form_has_null(form.as_bytes()), null, "{form}");
        }
    }
}
