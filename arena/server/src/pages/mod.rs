//! Pages, rendered here from `web/templates`. Not here: JSON (`api`), and whatever changes while a page is open, which
//! its script asks the API for.

pub(crate) mod account;
pub(crate) mod api;
pub(crate) mod authors;
pub(crate) mod bots;
pub(crate) mod front;
pub(crate) mod game_list;
pub(crate) mod games;
pub(crate) mod guide;
mod history;
pub(crate) mod language;
pub(crate) mod learn;
pub(crate) mod lobby;
pub(crate) mod open;
pub(crate) mod operator;
mod opponents;
pub(crate) mod own_bots;
mod own_games;
pub(crate) mod people;
pub(crate) mod play;
pub(crate) mod practice;
pub(crate) mod previews;
pub(crate) mod privacy;
pub(crate) mod profiles;
pub(crate) mod refilled;
mod room;
pub(crate) mod rules;
mod send_again;
mod showcase;
pub(crate) mod standings;
pub(crate) mod submit;
pub(crate) mod tokens;
pub(crate) mod tournament_form;
pub(crate) mod tournaments;
pub(crate) mod volunteers;
pub(crate) mod what_if;
pub(crate) mod workshop;
pub(crate) mod worlds;

use arena_rules::Seat;
use arena_tournaments::Tally;
use arena_wire::Game;
use askama::Template;
use axum::extract::{FromRequest, Request};
use axum::http::header::{ACCEPT, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_TYPE};
use axum::http::{Method, StatusCode};
use axum::middleware::Next;
use axum::response::{Html, IntoResponse, Response};
use serde::de::DeserializeOwned;
use tokio::task::block_in_place;

use self::send_again::Sent;
use self::standings::Against;
use crate::clean_text::{self, Written};
pub(crate) use crate::dates::date;
use crate::identity::Visitor;
use crate::problem::{Code, InOwnWords, Problem, Result};
use crate::requests::RequestId;
use crate::visitors::{By, NotAdmitted};
use crate::words;

/// The frame around every page.
#[derive(Default)]
pub(crate) struct Shell {
    /// The visitor's name; `None` without an account.
    pub(crate) account: Option<String>,
    /// The active entry of the menu: `standings`, `tournaments`, `games`, `play`, `guide`, `submit` or `account`.
    pub(crate) here: &'static str,
}

impl Shell {
    pub(crate) fn new(visitor: &Visitor, here: &'static str) -> Shell {
        Shell { account: visitor.name(), here }
    }
}

/// The content of a form; anything else is a problem in our usual form.
pub(crate) struct Form<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Form<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Form<T>> {
        let request = clean_text::clean(request, state, Written::Form).await?;
        let axum::Form(read) = axum::Form::from_request(request, state).await.map_err(Problem::of_form)?;
        Ok(Form(read))
    }
}

/// A rendered page.
pub(crate) fn page(template: &impl Template) -> Result<Response> {
    match template.render() {
        Ok(text) => Ok(Html(text).into_response()),
        Err(error) => {
            let hint = "nothing that was acknowledged is lost; please report what you did";
            Err(Problem::new(Code::Internal, "this page cannot be shown", hint).caused_by(&error))
        }
    }
}

/// A rendered page with a table of all against all: of 64 entrants it takes some milliseconds, in which this thread's
/// other tasks move to another one.
pub(crate) fn page_with_table(template: &impl Template) -> Result<Response> {
    block_in_place(|| page(template))
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage<'a> {
    shell: Shell,
    problem: &'a Problem,
    /// The page with the form that was sent, if there is one.
    form: Option<String>,
    /// What it sent, if that would be lost, and to which address.
    sent: Sent,
    action: String,
}

impl ProblemPage<'_> {
    /// Whether the same form may be taken later, or by somebody who has signed in.
    fn may_be_sent_again(&self) -> bool {
        matches!(self.problem.status, 401 | 429 | 500..) || self.sent.page.is_some()
    }
}

/// The forms of nothing but a secret, which is typed again.
const SECRET: [&str; 2] = ["/session", "/operator/session"];

/// In the address of a form, that the page's script has kept what was typed.
const KEPT: &str = "kept=";

/// Marks an answer that is a page with its problem on it.
#[derive(Clone, Copy)]
struct InPlace;

/// A refusal on the page of the form that was sent, with the content that was filled in. Programs get it as any other
/// problem.
pub(crate) fn in_place(problem: Problem, template: &impl Template) -> Result<Response> {
    let shown = page(template)?;
    let mut response = with_head_of(problem.into_response(), shown);
    response.extensions_mut().insert(InPlace);
    Ok(response)
}

/// The page whose form is sent to this address.
fn form_of(method: &Method, path: &str) -> Option<String> {
    if *method != Method::POST {
        return None;
    }
    if let Some((name, _)) = path.strip_prefix("/bots/").and_then(|rest| rest.split_once('/')) {
        let part = if path.ends_with("/challenges") { "challenge" } else { "manage" };
        return Some(format!("/bots/{name}#{part}"));
    }
    if let Some((id, _)) = path.strip_prefix("/tournaments/").and_then(|rest| rest.split_once('/')) {
        return Some(format!("/tournaments/{id}"));
    }
    if let Some((id, _)) = path.strip_prefix("/rooms/").and_then(|rest| rest.split_once('/')) {
        return Some(format!("/rooms/{id}"));
    }
    let forms = [
        ("/account", "/account"),
        ("/session", "/account"),
        ("/submit", "/submit"),
        ("/play", "/play"),
        ("/lobby", "/lobby"),
        ("/tournaments/new", "/tournaments/new"),
        ("/operator", "/operator"),
    ];
    let (_, form) = forms.into_iter().find(|(start, _)| path.starts_with(start))?;
    Some(form.into())
}

/// Whether a person is asking, who gets pages.
fn is_of_person(request: &Request) -> bool {
    let accepted = request.headers().get(ACCEPT).and_then(|accept| accept.to_str().ok()).unwrap_or_default();
    accepted.contains("text/html") && !request.uri().path().starts_with("/api/v1/")
}

/// Gives every refusal a code, a sentence and a hint, even if no handler of ours made it. People get it as a page.
pub(crate) async fn problems(request: Request, next: Next) -> Response {
    let person = is_of_person(&request);
    let form = form_of(request.method(), request.uri().path());
    let action = request.uri().path().to_owned();
    let is_kept = person && form.is_some() && !SECRET.contains(&&*action);
    let loses_form = is_kept && loses_form(&request);
    let id = request.extensions().get::<RequestId>().map(|id| id.to_string().into());
    let mut response = next.run(request).await;
    let status = response.status();
    let problem = match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem.of(id),
        None if status.is_client_error() || status.is_server_error() => {
            let problem = Problem::of_status(status);
            // A layer that gives up does not say when to retry.
            response = with_head_of(response, problem.clone().into_response());
            problem.of(id)
        }
        None => return response,
    };
    let in_place = response.extensions_mut().remove::<InPlace>().is_some() && person;
    let said = response.extensions_mut().remove::<InOwnWords>().is_some();
    let mut response = if in_place || said {
        response
    } else {
        // What was not admitted was charged nothing, so no page is made for it.
        let is_admitted = response.extensions().get::<By>().is_some();
        let not_admitted = response.extensions_mut().remove::<NotAdmitted>();
        let sent = match &not_admitted {
            Some(NotAdmitted(Some(form))) if is_kept => Sent::of_form(form).await,
            _ => response.extensions_mut().remove::<Sent>(),
        };
        let shown = match (person, is_admitted, sent) {
            (true, true, sent) => shown(&problem, form, sent.unwrap_or_default(), action),
            (true, false, Some(sent)) => sent.not_admitted(&problem, &action),
            // The browser stays on the page, with what was typed.
            (true, false, None) if not_admitted.is_some() && loses_form => return without_content(response, problem),
            (true, false, None) => problem.to_text(),
            (false, ..) => problem.to_json(),
        };
        with_head_of(response, shown)
    };
    // For the log.
    response.extensions_mut().insert(problem);
    response
}

/// Whether a browser that gets an answer to a form shows it in the form's place, and has not kept what was typed.
fn loses_form(request: &Request) -> bool {
    // Browsers say so only where the line is secret; they ask for a page before all else.
    let navigates = match request.headers().get("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        None => request.headers().get(ACCEPT).is_some_and(|accepted| accepted.as_bytes().starts_with(b"text/html")),
    };
    navigates && !request.uri().query().unwrap_or_default().split('&').any(|part| part == KEPT)
}

/// The answer after which a browser stays where it is.
fn without_content(first: Response, problem: Problem) -> Response {
    let mut response = with_head_of(first, ().into_response());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().remove(CONTENT_TYPE);
    response.extensions_mut().insert(problem);
    response
}

/// The second answer with the status and headers of the first, such as the allowed methods.
fn with_head_of(first: Response, second: Response) -> Response {
    let (mut parts, _) = first.into_parts();
    let (second, body) = second.into_parts();
    parts.headers.remove(CONTENT_LENGTH);
    parts.headers.extend(second.headers);
    Response::from_parts(parts, body)
}

/// A problem as a page.
fn shown(problem: &Problem, form: Option<String>, sent: Sent, action: String) -> Response {
    let shell = Shell { account: None, here: "" };
    let has_typed = !sent.fields().is_empty();
    let shown = page(&ProblemPage { shell, problem, form, sent, action }).unwrap_or_else(|_| problem.to_json());
    if has_typed { ([(CACHE_CONTROL, "no-store")], shown).into_response() } else { shown }
}

/// The answer at unknown addresses.
pub(crate) async fn missing() -> Problem {
    Problem::no_such_page()
}

/// Wins, draws and losses as `12-0-3`.
pub(crate) fn wdl(tally: Tally) -> String {
    format!("{}-{}-{}", tally.wins, tally.draws, tally.losses)
}

/// The share of points in percent; a dash for no games.
pub(crate) fn percent(tally: Tally) -> String {
    match tally.games() {
        0 => Against::NONE.into(),
        games => format!("{:.1}", 100.0 * f64::from(tally.half_points()) / f64::from(2 * games)),
    }
}

/// A seat's name: the game's own name for it, or else a letter, as on pages.
pub(crate) fn seat_title(game: &Game, seat: Seat) -> String {
    match game.seat_names.get(seat.index()) {
        Some(name) => capital(&words::seat(*name)),
        None => char::from(b'A' + seat.0 % 26).into(),
    }
}

/// A word with a capital, for the beginning of a sentence.
pub(crate) fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use axum::Router;
    use axum::body::Body;
    use axum::http::StatusCode;
    use axum::middleware::from_fn;
    use tower::ServiceExt;

    use super::*;

    #[tokio::test]
    async fn what_a_layer_refuses_says_when_to_come_again_as_what_a_handler_does() {
        let gives_up = Router::new().fallback(|| async { StatusCode::SERVICE_UNAVAILABLE }).layer(from_fn(problems));
        let request = Request::builder().uri("/api/v1/games").body(Body::empty()).expect("a request");
        let answer = gives_up.oneshot(request).await.expect("an answer");
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(answer.headers()["retry-after"], "5");
        assert_eq!(answer.headers()["content-type"], "application/problem+json");
    }

    #[test]
    fn numbers_read_as_people_write_them() {
        assert_eq!(wdl(Tally { wins: 12, draws: 0, losses: 3 }), "12-0-3");
        assert_eq!(percent(Tally { wins: 1, draws: 1, losses: 2 }), "37.5");
        assert_eq!(percent(Tally::default()), "–");
    }
}
