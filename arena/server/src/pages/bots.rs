//! `/bots/NAME` and the verdicts on its versions.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::path;
use std::sync::Arc;

use arena_record::{EntrantId, Forfeit, Objection, Record};
use arena_rules::Seat;
use arena_runner::{Archive, Contender};
use arena_service::{Edition, Placing, WhyOut};
use arena_store::{Bot, GameResult, NAME_BYTES_MAX, Page, PlayedGame, Results, Version, VersionState};
use arena_tournaments::{Tally, Value};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::{Path, Query, State};
use axum::response::Response;

use super::games::Log;
use super::history::{History, editions};
use super::previews::Card;
use super::standings::{Against, Line, lines};
use super::tournaments::CHALLENGE_GAMES;
use super::{Shell, capital, date, page, percent, wdl};
use crate::api::bots::{find, find_version, game_of, placing};
use crate::api::logs::of_samples;
use crate::api::standings::row;
use crate::app::App;
use crate::base_url::BaseUrl;
use crate::bot_games::{self, BotGames, Wanted};
use crate::fuel::Fuel;
use crate::games::GameId;
use crate::identity::Visitor;
use crate::language::Text;
use crate::limit_kind::LimitKind;
use crate::limits::{ALL_EDITIONS_COST, ROWS_MAX};
use crate::names::{GameLink, Names, Who};
use crate::problem::{Problem, sentence};
use crate::said::words as said;
use crate::text;
use crate::visitors::Taker;
use crate::words::{self, verdict_word};

/// A line of the bot's games.
pub(crate) struct GameLine {
    pub(crate) id: String,
    /// All other players of the game.
    pub(crate) opponents: Vec<Who>,
    pub(crate) colour: String,
    pub(crate) result: GameResult,
    pub(crate) score: String,
    pub(crate) reason: String,
}

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

#[derive(Template)]
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
    /// Bots of the visitor that may challenge it, and the default number of games.
    challengers: Vec<String>,
    challenge_games: u32,
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
    /// Longest name of a bot, in characters.
    name_max: usize,
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

/// The games of an edition that a bot lost by its own faults.
struct Forfeits {
    /// How many by each code, the most frequent first.
    codes: Vec<(String, u32)>,
    /// All games that it played.
    games: String,
    /// One of them, with what happened there.
    example: Option<(String, String)>,
}

impl Forfeits {
    /// How many there are.
    fn count(&self) -> u32 {
        self.codes.iter().map(|(_, count)| count).sum()
    }

    /// The forfeits of a bot in its latest edition, with the first of the games that ended by one.
    async fn of(
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

/// A bot's results against another, or in games that another played, too.
struct Opponent {
    name: String,
    /// In percent; of games of more than two seats, the order of the list alone.
    score: String,
    record: String,
}

impl Opponent {
    fn percent(&self) -> f64 {
        self.score.parse().unwrap_or_default()
    }

    /// The results in games of more than two seats.
    fn of_games((name, results): (&str, Results)) -> Opponent {
        let Results { won, drawn, lost } = results;
        let tally = Tally { wins: won, draws: drawn, losses: lost };
        Opponent { name: name.into(), score: percent(tally), record: wdl(tally) }
    }
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
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let visitor = visitor.unwrap_or_default();
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
    let place = match game {
        Some(game) => Place::of(&app, game, name).await?,
        None => Place::default(),
    };
    let active = bot.active.map(|active| active.number);
    let versions = app.store().versions(bot.id, Page::first(ROWS_MAX)).await?;
    let played = match game {
        Some(game) => bot_games::find(&app, game, name, Some(&bot), &wanted).await?,
        None => BotGames::default(),
    };
    let (games, forfeits) = match game {
        Some(game) => {
            (lines_of(&app, game, &place, &played).await?, Forfeits::of(&app, game, &place, name, Some(&bot)).await?)
        }
        None => (Vec::new(), None),
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

/// Games whose fuel is read: the first of the list. A record may have some hundred kilobytes.
const FUEL_GAMES_MAX: usize = 12;

/// The fuel of the bot's turns in a list's games; `None` if none was metered or no record can be read.
async fn fuel(app: &App, played: &BotGames) -> Option<Arc<Fuel>> {
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

/// A bot's place in the latest edition of its game.
#[derive(Default)]
struct Place {
    edition: Option<Arc<Edition>>,
    /// Why it is none, if the operator annulled the edition.
    annulled: Option<String>,
    line: Option<Line>,
    /// Its results by opponent, the hardest first.
    opponents: Vec<Opponent>,
}

impl Place {
    async fn of(app: &App, game: &Game, name: &str) -> Result<Place, Problem> {
        let Some(edition) = app.service().standing().of(game).edition.clone() else { return Ok(Place::default()) };
        let line = lines(game, &edition.standings).into_iter().find(|line| line.name.eq_ignore_ascii_case(name));
        if let Some(annulled) = app.latest_annulled(game).filter(|_| line.is_some()) {
            return Ok(Place { edition: Some(edition), annulled: Some(annulled), ..Place::default() });
        }
        let mut opponents: Vec<Opponent> = match &line {
            // Only standings of pairs have a crosstable.
            Some(line) if line.against.is_empty() => {
                let results = app.store().results_of(&line.id, &edition.tournament).await?;
                let named = results.into_iter().filter_map(|(id, results)| Some((edition.name(&id)?, results)));
                named.map(Opponent::of_games).collect()
            }
            Some(line) => {
                let met = line.against.iter().filter(|against| against.score != Against::NONE);
                let one = |Against { name, score, record, .. }: &Against| Opponent {
                    name: name.clone(),
                    score: score.clone(),
                    record: record.clone(),
                };
                met.map(one).collect()
            }
            None => Vec::new(),
        };
        opponents.sort_by(|one, other| one.percent().total_cmp(&other.percent()));
        Ok(Place { edition: Some(edition), annulled: None, line, opponents })
    }

    fn edition(&self) -> Option<&Edition> {
        self.edition.as_deref()
    }
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
            editions: Vec::new(),
            seats: (0..count).filter_map(seat).collect(),
            next: played.next.as_ref().map(|next| bot_games::address(&base, &wanted, Some(next))),
            all: bot_games::address(&format!("/api/v1{base}/games"), &wanted, None),
            wanted,
            shell: Shell { account: None, here: "standings" },
            card: None,
            name: name.into(),
            title: game.map(|game| game.title.into()).unwrap_or_default(),
            game: game.map(|game| game.name().into()).unwrap_or_default(),
            rooms: game.is_some_and(Game::suits_rooms),
            elsewhere: Vec::new(),
            own: false,
            challengers: Vec::new(),
            challenge_games: CHALLENGE_GAMES,
            owner: None,
            plays: false,
            held: false,
            disabled: false,
            withdrawn: false,
            edition: edition.map_or(0, |edition| edition.number),
            annulled,
            name_max: NAME_BYTES_MAX,
            history: None,
            fuel: None,
            place: line,
            forfeits: None,
            without_place: None,
            versions: Vec::new(),
            games: Vec::new(),
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

/// The games as lines.
async fn lines_of(app: &App, game: &Game, place: &Place, played: &BotGames) -> Result<Vec<GameLine>, Problem> {
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

#[derive(Template)]
#[template(path = "version.html")]
struct VersionPage {
    shell: Shell,
    name: String,
    number: u32,
    /// The name of its game in addresses.
    game: String,
    /// Its logs in the sample games, for its owner.
    logs: Vec<Log>,
    /// Whether these logs are all empty.
    silent: bool,
    /// Whether people can play against bots of its game.
    rooms: bool,
    /// Whether it plays in the standing tournament, if it is the active version.
    placing: Option<Placing>,
    /// Whether the operator has disabled the bot.
    disabled: bool,
    state: &'static str,
    code: String,
    message: String,
    hint: String,
    active: Option<u32>,
    size: u64,
    date: String,
    id: String,
}

impl VersionPage {
    /// Whether it is the active version.
    fn plays(&self) -> bool {
        self.active == Some(self.number)
    }
}

pub(crate) async fn version(
    State(app): State<App>,
    Path((name, number)): Path<(String, String)>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let (bot, version) = find_version(&app, &name, &number).await?;
    let (code, message, hint) = match &version.state {
        VersionState::Accepted => ("accepted".into(), String::new(), String::new()),
        VersionState::Pending if app.service().judge().is_unjudgeable(version.id) => {
            ("pending".into(), sentence(&words::unjudgeable()), String::new())
        }
        VersionState::Pending => ("pending".into(), text::bot_the_bot_is_being_judged().into(), String::new()),
        VersionState::Refused(Objection { code, message, hint, offset }) => {
            let at = offset.map_or(String::new(), |offset| text::bot_at_byte(offset).into());
            (code.clone(), sentence(&format!("{}{at}", said(message))), sentence(&said(hint)))
        }
    };
    let visitor = visitor.unwrap_or_default();
    let own = visitor.account.as_ref().is_some_and(|account| account.id == bot.account);
    let logs = if own { of_samples(&app, &bot, &version).await? } else { Vec::new() };
    page(&VersionPage {
        shell: Shell::new(&visitor, "submit"),
        silent: !logs.is_empty() && logs.iter().all(|log| log.text.is_empty()),
        logs: logs.into_iter().map(|log| Log::of(&bot.game, log)).collect(),
        rooms: game_of(&bot).is_some_and(Game::suits_rooms),
        placing: placing(&app, &bot, &version).await?,
        disabled: bot.disabled,
        name: bot.name.to_string(),
        game: game_of(&bot).map(|game| game.name().into()).unwrap_or_default(),
        number: version.id.number,
        state: verdict_word(&version.state),
        code,
        message,
        hint,
        active: bot.active.map(|active| active.number),
        size: version.size_bytes,
        date: date(version.submitted_at),
        id: version.entrant.to_string(),
    })
}
