//! Takes a module, as bytes or as text to assemble, and returns the verdict.

use std::error::Error;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_runner::assembler::{AssembleError, OWN, assemble_bot};
use arena_service::with_causes;
use arena_store::{BotName, MODULE_BYTES_MAX, Submission, SubmitError, Version, VersionState};
use arena_wire::Game;
use axum::body::{Body, to_bytes};
use axum::extract::Multipart;
use axum::extract::multipart::MultipartError;
use axum::http::StatusCode;
use http_body_util::LengthLimitError;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tracing::{debug, error};

use crate::app::App;
use crate::guide;
use crate::idempotency::Key;
use crate::limit_kind::LimitKind;
use crate::limits::{ASSEMBLED_AT_ONCE_MAX, MODULE_KILOBYTES_A_UNIT, TEXT_BYTES_MAX, VERDICT_WAIT};
use crate::problem::{Code, Problem, Result};
use crate::text;
use crate::visitors::Taker;

/// The state of a submission at the end of the wait.
pub(crate) struct Submitted {
    pub(crate) version: Version,
    /// Whether these bytes were already the bot's latest version.
    pub(crate) known: bool,
}

/// Takes a module as a version of a bot and waits for the verdict. Judging continues whatever becomes of the request.
///
/// With a key, the same submission again is the same version, even if the bot has a later one by then.
///
/// The module's bytes are charged, too: to the share of requests for the work, and to one of their own, because
/// accepted ones are kept, so that anyone can recompute their games. If nothing is new, the submission that the caller
/// took is given back.
pub(crate) async fn submit(
    app: &App,
    taker: &Taker,
    account: arena_store::AccountId,
    name: &BotName,
    game: Option<&'static Game>,
    bytes: Arc<[u8]>,
    key: Option<Key>,
) -> Result<Submitted> {
    let kilobytes = u32::try_from(bytes.len().div_ceil(1 << 10)).unwrap_or(u32::MAX);
    let units = kilobytes.div_ceil(MODULE_KILOBYTES_A_UNIT);
    taker.take_some(LimitKind::Requests, units, Some(account))?;
    let keyed = match key {
        Some(Key { text, within }) => {
            let (hashed, game) = (bytes.clone(), game.map_or("", |game| game.ruleset));
            let id = spawn_blocking(move || EntrantId::of_bytes(&hashed)).await;
            let id = id.map_err(|error| Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).caused_by(&error))?;
            Some((format!("{} {name} {game} {id} {text}", account.0), within, id))
        }
        None => None,
    };
    // The number of a refused version is given again.
    if let Some((place, within, entrant)) = &keyed
        && let Some((id, at)) = app.submitted.of(place)
        && app.clock().since(at) < *within
        && let Some(version) = app.service().judge().verdict(id, VERDICT_WAIT).await?
        && version.entrant == *entrant
        && refused(&version).is_none()
    {
        taker.give_back(LimitKind::Uploads, Some(account));
        return Ok(Submitted { version, known: true });
    }
    taker.take_some(LimitKind::Kilobytes, kilobytes, Some(account))?;
    let submission = app.service().judge().submit(account, name, game, bytes, app.now()).await?;
    let known = matches!(submission, Submission::Known(_));
    let id = submission.version().id;
    if let Some((place, ..)) = keyed {
        app.submitted.keep(place, (id, app.clock().now()));
    }
    let judged = app.service().judge().verdict(id, VERDICT_WAIT).await?;
    let version = judged.unwrap_or_else(|| submission.version().clone());
    Ok(Submitted { version, known })
}

/// Reads a body as a module. If it is too long, only the limit is read.
pub(crate) async fn module(body: Body) -> Result<Arc<[u8]>> {
    match to_bytes(body, MODULE_BYTES_MAX as usize).await {
        Ok(bytes) => Ok(bytes.to_vec().into()),
        Err(error) if error.source().is_some_and(|cause| cause.is::<LengthLimitError>()) => {
            Err(SubmitError::TooLarge.into())
        }
        Err(error) => Err(broke_off(&error)),
    }
}

/// The text typed into a submission's form, which is shown again after a refusal.
#[derive(Default)]
pub(crate) struct Typed {
    pub(crate) name: String,
    /// The game's name; empty for the bot's own game.
    pub(crate) game: String,
    /// WebAssembly text; `None` in the form for a file.
    pub(crate) text: Option<String>,
}

impl Typed {
    /// The content of a form that has only this text.
    pub(crate) fn of_text(text: &str) -> Typed {
        Typed { text: Some(text.to_owned()), ..Typed::default() }
    }
}

/// Reads a submission's form: the module of a file, or `None` if a text was written. Each field is stored in `typed` as
/// soon as it is read, even if a later one is refused.
pub(crate) async fn form(mut fields: Multipart, typed: &mut Typed) -> Result<Option<Arc<[u8]>>> {
    let mut module = None;
    while let Some(mut field) = fields.next_field().await.map_err(broken)? {
        match field.name() {
            Some("name") => typed.name = field.text().await.map_err(broken)?.trim().to_owned(),
            Some("game") => typed.game = field.text().await.map_err(broken)?.trim().to_owned(),
            // Forms end lines with two characters.
            Some("text") => typed.text = Some(field.text().await.map_err(broken)?.replace("\r\n", "\n")),
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
        let hint = "choose the .wasm file that the build produces, and the name of your bot";
        Problem::new(Code::BadRequest, format!("the form has no {what}"), hint)
    };
    if typed.name.is_empty() {
        return Err(missing("name"));
    }
    if typed.text.is_some() {
        return Ok(None);
    }
    let module: Vec<u8> = module.ok_or_else(|| missing("file"))?;
    if module.is_empty() {
        let hint = "choose the .wasm file that the build produces";
        return Err(Problem::new(Code::EmptyFile, "the file is empty", hint));
    }
    Ok(Some(module.into()))
}

/// The path in the repository of the layer over the contract, which is put in front of a module's fields.
const LAYER_PATH: &str = "sdk/wat/arena.wat";
/// The bot in the form at first.
pub(crate) const TEMPLATE_PATH: &str = "sdk/templates/wat/bot.wat";

/// Held while a text is assembled.
static ASSEMBLING: Semaphore = Semaphore::const_new(ASSEMBLED_AT_ONCE_MAX);

/// The text in the form at first.
pub(crate) fn template() -> &'static str {
    guide::text(TEMPLATE_PATH).unwrap_or_default()
}

/// Assembles a text: alone if it is a whole module, otherwise behind the layer.
pub(crate) async fn assembled(text: &str) -> Result<Arc<[u8]>> {
    if text.len() > TEXT_BYTES_MAX {
        let detail = format!("a text has at most {TEXT_BYTES_MAX} bytes, this one has {}", text.len());
        let hint = "submit the module that `arena assemble` makes of it";
        let refused = Problem::new(Code::TextTooLong, detail, hint);
        return Err(refused.saying(text::refused_text_of_bytes(text.len(), TEXT_BYTES_MAX)));
    }
    let own = text.to_owned();
    let turn = ASSEMBLING.acquire().await.ok();
    let assembled = spawn_blocking(move || {
        // Held even if the request is gone.
        let _turn = turn;
        assemble_bot(guide::text(LAYER_PATH).unwrap_or_default(), &own)
    });
    match assembled.await {
        Ok(Ok(module)) => Ok(module.into()),
        Ok(Err(error)) => Err(unassembled(&error)),
        Err(_) => {
            // The cause is not logged, because it may quote the text.
            error!("the assembler panicked");
            let detail = "the arena cannot assemble this text";
            let hint = "submit the module that another assembler makes of it";
            Err(Problem::new(Code::DoesNotAssemble, detail, hint))
        }
    }
}

/// The place of an error in a text, and the reason.
fn unassembled(error: &AssembleError) -> Problem {
    let AssembleError { name, line, column, message, .. } = error;
    // It is put between double quotes.
    let message = format!("{:?}", message.replace('"', "'"));
    let (detail, hint, spanish) = if name == OWN {
        let hint = "the text is still in the form; the guide has a chapter on WebAssembly text: /guide/wat";
        let spanish = text::refused_does_not_assemble_at(column, line, &message);
        (format!("line {line}, column {column}: {message}"), hint, spanish)
    } else {
        let hint =
            "`arena.wat` stands in front of your text and calls its `$turn`; /guide/files/sdk/wat/arena.wat has it";
        let spanish = text::refused_does_not_assemble_in(column, line, &message, format!("`{name}`"));
        (format!("`{name}`, line {line}, column {column}: {message}"), hint, spanish)
    };
    Problem::new(Code::DoesNotAssemble, detail, hint).saying(spanish)
}

/// The problem of a body that broke off or took too long, which is not our fault.
fn broke_off(error: &(dyn Error + 'static)) -> Problem {
    debug!(cause = with_causes(error), "a body broke off");
    Problem::of_unread_body(error).unwrap_or_else(|| Problem::of_status(StatusCode::BAD_REQUEST))
}

fn broken(error: MultipartError) -> Problem {
    if error.status() == StatusCode::PAYLOAD_TOO_LARGE {
        return SubmitError::TooLarge.into();
    }
    if error.status().is_server_error() {
        return broke_off(&error);
    }
    Problem::new(Code::BadRequest, "this is not the submission's form", "use the form at /submit")
        .with_status(error.status())
}

/// The refusal of a version as a problem.
pub(crate) fn refused(version: &Version) -> Option<Problem> {
    let VersionState::Refused(objection) = &version.state else { return None };
    Some(Problem::of_objection(objection))
}
