//! `/bots/NAME`, and in the folder what it shows by subject: games, forfeits, its place, a version.

use std::collections::BTreeMap;
use std::sync::Arc;

use arena_record::EntrantId;
use arena_rules::Seat;
use arena_runner::Contender;
use arena_service::{Placing, WhyOut};
use arena_store::{Page, Version, VersionState};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;

use self::forfeits::Forfeits;
use self::games::{GameLine, fuel, lines_of};
use self::place::{Opponent, Place};
pub(crate) use self::version::version;
use super::history::{History, editions};
use super::previews::Card;
use super::standings::Line;
use super::{Shell, capital, date, page};
use crate::api::bots::{find, game_of, placing};
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::bot_games::{self, BotGames, Wanted};
use crate::fuel::Fuel;
use crate::identity::{Reader, Visitor};
use crate::language::Text;
use crate::limit_kind::LimitKind;
use crate::limits::{ALL_EDITIONS_COST, ROWS_MAX};
use crate::names::GameLink;
use crate::problem::Problem;
use crate::text;
use crate::visitors::Taker;
use crate::words::{self, verdict_word};

mod forfeits;
mod games;
mod place;
mod version;

/// A line of the bot's versions.
struct VersionLine {
    number: u32,
    state: &'static str,
    verdict: Text,
    code: String,
    active: bool,
    size: u64,
    date: String,
    hash: String,
}

#[derive(Default, Template)]
#[template(path = "bot.html")]
struct BotPage {
    shell: Shell,
    /// Its preview on other sites, once it has played.
    card: Option<Card>,
    name: String,
    /// Its game's title, and the game's name in addresses.
    title: String,
    game: String,
    /// Whether people can play against it.
    rooms: bool,
    /// The other games in which a built-in opponent has this name.
    elsewhere: Vec<GameLink>,
    /// Whether the visitor is its owner, who may read its logs.
    own: bool,
    /// Bots of the visitor that may challenge it.
    challengers: Vec<String>,
    /// Its owner; `None` for a built-in opponent.
    owner: Option<(String, i64)>,
    plays: bool,
    /// Whether it has a version that could play, but its owner has withdrawn it.
    withdrawn: bool,
    place: Option<Line>,
    /// Its forfeits in the latest edition.
    forfeits: Option<Forfeits>,
    /// Whether this site holds the standing tournament of its game.
    held: bool,
    /// Whether the operator has disabled it.
    disabled: bool,
    /// Why it has no place in the field of the next edition, if it has none.
    without_place: Option<WhyOut>,
    edition: u32,
    /// That the operator annulled that edition, if it played there.
    annulled: Option<String>,
    /// Its results in earlier editions.
    history: Option<History>,
    /// The fuel of its turns in the listed games.
    fuel: Option<Arc<Fuel>>,
    versions: Vec<VersionLine>,
    games: Vec<GameLine>,
    /// The selection of the list.
    wanted: Wanted,
    /// The edition or editions of the list, in words.
    of: String,
    /// The editions in which it played, the latest first.
    editions: Vec<u32>,
    /// Results by opponent, and whether its games have two seats.
    opponents: Vec<Opponent>,
    paired: bool,
    /// The seats of the game, with their numbers.
    seats: Vec<(String, String)>,
    /// The address of the next page, and of the same list in the API.
    next: Option<String>,
    all: String,
}

impl BotPage {
    /// The edition that a form chose, if it is not one of those in which the bot played.
    fn another(&self) -> Option<&str> {
        let chosen = self.wanted.edition.as_deref().filter(|chosen| !chosen.is_empty() && !self.wanted.is_of_all())?;
        self.editions.iter().all(|edition| edition.to_string() != chosen).then_some(chosen)
    }

    /// Whether a form's field has this value.
    fn is(&self, field: &Option<String>, value: &str) -> bool {
        field.as_deref() == Some(value)
    }
}

pub(crate) async fn show(
    State(app): State<App>,
    Path(name): Path<String>,
    Query(wanted): Query<Wanted>,
    BaseUrl(base): BaseUrl,
    taker: Taker,
    Reader(visitor): Reader,
) -> Result<Response, Problem> {
    if wanted.is_of_all() {
        taker.take_some(LimitKind::Requests, ALL_EDITIONS_COST, visitor.account_id())?;
    }
    let shell = Shell::new(&visitor, "standings");
    if let Some(game) = bot_games::game_of_built_in(&name, &wanted)? {
        let place = Place::of(&app, game, &name).await?;
        let played = bot_games::find(&app, game, &name, None, &wanted).await?;
        let history = app.service().standing().of(game).history.clone();
        let plays =
            |other: &&'static Game| other.ruleset != game.ruleset && Contender::baseline(other.ruleset, &name).is_ok();
        return page(&BotPage {
            forfeits: Forfeits::of(&app, game, &place, &name, None).await?,
            shell,
            card: card(&base, &name, game, &played).map(|card| card.in_game(game)),
            owner: None,
            history: development(&app, game, &BTreeMap::new(), Some(&name)),
            editions: editions(&history, &BTreeMap::new(), Some(&name)),
            plays: true,
            held: app.service().standing().of(game).held,
            games: lines_of(&app, game, &place, &played).await?,
            elsewhere: GameLink::all(GAMES.iter().filter(plays), game),
            challengers: challengers(&app, &visitor, game, &name).await?,
            ..BotPage::empty(&name, Some(game), place, &played, wanted)
        });
    }
    let bot = find(&app, &name).await?;
    let game = game_of(&bot);
    let name = bot.name.as_str();
    let active = bot.active.map(|active| active.number);
    let versions = app.store().versions(bot.id, Page::first(ROWS_MAX)).await?;
    let (place, played, games, forfeits) = match game {
        Some(game) => {
            let place = Place::of(&app, game, name).await?;
            let played = bot_games::find(&app, game, name, Some(&bot), &wanted).await?;
            let games = lines_of(&app, game, &place, &played).await?;
            let forfeits = Forfeits::of(&app, game, &place, name, Some(&bot)).await?;
            (place, played, games, forfeits)
        }
        None => Default::default(),
    };
    let ids = versions.iter().map(|version| (version.entrant.clone(), version.id.number)).collect();
    let standing = game.map(|game| app.service().standing().of(game));
    let chosen = versions.iter().find(|version| bot.active == Some(version.id)).cloned();
    let chosen = match bot.active {
        Some(active) if chosen.is_none() => app.store().version(active).await?,
        _ => chosen,
    };
    let without_place = match chosen {
        Some(version) => placing(&app, &bot, &version).await?.and_then(Placing::why_out),
        None => None,
    };
    page(&BotPage {
        shell,
        card: game.and_then(|game| card(&base, name, game, &played)),
        owner: Some((bot.owner.to_string(), bot.account.0)),
        own: visitor.account.as_ref().is_some_and(|account| account.id == bot.account),
        plays: active.is_some(),
        held: standing.as_ref().is_some_and(|standing| standing.held),
        disabled: bot.disabled,
        withdrawn: active.is_none() && versions.iter().any(|version| version.state == VersionState::Accepted),
        without_place,
        challengers: match game.filter(|_| active.is_some()) {
            Some(game) => challengers(&app, &visitor, game, name).await?,
            None => Vec::new(),
        },
        editions: standing.as_ref().map(|standing| editions(&standing.history, &ids, None)).unwrap_or_default(),
        history: game.and_then(|game| development(&app, game, &ids, None)),
        title: game.map_or_else(|| bot.game.clone(), |game| game.title.into()),
        versions: versions.iter().map(|version| version_line(version, active)).collect(),
        fuel: fuel(&app, &played).await,
        forfeits,
        games,
        ..BotPage::empty(name, game, place, &played, wanted)
    })
}

/// The results of a bot with these versions, or of an opponent named `built_in`, from edition to edition.
fn development(app: &App, game: &Game, versions: &BTreeMap<EntrantId, u32>, built_in: Option<&str>) -> Option<History> {
    let standing = app.service().standing().of(game);
    History::of(&standing.history, versions, built_in, &app.measures.annulled_editions(game))
}

/// The preview of a bot that has played, for other sites.
fn card(base: &str, name: &str, game: &Game, played: &BotGames) -> Option<Card> {
    played.games.first()?;
    let text = text::bot_a_bot_that_plays_its(game.title).into();
    Some(Card::of(base, &format!("/bots/{name}"), format!("{name} – Life Arena"), text))
}

/// The visitor's bots that may challenge another.
async fn challengers(app: &App, visitor: &Visitor, game: &Game, other: &str) -> Result<Vec<String>, Problem> {
    let Some(account) = &visitor.account else { return Ok(Vec::new()) };
    let bots = app.store().bots_of(account.id, Page::first(ROWS_MAX)).await?;
    let may = bots.iter().filter(|bot| bot.active.is_some() && bot.game == game.ruleset);
    let names = may.map(|bot| bot.name.to_string());
    // A challenge is played in pairs.
    let is_for_two = game.match_options().is_some();
    Ok(names.filter(|name| is_for_two && !name.eq_ignore_ascii_case(other)).collect())
}

impl BotPage {
    /// The page with the data of the game and the latest edition, without the rest.
    fn empty(name: &str, game: Option<&'static Game>, place: Place, played: &BotGames, wanted: Wanted) -> BotPage {
        let Place { edition, annulled, line, opponents } = place;
        let base = format!("/bots/{name}");
        let count = game.map_or(0, |game| game.shape(game.ranked).map_or(0, |shape| shape.seats));
        let seat = |seat: u8| Some((seat.to_string(), capital(&words::seat(game?.seat_name(Seat(seat))))));
        BotPage {
            paired: line.as_ref().is_some_and(|line| !line.against.is_empty()),
            opponents,
            of: match &played.editions[..] {
                [one] => match arena_service::edition_of(one) {
                    Some((_, number)) => text::common_edition(number).into(),
                    None => one.to_string(),
                },
                _ => text::bot_all_editions_that_are_kept().into(),
            },
            seats: (0..count).filter_map(seat).collect(),
            next: played.next.as_ref().map(|next| bot_games::address(&base, &wanted, Some(next))),
            all: bot_games::address(&format!("/api/v1{base}/games"), &wanted, None),
            wanted,
            name: name.into(),
            title: game.map(|game| game.title.into()).unwrap_or_default(),
            game: game.map(|game| game.name().into()).unwrap_or_default(),
            rooms: game.is_some_and(Game::suits_rooms),
            edition: edition.map_or(0, |edition| edition.number),
            annulled,
            place: line,
            ..BotPage::default()
        }
    }
}

fn version_line(version: &Version, active: Option<u32>) -> VersionLine {
    VersionLine {
        number: version.id.number,
        state: verdict_word(&version.state),
        verdict: words::verdict(&version.state),
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
