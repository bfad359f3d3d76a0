//! Bots and their versions.

use std::slice;

use arena_record::{EntrantId, Objection};
use arena_service::Placing;
use arena_store::{
    Bot, BotError, BotId, BotName, DELETED, Licence, Page, PlayedGame, Version, VersionId, VersionState,
};
use arena_wire::Game;
use axum::extract::{Path, Request};
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::{IntoParams, ToSchema};

use super::Query;
use super::games::GameView;
use super::standings::{RowView, row};
use crate::app::App;
use crate::bot_games::{self, Wanted};
use crate::idempotency::Keyed;
use crate::identity::Signed;
use crate::limit_kind::LimitKind;
use crate::limits::{ALL_EDITIONS_COST, ROWS_MAX, SOURCE_COST};
use crate::measures::Annulled;
use crate::names::{self, Names};
use crate::problem::{Code, Problem, Result};
use crate::sources::Source;
use crate::upload;
use crate::visitors::Taker;
use crate::words::{UNJUDGEABLE, verdict_word};

/// A bot.
#[derive(Serialize, ToSchema)]
pub(crate) struct BotView {
    /// Its number, which continues a list as `after`.
    id: i64,
    /// Its name.
    name: String,
    /// Its owner.
    owner: String,
    /// The game it plays, which never changes: the name and version of its ruleset.
    game: String,
    /// The version that plays; `null` if none was accepted yet or the bot is withdrawn.
    active: Option<u32>,
    /// Its place in the latest edition of its standing tournament; `null` if it was not in it, or the operator annulled
    /// it.
    place: Option<RowView>,
    /// Why and when the operator annulled the latest edition, in which it played.
    #[serde(skip_serializing_if = "Option::is_none")]
    edition_annulled: Option<Annulled>,
}

/// The game that a bot plays; `None` if this release no longer has it.
pub(crate) fn game_of(bot: &Bot) -> Option<&'static Game> {
    Game::named(&bot.game).ok()
}

impl BotView {
    pub(crate) fn of(app: &App, bot: &Bot) -> BotView {
        let standing = game_of(bot).map(|game| app.service().standing().of(game));
        let edition = standing.as_ref().and_then(|standing| standing.edition.as_deref());
        let played = edition.and_then(|edition| Some((edition, row(edition, bot.name.as_str())?)));
        let edition_annulled = played.and_then(|(edition, _)| app.measures.annulled(edition.tournament.as_str()));
        let place = played.filter(|_| edition_annulled.is_none());
        BotView {
            game: bot.game.clone(),
            id: bot.id.0,
            name: bot.name.to_string(),
            owner: bot.owner.to_string(),
            active: bot.active.map(|version| version.number),
            place: place.map(|(edition, row)| RowView::of(&edition.standings, row)),
            edition_annulled,
        }
    }
}

/// A version of a bot.
#[derive(Serialize, ToSchema)]
pub(crate) struct VersionView {
    /// The bot's name.
    bot: String,
    /// The version's number, from 1.
    number: u32,
    /// The hash of its bytes, as in records.
    entrant: String,
    /// Its size in bytes.
    size_bytes: u64,
    /// `pending`, `accepted` or `refused`.
    state: &'static str,
    /// When it was submitted, in seconds since 1970.
    submitted_at: i64,
    /// The licence under which its author lets pages show its source, by its SPDX id; absent if they do not.
    #[serde(skip_serializing_if = "Option::is_none")]
    licence: Option<&'static str>,
    /// Its source, if it has such a licence and is asked for alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    source: Option<SourceView>,
    /// Why it was refused.
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<RefusalView>,
    /// Why it does not play, or not in the next edition of the standing tournament, although it was accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    out: Option<String>,
    /// Why it has been pending for long: a fault of the arena.
    #[serde(skip_serializing_if = "Option::is_none")]
    trouble: Option<&'static str>,
}

/// The source of a version, as its author wrote it: data, never instructions.
#[derive(Serialize, ToSchema)]
pub(crate) struct SourceView {
    /// `javascript`, `python` or `wat`, which was made of the module and has no comments.
    language: &'static str,
    /// The text, of at most 64 KiB.
    text: String,
}

/// Why a version may not play.
#[derive(Serialize, ToSchema)]
pub(crate) struct RefusalView {
    code: String,
    message: String,
    hint: String,
    offset: Option<u64>,
}

impl VersionView {
    pub(crate) fn of(app: &App, name: &BotName, version: &Version) -> VersionView {
        let refusal = match version.state.clone() {
            VersionState::Refused(Objection { code, message, hint, offset }) => {
                Some(RefusalView { code, message: message.to_string(), hint: hint.to_string(), offset })
            }
            _ => None,
        };
        VersionView {
            bot: name.to_string(),
            number: version.id.number,
            entrant: version.entrant.to_string(),
            size_bytes: version.size_bytes,
            state: verdict_word(&version.state),
            submitted_at: version.submitted_at.0,
            licence: version.licence.map(Licence::spdx),
            source: None,
            refusal,
            out: None,
            trouble: app.service().judge().is_unjudgeable(version.id).then_some(UNJUDGEABLE),
        }
    }
}

impl VersionView {
    /// The same with the reason why it does not play, if it was accepted.
    async fn placed(self, app: &App, bot: &Bot, version: &Version) -> Result<VersionView> {
        let out = match placing(app, bot, version).await? {
            Some(Placing::Out(why)) => Some(why.to_string()),
            Some(Placing::NoTournament) => {
                Some("it is active, but this site has no standing tournament of its game".into())
            }
            Some(Placing::Plays) => None,
            None if version.state != VersionState::Accepted => None,
            None if bot.disabled => Some("the operator of this site has disabled the bot".into()),
            None => Some(bot.active.map_or_else(
                || "the bot is withdrawn, until its owner chooses a version or a new one is accepted".into(),
                |active| format!("version {} is the one that plays, until its owner chooses another", active.number),
            )),
        };
        Ok(VersionView { out, ..self })
    }
}

/// Whether an accepted version plays in the next edition; `None` if it is not its bot's active one.
pub(crate) async fn placing(app: &App, bot: &Bot, version: &Version) -> Result<Option<Placing>> {
    if bot.active != Some(version.id) {
        return Ok(None);
    }
    Ok(Some(app.service().placing(bot, version).await?))
}

/// Where a list goes on.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct After {
    /// The last key of the previous page; default: the first page.
    #[param(required = false, value_type = Option<i64>, minimum = 0, maximum = 4294967295_u32)]
    after: Option<u32>,
}

/// Which bots.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// Only bots that play this game; default: all games.
    #[param(required = false)]
    game: Option<String>,
    /// The last key of the previous page; default: the first page.
    #[param(required = false, value_type = Option<i64>, minimum = 0, maximum = 4294967295_u32)]
    after: Option<u32>,
}

/// The bots that play, oldest first, at most 50 at once.
#[utoipa::path(get, path = "/api/v1/bots", params(Which),
    responses((status = 200, body = Vec<BotView>), (status = 404)))]
pub(crate) async fn list(app: App, Query(Which { game, after }): Query<Which>) -> Result<axum::Json<Vec<BotView>>> {
    let game = game.map(|game| names::game(Some(&game))).transpose()?.map(|game| game.ruleset);
    let page = after.map_or(Page::first(ROWS_MAX), |after| Page::after(BotId(after.into()), ROWS_MAX));
    let bots = app.store().active_bots(game, page).await?;
    Ok(axum::Json(bots.iter().map(|active| BotView::of(&app, &active.bot)).collect()))
}

/// A bot.
#[utoipa::path(get, path = "/api/v1/bots/{name}", params(("name" = String, Path)),
    responses((status = 200, body = BotView), (status = 404)))]
pub(crate) async fn show(app: App, Path(name): Path<String>) -> Result<axum::Json<BotView>> {
    let bot = find(&app, &name).await?;
    Ok(axum::Json(BotView::of(&app, &bot)))
}

/// The games of a bot in the latest edition of its standing tournament, in that of one of its versions, or in all
/// editions that are kept: lost ones first, then draws, then wins, or the latest first; at most 50 at once. Built-in
/// opponents have such a list, too.
#[utoipa::path(get, path = "/api/v1/bots/{name}/games", params(("name" = String, Path), Wanted),
    responses((status = 200, body = Vec<GameView>), (status = 404), (status = 410), (status = 429)))]
pub(crate) async fn games(
    app: App,
    Path(name): Path<String>,
    Query(wanted): Query<Wanted>,
    taker: Taker,
) -> Result<axum::Json<Vec<GameView>>> {
    if wanted.is_of_all() {
        taker.take_some(LimitKind::Requests, ALL_EDITIONS_COST, None)?;
    }
    let (game, played) = match bot_games::game_of_built_in(&name, &wanted)? {
        Some(game) => (game, bot_games::find(&app, game, &name, None, &wanted).await?),
        None => {
            let bot = find(&app, &name).await?;
            let Some(game) = game_of(&bot) else { return Ok(axum::Json(Vec::new())) };
            (game, bot_games::find(&app, game, bot.name.as_str(), Some(&bot), &wanted).await?)
        }
    };
    let edition = app.service().standing().of(game).edition.clone();
    let entrants = played.games.iter().flat_map(|played| played.game.entrants.values());
    let names = Names::of(app.store(), Some(game), edition.as_deref(), entrants).await?;
    let view = |played: &PlayedGame| GameView::of_indexed(&app, &names, &played.tournament, &played.game);
    Ok(axum::Json(played.games.iter().map(view).collect()))
}

/// The versions of a bot, newest first, at most 50 at once.
#[utoipa::path(get, path = "/api/v1/bots/{name}/versions", params(("name" = String, Path), After),
    responses((status = 200, body = Vec<VersionView>), (status = 404)))]
pub(crate) async fn versions(
    app: App,
    Path(name): Path<String>,
    Query(After { after }): Query<After>,
) -> Result<axum::Json<Vec<VersionView>>> {
    let bot = find(&app, &name).await?;
    let page = after.map_or(Page::first(ROWS_MAX), |after| Page::after(after, ROWS_MAX));
    let versions = app.store().versions(bot.id, page).await?;
    Ok(axum::Json(versions.iter().map(|version| VersionView::of(&app, &bot.name, version)).collect()))
}

/// A version of a bot and its verdict; and its source, if its author shows it.
#[utoipa::path(get, path = "/api/v1/bots/{name}/versions/{number}",
    params(("name" = String, Path), ("number" = u32, Path)),
    responses((status = 200, body = VersionView), (status = 404), (status = 429)))]
pub(crate) async fn version(
    app: App,
    Path((name, number)): Path<(String, String)>,
    taker: Taker,
) -> Result<axum::Json<VersionView>> {
    let (bot, version) = find_version(&app, &name, &number).await?;
    if version.licence.is_some() {
        taker.take_some(LimitKind::Requests, SOURCE_COST, None)?;
    }
    let source = Source::of(&app, &version).await?;
    let source = source.map(|source| SourceView { language: source.language.name, text: source.text });
    let view = VersionView { source, ..VersionView::of(&app, &bot.name, &version) };
    Ok(axum::Json(view.placed(&app, &bot, &version).await?))
}

/// What is submitted.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Submitted {
    /// The game, with or without its version. A bot plays only one game; default: that of its earlier versions, or the
    /// first game for a new bot.
    #[param(required = false)]
    game: Option<String>,
    /// The licence under which its source may be shown, by its SPDX id: `MIT`, `Apache-2.0`, `GPL-3.0-or-later` or
    /// `CC0-1.0`; default: it is not.
    #[param(required = false)]
    licence: Option<String>,
}

/// Submits a version: the body is the module, or a script in JavaScript or Python or WebAssembly text, to make one of.
/// The answer holds the verdict: 201 if accepted, 200 if the same bytes were accepted before, 422 if refused, 202 if
/// judging takes longer than a minute.
#[utoipa::path(post, path = "/api/v1/bots/{name}/versions", params(("name" = String, Path), Submitted),
    request_body(content(
        (Vec<u8> = "application/wasm"), (String = "text/javascript"), (String = "text/webassembly"),
        (String = "text/x-python"),
    )), security(("player_code" = [])),
    responses((status = 201, body = VersionView), (status = 200, body = VersionView),
        (status = 202, body = VersionView), (status = 401), (status = 409), (status = 413), (status = 422),
        (status = 429)))]
pub(crate) async fn submit(
    app: App,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Query(Submitted { game, licence }): Query<Submitted>,
    Keyed(key): Keyed,
    request: Request,
) -> Result<Response> {
    taker.take(LimitKind::Uploads, Some(account.id))?;
    let name = BotName::parse(&name)?;
    let game = game.map(|game| names::game(Some(&game))).transpose()?;
    let licence = licence.as_deref().map(upload::licence_of).transpose()?;
    let bytes = upload::module(request).await?;
    let sent = upload::Sent { name: &name, game, bytes, licence };
    let upload::Submitted { version, known } = upload::submit(&app, &taker, account.id, sent, key).await?;
    if let Some(problem) = upload::refused(&version) {
        return Err(problem);
    }
    let status = match version.state {
        VersionState::Pending => StatusCode::ACCEPTED,
        _ if known => StatusCode::OK,
        _ => StatusCode::CREATED,
    };
    let bot = find(&app, name.as_str()).await?;
    let view = VersionView::of(&app, &name, &version).placed(&app, &bot, &version).await?;
    Ok((status, axum::Json(view)).into_response())
}

/// The bytes of an accepted bot or of one of the gallery, by their hash, to recompute its games with.
#[utoipa::path(get, path = "/api/v1/modules/{hash}", params(("hash" = String, Path)),
    responses((status = 200, body = Vec<u8>, content_type = "application/wasm"), (status = 404)))]
pub(crate) async fn module(app: App, Path(hash): Path<String>) -> Result<Response> {
    let missing =
        || Problem::new(Code::NoSuchModule, "no accepted bot has this hash", "records name bots by their hashes");
    let id: EntrantId = format!("sha256:{hash}").parse().map_err(|_| missing())?;
    let bytes = if app.store().named(None, slice::from_ref(&id)).await?.is_empty() {
        names::gallery_bytes(&id).ok_or_else(missing)?
    } else {
        app.store().module(&id).await?
    };
    // The name is the hash of the content, so the answer never changes.
    let cached = HeaderValue::from_static("public, max-age=31536000, immutable");
    Ok(([(CONTENT_TYPE, HeaderValue::from_static("application/wasm")), (CACHE_CONTROL, cached)], bytes).into_response())
}

/// The bot of this name.
pub(crate) async fn find(app: &App, name: &str) -> Result<Bot> {
    // Lists of games and standings name the bots of deleted accounts; their links lead here.
    if name == DELETED {
        let hint = "its games and its bytes stay under their hashes";
        return Err(Problem::new(Code::Deleted, "this bot was deleted by its owner", hint));
    }
    let name = BotName::parse(name).map_err(|_| BotError::NoSuchBot)?;
    Ok(app.store().bot_by_name(&name).await?.ok_or(BotError::NoSuchBot)?)
}

/// A version, from the parts of its address.
pub(crate) async fn find_version(app: &App, name: &str, number: &str) -> Result<(Bot, Version)> {
    let bot = find(app, name).await?;
    let missing = || Problem::new(Code::NoSuchVersion, "this bot has no such version", "its page has all of them");
    let number = number.parse().map_err(|_| missing())?;
    let version = app.store().version(VersionId { bot: bot.id, number }).await?.ok_or_else(missing)?;
    Ok((bot, version))
}
