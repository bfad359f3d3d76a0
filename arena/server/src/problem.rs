//! Problems: the answers when something cannot be done, with a status, a stable code, a sentence and a hint.

use std::error::Error;
use std::iter::successors;
use std::num::NonZeroU32;

use arena_people::Unrated;
use arena_rooms::Rejected;
use arena_service::contests::{ContestRefused, Illegal};
use arena_service::limits::{CHAT_WITHIN, ROOM_SILENCE_SECONDS_MIN};
use arena_service::{LogError, OpenRoomError, PlayError, RoomUnavailable, with_causes};
use arena_store::{
    AccountError, ActError, BotError, ContestError, NameError, NotANotice, NotAReason, NotASecret, Scope, StoreError,
    SubmitError, TokenError,
};
use arena_wire::Game;
use axum::Json;
use axum::http::header::{CONTENT_TYPE, RETRY_AFTER, WWW_AUTHENTICATE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tower_http::timeout::TimeoutError;
use utoipa::ToSchema;

use crate::language::found;
use crate::limit_kind::Whose;

/// Seconds after which to retry if the machine, not the request, is at fault.
const RETRY_SECONDS: u32 = 5;

/// Seconds after which to retry if the disk is full: an operator has to act.
const NO_SPACE_SECONDS: u64 = 600;

/// Seconds after which to retry if all places for accounts are taken: one is free when an account is deleted, or the
/// operator acts.
const FULL_SECONDS: u64 = 3_600;

/// Seconds after which something that the operator closed may be open again.
const CLOSED_SECONDS: u64 = 600;

/// Seconds after which one of many tournaments is over.
const TOURNAMENT_SECONDS: u64 = 600;

/// Seconds after which one of a few submissions is judged.
const WAITING_SECONDS: u64 = 30;

/// Seconds after which a full queue has places again.
const QUEUE_SECONDS: u64 = 300;

/// A problem, in the format of RFC 9457. `code` is stable: programs may rely on it.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub(crate) struct Problem {
    /// Always `about:blank`; `code` tells the kind.
    r#type: &'static str,
    /// The status in words.
    title: &'static str,
    /// The HTTP status.
    pub(crate) status: u16,
    /// The kind of problem.
    pub(crate) code: Box<str>,
    /// What is wrong, in a sentence.
    pub(crate) detail: Box<str>,
    /// What to do about it; empty if there is nothing to do.
    pub(crate) hint: Box<str>,
    /// The offset of the problem in the submitted file, in bytes, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<u64>,
    /// Seconds after which the same request may succeed; the header Retry-After.
    #[serde(skip)]
    again_in: Option<NonZeroU32>,
    /// Whether a share is used up.
    #[serde(skip)]
    refused: bool,
    /// The request's id, as in the header `X-Request-Id`: the operator finds the request by it, so include it in a
    /// report.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) request: Option<Box<str>>,
}

impl Problem {
    pub(crate) fn new(status: StatusCode, code: &str, detail: impl ToString, hint: impl ToString) -> Problem {
        Problem {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or("Problem"),
            status: status.as_u16(),
            code: code.into(),
            detail: detail.to_string().into(),
            hint: hint.to_string().into(),
            offset: None,
            again_in: None,
            refused: false,
            request: None,
        }
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

    /// Marks the problem as a used-up share.
    pub(crate) fn refused(self) -> Problem {
        Problem { refused: true, ..self }
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
        ([(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"))], Json(self)).into_response()
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
        sentence(&self.told("problem", &self.detail))
    }

    /// A text in the page's language. The sentence itself may be translated; otherwise its code is.
    fn told(&self, what: &str, english: &str) -> String {
        found(english).or_else(|| found(&format!("{what}:{}", self.code))).unwrap_or_else(|| english.to_owned())
    }

    /// A refusal that none of our handlers made.
    pub(crate) fn of_status(status: StatusCode) -> Problem {
        let (code, detail, hint) = match status {
            StatusCode::METHOD_NOT_ALLOWED => (
                "method_not_allowed",
                "this address does not take this method",
                "the header Allow lists those it takes",
            ),
            StatusCode::PAYLOAD_TOO_LARGE => ("too_large", "the request is too long", "/api/v1/limits has all limits"),
            StatusCode::UNSUPPORTED_MEDIA_TYPE => (
                "unsupported_media_type",
                "this content type is not accepted here",
                "look at the form, or at /api/v1/openapi.json",
            ),
            StatusCode::NOT_FOUND => ("no_such_page", "there is nothing at this address", "the front page is /"),
            StatusCode::REQUEST_TIMEOUT => ("too_slow", "the request took too long to arrive", "send it again"),
            status if status.is_server_error() => (
                "unavailable",
                "the arena could not answer in time",
                "nothing that was acknowledged is lost; try again",
            ),
            _ => ("bad_request", "this request cannot be answered", "look at the form, or at /api/v1/openapi.json"),
        };
        Problem::new(status, code, detail, hint)
    }

    /// The problem of a body that took too long to arrive, if that is why it was not read.
    pub(crate) fn of_late_body(error: &(dyn Error + 'static)) -> Option<Problem> {
        let mut causes = successors(Some(error), |&cause| cause.source());
        causes.any(|cause| cause.is::<TimeoutError>()).then(|| Problem::of_status(StatusCode::REQUEST_TIMEOUT))
    }

    pub(crate) fn no_such_page() -> Problem {
        Problem::not_found("page", "there is nothing at this address", "the front page is /")
    }

    pub(crate) fn not_found(what: &str, detail: impl ToString, hint: impl ToString) -> Problem {
        Problem::new(StatusCode::NOT_FOUND, &format!("no_such_{what}"), detail, hint)
    }

    pub(crate) fn no_such_opponent() -> Problem {
        Problem::not_found(
            "opponent",
            "there is no such opponent",
            "choose a built-in opponent of the game, or a bot that plays it",
        )
    }

    pub(crate) fn no_such_bot() -> Problem {
        Problem::not_found("bot", "there is no such bot", "/standings lists every bot that plays")
    }

    /// Other owners' logs are not found.
    pub(crate) fn not_your_logs() -> Problem {
        let detail = "what a bot logs is for its owner only";
        Problem::new(StatusCode::NOT_FOUND, "not_your_bot", detail, "sign in as the owner of the bot")
    }

    /// For a game in which none of the visitor's bots played.
    pub(crate) fn not_your_game() -> Problem {
        let detail = "no bot of yours played in this game, or not in that seat";
        Problem::new(StatusCode::NOT_FOUND, "not_your_bot", detail, "sign in as the owner of the bot")
    }

    /// For an act that only a bot's owner may do.
    pub(crate) fn not_your_bot() -> Problem {
        let detail = "this is for the owner of the bot only";
        Problem::new(StatusCode::FORBIDDEN, "not_your_bot", detail, "sign in as the owner of the bot")
    }

    /// For an act that no token allows.
    pub(crate) fn needs_code() -> Problem {
        Problem::new(
            StatusCode::FORBIDDEN,
            "needs_code",
            "no token may do this: it needs the player code",
            "send the player code, or sign in at /account",
        )
    }

    /// For an act outside of a token's scope.
    pub(crate) fn needs_scope(needed: Scope, has: Scope) -> Problem {
        let detail = format!("this needs a token with the scope `{}`; this one has `{}`", needed.word(), has.word());
        let hint = "make a token with that scope at /account, or send the player code";
        Problem::new(StatusCode::FORBIDDEN, "needs_scope", detail, hint)
    }

    /// For an account that the operator has disabled.
    pub(crate) fn disabled() -> Problem {
        Problem::new(
            StatusCode::FORBIDDEN,
            "disabled",
            "the operator of this arena has disabled this account",
            "ask the operator why",
        )
    }

    /// For a request from a network that the operator has banned.
    pub(crate) fn banned() -> Problem {
        let detail = "the operator of this arena has banned the network that this request comes from, for a time";
        Problem::new(StatusCode::FORBIDDEN, "banned_network", detail, "ask the operator why, and until when")
    }

    /// For a change while the operator has closed all changes.
    pub(crate) fn read_only() -> Problem {
        let detail = "this arena can only be looked at for the moment: its operator has closed all changes";
        let hint = "nothing that was acknowledged is lost; try again later";
        Problem::new(StatusCode::SERVICE_UNAVAILABLE, "read_only", detail, hint).again_in(CLOSED_SECONDS)
    }

    pub(crate) fn sign_in() -> Problem {
        Problem::new(
            StatusCode::UNAUTHORIZED,
            "sign_in",
            "this needs an account",
            "claim a name or sign in at /account; programs send the player code or a token as a bearer token",
        )
    }
}

/// Marks an answer that states its problem in its own form, for browsers and programs alike.
#[derive(Clone, Copy)]
pub(crate) struct InOwnWords;

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

    /// The hint, for a page; empty if there is none.
    pub(crate) fn advice(&self) -> Vec<Piece> {
        if self.hint.is_empty() { Vec::new() } else { pieces(&sentence(&self.told("hint", &self.hint))) }
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

/// For a failure after which the same request may succeed later.
fn unavailable(error: impl ToString) -> Problem {
    let hint = "nothing was lost; the same request may succeed in a moment";
    Problem::new(StatusCode::SERVICE_UNAVAILABLE, "unavailable", error, hint)
}

impl From<StoreError> for Problem {
    fn from(error: StoreError) -> Problem {
        if matches!(error, StoreError::NoSpace) {
            let hint = "games in progress continue; the operator has to make space";
            return Problem::new(StatusCode::SERVICE_UNAVAILABLE, "no_space", error, hint).again_in(NO_SPACE_SECONDS);
        }
        let problem = match error {
            StoreError::Unavailable(_) | StoreError::NoSpace => unavailable(&error),
            StoreError::Damaged(_) => Problem::new(
                StatusCode::INTERNAL_SERVER_ERROR,
                "damaged",
                "what is stored cannot be read",
                "the operator of this arena has to look at its data",
            ),
        };
        problem.caused_by(&error)
    }
}

impl From<RoomUnavailable> for Problem {
    fn from(error: RoomUnavailable) -> Problem {
        unavailable(&error).caused_by(&error)
    }
}

/// The choices that people have for rooms of a game.
fn rooms_of(game: &Game) -> String {
    let (fewest, most) = game.room_seats;
    let mut has = vec![if fewest == most { format!("{fewest} seats") } else { format!("{fewest} to {most} seats") }];
    if !game.room_turns.is_empty() {
        let turns: Vec<String> = game.room_turns.iter().map(u16::to_string).collect();
        has.push(format!("{} turns", turns.join(", ")));
    }
    if !game.room_kinds.is_empty() {
        let kinds: Vec<&str> = game.room_kinds.iter().map(|kind| kind.name).collect();
        has.push(format!("the kinds `{}`", kinds.join("`, `")));
    }
    if game.has_numbers() {
        has.push("numbered starts".into());
    }
    format!("its rooms have {}", has.join("; "))
}

impl From<OpenRoomError> for Problem {
    fn from(error: OpenRoomError) -> Problem {
        match error {
            OpenRoomError::NoSuchOpponent => Problem::no_such_opponent(),
            OpenRoomError::Closed => {
                let hint = "games in progress continue";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "closed", error, hint).again_in(CLOSED_SECONDS)
            }
            OpenRoomError::Full => {
                let hint = "try again when other games are over";
                let problem = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "full", error, hint);
                problem.again_in(ROOM_SILENCE_SECONDS_MIN as u64)
            }
            OpenRoomError::TooMany { again_in, .. } => {
                let hint = "your open games are still at their addresses";
                Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_rooms", error, hint).again_in(again_in)
            }
            OpenRoomError::NoRooms(_) => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no_rooms", error, "choose another; /play has them all")
            }
            OpenRoomError::NoSuchGame(game) => {
                Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "no_such_rooms", error, rooms_of(game))
            }
            OpenRoomError::DoesNotStart(_) => Problem::new(
                StatusCode::CONFLICT,
                "does_not_start",
                error,
                "choose another bot; the seat is still open",
            ),
            OpenRoomError::NoSuchCode => Problem::not_found(
                "room_code",
                error,
                "ask for its link, which also shows a game that is over, or look at /lobby",
            ),
            OpenRoomError::Clock => Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "bad_clock",
                error,
                "`none`, `turn-60` or `game-600-5`, in seconds",
            ),
            OpenRoomError::RatedIsPublic => Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "rated_is_public",
                error,
                "open a public room, or an unrated one",
            ),
            OpenRoomError::RatedIsUsual => Problem::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                "rated_is_usual",
                error,
                "leave out the kind and the number, or open an unrated room",
            ),
            OpenRoomError::Play(error) => error.into(),
            OpenRoomError::Store(error) => error.into(),
            OpenRoomError::NoSuchSeat | OpenRoomError::Machine(_) => Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "unavailable",
                &error,
                "no room was opened; the same request may succeed in a moment",
            )
            .caused_by(&error),
        }
    }
}

impl From<NameError> for Problem {
    fn from(error: NameError) -> Problem {
        let hint = "choose another: letters and digits, with `-` or `_` between them; in a bot's name also dots, in a player's spaces";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_name", error, hint)
    }
}

impl From<NotASecret> for Problem {
    fn from(error: NotASecret) -> Problem {
        Problem::new(StatusCode::UNAUTHORIZED, "bad_code", error, "copy the whole of it as it was shown to you")
    }
}

impl From<AccountError> for Problem {
    fn from(error: AccountError) -> Problem {
        let (status, code, hint) = match &error {
            AccountError::Store(_) => (StatusCode::SERVICE_UNAVAILABLE, "", ""),
            AccountError::NameTaken => (StatusCode::CONFLICT, "name_taken", "choose another name"),
            AccountError::Closed => (StatusCode::SERVICE_UNAVAILABLE, "closed", "play as a guest; try again later"),
            AccountError::TooManyAccounts => {
                (StatusCode::SERVICE_UNAVAILABLE, "full", "ask the operator of this arena")
            }
            AccountError::NoSuchAccount => (StatusCode::UNAUTHORIZED, "sign_in", "sign in again at /account"),
        };
        match error {
            AccountError::Store(error) => error.into(),
            AccountError::TooManyAccounts => Problem::new(status, code, error, hint).again_in(FULL_SECONDS),
            AccountError::Closed => Problem::new(status, code, error, hint).again_in(CLOSED_SECONDS),
            error => Problem::new(status, code, error, hint),
        }
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Problem {
        match error {
            TokenError::Store(error) => error.into(),
            TokenError::NoSuchAccount => AccountError::NoSuchAccount.into(),
            TokenError::TooMany(_) => Problem::new(
                StatusCode::CONFLICT,
                "too_many_tokens",
                error,
                "revoke one that you do not need at /account",
            ),
        }
    }
}

impl From<BotError> for Problem {
    fn from(error: BotError) -> Problem {
        match error {
            BotError::Store(error) => error.into(),
            BotError::NoSuchBot => Problem::no_such_bot(),
            BotError::NotAccepted => Problem::not_found("version", error, "its page has all of them"),
            BotError::NameTaken => {
                Problem::new(StatusCode::CONFLICT, "name_taken", error, "choose another name for your bot")
            }
        }
    }
}

impl From<ContestError> for Problem {
    fn from(error: ContestError) -> Problem {
        let quota = |error: ContestError, hint, again_in| {
            Problem::new(StatusCode::TOO_MANY_REQUESTS, "too_many_tournaments", error, hint).again_in(again_in)
        };
        match error {
            ContestError::Store(error) => error.into(),
            ContestError::NoSuchAccount => AccountError::NoSuchAccount.into(),
            ContestError::Disabled => Problem::disabled(),
            ContestError::Closed => {
                let hint = "`arena tournament run` plays one at home";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "closed", error, hint).again_in(CLOSED_SECONDS)
            }
            ContestError::NoSuchContest => Problem::not_found("tournament", error, "/tournaments has all of them"),
            ContestError::TooManyOfAccount(_) => {
                quota(error, "cancel one that you do not need, or wait for its end", TOURNAMENT_SECONDS)
            }
            ContestError::TooMuchToday { again_in, .. } => {
                quota(error, "lower `pairs` or the number of places, or play it at home", again_in)
            }
            ContestError::TooMany(_) | ContestError::TooMuch { .. } => {
                let hint = "wait until others are over, or play it at home with `arena tournament run`";
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", error, hint).again_in(TOURNAMENT_SECONDS)
            }
            ContestError::Taken => {
                Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", error, "too many changes at once: try again")
                    .again_in(1)
            }
            ContestError::Over | ContestError::EventTooLarge(_) => {
                Problem::new(StatusCode::CONFLICT, "over", error, "")
            }
        }
    }
}

impl From<ContestRefused> for Problem {
    fn from(error: ContestRefused) -> Problem {
        let wrong = StatusCode::UNPROCESSABLE_ENTITY;
        let (status, code, hint) = match &error {
            ContestRefused::Terms(_) => (wrong, "bad_tournament", "docs/tournaments.md has every key of a definition"),
            ContestRefused::Illegal(illegal) => match illegal {
                Illegal::Closed
                | Illegal::TooOften
                | Illegal::TooManyEntries
                | Illegal::OtherField
                | Illegal::OtherStage
                | Illegal::NotOpened => (StatusCode::CONFLICT, "closed", "the tournament's page shows its stage"),
                Illegal::Over => (StatusCode::CONFLICT, "over", ""),
                Illegal::NotInvited => (StatusCode::FORBIDDEN, "not_invited", "ask the organiser"),
                Illegal::Twice | Illegal::SameBytes => (StatusCode::CONFLICT, "twice", ""),
                Illegal::TooManyOfAccount => (StatusCode::CONFLICT, "too_many_bots", "take one of yours out first"),
                Illegal::NotIn => (StatusCode::CONFLICT, "not_in", ""),
            },
            ContestRefused::Quota(_) | ContestRefused::Act(_) | ContestRefused::Store(_) => (wrong, "", ""),
            ContestRefused::NoSuchBot(_) => (
                StatusCode::NOT_FOUND,
                "no_such_bot",
                "a bot plays once one of its versions is accepted, until it is withdrawn",
            ),
            ContestRefused::Reserved(_) => (StatusCode::CONFLICT, "reserved", ""),
            ContestRefused::NotYourBot(_) => (
                StatusCode::FORBIDDEN,
                "not_your_bot",
                "others enter their bots themselves: open entry, or invite them",
            ),
            ContestRefused::OtherGame { .. } => (StatusCode::CONFLICT, "other_game", ""),
            ContestRefused::Twice(_) => (StatusCode::CONFLICT, "twice", "each entrant needs its own name"),
            ContestRefused::Date => (wrong, "bad_date", "dates are in UTC"),
            ContestRefused::Places { .. } | ContestRefused::TooFew(_) | ContestRefused::NoLateEntry => {
                (wrong, "bad_tournament", "")
            }
            ContestRefused::NotYours => (StatusCode::FORBIDDEN, "not_yours", ""),
        };
        match error {
            ContestRefused::Quota(error) => error.into(),
            ContestRefused::Act(error) => error.into(),
            ContestRefused::Store(error) => error.into(),
            error => Problem::new(status, code, error, hint),
        }
    }
}

impl From<SubmitError> for Problem {
    fn from(error: SubmitError) -> Problem {
        let (status, code, hint) = match &error {
            SubmitError::Store(_) => (StatusCode::SERVICE_UNAVAILABLE, "", ""),
            SubmitError::NoSuchAccount => (StatusCode::UNAUTHORIZED, "sign_in", "sign in again at /account"),
            SubmitError::Closed => {
                (StatusCode::SERVICE_UNAVAILABLE, "closed", "`arena check` judges at home as often as you like")
            }
            SubmitError::Disabled => (StatusCode::FORBIDDEN, "disabled", "ask the operator why"),
            SubmitError::NameTaken => (StatusCode::CONFLICT, "name_taken", "choose another name for your bot"),
            SubmitError::OtherGame(_) => {
                (StatusCode::CONFLICT, "other_game", "choose another name for a bot that plays another game")
            }
            SubmitError::TooLarge => (
                StatusCode::PAYLOAD_TOO_LARGE,
                "too_large",
                "build in release mode, optimise for size and strip names and debug information",
            ),
            SubmitError::TooManyBots(_) => {
                (StatusCode::CONFLICT, "too_many_bots", "submit it as a new version of one of your bots")
            }
            SubmitError::TooManyToday { .. } => (
                StatusCode::TOO_MANY_REQUESTS,
                "too_many_versions",
                "`arena check` judges as often as you like; come back tomorrow",
            ),
            SubmitError::TooManyWaiting(_) => {
                (StatusCode::TOO_MANY_REQUESTS, "too_many_waiting", "your bots' pages show their verdicts")
            }
            SubmitError::QueueFull => {
                (StatusCode::SERVICE_UNAVAILABLE, "busy", "`arena check` judges at home as often as you like")
            }
            SubmitError::TooManyVersions(_) => {
                (StatusCode::CONFLICT, "too_many_versions", "choose another name for your bot")
            }
        };
        let again_in = match error {
            SubmitError::TooManyToday { again_in, .. } => Some(again_in),
            SubmitError::TooManyWaiting(_) => Some(WAITING_SECONDS),
            SubmitError::QueueFull => Some(QUEUE_SECONDS),
            SubmitError::Closed => Some(CLOSED_SECONDS),
            _ => None,
        };
        match error {
            SubmitError::Store(error) => error.into(),
            error => {
                let problem = Problem::new(status, code, error, hint);
                match again_in {
                    Some(seconds) => problem.again_in(seconds),
                    None => problem,
                }
            }
        }
    }
}

impl From<Rejected> for Problem {
    fn from(rejected: Rejected) -> Problem {
        let (status, hint) = match &rejected {
            Rejected::NotYourSeat => (StatusCode::FORBIDDEN, "anyone with the link may watch; only the players play"),
            Rejected::NotYourTurn => (StatusCode::CONFLICT, "wait for the other player"),
            Rejected::StalePly { .. } => {
                (StatusCode::CONFLICT, "read the room's state and answer the turn being played")
            }
            Rejected::StaleSequence => (StatusCode::CONFLICT, "give each command its own number"),
            Rejected::NotStarted => (StatusCode::CONFLICT, "send the room's link or code to your opponent"),
            Rejected::NotAbandoned => (StatusCode::CONFLICT, "wait for the others, or resign"),
            Rejected::Started => (StatusCode::CONFLICT, "its page has the buttons for that"),
            Rejected::HostStays => (StatusCode::CONFLICT, "its page has the button for that"),
            Rejected::NotHost => (StatusCode::FORBIDDEN, "open your own room at /lobby"),
            Rejected::RoomTaken => (StatusCode::CONFLICT, "watch the game, or find another at /lobby"),
            Rejected::SeatTaken => (StatusCode::CONFLICT, "take another seat"),
            Rejected::AlreadySeated => (StatusCode::CONFLICT, "wait for the others in its page"),
            Rejected::NotInvited => (StatusCode::FORBIDDEN, "find another room at /lobby, or open one"),
            Rejected::NoSuchMessage => (StatusCode::NOT_FOUND, "only the latest are kept"),
            Rejected::ProgramInRated => (StatusCode::FORBIDDEN, "open an unrated room for it"),
            Rejected::BotsAgreeToNothing => (StatusCode::CONFLICT, "play on, or resign"),
            Rejected::OtherGame => (StatusCode::CONFLICT, "look at the address that it was sent to"),
            Rejected::NothingSaid | Rejected::ChatTooLong => (StatusCode::UNPROCESSABLE_ENTITY, "say it in a sentence"),
            Rejected::ChatTooFast => (StatusCode::TOO_MANY_REQUESTS, "wait some seconds"),
            Rejected::NoChat => (StatusCode::CONFLICT, "the host turned it off"),
            Rejected::NotOver => (StatusCode::CONFLICT, "ask again when it is over"),
            Rejected::GameOver => (StatusCode::CONFLICT, "open another room to play again"),
            Rejected::RoomFull => (StatusCode::CONFLICT, "open another room"),
            Rejected::BadAction(_) => {
                (StatusCode::UNPROCESSABLE_ENTITY, "sdk/ABI.md says what the bytes of an action are")
            }
            Rejected::IllegalMove(_) => (StatusCode::UNPROCESSABLE_ENTITY, "nothing has changed; choose another move"),
        };
        let problem = Problem::new(status, rejected.code(), &rejected, hint);
        match rejected {
            // After this time the first of them is old enough, whenever they were sent.
            Rejected::ChatTooFast => problem.again_in(CHAT_WITHIN.as_secs()),
            _ => problem,
        }
    }
}

impl From<Unrated> for Problem {
    fn from(unrated: Unrated) -> Problem {
        let hint = match unrated {
            Unrated::Guest => "claim a name at /account, or play an unrated game",
            Unrated::Practice { .. } => "play the built-in opponents at /play, or an unrated game",
            Unrated::Seats | Unrated::Bot | Unrated::SameAccount | Unrated::OneBrowser => "play an unrated game",
        };
        Problem::new(StatusCode::FORBIDDEN, unrated.code(), unrated, hint)
    }
}

impl From<LogError> for Problem {
    fn from(error: LogError) -> Problem {
        match error {
            LogError::OtherRelease | LogError::OtherGame => {
                Problem::new(StatusCode::CONFLICT, "no_log", error, "games of the latest edition have logs")
            }
            LogError::Store(error) => error.into(),
            LogError::Machine(_) => Problem::new(
                StatusCode::SERVICE_UNAVAILABLE,
                "unavailable",
                &error,
                "the same request may succeed in a moment",
            )
            .caused_by(&error),
        }
    }
}

impl From<ActError> for Problem {
    fn from(error: ActError) -> Problem {
        match error {
            ActError::Store(error) => error.into(),
            ActError::Contest(error) => error.into(),
            ActError::World(error) => StoreError::Unavailable(error.into()).into(),
            ActError::NoSuchBot => Problem::not_found("bot", error, "give its name as pages show it"),
            ActError::NoSuchAccount => Problem::not_found("account", error, "give its name as pages show it"),
            ActError::NoSuchGame => {
                Problem::not_found("game", error, "its id is in the address of its replay, or of its room")
            }
            ActError::NameTaken => AccountError::NameTaken.into(),
            ActError::NoSuchSlot => Problem::not_found("slot", error, "the page of the world numbers its slots"),
            ActError::NoSuchPlace => Problem::not_found("place", error, "the operator's page has all worlds"),
            ActError::TooManyBots => {
                Problem::new(StatusCode::CONFLICT, "too_many_seated", error, "take one away first")
            }
            ActError::UnfitBot => Problem::new(
                StatusCode::CONFLICT,
                "unfit",
                error,
                "a start may take as much fuel as a turn: 10,000,000 in Life2",
            ),
            ActError::NoSuchBan => Problem::not_found("ban", error, "the operator's page has all of them"),
            ActError::TooManyBans => {
                Problem::new(StatusCode::CONFLICT, "too_many_bans", error, "lift one, or let the proxy refuse them")
            }
            ActError::NoSuchTournament => {
                Problem::not_found("tournament", error, "give its id, such as `cup-7` or `standing-12`")
            }
            ActError::TooManyWorlds(_) => {
                Problem::new(StatusCode::CONFLICT, "too_many_worlds", error, "a running world is never ended")
            }
        }
    }
}

impl From<NotANotice> for Problem {
    fn from(error: NotANotice) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_notice", error, "every page shows it")
    }
}

impl From<NotAReason> for Problem {
    fn from(error: NotAReason) -> Problem {
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, "bad_reason", error, "the operator's log shows it")
    }
}

impl From<PlayError> for Problem {
    fn from(error: PlayError) -> Problem {
        match error {
            PlayError::Rejected(rejected) => rejected.into(),
            PlayError::Unrated(unrated) => unrated.into(),
            PlayError::Unavailable(error) => error.into(),
            PlayError::NoNext(error) => (*error).into(),
        }
    }
}

#[cfg(test)]
mod answers;
#[cfg(test)]
mod tests {
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
    fn a_refusal_says_in_spanish_too_what_it_is_about() {
        let said = |problem: Problem| speaking(Language::Spanish, || problem.sentence());
        assert_eq!(said(NameError::Character('<').into()), "Un nombre no puede contener `<`.");
        assert_eq!(said(ContestRefused::NotYourBot("mason".into()).into()), "\"mason\" no es tu bot.");
        assert_eq!(said(SubmitError::TooManyBots(10).into()), "Una cuenta tiene como máximo 10 bots.");
    }

    #[test]
    fn a_refusal_is_no_fault_and_a_fault_is_no_refusal() {
        let busy = Problem::new(StatusCode::SERVICE_UNAVAILABLE, "busy", "x", "");
        for refusal in [busy.clone(), busy.clone().refused(), SubmitError::Closed.into(), SubmitError::QueueFull.into()]
        {
            assert!(!refusal.is_fault(), "{}", refusal.code);
        }
        for fault in
            [StoreError::NoSpace.into(), unavailable("x"), Problem::of_status(StatusCode::INTERNAL_SERVER_ERROR)]
        {
            assert!(fault.is_fault(), "{}", fault.code);
        }
        assert!(!Problem::no_such_page().is_fault());
    }

    #[test]
    fn a_hint_has_code_and_links_and_loses_no_letter() {
        let problem = Problem::new(
            StatusCode::NOT_FOUND,
            "x",
            "x",
            "try `a-b`; /account, or /api/v1/limits: /lobby?room=a) /play! /",
        );
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
