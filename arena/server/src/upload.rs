//! A module on its way in, and the verdict on its way out.

use std::error::Error;
use std::sync::Arc;

use arena_record::Objection;
use arena_service::with_causes;
use arena_store::{BotName, MODULE_BYTES_MAX, Submission, SubmitError, Version, VersionState};
use arena_wire::Game;
use axum::body::{Body, to_bytes};
use axum::extract::Multipart;
use axum::extract::multipart::MultipartError;
use axum::http::StatusCode;
use http_body_util::LengthLimitError;
use tracing::debug;

use crate::app::{App, now};
use crate::limits::VERDICT_WAIT;
use crate::problem::Problem;

/// What became of a submission, as far as the wait went.
pub(crate) struct Submitted {
    pub(crate) version: Version,
    /// Whether these bytes were the bot's latest before.
    pub(crate) known: bool,
}

/// Takes a module as a version of a bot and waits for the verdict. The judging goes on whatever becomes of the request.
pub(crate) async fn submit(
    app: &App,
    account: arena_store::AccountId,
    name: &BotName,
    game: Option<&'static Game>,
    bytes: Arc<[u8]>,
) -> Result<Submitted, Problem> {
    let submission = app.service().submit(account, name, game, bytes, now()).await?;
    let known = matches!(submission, Submission::Known(_));
    let id = submission.version().id;
    let judged = app.service().verdict(id, VERDICT_WAIT).await?;
    let version = judged.unwrap_or_else(|| submission.version().clone());
    Ok(Submitted { version, known })
}

/// The bytes of a body that is a module. Of one that is too long no more than the limit is kept.
pub(crate) async fn module(body: Body) -> Result<Arc<[u8]>, Problem> {
    match to_bytes(body, MODULE_BYTES_MAX as usize).await {
        Ok(bytes) => Ok(bytes.to_vec().into()),
        Err(error) if error.source().is_some_and(|cause| cause.is::<LengthLimitError>()) => {
            Err(SubmitError::TooLarge.into())
        }
        Err(error) => Err(broke_off(&error)),
    }
}

/// The fields of the submission's form.
pub(crate) struct Form {
    /// The game's name; empty for that of the bot.
    pub(crate) game: String,
    pub(crate) module: Arc<[u8]>,
}

/// Reads the submission's form. The name is in `name` as soon as it was read, also when what follows is refused.
pub(crate) async fn form(mut fields: Multipart, name: &mut String) -> Result<Form, Problem> {
    let (mut game, mut module) = (String::new(), None);
    while let Some(mut field) = fields.next_field().await.map_err(broken)? {
        match field.name() {
            Some("name") => *name = field.text().await.map_err(broken)?.trim().to_owned(),
            Some("game") => game = field.text().await.map_err(broken)?.trim().to_owned(),
            Some("file") => {
                let mut bytes = Vec::new();
                while let Some(chunk) = field.chunk().await.map_err(broken)? {
                    bytes.extend_from_slice(&chunk);
                    if bytes.len() as u64 > MODULE_BYTES_MAX {
                        return Err(SubmitError::TooLarge.into());
                    }
                }
                module = Some(bytes);
            }
            _ => {}
        }
    }
    let missing = |what: &str| {
        let hint = "choose the .wasm file that the build leaves, and the name of your bot";
        Problem::new(StatusCode::BAD_REQUEST, "bad_request", format!("the form has no {what}"), hint)
    };
    if name.is_empty() {
        return Err(missing("name"));
    }
    let module: Vec<u8> = module.ok_or_else(|| missing("file"))?;
    if module.is_empty() {
        let hint = "choose the .wasm file that the build leaves";
        return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "empty_file", "the file is empty", hint));
    }
    Ok(Form { game, module: module.into() })
}

/// A body that broke off or took too long: no fault of ours.
fn broke_off(error: &dyn Error) -> Problem {
    debug!(cause = with_causes(error), "a body broke off");
    Problem::of_status(StatusCode::REQUEST_TIMEOUT)
}

fn broken(error: MultipartError) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return SubmitError::TooLarge.into();
    }
    if error.status().is_server_error() {
        return broke_off(&error);
    }
    Problem::new(error.status(), "bad_request", "this is not the submission's form", "use the form at /submit")
}

/// The refusal of a version as a problem.
pub(crate) fn refused(version: &Version) -> Option<Problem> {
    let VersionState::Refused(Objection { code, message, hint, offset }) = &version.state else { return None };
    Some(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, code, message, hint).at(*offset))
}
