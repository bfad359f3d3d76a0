//! `/standings`, of each game.

use arena_rules::Seat;
use arena_service::{Edition, Progress, Standing};
use arena_tournaments::{FieldRow, FieldStandings, Ranking, Row, Standings};
use arena_wire::{GAMES, Game};
use askama::Template;
use axum::extract::{Path, State};
use axum::response::Response;

use super::{Shell, capital, page, percent, wdl, whole};
use crate::api::standings::notes;
use crate::app::App;
use crate::identity::Visitor;
use crate::names::{self, GameLink};
use crate::problem::Problem;

/// A row of the standings.
pub(crate) struct Line {
    pub(crate) rank: usize,
    pub(crate) name: String,
    pub(crate) built_in: bool,
    pub(crate) rating: i64,
    pub(crate) half: i64,
    pub(crate) low: i64,
    pub(crate) high: i64,
    pub(crate) games: u32,
    pub(crate) score: String,
    pub(crate) record: String,
    pub(crate) first: String,
    pub(crate) second: String,
    pub(crate) forfeits: u32,
    pub(crate) quarantined: bool,
    /// The score against each row in percent; a dash against itself.
    pub(crate) against: Vec<Against>,
}

/// A cell of the crosstable.
pub(crate) struct Against {
    pub(crate) score: String,
    pub(crate) record: String,
    /// From 0, all lost, to 10, all won; 11 is no game. The page has a colour for each.
    pub(crate) heat: u32,
}

/// A row of the standings of a game with more than two seats.
pub(crate) struct FieldLine {
    pub(crate) rank: usize,
    pub(crate) name: String,
    pub(crate) built_in: bool,
    /// The mean share and its interval.
    pub(crate) score: String,
    pub(crate) games: u32,
    pub(crate) firsts: u32,
    pub(crate) cage: String,
    pub(crate) forfeits: u32,
    pub(crate) quarantined: bool,
}

/// The rows of an edition of two-seat games, best first; none of others.
pub(crate) fn lines(edition: &Edition) -> Vec<Line> {
    edition.ranking.pairs().map(|standings| standings.rows.iter().map(line).collect()).unwrap_or_default()
}

/// The rows of an edition of games with more seats, best first; none of others.
pub(crate) fn field_lines(edition: &Edition) -> Vec<FieldLine> {
    edition.ranking.field().map(|standings| standings.rows.iter().map(field_line).collect()).unwrap_or_default()
}

fn field_line(row: &FieldRow) -> FieldLine {
    FieldLine {
        rank: row.rank,
        name: row.name.clone(),
        built_in: row.id.baseline().is_some(),
        score: row.score(),
        games: row.games,
        firsts: row.firsts,
        cage: wdl(row.cage),
        forfeits: row.forfeits.values().sum(),
        quarantined: row.quarantined,
    }
}

fn line(row: &Row) -> Line {
    let (tenths, half) = (row.rating.tenths, row.rating.half_interval_tenths);
    let against = row.against.iter().map(|tally| Against {
        score: percent(*tally),
        record: wdl(*tally),
        heat: (10 * tally.half_points() + tally.games()).checked_div(2 * tally.games()).unwrap_or(11),
    });
    Line {
        rank: row.rank,
        name: row.name.clone(),
        built_in: row.id.baseline().is_some(),
        rating: whole(tenths),
        half: whole(half),
        low: whole(tenths - half),
        high: whole(tenths + half),
        games: row.tally.games(),
        score: percent(row.tally),
        record: wdl(row.tally),
        first: wdl(row.by_seat.first),
        second: wdl(row.by_seat.second),
        forfeits: row.forfeits.values().sum(),
        quarantined: row.quarantined,
        against: against.collect(),
    }
}

#[derive(Template)]
#[template(path = "standings.html")]
struct StandingsPage {
    shell: Shell,
    game: &'static Game,
    games: Vec<GameLink>,
    /// What people call the first and the second seat.
    seats: [String; 2],
    lines: Vec<Line>,
    field: Vec<FieldLine>,
    /// Void games and quarantined bots, in sentences.
    notes: Vec<String>,
    /// What there is to say of the edition, in sentences.
    facts: Vec<String>,
    progress: String,
    /// The number of the edition that is shown; 0 for none.
    edition: u32,
    /// Whether the page asks again by itself.
    moving: bool,
}

/// The standings of the first game.
pub(crate) async fn first(State(app): State<App>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    shown(&app, &GAMES[0], visitor)
}

/// The standings of a game.
pub(crate) async fn show(
    State(app): State<App>,
    Path(game): Path<String>,
    visitor: Option<Visitor>,
) -> Result<Response, Problem> {
    shown(&app, names::game(Some(&game))?, visitor)
}

fn shown(app: &App, game: &'static Game, visitor: Option<Visitor>) -> Result<Response, Problem> {
    let standing = app.service().standing(game);
    let edition = standing.edition.as_deref();
    page(&StandingsPage {
        shell: Shell::new(&visitor.unwrap_or_default(), "standings"),
        game,
        games: GameLink::all(GAMES.iter(), game),
        seats: [Seat(0), Seat(1)].map(|seat| game.seat_name(seat)),
        lines: edition.map(lines).unwrap_or_default(),
        field: edition.map(field_lines).unwrap_or_default(),
        notes: edition.map(|edition| notes(&edition.ranking)).unwrap_or_default(),
        facts: facts(game, &standing),
        progress: progress(&standing),
        edition: standing.edition.as_ref().map_or(0, |edition| edition.number),
        moving: standing.playing.is_some() || standing.waiting || standing.edition.is_none(),
    })
}

/// What is going on, in a sentence.
fn progress(standing: &Standing) -> String {
    match (&standing.playing, &standing.trouble) {
        (Some(progress), trouble) => {
            let trouble = trouble.as_ref().map(|trouble| format!(" Before: {trouble}.")).unwrap_or_default();
            let Progress { edition, played, total } = progress;
            format!("Edition {edition} is being played: {played} of {total} games.{trouble}")
        }
        (None, Some(trouble)) => format!("The next edition has trouble, and is tried again: {trouble}"),
        (None, None) if standing.waiting => "The next edition is about to begin.".into(),
        (None, None) => "All bots have played. The next edition begins when a new version is accepted.".into(),
    }
}

fn facts(game: &Game, standing: &Standing) -> Vec<String> {
    let Some(edition) = standing.edition.as_deref() else { return Vec::new() };
    let number = edition.number;
    let mut facts = match &edition.ranking {
        Ranking::Pairs(Standings { games, first_seat: first, .. }) => vec![
            format!("Edition {number}: {} games, {games} of them distinct.", edition.games),
            format!(
                "{}, who moves first, won {}, drew {} and lost {} of them.",
                capital(&game.seat_name(Seat(0))),
                first.wins,
                first.draws,
                first.losses
            ),
        ],
        Ranking::Field(FieldStandings { seats, games, cage_games, .. }) => vec![format!(
            "Edition {number}: {} games, of which {games} distinct ones of {seats} seats and {cage_games} of two count.",
            edition.games
        )],
    };
    facts.push(format!("Games lost to the machine: {} of {}.", edition.ranking.void(), edition.games));
    if standing.left_out > 0 {
        facts.push(format!(
            "{} newer bots wait for a place: the field is full, or their owners have as many in it as may be.",
            standing.left_out
        ));
    }
    facts
}
