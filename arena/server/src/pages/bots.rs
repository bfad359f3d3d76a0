//! `/bots/NAME` and the verdicts on its versions.

use std::sync::Arc;

use arena_record::{EntrantId, Objection};
use arena_runner::Contender;
use arena_service::Edition;
use arena_store::{IndexedGame, Page, Version, VersionState};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;
use serde::Deserialize;

use super::games::Log;
use super::standings::{Line, lines};
use super::{Shell, date, page};
use crate::api::bots::{UNJUDGEABLE, find, find_version, game_of, word};
use crate::api::logs::of_samples;
use crate::app::App;
use crate::games::GameId;
use crate::identity::Visitor;
use crate::limits::ROWS_MAX;
use crate::names::{GameLink, Names, Who};
use crate::problem::{Problem, sentence};

/// A line of the bot's games.
pub(crate) struct GameLine {
    pub(crate) id: String,
    /// Everybody else at the board.
    pub(crate) opponents: Vec<Who>,
    pub(crate) colour: String,
    pub(crate) result: &'static str,
    pub(crate) score: String,
    pub(crate) reason: String,
}

/// A line of the bot's versions.
struct VersionLine {
    number: u32,
    state: &'static str,
    code: String,
    active: bool,
    size: u64,
    date: String,
    hash: String,
}

#[derive(Template)]
#[template(path = "bot.html")]
struct BotPage {
    shell: Shell,
    name: String,
    /// What its game is called, and the game's name in addresses.
    title: String,
    game: String,
    /// Whether people can play against it.
    rooms: bool,
    /// The other games in which a built-in opponent has this name.
    elsewhere: Vec<GameLink>,
    /// Whether the visitor is its owner, who may read its logs.
    own: bool,
    /// Whose it is; none for a built-in opponent.
    owner: Option<String>,
    plays: bool,
    place: Option<Line>,
    /// The older bot with the same bytes, which plays for both.
    plays_as: Option<String>,
    edition: u32,
    versions: Vec<VersionLine>,
    games: Vec<GameLine>,
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(OfGame { game }): Query<OfGame>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let visitor = visitor.unwrap_or_default();
    let shell = Shell::new(&visitor, "standings");
    let built_in: Vec<&'static Game> =
        GAMES.iter().filter(|game| Contender::baseline(game.ruleset, &name).is_ok()).collect();
    let wanted = game.as_deref().and_then(|name| Game::named(name).ok());
    let chosen = built_in.iter().find(|game| wanted.is_none_or(|wanted| wanted.ruleset == game.ruleset));
    if let Some(game) = chosen.or(built_in.first()) {
        let place = Place::of(&app, game, &name);
        let id = Contender::baseline(game.ruleset, &name).ok().map(|contender| contender.id());
        let others = built_in.iter().copied().filter(|other| other.ruleset != game.ruleset);
        return page(&BotPage {
            shell,
            owner: None,
            plays: true,
            games: games(&app, game, place.edition(), id.as_ref()).await?,
            elsewhere: GameLink::all(others, game),
            ..BotPage::empty(&name, Some(*game), place)
        });
    }
    let bot = find(&app, &name).await?;
    let game = game_of(&bot);
    let place = game.map_or_else(Place::default, |game| Place::of(&app, game, bot.name.as_str()));
    let active = bot.active.map(|active| active.number);
    let versions = app.store().versions(bot.id, Page::first(ROWS_MAX)).await?;
    let games = match game {
        Some(game) => games(&app, game, place.edition(), place.entrant(bot.name.as_str())).await?,
        None => Vec::new(),
    };
    let playing = match bot.active.map(|active| (active, versions.iter().find(|version| version.id == active))) {
        Some((_, Some(version))) => Some(version.clone()),
        // Older than those that are shown.
        Some((active, None)) => app.store().version(active).await?,
        None => None,
    };
    let plays_as = match playing.map(|version| version.entrant) {
        Some(id) => Some(Names::of(app.store(), place.edition(), [&id]).await?.who(&id).name),
        None => None,
    };
    let plays_as = plays_as.filter(|name| name != bot.name.as_str());
    page(&BotPage {
        shell,
        owner: Some(bot.owner.to_string()),
        own: visitor.account.as_ref().is_some_and(|account| account.id == bot.account),
        plays: active.is_some(),
        plays_as,
        title: game.map_or_else(|| bot.game.clone(), |game| game.title.into()),
        versions: versions.iter().map(|version| version_line(version, active)).collect(),
        games,
        ..BotPage::empty(bot.name.as_str(), game, place)
    })
}

/// Which of the games in which a built-in opponent has one name.
#[derive(Deserialize)]
pub(crate) struct OfGame {
    game: Option<String>,
}

/// Where a bot stands in the latest edition of its game.
#[derive(Default)]
struct Place {
    edition: Option<Arc<Edition>>,
    line: Option<Line>,
}

impl Place {
    fn of(app: &App, game: &Game, name: &str) -> Place {
        let Some(edition) = app.service().standing(game).edition.clone() else { return Place::default() };
        let line = lines(game, &edition.standings).into_iter().find(|line| line.name.eq_ignore_ascii_case(name));
        Place { edition: Some(edition), line }
    }

    fn edition(&self) -> Option<&Edition> {
        self.edition.as_deref()
    }

    /// The id that the bot played with.
    fn entrant(&self, name: &str) -> Option<&EntrantId> {
        let entrants = &self.edition()?.entrants;
        entrants.iter().find(|(entrant, _)| entrant.eq_ignore_ascii_case(name)).map(|(_, id)| id)
    }
}

impl BotPage {
    /// What the game and the latest edition say.
    fn empty(name: &str, game: Option<&'static Game>, place: Place) -> BotPage {
        BotPage {
            shell: Shell { account: None, here: "standings" },
            name: name.into(),
            title: game.map(|game| game.title.into()).unwrap_or_default(),
            game: game.map(|game| game.name().into()).unwrap_or_default(),
            rooms: game.is_some_and(Game::suits_rooms),
            elsewhere: Vec::new(),
            own: false,
            owner: None,
            plays: false,
            edition: place.edition().map_or(0, |edition| edition.number),
            place: place.line,
            plays_as: None,
            versions: Vec::new(),
            games: Vec::new(),
        }
    }
}

fn version_line(version: &Version, active: Option<u32>) -> VersionLine {
    VersionLine {
        number: version.id.number,
        state: word(&version.state),
        code: match &version.state {
            VersionState::Refused(refusal) => refusal.code.clone(),
            _ => String::new(),
        },
        active: active == Some(version.id.number),
        size: version.size_bytes,
        date: date(version.submitted_at),
        hash: version.entrant.hash().unwrap_or_default().into(),
    }
}

/// The first games of an entrant in an edition.
async fn games(
    app: &App,
    game: &Game,
    edition: Option<&Edition>,
    id: Option<&EntrantId>,
) -> Result<Vec<GameLine>, Problem> {
    let Some((edition, id)) = edition.zip(id) else { return Ok(Vec::new()) };
    let played = app.store().games_in(&edition.tournament, id, Page::first(ROWS_MAX)).await?;
    let entrants = played.iter().flat_map(|played| played.entrants.values());
    let names = Names::of(app.store(), Some(edition), entrants).await?;
    Ok(played.iter().filter_map(|played| game_line(&names, game, edition, played, id)).collect())
}

fn game_line(names: &Names, game: &Game, edition: &Edition, played: &IndexedGame, id: &EntrantId) -> Option<GameLine> {
    let (seat, _) = played.entrants.iter().find(|(_, entrant)| *entrant == id)?;
    let others = played.entrants.iter().filter(|(other, _)| *other != seat);
    let opponents = others.map(|(_, other)| names.who(other)).collect();
    let own = played.outcome.tally.get(seat.index()).copied().unwrap_or_default();
    let all: u64 = played.outcome.tally.iter().map(|tally| u64::from(*tally)).sum();
    Some(GameLine {
        id: GameId::Tournament(edition.tournament.clone(), played.number).to_string(),
        opponents,
        colour: game.seat_name(seat),
        result: match played.outcome.winner {
            None => "drew",
            Some(winner) if winner == seat.0 => "won",
            Some(_) => "lost",
        },
        score: format!("{own}:{}", all - u64::from(own)),
        reason: played.outcome.reason.replace('_', " "),
    })
}

#[derive(Template)]
#[template(path = "version.html")]
struct VersionPage {
    shell: Shell,
    name: String,
    number: u32,
    /// What it logged in its sample games, for its owner.
    logs: Vec<Log>,
    /// Whether people can play against bots of its game.
    rooms: bool,
    state: &'static str,
    code: String,
    message: String,
    hint: String,
    active: Option<u32>,
    size: u64,
    date: String,
    id: String,
}

pub(crate) async fn version(
    State(app): State<App>,
    Path((name, number)): Path<(String, String)>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let (bot, version) = find_version(&app, &name, &number).await?;
    let (code, message, hint) = match &version.state {
        VersionState::Accepted => ("accepted".into(), "The bot is accepted and plays.".into(), String::new()),
        VersionState::Pending if app.service().is_unjudgeable(version.id) => {
            ("pending".into(), sentence(UNJUDGEABLE), String::new())
        }
        VersionState::Pending => ("pending".into(), "The bot is being judged.".into(), String::new()),
        VersionState::Refused(Objection { code, message, hint, offset }) => {
            let at = offset.map_or(String::new(), |offset| format!(" (at byte {offset})"));
            (code.clone(), sentence(&format!("{message}{at}")), sentence(hint))
        }
    };
    let visitor = visitor.unwrap_or_default();
    let own = visitor.account.as_ref().is_some_and(|account| account.id == bot.account);
    let logs = if own { of_samples(&app, &bot, &version).await? } else { Vec::new() };
    page(&VersionPage {
        shell: Shell::new(&visitor, "submit"),
        logs: logs.into_iter().map(|log| Log::of(&bot.game, log)).collect(),
        rooms: game_of(&bot).is_some_and(Game::suits_rooms),
        name: bot.name.to_string(),
        number: version.id.number,
        state: word(&version.state),
        code,
        message,
        hint,
        active: bot.active.map(|active| active.number),
        size: version.size_bytes,
        date: date(version.submitted_at),
        id: version.entrant.to_string(),
    })
}
