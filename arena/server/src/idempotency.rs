//! Creating something once, however often it is asked for: rooms, challenges, tournaments, versions of bots, and acts
//! of the operator. A form has a key of its own in its address, a program chooses one for the header `Idempotency-Key`.
//! The same request with the same key gets the same answer, and nothing is done again: a double click makes one room. A
//! request continues although its browser has left, as at the second click.
//!
//! Answers are in memory, at the server that made them; the proxies in `deploy` send all requests from an address to
//! one server. The keys of submissions are read where the account is known (`upload.rs`), so that no stranger's
//! megabyte is read and hashed.

use std::collections::HashMap;
use std::convert::Infallible;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use arena_clock::{Clock, Instant};
use arena_record::Hex;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{FromRequestParts, MatchedPath, Request, State};
use axum::http::header::{AUTHORIZATION, COOKIE};
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use sha2::{Digest, Sha256};
use tokio::sync::OnceCell;
use tracing::Instrument;

use crate::language;
use crate::limits::{
    BODY_BYTES_MAX, FORM_REPEATED_WITHIN, ONCE_ANSWER_BYTES_MAX, ONCE_KEPT_MAX, REQUEST_REPEATED_WITHIN,
};
use crate::problem::Problem;
use crate::visitors::Taker;

/// The header in which programs send a key.
const KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// The part of a form's address that has its key.
const FORM_KEY: &str = "once=";

/// Longest key, in bytes: a UUID has 36.
const KEY_BYTES_MAX: usize = 64;

/// The routes that create something, or write a line into the log of acts.
const CREATING: [&str; 13] = [
    "/play",
    "/lobby",
    "/lobby/pairings",
    "/bots/{name}/challenges",
    "/tournaments/new",
    "/api/v1/rooms",
    "/api/v1/lobby",
    "/api/v1/lobby/pairings",
    "/api/v1/tournaments",
    "/api/v1/operator/tournaments",
    "/api/v1/operator/acts",
    "/operator/acts",
    "/api/v1/bots/{name}/challenges",
];

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
    problem: Option<Problem>,
}

impl Answers {
    pub(crate) fn new(clock: Clock) -> Answers {
        Answers { clock, kept: Mutex::default() }
    }

    fn kept(&self) -> MutexGuard<'_, HashMap<Hex<32>, Kept>> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The place of an answer; `None` if there is no space.
    fn place(&self, of: Hex<32>, within: Duration) -> Option<Arc<OnceCell<Answer>>> {
        let (mut kept, now) = (self.kept(), self.clock.now());
        if kept.len() >= ONCE_KEPT_MAX {
            kept.retain(|_, kept| kept.until > now);
        }
        match kept.get(&of) {
            Some(kept) if kept.until > now => return Some(kept.answer.clone()),
            None if kept.len() >= ONCE_KEPT_MAX => return None,
            _ => {}
        }
        let fresh = Kept { answer: Arc::default(), until: now + within };
        kept.insert(of, fresh.clone());
        Some(fresh.answer)
    }

    fn forget(&self, of: &Hex<32>) {
        self.kept().remove(of);
    }
}

impl Answer {
    async fn of(response: Response) -> Answer {
        let (parts, body) = response.into_parts();
        let problem = parts.extensions.get::<Problem>().cloned();
        // Answers of these routes are made in memory, so reading them does not fail.
        let body = to_bytes(body, usize::MAX).await.unwrap_or_default();
        Answer { status: parts.status, headers: parts.headers, body, problem }
    }

    /// Whether something was created.
    fn is_done(&self) -> bool {
        (self.status.is_success() || self.status.is_redirection()) && self.body.len() <= ONCE_ANSWER_BYTES_MAX
    }
}

impl IntoResponse for Answer {
    fn into_response(self) -> Response {
        let mut response = Response::new(Body::from(self.body));
        (*response.status_mut(), *response.headers_mut()) = (self.status, self.headers);
        if let Some(problem) = self.problem {
            response.extensions_mut().insert(problem);
        }
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
    fn of(headers: &HeaderMap, address: &Uri) -> Option<Key> {
        if let Some(key) = headers.get(KEY) {
            let key = key.to_str().ok().filter(|key| (1..=KEY_BYTES_MAX).contains(&key.len()))?;
            return Some(Key { text: key.to_owned(), within: REQUEST_REPEATED_WITHIN });
        }
        let key = address.query()?.split('&').find_map(|part| part.strip_prefix(FORM_KEY));
        let key = key.filter(|key| (1..=KEY_BYTES_MAX).contains(&key.len()))?;
        Some(Key { text: key.to_owned(), within: FORM_REPEATED_WITHIN })
    }
}

impl<S: Sync> FromRequestParts<S> for Keyed {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Keyed, Infallible> {
        Ok(Keyed(Key::of(&parts.headers, &parts.uri)))
    }
}

/// The key of a request that creates something.
fn key(request: &Request) -> Option<Key> {
    let route = request.extensions().get::<MatchedPath>()?;
    let creates = *request.method() == Method::POST && CREATING.contains(&route.as_str());
    creates.then(|| Key::of(request.headers(), request.uri())).flatten()
}

/// Whether a cookie signs in, as an account or as the operator.
fn signs_in(cookie: &[u8]) -> bool {
    let is_in = |word: &[u8]| cookie.windows(word.len()).any(|part| part == word);
    is_in(b"_session") || is_in(b"_operator")
}

/// Does what a request asks for unless the same one with the same key was answered before.
pub(crate) async fn done(State(answers): State<Arc<Answers>>, request: Request, next: Next) -> Response {
    let Some(Key { text: key, within }) = key(&request) else { return next.run(request).await };
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
    let sessions: Vec<Vec<u8>> = sessions.filter(|cookie| signs_in(cookie)).map(<[u8]>::to_vec).collect();
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

    /// What is one thing without a key, as a name or a seat is taken once; or whose answer is not kept, because it has
    /// a secret; or submissions, whose keys are read elsewhere.
    const ELSEWHERE: [&str; 4] =
        ["/api/v1/accounts", "/api/v1/bots/{name}/versions", "/api/v1/lobby/joins", "/api/v1/account/tokens"];

    #[test]
    fn programs_read_how_long_a_key_holds() {
        let document = include_str!("../openapi.json");
        assert!(document.contains("comes again with it within ten minutes") && document.contains("4,096 at once"));
        assert_eq!((REQUEST_REPEATED_WITHIN.as_secs(), ONCE_KEPT_MAX), (10 * 60, 4_096));
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
