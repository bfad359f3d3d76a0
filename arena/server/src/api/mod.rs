//! The JSON API, `/api/v1`. Not here: what a request means (`arena_service`), who asks and how much they may take
//! (`visitors`), and pages (`pages`).

pub(crate) mod accounts;
mod archives;
pub(crate) mod bots;
pub(crate) mod checks;
pub(crate) mod export;
pub(crate) mod folders;
pub(crate) mod games;
pub(crate) mod limits;
pub(crate) mod lobby;
pub(crate) mod logs;
pub(crate) mod operator;
pub(crate) mod own_bots;
pub(crate) mod people;
pub(crate) mod profiles;
pub(crate) mod rooms;
pub(crate) mod standings;
pub(crate) mod tokens;
pub(crate) mod tournaments;
pub(crate) mod volunteers;
pub(crate) mod what_if;
pub(crate) mod worlds;

use axum::body::HttpBody;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::request::Parts;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::runtime::Handle;
use tokio::task::{block_in_place, spawn_blocking};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder};

use crate::clean_text::{self, Written};
use crate::limits::BODY_BYTES_MAX;
use crate::problem::{Code, Problem, Result};
use crate::{room_protocol, world_protocol};

/// A body in JSON; any other body is a problem in our usual form.
pub(crate) struct Json<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned + Send + 'static> FromRequest<S> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, state: &S) -> Result<Json<T>> {
        let request = clean_text::clean(request, state, Written::Json).await?;
        let is_long = request.body().size_hint().exact().is_none_or(|bytes| bytes > BODY_BYTES_MAX as u64);
        let parsed = async move { axum::Json::<T>::from_request(request, &()).await };
        let axum::Json(read) = if is_long {
            // Results of games, up to two megabytes: beside the threads that serve everybody.
            let runtime = Handle::current();
            let read = spawn_blocking(move || runtime.block_on(parsed)).await;
            read.map_err(|error| Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).caused_by(&error))?
        } else {
            parsed.await
        }
        .map_err(Problem::of_json)?;
        Ok(Json(read))
    }
}

/// An answer with a table of all against all, which takes some milliseconds for 64 entrants. While it is made, this
/// thread's other tasks move to another one.
fn with_table<T: Serialize>(made: impl FnOnce() -> T) -> Response {
    block_in_place(|| axum::Json(made()).into_response())
}

/// The query of an address; any other is a problem in our usual form.
pub(crate) struct Query<T>(pub(crate) T);

impl<S: Send + Sync, T: DeserializeOwned> FromRequestParts<S> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Query<T>> {
        let read = axum::extract::Query::from_request_parts(parts, state).await;
        read.map(|axum::extract::Query(read)| Query(read)).map_err(|rejection| {
            let hint = "/api/v1/openapi.json describes what is allowed there";
            Problem::new(Code::BadRequest, rejection.body_text(), hint).with_status(rejection.status())
        })
    }
}

/// The parts of the OpenAPI document around the operations.
pub(crate) fn document() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Life Arena")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Submit bots, read standings and records, play. Errors are application/problem+json with a stable `code`. A live \
             room is also a WebSocket at `/api/v1/rooms/ID/socket`: it sends `hello`, then the room's state after every \
             change, and takes `{\"type\":\"turn\",\"ply\":..,\"client_seq\":..,\"action\":..}`, \
             `{\"type\":\"resign\",\"ply\":..}` and all other commands of `POST /api/v1/rooms/ID/commands`. A world is also a \
             WebSocket, at `/api/v1/worlds/NAME/socket`: it sends `hello`, then its progress and the lines of its log, several \
             times a second, and takes the commands of `POST /api/v1/worlds/NAME/commands`. A request that opens a room or a \
             tournament, submits a version or is an act of the operator's may have the header `Idempotency-Key`, 1 to 64 characters of your choice: if the same \
             request comes again with it within ten minutes, it gets the same answer, and nothing else is opened, submitted or done. \
             Keys are kept in the memory of the server that answered first, 4,096 at once: after its restart, at another server of \
             the site, and beyond that number, the request is a new one.",
        ));
    let description = "The player code, or a token of the account with the right scope: `read` for reading, `submit` for submissions, \
         `play` for rooms, `work` for playing games for the site, `all` for everything else.";
    let code = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some(description)).build();
    let operator = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("The operator's token.")).build();
    let components = ComponentsBuilder::new()
        .security_scheme("player_code", SecurityScheme::Http(code))
        .security_scheme("operator_token", SecurityScheme::Http(operator))
        // The body of every problem.
        .schema_from::<Problem>()
        // What only sockets take and send.
        .schema_from::<room_protocol::RoomCommand>()
        .schema_from::<world_protocol::WorldCommand>()
        .schema_from::<tournaments::TournamentMessage>()
        .build();
    OpenApiBuilder::new().info(info.build()).components(Some(components)).build()
}

/// The document's text, with what all operations share: names, descriptions of answers, and that any operation may also
/// answer with a problem.
pub(crate) fn complete(document: &OpenApi) -> String {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    // A whole number is both a count and a number, so the value of a column may match several kinds.
    if let Some(value) = document["components"]["schemas"]["ValueView"].as_object_mut() {
        let kinds = value.remove("oneOf").unwrap_or_default();
        value.insert("anyOf".into(), kinds);
    }
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let words = path.trim_start_matches("/api/v1/").replace(['/', '{', '}', '.'], "_").replace("__", "_");
            operation["operationId"] = format!("{method}_{}", words.trim_end_matches('_')).into();
            describe(&mut operation["responses"]);
            if let Some(body) = operation.get_mut("requestBody") {
                modules_are_bytes(body);
            }
            for (_, answer) in operation["responses"].as_object_mut().into_iter().flatten() {
                modules_are_bytes(answer);
            }
        }
    }
    // Strings and lists always serialise.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// Declares the body with a module as bytes, not as a list of numbers.
fn modules_are_bytes(message: &mut Value) {
    if let Some(module) = message.pointer_mut("/content/application~1wasm/schema") {
        *module = json!({ "type": "string", "format": "binary" });
    }
}

/// Describes each answer by its status. Problems have a content type of their own; some answers use their own words,
/// too.
fn describe(responses: &mut Value) {
    let problem = json!({ "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
    for (status, response) in responses.as_object_mut().into_iter().flatten() {
        let code = status.parse().ok().and_then(|code: u16| StatusCode::from_u16(code).ok()).unwrap_or_default();
        response["description"] = code.canonical_reason().unwrap_or("An answer").into();
        if code.is_client_error() || code.is_server_error() {
            let own = response["content"].get("application/json").cloned();
            response["content"] = problem.clone();
            if let Some(own) = own.filter(|own| own["schema"]["$ref"].is_null()) {
                response["content"]["application/json"] = own;
            }
        }
    }
    responses["default"] = json!({ "description": "Any other problem", "content": problem });
}
