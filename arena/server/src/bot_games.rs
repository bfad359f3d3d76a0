//! The games of a bot in an edition of its standing tournament: which ones, in which order, and where a list goes on.

use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::Reason;
use arena_runner::Contender;
use arena_service::Edition;
use arena_store::{Bot, GameResult, IndexedGame, Page, TournamentId, Version, VersionId, Which};
use arena_wire::Game;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::App;
use crate::limits::ROWS_MAX;
use crate::names;
use crate::problem::Problem;

/// What may be asked of a bot's games, on its page and in the API.
#[derive(Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// Of a built-in opponent: the game, with or without its version; the first one that it plays when left out.
    #[param(required = false)]
    pub(crate) game: Option<String>,
    /// Those against this one.
    #[param(required = false)]
    pub(crate) opponent: Option<String>,
    /// Those that it `lost`, `drew` or `won`; by default all, lost ones first.
    #[param(required = false)]
    pub(crate) result: Option<String>,
    /// Those in which it had this seat, counted from 0.
    #[param(required = false)]
    pub(crate) seat: Option<String>,
    /// `forfeit` for those that ended by one.
    #[param(required = false)]
    pub(crate) end: Option<String>,
    /// Those of this version, in the latest edition that it played in; those of the latest edition when left out.
    #[param(required = false)]
    pub(crate) version: Option<String>,
    /// The number of the last game of the page before: what follows `.` in its id.
    #[param(required = false)]
    pub(crate) after: Option<String>,
}

/// What a form leaves empty is not asked for.
fn said(field: Option<&String>) -> Option<&str> {
    field.map(String::as_str).filter(|text| !text.is_empty())
}

/// A word of a result, as the pages and the API have it.
pub(crate) fn result_word(result: GameResult) -> &'static str {
    match result {
        GameResult::Lost => "lost",
        GameResult::Drawn => "drew",
        GameResult::Won => "won",
    }
}

/// A page of a bot's games.
#[derive(Default)]
pub(crate) struct BotGames {
    /// Whose they are in the records.
    pub(crate) entrant: Option<EntrantId>,
    pub(crate) tournament: Option<TournamentId>,
    pub(crate) games: Arc<[IndexedGame]>,
    /// Where the next page goes on; none when this is the last.
    pub(crate) next: Option<u32>,
}

fn unknown(what: &str, hint: impl ToString) -> Problem {
    Problem::not_found(what, format!("there is no such {what}"), hint)
}

/// The games of who plays `game` as `name`.
pub(crate) async fn find(
    app: &App,
    game: &'static Game,
    name: &str,
    bot: Option<&Bot>,
    wanted: &Wanted,
) -> Result<BotGames, Problem> {
    let latest = app.service().standing(game).edition.clone();
    let (entrant, tournament) = match (bot, said(wanted.version.as_ref())) {
        (Some(bot), Some(version)) => {
            let hint = "the bot's page has its versions";
            let number = version.parse().map_err(|_| unknown("version", hint))?;
            let id = VersionId { bot: bot.id, number };
            let version = app.store().version(id).await?.ok_or_else(|| unknown("version", hint))?;
            let tournament = edition_of(app, game, latest.as_deref(), &version).await?;
            (Some(version.entrant), tournament)
        }
        _ => {
            let entrant = latest.as_deref().and_then(|edition| entrant(edition, name)).cloned();
            (entrant, latest.as_ref().map(|edition| edition.tournament.clone()))
        }
    };
    let Some((id, played)) = entrant.as_ref().zip(tournament.as_ref()) else { return Ok(BotGames::default()) };
    let which = which(app, game, latest.as_deref(), wanted).await?;
    let page = match said(wanted.after.as_ref()) {
        None => Page::first(ROWS_MAX),
        Some(number) => {
            let missing = || unknown("game", "`after` is the number of a game on the page before");
            let number = number.parse().map_err(|_| missing())?;
            let last = app.store().game(played, number).await?.ok_or_else(missing)?;
            Page::after((last.result_of(id), number), ROWS_MAX)
        }
    };
    let games = if which == Which::default() && said(wanted.after.as_ref()).is_none() {
        first_of_all(app, played, id).await?
    } else {
        app.store().games_of(played, id, &which, page).await?.into()
    };
    let next = games.last().filter(|_| games.len() == ROWS_MAX as usize).map(|last| last.number);
    Ok(BotGames { entrant, tournament, games, next })
}

/// The first page of all games, which a bot's page has: an edition that is there stays as it is.
async fn first_of_all(app: &App, played: &TournamentId, id: &EntrantId) -> Result<Arc<[IndexedGame]>, Problem> {
    let name = format!("{id} {played}");
    if let Some(known) = app.first_games.of(&name) {
        return Ok(known);
    }
    let games = app.store().games_of(played, id, &Which::default(), Page::first(ROWS_MAX)).await?;
    let games: Arc<[IndexedGame]> = games.into();
    if !games.is_empty() {
        app.first_games.keep(name, games.clone());
    }
    Ok(games)
}

/// The id that a name played with in an edition.
pub(crate) fn entrant<'a>(edition: &'a Edition, name: &str) -> Option<&'a EntrantId> {
    edition.entrants.iter().find(|(entrant, _)| entrant.eq_ignore_ascii_case(name)).map(|(_, id)| id)
}

/// The latest edition of those kept in which a version played.
async fn edition_of(
    app: &App,
    game: &Game,
    latest: Option<&Edition>,
    version: &Version,
) -> Result<Option<TournamentId>, Problem> {
    let Some(latest) = latest else { return Ok(None) };
    let editions = app.service().editions_up_to(game, latest.number);
    Ok(app.store().first_played(&version.entrant, &editions).await?)
}

async fn which(app: &App, game: &'static Game, latest: Option<&Edition>, wanted: &Wanted) -> Result<Which, Problem> {
    let opponent = match said(wanted.opponent.as_ref()) {
        None => None,
        Some(name) => {
            let known = latest.and_then(|edition| entrant(edition, name)).cloned();
            let known = known.or_else(|| Contender::baseline(game.ruleset, name).ok().map(|contender| contender.id()));
            Some(match known {
                Some(id) => id,
                None => active(app, name).await?.ok_or_else(Problem::no_such_opponent)?,
            })
        }
    };
    let result = match said(wanted.result.as_ref()) {
        None => None,
        Some("lost") => Some(GameResult::Lost),
        Some("drew") => Some(GameResult::Drawn),
        Some("won") => Some(GameResult::Won),
        Some(_) => return Err(unknown("result", "there are `lost`, `drew` and `won`")),
    };
    let seat = match said(wanted.seat.as_ref()).map(str::parse) {
        None => None,
        Some(Ok(seat)) => Some(seat),
        Some(Err(_)) => return Err(unknown("seat", "seats are counted from 0")),
    };
    let reason = match said(wanted.end.as_ref()) {
        None => None,
        Some("forfeit") => Some(Reason::Forfeit.code().to_owned()),
        Some(_) => return Err(unknown("end", "there is `forfeit`")),
    };
    Ok(Which { opponent, seat, result, reason })
}

/// The bytes of a bot's active version.
async fn active(app: &App, name: &str) -> Result<Option<EntrantId>, Problem> {
    let Ok(name) = arena_store::BotName::parse(name) else { return Ok(None) };
    let Some(id) = app.store().bot_by_name(&name).await?.and_then(|bot| bot.active) else { return Ok(None) };
    Ok(app.store().version(id).await?.map(|version| version.entrant))
}

/// The address of a list with these wishes, and another place where it goes on.
pub(crate) fn address(base: &str, wanted: &Wanted, after: Option<u32>) -> String {
    let after = after.map(|after| after.to_string());
    let fields = [
        ("game", wanted.game.as_ref()),
        ("opponent", wanted.opponent.as_ref()),
        ("result", wanted.result.as_ref()),
        ("seat", wanted.seat.as_ref()),
        ("end", wanted.end.as_ref()),
        ("version", wanted.version.as_ref()),
        ("after", after.as_ref()),
    ];
    let said: Vec<String> =
        fields.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", plain(said(value)?)))).collect();
    if said.is_empty() { base.into() } else { format!("{base}?{}", said.join("&")) }
}

/// A value that needs no escaping: names of bots, numbers and words have nothing else.
pub(crate) fn plain(value: &str) -> String {
    value.chars().filter(|c| c.is_ascii_alphanumeric() || "._-@".contains(*c)).collect()
}

/// The game that is asked for of those in which a built-in opponent has a name.
pub(crate) fn game_of_built_in(name: &str, wanted: &Wanted) -> Result<Option<&'static Game>, Problem> {
    let mut plays = arena_wire::GAMES.iter().filter(|game| Contender::baseline(game.ruleset, name).is_ok());
    match said(wanted.game.as_ref()) {
        None => Ok(plays.next()),
        Some(game) => {
            let game = names::game(Some(game))?;
            Ok(plays.find(|plays| plays.ruleset == game.ruleset))
        }
    }
}
