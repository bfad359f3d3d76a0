//! Problems: the answers when something cannot be done, with a status, a stable code, a sentence and a hint.

use std::error::Error;
use std::iter::successors;
use std::num::NonZeroU32;

use arena_limits::{CLOSED_SECONDS, Kind, Refusal, Refused};
use arena_record::Objection;
use arena_service::with_causes;
use arena_store::Scope;
use axum::Json;
use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tower_http::timeout::TimeoutError;
use utoipa::ToSchema;

use crate::language::{Language, Text, language};
use crate::limit_kind::Whose;
use crate::said::words_of;

mod codes;
mod definitions;
mod spanish;

pub(crate) use codes::Code;
pub(crate) use spanish::InSpanish;

/// What a request leads to, or the problem with it.
pub(crate) type Result<T, E = Problem> = std::result::Result<T, E>;

/// Most bytes of a detail. It may name what was sent, which is as long as a body may be, and a page has it twice.
const DETAIL_BYTES_MAX: usize = 8 << 10;

/// Seconds after which to retry if the machine, not the request, is at fault.
const RETRY_SECONDS: u32 = 5;

/// The type of all problems.
#[derive(Clone, Copy, Debug, Serialize)]
enum ProblemType {
    #[serde(rename = "about:blank")]
    Blank,
}

/// A problem, in the format of RFC 9457. `code` is stable: programs may rely on it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`; `code` tells the kind.
    #[schema(value_type = String)]
    r#type: ProblemType,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The kind of problem.
    pub(crate) code: Box<str>,
    /// What is wrong, in a sentence.
    pub(crate) detail: Box<str>,
    /// What to do about it.
    pub(crate) hint: Box<str>,
    /// The offset of the problem in the submitted file, in bytes, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    /// `detail` and `hint` in the language that the request asks for, if that is not English: for pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>)]
    translated: Option<Box<Text>>,
    /// The same in Spanish.
    #[serde(skip)]
    spanish: Box<[Text; 2]>,
    /// Seconds after which the same request may succeed; the header Retry-After.
    #[serde(skip)]
    again_in: Option<NonZeroU32>,
    /// Whether a share is used up.
    #[serde(skip)]
    refused: bool,
    /// Whether a module was judged for it.
    #[serde(skip)]
    judged: bool,
    /// The request's id, as in the header `X-Request-Id`: the operator finds the request by it, so include it in a
    /// report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<Box<str>>,
}

/// A detail that is not too long to be shown.
fn shortened(detail: Text) -> Text {
    if detail.len() <= DETAIL_BYTES_MAX {
        return detail;
    }
    format!("{}…", &detail[..detail.floor_char_boundary(DETAIL_BYTES_MAX)]).into()
}

impl Problem {
    pub(crate) fn new(code: Code, detail: impl ToString, hint: impl ToString) -> Problem {
        Problem::in_both(code.status(), code.word(), [detail.to_string(), hint.to_string()], code.in_spanish())
    }

    /// A problem with its sentence and its hint in English and in Spanish.
    fn in_both(status: StatusCode, code: &str, [detail, hint]: [String; 2], [said, advice]: [Text; 2]) -> Problem {
        Problem {
            r#type: ProblemType::Blank,
            title: status.canonical_reason().unwrap_or("Problem"),
            status: status.as_u16(),
            code: code.into(),
            detail: shortened(detail.into()).into(),
            hint: hint.into(),
            translated: None,
            spanish: [shortened(said), advice].into(),
            offset: None,
            again_in: None,
            refused: false,
            judged: false,
            request: None,
        }
    }

    /// The same with another status than its code usually has.
    pub(crate) fn with_status(self, status: StatusCode) -> Problem {
        Problem { title: status.canonical_reason().unwrap_or("Problem"), status: status.as_u16(), ..self }
    }

    /// The sentence in a language other than English.
    pub(crate) fn translated(&self, language: Language) -> Option<&str> {
        (language == Language::Spanish).then_some(&*self.spanish[0])
    }

    /// The refusal of a version.
    pub(crate) fn of_objection(objection: &Objection) -> Problem {
        let Objection { code, message, hint, offset } = objection;
        let spanish = [message, hint].map(|said| words_of(Language::Spanish, said));
        let english = [message.to_string(), hint.to_string()];
        let refused = Problem::in_both(StatusCode::UNPROCESSABLE_ENTITY, code, english, spanish).at(*offset);
        Problem { judged: true, ..refused }
    }

    /// The same with a sentence in Spanish that says more than its code.
    pub(crate) fn saying(mut self, spanish: Text) -> Problem {
        self.spanish[0] = shortened(spanish);
        self
    }

    /// The same with a hint in Spanish that says more than its code.
    pub(crate) fn advising(mut self, spanish: Text) -> Problem {
        self.spanish[1] = spanish;
        self
    }

    /// Adds the byte of the submitted file that the problem is about.
    pub(crate) fn at(self, offset: Option<u64>) -> Problem {
        Problem { offset, ..self }
    }

    /// Adds the seconds after which the same request may succeed.
    pub(crate) fn again_in(self, seconds: u64) -> Problem {
        let seconds = u32::try_from(seconds).unwrap_or(u32::MAX).max(1);
        Problem { again_in: NonZeroU32::new(seconds), ..self }
    }

    /// Whether the problem is a used-up share.
    pub(crate) fn is_refused(&self) -> bool {
        self.refused
    }

    /// Whose request is refused for now, if no share is used up. Used-up shares are counted where they are taken.
    pub(crate) fn refuses(&self) -> Option<Whose> {
        let whose = if self.status == StatusCode::TOO_MANY_REQUESTS { Whose::Account } else { Whose::Everybody };
        (self.is_for_now() && !self.refused).then_some(whose)
    }

    /// Whether the answer says when to retry.
    pub(crate) fn is_for_now(&self) -> bool {
        let for_now = [StatusCode::TOO_MANY_REQUESTS, StatusCode::SERVICE_UNAVAILABLE];
        for_now.into_iter().any(|status| self.status == status)
    }

    /// Whether the site is at fault, or its machine: somebody has to look. What is refused for now is none, nor is what
    /// the operator has closed or is about to restart.
    pub(crate) fn is_fault(&self) -> bool {
        let refuses = ["busy", "closed", "draining", "full", "read_only", "stopping"];
        self.status >= StatusCode::INTERNAL_SERVER_ERROR.as_u16() && !self.refused && !refuses.contains(&&*self.code)
    }

    /// Whether it is a refusal for which nothing was done: no module was judged, no text assembled, no bot started.
    pub(crate) fn is_before_work(&self) -> bool {
        let is_after = ["does_not_start", Code::DoesNotAssemble.word()].contains(&&*self.code);
        !self.judged && !is_after && !self.is_fault()
    }

    /// Adds the id of its request.
    pub(crate) fn of(self, request: Option<Box<str>>) -> Problem {
        Problem { request, ..self }
    }

    /// Logs the cause, which is for the operator and not for the client, and returns the problem.
    pub(crate) fn caused_by(self, cause: &dyn Error) -> Problem {
        tracing::error!(code = &*self.code, cause = with_causes(cause), "a request failed");
        self
    }

    /// The problem as JSON, for programs.
    pub(crate) fn to_json(&self) -> Response {
        let translated = (language() != Language::English).then(|| {
            let advice: String = self.advice().iter().map(|piece| &*piece.text).collect();
            Box::new(format!("{} {advice}", self.sentence()).trim_end().to_owned().into())
        });
        let told = Problem { translated, ..self.clone() };
        ([(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))], Json(told)).into_response()
    }

    /// The problem in two lines, for people.
    pub(crate) fn to_text(&self) -> Response {
        let advice: String = self.advice().iter().map(|piece| &*piece.text).collect();
        format!("{}\n{advice}\n", self.sentence()).into_response()
    }

    /// An answer with the problem's status and headers, but the given JSON as its body.
    pub(crate) fn in_own_words(self, words: String) -> Response {
        let mut response = self.into_response();
        response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
        *response.body_mut() = words.into();
        response.extensions_mut().insert(InOwnWords);
        response
    }

    /// The detail in prose: with a capital and a full stop.
    pub(crate) fn sentence(&self) -> String {
        match language() {
            Language::English => sentence(&self.detail),
            Language::Spanish => sentence(&self.spanish[0]),
        }
    }

    /// A refusal that none of our handlers made.
    pub(crate) fn of_status(status: StatusCode) -> Problem {
        let (code, detail, hint) = match status {
            StatusCode::METHOD_NOT_ALLOWED => (
                Code::MethodNotAllowed,
                "this address does not take this method",
                "the header Allow lists those it takes",
            ),
            StatusCode::PAYLOAD_TOO_LARGE => {
                (Code::TooLarge, "the request is too long", "/api/v1/limits has all limits")
            }
            StatusCode::UNSUPPORTED_MEDIA_TYPE => (
                Code::UnsupportedMediaType,
                "this content type is not accepted here",
                "look at the form, or at /api/v1/openapi.json",
            ),
            StatusCode::NOT_FOUND => (Code::NoSuchPage, "there is nothing at this address", "the front page is /"),
            StatusCode::REQUEST_TIMEOUT => (Code::TooSlow, "the request took too long to arrive", "send it again"),
            status if status.is_server_error() => (
                Code::Unavailable,
                "the arena could not answer in time",
                "nothing that was acknowledged is lost; try again",
            ),
            _ => (Code::BadRequest, "this request cannot be answered", "look at the form, or at /api/v1/openapi.json"),
        };
        Problem::new(code, detail, hint).with_status(status)
    }

    /// The problem of a body that took too long to arrive, or is [`Unread`], if that is why it was not read.
    pub(crate) fn of_unread_body(error: &(dyn Error + 'static)) -> Option<Problem> {
        successors(Some(error), |&cause| cause.source()).find_map(|cause| match cause.downcast_ref::<Unread>() {
            Some(Unread(problem)) => Some(problem.clone()),
            None => cause.is::<TimeoutError>().then(|| Problem::of_status(StatusCode::REQUEST_TIMEOUT)),
        })
    }

    /// For a body that is not the JSON which was expected.
    pub(crate) fn of_json(rejection: JsonRejection) -> Problem {
        if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
            return Problem::of_status(StatusCode::PAYLOAD_TOO_LARGE);
        }
        let hint = "send what /api/v1/openapi.json describes, as application/json";
        let other = || Problem::new(Code::BadRequest, rejection.body_text(), hint).with_status(rejection.status());
        Problem::of_unread_body(&rejection).unwrap_or_else(other)
    }

    /// For a body that is not the form which was expected.
    pub(crate) fn of_form(rejection: FormRejection) -> Problem {
        Problem::of_unread_body(&rejection).unwrap_or_else(|| Problem::of_status(rejection.status()))
    }

    pub(crate) fn no_such_page() -> Problem {
        Problem::new(Code::NoSuchPage, "there is nothing at this address", "the front page is /")
    }

    /// Other owners' logs are not found.
    pub(crate) fn not_your_logs() -> Problem {
        let detail = "what a bot logs is for its owner only";
        Problem::new(Code::NotYourBot, detail, "sign in as the owner of the bot").with_status(StatusCode::NOT_FOUND)
    }

    /// For an act that only a bot's owner may do.
    pub(crate) fn not_your_bot() -> Problem {
        let detail = "this is for the owner of the bot only";
        Problem::new(Code::NotYourBot, detail, "sign in as the owner of the bot")
    }

    /// For an act that no token allows.
    pub(crate) fn needs_code() -> Problem {
        Problem::new(
            Code::NotByToken,
            "no token may do this: it needs the player code",
            "send the player code, or sign in at /account",
        )
    }

    /// For an act outside of a token's scope.
    pub(crate) fn needs_scope(needed: Scope, has: Scope) -> Problem {
        let detail = format!("this needs a token with the scope `{needed}`; this one has `{has}`");
        let hint = "make a token with that scope at /account, or send the player code";
        Problem::new(Code::NeedsScope, detail, hint)
    }

    /// For a well-formed token of a worker that does not exist.
    pub(crate) fn unknown_worker() -> Problem {
        let hint = "it may be revoked; the operator makes another with `arena admin worker add`";
        Problem::new(Code::UnknownToken, "no worker has this token", hint)
    }

    /// For an account's worker at a site that takes none.
    pub(crate) fn no_volunteers() -> Problem {
        Problem::new(Code::NoSuchVolunteers, "this site takes no volunteers", "its operator decides")
    }

    /// For a request from a network that the operator has banned.
    pub(crate) fn banned() -> Problem {
        let detail = "the operator of this arena has banned the network that this request comes from, for a time";
        Problem::new(Code::BannedNetwork, detail, "ask the operator why, and until when")
    }

    /// For a change while the operator has closed all changes.
    pub(crate) fn read_only() -> Problem {
        let detail = "this arena can only be looked at for the moment: its operator has closed all changes";
        let hint = "nothing that was acknowledged is lost; try again later";
        Problem::new(Code::ReadOnly, detail, hint).again_in(CLOSED_SECONDS)
    }

    /// For a worker's token where an account is needed.
    pub(crate) fn needs_account() -> Problem {
        let hint = "use a player code or an account's token here";
        Problem::new(Code::SignIn, "a worker's token only plays games", hint)
    }

    pub(crate) fn sign_in() -> Problem {
        Problem::new(
            Code::SignIn,
            "this needs an account",
            "claim a name or sign in at /account; programs send the player code or a token as a bearer token",
        )
    }
}

/// Marks an answer that states its problem in its own form, for browsers and programs alike.
#[derive(Clone, Copy)]
pub(crate) struct InOwnWords;

/// A body that is not read on, and why.
#[derive(Debug, thiserror::Error)]
#[error("{}", .0.detail)]
pub(crate) struct Unread(pub(crate) Problem);

/// A piece of a sentence on a page.
pub(crate) struct Piece {
    pub(crate) text: String,
    /// Whether it is code, from between backticks.
    pub(crate) code: bool,
    /// Whether it is an address of this site.
    pub(crate) link: bool,
}

impl Problem {
    /// The detail, for a page.
    pub(crate) fn said(&self) -> Vec<Piece> {
        pieces(&self.sentence())
    }

    /// The hint, for a page.
    pub(crate) fn advice(&self) -> Vec<Piece> {
        let hint = match language() {
            Language::English => &*self.hint,
            Language::Spanish => &*self.spanish[1],
        };
        if hint.is_empty() { Vec::new() } else { pieces(&sentence(hint)) }
    }
}

/// Splits a sentence into pieces: text between backticks is code, and addresses are links.
fn pieces(sentence: &str) -> Vec<Piece> {
    let mut pieces = Vec::new();
    for (place, text) in sentence.split('`').enumerate() {
        if place % 2 == 1 {
            pieces.push(Piece { text: text.into(), code: true, link: false });
            continue;
        }
        for word in text.split_inclusive(' ') {
            // An address ends before the sentence's punctuation.
            let address = word.trim_end_matches(|letter: char| !letter.is_alphanumeric() && letter != '/');
            let link = address.starts_with('/');
            if link {
                pieces.push(Piece { text: address.into(), code: false, link });
            }
            let rest = if link { &word[address.len()..] } else { word };
            pieces.push(Piece { text: rest.into(), code: false, link: false });
        }
    }
    pieces
}

/// Text as a sentence: with a capital and a full stop.
pub(crate) fn sentence(text: &str) -> String {
    sentence_about(text, &[])
}

/// The same, but one of these names at its start stays as it is.
pub(crate) fn sentence_about(text: &str, names: &[&str]) -> String {
    let has_name = names.iter().any(|name| text.strip_prefix(name).is_some_and(|rest| rest.starts_with([' ', ','])));
    let mut letters = text.chars();
    let capital = |first: char| if has_name { first.to_string() } else { first.to_uppercase().to_string() };
    let first = letters.next().map(capital).unwrap_or_default();
    let end = if text.ends_with(['.', '!', '?', ':']) { "" } else { "." };
    format!("{first}{}{end}", letters.as_str())
}

/// An answer without a body: [`pages::problems`](crate::pages::problems) adds one, as JSON or as a page.
impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        let mut response = status.into_response();
        let headers = response.headers_mut();
        let again_in =
            self.again_in.map(NonZeroU32::get).or((status == StatusCode::SERVICE_UNAVAILABLE).then_some(RETRY_SECONDS));
        if let Some(seconds) = again_in {
            headers.insert(RETRY_AFTER, seconds.into());
        }
        if status == StatusCode::UNAUTHORIZED {
            headers.insert(WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

/// The one way from an error to an answer; the causes of failures are logged.
impl<E: Refused + InSpanish> From<E> for Problem {
    fn from(error: E) -> Problem {
        let Refusal { kind, code, hint, again_in, counted, detail } = error.refusal();
        let status = match kind {
            Kind::Invalid => StatusCode::UNPROCESSABLE_ENTITY,
            Kind::Unauthorized => StatusCode::UNAUTHORIZED,
            Kind::Forbidden => StatusCode::FORBIDDEN,
            Kind::NotFound => StatusCode::NOT_FOUND,
            Kind::Conflict => StatusCode::CONFLICT,
            Kind::TooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
            Kind::Busy | Kind::Failed => StatusCode::SERVICE_UNAVAILABLE,
            Kind::Damaged => StatusCode::INTERNAL_SERVER_ERROR,
        };
        let detail = detail.map_or_else(|| error.to_string(), String::from);
        let english = [detail, hint.into_owned()];
        let mut problem = Problem { refused: counted, ..Problem::in_both(status, code, english, error.in_spanish()) };
        if let Some(seconds) = again_in {
            problem = problem.again_in(seconds);
        }
        if matches!(kind, Kind::Failed | Kind::Damaged) { problem.caused_by(&error) } else { problem }
    }
}

#[cfg(test)]
mod answers;
#[cfg(test)]
mod tests {
    use arena_rooms::Rejected;
    use arena_service::contests::ContestRefused;
    use arena_store::{AccountError, NameError, StoreError, SubmitError};

    use super::*;
    use crate::language::{Language, speaking};

    #[test]
    fn a_sentence_leaves_the_letters_of_a_name_as_they_are() {
        let names = ["alpinist", "hard"];
        let said = |text: &str| sentence_about(text, &names);
        assert_eq!(said("alpinist is stronger than hard"), "alpinist is stronger than hard.");
        assert_eq!(said("alpinists are strong"), "Alpinists are strong.");
        assert_eq!(said("score: points"), "Score: points.");
    }

    #[test]
    fn a_detail_is_cut_that_names_all_that_was_sent() {
        let detail = |name: &str| Problem::from(ContestRefused::NotYourBot(name.into())).detail;
        assert!(detail("mason").ends_with("bot"), "a short one is whole");
        let cut = detail(&"ñ".repeat(60_000));
        assert!(cut.ends_with("ñ…") && cut.len() <= DETAIL_BYTES_MAX + "…".len(), "{}", cut.len());
        let long = || ContestRefused::NotYourBot("ñ".repeat(60_000)).in_spanish()[0].clone();
        for problem in [ContestRefused::NotYourBot("ñ".repeat(60_000)).into(), Problem::no_such_page().saying(long())]
        {
            let cut = speaking(Language::Spanish, || problem.sentence());
            assert!(cut.len() <= DETAIL_BYTES_MAX + "….".len() && cut.ends_with("…."), "{}", cut.len());
        }
    }

    #[test]
    fn a_refusal_says_in_spanish_too_what_it_is_about() {
        let said = |problem: Problem| speaking(Language::Spanish, || problem.sentence());
        assert_eq!(said(NameError::Character('<').into()), "Un nombre no puede contener `<`.");
        assert_eq!(said(ContestRefused::NotYourBot("mason".into()).into()), "\"mason\" no es tu bot.");
        assert_eq!(said(SubmitError::TooManyBots(10).into()), "Una cuenta tiene como máximo 10 bots.");
    }

    #[test]
    fn a_refusal_is_no_fault_and_a_fault_is_no_refusal() {
        let busy = Problem::new(Code::Busy, "x", "y");
        for refusal in [
            busy.clone(),
            Problem { refused: true, ..busy.clone() },
            SubmitError::Closed.into(),
            SubmitError::QueueFull.into(),
        ] {
            assert!(!refusal.is_fault(), "{}", refusal.code);
        }
        for fault in [
            StoreError::NoSpace.into(),
            StoreError::Unavailable("x".into()).into(),
            Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR),
        ] {
            assert!(fault.is_fault(), "{}", fault.code);
        }
        assert!(!Problem::no_such_page().is_fault());
    }

    #[test]
    fn a_hint_has_code_and_links_and_loses_no_letter() {
        let problem =
            Problem::new(Code::BadRequest, "x", "try `a-b`; /account, or /api/v1/limits: /lobby?room=a) /play! /")
                .with_status(StatusCode::NOT_FOUND);
        let advice = problem.advice();
        let those = |is: fn(&Piece) -> bool| advice.iter().filter(|part| is(part)).map(|part| &*part.text).collect();
        let (code, links): (Vec<&str>, Vec<&str>) = (those(|part| part.code), those(|part| part.link));
        assert_eq!((code, links), (vec!["a-b"], vec!["/account", "/api/v1/limits", "/lobby?room=a", "/play", "/"]));
        let text: String = advice.iter().map(|part| &*part.text).collect();
        assert_eq!(text, "Try a-b; /account, or /api/v1/limits: /lobby?room=a) /play! /.");
    }

    #[test]
    fn a_refusal_says_when_it_may_be_over_and_not_sooner() {
        let again_in = |problem: Problem| {
            let response = problem.into_response();
            response.headers()[RETRY_AFTER].to_str().expect("digits").parse::<u64>().expect("seconds")
        };
        assert_eq!(again_in(AccountError::TooManyAccounts.into()), 3_600, "places come back when accounts are deleted");
        assert_eq!(again_in(StoreError::NoSpace.into()), 600, "an operator has to make space");
        assert_eq!(again_in(Rejected::ChatTooFast.into()), 5, "what was said counts for so long");
    }
}
