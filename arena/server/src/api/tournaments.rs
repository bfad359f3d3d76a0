//! Tournaments that accounts start.

use std::collections::BTreeMap;

use arena_service::contests::{
    Admission, By, ContestDetails, ContestRefused, ContestTerms, EntryRule, Event, Meeting, NewContest, Stage,
    contest_of, tournament_of,
};
use arena_service::limits::{CHALLENGE_GAMES_MAX, CONTEST_INVITED_MAX};
use arena_service::{OlderRelease, OpenRoomError, Opponent};
use arena_store::{
    AccountId, BotName, Contest, ContestId, DELETED, DisplayName, Page, Reason, StoreError, UnixSeconds,
};
use arena_tournaments::limits::NAME_CHARS_MAX;
use arena_tournaments::{BracketRound, Definition, FormKeys};
use axum::extract::{Path, State};
use axum::http::StatusCode;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use tokio::task::spawn_blocking;
use utoipa::{IntoParams, ToSchema};

use super::standings::TableView;
use super::{Json, Query, with_table};
use crate::app::App;
use crate::identity::Signed;
use crate::language::{Language, Text, speaking};
use crate::limit_kind::LimitKind;
use crate::limits::{NAME_COST, ROWS_MAX};
use crate::measures::Annulled;
use crate::names;
use crate::problem::{Code, Problem};
use crate::said::words as said;
use crate::text;
use crate::tombstones;
use crate::visitors::Taker;
use crate::words;

/// A message of a tournament's socket; `beat` is that of a world, `error` that of a room.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", rename_all = "snake_case")]
pub(crate) enum TournamentMessage {
    /// Games played and in all, and a number that changes with the tournament's page.
    State { played: usize, total: usize, revision: u64 },
}

/// A tournament in a list.
#[derive(Serialize, ToSchema)]
pub(crate) struct TournamentLine {
    /// Its id, such as `cup-7`.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// The name and version of its ruleset.
    pub(crate) game: String,
    /// The account that started it.
    pub(crate) owner: String,
    /// `entry`, `playing` or `over`.
    pub(crate) stage: &'static str,
    /// When it was opened, in seconds since 1970.
    pub(crate) opened_at: i64,
}

impl TournamentLine {
    pub(crate) fn of(contest: &Contest) -> TournamentLine {
        TournamentLine {
            id: id_of(contest.id),
            name: contest.name.clone(),
            game: contest.game.clone(),
            owner: contest.owner_name.to_string(),
            stage: contest.counted.phase.word(),
            opened_at: contest.opened_at.0,
        }
    }
}

/// A tournament's id.
pub(crate) fn id_of(id: ContestId) -> String {
    tournament_of(id).map(|id| id.to_string()).unwrap_or_default()
}

/// A tournament.
#[derive(Serialize, ToSchema)]
pub(crate) struct ContestView {
    /// Its id, such as `cup-7`.
    pub(crate) id: String,
    /// Its name.
    pub(crate) name: String,
    /// The name and version of its ruleset.
    pub(crate) game: String,
    /// The account that started it.
    pub(crate) owner: String,
    /// When it was opened, in seconds since 1970.
    pub(crate) opened_at: i64,
    /// `entry`, `playing`, `finished` or `cancelled`.
    pub(crate) stage: &'static str,
    /// Who may enter: `named`, `open` or `invited`.
    pub(crate) admission: &'static str,
    /// The number of invited accounts.
    pub(crate) invited: usize,
    /// The number of entrants at which entry closes.
    pub(crate) places: u32,
    /// The latest time at which entry closes, in seconds since 1970.
    pub(crate) until: Option<i64>,
    /// Whether bots may enter after the start, between rounds.
    pub(crate) late: bool,
    /// Whether entry is closed.
    pub(crate) closed: bool,
    /// The SHA-256 of the secret from which the seed is drawn, published when the tournament was opened.
    pub(crate) commitment: String,
    /// The secret, once the field is frozen.
    pub(crate) secret: Option<String>,
    /// The seed, a hash of the secret and of all entrants, once the field is frozen.
    pub(crate) seed: Option<u64>,
    /// The seed as text, for readers whose numbers have 53 bits.
    pub(crate) seed_text: Option<String>,
    /// The definition: without entrants and seed until the field is frozen, then complete.
    pub(crate) definition: String,
    /// The arena's own opponents that have a seat.
    pub(crate) reserved: Vec<String>,
    /// The bots that entered.
    pub(crate) entrants: Vec<EntrantView>,
    /// Its events, oldest first.
    pub(crate) log: Vec<LogLine>,
    /// Games played so far.
    pub(crate) played: usize,
    /// The number of games in the tournament; the most possible while later games depend on earlier ones.
    pub(crate) total: usize,
    /// The standings so far.
    pub(crate) standings: Option<TableView>,
    /// The final standings if another release played it. They are not comparable; besides them, only the index of games
    /// is left.
    pub(crate) earlier: Option<OtherStandings>,
    /// Who meets whom, in the order of the schedule.
    pub(crate) meetings: Vec<MeetingView>,
    /// Why it cannot continue.
    pub(crate) trouble: Option<String>,
    /// Why and when the operator annulled it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(crate) annulled: Option<Annulled>,
    /// Increases with every change.
    pub(crate) revision: u64,
}

/// Standings from another release.
#[derive(Serialize, ToSchema)]
pub(crate) struct OtherStandings {
    /// The build that played.
    pub(crate) build: String,
    /// Its standings as it wrote them for people, in plain text.
    pub(crate) table: String,
}

/// A bot that entered.
#[derive(Serialize, ToSchema)]
pub(crate) struct EntrantView {
    /// Its current name.
    pub(crate) bot: String,
    /// Its author.
    pub(crate) author: String,
    /// Its author's account, for links; `None` once the bot is deleted.
    #[serde(skip)]
    pub(crate) account: Option<i64>,
    /// The version that entered.
    pub(crate) version: u32,
    /// Its id in records.
    pub(crate) id: String,
    /// Why it was withdrawn, if it was.
    pub(crate) withdrawn: Option<String>,
}

/// An event.
#[derive(Serialize, ToSchema)]
pub(crate) struct LogLine {
    /// When, in seconds since 1970.
    pub(crate) at: i64,
    /// `opened`, `entered`, `withdrawn`, `closed`, `frozen`, `drawn`, `cancelled` or `finished`.
    pub(crate) event: &'static str,
    /// The event, in a sentence.
    pub(crate) text: String,
}

/// Two or more entrants that meet in a round.
#[derive(Serialize, ToSchema)]
pub(crate) struct MeetingView {
    /// The round, from 1; in a bracket the round of the match, which includes its further pairs.
    pub(crate) round: usize,
    /// The round's name, if it has one, such as `semi-finals`.
    pub(crate) title: Option<String>,
    /// The same for pages.
    #[serde(skip)]
    pub(crate) name: Option<BracketRound>,
    /// The entrants' names.
    pub(crate) names: Vec<String>,
    /// Games won by each.
    pub(crate) wins: Vec<u32>,
    /// Drawn games.
    pub(crate) draws: u32,
    /// Finished games.
    pub(crate) played: u32,
    /// Planned games.
    pub(crate) games: u32,
}

impl MeetingView {
    /// The points of the entrant at a place: one for a win, a half for a draw.
    pub(crate) fn points(&self, place: &usize) -> String {
        let halves = 2 * self.wins.get(*place).copied().unwrap_or(0) + self.draws;
        match (halves / 2, halves.is_multiple_of(2)) {
            (whole, true) => whole.to_string(),
            (0, false) => "½".into(),
            (whole, false) => format!("{whole}½"),
        }
    }
}

impl EntrantView {
    /// The hash of its bytes.
    pub(crate) fn hash(&self) -> &str {
        self.id.strip_prefix("sha256:").unwrap_or(&self.id)
    }
}

impl OtherStandings {
    fn of(earlier: &OlderRelease) -> OtherStandings {
        let OlderRelease { build, table, .. } = earlier.clone();
        OtherStandings { build, table }
    }
}

impl From<&Meeting> for MeetingView {
    fn from(meeting: &Meeting) -> MeetingView {
        let Meeting { round, name, names, wins, draws, played, games } = meeting.clone();
        let title = name.map(|name| name.to_string());
        MeetingView { round, title, name, names, wins, draws, played, games }
    }
}

/// The current names of bots.
struct Called<'a>(&'a BTreeMap<i64, (String, String)>);

impl Called<'_> {
    /// A deleted bot has no name any more.
    fn bot(&self, bot: i64) -> (&str, &str) {
        self.0.get(&bot).map_or((DELETED, DELETED), |(bot, owner)| (bot, owner))
    }

    fn line(&self, at: i64, event: &Event, owner: &str) -> LogLine {
        let bot = |bot: i64| self.bot(bot).0;
        let (event, sentence) = match event {
            Event::Opened { by_operator: true, .. } => {
                ("opened", text::tournaments_the_operator_opened_the_tournament(owner))
            }
            Event::Opened { .. } => ("opened", text::tournaments_opened_the_tournament(owner)),
            Event::Entered(entrant) => {
                ("entered", text::tournaments_version_entered(bot(entrant.bot), entrant.version))
            }
            Event::Withdrawn { bot: out, by, reason } => {
                ("withdrawn", text::tournaments_was_taken_out_by(bot(*out), words::by(*by), said(reason)))
            }
            Event::Closed => ("closed", text::tournaments_closed_entry(words::by(By::Owner))),
            Event::Frozen { .. } => ("frozen", text::tournaments_the_field_was_frozen_and_the_seed()),
            Event::Drawn { round, secret, .. } => {
                ("drawn", text::tournaments_the_entrants_of_round_were(round + 1, arena_record::Hex(secret.0)))
            }
            Event::Cancelled { by, reason } => {
                ("cancelled", text::tournaments_cancelled_by(words::by(*by), said(reason)))
            }
            Event::Finished { games } => ("finished", text::tournaments_all_games_were_played(games)),
        };
        LogLine { at, event, text: sentence.into() }
    }
}

impl ContestView {
    pub(crate) fn of(app: &App, contest: &ContestDetails) -> ContestView {
        let now = app.now();
        let called = Called(&contest.called);
        let ContestDetails { contest, events, state, shown, .. } = contest;
        let (stage, frozen) = match &state.stage {
            Stage::Entry => ("entry", None),
            Stage::Playing { definition } => ("playing", Some(definition)),
            Stage::Finished { definition, .. } => ("finished", Some(definition)),
            Stage::Cancelled { .. } => ("cancelled", None),
        };
        let parsed = frozen.and_then(|text| Definition::parse(text).ok());
        let draw = parsed.as_ref().and_then(|definition| definition.draw);
        let owner = contest.owner_name.to_string();
        let (admission, invited) = match &state.entry.admission {
            Admission::Named => ("named", 0),
            Admission::Open => ("open", 0),
            Admission::Invited { accounts } => ("invited", accounts.len()),
        };
        let entrants = state.entrants.iter().map(|(entrant, out)| {
            let (bot, author) = called.bot(entrant.bot);
            EntrantView {
                bot: bot.into(),
                author: author.into(),
                account: called.0.contains_key(&entrant.bot).then_some(entrant.account),
                version: entrant.version,
                id: entrant.id.to_string(),
                withdrawn: out.as_ref().map(|out| said(out).into()),
            }
        });
        let entrants: Vec<EntrantView> = entrants.collect();
        let playing = matches!(state.stage, Stage::Playing { .. } | Stage::Finished { .. });
        let progress = shown.progress.filter(|_| playing).map(|progress| (progress.played, progress.total));
        let (played, total) = games(&state.stage, progress);
        let id = id_of(contest.id);
        ContestView {
            annulled: app.measures.annulled(&id),
            id,
            name: contest.name.clone(),
            game: contest.game.clone(),
            opened_at: contest.opened_at.0,
            stage,
            admission,
            invited,
            places: state.entry.places,
            until: state.entry.until,
            late: state.entry.late,
            closed: state.is_closed(now.0),
            commitment: state.commitment.0.to_string(),
            secret: draw.map(|draw| arena_record::Hex(draw.secret.0).to_string()),
            seed: parsed.as_ref().map(|definition| definition.seed),
            seed_text: parsed.as_ref().map(|definition| definition.seed.to_string()),
            definition: frozen.cloned().unwrap_or_else(|| state.terms.to_string()),
            reserved: state.reserved.clone(),
            entrants,
            log: events.iter().map(|(at, event)| called.line(*at, event, &owner)).collect(),
            played,
            total,
            standings: shown.standings.as_deref().filter(|_| playing).map(TableView::of),
            earlier: shown.earlier.as_deref().filter(|_| playing).map(OtherStandings::of),
            meetings: if playing { shown.meetings.iter().map(MeetingView::from).collect() } else { Vec::new() },
            trouble: shown.trouble.clone(),
            revision: shown.revision,
            owner,
        }
    }
}

/// The number of played games, and of all games. If another release played the folder, it cannot be read, but the log
/// has its games.
fn games(stage: &Stage, progress: Option<(usize, usize)>) -> (usize, usize) {
    match stage {
        Stage::Finished { games, .. } => progress.unwrap_or((*games as usize, *games as usize)),
        _ => progress.unwrap_or_default(),
    }
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
pub(crate) async fn list(
    State(app): State<App>,
    Query(Which { after }): Query<Which>,
) -> Result<axum::Json<Vec<TournamentLine>>, Problem> {
    Ok(axum::Json(page(&app, after).await?.iter().map(TournamentLine::of).collect()))
}

/// A page of the list of tournaments.
pub(crate) async fn page(app: &App, after: Option<i64>) -> Result<Vec<Contest>, Problem> {
    let page = after.map_or(Page::first(ROWS_MAX), |after| Page::after(ContestId(after), ROWS_MAX));
    Ok(app.store().contests(None, page).await?)
}

/// Opens a tournament. It begins as soon as entry closes, and is played alongside the standing tournaments.
#[utoipa::path(post, path = "/api/v1/tournaments", request_body = TournamentToOpen, security(("player_code" = [])),
    responses((status = 201, body = OpenedTournament), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn create(
    State(app): State<App>,
    taker: Taker,
    Signed(account): Signed,
    Json(wanted): Json<TournamentToOpen>,
) -> Result<(StatusCode, axum::Json<OpenedTournament>), Problem> {
    Ok(OpenedTournament::of(open(&app, &taker, account.id, None, (FormKeys::default(), wanted)).await?))
}

/// Opens a tournament as requested; a form gives some keys of its definition.
pub(crate) async fn open(
    app: &App,
    taker: &Taker,
    owner: AccountId,
    by_operator: Option<Reason>,
    (form, wanted): (FormKeys, TournamentToOpen),
) -> Result<ContestId, Problem> {
    let TournamentToOpen { definition, bots, entry, invited, places, until, late } = wanted;
    // Charged first, because the rest queries the store: each account that is invited is looked up, and costs
    // [`NAME_COST`].
    let looked_up = if entry == "invited" { NAME_COST * invited.len().min(CONTEST_INVITED_MAX) as u32 } else { 0 };
    taker.take_all(&[(LimitKind::Tournaments, 1), (LimitKind::Requests, looked_up)], Some(owner))?;
    let rule = match entry.as_str() {
        "named" => EntryRule::Named,
        "open" => EntryRule::Open,
        "invited" => EntryRule::Invited(accounts(app, &invited).await?),
        _ => {
            let detail = format!("`entry` is `named`, `open` or `invited`, not `{entry}`");
            let hint =
                "`named` is without entry, `open` for everybody's bots, `invited` for those of the accounts invited";
            return Err(Problem::new(StatusCode::UNPROCESSABLE_ENTITY, Code::BadTournament, detail, hint));
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
async fn accounts(app: &App, names: &[String]) -> Result<Vec<AccountId>, Problem> {
    let refused = |detail: String, sentence: Text| {
        let hint = "write the names as their pages have them, separated by commas";
        Problem::new(StatusCode::UNPROCESSABLE_ENTITY, Code::BadInvitation, detail, hint).saying(sentence)
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
            account.ok_or_else(|| refused(format!("there is no account `{name}`"), text::refused_no_account(name)))?.id,
        );
    }
    Ok(accounts)
}

/// A tournament, with its log and the standings so far. `/api/v1/tournaments/ID/socket` announces changes.
#[utoipa::path(get, path = "/api/v1/tournaments/{id}", params(("id" = String, Path)),
    responses((status = 200, body = ContestView), (status = 404, body = Problem), (status = 410, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, Path(id): Path<String>) -> Result<Response, Problem> {
    let contest = find(&app, &id).await?;
    // Programs always get English.
    Ok(with_table(|| speaking(Language::English, || ContestView::of(&app, &contest))))
}

/// Enters one of your bots.
#[utoipa::path(post, path = "/api/v1/tournaments/{id}/entries", params(("id" = String, Path)), request_body = BotToEnter,
    security(("player_code" = [])),
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 429, body = Problem)))]
pub(crate) async fn enter(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(BotToEnter { bot }): Json<BotToEnter>,
) -> Result<StatusCode, Problem> {
    taker.take(LimitKind::Tournaments, Some(account.id))?;
    app.service().contests().enter(number(&id)?, account.id, &bot, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Withdraws a bot: its author may until the field is frozen, the organiser until the end.
#[utoipa::path(post, path = "/api/v1/tournaments/{id}/withdrawals", params(("id" = String, Path)),
    request_body = Withdrawal, security(("player_code" = [])),
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 429, body = Problem)))]
pub(crate) async fn withdraw(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(Withdrawal { bot, reason }): Json<Withdrawal>,
) -> Result<StatusCode, Problem> {
    taker.take(LimitKind::Tournaments, Some(account.id))?;
    app.service().contests().withdraw(number(&id)?, account.id, &bot, &Reason::parse(&reason)?, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Closes entry early, so that the tournament begins. For the organiser.
#[utoipa::path(post, path = "/api/v1/tournaments/{id}/start", params(("id" = String, Path)),
    security(("player_code" = [])),
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 429, body = Problem)))]
pub(crate) async fn start(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
) -> Result<StatusCode, Problem> {
    taker.take(LimitKind::Tournaments, Some(account.id))?;
    app.service().contests().start(number(&id)?, account.id, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Cancels a tournament. Its games are forgotten; its log stays. For the organiser.
#[utoipa::path(post, path = "/api/v1/tournaments/{id}/cancellation", params(("id" = String, Path)),
    request_body = Because, security(("player_code" = [])),
    responses((status = 204), (status = 401, body = Problem), (status = 403, body = Problem),
        (status = 404, body = Problem), (status = 409, body = Problem), (status = 429, body = Problem)))]
pub(crate) async fn cancel(
    State(app): State<App>,
    Path(id): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(Because { reason }): Json<Because>,
) -> Result<StatusCode, Problem> {
    taker.take(LimitKind::Tournaments, Some(account.id))?;
    app.service().contests().cancel(number(&id)?, account.id, &Reason::parse(&reason)?, app.now()).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Challenges a bot to play against one of yours now: a tournament for two that counts for no standings.
#[utoipa::path(post, path = "/api/v1/bots/{name}/challenges", params(("name" = String, Path)),
    request_body = Challenge, security(("player_code" = [])),
    responses((status = 201, body = OpenedTournament), (status = 401, body = Problem), (status = 404, body = Problem),
        (status = 422, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn challenge(
    State(app): State<App>,
    Path(name): Path<String>,
    taker: Taker,
    Signed(account): Signed,
    Json(wanted): Json<Challenge>,
) -> Result<(StatusCode, axum::Json<OpenedTournament>), Problem> {
    Ok(OpenedTournament::of(challenged(&app, &taker, account.id, &name, wanted).await?))
}

/// Opens a challenge to a bot of the site, a built-in opponent or a bot of the gallery.
pub(crate) async fn challenged(
    app: &App,
    taker: &Taker,
    owner: AccountId,
    opponent: &str,
    Challenge { bot, games }: Challenge,
) -> Result<ContestId, Problem> {
    if games == 0 || games % 2 == 1 || games > CHALLENGE_GAMES_MAX {
        let detail = format!("a challenge has 2 to {CHALLENGE_GAMES_MAX} games, an even number, not {games}");
        let hint = "its games are pairs: each start is played twice, with the seats exchanged";
        let refused = Problem::new(StatusCode::UNPROCESSABLE_ENTITY, Code::BadTournament, detail, hint);
        return Err(refused.saying(text::refused_challenge(games, CHALLENGE_GAMES_MAX)));
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
pub(crate) fn number(id: &str) -> Result<ContestId, Problem> {
    contest_of(id).ok_or_else(missing)
}

fn missing() -> Problem {
    let missing =
        Problem::not_found(Code::NoSuchTournament, "there is no such tournament", "/tournaments has all of them");
    missing.advising(text::hint_contest_no_such_contest())
}

/// The tournament with this id.
pub(crate) async fn find(app: &App, id: &str) -> Result<ContestDetails, Problem> {
    let id = number(id)?;
    match app.service().contests().shown(id).await? {
        Some(contest) => Ok(contest),
        None => Err(tombstones::contest(app.service(), id).await?.unwrap_or_else(missing)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_of_what_another_release_played_are_known_from_the_log() {
        let finished = Stage::Finished { definition: String::new(), games: 12 };
        assert_eq!((games(&finished, None), games(&finished, Some((12, 12)))), ((12, 12), (12, 12)));
        let playing = Stage::Playing { definition: String::new() };
        assert_eq!((games(&playing, None), games(&playing, Some((3, 12)))), ((0, 0), (3, 12)));
    }
}
