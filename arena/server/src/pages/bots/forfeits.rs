//! The games that a bot lost by its own faults.

use std::cmp::Reverse;
use std::path;

use arena_record::Forfeit;
use arena_runner::Archive;
use arena_store::{Bot, GameResult, PlayedGame};
use arena_tournaments::Value;
use arena_wire::Game;

use super::place::Place;
use crate::api::standings::row;
use crate::app::App;
use crate::bot_games::{self, Wanted};
use crate::games::GameId;
use crate::problem::Problem;
use crate::text;

/// The games of an edition that a bot lost by its own faults.
pub(super) struct Forfeits {
    /// How many by each code, the most frequent first.
    pub(super) codes: Vec<(String, u32)>,
    /// All games that it played.
    pub(super) games: String,
    /// One of them, with what happened there.
    pub(super) example: Option<(String, String)>,
}

impl Forfeits {
    /// How many there are.
    pub(super) fn count(&self) -> u32 {
        self.codes.iter().map(|(_, count)| count).sum()
    }

    /// The forfeits of a bot in its latest edition, with the first of the games that ended by one.
    pub(super) async fn of(
        app: &App,
        game: &'static Game,
        place: &Place,
        name: &str,
        bot: Option<&Bot>,
    ) -> Result<Option<Forfeits>, Problem> {
        let Some((edition, row)) = place.edition().and_then(|edition| Some((edition, row(edition, name)?))) else {
            return Ok(None);
        };
        let Some(Value::Forfeits(forfeits)) = edition.standings.value(row, "forfeits") else { return Ok(None) };
        let mut codes: Vec<(String, u32)> = forfeits.iter().map(|(code, count)| (code.to_string(), *count)).collect();
        codes.retain(|(_, count)| *count > 0);
        if codes.is_empty() {
            return Ok(None);
        }
        codes.sort_by_key(|(_, count)| Reverse(*count));
        let games = edition.standings.value(row, "games").map_or_else(String::new, Value::to_string);
        let wanted = Wanted { game: Some(game.name().into()), ..Wanted::of_forfeits() };
        let lost = bot_games::find(app, game, name, bot, &wanted).await?;
        let example = match lost.games.iter().find(|played| played.result() == GameResult::Lost) {
            Some(played) => what_happened(app, played).await,
            None => None,
        };
        Ok(Some(Forfeits { codes, games, example }))
    }
}

/// The id of a game that a bot lost by forfeit, and what happened there; `None` if its record cannot be read.
async fn what_happened(app: &App, played: &PlayedGame) -> Option<(String, String)> {
    let id = GameId::Tournament(played.tournament.clone(), played.game.number).to_string();
    let known = app.faults.of(&id);
    let fault = match known {
        Some(known) => known,
        None => {
            let folder = app.service().tournaments().join(path::Path::new(&played.game.path));
            let number = played.game.number as usize;
            let record = tokio::task::spawn_blocking(move || Archive::open(&folder).ok()?.record(number).ok());
            let fault = record.await.ok()??.forfeits.first().cloned();
            app.faults.keep(id.clone(), fault.clone());
            fault
        }
    };
    let Forfeit { turn, code, detail, .. } = fault?;
    let what = match turn {
        Some(turn) => text::bot_failed_in_turn(code, detail, u32::from(turn) + 1),
        None => text::bot_failed_before_the_first_turn(code, detail),
    };
    Some((id, what.into()))
}
