//! Pictures of games and bots, for previews on other sites.

use std::sync::Arc;

use arena_store::{BotError, GameResult};
use arena_wire::Game;
use axum::extract::{Path, Query};
use axum::http::HeaderName;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Redirect, Response};

use crate::api::bots::{find, game_of};
use crate::app::App;
use crate::bot_games::{self, Wanted};
use crate::games::{self, GameId};
use crate::preview::draw;
use crate::problem::{Code, Problem, Result};
use crate::text;
use crate::words::result_word;

/// How long others may cache the picture of a bot: about as long as an edition takes.
const BOT_KEPT: &str = "public, max-age=3600";

/// The preview of a page.
pub(crate) struct Card {
    /// The absolute addresses of the page and its picture.
    pub(crate) url: String,
    pub(crate) picture: String,
    pub(crate) title: String,
    pub(crate) text: String,
}

impl Card {
    /// The preview of the page at this path.
    pub(crate) fn of(base: &str, path: &str, title: String, text: String) -> Card {
        Card { url: format!("{base}{path}"), picture: format!("{base}{path}/picture.png"), title, text }
    }

    /// The same where page and picture are those of a built-in opponent in this game: several games may have one of its
    /// name.
    pub(crate) fn in_game(self, game: &Game) -> Card {
        let with = |address: String| format!("{address}?game={}", game.name());
        Card { url: with(self.url), picture: with(self.picture), ..self }
    }
}

/// The last board of a finished game.
pub(crate) async fn game(app: App, Path(id): Path<String>) -> Result<Response> {
    if let Some(picture) = app.previews.of(&id) {
        return Ok(sent(picture));
    }
    let (record, _) = games::record(app.service(), &id).await?;
    let failed = |error: &dyn std::error::Error| {
        Problem::new(Code::NoPicture, "this game has no picture", "its record says all there is").caused_by(error)
    };
    let drawn = tokio::task::spawn_blocking(move || draw(&record)).await.map_err(|error| failed(&error))?;
    let picture: Arc<[u8]> = drawn.map_err(|error| failed(&error))?.into();
    app.previews.keep(id, picture.clone());
    Ok(sent(picture))
}

/// A game that a bot won in the latest edition; if it won none, one that it played. Of what may be asked, only the game
/// counts.
pub(crate) async fn bot(app: App, Path(name): Path<String>, Query(asked): Query<Wanted>) -> Result<Response> {
    let any = Wanted { game: asked.game, ..Wanted::default() };
    let won = Wanted { result: Some(result_word(&GameResult::Won).into()), ..any.clone() };
    for wanted in [won, any] {
        let played = match bot_games::game_of_built_in(&name, &wanted)? {
            Some(game) => bot_games::find(&app, game, &name, None, &wanted).await?,
            None => {
                let bot = find(&app, &name).await?;
                let game = game_of(&bot).ok_or(BotError::NoSuchBot)?;
                bot_games::find(&app, game, bot.name.as_str(), Some(&bot), &wanted).await?
            }
        };
        if let Some(first) = played.games.first() {
            let game = GameId::Tournament(first.tournament.clone(), first.game.number);
            let kept = [(CACHE_CONTROL, BOT_KEPT)];
            return Ok((kept, Redirect::temporary(&format!("/games/{game}/picture.png"))).into_response());
        }
    }
    let unplayed = Problem::new(Code::NoSuchGame, "this bot has played no game yet", "its page says when it does");
    Err(unplayed.saying(text::refused_no_game_yet()).advising(text::hint_its_page_says()))
}

/// A picture that other sites may show.
fn sent(picture: Arc<[u8]>) -> Response {
    let head = [
        (CONTENT_TYPE, "image/png"),
        (CACHE_CONTROL, "public, max-age=86400"),
        (HeaderName::from_static("cross-origin-resource-policy"), "cross-origin"),
    ];
    (head, picture.to_vec()).into_response()
}
