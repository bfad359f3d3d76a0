//! `/bots/NAME` and the verdicts on its versions.

use arena_record::EntrantId;
use arena_runner::Contender;
use arena_service::Edition;
use arena_store::{IndexedGame, Page, Refusal, Version, VersionState};
use arena_wire::GAMES;
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use super::standings::{Line, lines};
use super::{Shell, date, page};
use crate::api::bots::{find, find_version, word};
use crate::api::standings::row;
use crate::app::App;
use crate::games::GameId;
use crate::identity::Visitor;
use crate::limits::ROWS_MAX;
use crate::names;
use crate::problem::{Problem, sentence};

/// A line of the bot's games.
pub(crate) struct GameLine {
    pub(crate) id: String,
    pub(crate) opponent: names::Who,
    pub(crate) colour: &'static str,
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
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    let shell = Shell::new(&visitor.unwrap_or_default(), "standings");
    let standing = app.service().standing();
    let edition = standing.edition.as_deref();
    let line = |name: &str| {
        edition.and_then(|edition| lines(edition).into_iter().find(|line| line.name.eq_ignore_ascii_case(name)))
    };
    let number = edition.map_or(0, |edition| edition.number);
    if let Ok(baseline) = Contender::baseline(GAMES[0].ruleset, &name) {
        let games = games(&app, edition, &baseline.id()).await?;
        let (place, versions) = (line(&name), Vec::new());
        let plays_as = None;
        return page(&BotPage {
            shell,
            name,
            owner: None,
            plays: true,
            place,
            plays_as,
            edition: number,
            versions,
            games,
        });
    }
    let bot = find(&app, &name).await?;
    let active = bot.active.map(|active| active.number);
    let versions = app.store().versions(bot.id, Page::first(ROWS_MAX)).await?;
    let entrant = edition.and_then(|edition| row(edition, bot.name.as_str())).map(|row| row.id.clone());
    let games = match entrant {
        Some(id) => games(&app, edition, &id).await?,
        None => Vec::new(),
    };
    let playing = match bot.active {
        Some(active) => app.store().version(active).await?,
        None => None,
    };
    let named = match &playing {
        Some(version) => app.store().named(&version.entrant).await?,
        None => None,
    };
    let plays_as = named.map(|named| named.name.to_string()).filter(|name| name != bot.name.as_str());
    let owner = app.store().account(bot.account).await?;
    page(&BotPage {
        shell,
        owner: Some(owner.map(|account| account.name.to_string()).unwrap_or_default()),
        plays: active.is_some(),
        place: line(bot.name.as_str()),
        plays_as,
        edition: number,
        versions: versions.iter().map(|version| version_line(version, active)).collect(),
        games,
        name: bot.name.to_string(),
    })
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
async fn games(app: &App, edition: Option<&Edition>, id: &EntrantId) -> Result<Vec<GameLine>, Problem> {
    let Some(edition) = edition else { return Ok(Vec::new()) };
    let mut lines = Vec::new();
    for game in app.store().games_in(&edition.tournament, id, Page::first(ROWS_MAX)).await? {
        lines.extend(game_line(app, edition, &game, id).await?);
    }
    Ok(lines)
}

async fn game_line(
    app: &App,
    edition: &Edition,
    game: &IndexedGame,
    id: &EntrantId,
) -> Result<Option<GameLine>, Problem> {
    let Some((seat, _)) = game.entrants.iter().find(|(_, entrant)| *entrant == id) else { return Ok(None) };
    let other = seat.opponent();
    let opponent = match edition.entrants.iter().find(|(_, entrant)| *entrant == game.entrants[other]) {
        Some((name, _)) => names::Who::bot(name),
        None => names::who(app.store(), &game.entrants[other]).await?,
    };
    let tally = |seat: arena_rules::Seat| game.outcome.tally.get(seat.index()).copied().unwrap_or_default();
    Ok(Some(GameLine {
        id: GameId::Tournament(edition.tournament.clone(), game.number).to_string(),
        opponent,
        colour: colour(seat.0),
        result: match game.outcome.winner {
            None => "drew",
            Some(winner) if winner == seat.0 => "won",
            Some(_) => "lost",
        },
        score: format!("{}:{}", tally(seat), tally(other)),
        reason: game.outcome.reason.replace('_', " "),
    }))
}

/// The colour of a seat.
pub(crate) fn colour(seat: u8) -> &'static str {
    if seat == 0 { "blue" } else { "red" }
}

#[derive(Template)]
#[template(path = "version.html")]
struct VersionPage {
    shell: Shell,
    name: String,
    number: u32,
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
        VersionState::Pending => ("pending".into(), "The bot is being judged.".into(), String::new()),
        VersionState::Refused(Refusal { code, message, hint, offset }) => {
            let at = offset.map_or(String::new(), |offset| format!(" (at byte {offset})"));
            (code.clone(), sentence(&format!("{message}{at}")), sentence(hint))
        }
    };
    page(&VersionPage {
        shell: Shell::new(&visitor.unwrap_or_default(), "submit"),
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
