//! The JSON API, `/api/v1`.

pub(crate) mod accounts;
pub(crate) mod bots;
pub(crate) mod folders;
pub(crate) mod games;
pub(crate) mod limits;
pub(crate) mod logs;
pub(crate) mod own_bots;
pub(crate) mod rooms;
pub(crate) mod standings;

use axum::extract::rejection::{JsonRejection, QueryRejection};
use axum::extract::{FromRequest, FromRequestParts};
use axum::http::StatusCode;
use serde_json::{Value, json};
use utoipa::openapi::security::{HttpAuthScheme, HttpBuilder, SecurityScheme};
use utoipa::openapi::{ComponentsBuilder, InfoBuilder, OpenApi, OpenApiBuilder};

use crate::problem::Problem;

/// A body in JSON; anything else is a problem like all others.
#[derive(FromRequest)]
#[from_request(via(axum::Json), rejection(Problem))]
pub(crate) struct Json<T>(pub(crate) T);

/// The part of an address after the question mark.
#[derive(FromRequestParts)]
#[from_request(via(axum::extract::Query), rejection(Problem))]
pub(crate) struct Query<T>(pub(crate) T);

impl From<JsonRejection> for Problem {
    fn from(rejection: JsonRejection) -> Problem {
        let hint = "send what /api/v1/openapi.json describes, as application/json";
        Problem::new(rejection.status(), "bad_request", rejection.body_text(), hint)
    }
}

impl From<QueryRejection> for Problem {
    fn from(rejection: QueryRejection) -> Problem {
        let hint = "/api/v1/openapi.json describes what is allowed there";
        Problem::new(rejection.status(), "bad_request", rejection.body_text(), hint)
    }
}

/// What stands around the operations in the OpenAPI document.
pub(crate) fn document() -> OpenApi {
    let info = InfoBuilder::new()
        .title("Life Arena")
        .version(env!("CARGO_PKG_VERSION"))
        .description(Some(
            "Submit bots, read standings and records, play. Errors are application/problem+json with a stable `code`. A live \
             room is also a WebSocket at `/api/v1/rooms/ID/socket`: it sends `hello`, then the room's state after every \
             change, and takes `{\"type\":\"turn\",\"ply\":..,\"client_seq\":..,\"action\":..}` and \
             `{\"type\":\"resign\",\"ply\":..}`.",
        ));
    let code = HttpBuilder::new().scheme(HttpAuthScheme::Bearer).description(Some("The player code.")).build();
    let components = ComponentsBuilder::new().security_scheme("player_code", SecurityScheme::Http(code)).build();
    OpenApiBuilder::new().info(info.build()).components(Some(components)).build()
}

/// The document's text, with what is the same for all operations: names, descriptions of answers, and that anything may
/// also be answered by a problem.
pub(crate) fn complete(document: &OpenApi) -> String {
    let mut document = serde_json::to_value(document).unwrap_or_default();
    let paths = document["paths"].as_object_mut().into_iter().flatten();
    for (path, item) in paths {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let words = path.trim_start_matches("/api/v1/").replace(['/', '{', '}', '.'], "_").replace("__", "_");
            operation["operationId"] = format!("{method}_{}", words.trim_end_matches('_')).into();
            describe(&mut operation["responses"]);
        }
    }
    // Strings and lists always serialise.
    serde_json::to_string_pretty(&document).unwrap_or_default() + "\n"
}

/// What each answer is, by its status; problems have a type of their own.
fn describe(responses: &mut Value) {
    let problem = json!({ "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } } });
    for (status, response) in responses.as_object_mut().into_iter().flatten() {
        let code = status.parse().ok().and_then(|code: u16| StatusCode::from_u16(code).ok()).unwrap_or_default();
        response["description"] = code.canonical_reason().unwrap_or("An answer").into();
        if code.is_client_error() || code.is_server_error() {
            response["content"] = problem.clone();
        }
    }
    responses["default"] = json!({ "description": "Any other problem", "content": problem });
}
