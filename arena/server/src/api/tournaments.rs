//! Tournaments that accounts start.

mod view;

use arena_service::contests::{
    Admission, ContestDetails, ContestRefused, ContestTerms, NewContest, TermsError, contest_of,
};
use arena_service::limits::{CHALLENGE_GAMES_MAX, CONTEST_ENTRANTS_MAX, CONTEST_INVITED_MAX};
use arena_service::{OpenRoomError, Opponent};
use arena_store::{AccountId, BotName, Contest, ContestId, DisplayName, Page, Reason, StoreError, UnixSeconds};
use arena_tournaments::FormKeys;
use arena_tournaments::limits::NAME_CHARS_MAX;
use axum::extract::Path;
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};

use super::{Json, Query, with_table};
use crate::app::App;
use crate::identity::Signed;
use crate::language::{Language, Text, speaking};
use crate::limit_kind::LimitKind;
use crate::limits::{DEFINITION_BYTES_A_UNIT, NAME_COST, ROWS_MAX};
use crate::names;
use crate::problem::{Code, Problem, Result};
use crate::text;
use crate::tombstones;
use crate::visitors::Taker;
pub(crate) use view::{ContestView, MeetingView, TournamentLine, id_of};

/// A message of a tournament's socket; `beat` is that of a world, `error` that of a room.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum TournamentMessage {
    /// Games played and in all, and a number that changes with the tournament's page.
    State { played: usize, total: usize, revision: u64 },
}

/// A tournament to open.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct TournamentToOpen {
    /// The text of a definition, as for `arena tournament run`. It needs no seed, because the site draws one, and no
    /// entrants. Those with a `baseline` or `gallery` get reserved seats; a `file` is `HASH.wasm`, the SHA-256 of the
    /// bytes that one of your bots plays.
    pub(crate) definition: String,
    /// The names of your bots that enter at once.
    #[serde(default)]
    pub(crate) bots: Vec<String>,
    /// Who else may enter: `named` (nobody), `open` (everybody) or `invited`.
    pub(crate) entry: String,
    /// The names of the invited accounts.
    #[serde(default)]
    pub(crate) invited: Vec<String>,
    /// The number of entrants at which entry closes; default: 64.
    #[serde(default)]
    pub(crate) places: Option<u32>,
    /// The latest time at which entry closes, in seconds since 1970; default: after 30 days.
    #[serde(default)]
    pub(crate) until: Option<i64>,
    /// Whether bots may enter after the start, between the rounds of a Swiss tournament or a ladder, while there are
    /// places.
    #[serde(default)]
    pub(crate) late: bool,
}

/// A tournament that was opened.
#[derive(Serialize, ToSchema)]
pub(crate) struct OpenedTournament {
    /// Its id, such as `cup-7`.
    id: String,
    /// The address of its page.
    url: String,
}

impl OpenedTournament {
    pub(crate) fn of(id: ContestId) -> (StatusCode, axum::Json<OpenedTournament>) {
        let id = id_of(id);
        (StatusCode::CREATED, axum::Json(OpenedTournament { url: format!("/tournaments/{id}"), id }))
    }
}

/// A bot.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct BotToEnter {
    /// The name of one of your bots. It enters with the version that plays now.
    bot: String,
}

/// A bot to withdraw.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Withdrawal {
    /// The bot's name.
    bot: String,
    /// The reason: one line of at most 300 characters, visible to everyone.
    reason: String,
}

/// The reason for an act.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Because {
    /// One line of at most 300 characters, visible to everyone.
    reason: String,
}

/// A challenge.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Challenge {
    /// The name of one of your bots.
    pub(crate) bot: String,
    /// The number of games, an even one: half are played in each seat.
    pub(crate) games: u32,
}

/// Which tournaments.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Which {
    /// The number of the last tournament of the previous page: the part after `cup-` in its id.
    #[param(required = false)]
    after: Option<i64>,
}

/// The tournaments that accounts started, newest first, at most 50 at once.
#[utoipa::path(get, path = "/api/v1/tournaments", params(Which), responses((status = 200, body = Vec<TournamentLine>)))]
pub(crate) async fn list(app: App, Query(Which { after }): Query<Which>) -> Result<axum::Json<Vec<TournamentLine>>> {
    Ok(axum::Json(page(&app, after).await?.iter().map(|contest| TournamentLine::of(&app, contest)).collect()))
}

/// A page of the list of tournaments.
pub(crate) async fn page(app: &App, after: Option<i64>) -> Result<Vec<Contest>> {
    let page = after.map_or(Page::first(ROWS_MAX), |after| Page::after(ContestId(after), ROWS_MAX));
    Ok(app.store().contests(None, page).await?)
}

/// Opens a tournament. It begins as soon as entry closes, and is played alongside the standing tournaments.
#[utoipa::path(post, path = "/api/v1/tournaments", request_body = TournamentToOpen, security(("player_code" = [])),
    responses((status = 201, body = OpenedTournament), (status = 401), (status = 404), (status = 422), (status = 429),
        (status = 503)))]
pub(crate) async fn create(
    app: App,
    taker: Taker,
    Signed(account): Signed,
    Json(wanted): Json<TournamentToOpen>,
) -> Result<(StatusCode, axum::Json<OpenedTournament>)> {
    Ok(OpenedTournament::of(open(&app, &taker, account.id, None, (FormKeys::default(), wanted)).await?))
}

/// Opens a tournament as requested; a form gives some keys of its definition.
pub(crate) async fn open(
    app: &App,
    taker: &Taker,
    owner: AccountId,
    by_operator: Option<Reason>,
    (form, wanted): (FormKeys, TournamentToOpen),
) -> Result<ContestId> {
    let TournamentToOpen { definition, bots, entry, invited, places, until, late } = wanted;
    // Charged first, because the rest queries the store: each account that is invited is looked up, and costs
    // [`NAME_COST`].
    let looked_up = if entry == "invited" { NAME_COST * invited.len().min(CONTEST_INVITED_MAX) as u32 } else { 0 };
    // And the definition is read.
    let read = u32::try_from(definition.len().div_ceil(DEFINITION_BYTES_A_UNIT)).unwrap_or(u32::MAX);
    taker
        .take_all(&[(LimitKind::Tournaments, 1), (LimitKind::Requests, looked_up.saturating_add(read))], Some(owner))?;
    if bots.len() > CONTEST_ENTRANTS_MAX {
        return Err(ContestRefused::from(TermsError::Entrants(bots.len())).into());
    }
    let rule = match entry.as_str() {
        "named" => Admission::Named,
        "open" => Admission::Open,
        "invited" => Admission::Invited { accounts: accounts(app, &invited).await? },
        _ => {
            let detail = format!("`entry` is `named`, `open` or `invited`, not `{entry}`");
            let hint =
                "`named` is without entry, `open` for everybody's bots, `invited` for those of the accounts invited";
            return Err(Problem::new(Code::BadTournament, detail, hint).advising(text::hint_entry()));
        }
    };
    let bots = bots.iter().map(|bot| BotName::parse(bot)).collect::<Result<Vec<_>, _>>()?;
    let until = until.map(UnixSeconds);
    // Up to 64 KiB, which take a millisecond or more.
    let parsed = spawn_blocking(move || ContestTerms::parse(form, &definition)).await;
    let (terms, named) =
        parsed.map_err(|error| StoreError::Unavailable(error.into()))?.map_err(ContestRefused::from)?;
    let new = NewContest { owner, terms, named, bots, rule, places, until, late, by_operator };
    Ok(app.service().contests().open(new, app.now()).await?)
}

/// The accounts with these names.
async fn accounts(app: &App, names: &[String]) -> Result<Vec<i64>> {
    let refused = |detail: String, sentence: Text| {
        let hint = "write the names as their pages have them, separated by commas";
        Problem::new(Code::BadInvitation, detail, hint).saying(sentence)
    };
    if names.is_empty() || names.len() > CONTEST_INVITED_MAX {
        let detail = format!("1 to {CONTEST_INVITED_MAX} accounts are invited");
        return Err(refused(detail, text::refused_invited(CONTEST_INVITED_MAX)));
    }
    let mut accounts = Vec::new();
    for name in names {
        let parsed = DisplayName::parse(name)?;
        let account = app.store().account_by_name(&parsed).await?;
        accounts.push(
            account
                .ok_or_else(|| refused(format!("there is no account `{name}`"), text::refused_no_account(name)))?
                .id
                .0,
        );
    }
    Ok(accounts)
}

/// A tournament, with its log and the standings so far. `/api/v1/tournaments/ID/socket` announces changes.
#[utoipa::path(get, path = "/api/v1/tournaments/{id}", params(("id" = String, Path)),
    responses((status = 200, body = ContestView), (status = 404), (status = 410)))]
pub(crate) async fn show(app: App, Path(id): Path<String>) -> Result<Response> {
    let contest = find(&app, &id).await?;
    // Programs always get English.
    Ok(with_table(|| speaking(Language::English, || ContestView::of(&app, &contest))))
}

/// Enters one of your bots.
#[utoipa::path(post, path = "/api/v1/tournaments/{id}/entries", params(("id" = String, Path)),
    request_body = BotToEnter, security(("player_code" = [])),
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 409), (status = 429)))]
pub(crate) async fn enter(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(BotToEnter { bot }): Json<BotToEnter>,
) -> Result<StatusCode> {
    taker.take(LimitKind::Tournaments, Some(account.id))?;
    app.service().contests().enter(number(&id)?, account.id, &bot, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Withdraws a bot: its author may until the field is frozen, the organiser until the end.
#[utoipa::path(post, path = "/api/v1/tournaments/{id}/withdrawals", params(("id" = String, Path)),
    request_body = Withdrawal, security(("player_code" = [])),
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 409), (status = 429)))]
pub(crate) async fn withdraw(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(Withdrawal { bot, reason }): Json<Withdrawal>,
) -> Result<StatusCode> {
    taker.take(LimitKind::Tournaments, Some(account.id))?;
    app.service().contests().withdraw(number(&id)?, account.id, &bot, &Reason::parse(&reason)?, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Closes entry early, so that the tournament begins. For the organiser.
#[utoipa::path(post, path = "/api/v1/tournaments/{id}/start", params(("id" = String, Path)),
    security(("player_code" = [])),
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 409), (status = 429)))]
pub(crate) async fn start(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
) -> Result<StatusCode> {
    taker.take(LimitKind::Tournaments, Some(account.id))?;
    app.service().contests().start(number(&id)?, account.id, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Cancels a tournament. Its games are forgotten; its log stays. For the organiser.
#[utoipa::path(post, path = "/api/v1/tournaments/{id}/cancellation", params(("id" = String, Path)),
    request_body = Because, security(("player_code" = [])),
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 409), (status = 429)))]
pub(crate) async fn cancel(
    app: App,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(Because { reason }): Json<Because>,
) -> Result<StatusCode> {
    taker.take(LimitKind::Tournaments, Some(account.id))?;
    app.service().contests().cancel(number(&id)?, account.id, &Reason::parse(&reason)?, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Challenges a bot to play against one of yours now: a tournament for two that counts for no standings.
#[utoipa::path(post, path = "/api/v1/bots/{name}/challenges", params(("name" = String, Path)),
    request_body = Challenge, security(("player_code" = [])),
    responses((status = 201, body = OpenedTournament), (status = 401), (status = 404), (status = 422), (status = 429),
        (status = 503)))]
pub(crate) async fn challenge(
    app: App,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(wanted): Json<Challenge>,
) -> Result<(StatusCode, axum::Json<OpenedTournament>)> {
    Ok(OpenedTournament::of(challenged(&app, &taker, account.id, &name, wanted).await?))
}

/// Opens a challenge to a bot of the site, a built-in opponent or a bot of the gallery.
pub(crate) async fn challenged(
    app: &App,
    taker: &Taker,
    owner: AccountId,
    opponent: &str,
    Challenge { bot, games }: Challenge,
) -> Result<ContestId> {
    if games == 0 || games % 2 == 1 || games > CHALLENGE_GAMES_MAX {
        let detail = format!("a challenge has 2 to {CHALLENGE_GAMES_MAX} games, an even number, not {games}");
        let hint = "its games are pairs: each start is played twice, with the seats exchanged";
        let refused = Problem::new(Code::BadTournament, detail, hint);
        let refused = refused.saying(text::refused_challenge(games, CHALLENGE_GAMES_MAX));
        return Err(refused.advising(text::hint_pairs()));
    }
    let own = super::own_bots::own(app, owner, &bot).await?;
    let game = super::bots::game_of(&own).ok_or(OpenRoomError::NoSuchOpponent)?;
    let mut bots = vec![own.name.to_string()];
    let (opponent, baselines) = match names::opponent(game, opponent)? {
        Opponent::Baseline(name) => (name.clone(), vec![name]),
        Opponent::Bot(name) => {
            bots.push(name.to_string());
            (name.to_string(), Vec::new())
        }
    };
    let name: String = format!("{} vs {opponent}", own.name).chars().take(NAME_CHARS_MAX).collect();
    // A game without any for two seats is refused with those for standings, as every round robin of it.
    let options = game.match_options().unwrap_or_else(|| game.ranked.into());
    let form = FormKeys {
        name: Some(name),
        ruleset: Some(game.ruleset.into()),
        options: Some(options),
        pairs: Some(games / 2),
        baselines,
        ..FormKeys::default()
    };
    let (definition, entry, invited) = (String::new(), "named".into(), Vec::new());
    let wanted = TournamentToOpen { definition, bots, entry, invited, places: None, until: None, late: false };
    open(app, taker, owner, None, (form, wanted)).await
}

/// A tournament's number from its id.
pub(crate) fn number(id: &str) -> Result<ContestId> {
    contest_of(id).ok_or_else(missing)
}

fn missing() -> Problem {
    let missing = Problem::new(Code::NoSuchTournament, "there is no such tournament", "/tournaments has all of them");
    missing.advising(text::hint_contest_no_such_contest())
}

/// The tournament with this id.
pub(crate) async fn find(app: &App, id: &str) -> Result<ContestDetails> {
    let id = number(id)?;
    match app.service().contests().shown(id).await? {
        Some(contest) => Ok(contest),
        None => Err(tombstones::contest(app.service(), id).await?.unwrap_or_else(missing)),
    }
}
