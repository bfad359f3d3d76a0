//! Worlds over plain requests. The socket sends the same, sooner.

use std::sync::Arc;

use arena_service::LiveWorld;
use arena_store::{PAGE_MAX, Page, WorldName};
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::{Json, Query};
use crate::admission::Admission;
use crate::app::App;
use crate::identity::{Visitor, Waiter};
use crate::limit_kind::LimitKind;
use crate::limits::{WHOLE_WORLD_COST, WORLD_POLL_HELD};
use crate::problem::{Code, Problem, Result};
use crate::room_protocol::Answered;
use crate::visitors::Taker;
use crate::world_protocol::{Caller, StateShape, WorldMessage, state};

/// A running world.
#[derive(Serialize, ToSchema)]
pub(crate) struct WorldView {
    /// Its name.
    name: String,
    /// Generations so far; there are ten a second.
    generation: u64,
}

/// The worlds of this site.
#[utoipa::path(get, path = "/api/v1/worlds", responses((status = 200, body = Vec<WorldView>)))]
pub(crate) async fn list(app: App) -> axum::Json<Vec<WorldView>> {
    let view =
        |world: Arc<LiveWorld>| WorldView { name: world.name().to_string(), generation: world.shown().generation };
    axum::Json(app.service().worlds().all().into_iter().map(view).collect())
}

/// The whole state of a world, as `get_state` answers: `opened` is a snapshot (`arena/world/FORMAT.md`), and `next` is
/// the number of the first line after it. All of it is of one moment, at most five seconds ago and after every line
/// that the server has.
#[utoipa::path(get, path = "/api/v1/worlds/{name}", params(("name" = String, Path)),
    responses((status = 200, body = StateShape), (status = 404), (status = 429)))]
pub(crate) async fn show(app: App, Path(name): Path<String>, taker: Taker) -> Result<Response> {
    let world = find(&app, &name)?;
    taker.take_some(LimitKind::Requests, WHOLE_WORLD_COST, None)?;
    Ok(([(CONTENT_TYPE, "application/json")], state(&app, &world).await?).into_response())
}

/// Sends a command to a world, as its socket takes it: `{"type":"join_game","base_x":60,"base_y":60}`,
/// `{"type":"place_cells","cells":[[62,62]]}` (columns before rows), `faucet`, `get_state`, `get_slots_info`,
/// `get_base_info` and `get_territory_info` with a `slot` from 1, `get_next_wipe`, `get_balance`, and
/// `{"type":"seat_bot","bot":"NAME"}`: one of the account's own bots of Life2, or a built-in opponent, plays for it;
/// `null` ends that. The answer is `answer`, `rejected` or `error`, as on the socket, with the status 200. A call that
/// is worth sending again later is `rejected` with the status 429 or 503 and `Retry-After`: `too_many` if a share is
/// used up, `unavailable`. What changes the world needs an account, and is on the disk when it is answered.
#[utoipa::path(post, path = "/api/v1/worlds/{name}/commands", params(("name" = String, Path)), request_body = Value,
    security((), ("player_code" = [])),
    responses((status = 200, body = WorldMessage), (status = 404), (status = 422, body = Value),
        (status = 429, body = Value), (status = 503, body = Value)))]
pub(crate) async fn command(
    app: App,
    Path(name): Path<String>,
    taker: Taker,
    visitor: Visitor,
    Json(said): Json<serde_json::Value>,
) -> Result<Answered> {
    let world = find(&app, &name)?;
    Ok(Caller::new(&app, world, &visitor, taker, None).receive(&said.to_string()).await)
}

/// The last that was heard.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct After {
    /// The `next` of the last answer or of a snapshot; leave it out at first.
    #[param(required = false, format = "uint64", maximum = 18446744073709551615_u64)]
    pub(crate) after: Option<u64>,
}

/// What happened since.
#[derive(ToSchema)]
#[expect(dead_code, reason = "put together from messages")]
struct WorldEvents {
    /// For `after` of the next request.
    version: u64,
    messages: Vec<WorldMessage<'static>>,
}

/// What the socket of a world would send: how far it is, and the lines of its log since `after`. Held for up to a
/// second if there are none.
#[utoipa::path(get, path = "/api/v1/worlds/{name}/events", params(("name" = String, Path), After),
    security((), ("player_code" = [])), responses((status = 200, body = WorldEvents), (status = 404), (status = 429)))]
pub(crate) async fn events(
    app: App,
    Path(name): Path<String>,
    Query(After { after }): Query<After>,
    taker: Taker,
    Waiter { visitor, endings }: Waiter,
) -> Result<Response> {
    let world = find(&app, &name)?;
    let _held = taker.poll(visitor.account_id())?;
    let mut admission = Admission::new(&app, &visitor, endings, &taker);
    let mut states = world.watch();
    let mut caller = Caller::new(&app, world, &visitor, taker, after);
    let mut messages = Vec::new();
    match after {
        None => messages.push(caller.hello().await),
        Some(after) => {
            let news = states.wait_for(|shown| shown.next != after);
            // Without news the answer tells the current generation.
            admission.wait(&app, WORLD_POLL_HELD, news).await?;
        }
    }
    let shown = states.borrow().clone();
    messages.push(caller.news(&shown));
    let text = format!("{{\"version\":{},\"messages\":[{}]}}", shown.next, messages.join(","));
    Ok(([(CONTENT_TYPE, "application/json"), (CACHE_CONTROL, "no-store")], text).into_response())
}

/// Where the list goes on.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Before {
    /// The last generation of the previous page; default: the latest ones.
    #[param(required = false, format = "uint64", maximum = 18446744073709551615_u64)]
    before: Option<u64>,
}

/// The generations at which spans of a world's log begin, latest first, at most 100 at once. The first one is still
/// being written.
#[utoipa::path(get, path = "/api/v1/worlds/{name}/spans", params(("name" = String, Path), Before),
    responses((status = 200, body = Vec<u64>), (status = 404)))]
pub(crate) async fn spans(
    app: App,
    Path(name): Path<String>,
    Query(Before { before }): Query<Before>,
) -> Result<axum::Json<Vec<u64>>> {
    let world = find(&app, &name)?;
    let page = before.map_or(Page::first(PAGE_MAX), |before| Page::after(before, PAGE_MAX));
    Ok(axum::Json(app.store().world_spans(world.name(), page).await?))
}

/// A finished span of a world's log, for `arena verify`: lines of JSON (`arena/world/FORMAT.md`).
#[utoipa::path(get, path = "/api/v1/worlds/{name}/spans/{from}", params(("name" = String, Path), ("from" = u64, Path)),
    responses((status = 200, body = String, content_type = "application/x-ndjson"), (status = 404), (status = 409),
        (status = 429)))]
pub(crate) async fn span(app: App, Path((name, from)): Path<(String, u64)>, taker: Taker) -> Result<Response> {
    let world = find(&app, &name)?;
    taker.take_some(LimitKind::Requests, WHOLE_WORLD_COST, None)?;
    let span = app.store().world_span(world.name(), from).await?.filter(|span| span.from == from);
    let span = span.ok_or_else(|| {
        let hint = "the oldest ones are forgotten; `/api/v1/worlds/NAME/spans` lists those that are kept";
        Problem::new(Code::NoSuchSpan, "no span of this world begins there", hint)
    })?;
    if app.store().world_spans(world.name(), Page::first(1)).await?.first() == Some(&from) {
        let hint = "it is over in less than a minute";
        return Err(Problem::new(Code::GoesOn, "this span still goes on", hint));
    }
    Ok(([(CONTENT_TYPE, "application/x-ndjson")], span.lines.concat()).into_response())
}

/// The world of this name.
pub(crate) fn find(app: &App, name: &str) -> Result<Arc<LiveWorld>> {
    let world = WorldName::parse(name).ok().and_then(|name| app.service().worlds().world(&name));
    world.ok_or_else(|| Problem::new(Code::NoSuchWorld, "there is no such world", "/worlds has all of them"))
}
