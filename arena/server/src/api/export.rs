//! Exports everything that is stored about an account.

use std::io;
use std::sync::Arc;

use arena_rooms::RoomId;
use arena_service::person_of_account;
use arena_store::{AccountId, Bot, PAGE_MAX, Page, PeopleGame, StoreError, Version, VersionState};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::ser::{Error as _, SerializeSeq};
use serde::{Serialize, Serializer};
use tokio::runtime::Handle;
use utoipa::ToSchema;

use super::accounts::AccountView;
use super::archives;
use super::bots::{BotView, VersionView};
use super::tokens::TokenView;
use super::tournaments::id_of;
use super::volunteers::VolunteerView;
use crate::app::App;
use crate::games;
use crate::identity::Signed;
use crate::limits::ROWS_MAX;
use crate::problem::{Problem, Result};
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
    /// The latest browsers in which it signed in, as hashes of what they keep.
    browsers: Vec<String>,
    /// Its tokens, without their secrets.
    tokens: Vec<TokenView>,
    /// Its bots.
    bots: Vec<BotView>,
    /// The versions of its bots.
    #[serde(serialize_with = "Lists::versions")]
    #[schema(value_type = Vec<ExportedVersion>)]
    versions: Arc<Lists>,
    /// The rooms that it opened or sat in, while they are kept; `/api/v1/rooms/ID` shows each.
    #[serde(serialize_with = "Lists::rooms")]
    #[schema(value_type = Vec<String>)]
    rooms: Arc<Lists>,
    /// The tournaments that it started, while they are kept; `/api/v1/tournaments/ID` shows each.
    #[serde(serialize_with = "Lists::tournaments")]
    #[schema(value_type = Vec<String>)]
    tournaments: Arc<Lists>,
    /// What it has in each world: its wallet, its slot, and the bot that plays for it. The worlds' logs have the calls
    /// it made.
    worlds: Vec<ExportedPlace>,
    /// Its finished games that the leaderboard of people is based on.
    #[serde(serialize_with = "Lists::games")]
    #[schema(value_type = Vec<ExportedGame>)]
    games: Arc<Lists>,
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

/// The lists of an export that may be long. Each is read while it is written, a page at a time, so that none is ever in
/// memory entirely.
struct Lists {
    app: App,
    account: AccountId,
    /// The account's bots.
    bots: Vec<Bot>,
    runtime: Handle,
}

impl Lists {
    fn versions<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (store, account) = (self.app.store(), self.account);
        let read = |page| store.versions_of(account, page);
        write(&self.runtime, serializer, read, |version| version.id, |version| self.version(version))
    }

    fn rooms<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (store, person) = (self.app.store(), person_of_account(self.account));
        let read = |page| store.rooms_of(person, page);
        write(&self.runtime, serializer, read, |room| *room, |room| Some(room.to_string()))
    }

    fn tournaments<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (store, account) = (self.app.store(), self.account);
        let read = |page| store.contests(Some(account), page);
        write(&self.runtime, serializer, read, |contest| contest.id, |contest| Some(id_of(contest.id)))
    }

    fn games<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let (store, account) = (self.app.store(), self.account);
        let read = |page| store.people_games_of(account, page);
        write(&self.runtime, serializer, read, |game| game.number, |game| Some(ExportedGame::of(game, account)))
    }

    /// A version; `None` if its bot was submitted only now.
    fn version(&self, version: &Version) -> Option<ExportedVersion> {
        let bot = self.bots.iter().find(|bot| bot.id == version.id.bot)?;
        let accepted = version.state == VersionState::Accepted;
        let hash = version.entrant.hash().filter(|_| accepted);
        Some(ExportedVersion {
            version: VersionView::of(&self.app, &bot.name, version),
            module: hash.map(|hash| format!("/api/v1/modules/{hash}")),
            logs: format!("/api/v1/bots/{}/versions/{}/logs", bot.name, version.id.number),
        })
    }
}

/// Writes a list while it is read, on a thread that may block: `key` is a row's place in the list, `shown` what is
/// written of it.
fn write<S: Serializer, K, R, T: Serialize, F: Future<Output = Result<Vec<R>, StoreError>>>(
    runtime: &Handle,
    serializer: S,
    read: impl Fn(Page<K>) -> F,
    key: impl Fn(&R) -> K,
    shown: impl Fn(&R) -> Option<T>,
) -> Result<S::Ok, S::Error> {
    let mut list = serializer.serialize_seq(None)?;
    let mut page = Page::first(PAGE_MAX);
    loop {
        let rows = runtime.block_on(read(page)).map_err(|error| S::Error::custom(Problem::from(error).detail))?;
        for row in rows.iter().filter_map(&shown) {
            list.serialize_element(&row)?;
        }
        let Some(last) = rows.last().filter(|_| rows.len() == PAGE_MAX as usize) else { return list.end() };
        page = Page::after(key(last), PAGE_MAX);
    }
}

/// All data stored about the account of the code or cookie, to save in a file.
#[utoipa::path(get, path = "/api/v1/account/export", security(("player_code" = [])),
    responses((status = 200, body = Export), (status = 401), (status = 429), (status = 503)))]
pub(crate) async fn show(app: App, taker: Taker, Signed(account): Signed) -> Result<Response> {
    let store = app.store();
    let bots = store.bots_of(account.id, Page::first(ROWS_MAX)).await?;
    let tokens = store.tokens_of(account.id).await?;
    let browsers = store.browsers_of(&[account.id]).await?;
    let mut worlds = Vec::new();
    for world in app.service().worlds().all() {
        let (coins, slot) = (world.balance(account.id).await, world.slot_of(account.id).await);
        let bot = world.seated().await.into_iter().find(|(id, _)| *id == account.id).map(|(_, bot)| bot.to_string());
        if coins > 0 || slot.is_some() || bot.is_some() {
            worlds.push(ExportedPlace { world: world.name().to_string(), coins, slot, bot });
        }
    }
    let volunteer = store.volunteer(account.id).await?;
    let views = bots.iter().map(|bot| BotView::of(&app, bot)).collect();
    let lists = Arc::new(Lists { app, account: account.id, bots, runtime: Handle::current() });
    let export = Export {
        worlds,
        volunteer: volunteer.as_ref().map(|volunteer| VolunteerView::of(volunteer, &account.name)),
        account: (&account).into(),
        created_at: account.created_at.0,
        browsers: browsers.into_values().flatten().map(|browser| browser.to_string()).collect(),
        tokens: tokens.iter().map(TokenView::from).collect(),
        bots: views,
        versions: lists.clone(),
        rooms: lists.clone(),
        tournaments: lists.clone(),
        games: lists,
    };
    let body = archives::body(&taker, move |sink| serde_json::to_writer(sink, &export).map_err(io::Error::from))?;
    let head = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "no-store"),
        (CONTENT_DISPOSITION, "attachment; filename=\"life-arena-account.json\""),
    ];
    Ok((head, body).into_response())
}

/// The records of the account's finished games in rooms, while they are kept: `curl ADDRESS | tar -x`. `arena replay`
/// and `arena verify` take each.
#[utoipa::path(get, path = "/api/v1/account/games.tar", security(("player_code" = [])),
    responses((status = 200, body = Vec<u8>, content_type = "application/x-tar"), (status = 401), (status = 429),
        (status = 503)))]
pub(crate) async fn games(app: App, taker: Taker, Signed(account): Signed) -> Result<Response> {
    let rooms = rooms_of(&app, account.id).await?;
    let runtime = Handle::current();
    let sent = archives::send(GAMES, &taker, move |archive| {
        for room in rooms {
            // A game in progress has no record yet, and a removed one no record any more.
            let Ok((_, text)) = runtime.block_on(games::record(app.service(), &room.to_string())) else { continue };
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(READABLE);
            archive.append_data(&mut header, format!("{GAMES}/{room}.json"), text.as_bytes())?;
        }
        Ok(())
    })?;
    Ok(([(CACHE_CONTROL, "no-store")], sent).into_response())
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

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use tokio::runtime::Runtime;

    use super::*;

    #[test]
    fn a_list_of_several_pages_is_written_to_its_end_or_is_an_error() {
        let runtime = Runtime::new().expect("a runtime");
        // The rows of two pages, the second of which cannot always be read.
        let written = |second: fn() -> Result<Vec<u32>, StoreError>| {
            let (asked, mut text) = (Cell::new(0), Vec::<u8>::new());
            let read = |_: Page<u32>| {
                asked.set(asked.get() + 1);
                let rows = if asked.get() == 1 { Ok((0..PAGE_MAX).collect()) } else { second() };
                async move { rows }
            };
            let into = &mut serde_json::Serializer::new(&mut text);
            let done = write(runtime.handle(), into, read, |row| *row, |row| (row % 2 == 0).then_some(*row));
            done.map(|()| serde_json::from_slice::<Vec<u32>>(&text).expect("a list"))
        };
        let even = |until: u32| (0..until).step_by(2).collect::<Vec<u32>>();
        assert_eq!(written(|| Ok(vec![PAGE_MAX, PAGE_MAX + 1])).expect("written"), even(PAGE_MAX + 2));
        assert_eq!(written(|| Ok(Vec::new())).expect("written"), even(PAGE_MAX));
        assert!(written(|| Err(StoreError::NoSpace)).is_err(), "a part is not the list");
    }
}
