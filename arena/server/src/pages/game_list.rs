//! `/games`: the games of the latest edition, of one game and one bot, the latest first, and games in progress.

use std::sync::Arc;

use arena_record::EntrantId;
use arena_rooms::Seated;
use arena_service::{Edition, LiveRoom};
use arena_store::{BotName, IndexedGame, Page, TournamentId};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::Query;
use axum::response::Response;
use serde::Deserialize;

use super::standings::progress;
use super::{Shell, page, showcase};
use crate::app::App;
use crate::bot_games::{self, Wanted};
use crate::featured_games::FeaturedGame;
use crate::games::GameId;
use crate::identity::Reader;
use crate::limits::{LIVE_ROWS_MAX, ROWS_MAX};
use crate::names::{self, GameLink, Names, Who};
use crate::problem::Result;
use crate::text;

#[derive(Template)]
#[template(path = "games.html")]
struct GameList {
    shell: Shell,
    game: &'static Game,
    games: Vec<GameLink>,
    /// The bots to choose from.
    bots: Vec<String>,
    bot: String,
    /// What is being played now.
    progress: String,
    /// Games of people in progress.
    live: Vec<Live>,
    played: Played,
    /// That the operator annulled the edition whose games are listed.
    annulled: Option<String>,
    /// A game of the latest edition to show.
    show: Option<Arc<FeaturedGame>>,
    /// The addresses of the list's next page, and of the same games in the API.
    next: Option<String>,
    all: String,
}

/// A table of games.
#[derive(Default, Template)]
#[template(path = "games_table.html")]
pub(crate) struct Played {
    lines: Vec<Line>,
}

/// A game in progress in a room.
struct Live {
    room: String,
    seats: Vec<Who>,
    turn: u32,
    watching: usize,
}

impl Live {
    /// The live games of a game, and of one bot if one is given.
    async fn all(app: &App, game: &'static Game, bot: Option<&str>) -> Result<Vec<Live>> {
        let ids = |room: &LiveRoom| room.seats().iter().filter_map(Seated::entrant).collect::<Vec<EntrantId>>();
        let versions = match bot {
            Some(bot) => versions(app, bot).await?,
            None => Vec::new(),
        };
        let is_bot = |id: &EntrantId| match (bot, id.baseline()) {
            (None, _) => true,
            (Some(bot), Some((tier, _))) => tier.eq_ignore_ascii_case(bot),
            (Some(_), None) => versions.contains(id),
        };
        // Filtered before the list is cut, because the most watched games may be of another kind.
        let is_wanted = |room: &LiveRoom| room.ruleset() == game.ruleset && ids(room).iter().any(is_bot);
        let rooms = app.service().rooms().going_on(LIVE_ROWS_MAX, is_wanted);
        let all: Vec<EntrantId> = rooms.iter().flat_map(|room| ids(room)).collect();
        let names = Names::of(app.store(), Some(game), None, &all).await?;
        let live = |room: Arc<LiveRoom>| Live {
            room: room.id().to_string(),
            seats: ids(&room).iter().map(|id| names.who(id)).collect(),
            turn: u32::from(room.snapshot().view.ply),
            watching: room.spectators(),
        };
        Ok(rooms.into_iter().map(live).collect())
    }
}

/// The latest versions of a bot, any of which may sit in rooms; empty if there is no such bot.
async fn versions(app: &App, bot: &str) -> Result<Vec<EntrantId>> {
    let Ok(name) = BotName::parse(bot) else { return Ok(Vec::new()) };
    let Some(bot) = app.store().bot_by_name(&name).await? else { return Ok(Vec::new()) };
    let versions = app.store().versions(bot.id, Page::first(ROWS_MAX)).await?;
    Ok(versions.into_iter().map(|version| version.entrant).collect())
}

struct Line {
    id: String,
    seats: Vec<Who>,
    /// The winning seat.
    winner: Option<usize>,
    result: String,
    score: String,
}

impl Played {
    /// Some games of a tournament. The names of `edition` are in memory.
    async fn of(
        app: &App,
        game: &Game,
        edition: Option<&Edition>,
        tournament: &TournamentId,
        games: &[IndexedGame],
    ) -> Result<Played> {
        let entrants = games.iter().flat_map(|one| one.entrants.values());
        let names = Names::of(app.store(), Some(game), edition, entrants).await?;
        Ok(Played { lines: games.iter().map(|one| Line::of(&names, tournament, one)).collect() })
    }
}

/// A page of the games of a tournament that is not an edition, and the number after which the list continues.
pub(super) async fn of_tournament(
    app: &App,
    game: &Game,
    id: &str,
    after: Option<u32>,
) -> Result<(Played, Option<u32>)> {
    let id = TournamentId::parse(id)?;
    let rows = after.map_or(Page::first(ROWS_MAX), |after| Page::after(after, ROWS_MAX));
    let games = app.store().games(&id, rows).await?;
    let next = games.last().filter(|_| games.len() == ROWS_MAX as usize).map(|last| last.number);
    Ok((Played::of(app, game, None, &id, &games).await?, next))
}

impl Line {
    fn won(&self, seat: &usize) -> bool {
        self.winner == Some(*seat)
    }

    fn of(names: &Names, tournament: &TournamentId, one: &IndexedGame) -> Line {
        let seats: Vec<Who> = one.entrants.iter().map(|(_, id)| names.who(id)).collect();
        let winner = one.outcome.winner.map(usize::from);
        let result = winner.and_then(|winner| seats.get(winner));
        let result = result.map_or_else(|| text::games_draw().into(), |winner| text::games_won(&winner.name).into());
        let tally: Vec<String> = one.outcome.tally.iter().map(u32::to_string).collect();
        let score = if tally.len() == 2 { tally.join(":") } else { String::new() };
        Line { id: GameId::Tournament(tournament.clone(), one.number).to_string(), seats, winner, result, score }
    }
}

/// Which games.
#[derive(Deserialize)]
pub(crate) struct Which {
    game: Option<String>,
    bot: Option<String>,
    after: Option<String>,
}

pub(crate) async fn show(
    app: App,
    Query(Which { game, bot, after }): Query<Which>,
    Reader(visitor): Reader,
) -> Result<Response> {
    let game = names::game(game.as_deref())?;
    let standing = app.service().standing().of(game);
    let bot = bot.filter(|bot| !bot.is_empty());
    let live = Live::all(&app, game, bot.as_deref()).await?;
    let (mut played, mut next) = (Vec::new(), None);
    if let Some(edition) = standing.edition.as_deref() {
        match &bot {
            Some(bot) => {
                let wanted = Wanted::latest(game, after);
                let of_bot = bot_games::find(&app, game, bot, None, &wanted).await?;
                played = of_bot.games.iter().map(|played| played.game.clone()).collect();
                next = of_bot.next.map(|next| next.to_string());
            }
            None => {
                let after = after.and_then(|after| after.parse().ok());
                let rows = after.map_or(Page::first(ROWS_MAX), |after| Page::after(after, ROWS_MAX));
                played = app.store().latest_games(&edition.tournament, rows).await?;
                next = played.last().filter(|_| played.len() == ROWS_MAX as usize).map(|last| last.number.to_string());
            }
        }
    }
    let played = match standing.edition.as_deref() {
        Some(edition) => Played::of(&app, game, Some(edition), &edition.tournament, &played).await?,
        None => Played::default(),
    };
    let bots =
        standing.edition.as_deref().map(|edition| edition.entrants.iter().map(|(name, _)| name.clone()).collect());
    let wanted = |after: String| {
        let of_bot = bot.as_ref().map(|bot| format!("&bot={}", bot_games::plain(bot))).unwrap_or_default();
        format!("/games?game={}{of_bot}&after={after}", game.name())
    };
    let all = match &bot {
        Some(bot) => format!("/api/v1/bots/{}/games", bot_games::plain(bot)),
        None => "/api/v1/games".into(),
    };
    page(&GameList {
        shell: Shell::new(&visitor, "games"),
        game,
        games: GameLink::all(GAMES.iter(), game),
        bots: bots.unwrap_or_default(),
        next: next.map(wanted),
        all: bot_games::address(&all, &Wanted::latest(game, None), None),
        bot: bot.unwrap_or_default(),
        progress: progress(&standing),
        live,
        played,
        annulled: app.latest_annulled(game),
        show: showcase::of(&app, game).await,
    })
}
