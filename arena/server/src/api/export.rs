//! Exports everything that is stored about an account.

use arena_rooms::RoomId;
use arena_service::person_of_account;
use arena_store::{AccountId, ContestId, PAGE_MAX, Page, PeopleGame, StoreError, Version};
use axum::extract::State;
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use tokio::runtime::Handle;
use utoipa::ToSchema;

use super::accounts::AccountView;
use super::archives::{self, Archive};
use super::bots::{BotView, VersionView};
use super::tokens::TokenView;
use super::tournaments::id_of;
use super::volunteers::VolunteerView;
use crate::app::App;
use crate::games;
use crate::identity::Signed;
use crate::limits::ROWS_MAX;
use crate::problem::Problem;
use crate::visitors::Taker;

/// The name of the archive of an account's games, and of the folder in it.
const GAMES: &str = "life-arena-games";

/// The mode of the files in it.
const READABLE: u32 = 0o644;

/// All data stored about an account.
#[derive(Serialize, ToSchema)]
pub(crate) struct Export {
    /// The account.
    #[serde(flatten)]
    account: AccountView,
    /// When it was created, in seconds since 1970.
    created_at: i64,
    /// Its tokens, without their secrets.
    tokens: Vec<TokenView>,
    /// Its bots.
    bots: Vec<BotView>,
    /// The versions of its bots.
    versions: Vec<ExportedVersion>,
    /// The rooms that it opened or sat in, while they are kept; `/api/v1/rooms/ID` shows each.
    rooms: Vec<String>,
    /// The tournaments that it started, while they are kept; `/api/v1/tournaments/ID` shows each.
    tournaments: Vec<String>,
    /// What it has in each world: its wallet, its slot, and the bot that plays for it. The worlds' logs have the calls it made.
    worlds: Vec<ExportedPlace>,
    /// Its finished games that the leaderboard of people is based on.
    games: Vec<ExportedGame>,
    /// The tournament games that its own workers played for the site.
    #[serde(skip_serializing_if = "Option::is_none")]
    volunteer: Option<VolunteerView>,
}

/// An account's place in a world.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedPlace {
    /// The world.
    world: String,
    /// Coins in its wallet.
    coins: u64,
    /// Its slot, from 1.
    slot: Option<u8>,
    /// The bot that plays for it: `sha256:` and the hash of its bytes, or a built-in opponent.
    bot: Option<String>,
}

/// A finished game.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedGame {
    /// The room where it was played, while that is kept.
    room: String,
    /// What is kept of it: who played, how it ended, when, and how long it took.
    #[schema(value_type = Object)]
    game: serde_json::Value,
    /// Why the operator annulled it, if so.
    #[serde(skip_serializing_if = "Option::is_none")]
    annulled: Option<String>,
}

/// A version, with the addresses of its bytes and logs.
#[derive(Serialize, ToSchema)]
pub(crate) struct ExportedVersion {
    /// The version.
    #[serde(flatten)]
    version: VersionView,
    /// The address of its bytes; absent until they are accepted.
    module: Option<String>,
    /// The address of the logs of its sample games.
    logs: String,
}

impl ExportedGame {
    /// A game for one of its accounts. The other player's browser is left out.
    fn of(kept: &PeopleGame, account: AccountId) -> ExportedGame {
        let mut game: serde_json::Value = serde_json::from_str(&kept.game).unwrap_or_else(|_| kept.game.clone().into());
        let own = serde_json::json!(person_of_account(account));
        for side in game["sides"].as_array_mut().into_iter().flatten() {
            if side["who"]["account"] != own {
                side["browser"] = serde_json::Value::Null;
            }
        }
        ExportedGame { room: kept.room.to_string(), game, annulled: kept.annulled.clone() }
    }
}

/// All data stored about the account of the code or cookie, to save in a file.
#[utoipa::path(get, path = "/api/v1/account/export", security(("player_code" = [])),
    responses((status = 200, body = Export), (status = 401, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, Signed(account): Signed) -> Result<Response, Problem> {
    let store = app.store();
    let bots = store.bots_of(account.id, Page::first(ROWS_MAX)).await?;
    let tokens = store.tokens_of(account.id).await?;
    // Page by page; an account has a limited number of bots, and a bot of versions.
    let (mut versions, mut page): (Vec<Version>, _) = (Vec::new(), Page::first(PAGE_MAX));
    loop {
        let some = store.versions_of(account.id, page).await?;
        let last = some.last().map(|version| version.id).filter(|_| some.len() == PAGE_MAX as usize);
        versions.extend(some);
        let Some(last) = last else { break };
        page = Page::after(last, PAGE_MAX);
    }
    let rooms = rooms_of(&app, account.id).await?;
    let (mut tournaments, mut page): (Vec<ContestId>, _) = (Vec::new(), Page::first(PAGE_MAX));
    loop {
        let some = store.contests(Some(account.id), page).await?;
        let last = some.last().map(|contest| contest.id).filter(|_| some.len() == PAGE_MAX as usize);
        tournaments.extend(some.into_iter().map(|contest| contest.id));
        let Some(last) = last else { break };
        page = Page::after(last, PAGE_MAX);
    }
    let (mut games, mut page): (Vec<PeopleGame>, _) = (Vec::new(), Page::first(PAGE_MAX));
    loop {
        let some = store.people_games_of(account.id, page).await?;
        let last = some.last().map(|game| game.number).filter(|_| some.len() == PAGE_MAX as usize);
        games.extend(some);
        let Some(last) = last else { break };
        page = Page::after(last, PAGE_MAX);
    }
    let exported = |version: &Version| {
        let bot = bots.iter().find(|bot| bot.id == version.id.bot)?;
        let accepted = version.state == arena_store::VersionState::Accepted;
        let hash = version.entrant.hash().filter(|_| accepted);
        Some(ExportedVersion {
            version: VersionView::of(&app, &bot.name, version),
            module: hash.map(|hash| format!("/api/v1/modules/{hash}")),
            logs: format!("/api/v1/bots/{}/versions/{}/logs", bot.name, version.id.number),
        })
    };
    let mut worlds = Vec::new();
    for world in app.service().worlds() {
        let (coins, slot) = (world.balance(account.id).await, world.slot_of(account.id).await);
        let bot = world.seated().await.into_iter().find(|(id, _)| *id == account.id).map(|(_, bot)| bot.to_string());
        if coins > 0 || slot.is_some() || bot.is_some() {
            worlds.push(ExportedPlace { world: world.name().to_string(), coins, slot, bot });
        }
    }
    let volunteer = store.volunteer(account.id).await?;
    let export = Export {
        worlds,
        volunteer: volunteer.as_ref().map(|volunteer| VolunteerView::of(volunteer, &account.name)),
        account: (&account).into(),
        created_at: account.created_at.0,
        tokens: tokens.iter().map(TokenView::from).collect(),
        bots: bots.iter().map(|bot| BotView::of(&app, bot)).collect(),
        versions: versions.iter().filter_map(exported).collect(),
        rooms: rooms.iter().map(RoomId::to_string).collect(),
        tournaments: tournaments.into_iter().map(id_of).collect(),
        games: games.iter().map(|game| ExportedGame::of(game, account.id)).collect(),
    };
    let head = [(CACHE_CONTROL, "no-store"), (CONTENT_DISPOSITION, "attachment; filename=\"life-arena-account.json\"")];
    Ok((head, axum::Json(export)).into_response())
}

/// The records of the account's finished games in rooms, while they are kept: `curl ADDRESS | tar -x`. `arena replay` and `arena
/// verify` take each.
#[utoipa::path(get, path = "/api/v1/account/games.tar", security(("player_code" = [])),
    responses((status = 200, body = Vec<u8>, content_type = "application/x-tar"), (status = 401, body = Problem),
        (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn games(State(app): State<App>, taker: Taker, Signed(account): Signed) -> Result<Response, Problem> {
    let rooms = rooms_of(&app, account.id).await?;
    let runtime = Handle::current();
    let pack = move |archive: &mut Archive| {
        for room in rooms {
            // A game in progress has no record yet, and a removed one no record any more.
            let Ok((_, text)) = runtime.block_on(games::record(app.service(), &room.to_string())) else { continue };
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(READABLE);
            archive.append_data(&mut header, format!("{GAMES}/{room}.json"), text.as_bytes())?;
        }
        Ok(())
    };
    Ok(([(CACHE_CONTROL, "no-store")], archives::send(GAMES, &taker, pack)?).into_response())
}

/// All rooms that an account opened or sat in, as far as they are kept.
async fn rooms_of(app: &App, account: AccountId) -> Result<Vec<RoomId>, StoreError> {
    let (mut rooms, mut page): (Vec<RoomId>, _) = (Vec::new(), Page::first(PAGE_MAX));
    loop {
        let some = app.store().rooms_of(person_of_account(account), page).await?;
        let last = some.last().copied().filter(|_| some.len() == PAGE_MAX as usize);
        rooms.extend(some);
        let Some(last) = last else { return Ok(rooms) };
        page = Page::after(last, PAGE_MAX);
    }
}
