//! Every address of a site, grouped by its callers.

use std::any::Any;
use std::sync::Arc;

use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::middleware::{from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use axum::routing::any;
use axum::{Json, Router};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::csrf::CsrfLayer;
use tower_http::timeout::{RequestBodyDeadlineLayer, TimeoutLayer};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::app::App;
use crate::featured_games::Showcase;
use crate::handlers::{erased, get, post};
use crate::hosts::{self, Hosts};
use crate::idempotency::Answers;
use crate::latest::Latest;
use crate::limits::{
    ANSWER_DEADLINE, BODY_BYTES_MAX, BODY_DEADLINE, DRAIN_SECONDS, ENDS_BYTES_MAX, FAULTS_KEPT_MAX,
    FIRST_GAMES_KEPT_MAX, FORM_BYTES_MAX, FUELS_KEPT_MAX, ONCE_KEPT_MAX, PREVIEWS_KEPT_MAX, STOP_GRACE,
};
use crate::operator::Operators;
use crate::problem::{Code, Problem, Result};
use crate::visitors::{self, Visitors};
use crate::{
    Site, api, assets, clean_text, compression, idempotency, offline, pages, requests, revocations, security, socket,
};

/// The router of a site, which from now on hears the other servers of the site. To be called within a runtime.
pub(crate) fn router(site: Site, visitors: Arc<Visitors>, stopping: CancellationToken, sockets: TaskTracker) -> Router {
    let (api, document) = api().split_for_parts();
    let openapi = api::complete(&document).into();
    let hosts = Hosts(site.public_url.clone());
    let answers = Arc::new(Answers::new(site.service.clock().clone()));
    let measured = (site.metrics.clone(), site.service.clock().clone());
    let operators = Arc::new(Operators::new(site.operator.clone()));
    let app = App {
        site,
        operators,
        stopping,
        sockets,
        showcase: Showcase::default(),
        previews: Latest::new(PREVIEWS_KEPT_MAX),
        first_games: Latest::new(FIRST_GAMES_KEPT_MAX),
        fuels: Latest::new(FUELS_KEPT_MAX),
        faults: Latest::new(FAULTS_KEPT_MAX),
        submitted: Latest::new(ONCE_KEPT_MAX),
        sessions: Arc::default(),
        waiting_rooms: Arc::default(),
        known: Arc::default(),
        measures: visitors.measures.clone(),
        openapi,
    };
    let pages_of_forms = people().with_state(app.clone()).layer(CatchPanicLayer::custom(panicked));
    tokio::spawn(revocations::follow(app.clone()));
    tokio::spawn(app.clone().follow_measures());
    let measures = visitors.measures.clone();
    Router::new()
        .merge(people())
        .merge(api)
        .merge(machines())
        .fallback(pages::missing)
        .layer(from_fn_with_state(answers, idempotency::done))
        .layer(TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, ANSWER_DEADLINE))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(from_fn_with_state(pages_of_forms, pages::refilled::answered))
        .layer(DefaultBodyLimit::max(BODY_BYTES_MAX))
        .with_state(app)
        .layer(RequestBodyDeadlineLayer::new(BODY_DEADLINE))
        .layer(from_fn_with_state(visitors, visitors::admitted))
        // Outside of what gives a form back that was not admitted: that of another site's page would be ours then.
        .layer(CsrfLayer::new().with_rejection_response(|_| security::foreign().into_response()))
        .layer(from_fn_with_state(hosts, hosts::checked))
        .layer(from_fn(clean_text::checked))
        .layer(from_fn(pages::problems))
        .layer(from_fn_with_state(measures, pages::language::spoken))
        .layer(from_fn(compression::aside))
        .layer(compression::layer())
        .layer(from_fn(security::headers))
        .layer(from_fn_with_state(measured, requests::identified))
}

/// Pages for people.
fn people() -> Router<App> {
    Router::new()
        .route("/", get(pages::front::show))
        .route("/standings", get(pages::standings::first))
        .route("/standings/{game}", get(pages::standings::show))
        .route("/bots/{name}", get(pages::bots::show))
        .route("/bots/{name}/picture.png", get(pages::previews::bot))
        .route("/bots/{name}/active", post(pages::own_bots::choose))
        .route("/bots/{name}/name", post(pages::own_bots::rename))
        .route("/bots/{name}/delete", post(pages::own_bots::delete))
        .route("/bots/{name}/versions/{number}", get(pages::bots::version))
        .route("/bots/{name}/versions/{number}/licence", post(pages::own_bots::license))
        .route("/tournaments", get(pages::tournaments::list))
        .route("/tournaments/new", get(pages::tournament_form::form).post(erased(pages::tournament_form::create)))
        .route("/tournaments/{id}", get(pages::tournaments::show))
        .route("/tournaments/{id}/entries", post(pages::tournaments::enter))
        .route("/tournaments/{id}/withdrawals", post(pages::tournaments::withdraw))
        .route("/tournaments/{id}/start", post(pages::tournaments::start))
        .route("/tournaments/{id}/cancellation", post(pages::tournaments::cancel))
        .route("/bots/{name}/challenges", post(pages::tournaments::challenge))
        .route("/authors/{number}", get(pages::authors::show))
        .route("/people", get(pages::people::show))
        .route("/games", get(pages::game_list::show))
        .route("/games/{id}", get(pages::games::show))
        .route("/games/{id}/picture.png", get(pages::previews::game))
        .route("/games/{id}/log", get(pages::games::log))
        .route("/games/{id}/again", get(pages::what_if::show))
        .route("/games/{id}/profile", get(pages::profiles::show))
        .route("/open", get(pages::open::show))
        .route("/submit", get(pages::submit::show))
        .route("/submit", post(pages::submit::submit).layer(DefaultBodyLimit::max(FORM_BYTES_MAX)))
        .route("/workshop", get(pages::workshop::show))
        .route("/play", get(pages::play::show).post(erased(pages::play::open)))
        .route("/practice", get(pages::practice::show))
        .route("/offline", get(offline::missing))
        .route("/learn", get(pages::learn::all))
        .route("/learn/life2", get(pages::worlds::lesson))
        .route("/learn/{game}/{number}", get(pages::learn::lesson))
        .route("/rules/{game}", get(pages::rules::show))
        .route("/rules/world", get(pages::worlds::rules))
        .route("/lobby", get(pages::lobby::show).post(erased(pages::lobby::open)))
        .route("/lobby/joins", post(pages::lobby::find))
        .route("/lobby/pairings", post(pages::lobby::pair))
        .route("/rooms/{id}", get(pages::play::room))
        .route("/rooms/{id}/seat", post(pages::lobby::sit))
        .route("/rooms/{id}/bots", post(pages::lobby::seat_bot))
        .route("/rooms/{id}/leave", post(pages::lobby::leave))
        .route("/worlds", get(pages::worlds::list))
        .route("/worlds/{name}", get(pages::worlds::show))
        .route("/account", get(pages::account::show).post(erased(pages::account::claim)))
        .route("/account/name", post(pages::account::rename))
        .route("/account/code", get(pages::account::code).post(erased(pages::account::new_code)))
        .route("/account/tokens", post(pages::tokens::create))
        .route("/account/tokens/{number}/revocation", post(pages::tokens::revoke))
        .route("/account/token", get(pages::tokens::show))
        .route("/account/deletion", post(pages::account::delete))
        .route("/session", post(pages::account::sign_in))
        .route("/session/end", post(pages::account::sign_out))
        .route("/guide", get(pages::guide::first))
        .route("/guide/", get(pages::guide::moved))
        .route("/guide.md", get(pages::guide::list))
        .route("/llms.txt", get(pages::guide::list))
        .route("/guide/search", get(pages::guide::look))
        .route("/guide/{chapter}", get(pages::guide::chapter))
        .route("/guide/files/{*path}", get(pages::guide::file))
        .route("/api", get(pages::api::show))
        .route("/privacy", get(pages::privacy::show))
        .route("/volunteers", get(pages::volunteers::show))
        .route("/language", post(pages::language::choose))
        .route("/operator", get(pages::operator::show))
        .route("/operator/session", post(pages::operator::sign_in))
        .route("/operator/session/end", post(pages::operator::sign_out))
        .route("/operator/acts", post(pages::operator::act))
}

/// Requests of accounts' workers, which may be longer than others, because they contain records of games.
fn volunteers() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(api::volunteers::show))
        .routes(routes!(api::volunteers::claim))
        .routes(routes!(api::volunteers::renew))
        .routes(routes!(api::volunteers::hand_back))
        .routes(routes!(api::volunteers::submit))
        .routes(routes!(api::volunteers::module))
        .layer(DefaultBodyLimit::max(ENDS_BYTES_MAX))
}

/// Requests of programs. The OpenAPI document is generated from this list, so each request is an operation in it.
fn api() -> OpenApiRouter<App> {
    OpenApiRouter::with_openapi(api::document())
        .merge(volunteers())
        .routes(routes!(api::accounts::create))
        .routes(routes!(api::accounts::show))
        .routes(routes!(api::export::show))
        .routes(routes!(api::export::games))
        .routes(routes!(api::accounts::delete))
        .routes(routes!(api::tokens::list, api::tokens::create))
        .routes(routes!(api::tokens::revoke))
        .routes(routes!(api::bots::list))
        .routes(routes!(api::bots::show, api::own_bots::delete))
        .routes(routes!(api::own_bots::choose))
        .routes(routes!(api::own_bots::rename))
        .routes(routes!(api::bots::versions, api::bots::submit))
        .routes(routes!(api::checks::check))
        .routes(routes!(api::bots::games))
        .routes(routes!(api::bots::version))
        .routes(routes!(api::logs::samples))
        .routes(routes!(api::bots::module))
        .routes(routes!(api::standings::show))
        .routes(routes!(api::people::show))
        .routes(routes!(api::tournaments::list, api::tournaments::create))
        .routes(routes!(api::tournaments::show))
        .routes(routes!(api::tournaments::enter))
        .routes(routes!(api::tournaments::withdraw))
        .routes(routes!(api::tournaments::start))
        .routes(routes!(api::tournaments::cancel))
        .routes(routes!(api::tournaments::challenge))
        .routes(routes!(api::folders::show))
        .routes(routes!(api::games::list))
        .routes(routes!(api::games::show))
        .routes(routes!(api::games::record))
        .routes(routes!(api::logs::game))
        .routes(routes!(api::what_if::show))
        .routes(routes!(api::profiles::show))
        .routes(routes!(api::rooms::open))
        .routes(routes!(api::rooms::show))
        .routes(routes!(api::rooms::play))
        .routes(routes!(api::rooms::resign))
        .routes(routes!(api::rooms::seat_bot))
        .routes(routes!(api::rooms::command))
        .routes(routes!(api::rooms::events))
        .routes(routes!(api::lobby::show, api::lobby::open))
        .routes(routes!(api::lobby::join))
        .routes(routes!(api::lobby::pair))
        .routes(routes!(api::worlds::list))
        .routes(routes!(api::worlds::show))
        .routes(routes!(api::worlds::command))
        .routes(routes!(api::worlds::events))
        .routes(routes!(api::worlds::spans))
        .routes(routes!(api::worlds::span))
        .routes(routes!(api::limits::show))
        .routes(routes!(api::operator::show))
        .routes(routes!(api::operator::act))
        .routes(routes!(api::operator::open_tournament))
        .routes(routes!(api::operator::audit))
}

/// Requests of machines: pages' files, sockets, health checks.
fn machines() -> Router<App> {
    Router::new()
        .route("/static/{version}/{*file}", get(assets::file))
        .route("/service-worker.js", get(offline::worker))
        .route("/api/v1/rooms/{id}/socket", any(socket::open))
        .route("/api/v1/tournaments/{id}/socket", any(socket::follow))
        .route("/api/v1/worlds/{name}/socket", any(socket::call))
        .route("/api/v1/openapi.json", get(openapi_document))
        .route("/healthz", get(health))
        .route("/readyz", get(ready))
}

/// The OpenAPI document of this release, as `/api/v1/openapi.json` serves it.
pub fn openapi() -> String {
    api::complete(&api().into_openapi())
}

async fn openapi_document(app: App) -> Response {
    let text: Arc<str> = app.openapi;
    ([(axum::http::header::CONTENT_TYPE, "application/json")], text.to_string()).into_response()
}

async fn health(app: App) -> Result<Json<Value>> {
    app.store().ping().await?;
    Ok(Json(json!({ "status": "ok" })))
}

/// Whether new visitors may be sent here: the store answers readers and writers, the disk has room for something new,
/// and the server is neither stopping nor draining.
async fn ready(app: App) -> Result<Json<Value>> {
    if app.stopping.is_cancelled() {
        let stopping = Problem::new(
            Code::Stopping,
            "the arena is about to stop",
            "ask again in some seconds; nothing that was acknowledged is lost",
        );
        return Err(stopping.again_in(STOP_GRACE.as_secs()));
    }
    if app.service().is_draining() {
        let draining = Problem::new(
            Code::Draining,
            "the arena takes no new visitors: it is about to be restarted",
            "current visitors can continue; try again in a minute",
        );
        return Err(draining.again_in(DRAIN_SECONDS));
    }
    app.store().is_ready().await?;
    app.store().has_space()?;
    Ok(Json(json!({ "status": "ready" })))
}

/// A panic is a bug of ours, and ends only its request.
fn panicked(payload: Box<dyn Any + Send + 'static>) -> Response {
    let text = payload.downcast_ref::<String>().map(String::as_str).or(payload.downcast_ref::<&str>().copied());
    tracing::error!(panic = text.unwrap_or("without a text"), "a handler panicked");
    Problem::new(
        Code::Internal,
        "the arena made a mistake",
        "nothing that was acknowledged is lost; please report what you did",
    )
    .into_response()
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;
    use std::net::IpAddr;
    use std::time::Duration;

    use arena_clock::Clock;
    use axum::body::{Body, Bytes, to_bytes};
    use axum::extract::{Multipart, Request};
    use axum::http::header::CONTENT_TYPE;
    use axum::http::request;
    use axum::routing;
    use futures_util::stream::{StreamExt, iter, pending};
    use tower::ServiceExt;

    use super::*;
    use crate::limits::BODY_FRAMES_A_UNIT;
    use crate::metrics::Metrics;
    use crate::upload::{self, Typed};
    use crate::visitors::{Caller, Proxies};

    /// A path for each of our ways to read a body, with a body.
    const READS: [(&str, &str); 5] = [
        ("/json", "application/json"),
        ("/form", "application/x-www-form-urlencoded"),
        ("/module", "application/wasm"),
        ("/module", "text/javascript"),
        ("/parts", "multipart/form-data; boundary=part"),
    ];

    async fn module(request: Request) -> Result<()> {
        upload::module(request).await.map(drop)
    }

    async fn parts(fields: Multipart) -> Result<()> {
        let mut typed = Typed::default();
        upload::form(fields, &mut typed).await.map(drop)
    }

    fn reading() -> Router {
        Router::new()
            .route("/json", routing::post(|_: api::Json<Value>| async {}))
            .route("/form", routing::post(|_: pages::Form<Value>| async {}))
            .route("/module", routing::post(module))
            .route("/parts", routing::post(parts))
            .layer(RequestBodyDeadlineLayer::new(BODY_DEADLINE))
            .layer(from_fn(clean_text::checked))
            .layer(from_fn(pages::problems))
    }

    fn ask(path: &str, kind: &str) -> request::Builder {
        Request::post(path).header(CONTENT_TYPE, kind)
    }

    #[tokio::test(start_paused = true)]
    async fn a_body_that_takes_too_long_is_told_so_wherever_one_is_read() {
        for (path, kind) in READS {
            let begun = iter([Ok::<_, Infallible>(Bytes::from_static(b" "))]).chain(pending());
            let request = ask(path, kind).body(Body::from_stream(begun)).expect("a request");
            let answer = reading().oneshot(request).await.expect("an answer");
            let status = answer.status();
            let text = to_bytes(answer.into_body(), BODY_BYTES_MAX).await.expect("a problem");
            let problem: Value = serde_json::from_slice(&text).expect("in JSON");
            assert_eq!((status, &problem["code"]), (StatusCode::REQUEST_TIMEOUT, &json!("too_slow")), "{path}");
        }
    }

    /// A phone's body, of which little comes at once, is read like one that says its chunks.
    #[tokio::test]
    async fn a_body_is_charged_for_its_frames_and_refused_once_its_sender_has_no_share_wherever_one_is_read() {
        for (path, kind) in READS {
            let metrics = Metrics::default();
            let visitors = Arc::new(Visitors::new(Proxies::default(), metrics.clone(), &Clock::manual(Duration::ZERO)));
            let reading = reading().layer(from_fn_with_state(visitors.clone(), visitors::admitted));
            let sent = async |frames: usize| {
                let frame = || Ok::<_, Infallible>(Bytes::from_static(b" "));
                let body = Body::from_stream(iter((0..frames).map(move |_| frame())));
                let mut request = ask(path, kind).body(body).expect("a request");
                let peer = IpAddr::from([192, 0, 2, 1]);
                request.extensions_mut().insert(Caller { peer, place: visitors.connection(peer) });
                let before = metrics.charged();
                let answer = reading.clone().oneshot(request).await.expect("an answer");
                (answer.status(), metrics.charged() - before)
            };
            let (_, whole) = sent(1).await;
            let frames = 100 * BODY_FRAMES_A_UNIT as usize;
            assert_eq!(sent(frames).await.1, whole + 100, "{path}");
            let mut last = sent(frames).await;
            while last.1 == whole + 100 {
                last = sent(frames).await;
            }
            assert_eq!(last.0, StatusCode::TOO_MANY_REQUESTS, "{path}");
        }
    }

    #[tokio::test]
    async fn a_body_that_breaks_off_is_not_said_to_be_slow() {
        for (path, kind) in READS {
            let gone = iter([Err::<Bytes, _>("gone")]);
            let request = ask(path, kind).body(Body::from_stream(gone)).expect("a request");
            let answer = reading().oneshot(request).await.expect("an answer");
            assert_eq!(answer.status(), StatusCode::BAD_REQUEST, "{path}");
        }
    }
}
