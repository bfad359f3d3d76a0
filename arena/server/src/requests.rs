//! The log of requests: an id, which the answer contains, too, so that a person's report can be found; the route; the
//! result. Never what was sent, because people put secrets into paths, queries, headers and bodies. That rules out the
//! layers of tower-http: one logs addresses, the other takes ids from clients.

use std::fmt;
use std::net::SocketAddr;
use std::time::Duration;

use arena_clock::Clock;
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::Response;
use tracing::{Instrument, debug, error_span, field, warn};

use crate::metrics::{Answered, Metrics};
use crate::problem::Problem;
use crate::visitors;

const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// The id of a request in the log and in its answer: 16 random hex digits.
#[derive(Clone, Copy)]
pub(crate) struct RequestId(u64);

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

/// The address of a connection. Requests have it only if the operator wants addresses in the log.
#[derive(Clone, Copy)]
pub(crate) struct Peer(pub(crate) SocketAddr);

/// Gives a request its id, and a span to everything logged in it; logs the answer.
pub(crate) async fn identified(
    State((metrics, clock)): State<(Metrics, Clock)>,
    mut request: Request,
    next: Next,
) -> Response {
    let id = RequestId(rand::random());
    // At the highest level, so that a line of any level has the id.
    let span = error_span!(
        "request",
        %id,
        method = method(&request),
        route = request.extensions().get::<MatchedPath>().map_or("none", MatchedPath::as_str),
        address = field::Empty
    );
    if let Some(Peer(address)) = request.extensions().get() {
        span.record("address", field::display(address));
    }
    request.extensions_mut().insert(id);
    let answering = async {
        let began = clock.now();
        let class = class(&request);
        let mut response = next.run(request).await;
        let took = clock.since(began);
        log(&response, took);
        metrics.answered(class, Answered::of(&response), took);
        if let Some(problem) = response.extensions().get::<Problem>()
            && let Some(whose) = problem.refuses()
        {
            metrics.refused(&problem.code, whose);
        }
        if let Ok(id) = HeaderValue::try_from(id.to_string()) {
            response.headers_mut().insert(REQUEST_ID, id);
        }
        response
    };
    answering.instrument(span).await
}

/// The request's method, if some route takes it. Any other is a word of the client's choice.
fn method(request: &Request) -> &str {
    match *request.method() {
        Method::GET | Method::HEAD | Method::POST => request.method().as_str(),
        _ => "other",
    }
}

/// The class of a request in figures, by its route: what it costs, or that it waits for something.
fn class(request: &Request) -> &'static str {
    let route = request.extensions().get::<MatchedPath>().map_or("", MatchedPath::as_str);
    visitors::class(!request.method().is_safe(), route)
}

fn log(response: &Response, took: Duration) {
    let status = response.status();
    let code = response.extensions().get::<Problem>().map(|problem| &*problem.code);
    let micros = took.as_micros() as u64;
    match Answered::of(response) {
        Answered::Fault => warn!(status = status.as_u16(), code, micros, "failed"),
        Answered::Refused => debug!(status = status.as_u16(), code, micros, "refused for now"),
        Answered::As(_) => debug!(status = status.as_u16(), code, micros, "answered"),
    }
}
