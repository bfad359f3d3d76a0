//! Games of tournaments that other processes play for the site: the site's own workers and those of accounts, all by
//! `arena worker`.

use arena_record::{EntrantId, Hex};
use arena_store::{Claimed, DisplayName, NewEnd, Taken, TournamentId, VOLUNTEER_FIRST_GAMES};
use axum::extract::Path;
use axum::http::StatusCode;
use axum::http::header::CONTENT_TYPE;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Json;
use crate::app::App;
use crate::identity::Plays;
use crate::problem::{Code, Problem, Result};

/// Numbers of forged games for which pages show the chance.
pub(crate) const FORGED: [u32; 6] = [1, 5, 10, 20, 50, 100];

/// A request for games.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClaimWanted {
    /// The semantics ids of the games that the worker can play: what their results depend on.
    pub semantics: Vec<String>,
    /// The most games to claim.
    #[schema(maximum = 64)]
    pub games: usize,
    /// How long to lease them, in milliseconds.
    pub lease_ms: u64,
}

/// The right to play a game until it expires.
#[derive(Clone, Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Lease {
    /// The tournament it belongs to.
    pub tournament: String,
    /// The game.
    pub key: String,
    /// How often the game has been claimed.
    pub token: u64,
}

/// A claimed game.
#[derive(Deserialize, Serialize, ToSchema)]
pub struct ClaimedGame {
    /// Its lease.
    pub lease: Lease,
    /// The game, in the format of the arena's own programs.
    pub job: String,
}

/// Another release whose games wait.
#[derive(Deserialize, Serialize, ToSchema)]
pub struct OtherRelease {
    /// The semantics id of its games.
    pub semantics: String,
    /// The build that offers them.
    pub build: String,
}

/// Claimed games.
#[derive(Deserialize, Serialize, ToSchema)]
pub struct Claim {
    /// The games.
    pub games: Vec<ClaimedGame>,
    /// Other releases whose games wait; listed only if there is no game to claim.
    pub others: Vec<OtherRelease>,
}

/// Leases to renew.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Renewal {
    /// The leases.
    pub leases: Vec<Lease>,
    /// The time until they expire, in milliseconds from now.
    pub lease_ms: u64,
}

/// Leases.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Leases {
    /// The leases.
    pub leases: Vec<Lease>,
}

/// The result of a game.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct End {
    /// The lease under which it was played.
    pub lease: Lease,
    /// Whether the game is void.
    pub is_void: bool,
    /// The result, in the format of the arena's own programs.
    pub text: String,
}

/// Results of games.
#[derive(Deserialize, Serialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Ends {
    /// One result for each game.
    pub ends: Vec<End>,
}

/// The verdict on a submitted result.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Became {
    /// It was taken. The answer does not say whether other workers play the game, too.
    Taken,
    /// Nobody asks for the game any more.
    Unwanted,
    /// The site's own workers say otherwise.
    Wrong,
    /// This was never a lease of the account's, or the game was claimed twice since.
    Foreign,
}

/// The verdicts, in the order of the results.
#[derive(Deserialize, Serialize, ToSchema)]
pub struct Taking {
    /// One verdict for each result.
    pub taken: Vec<Became>,
}

/// The accounts that play games for the site.
#[derive(Serialize, ToSchema)]
pub(crate) struct VolunteersView {
    /// The share of their games that the site's own workers play too.
    pub(crate) share: f64,
    /// The number of first games of each account that are all played again.
    pub(crate) first_games: u64,
    /// The probability that forged games after these stay undetected.
    pub(crate) undetected: Vec<Undetected>,
    /// Accounts that submitted games, the most games first.
    pub(crate) volunteers: Vec<VolunteerView>,
}

/// The probability that a number of forged games stays undetected.
#[derive(Serialize, ToSchema)]
pub(crate) struct Undetected {
    /// The number of forged games.
    pub(crate) games: u32,
    /// The probability, from 0 to 1.
    pub(crate) chance: f64,
}

/// An account that plays games for the site.
#[derive(Serialize, ToSchema)]
pub(crate) struct VolunteerView {
    /// Its name.
    pub(crate) name: String,
    /// The games that it submitted.
    pub(crate) games: u64,
    /// How many of them one of the site's own workers played too, with the same result.
    pub(crate) verified: u64,
    /// Whether it gets no more games, because it submitted wrong results.
    pub(crate) banned: bool,
}

impl VolunteerView {
    pub(crate) fn of(volunteer: &arena_store::Volunteer, name: &DisplayName) -> VolunteerView {
        let arena_store::Volunteer { games, verified, .. } = *volunteer;
        VolunteerView { name: name.to_string(), games, verified, banned: volunteer.banned.is_some() }
    }
}

impl From<&arena_store::Lease> for Lease {
    fn from(lease: &arena_store::Lease) -> Lease {
        Lease { tournament: lease.tournament.to_string(), key: lease.key.to_string(), token: lease.token }
    }
}

impl Lease {
    /// The lease in this text; `None` if the text is not one.
    pub fn parsed(&self) -> Option<arena_store::Lease> {
        let tournament = TournamentId::parse(&self.tournament).ok()?;
        let key: Hex<32> = self.key.parse().ok()?;
        Some(arena_store::Lease { tournament, key, token: self.token })
    }
}

fn parsed(leases: &[Lease]) -> Result<Vec<arena_store::Lease>> {
    let not_one = || {
        let hint = "send leases as they were claimed";
        Problem::new(Code::BadLease, "this is not a lease of a game", hint)
    };
    leases.iter().map(|lease| lease.parsed().ok_or_else(not_one)).collect()
}

impl From<Taken> for Became {
    fn from(taken: Taken) -> Became {
        match taken {
            Taken::Counts | Taken::Disputed => Became::Taken,
            Taken::Unwanted => Became::Unwanted,
            Taken::Wrong => Became::Wrong,
            Taken::Foreign => Became::Foreign,
        }
    }
}

impl From<Became> for Taken {
    fn from(became: Became) -> Taken {
        match became {
            Became::Taken => Taken::Counts,
            Became::Unwanted => Taken::Unwanted,
            Became::Wrong => Taken::Wrong,
            Became::Foreign => Taken::Foreign,
        }
    }
}

pub(crate) async fn view(app: &App) -> Result<VolunteersView> {
    let volunteers = app.service().volunteers().ok_or_else(Problem::no_volunteers)?;
    let all = app.store().volunteers().await?;
    let accounts: Vec<_> = all.iter().map(|volunteer| volunteer.account).collect();
    let names = app.store().names_of(&accounts).await?;
    let shown = all.iter().filter_map(|volunteer| {
        let name = names.get(&volunteer.account)?;
        Some(VolunteerView::of(volunteer, name))
    });
    let chance = |games: u32| Undetected { games, chance: volunteers.share.undetected(games) };
    Ok(VolunteersView {
        share: volunteers.share.part(),
        first_games: VOLUNTEER_FIRST_GAMES,
        undetected: FORGED.map(chance).into(),
        volunteers: shown.collect(),
    })
}

/// Accounts that play tournament games for the site, and the probability that a forger among them stays undetected.
#[utoipa::path(get, path = "/api/v1/volunteers", responses((status = 200, body = VolunteersView), (status = 404)))]
pub(crate) async fn show(app: App) -> Result<axum::Json<VolunteersView>> {
    Ok(axum::Json(view(&app).await?))
}

/// Claims games. An account gets only games that nobody has played, at most 64 at once, each for a minute at most.
#[utoipa::path(post, path = "/api/v1/volunteers/claims", request_body = ClaimWanted, security(("player_code" = [])),
    responses((status = 200, body = Claim), (status = 401), (status = 403), (status = 404), (status = 413),
        (status = 429)))]
pub(crate) async fn claim(
    app: App,
    Plays(worker): Plays,
    Json(wanted): Json<ClaimWanted>,
) -> Result<axum::Json<Claim>> {
    let ClaimWanted { semantics, games, lease_ms } = wanted;
    if !semantics.iter().all(|id| id.parse::<Hex<32>>().is_ok()) {
        let hint = "send those of your release: `arena --version` prints them";
        let detail = "semantics ids are 64 digits in lower-case hex";
        return Err(Problem::new(Code::BadSemantics, detail, hint));
    }
    let claim = app.store().claim(&worker, &semantics, games, lease_ms).await?;
    let game = |Claimed { lease, job }: Claimed| ClaimedGame { lease: (&lease).into(), job };
    let other = |arena_store::OtherRelease { semantics, build }| OtherRelease { semantics, build };
    Ok(axum::Json(Claim {
        games: claim.games.into_iter().map(game).collect(),
        others: claim.others.into_iter().map(other).collect(),
    }))
}

/// Renews leases. The answer has those that are lost: their games are over, or claimed by another by now.
#[utoipa::path(post, path = "/api/v1/volunteers/renewals", request_body = Renewal, security(("player_code" = [])),
    responses((status = 200, body = Leases), (status = 401), (status = 403), (status = 404), (status = 413),
        (status = 422)))]
pub(crate) async fn renew(app: App, Plays(worker): Plays, Json(renewal): Json<Renewal>) -> Result<axum::Json<Leases>> {
    let lost = app.store().renew(&worker, &parsed(&renewal.leases)?, renewal.lease_ms).await?;
    Ok(axum::Json(Leases { leases: lost.iter().map(Lease::from).collect() }))
}

/// Gives leases back, so that others can have the games at once.
#[utoipa::path(post, path = "/api/v1/volunteers/returns", request_body = Leases, security(("player_code" = [])),
    responses((status = 204), (status = 401), (status = 403), (status = 404), (status = 413), (status = 422)))]
pub(crate) async fn hand_back(app: App, Plays(worker): Plays, Json(leases): Json<Leases>) -> Result<StatusCode> {
    app.store().hand_back(&worker, &parsed(&leases.leases)?).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Submits the results of games. Records are checked by the rules, and the site's own workers play some games again. An
/// account that submitted a wrong result gets no more games, and all of its games that nobody else played are played
/// again in tournaments that are not finished.
#[utoipa::path(post, path = "/api/v1/volunteers/ends", request_body = Ends, security(("player_code" = [])),
    responses((status = 200, body = Taking), (status = 401), (status = 403), (status = 404), (status = 413),
        (status = 422)))]
pub(crate) async fn submit(app: App, Plays(worker): Plays, Json(ends): Json<Ends>) -> Result<axum::Json<Taking>> {
    let leases: Vec<Lease> = ends.ends.iter().map(|end| end.lease.clone()).collect();
    let ends = parsed(&leases)?.into_iter().zip(ends.ends);
    let ends = ends.map(|(lease, End { is_void, text, .. })| NewEnd { lease, is_void, is_sampled: false, text });
    let ends = ends.collect::<Vec<NewEnd>>();
    let taken = match app.service().volunteers().filter(|_| worker.volunteer().is_some()) {
        Some(volunteers) => volunteers.submit(&worker, ends).await?,
        None => app.store().submit_ends(&worker, &ends).await?,
    };
    Ok(axum::Json(Taking { taken: taken.into_iter().map(Became::from).collect() }))
}

/// The bytes of a bot in games that are to be played, by their hash.
#[utoipa::path(get, path = "/api/v1/volunteers/modules/{hash}", params(("hash" = String, Path)),
    security(("player_code" = [])),
    responses((status = 200, body = Vec<u8>, content_type = "application/wasm"), (status = 401), (status = 404)))]
pub(crate) async fn module(app: App, Plays(_): Plays, Path(hash): Path<String>) -> Result<Response> {
    let missing =
        || Problem::new(Code::NoSuchModule, "no game that waits to be played has this bot", "claim games first");
    let id: EntrantId = format!("sha256:{hash}").parse().map_err(|_| missing())?;
    let bytes = app.store().module_in_queue(&id).await?.ok_or_else(missing)?;
    Ok(([(CONTENT_TYPE, "application/wasm")], bytes).into_response())
}
