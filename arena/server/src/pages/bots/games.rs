//! The games of a bot, and the fuel of its turns in them.

use std::path;
use std::sync::Arc;

use arena_record::Record;
use arena_runner::Archive;
use arena_store::{GameResult, PlayedGame};
use arena_wire::Game;

use super::place::Place;
use crate::app::App;
use crate::bot_games::BotGames;
use crate::fuel::Fuel;
use crate::games::GameId;
use crate::names::{Names, Who};
use crate::problem::Problem;
use crate::words;

/// A line of the bot's games.
pub(super) struct GameLine {
    pub(super) id: String,
    /// All other players of the game.
    pub(super) opponents: Vec<Who>,
    pub(super) colour: String,
    pub(super) result: GameResult,
    pub(super) score: String,
    pub(super) reason: String,
}

/// The games as lines.
pub(super) async fn lines_of(
    app: &App,
    game: &Game,
    place: &Place,
    played: &BotGames,
) -> Result<Vec<GameLine>, Problem> {
    let entrants = played.games.iter().flat_map(|played| played.game.entrants.values());
    let names = Names::of(app.store(), Some(game), place.edition(), entrants).await?;
    Ok(played.games.iter().filter_map(|played| game_line(&names, game, played)).collect())
}

fn game_line(names: &Names, game: &Game, played: &PlayedGame) -> Option<GameLine> {
    let result = played.result();
    let PlayedGame { tournament, entrant, game: played } = played;
    let (seat, _) = played.entrants.iter().find(|(_, seated)| *seated == entrant)?;
    let others = played.entrants.iter().filter(|(other, _)| *other != seat);
    let opponents = others.map(|(_, other)| names.who(other)).collect();
    let own = played.outcome.tally.get(seat.index()).copied().unwrap_or_default();
    let all: u64 = played.outcome.tally.iter().map(|tally| u64::from(*tally)).sum();
    Some(GameLine {
        id: GameId::Tournament(tournament.clone(), played.number).to_string(),
        opponents,
        colour: game.seat_name(seat),
        result,
        score: format!("{own}:{}", all - u64::from(own)),
        reason: words::reason(&played.outcome.reason).into(),
    })
}

/// Games whose fuel is read: the first of the list. A record may have some hundred kilobytes.
const FUEL_GAMES_MAX: usize = 12;

/// The fuel of the bot's turns in a list's games; `None` if none was metered or no record can be read.
pub(super) async fn fuel(app: &App, played: &BotGames) -> Option<Arc<Fuel>> {
    let first = played.games.first()?;
    let (entrant, path) = (first.entrant.clone(), &first.game.path);
    // Only games of the first one's edition and version; others are in other folders.
    let same = played.games.iter().filter(|played| played.entrant == entrant && played.game.path == *path);
    let numbers: Vec<usize> = same.take(FUEL_GAMES_MAX).map(|played| played.game.number as usize).collect();
    let folder = app.service().tournaments().join(path::Path::new(path));
    let name = format!("{entrant} {path} {numbers:?}");
    if let Some(known) = app.fuels.of(&name) {
        return known;
    }
    let read = move || {
        let archive = Archive::open(&folder).ok()?;
        let records: Vec<Record> = numbers.into_iter().filter_map(|number| archive.record(number).ok()).collect();
        Fuel::in_records(&records, &entrant).map(Arc::new)
    };
    let fuel = tokio::task::spawn_blocking(read).await.ok()?;
    app.fuels.keep(name, fuel.clone());
    fuel
}
