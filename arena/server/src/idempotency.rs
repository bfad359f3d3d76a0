//! Doing something once, however often it is asked for. Every form has a key of its own in its address; a program
//! chooses one for the header `Idempotency-Key` of a request that creates something, or is an act of the operator's.
//! The same request with the same key gets the same answer, cookies included, and nothing is done again: a double click
//! makes one room, one account, one token. A request continues although its browser has left, as at the second click.
//!
//! Answers are in memory alone, at the server that made them; the proxies in `deploy` send all requests from an address
//! to one server. The keys of submissions are read where the account is known (`upload.rs`), so that no stranger's
//! megabyte is read and hashed.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::Duration;

use arena_clock::{Clock, Instant};
use arena_record::Hex;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap, HeaderName, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use parking_lot::Mutex;
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use tracing::Instrument;

use crate::language;
use crate::limits::{
    BODY_BYTES_MAX, FORM_REPEATED_WITHIN, ONCE_ANSWER_BYTES_MAX, ONCE_KEPT_MAX, REQUEST_REPEATED_WITHIN,
};
use crate::problem::{Code, Problem};
use crate::visitors::Taker;

/// The header in which programs send a key.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The part of a form's address that has its key.
const FORM_KEY: &str = "once=";

/// Longest key, in bytes: a UUID has 36.
const KEY_BYTES_MAX: usize = 64;

/// The routes by which programs create something, or write a line into the log of acts.
const CREATING: [&str; 7] = [
    "/api/v1/rooms",
    "/api/v1/lobby",
    "/api/v1/lobby/pairings",
    "/api/v1/tournaments",
    "/api/v1/operator/tournaments",
    "/api/v1/operator/acts",
    "/api/v1/bots/{name}/challenges",
];

/// The form whose keys are read elsewhere.
const SUBMISSION: &str = "/submit";

/// The forms that sign in or out: a second click comes with the cookies from before the first answer, or with its own.
const SIGNING: [&str; 2] = ["/account", "/account/deletion"];

/// A key for a form, which no other form has.
pub(crate) fn once() -> String {
    format!("{FORM_KEY}{:016x}", rand::random::<u64>())
}

/// The answers that are kept.
pub(crate) struct Answers {
    clock: Clock,
    kept: Mutex<HashMap<Hex<32>, Kept>>,
}

/// An answer that is being made, or was.
#[derive(Clone)]
struct Kept {
    answer: Arc<OnceCell<Answer>>,
    until: Instant,
}

/// An answer that can be sent again.
#[derive(Clone)]
struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
    /// What other layers are told of it.
    extensions: Extensions,
}

impl Answers {
    pub(crate) fn new(clock: Clock) -> Answers {
        Answers { clock, kept: Mutex::default() }
    }

    /// The place of an answer; `None` if there is no space.
    fn place(&self, of: Hex<32>, within: Duration) -> Option<Arc<OnceCell<Answer>>> {
        let (mut kept, now) = (self.kept.lock(), self.clock.now());
        // At each request, because answers may have secrets.
        kept.retain(|_, kept| kept.until > now);
        match kept.get(&of) {
            Some(kept) => return Some(kept.answer.clone()),
            None if kept.len() >= ONCE_KEPT_MAX => return None,
            None => {}
        }
        let fresh = Kept { answer: Arc::default(), until: now + within };
        kept.insert(of, fresh.clone());
        Some(fresh.answer)
    }

    fn forget(&self, of: &Hex<32>) {
        self.kept.lock().remove(of);
    }
}

impl Answer {
    async fn of(response: Response) -> Answer {
        let (parts, body) = response.into_parts();
        // Answers of these routes are made in memory, so reading them does not fail.
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        Answer { status: parts.status, headers: parts.headers, body, extensions: parts.extensions }
    }

    /// Whether something was done.
    fn is_done(&self) -> bool {
        (self.status.is_success() || self.status.is_redirection()) && self.body.len() <= ONCE_ANSWER_BYTES_MAX
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        (*response.status_mut(), *response.headers_mut()) = (self.status, self.headers);
        *response.extensions_mut() = self.extensions;
        response
    }
}

/// The key of a request, and how long it is remembered.
pub(crate) struct Key {
    pub(crate) text: String,
    pub(crate) within: Duration,
}

/// The key of a request, if it has one.
pub(crate) struct Keyed(pub(crate) Option<Key>);

impl Key {
    /// # Errors
    /// If a program gives a key that is none: it would rely on it.
    fn of(headers: &HeaderMap, address: &Uri) -> Result<Option<Key>, Problem> {
        let is_key = |key: &str| (1..=KEY_BYTES_MAX).contains(&key.len());
        if let Some(key) = headers.get(KEY) {
            let key = key.to_str().ok().filter(|key| is_key(key)).ok_or_else(|| {
                let detail = format!("the header Idempotency-Key has 1 to {KEY_BYTES_MAX} visible characters");
                Problem::new(Code::BadRequest, detail, "a UUID is one, made anew for each thing that is created")
            })?;
            return Ok(Some(Key { text: key.to_owned(), within: REQUEST_REPEATED_WITHIN }));
        }
        let mut parts = address.query().unwrap_or_default().split('&');
        let key = parts.find_map(|part| part.strip_prefix(FORM_KEY)).filter(|key| is_key(key));
        Ok(key.map(|key| Key { text: key.to_owned(), within: FORM_REPEATED_WITHIN }))
    }
}

impl<S: Sync> FromRequestParts<S> for Keyed {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Keyed, Problem> {
        Key::of(&parts.headers, &parts.uri).map(Keyed)
    }
}

/// The key of a form, or of a program's request that creates something.
///
/// # Errors
/// As [`Key::of`].
fn key(request: &Request) -> Result<Option<Key>, Problem> {
    let Some(route) = request.extensions().get::<MatchedPath>() else { return Ok(None) };
    let route = route.as_str();
    let is_keyed = if route.starts_with("/api/") { CREATING.contains(&route) } else { route != SUBMISSION };
    if is_keyed && *request.method() == Method::POST { Key::of(request.headers(), request.uri()) } else { Ok(None) }
}

/// Whether a cookie signs in, as an account or as the operator.
fn signs_in(cookie: &[u8]) -> bool {
    let is_in = |word: &[u8]| cookie.windows(word.len()).any(|part| part == word);
    is_in(b"_session") || is_in(b"_operator")
}

/// Does what a request asks for unless the same one with the same key was answered before.
pub(crate) async fn done(State(answers): State<Arc<Answers>>, request: Request, next: Next) -> Response {
    let Key { text: key, within } = match key(&request) {
        Ok(Some(key)) => key,
        Ok(None) => return next.run(request).await,
        Err(problem) => return problem.into_response(),
    };
    let (parts, body) = request.into_parts();
    let body = match to_bytes(body, BODY_BYTES_MAX).await {
        Ok(body) => body,
        Err(error) => {
            let late = Problem::of_unread_body(&error);
            return late.unwrap_or_else(|| Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE)).into_response();
        }
    };
    // A guest's cookie may come with the first answer, so only what signs in tells visitors apart, and where they come
    // from.
    let network = parts.extensions.get::<Taker>().map(|taker| format!("{:?}", taker.network()));
    let mut hash = Sha256::new();
    let authorization = parts.headers.get(AUTHORIZATION).map(|value| value.as_bytes().to_vec());
    let sessions =
        parts.headers.get_all(COOKIE).iter().flat_map(|cookies| cookies.as_bytes().split(|byte| *byte == b';'));
    let tells = |cookie: &&[u8]| signs_in(cookie) && !SIGNING.contains(&parts.uri.path());
    let sessions: Vec<Vec<u8>> = sessions.filter(tells).map(<[u8]>::to_vec).collect();
    let path = parts.uri.path().as_bytes().to_vec();
    let whose = [network.unwrap_or_default().into_bytes(), authorization.unwrap_or_default(), sessions.concat()];
    for part in whose.iter().chain([&path, &key.into_bytes(), &body.to_vec()]) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let of = Hex(hash.finalize().into());
    let request = Request::from_parts(parts, Body::from(body));
    let Some(place) = answers.place(of, within) else { return next.run(request).await };
    let made = place.clone();
    // In a task of its own: a browser that clicks twice leaves before the first answer.
    let making = async move { made.get_or_init(async || Answer::of(next.run(request).await).await).await.clone() };
    let answer = match tokio::spawn(language::carried(making).in_current_span()).await {
        Ok(answer) => answer,
        // A panic, which ends as it does elsewhere.
        Err(error) => {
            answers.forget(&of);
            return match error.try_into_panic() {
                Ok(panic) => std::panic::resume_unwind(panic),
                Err(error) => Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).caused_by(&error).into_response(),
            };
        }
    };
    if !answer.is_done() {
        answers.forget(&of);
    }
    answer.into_response()
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    /// What programs do without a key: a name or a seat is taken once, and the answer to a program that asks again for
    /// a token or an account would keep a secret for ten minutes; and submissions, whose keys are read elsewhere.
    const ELSEWHERE: [&str; 4] =
        ["/api/v1/accounts", "/api/v1/bots/{name}/versions", "/api/v1/lobby/joins", "/api/v1/account/tokens"];

    #[test]
    fn programs_read_how_long_a_key_holds() {
        let document = include_str!("../openapi.json");
        assert!(document.contains("comes again with it within ten minutes") && document.contains("4,096 at once"));
        assert_eq!((REQUEST_REPEATED_WITHIN.as_secs(), ONCE_KEPT_MAX), (10 * 60, 4_096));
    }

    /// The switch of languages does the same however often it is pressed.
    #[test]
    fn every_form_has_a_key() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/templates");
        let mut forms = 0;
        for file in std::fs::read_dir(folder).expect("templates") {
            let text = std::fs::read_to_string(file.expect("a file").path()).expect("text");
            for form in text.split("<form").skip(1).filter_map(|rest| rest.split('>').next()) {
                if !form.contains("method=\"post\"") || form.contains("action=\"/language\"") {
                    continue;
                }
                assert!(form.contains("?{{ crate::once() }}\""), "{form}");
                forms += 1;
            }
        }
        assert!(forms > 40, "{forms} forms");
    }

    #[test]
    fn whatever_a_program_creates_has_a_key() {
        let document: Value = serde_json::from_str(include_str!("../openapi.json")).expect("JSON");
        let paths = document["paths"].as_object().expect("paths");
        let creating = paths.iter().filter(|(_, methods)| methods["post"]["responses"].get("201").is_some());
        let creating: Vec<&str> = creating.map(|(path, _)| path.as_str()).collect();
        assert!(creating.len() > ELSEWHERE.len());
        for path in creating {
            assert!(CREATING.contains(&path) != ELSEWHERE.contains(&path), "{path}");
        }
    }
}
