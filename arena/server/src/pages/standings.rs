//! `/standings`.

use arena_service::{Edition, Progress, Standing};
use arena_tournaments::Row;
use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::{Shell, page, percent, wdl, whole};
use crate::app::App;
use crate::identity::Visitor;
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

/// The rows of an edition, best first.
pub(crate) fn lines(edition: &Edition) -> Vec<Line> {
    edition.standings.rows.iter().map(line).collect()
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
        against: against.collect(),
    }
}

#[derive(Template)]
#[template(path = "standings.html")]
struct Standings {
    shell: Shell,
    lines: Vec<Line>,
    /// What there is to say of the edition, in sentences.
    facts: Vec<String>,
    progress: String,
    /// The number of the edition that is shown; 0 for none.
    edition: u32,
    /// Whether the page asks again by itself.
    moving: bool,
}

pub(crate) async fn show(State(app): State<App>, visitor: Option<Visitor>) -> Result<Response, Problem> {
    let standing = app.service().standing();
    page(&Standings {
        shell: Shell::new(&visitor.unwrap_or_default(), "standings"),
        lines: standing.edition.as_deref().map(lines).unwrap_or_default(),
        facts: facts(&standing),
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

fn facts(standing: &Standing) -> Vec<String> {
    let Some(edition) = standing.edition.as_deref() else { return Vec::new() };
    let (all, first) = (edition.standings.games, edition.standings.first_seat);
    let mut facts = vec![
        format!("Edition {}: {} games, {all} of them distinct.", edition.number, edition.games),
        format!("Blue, who moves first, won {}, drew {} and lost {} of them.", first.wins, first.draws, first.losses),
        format!("Games lost to the machine: {} of {}.", edition.standings.void, edition.games),
    ];
    if standing.left_out > 0 {
        facts.push(format!("The field is full: {} newer bots wait for a place.", standing.left_out));
    }
    facts
}
