//! The games of a bot in an edition of its standing tournament, or in all: their selection, order and paging.

use std::collections::BTreeSet;
use std::slice;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::Reason;
use arena_runner::Contender;
use arena_service::{Edition, OpenRoomError, Standing};
use arena_store::{Bot, BotName, GameResult, Order, Page, PlayedGame, Player, TournamentId, Version, VersionId, Which};
use arena_wire::Game;
use serde::Deserialize;
use utoipa::IntoParams;

use crate::app::App;
use crate::games::GameId;
use crate::limits::ROWS_MAX;
use crate::names;
use crate::problem::{Code, Problem, Result};
use crate::tombstones;

/// What may be asked of a bot's games, on its page and in the API.
#[derive(Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub(crate) struct Wanted {
    /// For a built-in opponent: the game, with or without its version; default: the first one that it plays.
    #[param(required = false)]
    pub(crate) game: Option<String>,
    /// Only games against this opponent.
    #[param(required = false)]
    pub(crate) opponent: Option<String>,
    /// Only games that it `lost`, `drew` or `won`; default: all, lost ones first.
    #[param(required = false)]
    pub(crate) result: Option<String>,
    /// Only games in which it had this seat, from 0.
    #[param(required = false)]
    pub(crate) seat: Option<String>,
    /// `forfeit`: only games that ended by one.
    #[param(required = false)]
    pub(crate) end: Option<String>,
    /// Only games of this version; default: the version that played in the latest edition, or all if `edition` is
    /// given.
    #[param(required = false)]
    pub(crate) version: Option<String>,
    /// Only games of the edition with this number, or of `all` editions that are kept; default: the latest, or the
    /// latest in which `version` played.
    #[param(required = false)]
    pub(crate) edition: Option<String>,
    /// `latest`: the latest editions first, and in each the games with the highest numbers. Default: lost games first,
    /// and among equals those of the latest edition.
    #[param(required = false)]
    pub(crate) order: Option<String>,
    /// The id of the last game of the previous page; if all are of one edition, the part after `.` will do.
    #[param(required = false)]
    pub(crate) after: Option<String>,
}

/// The word for all editions that are kept.
const ALL: &str = "all";

/// The word for the latest games first.
const LATEST: &str = "latest";

impl Wanted {
    /// Whether games of all editions are requested, which costs more than those of one.
    pub(crate) fn is_of_all(&self) -> bool {
        said(self.edition.as_ref()) == Some(ALL)
    }

    /// Whether the latest games come first.
    pub(crate) fn is_latest_first(&self) -> bool {
        said(self.order.as_ref()) == Some(LATEST)
    }

    fn order(&self) -> Result<Order> {
        Ok(if latest_first(self.order.as_ref())? { Order::Latest } else { Order::LostFirst })
    }

    /// The games in the latest edition that it lost by forfeit.
    pub(crate) fn of_forfeits() -> Wanted {
        Wanted { result: Some("lost".into()), end: Some("forfeit".into()), ..Wanted::default() }
    }

    /// All games in the latest edition of a game, the latest first, after this one.
    pub(crate) fn latest(game: &Game, after: Option<String>) -> Wanted {
        Wanted { game: Some(game.name().into()), order: Some(LATEST.into()), after, ..Wanted::default() }
    }
}

/// Whether the order that is asked for is the latest games first.
pub(crate) fn latest_first(order: Option<&String>) -> Result<bool> {
    match said(order) {
        None => Ok(false),
        Some(LATEST) => Ok(true),
        Some(_) => Err(unknown(Code::NoSuchOrder, "there is `latest`")),
    }
}

/// The value of a field, unless a form left it empty.
fn said(field: Option<&String>) -> Option<&str> {
    field.map(String::as_str).filter(|text| !text.is_empty())
}

/// A page of a bot's games.
#[derive(Default)]
pub(crate) struct BotGames {
    /// The editions of these games, the latest first.
    pub(crate) editions: Vec<TournamentId>,
    pub(crate) games: Arc<[PlayedGame]>,
    /// The last game of the page, if another page follows.
    pub(crate) next: Option<GameId>,
}

fn unknown(code: Code, hint: impl ToString) -> Problem {
    let what = code.word().trim_start_matches("no_such_");
    Problem::new(code, format!("there is no such {what}"), hint)
}

/// The games that `name` has played in `game`.
pub(crate) async fn find(
    app: &App,
    game: &'static Game,
    name: &str,
    bot: Option<&Bot>,
    wanted: &Wanted,
) -> Result<BotGames> {
    let version = match (bot, said(wanted.version.as_ref())) {
        (Some(bot), Some(number)) => Some(version_of(app, bot, number).await?),
        _ => None,
    };
    let order = wanted.order()?;
    let standing = app.service().standing().of(game);
    let Some(latest) = standing.edition.as_deref() else { return Ok(BotGames::default()) };
    let kept = || arena_service::editions_up_to(game, latest.number);
    let edition = said(wanted.edition.as_ref());
    let editions: Vec<TournamentId> = match (edition, &version) {
        (Some(ALL), _) => kept(),
        (Some(number), _) => vec![edition_of(app, game, latest.number, number).await?],
        (None, Some(version)) => app.store().first_played(&version.entrant, &kept()).await?.into_iter().collect(),
        (None, None) => vec![latest.tournament.clone()],
    };
    // Then all are known by their ids in it, and no look-up is needed.
    let is_of_latest = edition.is_none() && version.is_none();
    let player = match (version, bot) {
        (Some(version), _) => Player::Ids(vec![version.entrant]),
        (None, Some(bot)) if !is_of_latest => Player::Bot(bot.id),
        (None, _) => Player::Ids(ids_of(&standing, name, is_of_latest)),
    };
    if editions.is_empty() || player == Player::Ids(Vec::new()) {
        return Ok(BotGames::default());
    }
    let which = which(app, game, &standing, wanted, is_of_latest).await?;
    let page = match said(wanted.after.as_ref()) {
        None => Page::first(ROWS_MAX),
        Some(text) => Page::after(place_of(app, &editions, text).await?, ROWS_MAX),
    };
    let is_first = said(wanted.after.as_ref()).is_none() && which == Which::default();
    let games = if is_of_latest && is_first {
        first_of_all(app, &latest.tournament, &player, order).await?
    } else {
        app.store().games_of(&player, &editions, &which, order, page).await?.into()
    };
    let last = games.last().filter(|_| games.len() == ROWS_MAX as usize);
    let next = last.map(|last| GameId::Tournament(last.tournament.clone(), last.game.number));
    Ok(BotGames { editions, games, next })
}

/// The first page of all games, for a bot's page and for `/games`. It is cached, because a finished edition does not
/// change.
async fn first_of_all(app: &App, edition: &TournamentId, player: &Player, order: Order) -> Result<Arc<[PlayedGame]>> {
    let name = format!("{player:?} {edition} {order:?}");
    if let Some(known) = app.first_games.of(&name) {
        return Ok(known);
    }
    let (all, among) = (Which::default(), slice::from_ref(edition));
    let games = app.store().games_of(player, among, &all, order, Page::first(ROWS_MAX)).await?;
    let games: Arc<[PlayedGame]> = games.into();
    if !games.is_empty() {
        app.first_games.keep(name, games.clone());
    }
    Ok(games)
}

/// A bot's version with this number.
async fn version_of(app: &App, bot: &Bot, number: &str) -> Result<Version> {
    let missing = || unknown(Code::NoSuchVersion, "the bot's page has its versions");
    let number = number.parse().map_err(|_| missing())?;
    app.store().version(VersionId { bot: bot.id, number }).await?.ok_or_else(missing)
}

/// The edition of a game with this number, if it is kept.
async fn edition_of(app: &App, game: &Game, latest: u32, number: &str) -> Result<TournamentId> {
    let missing = || unknown(Code::NoSuchEdition, "there are `all` and the numbers of those that are kept");
    let number: u32 = number.parse().ok().filter(|number| *number <= latest).ok_or_else(missing)?;
    // The latest of all editions up to it.
    let id = arena_service::editions_up_to(game, number).into_iter().next().ok_or_else(missing)?;
    tombstones::tournament(app.service(), &id).await?.map_or(Ok(id), Err)
}

/// The place after the game with this id or number, where a list over these editions continues.
async fn place_of(app: &App, editions: &[TournamentId], text: &str) -> Result<(usize, u32)> {
    let missing = || unknown(Code::NoSuchGame, "`after` is the id of the last game on the page before");
    let (tournament, number) = match (GameId::parse(text), text.parse(), editions) {
        (Some(GameId::Tournament(tournament, number)), _, _) => (tournament, number),
        (_, Ok(number), [edition]) => (edition.clone(), number),
        _ => return Err(missing()),
    };
    let place = editions.iter().position(|edition| *edition == tournament).ok_or_else(missing)?;
    app.store().game(&tournament, number).await?.ok_or_else(missing)?;
    Ok((place, number))
}

/// The ids with which a name plays in the latest edition or, for a built-in opponent, in any edition that is kept.
fn ids_of(standing: &Standing, name: &str, in_latest: bool) -> Vec<EntrantId> {
    let mut ids: BTreeSet<&EntrantId> = standing.edition.iter().filter_map(|edition| entrant(edition, name)).collect();
    if !in_latest {
        let is_it = |id: &&EntrantId| id.baseline().is_some_and(|(tier, _)| tier.eq_ignore_ascii_case(name));
        ids.extend(standing.history.iter().flat_map(|past| &past.rows).map(|row| &row.id).filter(is_it));
    }
    ids.into_iter().cloned().collect()
}

/// The id with which a name played in an edition.
pub(crate) fn entrant<'a>(edition: &'a Edition, name: &str) -> Option<&'a EntrantId> {
    edition.entrants.iter().find(|(entrant, _)| entrant.eq_ignore_ascii_case(name)).map(|(_, id)| id)
}

async fn which(app: &App, game: &Game, standing: &Standing, wanted: &Wanted, in_latest: bool) -> Result<Which> {
    let opponent = match said(wanted.opponent.as_ref()) {
        None => None,
        Some(name) => Some(opponent_of(app, game, standing, name, in_latest).await?),
    };
    let result = match said(wanted.result.as_ref()) {
        None => None,
        Some("lost") => Some(GameResult::Lost),
        Some("drew") => Some(GameResult::Drawn),
        Some("won") => Some(GameResult::Won),
        Some(_) => return Err(unknown(Code::NoSuchResult, "there are `lost`, `drew` and `won`")),
    };
    let seat = match said(wanted.seat.as_ref()).map(str::parse) {
        None => None,
        Some(Ok(seat)) => Some(seat),
        Some(Err(_)) => return Err(unknown(Code::NoSuchSeat, "seats are counted from 0")),
    };
    let reason = match said(wanted.end.as_ref()) {
        None => None,
        Some("forfeit") => Some(Reason::Forfeit.code().to_owned()),
        Some(_) => return Err(unknown(Code::NoSuchEnd, "there is `forfeit`")),
    };
    Ok(Which { opponent, seat, result, reason })
}

/// The player of this name in the latest edition, or in any.
async fn opponent_of(app: &App, game: &Game, standing: &Standing, name: &str, in_latest: bool) -> Result<Player> {
    let mut ids = ids_of(standing, name, in_latest);
    if in_latest && !ids.is_empty() {
        return Ok(Player::Ids(ids));
    }
    if let Ok(built_in) = Contender::baseline(game.ruleset, name) {
        ids.push(built_in.id());
        return Ok(Player::Ids(ids));
    }
    let bot = match BotName::parse(name) {
        Ok(name) => app.store().bot_by_name(&name).await?,
        Err(_) => None,
    };
    match bot {
        Some(bot) => Ok(Player::Bot(bot.id)),
        // It has been renamed since.
        None if !ids.is_empty() => Ok(Player::Ids(ids)),
        None => Err(OpenRoomError::NoSuchOpponent.into()),
    }
}

/// The address of a list with these parameters, from another place on.
pub(crate) fn address(base: &str, wanted: &Wanted, after: Option<&GameId>) -> String {
    let after = after.map(|after| after.to_string());
    let fields = [
        ("game", wanted.game.as_ref()),
        ("opponent", wanted.opponent.as_ref()),
        ("result", wanted.result.as_ref()),
        ("seat", wanted.seat.as_ref()),
        ("end", wanted.end.as_ref()),
        ("version", wanted.version.as_ref()),
        ("edition", wanted.edition.as_ref()),
        ("order", wanted.order.as_ref()),
        ("after", after.as_ref()),
    ];
    let said: Vec<String> =
        fields.into_iter().filter_map(|(name, value)| Some(format!("{name}={}", plain(said(value)?)))).collect();
    if said.is_empty() { base.into() } else { format!("{base}?{}", said.join("&")) }
}

/// A value that needs no escaping: names of bots, numbers and words contain only such characters.
pub(crate) fn plain(value: &str) -> String {
    value.chars().filter(|c| c.is_ascii_alphanumeric() || "._-@".contains(*c)).collect()
}

/// The requested game, out of those in which a built-in opponent has this name.
pub(crate) fn game_of_built_in(name: &str, wanted: &Wanted) -> Result<Option<&'static Game>> {
    let mut plays = arena_wire::GAMES.iter().filter(|game| Contender::baseline(game.ruleset, name).is_ok());
    match said(wanted.game.as_ref()) {
        None => Ok(plays.next()),
        Some(game) => {
            let game = names::game(Some(game))?;
            Ok(plays.find(|plays| plays.ruleset == game.ruleset))
        }
    }
}
