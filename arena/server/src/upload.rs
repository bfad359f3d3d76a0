//! Takes a module, as bytes, as a script to bundle or as text to assemble, and returns the verdict.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use arena_record::EntrantId;
use arena_runner::assembler::{AssembleError, OWN, assemble_bot};
use arena_scripts::{BundleError, Language, SCRIPT_BYTES_MAX, bundle, module_of};
use arena_service::with_causes;
use arena_store::{AccountId, BotName, Licence, MODULE_BYTES_MAX, Submission, SubmitError, Version, VersionState};
use arena_wire::Game;
use axum::body::to_bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::{Multipart, Request};
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use http_body_util::LengthLimitError;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tracing::{debug, error};

use crate::app::App;
use crate::guide;
use crate::idempotency::Key;
use crate::language::Text;
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

/// What is submitted.
pub(crate) struct Sent<'a> {
    pub(crate) name: &'a BotName,
    /// `None` for the bot's own game.
    pub(crate) game: Option<&'static Game>,
    pub(crate) bytes: Arc<[u8]>,
    /// The licence under which its source may be shown.
    pub(crate) licence: Option<Licence>,
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
    account: AccountId,
    Sent { name, game, bytes, licence }: Sent<'_>,
    key: Option<Key>,
) -> Result<Submitted> {
    let kilobytes = charge_length(taker, &bytes, Some(account))?;
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
    if licence.is_some() {
        app.store().license(id, licence).await?;
    }
    if let Some((place, ..)) = keyed {
        app.submitted.keep(place, (id, app.clock().now()));
    }
    let judged = app.service().judge().verdict(id, VERDICT_WAIT).await?;
    let version = judged.unwrap_or_else(|| submission.version().clone());
    Ok(Submitted { version, known })
}

/// Charges a request for the length of its module, and returns that in KiB.
pub(crate) fn charge_length(taker: &Taker, module: &[u8], account: Option<AccountId>) -> Result<u32> {
    let kilobytes = u32::try_from(module.len().div_ceil(1 << 10)).unwrap_or(u32::MAX);
    taker.take_some(LimitKind::Requests, kilobytes.div_ceil(MODULE_KILOBYTES_A_UNIT), account)?;
    Ok(kilobytes)
}

/// Reads a body as a module, or as a script or WebAssembly text if its type says so. If it is too long, only the limit
/// is read.
pub(crate) async fn module(request: Request) -> Result<Arc<[u8]>> {
    let media_type = request.headers().get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
    let language = media_type.and_then(Language::of_media_type);
    let is_text = media_type.is_some_and(|given| given.split(';').next().unwrap_or_default().trim() == TEXT_TYPE);
    match (to_bytes(request.into_body(), MODULE_BYTES_MAX as usize).await, language) {
        (Ok(script), Some(language)) => bundled(move || bundle(language, &script)).await,
        (Ok(bytes), None) if is_text => assembled(String::from_utf8_lossy(&bytes).into_owned()).await,
        (Ok(bytes), None) => Ok(bytes.to_vec().into()),
        (Err(error), _) if error.source().is_some_and(|cause| cause.is::<LengthLimitError>()) => {
            Err(SubmitError::TooLarge.into())
        }
        (Err(error), _) => Err(broke_off(&error)),
    }
}

/// What was typed into a submission's form, which is shown again after a refusal.
pub(crate) struct Typed {
    pub(crate) name: String,
    /// The game's name; empty for the bot's own game.
    pub(crate) game: String,
    /// The language that it is written in, by its name.
    pub(crate) language: String,
    /// What is written; `None` in the form for a file.
    pub(crate) text: Option<String>,
    /// Whether pages may show the source.
    pub(crate) shown: bool,
    /// The chosen licence, which counts if they may.
    pub(crate) licence: String,
}

impl Default for Typed {
    fn default() -> Typed {
        let [name, game, language] = [(); 3].map(|()| String::new());
        Typed { name, game, language, text: None, shown: false, licence: Licence::ALL[0].spdx().into() }
    }
}

impl Typed {
    /// The content of the form in which nothing is written yet, in a language.
    pub(crate) fn of_template(language: &Written) -> Typed {
        Typed::of_file(language, language.template)
    }

    /// The same with a bot that the guide has, by its path; `None` if it has no such bot.
    pub(crate) fn of_listing(path: &str) -> Option<Typed> {
        let path = guide::bots().find(|bot| *bot == path)?;
        let language = WRITTEN.iter().find(|language| language.names(path))?;
        Some(Typed::of_file(language, path))
    }

    fn of_file(language: &Written, path: &str) -> Typed {
        Typed::of_text(language, guide::text(path).unwrap_or_default().to_owned())
    }

    /// The same with a text.
    pub(crate) fn of_text(language: &Written, text: String) -> Typed {
        Typed { text: Some(text), language: language.name.into(), ..Typed::default() }
    }

    /// The licence under which pages may show the source.
    pub(crate) fn licence(&self) -> Result<Option<Licence>> {
        if self.shown { licence_of(&self.licence).map(Some) } else { Ok(None) }
    }
}

/// The licence with this identifier.
pub(crate) fn licence_of(text: &str) -> Result<Licence> {
    Licence::of_spdx(text).ok_or_else(|| {
        let hint = "the form and /api/v1/openapi.json have them";
        Problem::new(Code::BadLicence, "this licence is not one of those to choose from", hint)
    })
}

/// Reads a submission's form: the module of a file, which may be a script, or `None` if a text was written. Each field
/// is stored in `typed` as soon as it is read, even if a later one is refused.
pub(crate) async fn form(mut fields: Multipart, typed: &mut Typed) -> Result<Option<Arc<[u8]>>> {
    let mut module = None;
    while let Some(mut field) = fields.next_field().await.map_err(broken)? {
        match field.name() {
            Some("name") => typed.name = field.text().await.map_err(broken)?.trim().to_owned(),
            Some("game") => typed.game = field.text().await.map_err(broken)?.trim().to_owned(),
            Some("shown") => typed.shown = !field.text().await.map_err(broken)?.is_empty(),
            Some("licence") => typed.licence = field.text().await.map_err(broken)?,
            Some("language") => typed.language = field.text().await.map_err(broken)?.trim().to_owned(),
            // Forms end lines with two characters.
            Some("text") => typed.text = Some(field.text().await.map_err(broken)?.replace("\r\n", "\n")),
            Some("file") => {
                let file = PathBuf::from(field.file_name().unwrap_or_default());
                let mut bytes = Vec::new();
                while let Some(chunk) = field.chunk().await.map_err(broken)? {
                    bytes.extend_from_slice(&chunk);
                    if bytes.len() as u64 > MODULE_BYTES_MAX {
                        return Err(SubmitError::TooLarge.into());
                    }
                }
                module = Some((file, bytes));
            }
            _ => {}
        }
    }
    if typed.language.is_empty() {
        // The form had one language once, and programs may send it still.
        typed.language = ASSEMBLED.into();
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
    let (file, module): (PathBuf, Vec<u8>) = module.ok_or_else(|| missing("file"))?;
    if module.is_empty() {
        let hint = "choose the .wasm file that the build produces";
        return Err(Problem::new(Code::EmptyFile, "the file is empty", hint));
    }
    bundled(move || module_of(&file, module)).await.map(Some)
}

/// Bundles a script, on a thread that may take its time.
async fn bundled(make: impl FnOnce() -> Result<Vec<u8>, BundleError> + Send + 'static) -> Result<Arc<[u8]>> {
    let made = spawn_blocking(make).await;
    let made = made.map_err(|error| Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR).caused_by(&error))?;
    made.map(Arc::from).map_err(unbundled)
}

/// Why a script is not bundled.
fn unbundled(error: BundleError) -> Problem {
    let spanish = match error {
        BundleError::Empty => text::refused_does_not_bundle_empty(),
        BundleError::TooLong => text::refused_does_not_bundle_too_long(SCRIPT_BYTES_MAX),
        BundleError::NotUtf8 { at } => text::refused_does_not_bundle_not_text(at),
        BundleError::Other(_) => text::refused_does_not_bundle_other(),
        BundleError::Interpreter => text::refused_does_not_bundle(),
    };
    Problem::new(Code::DoesNotBundle, error, error.hint()).saying(spanish)
}

/// The media type of WebAssembly text. None is registered; editors use this one.
const TEXT_TYPE: &str = "text/webassembly";

/// The path in the repository of the layer over the contract, which is put in front of a module's fields.
const LAYER_PATH: &str = "sdk/wat/arena.wat";

/// A language in which a bot is written in the page.
pub(crate) struct Written {
    /// Its name in forms, addresses and drafts: `web/engine/src/texts.rs` has the same.
    pub(crate) name: &'static str,
    /// The text's name in errors.
    pub(crate) file: &'static str,
    /// The media type of its texts.
    pub(crate) media_type: &'static str,
    /// The path in the repository of the bot in the form at first.
    pub(crate) template: &'static str,
    /// The path in the repository of what it declares for bots.
    pub(crate) declared: &'static str,
    /// The page's module that makes bots of its texts.
    pub(crate) maker: &'static str,
    /// The language of a script, if it is one.
    script: Option<Language>,
}

impl Written {
    /// Its name for people.
    pub(crate) fn title(&self) -> Text {
        match self.name {
            "javascript" => text::workshop_javascript(),
            "python" => text::workshop_python(),
            _ => text::workshop_webassembly_text(),
        }
    }

    /// Whether a file with this name is written in it.
    pub(crate) fn names(&self, file: &str) -> bool {
        Path::new(file).extension() == Path::new(self.file).extension()
    }
}

/// All of them, the usual one first.
pub(crate) const WRITTEN: [Written; 3] = [
    Written {
        name: "javascript",
        file: Language::JavaScript.file(),
        media_type: "text/javascript",
        template: "sdk/templates/javascript/bot.js",
        declared: "sdk/javascript/bot.d.ts",
        maker: "arena_texts.wasm",
        script: Some(Language::JavaScript),
    },
    Written {
        name: "python",
        file: Language::Python.file(),
        media_type: "text/x-python",
        template: "sdk/templates/python/bot.py",
        declared: "sdk/python/arena.pyi",
        maker: "arena_python.wasm",
        script: Some(Language::Python),
    },
    Written {
        name: ASSEMBLED,
        file: OWN,
        media_type: TEXT_TYPE,
        template: "sdk/templates/wat/bot.wat",
        declared: LAYER_PATH,
        maker: "arena_texts.wasm",
        script: None,
    },
];

/// The language in which a text of this name is written; `None` if none is.
pub(crate) fn written_as(file: &str) -> Option<&'static Written> {
    WRITTEN.iter().find(|language| language.file == file)
}

/// The name of WebAssembly text.
pub(crate) const ASSEMBLED: &str = "wat";

/// The language of this name; the usual one if there is none.
pub(crate) fn written_in(name: &str) -> &'static Written {
    WRITTEN.iter().find(|language| language.name == name).unwrap_or(&WRITTEN[0])
}

/// The module of what was typed.
pub(crate) async fn made(typed: &Typed) -> Result<Arc<[u8]>> {
    let text = typed.text.clone().unwrap_or_default();
    let known = WRITTEN.iter().find(|language| language.name == typed.language);
    match known.and_then(|language| language.script) {
        Some(language) => bundled(move || bundle(language, text.as_bytes())).await,
        None => assembled(text).await,
    }
}

/// Held while a text is assembled.
static ASSEMBLING: Semaphore = Semaphore::const_new(ASSEMBLED_AT_ONCE_MAX);

/// Assembles a text: alone if it is a whole module, otherwise behind the layer.
async fn assembled(text: String) -> Result<Arc<[u8]>> {
    if text.len() > TEXT_BYTES_MAX {
        let detail = format!("a text has at most {TEXT_BYTES_MAX} bytes, this one has {}", text.len());
        let hint = "submit the module that `arena assemble` makes of it";
        let refused = Problem::new(Code::TextTooLong, detail, hint);
        return Err(refused.saying(text::refused_text_of_bytes(text.len(), TEXT_BYTES_MAX)));
    }
    let turn = ASSEMBLING.acquire().await.ok();
    let assembled = spawn_blocking(move || {
        // Held even if the request is gone.
        let _turn = turn;
        assemble_bot(guide::text(LAYER_PATH).unwrap_or_default(), &text)
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

#[cfg(test)]
mod tests {
    use axum::body::Body;
    use axum::extract::FromRequest;

    use super::*;

    /// A text that is bundled in any language.
    const SCRIPT: &str = "turn = best\n";

    fn asked(kind: &str, body: String) -> Request {
        Request::post("/").header(CONTENT_TYPE, kind).body(Body::from(body)).expect("a request")
    }

    async fn sent(kind: &str) -> Vec<u8> {
        module(asked(kind, SCRIPT.into())).await.map(|module| module.to_vec()).unwrap_or_default()
    }

    async fn chosen(file: &str) -> Result<Vec<u8>> {
        let part =
            |head: &str, body: &str| format!("--part\r\nContent-Disposition: form-data; {head}\r\n\r\n{body}\r\n");
        let file = part(&format!("name=\"file\"; filename=\"{file}\""), SCRIPT);
        let request =
            asked("multipart/form-data; boundary=part", part("name=\"name\"", "mine") + &file + "--part--\r\n");
        let fields = Multipart::from_request(request, &()).await.expect("a form");
        Ok(form(fields, &mut Typed::default()).await?.expect("a file").to_vec())
    }

    #[test]
    fn every_bot_of_the_guide_can_be_written_on() {
        let listed: Vec<&str> = guide::bots().collect();
        for path in ["bots/gallery/mason/bot.wat", "guide/bots/javascript/bot.js", "guide/bots/python/bot.py"] {
            assert!(listed.contains(&path), "{listed:?}");
        }
        for path in listed {
            let typed = Typed::of_listing(path).expect("a language");
            assert_eq!(typed.text.as_deref(), guide::text(path));
        }
        assert!(Typed::of_listing("sdk/wat/arena.wat").is_none() && Typed::of_listing("").is_none());
    }

    #[tokio::test]
    async fn a_script_is_bundled_on_arrival_if_its_name_or_its_type_says_what_it_is() {
        for (language, kinds, files) in [
            (
                Language::JavaScript,
                ["text/javascript", "Application/JavaScript; charset=utf-8"],
                ["bot.js", "my bot.MJS"],
            ),
            (Language::Python, ["text/x-python", "Application/X-Python-Code;charset=utf-8"], ["bot.py", "my bot.PYW"]),
        ] {
            let bundled = bundle(language, SCRIPT.as_bytes()).expect("a script");
            for kind in kinds {
                assert!(sent(kind).await == bundled, "{kind}");
            }
            for file in files {
                assert!(chosen(file).await.expect("a module") == bundled, "{file}");
            }
        }
        assert_eq!(sent("application/wasm").await, SCRIPT.as_bytes());
        assert_eq!(chosen("bot.wasm").await.expect("a module"), SCRIPT.as_bytes());
        assert_eq!(&*chosen("bot.ipynb").await.expect_err("no bot").code, "does_not_bundle");
    }
}
